//! Where a piece can be cut because no token reaches across.
//!
//! Few tokens hold more than one character beyond ASCII, so most pieces of Han text fall apart into characters, and need no merging.

use super::classes;
use super::vocabulary::Vocabulary;

/// Code points that have an entry. Others may join with whatever may join with a fragment.
const PLANE: usize = 0x1_0000;
/// Groups of fragments.
const GROUPS: u32 = 15;
/// log2 of the number of bits for pairs.
const PAIR_BITS: u32 = 18;

/// What may join, and the number of tokens of each character.
pub(super) struct Cuts {
    /// For each code point: two bits for its number of tokens, then the groups in which something of it may join with what follows, then
    /// the groups in which it may join with what is before.
    entries: Vec<u32>,
    /// A bit for the hash of each pair of neighbours in a token.
    pairs: Vec<u64>,
}

/// A character and what is known of it.
#[derive(Clone, Copy)]
struct Letter {
    code: u32,
    entry: u32,
}

impl Letter {
    /// The number of tokens of the character by itself, 0 if it is not known.
    const fn count(self) -> u64 {
        self.entry as u64 & 3
    }
}

/// One side of a place inside a token.
#[derive(Clone, Copy)]
enum Side<'a> {
    Whole(u32),
    Fragment(&'a [u8]),
}

impl Cuts {
    pub(super) fn new(vocabulary: &Vocabulary) -> Self {
        let mut entries = vec![3; PLANE];
        entries[..0x80].fill(1);
        entries[0x80..0x800].fill(2);
        let mut cuts = Self { entries, pairs: vec![0; 1 << (PAIR_BITS - 6)] };
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
            let bit = pair_bit(before, behind);
            self.pairs[bit / 64] |= 1 << (bit % 64);
            return;
        }
        let group = (super::vocabulary::hash(&token[start..end]) % u64::from(GROUPS)) as u32;
        self.join(before, 1 << (2 + group), fragment_before);
        self.join(behind, 1 << (2 + GROUPS + group), fragment_behind);
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

    /// Looks a character up.
    #[inline(always)]
    fn letter(&self, code: u32) -> Letter {
        Letter { code, entry: self.entries.get(code as usize).copied().unwrap_or(!3) }
    }

    /// Whether a token may hold something of both neighbours.
    #[expect(clippy::needless_bitwise_bool, reason = "a branch would be mispredicted")]
    #[inline(always)]
    fn joined(&self, before: Letter, behind: Letter) -> bool {
        let bit = pair_bit(before.code, behind.code);
        (self.pairs[bit / 64] >> (bit % 64) & 1 == 1)
            | (before.entry >> 2 & behind.entry >> (2 + GROUPS) & ((1 << GROUPS) - 1) != 0)
    }
}

/// Up to 64 characters of a piece, as bits: bit i is character i.
pub(super) struct Stretch {
    /// Where each starts, and the end.
    starts: [u32; 65],
    len: u32,
    /// Those before which the piece can be cut. The first is one.
    cuts: u64,
    /// The lower and the upper bit of their numbers of tokens.
    low: u64,
    high: u64,
    /// Where it ends in the text.
    pub(super) end: usize,
}

impl Stretch {
    /// The characters from `start` on, to the end of `text` at most. A piece can be cut before `start`.
    #[inline(always)]
    pub(super) fn new(cuts: &Cuts, text: &[u8], start: usize) -> Self {
        let mut stretch = Self { starts: [0; 65], len: 0, cuts: 1, low: 0, high: 0, end: start };
        let mut before = Letter { code: 0, entry: 0 };
        while stretch.end < text.len() && stretch.len < 64 {
            let (code, width) = classes::decode(text, stretch.end);
            let letter = cuts.letter(code);
            let cut = ((code | before.code) >= 0x80) & !cuts.joined(before, letter);
            stretch.starts[stretch.len as usize] = stretch.end as u32;
            stretch.cuts |= u64::from(cut) << stretch.len;
            stretch.low |= (letter.count() & 1) << stretch.len;
            stretch.high |= (letter.count() >> 1) << stretch.len;
            stretch.len += 1;
            stretch.end += width;
            before = letter;
        }
        stretch.starts[stretch.len as usize] = stretch.end as u32;
        stretch
    }

    /// Leaves out what is behind the last cut, which may go on behind the end. Not possible if there is no cut.
    pub(super) fn give_back(&mut self) -> bool {
        self.len = self.cuts.ilog2();
        self.end = self.starts[self.len as usize] as usize;
        self.len > 0
    }

    /// Whether it is all of `start..end`, uncut.
    pub(super) fn is_one(&self, start: usize, end: usize) -> bool {
        self.cuts == 1 && self.starts[0] as usize == start && self.end == end
    }

    /// The last characters of parts.
    fn lasts(&self) -> u64 {
        self.cuts >> 1 | 1 << (self.len - 1)
    }

    /// The number of tokens of all parts that are one character for which it is known, and the first characters of all others.
    #[inline(always)]
    pub(super) fn singles(&self) -> (usize, u64) {
        let cuts = self.cuts & (u64::MAX >> (64 - self.len));
        let singles = cuts & self.lasts() & (self.low | self.high);
        let tokens = (singles & self.low).count_ones() + 2 * (singles & self.high).count_ones();
        (tokens as usize, cuts & !singles)
    }

    /// The part that starts with character `first`.
    #[inline(always)]
    pub(super) fn part(&self, first: u32) -> (usize, usize) {
        let last = (self.lasts() & u64::MAX << first).trailing_zeros() as usize;
        (self.starts[first as usize] as usize, self.starts[last + 1] as usize)
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

#[inline(always)]
const fn pair_bit(before: u32, behind: u32) -> usize {
    (before.wrapping_mul(0x9E37_79B1) ^ behind.wrapping_mul(0x85EB_CA77)).wrapping_mul(0xC2B2_AE3D) as usize
        >> (32 - PAIR_BITS)
}
