//! Tables that remember how many tokens a piece has.
//!
//! A result never depends on them: an entry holds all bytes of its piece, and what is not found is counted anew.

use std::hint::select_unpredictable;

use super::simd;
use super::vocabulary::Vocabulary;

/// A piece of at most 15 bytes: its bytes, zeros, and in the last byte its length (upper half) and its number of tokens (lower half). All
/// zero for none.
pub(super) type Entry = [u64; 2];

/// The longest piece that fits in an entry.
pub(super) const SHORT: usize = 15;
/// The longest piece that fits in a word: its bytes in the upper ones, length and number of tokens in the lowest.
pub(super) const TINY: usize = 7;

const COUNT: u32 = 56;
const WORD_BITS: u32 = 15;
const FRONT_BITS: u32 = 14;
const MIDDLE_BITS: u32 = 14;
const LONG_BITS: u32 = 9;
const MIDDLE: usize = 60;
/// The longest piece that is remembered.
pub(super) const LONG: usize = 508;

/// The key of the piece of `len` bytes at the start of eight bytes, which are at most seven.
#[inline(always)]
pub(super) fn word_key(bytes: [u8; 8], len: usize) -> u64 {
    u64::from_le_bytes(bytes).wrapping_shl(64u32.wrapping_sub(8 * len as u32)) | (len as u64) << 4
}

#[inline(always)]
fn word_slot(key: u64) -> usize {
    (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - WORD_BITS)) as usize
}

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

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([Entry; 4]);

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
    words: Box<[u64; 1 << WORD_BITS]>,
    /// The longer pieces seen last.
    front: Box<[Entry; 1 << FRONT_BITS]>,
    /// All tokens that are at most 15 bytes long, which mostly stay, and pieces seen, which go.
    buckets: Box<[Bucket]>,
    bucket_shift: u32,
    /// Pieces of 16 to 60 bytes seen.
    middle: Seen<MIDDLE>,
    /// Pieces of 61 to 508 bytes seen.
    long: Seen<LONG>,
}

impl Memory {
    pub(super) fn new(vocabulary: &Vocabulary) -> Self {
        let bits = (vocabulary.len() * 2).next_power_of_two().trailing_zeros() - 2;
        let mut memory = Self {
            words: Box::new([0; 1 << WORD_BITS]),
            front: Box::new([[0; 2]; 1 << FRONT_BITS]),
            buckets: vec![Bucket([[0; 2]; 4]); 1 << bits].into_boxed_slice(),
            bucket_shift: 64 - bits,
            middle: Seen::new(MIDDLE_BITS),
            long: Seen::new(LONG_BITS),
        };
        let mut bytes = [0; 16];
        for token in vocabulary.tokens().filter(|token| token.len() <= SHORT) {
            bytes[..token.len()].copy_from_slice(token);
            let key = key(&bytes, token.len());
            memory.insert(key, hash(key), 1);
        }
        memory
    }

    /// The number of tokens of a piece of at most seven bytes seen lately, 0 if it is not known.
    #[inline(always)]
    pub(super) fn word(&self, key: u64) -> usize {
        let word = self.words[word_slot(key)];
        select_unpredictable((word ^ key) & !15 == 0, (word & 15) as usize, 0)
    }

    /// Asks for what `word` will look at.
    #[inline(always)]
    pub(super) fn prefetch_word(&self, key: u64) {
        simd::prefetch(&self.words[word_slot(key)]);
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
        if len <= TINY {
            let key = word_key(key[0].to_le_bytes(), len);
            self.words[word_slot(key)] = key | count as u64;
        } else {
            self.front[(hash >> (64 - FRONT_BITS)) as usize] = counted(key, count);
        }
    }

    /// Reads something of the bucket, so that it is on its way when it is needed.
    #[inline(always)]
    pub(super) fn touch(&self, hash: u64) -> u64 {
        self.buckets[(hash >> self.bucket_shift) as usize].0[0][0]
    }

    /// The number of tokens of a piece of at most 15 bytes, 0 if it is not known.
    #[inline(always)]
    pub(super) fn get(&self, key: Entry, hash: u64) -> usize {
        let at = (hash >> self.bucket_shift) as usize;
        let count = self.buckets[at].0.iter().map(|entry| matched(*entry, key)).sum();
        // A full bucket spills over into its neighbour.
        if count == 0 && self.buckets[at].0[3] != [0; 2] {
            return self.buckets[at ^ 1].0.iter().map(|entry| matched(*entry, key)).sum();
        }
        count
    }

    /// Remembers a piece of at most 15 bytes that is not known yet.
    pub(super) fn insert(&mut self, key: Entry, hash: u64, count: usize) {
        let at = (hash >> self.bucket_shift) as usize;
        let new = counted(key, count);
        for at in [at, at ^ 1] {
            if let Some(free) = self.buckets[at].0.iter_mut().find(|entry| **entry == [0; 2]) {
                *free = new;
                return;
            }
        }
        // Those with one token are of the vocabulary, and more likely to be met again.
        let first = (hash >> 8) as usize;
        for at in [at, at ^ 1] {
            for i in 0..4 {
                let entry = &mut self.buckets[at].0[(first + i) % 4];
                if entry[1] >> COUNT & 15 > 1 {
                    *entry = new;
                    return;
                }
            }
        }
        self.buckets[at].0[first % 4] = new;
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
