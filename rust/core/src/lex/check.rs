//! Lexing against the parser alone, for tests and fuzzing.

use super::{assemble, events, lex, mask};
use crate::block::{Block, Document, Part};
use crate::span::Span;

/// The blocks of a text as [`lex`] has them and as the parser alone does, both in words, if they differ.
#[must_use]
pub fn difference(text: &str) -> Option<[String; 2]> {
    let (ours, parsers) = (lex(text), by_parser(text));
    let same = shown(&ours) == shown(&parsers) && ours.places == parsers.places && ours.unclosed == parsers.unclosed;
    (!same).then(|| [&ours, &parsers].map(|document| format!("{:#?}", shown(document))))
}

fn by_parser(text: &str) -> Document {
    let mask = mask::Mask::of(text);
    assemble::assemble(text, &mask, events::read(text, &mask))
}

/// The blocks of a document, each with its parts and heading path. Parts end, at the latest, where their block does: white space behind a block may
/// belong to its last parts, and the parser puts the end of an empty item in front of it or behind.
fn shown(document: &Document) -> Vec<(Block, Vec<Part>, Vec<&str>)> {
    let show = |block: &Block| {
        let clipped = |part: &Part| Part {
            span: Span { end: part.span.end.min(block.span.end), ..part.span },
            next: part.next - block.parts.start,
            ..*part
        };
        let parts = document.parts_of(block).iter().map(clipped).collect();
        (Block { parts: Span::default(), ..*block }, parts, document.path(block.path))
    };
    document.blocks.iter().map(show).collect()
}
