//! text -> blocks, on pulldown-cmark's offset iterator.
//!
//! 1. [`mask`] makes what CommonMark does not know (front matter, form feeds, display formulas) harmless, at equal length, and hides
//!    what costs the parser time for nothing (bodies of fences, [`fence`]) or too much of it ([`limits`]);
//! 2. [`events`] turns parser events into raw top-level nodes and their parts;
//! 3. [`merge`] joins raw nodes that are one block (caption and table, HTML table with blank lines);
//! 4. [`assemble`] fills gaps, cuts at pages, names heading paths.

mod assemble;
mod certain;
mod events;
mod fence;
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
    let mut mask = mask::Mask::of(text, false);
    let nodes = events::guarded(|| {
        certain::read(text, &mask).unwrap_or_else(|| {
            mask = mask::Mask::of(text, true);
            events::read(text, &mask)
        })
    });
    assemble::assemble(text, &mask, nodes)
}

/// The same by the parser alone, which is slower.
#[must_use]
pub fn lex_by_parser(text: &str, hides_code: bool) -> Document {
    let mask = mask::Mask::of(text, hides_code);
    let nodes = events::guarded(|| events::read(text, &mask));
    assemble::assemble(text, &mask, nodes)
}

#[cfg(test)]
mod tests;
