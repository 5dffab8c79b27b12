//! What is found in all of a text at once: where lines end and where atoms may begin.

use std::ops::Range;

use memchr::memchr;

use crate::simd::{BLOCK, Isa, Level, Work, map_blocks};

/// The bytes at which tokens begin that may make atoms.
const SPECIAL: [u8; 6] = [b'[', b'\\', b']', b'`', b'<', b'$'];

/// The start of the line behind the one that `at` is on, for one look.
pub(super) fn next_line(bytes: &[u8], at: usize) -> usize {
    memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end + 1)
}

/// 64 bytes, one bit each.
#[derive(Clone, Copy, Default)]
struct Word {
    feeds: u64,
    special: u64,
    pipes: u64,
}

/// What a text holds.
#[derive(Default)]
pub(super) struct Bits {
    words: Vec<Word>,
    len: usize,
    /// Whether there is any of U+0000, vertical tabs, form feeds and carriage returns.
    pub(super) odd: bool,
    /// Whether there is `$$`.
    pub(super) formulas: bool,
    /// Whether there is `[^`.
    pub(super) footnotes: bool,
    /// Where all `]:` stand.
    pub(super) definitions: Range<usize>,
}

impl Bits {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Level::best().dispatch(Look(bytes))
    }

    /// The start of the line behind the one that `at` is on.
    #[inline]
    pub(super) fn next_line(&self, at: usize) -> usize {
        find(&self.words, at, |word| word.feeds).map_or(self.len, |end| end + 1)
    }

    /// The first `|` in `at..end`.
    #[inline]
    pub(super) fn pipe(&self, at: usize, end: usize) -> Option<usize> {
        let words = self.words.get(..end.div_ceil(BLOCK))?;
        find(words, at, |word| word.pipes).filter(|found| *found < end)
    }

    /// The bytes in front of `end` at which an atom may begin.
    #[inline]
    pub(super) fn specials(&self, end: usize) -> Specials<'_> {
        Specials { words: self.words.get(..end.div_ceil(BLOCK)).unwrap_or_default(), end }
    }
}

/// Bytes at which an atom may begin, up to some end.
#[derive(Clone, Copy)]
pub(super) struct Specials<'a> {
    words: &'a [Word],
    end: usize,
}

impl Specials<'_> {
    /// The first one at `at` or behind.
    #[inline]
    pub(super) fn next(&self, at: usize) -> Option<usize> {
        find(self.words, at, |word| word.special).filter(|found| *found < self.end)
    }
}

#[inline]
fn find(words: &[Word], at: usize, of: impl Fn(&Word) -> u64) -> Option<usize> {
    let mut block = at / BLOCK;
    let mut bits = of(words.get(block)?) & (u64::MAX << (at % BLOCK));
    while bits == 0 {
        block += 1;
        bits = of(words.get(block)?);
    }
    Some(block * BLOCK + bits.trailing_zeros() as usize)
}

struct Look<'a>(&'a [u8]);

impl Work for Look<'_> {
    type Output = Bits;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Bits {
        let mut odd = 0;
        let (mut formulas, mut footnotes) = (0, 0);
        let mut definitions = Range { start: usize::MAX, end: 0 };
        let words = map_blocks(self.0, b' ', |at, block| {
            odd |= isa.any_of(block, [b'\0', b'\x0b', b'\x0c', b'\r']);
            if isa.any_of(block, [b'[', b']', b'$']) != 0 {
                let behind = self.0.get((at + 1) * BLOCK);
                let ends_pair = |second| u64::from(behind == Some(&second)) << 63;
                let pair =
                    |first, second| isa.any_of(block, [first]) & (isa.any_of(block, [second]) >> 1 | ends_pair(second));
                formulas |= pair(b'$', b'$');
                footnotes |= pair(b'[', b'^');
                if pair(b']', b':') != 0 {
                    definitions = definitions.start.min(at)..at + 1;
                }
            }
            Word {
                feeds: isa.any_of(block, [b'\n']),
                special: isa.any_of(block, SPECIAL),
                pipes: isa.any_of(block, [b'|']),
            }
        });
        let [odd, formulas, footnotes] = [odd, formulas, footnotes].map(|found| found != 0);
        let len = self.0.len();
        // A pair may end behind its block.
        let end = len.min(definitions.end * BLOCK + 1);
        let definitions = definitions.start.saturating_mul(BLOCK).min(end)..end;
        Bits { words, len, odd, formulas, footnotes, definitions }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bits, Look, SPECIAL, next_line};
    use crate::simd::Level;

    #[test]
    fn all_instruction_sets_find_what_a_loop_finds() {
        for len in [0, 1, 63, 64, 65, 127, 128, 400] {
            for step in [1, 3, 64, 65, 1000] {
                let byte = |at: usize| if at % step == step - 1 { b'\n' } else { b"ab]"[at % 3] };
                let bytes: Vec<u8> = (0..len).map(byte).collect();
                for level in Level::all() {
                    let bits = level.dispatch(Look(&bytes));
                    assert!(!bits.odd);
                    for at in 0..=len {
                        let next = bytes[at..].iter().position(|b| *b == b'\n').map_or(len, |end| at + end + 1);
                        assert_eq!(bits.next_line(at), next, "{len} {step} {at}");
                        assert_eq!(next_line(&bytes, at), next, "{len} {step} {at}");
                        let special = bytes[at..].iter().position(|b| SPECIAL.contains(b)).map(|found| at + found);
                        assert_eq!(bits.specials(len).next(at), special, "{len} {step} {at}");
                    }
                }
            }
        }
    }

    #[test]
    fn odd_bytes_and_pairs_are_told() {
        for odd in ["\0", "\u{b}", "\u{c}", "\r"] {
            assert!(Bits::of(format!("{}{odd}", "中".repeat(50)).as_bytes()).odd, "{odd:?}");
        }
        assert!(!Bits::of("\t\n中".repeat(50).as_bytes()).odd);
        for before in [0, 1, 62, 63, 64, 100] {
            let text = format!("{}$$]:[^", "a".repeat(before));
            let bits = Bits::of(text.as_bytes());
            assert!(bits.formulas && bits.footnotes, "{before}");
            assert!(text[bits.definitions].contains("]:"), "{before}");
        }
        let none = Bits::of(b"$]^: [a]$ :");
        assert!(!none.formulas && !none.footnotes && none.definitions.len() < 2);
    }
}
