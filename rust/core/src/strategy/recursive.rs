//! Pieces between separators, tried from the first to the last, merged up to a size.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{Prepared, Sizing, Strategy, plain_text};
use crate::block::Document;
use crate::chunk::{Chunks, SizeUnit};
use crate::engine::{Policy, Separator, Units, WindowRule};
use crate::error::ChunkError;
use crate::tokens::Tokenizer;

pub(super) const NAME: &str = "recursive";
const VERSION: &str = "1";

/// The recursive strategy.
pub struct Recursive {
    sizing: Sizing,
    separators: Arc<[Separator]>,
}

impl Recursive {
    /// Separators that text is cut at by default: Chinese ones too.
    pub const SEPARATORS: [&'static str; 10] = ["\n\n", "\n", "。", "！", "？", "；", "，", ". ", " ", ""];

    /// Separators none: the default ones.
    #[must_use]
    pub fn new(sizing: Sizing, separators: Option<&[String]>) -> Self {
        let separators = match separators {
            Some(given) => given.iter().map(|words| Separator::new(words)).collect(),
            None => Self::SEPARATORS.iter().map(|words| Separator::new(words)).collect(),
        };
        Self { sizing, separators }
    }
}

impl Strategy for Recursive {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> &'static str {
        VERSION
    }

    fn fingerprint(&self) -> String {
        let separators: Vec<(&str, &str)> = self.separators.iter().map(|one| ("separator", one.as_str())).collect();
        self.sizing.fingerprint(NAME, VERSION, &separators)
    }

    fn unit(&self) -> SizeUnit {
        self.sizing.size_unit()
    }

    fn counter(&self) -> Option<&Tokenizer> {
        self.sizing.counter()
    }

    fn lex(&self, text: &str) -> Prepared {
        plain_text::lex(text)
    }

    fn adapt(&self, text: &str, document: Arc<Document>) -> Prepared {
        plain_text::adapt(text, &document)
    }

    fn chunk(&self, text: &str, prepared: &Prepared, cancel: &AtomicBool) -> Result<Chunks, ChunkError> {
        let policy = Policy {
            units: Units::Separators(Arc::clone(&self.separators)),
            windows: WindowRule::Clusters,
            ..self.sizing.policy()
        };
        let document = &prepared.document;
        self.sizing.pack(text, document, &plain_text::sections(document), &policy, cancel)
    }
}
