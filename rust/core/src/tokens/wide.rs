//! Pieces beyond ASCII, cut into parts where no token can reach across.
//!
//! The characters of many pieces stand one behind the other, and each step is done for all of them: what numbers they have, what tables
//! know of these, where that cuts, which parts are one character. So hardly a branch depends on what one piece holds.

use super::cuts::Cuts;
use super::look_up::{Found, LookUp, Pieces, STRETCH};
use super::memory::filled;
use crate::simd::characters::{Before, Letters, SIXTEEN, Sixteen};
use crate::simd::words::EIGHT;
use crate::simd::{BLOCK, Isa, block_at};

/// The longest piece that is taken.
pub(super) const LONGEST: usize = STRETCH;
/// Room for characters, and ends of pieces.
const ROOM: usize = LONGEST + 2 * BLOCK;

/// A number for each character, or part.
type List = Box<[u32; ROOM]>;
/// A bit for each character.
type Bits = Box<[u64; ROOM / BLOCK + 1]>;

/// A piece.
#[derive(Clone, Copy)]
pub(super) struct Whole {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) tokens: u32,
}

/// Pieces, their characters, and their parts.
pub(super) struct Wide {
    pub(super) wholes: Vec<Whole>,
    /// Characters, and one for the end of each piece.
    len: usize,
    codes: List,
    /// Where they start.
    places: List,
    entries: List,
    pairs: List,
    /// Ends of pieces,
    ends: Bits,
    /// the characters in front of which a piece can be cut, ends of pieces too,
    cuts: Bits,
    /// the lower and the upper bit of characters' numbers of tokens,
    low: Bits,
    high: Bits,
    /// the first characters of the parts that are listed.
    firsts: Bits,
    /// How many parts are listed: those that are no single characters whose number of tokens is known.
    pub(super) parts: usize,
    starts: List,
    part_ends: List,
    /// The numbers of the pieces that they belong to.
    owners: List,
    pub(super) look_up: LookUp,
}

impl Wide {
    pub(super) fn new() -> Self {
        Self {
            wholes: Vec::new(),
            len: 0,
            codes: filled(0),
            places: filled(0),
            entries: filled(0),
            pairs: filled(0),
            ends: filled(0),
            cuts: filled(0),
            low: filled(0),
            high: filled(0),
            firsts: filled(0),
            parts: 0,
            starts: filled(0),
            part_ends: filled(0),
            owners: filled(0),
            look_up: LookUp::new(),
        }
    }

    /// Whether there is room for a piece of `len` bytes.
    #[inline(always)]
    pub(super) fn has_room(&self, len: usize) -> bool {
        self.len + len + BLOCK <= ROOM
    }

    /// Takes a piece, for which there has to be room.
    #[inline(always)]
    pub(super) fn push<I: Isa>(&mut self, isa: I, text: &[u8], start: usize, end: usize) {
        debug_assert!(self.has_room(end - start), "no room for {start}..{end}");
        let mut at = start;
        while at < end {
            let mut room = [0; BLOCK];
            let block = block_at(text, at, &mut room);
            // The last one is where the next block begins, or the end.
            let firsts = !isa.wide(block).tail & u64::MAX >> (BLOCK - 1).saturating_sub(end - at);
            let codes = self.codes[self.len..].first_chunk_mut();
            let places = self.places[self.len..].first_chunk_mut();
            let (Some(codes), Some(places)) = (codes, places) else { return };
            isa.characters(block, firsts, at as u32, codes, places);
            self.len += firsts.count_ones() as usize - 1;
            at += firsts.ilog2() as usize;
        }
        self.ends[self.len / BLOCK] |= 1 << (self.len % BLOCK);
        self.len += 1;
        self.wholes.push(Whole { start: start as u32, end: end as u32, tokens: 0 });
    }

    /// Cuts all pieces, lists their parts, and counts what is known of them; for each part that is listed, a token.
    #[inline(always)]
    pub(super) fn cut<I: Isa>(&mut self, isa: I, cuts: &Cuts) {
        cuts.look_up(&self.codes[..self.len], &mut self.entries[..], &mut self.pairs[..]);
        self.find_cuts(isa);
        self.list_parts();
        self.count_singles();
    }

    #[inline(always)]
    fn find_cuts<I: Isa>(&mut self, isa: I) {
        let mut before = Before::default();
        // The first character of a piece follows on the end of another.
        let mut begins = 1;
        for word in 0..self.words() {
            let (mut cuts, mut low, mut high) = (0, 0, 0);
            for at in (0..BLOCK).step_by(SIXTEEN) {
                let letters = sixteen(&self.codes, word * BLOCK + at)
                    .zip(sixteen(&self.entries, word * BLOCK + at))
                    .zip(sixteen(&self.pairs, word * BLOCK + at));
                let Some(((codes, entries), pairs)) = letters else { return };
                let joints = isa.joints(Letters { codes, entries, pairs }, before);
                before = Before { code: codes[SIXTEEN - 1], entry: entries[SIXTEEN - 1] };
                cuts |= u64::from(joints.cuts) << at;
                low |= u64::from(joints.low) << at;
                high |= u64::from(joints.high) << at;
            }
            let ends = self.ends[word];
            let here = self.here(word);
            self.cuts[word] = (cuts | ends | ends << 1 | begins) & here;
            begins = ends >> (BLOCK - 1);
            (self.low[word], self.high[word]) = (low & here & !ends, high & here & !ends);
        }
    }

