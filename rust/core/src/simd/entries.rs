//! Entries: pieces of at most fifteen bytes as two numbers each, eight at a time.
//!
//! An entry's key has the first eight bytes in its lower number, the others in the upper one, and zeros behind them, but for the last byte: its
//! upper half is the length. The lower half is room for a number of tokens, and zero in a key.

use std::array::from_fn;
use std::hint::select_unpredictable;

use super::words::{Eight, Known};

/// The longest piece that fits in an entry.
pub(crate) const SHORT: usize = 15;
/// The place of the number of tokens in the upper number, which is of four bits.
pub(crate) const COUNT_SHIFT: u32 = 56;
/// The place of the length there.
pub(crate) const LEN_SHIFT: u32 = COUNT_SHIFT + 4;
pub(super) const COUNT: u64 = 15 << COUNT_SHIFT;

pub(super) const SPREAD: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F];
pub(super) const TURN: u32 = 25;

/// Eight entries, or keys of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entries {
    pub(crate) low: Eight<u64>,
    pub(crate) high: Eight<u64>,
}

/// The key of the piece of `len` bytes at the start of sixteen bytes. Longer pieces get zero, which is none's.
#[inline(always)]
pub(crate) fn key(low: u64, high: u64, len: u64) -> [u64; 2] {
    let mask = MASKS[(len as usize).min(SHORT + 1)];
    [low & mask[0], high & mask[1] | mask[2]]
}

/// By length: masks for the two halves of the bytes, and the length.
static MASKS: [[u64; 3]; SHORT + 2] = {
    let mut masks = [[0, 0, 0]; SHORT + 2];
    let mut len = 0;
    while len <= SHORT {
        masks[len] = [
            if len >= 8 { u64::MAX } else { (1 << (8 * len)) - 1 },
            if len > 8 { (1 << (8 * (len - 8))) - 1 } else { 0 },
            (len as u64) << LEN_SHIFT,
        ];
        len += 1;
    }
    masks
};

/// Spreads a key over 64 bits; the upper ones are the good ones.
#[inline(always)]
pub(crate) fn hash([low, high]: [u64; 2]) -> u64 {
    (low ^ high.rotate_left(TURN)).wrapping_mul(SPREAD[0]) ^ high.wrapping_mul(SPREAD[1])
}

/// The number of tokens if the entry is of that key, else 0.
#[inline(always)]
pub(crate) fn matched(entry: [u64; 2], key: [u64; 2]) -> u64 {
    let differs = entry[0] ^ key[0] | (entry[1] ^ key[1]) & !COUNT;
    select_unpredictable(differs == 0, entry[1] >> COUNT_SHIFT & 15, 0)
}

/// Keys and their hashes.
#[inline(always)]
pub(super) fn keys(bytes: &Entries, lens: &Eight<u64>) -> (Entries, Eight<u64>) {
    let keys: Eight<[u64; 2]> = from_fn(|i| key(bytes.low[i], bytes.high[i], lens[i]));
    (Entries { low: keys.map(|key| key[0]), high: keys.map(|key| key[1]) }, keys.map(hash))
}

#[inline(always)]
pub(super) fn counts(entries: &Entries, keys: &Entries) -> Known {
    Known::of(from_fn(|i| matched([entries.low[i], entries.high[i]], [keys.low[i], keys.high[i]])))
}
