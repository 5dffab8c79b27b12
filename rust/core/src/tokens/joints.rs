//! Counts of concatenations.

use super::classes;
use super::engine::Engine;
use super::index::TokenIndex;
use super::merge::Token;
use crate::span::Span;

/// A part of a concatenation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece<'a> {
    /// A part of the indexed text.
    Span(Span),
    /// Any text, meant to be short.
    Text(&'a str),
}

/// Of a span, this many bytes are looked at first to find where it falls into step with the text.
const FIRST_LOOK: usize = 64;

impl TokenIndex<'_> {
    /// The number of tokens of the concatenation of `pieces`.
    #[must_use]
    pub fn count_all(&self, pieces: &[Piece<'_>]) -> usize {
        match pieces {
            [Piece::Span(span)] => return self.count(*span),
            [Piece::Text(text)] => return self.engine.count(text.as_bytes()),
            _ => {}
        }
        let mut joiner = Joiner { engine: self.engine, open: Vec::new(), tokens: Vec::new(), total: 0 };
        for piece in pieces {
            match piece {
                Piece::Text(text) => joiner.open.extend_from_slice(text.as_bytes()),
                Piece::Span(span) => joiner.span(self, *span),
            }
        }
        joiner.total + self.engine.count(&joiner.open)
    }

    /// The last boundary of the text's pieces in `start..=end` such that all pieces up to it are the same whatever follows `end`.
    fn last_certain(&self, start: usize, end: usize) -> Option<usize> {
        let text = &self.text.as_bytes()[..end];
        let last = self.marks.start_at_or_before(end - 1);
        if last > start && self.is_certain(last) {
            return Some(last);
        }
        let mut before = end;
        while before > start {
            let at = self.marks.start_at_or_before(before - 1);
            if at < start {
                return None;
            }
            let (piece_end, saw_end) = self.engine.pattern.piece(text, at);
            if !saw_end {
                return Some(piece_end);
            }
            before = at;
        }
        self.marks.is_start(before).then_some(before)
    }

    /// Whether nothing behind the character at `at`, where a piece starts, can tell that a piece ends there: no white space goes on, and no contraction.
    fn is_certain(&self, at: usize) -> bool {
        let text = self.text.as_bytes();
        let goes_on =
            classes::is_white(classes::at(text, at).0) && !(text[at] == b' ' && text[at - 1].is_ascii_graphic());
        !goes_on && text[at] != b'\''
    }
}

struct Joiner {
    engine: &'static Engine,
    /// What is not counted yet. A piece of the concatenation starts at its start.
    open: Vec<u8>,
    tokens: Vec<Token>,
    total: usize,
}

impl Joiner {
    fn span(&mut self, index: &TokenIndex<'_>, span: Span) {
        let (start, end) = (span.start as usize, span.end as usize);
        if start >= end {
            return;
        }
        let text = index.text.as_bytes();
        let certain = index.last_certain(start, end);
        if let Some(certain) = certain.filter(|_| self.open.is_empty() && index.marks.is_start(start)) {
            self.total += index.marks.before(certain) - index.marks.before(start);
            self.open.extend_from_slice(&text[certain..end]);
            return;
        }
        let mut taken = start;
        let mut look = FIRST_LOOK;
        loop {
            let next = index.text.ceil_char_boundary((taken + look).min(end));
            self.open.extend_from_slice(&text[taken..next]);
            taken = next;
            look *= 2;
            if let Some(certain) = certain
                && let Some(meeting) = self.advance(index, taken, start, certain)
            {
                self.total += index.marks.before(certain) - index.marks.before(meeting);
                self.open.clear();
                self.open.extend_from_slice(&text[certain..end]);
                return;
            }
            if taken == end {
                return;
            }
        }
    }

    /// Counts the pieces of the open text, which ends with the indexed text up to `taken`, that are certain. Stops at the first boundary
    /// in `start..=certain` that both have.
    fn advance(&mut self, index: &TokenIndex<'_>, taken: usize, start: usize, certain: usize) -> Option<usize> {
        let mut at = 0;
        let mut meeting = None;
        loop {
            let place = (taken + at).checked_sub(self.open.len()).filter(|place| (start..=certain).contains(place));
            if place.is_some_and(|place| index.marks.is_start(place)) {
                meeting = place;
                break;
            }
            if at == self.open.len() {
                break;
            }
            let (end, saw_end) = self.engine.pattern.piece(&self.open, at);
            if saw_end {
                break;
            }
            self.total += self.engine.piece_count(&self.open[at..end], &mut self.tokens);
            at = end;
        }
        self.open.drain(..at);
        meeting
    }
}
