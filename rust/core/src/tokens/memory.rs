//! Tables that remember how many tokens a piece has.
//!
//! A result never depends on them: an entry holds all bytes of its piece, and what is not found is counted anew.

use std::hint::select_unpredictable;

use crate::simd;
use crate::simd::entries::{COUNT_SHIFT, Entries, LEN_SHIFT, matched};
use crate::simd::words::{self, Eight, SLOT_BITS};

/// A piece of at most fifteen bytes with its number of tokens. All zero for none.
pub(super) type Entry = [u64; 2];

const BUCKET_BITS: u32 = 16;
const FRONT_BITS: u32 = 14;
const MIDDLE_BITS: u32 = 14;
const LONG_BITS: u32 = 9;
const MIDDLE: usize = 60;
/// The longest piece that is remembered.
pub(super) const LONG: usize = 508;

const fn counted(key: Entry, count: usize) -> Entry {
    [key[0], key[1] | (count as u64) << COUNT_SHIFT]
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
        let count: usize = bucket.iter().map(|entry| matched(*entry, key) as usize).sum();
        // A full bucket spills over into its neighbour.
        if count == 0 && bucket[3] != [0; 2] {
            return self.bucket(Self::at(hash) ^ 1).iter().map(|entry| matched(*entry, key) as usize).sum();
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

    /// Asks for what `word` will look at.
    #[inline(always)]
    pub(super) fn prefetch_word(&self, key: u64) {
        simd::prefetch(&self.words[words::slot(key) as usize]);
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
        matched(self.front[front_slot(hash)], key) as usize
    }

    /// Entries of longer pieces seen lately, in the places of these hashes.
    #[inline(always)]
    pub(super) fn fronts(&self, hashes: &Eight<u64>) -> Entries {
        let entries = hashes.map(|hash| self.front[front_slot(hash)]);
        Entries { low: entries.map(|entry| entry[0]), high: entries.map(|entry| entry[1]) }
    }

    /// Remembers a piece of at most 15 bytes as seen lately.
    #[inline(always)]
    pub(super) fn set_front(&mut self, key: Entry, hash: u64, count: usize) {
        let len = (key[1] >> LEN_SHIFT) as usize;
        if len <= words::TINY {
            let key = words::key(key[0], len as u64);
            self.words[words::slot(key) as usize] = key | count as u64;
        } else {
            self.front[front_slot(hash)] = counted(key, count);
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

#[inline(always)]
fn front_slot(hash: u64) -> usize {
    (hash >> (u64::BITS - FRONT_BITS)) as usize
}

/// A large array that never is on the stack.
#[expect(clippy::unnecessary_box_returns, reason = "it is too large for anything else")]
pub(super) fn filled<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the slice has N items"),
    }
}
