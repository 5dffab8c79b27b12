//! The parts that lie in blocks cut anew.

use crate::block::{Part, PartKind};
use crate::span::Span;
use crate::text::trim_end;

/// Appends copies of a range of parts.
pub(super) fn copy(parts: &[Part], range: Span, copies: &mut Vec<Part>) {
    let (base, first) = (copies.len() as u32, range.start);
    copies.extend(
        parts[range.range()].iter().map(|part| Part { next: part.next.min(range.end) - first + base, ..*part }),
    );
}

/// Appends copies of the atoms in a range of parts, and of the outermost code, tables, formulas and HTML with what is in them. Their spans are trimmed.
pub(super) fn copy_flat(text: &str, parts: &[Part], range: Span, copies: &mut Vec<Part>) {
    let mut at = range.start;
    while at < range.end {
        let part = parts[at as usize];
        let is_whole = matches!(
            part.kind,
            PartKind::Atom | PartKind::Fenced | PartKind::Indented | PartKind::Table | PartKind::Html | PartKind::Math
        );
        if !is_whole {
            at += 1;
            continue;
        }
        let next = part.next.clamp(at + 1, range.end);
        let span = trim_end(text, part.span);
        if !span.is_empty() {
            let copy_at = copies.len();
            copy(parts, Span { start: at, end: next }, copies);
            copies[copy_at].span = span;
        }
        at = next;
    }
}

/// Clips the parts from `part` on that begin in front of a block's end to the block, and gives the first part behind them.
pub(super) fn clip(parts: &mut [Part], part: usize, block: Span) -> usize {
    let mut at = part;
    while let Some(inside) = parts.get_mut(at).filter(|inside| inside.span.start < block.end) {
        let start = inside.span.start.max(block.start);
        inside.span = Span { start, end: inside.span.end.clamp(start, block.end) };
        at += 1;
    }
    at
}
