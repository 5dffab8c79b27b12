//! Tables that remember how many tokens a piece has.
//!
//! A result never depends on them: an entry holds all bytes of its piece, and what is not found is counted anew.

use std::hint::select_unpredictable;

use crate::simd;
use crate::simd::words::{self, Eight, SLOT_BITS};

/// A piece of at most 15 bytes: its bytes, zeros, and in the last byte its length (upper half) and its number of tokens (lower half). All
/// zero for none.
pub(super) type Entry = [u64; 2];

/// The longest piece that fits in an entry.
pub(super) const SHORT: usize = 15;
const COUNT: u32 = 56;
const BUCKET_BITS: u32 = 16;
const FRONT_BITS: u32 = 14;
const MIDDLE_BITS: u32 = 14;
const LONG_BITS: u32 = 9;
const MIDDLE: usize = 60;
/// The longest piece that is remembered.
pub(super) const LONG: usize = 508;

/// The key of the piece of `len` bytes at the start of 16 bytes. Longer pieces get one that is never stored.
#[inline(always)]
pub(super) fn key(bytes: &[u8; 16], len: usize) -> Entry {
    let mask = MASKS[len.min(SHORT + 1)];
    let [low, high] = halves(bytes);
    [low & mask[0], high & mask[1] | mask[2]]
}

#[inline(always)]
fn halves(bytes: &[u8; 16]) -> [u64; 2] {
    let (eights, _) = bytes.as_chunks::<8>();
    [u64::from_le_bytes(eights[0]), u64::from_le_bytes(eights[1])]
}

/// By length: masks for the two halves of the bytes, and the length.
static MASKS: [[u64; 3]; SHORT + 2] = {
    let mut masks = [[0, 0, 0]; SHORT + 2];
    let mut len = 0;
    while len <= SHORT {
        masks[len] = [
            if len >= 8 { u64::MAX } else { (1 << (8 * len)) - 1 },
            if len > 8 { (1 << (8 * (len - 8))) - 1 } else { 0 },
            (len as u64) << (COUNT + 4),
        ];
        len += 1;
    }
    masks
};

/// Spreads a key over 64 bits; the upper ones are the good ones.
#[inline(always)]
pub(super) fn hash(key: Entry) -> u64 {
    (key[0] ^ key[1].rotate_left(25)).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ key[1].wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
}

/// The number of tokens if the entry is of that key, else 0.
#[inline(always)]
pub(super) fn matched(entry: Entry, key: Entry) -> usize {
    let differs = entry[0] ^ key[0] | (entry[1] ^ key[1]) & !(15 << COUNT);
    let count = (entry[1] >> COUNT & 15) as usize;
    select_unpredictable(differs == 0, count, 0)
}

const fn counted(key: Entry, count: usize) -> Entry {
    [key[0], key[1] | (count as u64) << COUNT]
}

/// Entries in groups of four, each group in a cache line. Pages of it that were never written take no memory.
struct Buckets {
    words: Vec<u64>,
    /// The words before the first cache line that is all within.
    skew: usize,
}

/// The words of a group.
const LINE: usize = 8;

impl Buckets {
    fn new() -> Self {
        let words = vec![0; LINE + (LINE << BUCKET_BITS)];
        let skew = words.as_ptr().align_offset(LINE * size_of::<u64>()).min(LINE);
        Self { words, skew }
    }

    #[inline(always)]
    fn at(hash: u64) -> usize {
        (hash >> (64 - BUCKET_BITS)) as usize
    }

    #[inline(always)]
    fn bucket(&self, at: usize) -> &[Entry] {
        let start = self.skew + at * LINE;
        self.words[start..start + LINE].as_chunks().0
    }

    fn bucket_mut(&mut self, at: usize) -> &mut [Entry] {
        let start = self.skew + at * LINE;
        self.words[start..start + LINE].as_chunks_mut().0
    }

    #[inline(always)]
    fn get(&self, key: Entry, hash: u64) -> usize {
        let bucket = self.bucket(Self::at(hash));
        let count = bucket.iter().map(|entry| matched(*entry, key)).sum();
        // A full bucket spills over into its neighbour.
        if count == 0 && bucket[3] != [0; 2] {
            return self.bucket(Self::at(hash) ^ 1).iter().map(|entry| matched(*entry, key)).sum();
        }
        count
    }

    fn insert(&mut self, new: Entry, hash: u64) {
        let at = Self::at(hash);
        for at in [at, at ^ 1] {
            if let Some(free) = self.bucket_mut(at).iter_mut().find(|entry| **entry == [0; 2]) {
                *free = new;
                return;
            }
        }
        self.bucket_mut(at)[(hash >> 8) as usize % 4] = new;
    }
}

