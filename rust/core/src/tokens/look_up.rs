//! Pieces are looked up eight at a time: as words of at most seven bytes, and what is none seen lately as entries of at most fifteen.

use std::array::from_fn;

use super::memory::{Memory, filled};
use crate::simd::entries::Entries;
use crate::simd::words::{EIGHT, Eight, Known};
use crate::simd::{BLOCK, Isa};

/// Pieces are listed for this many bytes at a time, so that the lists stay in the first cache.
pub(super) const STRETCH: usize = 4096;
/// What there has to be behind the last piece.
pub(super) const BEHIND: usize = 2 * EIGHT;

/// Room for something of each piece of a stretch.
type List<T> = [T; STRETCH + BLOCK];

/// The pieces of a stretch.
pub(super) struct Pieces {
    /// Their starts, and the end of the last one.
    pub(super) starts: Box<[u32; STRETCH + 2 * BLOCK]>,
    /// Numbers of those that are no words seen lately.
    others: Box<List<u32>>,
    /// Numbers of those that were not seen lately at all,
    misses: Box<List<u32>>,
    /// and their hashes.
    hashes: Box<List<u64>>,
    /// Of those that have several tokens, the number, and from `COUNT_SHIFT` on that of tokens.
    several: Box<List<u32>>,
}

const COUNT_SHIFT: u32 = u16::BITS;

/// What looking up found, and how long the lists are.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    /// The tokens of the pieces that are not among the misses.
    pub(super) total: usize,
    others: usize,
    pub(super) misses: usize,
    pub(super) several: usize,
}

/// A piece that was not seen lately.
#[derive(Clone, Copy)]
pub(super) struct Miss {
    pub(super) number: usize,
    /// Of its entry's key.
    pub(super) hash: u64,
}

impl Pieces {
    pub(super) fn new() -> Self {
        Self { starts: filled(0), others: filled(0), misses: filled(0), hashes: filled(0), several: filled(0) }
    }

    /// Looks up the first `pieces` pieces. Lists those with several tokens only if `SEVERAL`.
    #[inline(always)]
    pub(super) fn look_up<I: Isa, const SEVERAL: bool>(
        &mut self,
        isa: I,
        bytes: &[u8],
        pieces: usize,
        memory: &Memory,
    ) -> Found {
        let mut found = Found::default();
        let behind = self.starts[pieces];
        self.starts[pieces + 1..=pieces + EIGHT].fill(behind);
        self.words::<I, SEVERAL>(isa, bytes, pieces, memory, &mut found);
        self.others[found.others..].iter_mut().zip([pieces as u32; EIGHT]).for_each(|(other, none)| *other = none);
        self.entries::<I, SEVERAL>(isa, bytes, memory, &mut found);
        found
    }

    #[inline(always)]
    fn words<I: Isa, const SEVERAL: bool>(
        &mut self,
        isa: I,
        bytes: &[u8],
        pieces: usize,
        memory: &Memory,
        found: &mut Found,
    ) {
        let (mut totals, mut others, mut several) = (Eight::default(), 0, 0);
        for first in (0..pieces).step_by(EIGHT) {
            let Some(nine) = self.starts[first..].first_chunk() else { break };
            let keys = isa.word_keys(&from_fn(|i| eight(bytes, nine[i])), nine);
            let known = isa.word_counts(&memory.words(&keys.slots), &keys.keys);
            totals = from_fn(|i| totals[i] + known.counts[i]);
            let numbers = from_fn(|i| (first + i) as u32);
            others += list(isa, &numbers, !known.some & taken(pieces - first), &mut self.others[others..]);
            if SEVERAL {
                several += list_several(isa, &numbers, &known, &mut self.several[several..]);
            }
        }
        *found = Found { total: totals.iter().sum::<u64>() as usize, others, misses: 0, several };
    }

    #[inline(always)]
    fn entries<I: Isa, const SEVERAL: bool>(&mut self, isa: I, bytes: &[u8], memory: &Memory, found: &mut Found) {
        let (mut totals, mut misses, mut several) = (Eight::default(), 0, found.several);
        for first in (0..found.others).step_by(EIGHT) {
            let Some(numbers) = self.others[first..].first_chunk::<EIGHT>() else { break };
            let starts = numbers.map(|number| self.starts[number as usize]);
            let ends = numbers.map(|number| self.starts[number as usize + 1]);
            let low = starts.map(|start| eight(bytes, start));
            let high = starts.map(|start| eight(bytes, start + EIGHT as u32));
            let (keys, hashes) =
                isa.entry_keys(&Entries { low, high }, &from_fn(|i| u64::from(ends[i].wrapping_sub(starts[i]))));
            let known = isa.entry_counts(&memory.fronts(&hashes), &keys);
            totals = from_fn(|i| totals[i] + known.counts[i]);
            let missed = !known.some & taken(found.others - first);
            if let Some(room) = self.hashes[misses..].first_chunk_mut() {
                isa.keep_long(&hashes, missed, room);
            }
            misses += list(isa, numbers, missed, &mut self.misses[misses..]);
            if SEVERAL {
                several += list_several(isa, numbers, &known, &mut self.several[several..]);
            }
        }
        found.total += totals.iter().sum::<u64>() as usize;
        (found.misses, found.several) = (misses, several);
    }

    /// The pieces that were not seen lately.
    pub(super) fn misses(&self, found: Found) -> impl Iterator<Item = Miss> {
        (0..found.misses).map(|i| self.miss(i))
    }

    /// One of these.
    #[inline(always)]
    pub(super) fn miss(&self, i: usize) -> Miss {
        Miss { number: self.misses[i] as usize, hash: self.hashes[i] }
    }

    /// The pieces with several tokens: their starts, and how many.
    pub(super) fn several(&self, found: Found) -> impl Iterator<Item = (usize, usize)> {
        self.several[..found.several].iter().map(|several| {
            let number = usize::from(*several as u16);
            (self.starts[number] as usize, (several >> COUNT_SHIFT) as usize)
        })
    }
}

/// The first `rest` of eight.
#[inline(always)]
fn taken(rest: usize) -> u8 {
    u8::MAX >> EIGHT.saturating_sub(rest)
}

#[inline(always)]
fn list<I: Isa>(isa: I, numbers: &Eight<u32>, wanted: u8, list: &mut [u32]) -> usize {
    let Some(room) = list.first_chunk_mut() else { return 0 };
    isa.keep(numbers, wanted, room);
    wanted.count_ones() as usize
}

#[inline(always)]
fn list_several<I: Isa>(isa: I, numbers: &Eight<u32>, known: &Known, several: &mut [u32]) -> usize {
    list(isa, &from_fn(|i| numbers[i] | (known.counts[i] as u32) << COUNT_SHIFT), known.some & !known.one, several)
}

/// The eight bytes from `start` on.
#[inline(always)]
fn eight(bytes: &[u8], start: u32) -> u64 {
    let (eights, _) = bytes[start as usize..start as usize + EIGHT].as_chunks();
    u64::from_le_bytes(eights[0])
}
