//! Pieces are looked up in two rounds: as words of at most seven bytes, and what is none seen lately as entries of at most fifteen.
//!
//! Both rounds are here twice: eight pieces at a time, and one by one for processors on which that is quicker.

use std::array::from_fn;
use std::hint::select_unpredictable;

use super::memory::{Memory, filled};
use crate::simd::entries::{self, Entries};
use crate::simd::words::{self, EIGHT, Eight, Known};
use crate::simd::{BLOCK, Isa};

/// Pieces are listed for this many bytes at a time, so that the lists stay in the first cache.
pub(super) const STRETCH: usize = 4096;
/// What there has to be behind the last piece.
pub(super) const BEHIND: usize = 2 * EIGHT;

/// Room for something of each piece of a stretch.
pub(super) type List<T> = [T; STRETCH + BLOCK];

/// Pieces of a text: where each starts, and where it ends. Behind the last one there are eight more, which are empty.
#[derive(Clone, Copy)]
pub(super) struct Pieces<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) starts: &'a [u32],
    pub(super) ends: &'a [u32],
}

impl Pieces<'_> {
    pub(super) fn len(self) -> usize {
        self.ends.len() - EIGHT
    }
}

/// Room for looking pieces up, and what it found of them.
pub(super) struct LookUp {
    /// Numbers of those that are no words seen lately.
    others: Box<List<u32>>,
    /// Numbers of those that were not seen lately at all,
    misses: Box<List<u32>>,
    /// and their hashes. Before, keys of words.
    hashes: Box<List<u64>>,
    /// Of those that have several tokens, the number, and from `COUNT_SHIFT` on that of tokens.
    several: Box<List<u32>>,
}

const COUNT_SHIFT: u32 = u16::BITS;

/// What looking up found, and how long the lists are.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    /// The tokens of the pieces that are not among the misses, unless those with several are listed.
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

impl LookUp {
    pub(super) fn new() -> Self {
        Self { others: filled(0), misses: filled(0), hashes: filled(0), several: filled(0) }
    }

    /// Looks pieces up. Lists those with several tokens if `SEVERAL`, else counts the tokens of all.
    #[inline(always)]
    pub(super) fn run<I: Isa, const SEVERAL: bool>(&mut self, isa: I, pieces: Pieces<'_>, memory: &Memory) -> Found {
        let mut found = Found::default();
        if I::EIGHTS {
            self.words::<I, SEVERAL>(isa, pieces, memory, &mut found);
            self.others[found.others..].iter_mut().take(EIGHT).for_each(|other| *other = pieces.len() as u32);
            self.entries::<I, SEVERAL>(isa, pieces, memory, &mut found);
        } else {
            self.words_one_by_one::<SEVERAL>(pieces, memory, &mut found);
            self.entries_one_by_one::<SEVERAL>(pieces, memory, &mut found);
        }
        found
    }

    #[inline(always)]
    fn words_one_by_one<const SEVERAL: bool>(&mut self, pieces: Pieces<'_>, memory: &Memory, found: &mut Found) {
        for (key, (start, end)) in self.hashes.iter_mut().zip(pieces.starts.iter().zip(&pieces.ends[..pieces.len()])) {
            let len = end - start;
            let word = words::key(eight(pieces.bytes, *start), len.into());
            *key = select_unpredictable(len as usize <= words::TINY, word, 0);
            memory.prefetch_word(word);
        }
        let (mut total, mut others, mut several) = (0, 0, 0);
        for (number, key) in self.hashes[..pieces.len()].iter().enumerate() {
            let count = memory.word(*key);
            self.others[others] = number as u32;
            others += usize::from(count == 0);
            if SEVERAL {
                self.several[several] = number as u32 | (count as u32) << COUNT_SHIFT;
                several += usize::from(count > 1);
            } else {
                total += count;
            }
        }
        *found = Found { total, others, misses: 0, several };
    }