    /// Finds parts that are single characters, and leaves only their numbers of tokens. Lists the other parts.
    #[inline(always)]
    fn list_parts(&mut self) {
        self.parts = 0;
        self.cuts[self.words()] = 0;
        for word in 0..self.words() {
            let cuts = self.cuts[word];
            let singles = cuts & (cuts >> 1 | self.cuts[word + 1] << (BLOCK - 1)) & (self.low[word] | self.high[word]);
            self.low[word] &= singles;
            self.high[word] &= singles;
            let mut firsts = cuts & !singles & !self.ends[word];
            self.firsts[word] = firsts;
            while firsts != 0 {
                let first = firsts.trailing_zeros();
                firsts &= firsts - 1;
                let behind = self.next_cut(word, cuts & (u64::MAX << 1) << first);
                self.starts[self.parts] = self.places[word * BLOCK + first as usize];
                self.part_ends[self.parts] = self.places[behind];
                self.parts += 1;
            }
        }
    }

    /// The first of `cuts`, which are some of a word; if there is none, the first one behind that word. The end of a piece is one.
    #[inline(always)]
    fn next_cut(&self, mut word: usize, mut cuts: u64) -> usize {
        while cuts == 0 {
            word += 1;
            cuts = self.cuts[word];
        }
        word * BLOCK + cuts.trailing_zeros() as usize
    }

    /// Counts the tokens of each piece that are known: those of single characters, and one for each other part.
    #[inline(always)]
    fn count_singles(&mut self) {
        let (mut number, mut tokens, mut first_part, mut parts) = (0, 0, 0, 0);
        for word in 0..self.words() {
            let (low, high, firsts) = (self.low[word], self.high[word], self.firsts[word]);
            let mut ends = self.ends[word];
            let mut rest = u64::MAX;
            loop {
                let piece = rest & ends.wrapping_sub(1) & !ends;
                tokens += (low & piece).count_ones() + 2 * (high & piece).count_ones();
                parts += (firsts & piece).count_ones() as usize;
                if ends == 0 {
                    break;
                }
                self.wholes[number].tokens = tokens + (parts - first_part) as u32;
                self.own(first_part, parts, number as u32);
                (number, tokens, first_part) = (number + 1, 0, parts);
                rest = !(ends ^ (ends - 1));
                ends &= ends - 1;
            }
        }
    }

    /// Notes whose these parts are, and the same for as many behind them as fill a vector.
    #[inline(always)]
    fn own(&mut self, first: usize, behind: usize, owner: u32) {
        for at in (first..=behind).step_by(SIXTEEN) {
            if let Some(owners) = self.owners[at..].first_chunk_mut::<SIXTEEN>() {
                owners.fill(owner);
            }
        }
    }

    /// Words of bits that hold something.
    fn words(&self) -> usize {
        self.len.div_ceil(BLOCK)
    }

    /// The bits of a word that are characters.
    fn here(&self, word: usize) -> u64 {
        u64::MAX >> BLOCK.saturating_sub(self.len - word * BLOCK)
    }

    /// The listed parts, to be looked up.
    pub(super) fn listed<'a>(&'a mut self, bytes: &'a [u8]) -> (&'a mut LookUp, Pieces<'a>) {
        let behind = self.parts..self.parts + EIGHT;
        self.starts[behind.clone()].fill(0);
        self.part_ends[behind.clone()].fill(0);
        (&mut self.look_up, Pieces { bytes, starts: &self.starts[..behind.end], ends: &self.part_ends[..behind.end] })
    }

    /// Where a listed part is.
    pub(super) fn part(&self, number: usize) -> (usize, usize) {
        (self.starts[number] as usize, self.part_ends[number] as usize)
    }

    /// Adds the tokens of a part to its piece, which had one for it.
    #[inline(always)]
    pub(super) fn count(&mut self, number: usize, tokens: usize) {
        self.wholes[self.owners[number] as usize].tokens += tokens as u32 - 1;
    }

    /// The same for all parts that were found to have several.
    #[inline(always)]
    pub(super) fn count_several(&mut self, found: Found) {
        for (number, tokens) in self.look_up.several(found) {
            self.wholes[self.owners[number] as usize].tokens += tokens as u32 - 1;
        }
    }

    /// Where the last part of the only piece starts.
    pub(super) fn last_cut(&self) -> usize {
        let is_cut = |at: &usize| self.cuts[at / BLOCK] >> (at % BLOCK) & 1 == 1;
        let last = (0..self.len - 1).rev().find(is_cut).unwrap_or(0);
        self.places[last] as usize
    }

    pub(super) fn clear(&mut self) {
        let words = self.words();
        self.ends[..words].fill(0);
        self.wholes.clear();
        (self.len, self.parts) = (0, 0);
    }
}

#[inline(always)]
fn sixteen(list: &[u32; ROOM], at: usize) -> Option<&Sixteen<u32>> {
    list[at..].first_chunk()
}
