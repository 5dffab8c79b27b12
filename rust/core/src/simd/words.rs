//! Words: pieces of at most seven bytes as a number each, eight at a time.
//!
//! A word's key has the bytes in its upper seven, the last one uppermost, and the length in the upper half of its lowest. The lower half is
//! room for a number of tokens, and zero in a key. No key is zero.

use std::array::from_fn;
use std::hint::select_unpredictable;

/// The longest piece that fits in a word.
pub(crate) const TINY: usize = 7;
/// A slot has this many bits.
pub(crate) const SLOT_BITS: u32 = 15;
/// The bits of a word that hold a number of tokens.
pub(crate) const COUNT: u64 = 15;
/// Words that are looked at together.
pub(crate) const EIGHT: usize = 8;

pub(super) const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Something of each of eight words.
pub(crate) type Eight<T> = [T; EIGHT];

/// Keys, and where in a table they belong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Keys {
    pub(crate) keys: Eight<u64>,
    pub(crate) slots: Eight<u64>,
}

/// What a table knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// Numbers of tokens, 0 where the word is another one.
    pub(crate) counts: Eight<u64>,
    /// The words that are not 0, as bits.
    pub(crate) some: u8,
    /// The words that are 1.
    pub(crate) one: u8,
}

impl Known {
    #[inline(always)]
    pub(super) fn of(counts: Eight<u64>) -> Self {
        Self { counts, some: bits(counts, |count| count != 0), one: bits(counts, |count| count == 1) }
    }
}

/// The key of the piece of `len` bytes, at most seven, at the start of eight bytes.
#[inline(always)]
pub(crate) fn key(bytes: u64, len: u64) -> u64 {
    bytes.wrapping_shl(64u32.wrapping_sub(8 * len as u32)) | len << 4
}

#[inline(always)]
pub(crate) fn slot(key: u64) -> u64 {
    key.wrapping_mul(SPREAD) >> (u64::BITS - SLOT_BITS)
}

#[inline(always)]
pub(super) fn keys(bytes: &Eight<u64>, starts: &Eight<u32>, ends: &Eight<u32>) -> Keys {
    let keys = from_fn(|i| {
        let len = u64::from(ends[i].wrapping_sub(starts[i]));
        select_unpredictable(len.wrapping_sub(1) < TINY as u64, key(bytes[i], len), 0)
    });
    Keys { keys, slots: keys.map(slot) }
}

#[inline(always)]
pub(super) fn counts(words: &Eight<u64>, keys: &Eight<u64>) -> Known {
    let counts = from_fn(|i| select_unpredictable((words[i] ^ keys[i]) & !COUNT == 0, words[i] & COUNT, 0));
    Known::of(counts)
}

#[inline(always)]
fn bits(counts: Eight<u64>, wanted: impl Fn(u64) -> bool) -> u8 {
    (0..EIGHT).fold(0, |bits, i| bits | u8::from(wanted(counts[i])) << i)
}

/// Writes the values whose bits are in `wanted`, and something behind them.
#[inline(always)]
pub(super) fn keep<T: Copy>(values: &Eight<T>, wanted: u8, room: &mut Eight<T>) {
    let mut at = 0;
    for (i, value) in values.iter().enumerate() {
        room[at % EIGHT] = *value;
        at += usize::from(wanted >> i & 1);
    }
}
