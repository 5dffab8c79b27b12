//! Escapes, code spans and formulas.

use memchr::{memchr, memchr_iter};

use super::{Doubt, Run};

/// The parser matches no braces beyond a nesting of 25, and tells contexts apart by a number of eight bits.
const MOST_BRACES: usize = 20;

/// What the parser takes for white space.
pub(super) const fn is_white(b: u8) -> bool {
    matches!(b, b'\t'..=b'\r' | b' ')
}

impl Run<'_> {
    /// The length of the run of back-ticks at `at`.
    pub(super) fn ticks(&self, at: usize) -> usize {
        self.bytes[at..].iter().take_while(|b| **b == b'`').count()
    }

    pub(super) fn escape(&mut self, at: usize) -> Result<usize, Doubt> {
        if !self.byte(at + 1).is_ascii_punctuation() {
            return Ok(at + 1);
        }
        if self.heading {
            self.cut(at, at + 1, false);
            self.cut(at + 1, at + 2, true);
        }
        self.floor = at + 2;
        // What is left of a run of back-ticks may open code; as an end of code the run would count whole.
        match self.ticks(at + 1) {
            0 | 1 => Ok(at + 2),
            length => self.code(at + 2, length - 1),
        }
    }

    /// Code that `length` back-ticks at `at` may open: up to the first run of as many.
    pub(super) fn code(&mut self, at: usize, length: usize) -> Result<usize, Doubt> {
        let from = at + length;
        let bit = 1u64.checked_shl(length as u32).unwrap_or(0);
        if self.no_code & bit != 0 {
            return Ok(from);
        }
        let mut next = from;
        while let Some(found) = self.specials.next(next) {
            if self.bytes[found] != b'`' {
                next = found + 1;
                continue;
            }
            let run = self.ticks(found);
            next = found + run;
            if run == length {
                if self.heading {
                    self.cut_code(at, from, next - run, next);
                }
                return Ok(self.atom(at, next));
            }
        }
        self.no_code |= bit;
        self.burn(self.bytes.len() - from)?;
        if self.heading {
            self.cut(at, from, true);
        }
        Ok(from)
    }

    /// One blank at each end of code is not part of it, unless there is nothing else.
    fn cut_code(&mut self, start: usize, from: usize, to: usize, end: usize) {
        let inner = &self.bytes[from..to];
        let padded = inner.starts_with(b" ") && inner.ends_with(b" ") && inner.iter().any(|b| *b != b' ');
        let pad = usize::from(padded);
        self.cut(start, from + pad, false);
        self.cut(from + pad, to - pad, true);
        self.cut(to - pad, end, false);
    }

    /// A formula that `$` may open: up to the next one at the same depth of braces, which must not have white space in front.
    pub(super) fn math(&mut self, at: usize) -> Result<usize, Doubt> {
        self.count_braces(at)?;
        let next = self.byte(at + 1);
        if next == b'$' {
            return Err(Doubt::Display);
        }
        if is_white(next) {
            return Ok(at + 1);
        }
        let Some(close) = self.next_dollar(at + 1) else {
            self.burn(self.bytes.len() - at)?;
            return Ok(at + 1);
        };
        if self.byte(close + 1) == b'$' {
            return Err(Doubt::Display);
        }
        if self.quoted && memchr(b'\n', &self.bytes[at..close]).is_some() {
            return Err(Doubt::Quoted);
        }
        if is_white(self.bytes[close - 1]) {
            return Ok(at + 1);
        }
        if self.heading {
            self.cut(at, close + 1, true);
        }
        Ok(self.atom(at, close + 1))
    }

    fn count_braces(&mut self, at: usize) -> Result<(), Doubt> {
        let count = |mark| memchr_iter(mark, &self.bytes[at..]).count();
        if !self.braces && (count(b'{') > MOST_BRACES || count(b'}') > MOST_BRACES) {
            return Err(Doubt::Braces);
        }
        self.braces = true;
        Ok(())
    }

    fn next_dollar(&self, from: usize) -> Option<usize> {
        let (mut at, mut depth) = (from, 0_usize);
        loop {
            match *self.bytes.get(at)? {
                b'\\' if self.byte(at + 1).is_ascii_punctuation() => at += 1,
                b'{' => depth += 1,
                b'}' => depth = depth.checked_sub(1)?,
                b'$' if depth == 0 => return Some(at),
                _ => {}
            }
            at += 1;
        }
    }
}
