//! Whole paragraphs, up to a size and a number.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{Prepared, Sizing, Strategy, plain_text};
use crate::block::Document;
use crate::chunk::{Chunks, SizeUnit};
use crate::engine::{Policy, Units};
use crate::error::{ChunkError, SettingError};
use crate::tokens::Tokenizer;

pub(super) const NAME: &str = "paragraph";
const VERSION: &str = "1";

/// The paragraph strategy.
pub struct Paragraph {
    sizing: Sizing,
    most: u32,
}

impl Paragraph {
    /// # Errors
    /// If a chunk may hold no paragraph at all.
    pub fn new(sizing: Sizing, max_paragraphs_per_chunk: u32) -> Result<Self, SettingError> {
        let most = super::sizing::at_least_one("max_paragraphs_per_chunk", max_paragraphs_per_chunk)?;
        Ok(Self { sizing, most })
    }
}

impl Strategy for Paragraph {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> &'static str {
        VERSION
    }

    fn fingerprint(&self) -> String {
        self.sizing.fingerprint(NAME, VERSION, &[("max_paragraphs_per_chunk", &self.most.to_string())])
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
            units: Units::Paragraphs,
            soft: self.sizing.is_soft(),
            most_units: Some(self.most as usize),
            ..self.sizing.policy()
        };
        let document = &prepared.document;
        self.sizing.pack(text, document, &plain_text::sections(document), &policy, cancel)
    }
}
