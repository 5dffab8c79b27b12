//! Counts of spans of one text.

use std::sync::atomic::{AtomicBool, Ordering};

use super::engine::Engine;
use super::lexer::{Pattern, trimmed_end};
use super::marks::Marks;
use crate::span::Span;

/// Between two looks at the cancel flag.
const POLL_BYTES: usize = 1 << 20;

/// Exact token counts of any span of one text, from one pass over it.
///
/// The pieces of a span meet those of the whole text at the first common boundary and stay with them up to the last one, because the
/// patterns never look behind. So a count is a difference of two numbers of the whole text and a few pieces at the edges.
pub struct TokenIndex<'t> {
    pub(super) engine: &'static Engine,
    pub(super) text: &'t str,
    pub(super) marks: Marks,
}

impl std::fmt::Debug for TokenIndex<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TokenIndex")
            .field("len", &self.text.len())
            .field("total", &self.total())
            .finish_non_exhaustive()
    }
}

impl<'t> TokenIndex<'t> {
    pub(super) fn new(engine: &'static Engine, text: &'t str) -> Self {
        let mut index = Self { engine, text, marks: Marks::new(text.len()) };
        engine.mark(text.as_bytes(), 0, text.len(), &mut index.marks);
        index.marks.finish();
        index
    }

    pub(super) fn new_cancellable(engine: &'static Engine, text: &'t str, cancel: &AtomicBool) -> Option<Self> {
        let mut index = Self { engine, text, marks: Marks::new(text.len()) };
        let mut at = 0;
        while at < text.len() {
            if cancel.load(Ordering::Relaxed) {
                return None;
            }
            at = engine.mark(text.as_bytes(), at, (at + POLL_BYTES).min(text.len()), &mut index.marks);
        }
        index.marks.finish();
        Some(index)
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The number of tokens of the text.
    #[must_use]
    pub fn total(&self) -> usize {
        self.marks.total()
    }

    /// Whether a line feed always ends a piece in front of text that is not white, whatever stands before it. (In the patterns of
    /// `r50k_base` and its kin the last white space before a word stands alone.)
    #[must_use]
    pub fn adds_up_at_lines(&self) -> bool {
        self.engine.pattern != Pattern::R50k
    }

    /// The number of tokens of the part of the text in `span` by itself.
    #[must_use]
    pub fn count(&self, span: Span) -> usize {
        let (start, end) = (span.start as usize, span.end as usize);
        if start >= end {
            return 0;
        }
        let common = self.last_common(start, end);
        let is_in_step = start >= common || self.marks.is_start(start);
        let (left, at) = if is_in_step { (0, start) } else { self.count_into_step(start, common, end) };
        if at >= common {
            return left + self.count_rest(at, end);
        }
        left + self.marks.before(common) - self.marks.before(at) + self.count_rest(common, end)
    }

    /// The tokens from `start` to the first boundary of the text's pieces that the pieces of `start..end` have too, or to one at or behind
    /// `common`; and where that is.
    fn count_into_step(&self, start: usize, common: usize, end: usize) -> (usize, usize) {
        let text = &self.text.as_bytes()[..end];
        let mut tokens = Vec::new();
        let (mut total, mut at) = (0, start);
        while at < common && !self.marks.is_start(at) {
            if let Some(meeting) = self.fall_into_step(at, common, &mut tokens) {
                return (total + tokens.len(), meeting);
            }
            let piece_end = self.engine.pattern.piece_end(text, at);
            total += self.engine.piece_count(&text[at..piece_end], &mut tokens);
            at = piece_end;
        }
        (total, at)
    }

    /// The tokens from `at`, where a piece of the span starts, to the end of the span.
    fn count_rest(&self, mut at: usize, end: usize) -> usize {
        if end - at <= 1 {
            return end - at;
        }
        let text = &self.text.as_bytes()[..end];
        let (mut total, mut tokens) = (0, Vec::new());
        while at < end {
            let piece_end =
                if self.is_cut_at_line_end(at, end) { end } else { self.engine.pattern.piece_end(text, at) };
            total += self.engine.piece_count(&text[at..piece_end], &mut tokens);
            at = piece_end;
        }
        total
    }

    /// Whether `at..end` is all of the piece of the text that starts at `at` but for line breaks behind symbols: one piece by itself, too.
    fn is_cut_at_line_end(&self, at: usize, end: usize) -> bool {
        let text = self.text.as_bytes();
        let ends_in_text = text[end - 1].is_ascii_graphic() && matches!(text.get(end), Some(b'\n' | b'\r'));
        ends_in_text && self.marks.start_at_or_before(end) == at
    }

    /// The last boundary of the text's pieces that ends a piece of `start..end` by itself too, for a piece that starts at such a boundary;
    /// at most `start` if there is none.
    ///
    /// A piece that ends at or before `end` is matched alike in the shorter text, as nothing but the look-ahead behind white space
    /// can tell the end of the text from another character. That look-ahead is settled where a character that is not white follows,
    /// and a piece that ends in a line feed looks for no other one.
    pub(super) fn last_common(&self, start: usize, end: usize) -> usize {
        let text = self.text.as_bytes();
        if end == text.len() || start >= end {
            return end;
        }
        let last = text[end - 1];
        if last == b'\n' && self.adds_up_at_lines() && self.marks.is_start(end) {
            return end;
        }
        let settled = if last.is_ascii_graphic() { end } else { trimmed_end(text, start, end) };
        if settled <= start { start } else { self.marks.start_at_or_before(settled) }
    }
}
