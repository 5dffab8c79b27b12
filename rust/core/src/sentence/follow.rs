//! Pairs and emphasis, which are followed later than the rest.
//!
//! A pair does one thing: when it closes, it takes back the ends that were added since it opened. So between two hard ends with no other end
//! between them pairs do not matter. They are followed when a second end is added, before a hard one, and where a rule asks what is open.

use super::Scanner;
use super::chars::is_opener;
use super::pairs::{Pair, REACH, Sort};
use super::scan::{is_pair_at, pairs};
use crate::simd::{BLOCK, Isa, Work, block_at};

/// A mask does not pay for so few bytes.
const NEAR: usize = 8;

/// Follows the pairs up to a place.
struct Follow<'s, 'a>(&'s mut Scanner<'a>, usize);

impl Work for Follow<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        self.0.follow_with(isa, self.1);
    }
}

impl Scanner<'_> {
    /// Follows the pairs up to `until`.
    #[inline(never)]
    pub(super) fn follow(&mut self, until: usize) {
        if self.followed <= self.hard {
            self.followed = self.hard;
            self.pairs.clear();
        }
        if self.followed + NEAR < until {
            self.level.dispatch(Follow(self, until));
        } else {
            self.follow_near(until);
        }
    }

    /// The same without a mask.
    fn follow_near(&mut self, until: usize) {
        while self.followed < until {
            let at = self.followed;
            // Other bytes may be within a character, or begin one of another length.
            let candidate = matches!(self.bytes[at], 0..0x80 | 0xE2 | 0xE3 | 0xEF);
            self.followed = if candidate { self.pair(at, usize::MAX) } else { at + 1 };
        }
    }

    #[inline(always)]
    fn follow_with<I: Isa>(&mut self, isa: I, until: usize) {
        let mut room = [0; BLOCK];
        let mut at = self.followed;
        while at < until {
            let start = at;
            let mut bits = pairs(isa, block_at(self.bytes, start, &mut room));
            if until - start < BLOCK {
                bits &= (1 << (until - start)) - 1;
            }
            while bits != 0 {
                let rest = bits & (bits - 1);
                let next = start + rest.trailing_zeros() as usize;
                let next = if next < until { next } else { usize::MAX };
                at = self.pair(start + bits.trailing_zeros() as usize, next);
                bits &= u64::MAX.checked_shl((at - start) as u32).unwrap_or(0);
            }
            at = at.max(start + BLOCK);
        }
        self.followed = until;
    }

    /// Deals with what may open or close a pair at `at`; gives the place to go on from, behind it. There is none between it and `next`, where
    /// one may stand, unless `next` is behind the text.
    #[inline(always)]
    fn pair(&mut self, at: usize, next: usize) -> usize {
        match self.bytes[at] {
            b'(' if self.is_short(Sort::Round, b')', at, next) => next + 1,
            b'(' => self.open(Sort::Round, at, 1),
            b'[' if self.is_short(Sort::Square, b']', at, next) => next + 1,
            b'[' => self.open(Sort::Square, at, 1),
            b')' => self.close(Sort::Round, at, 1),
            b']' => self.close(Sort::Square, at, 1),
            b'"' => self.straight(at),
            b'`' if self.is_short(Sort::Code, b'`', at, next) && next > at + 1 && self.byte(next + 1) != b'`' => {
                next + 1
            }
            b'`' => self.code(at),
            0x80.. if is_pair_at(self.bytes, at) => self.wide_pair(at),
            0x80.. => at + 3,
            _ => at + 1,
        }
    }

    /// A mark of three bytes.
    #[inline(never)]
    fn wide_pair(&mut self, at: usize) -> usize {
        let Some(c) = self.at(at) else { return at + 3 };
        match (Sort::opened_by(c), Sort::closed_by(c)) {
            (Some(sort), _) => self.open(sort, at, 3),
            (_, Some(sort)) => self.close(sort, at, 3),
            _ => at + 3,
        }
    }

    /// Whether a pair that opens at `at` is closed at `next`, before anything else, with no end between, so that it changes nothing.
    #[inline]
    fn is_short(&self, sort: Sort, closing: u8, at: usize, next: usize) -> bool {
        let empty = self.last <= at || self.last > next;
        self.byte(next) == closing && empty && self.pairs.has_room() && !self.pairs.has(sort)
    }

    #[inline]
    fn open(&mut self, sort: Sort, at: usize, length: usize) -> usize {
        // The last end may be behind this place.
        let ends = self.ends.len() - usize::from(at < self.last);
        self.pairs.open(sort, at, ends);
        at + length
    }

    #[inline]
    fn close(&mut self, sort: Sort, at: usize, length: usize) -> usize {
        self.close_pair(sort, at);
        at + length
    }

    /// Closes a pair; inside it no sentence ended, unless it is too long.
    #[inline]
    pub(super) fn close_pair(&mut self, sort: Sort, at: usize) -> Option<Pair> {
        let pair = self.pairs.close(sort)?;
        if at >= self.last && at - pair.at <= REACH && pair.ends < self.ends.len() {
            self.ends.truncate(pair.ends);
            self.last = self.ends[self.base..].last().map_or(0, |&end| end as usize);
        }
        Some(pair)
    }

    /// `"` outside the marks behind a stop.
    #[inline(never)]
    fn straight(&mut self, at: usize) -> usize {
        let before_opens = self.before(at).is_none_or(|c| c.is_whitespace() || is_opener(c));
        if !before_opens && self.pairs.has(Sort::Straight) {
            self.close_pair(Sort::Straight, at);
        } else if self.at(at + 1).is_some_and(|c| !c.is_whitespace()) {
            self.pairs.close(Sort::Straight);
            self.open(Sort::Straight, at, 1);
        }
        at + 1
    }

    /// A run of back-ticks. Three or more are a fence.
    #[inline(never)]
    fn code(&mut self, at: usize) -> usize {
        let end = self.run_end(at, b'`');
        if end - at < 3 {
            let sort = if end - at == 1 { Sort::Code } else { Sort::DoubleCode };
            if self.close_pair(sort, at).is_none() {
                self.open(sort, at, 0);
            }
        }
        end
    }

    /// Whether emphasis is open at `until`.
    pub(super) fn is_emphasized(&mut self, until: usize) -> bool {
        if self.emphasized <= self.hard {
            (self.emphasized, self.emphasis) = (self.hard, false);
        }
        while let Some(n) = memchr::memchr(b'*', &self.bytes[self.emphasized..until]) {
            self.star(self.emphasized + n);
        }
        self.emphasized = until;
        self.emphasis
    }

    /// A run of `*`.
    fn star(&mut self, at: usize) {
        let end = self.run_end(at, b'*');
        let blank_before = self.before(at).is_none_or(char::is_whitespace);
        let blank_behind = self.at(end).is_none_or(char::is_whitespace);
        self.emphasis = match (blank_before, blank_behind) {
            (true, true) => self.emphasis,
            (false, true) => false,
            (true, false) => true,
            (false, false) => !self.emphasis,
        };
        self.emphasized = end;
    }
}