    #[inline(always)]
    fn entries_one_by_one<const SEVERAL: bool>(&mut self, pieces: Pieces<'_>, memory: &Memory, found: &mut Found) {
        let (mut total, mut misses, mut several) = (0, 0, found.several);
        for number in &self.others[..found.others] {
            let (start, end) = (pieces.starts[*number as usize], pieces.ends[*number as usize]);
            let key = entries::key(
                eight(pieces.bytes, start),
                eight(pieces.bytes, start + EIGHT as u32),
                (end - start).into(),
            );
            let hash = entries::hash(key);
            let count = memory.front(key, hash);
            (self.misses[misses], self.hashes[misses]) = (*number, hash);
            misses += usize::from(count == 0);
            if SEVERAL {
                self.several[several] = number | (count as u32) << COUNT_SHIFT;
                several += usize::from(count > 1);
            } else {
                total += count;
            }
        }
        *found = Found { total: found.total + total, misses, several, ..*found };
    }

    #[inline(always)]
    fn words<I: Isa, const SEVERAL: bool>(&mut self, isa: I, pieces: Pieces<'_>, memory: &Memory, found: &mut Found) {
        let (mut totals, mut others, mut several) = (Eight::default(), 0, 0);
        for first in (0..pieces.len()).step_by(EIGHT) {
            let Some(starts) = pieces.starts[first..].first_chunk() else { break };
            let Some(ends) = pieces.ends[first..].first_chunk() else { break };
            let keys = isa.word_keys(&from_fn(|i| eight(pieces.bytes, starts[i])), starts, ends);
            let known = isa.word_counts(&memory.words(&keys.slots), &keys.keys);
            let numbers = from_fn(|i| (first + i) as u32);
            others += list(isa, &numbers, !known.some & taken(pieces.len() - first), &mut self.others[others..]);
            if SEVERAL {
                several += list_several(isa, &numbers, &known, &mut self.several[several..]);
            } else {
                totals = from_fn(|i| totals[i] + known.counts[i]);
            }
        }
        *found = Found { total: totals.iter().sum::<u64>() as usize, others, misses: 0, several };
    }

    #[inline(always)]
    fn entries<I: Isa, const SEVERAL: bool>(&mut self, isa: I, pieces: Pieces<'_>, memory: &Memory, found: &mut Found) {
        let (mut totals, mut misses, mut several) = (Eight::default(), 0, found.several);
        for first in (0..found.others).step_by(EIGHT) {
            let Some(numbers) = self.others[first..].first_chunk::<EIGHT>() else { break };
            let starts = numbers.map(|number| pieces.starts[number as usize]);
            let ends = numbers.map(|number| pieces.ends[number as usize]);
            let low = starts.map(|start| eight(pieces.bytes, start));
            let high = starts.map(|start| eight(pieces.bytes, start + EIGHT as u32));
            let (keys, hashes) =
                isa.entry_keys(&Entries { low, high }, &from_fn(|i| u64::from(ends[i].wrapping_sub(starts[i]))));
            let known = isa.entry_counts(&memory.fronts(&hashes), &keys);
            let missed = !known.some & taken(found.others - first);
            if let Some(room) = self.hashes[misses..].first_chunk_mut() {
                isa.keep_long(&hashes, missed, room);
            }
            misses += list(isa, numbers, missed, &mut self.misses[misses..]);
            if SEVERAL {
                several += list_several(isa, numbers, &known, &mut self.several[several..]);
            } else {
                totals = from_fn(|i| totals[i] + known.counts[i]);
            }
        }
        found.total += totals.iter().sum::<u64>() as usize;
        (found.misses, found.several) = (misses, several);
    }

    /// A piece that was not seen lately.
    #[inline(always)]
    pub(super) fn miss(&self, i: usize) -> Miss {
        Miss { number: self.misses[i] as usize, hash: self.hashes[i] }
    }

    /// The pieces with several tokens: their numbers, and how many.
    #[inline(always)]
    pub(super) fn several(&self, found: Found) -> impl Iterator<Item = (usize, usize)> {
        self.several[..found.several]
            .iter()
            .map(|several| (usize::from(*several as u16), (several >> COUNT_SHIFT) as usize))
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
