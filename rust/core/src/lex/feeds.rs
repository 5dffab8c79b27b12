//! Where the lines of a text end, found for all of it at once.

use memchr::memchr;

use crate::simd::{BLOCK, Isa, Level, Work, each_block};

/// The start of the line behind the one that `at` is on, for one look.
pub(super) fn next_line(bytes: &[u8], at: usize) -> usize {
    memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end + 1)
}

/// The line feeds of a text, one bit a byte.
#[derive(Default)]
pub(super) struct Feeds {
    bits: Vec<u64>,
    len: usize,
    /// Whether there is any of U+0000, vertical tabs, form feeds and carriage returns.
    pub(super) odd: bool,
}

impl Feeds {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let feeds = Self { bits: Vec::with_capacity(bytes.len() / BLOCK + 1), len: bytes.len(), odd: false };
        Level::best().dispatch(Look(bytes, feeds))
    }

    /// The start of the line behind the one that `at` is on.
    pub(super) fn next_line(&self, at: usize) -> usize {
        let mut block = at / BLOCK;
        let Some(bits) = self.bits.get(block) else { return self.len };
        let mut bits = bits & (u64::MAX << (at % BLOCK));
        while bits == 0 {
            block += 1;
            match self.bits.get(block) {
                Some(next) => bits = *next,
                None => return self.len,
            }
        }
        block * BLOCK + bits.trailing_zeros() as usize + 1
    }
}

struct Look<'a>(&'a [u8], Feeds);

impl Work for Look<'_> {
    type Output = Feeds;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Feeds {
        let Self(bytes, mut feeds) = self;
        let mut odd = 0;
        each_block(bytes, b' ', |block| {
            feeds.bits.push(isa.any_of(block, [b'\n']));
            odd |= isa.any_of(block, [b'\0', b'\x0b', b'\x0c', b'\r']);
        });
        feeds.odd = odd != 0;
        feeds
    }
}

#[cfg(test)]
mod tests {
    use super::{Feeds, Look, next_line};
    use crate::simd::Level;

    #[test]
    fn all_instruction_sets_find_what_a_loop_finds() {
        for len in [0, 1, 63, 64, 65, 127, 128, 400] {
            for step in [1, 3, 64, 65, 1000] {
                let bytes: Vec<u8> = (0..len).map(|at| if at % step == step - 1 { b'\n' } else { b'a' }).collect();
                for level in Level::all() {
                    let feeds = level.dispatch(Look(&bytes, Feeds { len, ..Feeds::default() }));
                    assert!(!feeds.odd);
                    for at in 0..=len {
                        let next = bytes[at..].iter().position(|b| *b == b'\n').map_or(len, |end| at + end + 1);
                        assert_eq!(feeds.next_line(at), next, "{len} {step} {at}");
                        assert_eq!(next_line(&bytes, at), next, "{len} {step} {at}");
                    }
                }
            }
        }
        for odd in ["\0", "\u{b}", "\u{c}", "\r"] {
            assert!(Feeds::of(format!("{}{odd}", "中".repeat(50)).as_bytes()).odd, "{odd:?}");
        }
        assert!(!Feeds::of("\t\n中".repeat(50).as_bytes()).odd);
    }
}
