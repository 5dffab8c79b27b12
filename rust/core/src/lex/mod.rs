//! text -> blocks: what is certain line by line, the rest by pulldown-cmark's offset iterator.
//!
//! 1. [`mask`] makes what CommonMark does not know (front matter, form feeds, display formulas) harmless, at equal length, and hides
//!    what costs the parser too much time ([`limits`]); [`bits`] tells where its lines end and atoms may begin;
//! 2. [`certain`] reads the lines that can be read in one way only, and finds the [`inlines`] in them;
//! 3. [`events`] turns parser events of the other stretches into raw top-level nodes and their parts;
//! 4. [`merge`] joins raw nodes that are one block (caption and table, HTML table with blank lines);
//! 5. [`assemble`] fills gaps, cuts at pages, names heading paths.

mod assemble;
mod bits;
mod certain;
#[doc(hidden)]
pub mod check;
mod events;
mod inlines;
mod limits;
mod mask;
mod merge;
mod page;
pub mod ready;

use crate::block::{BlockKind, Document};
use crate::span::Span;

pub use page::{page_before, page_behind, page_marker};

/// A top-level node as the parser reports it.
#[derive(Clone, Copy, Debug)]
struct Raw {
    kind: BlockKind,
    level: u8,
    span: Span,
    parts: Span,
    /// Plain text of a heading, in [`events::Nodes::titles`].
    words: Span,
}

/// Cuts Markdown text into blocks.
#[must_use]
pub fn lex(text: &str) -> Document {
    let mask = mask::Mask::of(text);
    let nodes = certain::read(text, &mask).unwrap_or_else(|| events::read(text, &mask));
    assemble::assemble(text, &mask, nodes)
}

#[cfg(test)]
mod tests;
