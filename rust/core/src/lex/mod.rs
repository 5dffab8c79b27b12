//! text -> blocks, on pulldown-cmark's offset iterator.
//!
//! 1. [`mask`] makes what CommonMark does not know (front matter, form feeds, display formulas) harmless, at equal length, and hides
//!    what costs the parser time for nothing (bodies of fences, [`fence`]) or too much of it ([`limits`]);
//! 2. [`events`] turns parser events into raw top-level nodes and their parts;
//! 3. [`merge`] joins raw nodes that are one block (caption and table, HTML table with blank lines);
//! 4. [`assemble`] fills gaps, cuts at pages, names heading paths.

mod assemble;
mod events;
mod fence;
#[cfg(test)]
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
#[derive(Clone, Debug)]
struct Raw {
    kind: BlockKind,
    level: u8,
    span: Span,
    parts: Span,
    /// Plain text of a heading.
    heading: String,
}

/// Cuts Markdown text into blocks.
#[must_use]
pub fn lex(text: &str) -> Document {
    lex_with(text, true)
}

fn lex_with(text: &str, hides_code: bool) -> Document {
    let mask = mask::Mask::of(text, hides_code);
    let nodes = events::read(text, &mask);
    assemble::assemble(text, &mask, nodes)
}

#[cfg(test)]
mod tests;
