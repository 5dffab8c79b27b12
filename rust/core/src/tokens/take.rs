//! The first tokens of a span, and long pieces without encoding them again.

use super::classes::{self, MARK, NUMBER, UPPER};
use super::index::TokenIndex;
use super::lexer::Pattern;
use super::marks::LARGE;
use super::merge::{self, Token};
use crate::span::Span;

/// A cut this close to the end of a large piece is treated like any other.
const NEAR: usize = 64;
/// This many bytes of a large piece are encoded to fall into step with it, and then as many tokens more as it takes.
const STEP: usize = 32;
/// But not more than that.
const TRIES: usize = 8;
/// This many bytes, and some for each token that is asked for, are encoded first where there is no falling into step.
const FIRST: usize = 512;

impl TokenIndex<'_> {
    /// The end of the first `tokens` tokens of the part of the text in `start..end` by itself, moved down to a character boundary;
    /// `end` if there are no more tokens than that. It is `start` if the first character has more tokens than asked for.
    #[must_use]
    pub fn take(&self, start: usize, end: usize, tokens: usize) -> usize {
        let text = &self.text.as_bytes()[..end];
        let common = self.last_common(start, end);
        let mut scratch = Vec::new();
        let mut left = tokens;
        let mut at = start;
        while at < end && left > 0 {
            let mut in_step = at < common && self.marks.is_start(at);
            if !in_step && let Some(meeting) = self.fall_into_step(at, common, &mut scratch) {
                if scratch.len() > left {
                    break;
                }
                left -= scratch.len();
                at = meeting;
                in_step = true;
            }
            if !in_step && self.first_tokens(at, common, left, &mut scratch) {
                break;
            }
            if in_step {
                let there = self.marks.before(common) - self.marks.before(at);
                if there > left {
                    return self.token_start(self.marks.before(at) + left, &mut scratch);
                }
                left -= there;
                at = common;
                continue;
            }
            let piece_end = self.engine.pattern.piece_end(text, at);
            self.engine.piece_ends(&text[at..piece_end], &mut scratch);
            if scratch.len() > left {
                break;
            }
            left -= scratch.len();
            at = piece_end;
        }
        if at < end && left > 0 {
            at += scratch[left - 1].end as usize;
        }
        self.text.floor_char_boundary(at)
    }

    /// Where token number `number` of the text starts, moved down to a character boundary.
    fn token_start(&self, number: usize, scratch: &mut Vec<Token>) -> usize {
        let mark = self.marks.select(number);
        if self.marks.is_start(mark) {
            return mark;
        }
        let start = self.marks.start_at_or_before(mark);
        let inside = number - self.marks.before(start);
        let end = self.marks.start_behind(start);
        if end - start >= LARGE {
            return self.text.floor_char_boundary(mark);
        }
        self.engine.piece_ends(&self.text.as_bytes()[start..end], scratch);
        self.text.floor_char_boundary(start + scratch[inside - 1].end as usize)
    }

    /// For a cut inside a large piece of the text that ends at or before `common`: the start of a token of that piece from which on it has the
    /// same tokens as the text from `at` on. `tokens` are those before, and anything if there is none. A run of one letter has none,
    /// as a rule.
    ///
    /// A sequence of tokens is what merging makes of its bytes if and only if that is so for each pair of neighbours. So the tokens of the
    /// bytes up to some token of the piece, and from there on those of the piece, are right if the two that meet there are.
    pub(super) fn fall_into_step(&self, at: usize, common: usize, tokens: &mut Vec<Token>) -> Option<usize> {
        let end = self.large_end(at, common)?;
        let text = self.text.as_bytes();
        let mut meeting = at + STEP;
        for _ in 0..TRIES {
            meeting = self.marks.token_at_or_behind(meeting);
            if meeting >= end {
                return None;
            }
            merge::encode(&self.engine.vocabulary, &text[at..meeting], tokens);
            let last = tokens.len().checked_sub(2).map_or(at, |last| at + tokens[last].end as usize);
            let next = self.marks.token_at_or_behind(meeting + 1);
            if self.are_neighbours(last, meeting, next) {
                return Some(meeting);
            }
            meeting += 1;
        }
        None
    }

    /// For such a cut, too: finds the first `left` tokens and more without a look at the whole piece. False if it has hardly more.
    fn first_tokens(&self, at: usize, common: usize, left: usize, tokens: &mut Vec<Token>) -> bool {
        let Some(end) = self.large_end(at, common) else { return false };
        let piece = &self.text.as_bytes()[at..end];
        let mut len = FIRST + 4 * left;
        while len < piece.len() {
            if merge::period(&piece[..len]).is_some() {
                merge::encode_first_periodic(&self.engine.vocabulary, piece, len, tokens);
            } else {
                merge::encode_first(&self.engine.vocabulary, piece, len, tokens);
            }
            if tokens.len() > left {
                return true;
            }
            len *= 2;
        }
        false
    }

    /// The end of the large piece that `at` is well inside of, if a piece that starts at `at` ends there too.
    fn large_end(&self, at: usize, common: usize) -> Option<usize> {
        let large = self.marks.large_at(at)?;
        let end = large.end as usize;
        let inside = at != large.start as usize && at + NEAR <= end && end <= common;
        (inside && self.ends_alike(at, large)).then_some(end)
    }

    /// Whether merging makes these two tokens of their bytes.
    fn are_neighbours(&self, start: usize, middle: usize, end: usize) -> bool {
        let mut tokens = Vec::new();
        merge::encode(&self.engine.vocabulary, &self.text.as_bytes()[start..end], &mut tokens);
        matches!(tokens[..], [first, _] if start + first.end as usize == middle)
    }

    /// Whether a piece that starts at `at`, well inside a large piece, ends where that does.
    ///
    /// It does if it is of the same kind, which the first two characters of the large piece tell, unless
    /// - it begins with white space that the large piece has behind symbols;
    /// - a mark among symbols begins a word (`o200k_base`);
    /// - capitals follow on letters that may belong to either part of a word (`o200k_base`).
    fn ends_alike(&self, at: usize, large: Span) -> bool {
        let text = self.text.as_bytes();
        let two = |at| {
            let (first, len) = classes::at(text, at);
            (first, classes::at(text, at + len).0)
        };
        let o200k = self.engine.pattern == Pattern::O200k;
        let of_word = |class| classes::is_letter(class) || class == NUMBER || o200k && class == MARK;
        let (first, second) = two(large.start as usize);
        if of_word(first) || of_word(second) {
            return !o200k || classes::at(text, large.end as usize).0 != UPPER;
        }
        if classes::is_white(first) && classes::is_white(second) {
            return true;
        }
        let (first, second) = two(at);
        !classes::is_white(first) && !(o200k && (first == MARK || second == MARK))
    }
}
