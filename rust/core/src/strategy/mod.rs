//! Strategies: each a name, settings, and policies of the one engine.

mod fixed_size;
mod paragraph;
mod plain_text;
mod recursive;
mod semantic;
mod sentence;
mod sizing;
mod structure;
mod structured;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::block::Document;
use crate::chunk::{Chunks, SizeUnit};
use crate::error::ChunkError;
use crate::structured::StructuredBlock;
use crate::tokens::Tokenizer;

use plain_text::PlainStrategy;

pub use fixed_size::{FixedSize, NAME as FIXED_SIZE};
pub use paragraph::Paragraph;
pub use recursive::Recursive;
pub use semantic::Semantic;
pub use sentence::Sentence;
pub use sizing::{Sizing, Unit};
pub use structured::Structured;

/// Text cut into what a strategy packs.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    /// Its blocks.
    pub document: Arc<Document>,
    /// What the structured strategy knows of each block; empty for others.
    pub types: Vec<StructuredBlock>,
}

/// How chunks are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ids {
    /// A UUID of document, index and content.
    Uuid,
    /// The document's id and the index.
    Index,
}

/// A strategy with its settings.
pub trait Strategy: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// Version of what it does: it changes whenever the same input and settings may give another output.
    fn version(&self) -> &'static str;
    /// A digest of everything that the output depends on besides the document.
    fn fingerprint(&self) -> String;
    /// What sizes are counted in.
    fn unit(&self) -> SizeUnit;
    /// What counts the tokens of chunks that were not sized by them.
    fn counter(&self) -> Option<&Tokenizer> {
        None
    }
    /// How chunks are numbered.
    fn ids(&self) -> Ids {
        Ids::Uuid
    }
    /// Whether chunks know the kinds of their blocks; plain text has none.
    fn has_blocks(&self) -> bool {
        false
    }
    /// Text that no parser has seen -> what is packed.
    fn lex(&self, text: &str) -> Prepared;
    /// A document with blocks -> what is packed.
    fn adapt(&self, text: &str, document: Arc<Document>) -> Prepared;
    /// What is packed -> chunks.
    ///
    /// # Errors
    /// [`ChunkError::Cancelled`] soon after `cancel` is set.
    fn chunk(&self, text: &str, prepared: &Prepared, cancel: &AtomicBool) -> Result<Chunks, ChunkError>;
}

/// Strategies that see no blocks, and so drop nothing.
const PLAIN: [&str; 5] = [FixedSize::NAME, Sentence::NAME, Paragraph::NAME, Recursive::NAME, Semantic::NAME];

/// The blocks that say what a strategy of this name may drop, for checking its chunks. Blocks that are in chunks all the same do no harm.
#[must_use]
pub fn dropped_of(name: &str, text: &str, document: Document) -> Document {
    match name {
        structured::NAME => {
            let mut headings = crate::structured::from_document(text, &document, true).document;
            headings.blocks.extend(document.blocks.iter().filter(|block| block.kind.is_dropped()));
            headings.blocks.sort_by_key(|block| block.span.start);
            headings
        }
        _ if PLAIN.contains(&name) => {
            Document { paths: document.paths, titles: document.titles, ..Document::default() }
        }
        _ => document,
    }
}
