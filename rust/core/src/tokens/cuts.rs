//! Where a piece can be cut because no token reaches across.
//!
//! Few tokens hold more than one character beyond ASCII, so most pieces of Han text fall apart into characters, and need no merging.

use super::memory::filled;
use super::vocabulary::Vocabulary;
use crate::simd::characters::{GROUPS, NUMBER_BITS};

/// Code points that have an entry.
const PLANE: usize = 0x1_0000;
/// The last of them, with all behind it: they may join with whatever may join with a fragment.
const LAST: u32 = PLANE as u32 - 1;
/// log2 of the number of bits for pairs.
const PAIR_BITS: u32 = 18;

/// What may join, and the number of tokens of each character.
pub(super) struct Cuts {
    /// For each code point: two bits for its number of tokens, then the groups in which something of it may join with what follows, then
    /// the groups in which it may join with what is before.
    entries: Box<[u32; PLANE]>,
    /// A bit for the hash of each pair of neighbours in a token.
    pairs: Box<[u32; 1 << (PAIR_BITS - 5)]>,
}

/// One side of a place inside a token.
#[derive(Clone, Copy)]
enum Side<'a> {
    Whole(u32),
    Fragment(&'a [u8]),
}

impl Cuts {
    pub(super) fn new(vocabulary: &Vocabulary) -> Self {
        let mut entries: Box<[u32; PLANE]> = filled(3);
        entries[..0x80].fill(1);
        entries[0x80..0x800].fill(2);
        let mut cuts = Self { entries, pairs: filled(0) };
        for token in vocabulary.tokens() {
            if token.is_ascii() {
                continue;
            }
            cuts.add_counts(token);
            for at in 1..token.len() {
                if token[at] & 0xC0 != 0x80 {
                    cuts.add_place(token, at);
                }
            }
        }
        cuts.entries[LAST as usize] = !3;
        cuts
    }

    /// A character is one token if it is a token, else a token fewer than bytes if two of its bytes are one.
    fn add_counts(&mut self, token: &[u8]) {
        if let Some(code) = whole(token)
            && let Some(entry) = self.entries.get_mut(code as usize)
        {
            *entry = *entry & !3 | 1;
        } else if token.len() == 2 && token[1] & 0xC0 == 0x80 {
            let side = if token[0] & 0xC0 == 0x80 { fragment_before(token) } else { fragment_behind(token) };
            for code in side {
                if self.entries[code] & 3 == 3 {
                    self.entries[code] ^= 1;
                }
            }
        }
    }

    fn add_place(&mut self, token: &[u8], at: usize) {
        let mut start = at - 1;
        while start > 0 && token[start] & 0xC0 == 0x80 {
            start -= 1;
        }
        let end = (at + width(token[at])).min(token.len());
        let side = |bytes| whole(bytes).map_or(Side::Fragment(bytes), Side::Whole);
        let (before, behind) = (side(&token[start..at]), side(&token[at..end]));
        if let (Side::Whole(before), Side::Whole(behind)) = (before, behind) {
            let pair = pair(before, behind);
            self.pairs[pair as usize / 32] |= 1 << (pair % 32);
            return;
        }
        let group = (super::vocabulary::hash(&token[start..end]) % u64::from(GROUPS)) as u32;
        self.join(before, 1 << (NUMBER_BITS + group), fragment_before);
        self.join(behind, 1 << (NUMBER_BITS + GROUPS + group), fragment_behind);
    }

    fn join(&mut self, side: Side<'_>, bit: u32, codes: fn(&[u8]) -> Codes) {
        match side {
            Side::Whole(code) => {
                if let Some(entry) = self.entries.get_mut(code as usize) {
                    *entry |= bit;
                }
            }
            Side::Fragment(bytes) => {
                for code in codes(bytes) {
                    self.entries[code] |= bit;
                }
            }
        }
    }

    /// Writes the entries of characters, and in the lowest bit whether each is one of a pair with the one in front of it.
    pub(super) fn look_up(&self, codes: &[u32], entries: &mut [u32], pairs: &mut [u32]) {
        let mut before = 0;
        for ((code, entry), paired) in codes.iter().zip(entries).zip(pairs) {
            *entry = self.entries[(*code).min(LAST) as usize];
            let pair = pair(before, *code);
            *paired = self.pairs[pair as usize / 32] >> (pair % 32);
            before = *code;
        }
    }
}

type Codes = std::iter::StepBy<std::ops::Range<usize>>;

/// The code points that end with these bytes, all of them but the first of a character.
fn fragment_before(bytes: &[u8]) -> Codes {
    let low = bytes.iter().fold(0, |code, byte| code << 6 | usize::from(byte & 0x3F));
    match bytes.len() {
        1 => (0x80 + low..PLANE).step_by(0x40),
        2 => (0x1000 * usize::from(low < 0x800) + low..PLANE).step_by(0x1000),
        _ => (0..0).step_by(1),
    }
}

/// The code points that begin with these bytes, which are not all of the character.
fn fragment_behind(bytes: &[u8]) -> Codes {
    let first = usize::from(bytes[0]);
    match (bytes.len(), width(bytes[0])) {
        (1, 2) => ((first & 0x1F) << 6..((first & 0x1F) + 1) << 6).step_by(1),
        (1, 3) => ((first & 0x0F) << 12..((first & 0x0F) + 1) << 12).step_by(1),
        (2, 3) => {
            let high = (first & 0x0F) << 6 | usize::from(bytes[1] & 0x3F);
            (high << 6..(high + 1) << 6).step_by(1)
        }
        _ => (0..0).step_by(1),
    }
}

/// The code point, if the bytes are one character.
fn whole(bytes: &[u8]) -> Option<u32> {
    let mut chars = std::str::from_utf8(bytes).ok()?.chars();
    chars.next().filter(|_| chars.next().is_none()).map(u32::from)
}

/// The length of the character that begins with this byte.
const fn width(first: u8) -> usize {
    match first {
        0..=0xBF => 1,
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    }
}

/// The number of a pair.
#[inline(always)]
const fn pair(before: u32, behind: u32) -> u32 {
    (before.wrapping_mul(0x9E37_79B1) ^ behind.wrapping_mul(0x85EB_CA77)).wrapping_mul(0xC2B2_AE3D) >> (32 - PAIR_BITS)
}
