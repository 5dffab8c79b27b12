//! Characters as numbers, and what tables tell of neighbours.
//!
//! Tables have an entry for each code point: a number in its lowest bits, then two groups of bits, what a character may join with behind it and in front of it.

use super::BLOCK;

/// Characters that are looked at together.
pub(crate) const SIXTEEN: usize = 16;
/// The bits of an entry's number.
pub(crate) const NUMBER_BITS: u32 = 2;
/// The bits of each of the two groups.
pub(crate) const GROUPS: u32 = 15;

pub(super) const GROUP_MASK: u32 = (1 << GROUPS) - 1;

/// Something of each of sixteen characters.
pub(crate) type Sixteen<T> = [T; SIXTEEN];

/// What is known of sixteen characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letters<'a> {
    pub(crate) codes: &'a Sixteen<u32>,
    pub(crate) entries: &'a Sixteen<u32>,
    /// In the lowest bit, whether one and what is in front of it are a pair that may join.
    pub(crate) pairs: &'a Sixteen<u32>,
}

/// The last of the characters in front.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Before {
    pub(crate) code: u32,
    pub(crate) entry: u32,
}

/// What follows from that, a bit for each character.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Joints {
    /// Those that can join with nothing in front of them, which they or that are beyond ASCII.
    pub(crate) cuts: u16,
    /// The lower bit of their entries' numbers,
    pub(crate) low: u16,
    /// and the upper one.
    pub(crate) high: u16,
}

/// Writes the code points of the characters that start at `firsts` and end in the block, and where they start, counted from `at`.
#[inline(always)]
pub(super) fn characters(
    block: &[u8; BLOCK],
    mut firsts: u64,
    at: u32,
    codes: &mut [u32; BLOCK],
    places: &mut [u32; BLOCK],
) {
    for (code, place) in codes.iter_mut().zip(places) {
        if firsts == 0 {
            return;
        }
        let first = firsts.trailing_zeros();
        firsts &= firsts - 1;
        (*code, *place) = (decode(block, first as usize).0, at + first);
    }
}

/// The code point and the length of the character at `at`, which is whole in the text.
#[inline(always)]
pub(crate) fn decode(text: &[u8], at: usize) -> (u32, usize) {
    match text[at..] {
        [a, b, ..] if (0xC0..0xE0).contains(&a) => (bits(a, 0x1F) << 6 | bits(b, 0x3F), 2),
        [a, b, c, ..] if (0xE0..0xF0).contains(&a) => (bits(a, 0x0F) << 12 | bits(b, 0x3F) << 6 | bits(c, 0x3F), 3),
        [a, b, c, d, ..] if a >= 0xF0 => {
            (bits(a, 0x07) << 18 | bits(b, 0x3F) << 12 | bits(c, 0x3F) << 6 | bits(d, 0x3F), 4)
        }
        _ => (u32::from(text[at]), 1),
    }
}

const fn bits(byte: u8, mask: u8) -> u32 {
    (byte & mask) as u32
}

#[inline(always)]
pub(super) fn joints(letters: Letters<'_>, mut before: Before) -> Joints {
    let mut found = Joints::default();
    for i in 0..SIXTEEN {
        let (code, entry) = (letters.codes[i], letters.entries[i]);
        let grouped = before.entry >> NUMBER_BITS & entry >> (NUMBER_BITS + GROUPS) & GROUP_MASK;
        let joined = grouped | letters.pairs[i] & 1;
        found.cuts |= (u16::from((code | before.code) >= 0x80) & u16::from(joined == 0)) << i;
        found.low |= (entry as u16 & 1) << i;
        found.high |= (entry as u16 >> 1 & 1) << i;
        before = Before { code, entry };
    }
    found
}
