//! Counts of spans of one text.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

use super::classes;
use super::engine::Engine;
use super::lexer::{Pattern, trimmed_end};
use super::marks::Marks;
use crate::span::Span;

/// Between two looks at the cancel flag.
const POLL_BYTES: usize = 1 << 20;

/// A cut piece of more bytes is counted by a pass, which cuts it where no token can reach across, and remembers it.
const LONG: usize = 24;

/// Exact token counts of any span of one text, from one pass over it.
///
/// The pieces of a span meet those of the whole text at the first common boundary and stay with them up to the last one, because the
/// patterns never look behind. So a count is a difference of two numbers of the whole text and a few pieces at the edges.
pub struct TokenIndex<'t> {
    pub(super) engine: &'static Engine,
    pub(super) text: &'t str,
    pub(super) marks: Marks,
    last_left: Cell<LeftEdge>,
    last_right: Cell<RightEdge>,
}

/// The tokens in front of the first common boundary of a span, from pieces that are the same in each longer span from `start` on.
#[derive(Clone, Copy, Default)]
struct LeftEdge {
    start: usize,
    end: usize,
    common: usize,
    tokens: usize,
}

/// The tokens behind the last common boundary of each span that begins in front of that and ends at `end`.
#[derive(Clone, Copy, Default)]
struct RightEdge {
    common: usize,
    end: usize,
    tokens: usize,
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
    fn unmarked(engine: &'static Engine, text: &'t str) -> Self {
        Self { engine, text, marks: Marks::new(text.len()), last_left: Cell::default(), last_right: Cell::default() }
    }

    pub(super) fn new(engine: &'static Engine, text: &'t str) -> Self {
        let mut index = Self::unmarked(engine, text);
        engine.mark(text.as_bytes(), 0, text.len(), &mut index.marks);
        index.marks.finish();
        index
    }

    pub(super) fn new_cancellable(engine: &'static Engine, text: &'t str, cancel: &AtomicBool) -> Option<Self> {
        let mut index = Self::unmarked(engine, text);
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
        let right = self.right_edge(start, end);
        if start >= right.common {
            return right.tokens;
        }
        let left = self.left_edge(start, right.common, end);
        if left.common > right.common {
            return left.tokens + self.count_rest(left.common, end);
        }
        left.tokens + self.marks.before(right.common) - self.marks.before(left.common) + right.tokens
    }

    fn right_edge(&self, start: usize, end: usize) -> RightEdge {
        let last = self.last_right.get();
        if last.end == end && start < last.common {
            return last;
        }
        let common = self.last_common(start, end).max(start);
        let edge = RightEdge { common, end, tokens: self.count_rest(common, end) };
        if common > start {
            self.last_right.set(edge);
        }
        edge
    }

    /// Up to a boundary of the text's pieces at or in front of `common`; behind that if there is none.
    fn left_edge(&self, start: usize, common: usize, end: usize) -> LeftEdge {
        let mut edge = LeftEdge { start, end, common: start, tokens: 0 };
        if self.marks.is_start(start) {
            return edge;
        }
        let last = self.last_left.get();
        if last.start == start && last.end <= end {
            return last;
        }
        let text = &self.text.as_bytes()[..end];
        let mut tokens = Vec::new();
        let mut is_certain = true;
        while edge.common < common && !self.marks.is_start(edge.common) {
            let at = edge.common;
            if let Some(meeting) = self.fall_into_step(at, common, &mut tokens) {
                return LeftEdge { common: meeting, tokens: edge.tokens + tokens.len(), ..edge };
            }
            let (piece_end, saw_end) = self.engine.pattern.piece(text, at);
            let piece = &text[at..piece_end];
            let is_long = piece.len() > LONG;
            edge.tokens += if is_long { self.engine.count(piece) } else { self.engine.piece_count(piece, &mut tokens) };
            edge.common = piece_end;
            is_certain &= !saw_end;
        }
        if edge.common <= common && is_certain {
            self.last_left.set(edge);
        }
        edge
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
        let ends_in_text = || text[end - 1].is_ascii_graphic() || !classes::is_white(classes::before(text, end).0);
        matches!(text.get(end), Some(b'\n' | b'\r')) && ends_in_text() && self.marks.start_at_or_before(end) == at
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