/// Pieces of at most `N` bytes seen, each in the place that its hash gives or the one beside.
struct Seen<const N: usize>(Box<[Line<N>]>);

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line<const N: usize> {
    len: u16,
    count: u16,
    bytes: [u8; N],
}

impl<const N: usize> Seen<N> {
    fn new(bits: u32) -> Self {
        Self(vec![Line { len: 0, count: 0, bytes: [0; N] }; 1 << bits].into_boxed_slice())
    }

    /// The number of tokens of a piece, 0 if it is not known.
    fn get(&self, piece: &[u8], hash: u64) -> usize {
        let at = hash as usize & (self.0.len() - 1);
        for line in [&self.0[at], &self.0[at ^ 1]] {
            if usize::from(line.len) == piece.len() && line.bytes[..piece.len()] == *piece {
                return usize::from(line.count);
            }
        }
        0
    }

    fn insert(&mut self, piece: &[u8], hash: u64, count: usize) {
        let at = hash as usize & (self.0.len() - 1);
        if self.0[at].len != 0 {
            self.0[at ^ 1] = self.0[at];
        }
        let line = &mut self.0[at];
        line.len = piece.len() as u16;
        line.count = count as u16;
        line.bytes[..piece.len()].copy_from_slice(piece);
    }
}

/// The tables of one thread at a time.
pub(super) struct Memory {
    /// The pieces of at most seven bytes seen last.
    words: Box<[u64; 1 << SLOT_BITS]>,
    /// The longer pieces seen last.
    front: Box<[Entry; 1 << FRONT_BITS]>,
    /// All pieces of at most 15 bytes seen.
    buckets: Buckets,
    /// Pieces of 16 to 60 bytes seen.
    middle: Seen<MIDDLE>,
    /// Pieces of 61 to 508 bytes seen.
    long: Seen<LONG>,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self {
            words: filled(0),
            front: filled([0; 2]),
            buckets: Buckets::new(),
            middle: Seen::new(MIDDLE_BITS),
            long: Seen::new(LONG_BITS),
        }
    }

    /// The words in these slots.
    #[inline(always)]
    pub(super) fn words(&self, slots: &Eight<u64>) -> Eight<u64> {
        slots.map(|slot| self.words[slot as usize & (self.words.len() - 1)])
    }

    /// The number of tokens of a piece of at most seven bytes seen lately, 0 if it is not known.
    #[inline(always)]
    pub(super) fn word(&self, key: u64) -> usize {
        let word = self.words[words::slot(key) as usize];
        select_unpredictable((word ^ key) & !words::COUNT == 0, (word & words::COUNT) as usize, 0)
    }

    /// The number of tokens of a piece of 8 to 15 bytes seen lately, 0 if it is not known.
    #[inline(always)]
    pub(super) fn front(&self, key: Entry, hash: u64) -> usize {
        matched(self.front[(hash >> (64 - FRONT_BITS)) as usize], key)
    }

    /// Remembers a piece of at most 15 bytes as seen lately.
    #[inline(always)]
    pub(super) fn set_front(&mut self, key: Entry, hash: u64, count: usize) {
        let len = (key[1] >> (COUNT + 4)) as usize;
        if len <= words::TINY {
            let key = words::key(key[0], len as u64);
            self.words[words::slot(key) as usize] = key | count as u64;
        } else {
            self.front[(hash >> (64 - FRONT_BITS)) as usize] = counted(key, count);
        }
    }

    /// Asks for what `get` will look at.
    #[inline(always)]
    pub(super) fn prefetch(&self, hash: u64) {
        if let Some(entry) = self.buckets.bucket(Buckets::at(hash)).first() {
            simd::prefetch(entry);
        }
    }

    /// The number of tokens of a piece of at most 15 bytes, 0 if it is not known.
    #[inline(always)]
    pub(super) fn get(&self, key: Entry, hash: u64) -> usize {
        self.buckets.get(key, hash)
    }

    /// Remembers a piece of at most 15 bytes that is not known yet.
    pub(super) fn insert(&mut self, key: Entry, hash: u64, count: usize) {
        self.buckets.insert(counted(key, count), hash);
    }

    /// The number of tokens of a piece of 16 to 508 bytes, 0 if it is not known.
    pub(super) fn get_long(&self, piece: &[u8], hash: u64) -> usize {
        if piece.len() <= MIDDLE { self.middle.get(piece, hash) } else { self.long.get(piece, hash) }
    }

    /// Remembers a piece of 16 to 508 bytes.
    pub(super) fn insert_long(&mut self, piece: &[u8], hash: u64, count: usize) {
        if piece.len() <= MIDDLE {
            self.middle.insert(piece, hash, count);
        } else {
            self.long.insert(piece, hash, count);
        }
    }
}

/// A large array that never is on the stack.
#[expect(clippy::unnecessary_box_returns, reason = "it is too large for anything else")]
pub(super) fn filled<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the slice has N items"),
    }
}
