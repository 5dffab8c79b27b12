//! One pass over a text: pieces are listed for a stretch of text, then looked up together, and what is not known is counted.

use super::blocks;
use super::cuts::Stretch;
use super::engine::Engine;
use super::lexer::Pattern;
use super::look_up::{BEHIND, Found, Miss, Pieces, STRETCH};
use super::memory::{self, Memory, filled};
use super::merge::Token;
use crate::simd::entries::{self, SHORT};
use crate::simd::words;
use crate::simd::{BLOCK, Isa, ROOM, Work};

/// The last bytes of a text are copied, to have bytes behind them.
const TAIL: usize = 1024;
/// What has to follow a stretch.
const MARGIN: usize = BLOCK + 32;

/// Who wants to know more than the number of tokens.
pub(super) trait Sink {
    /// Whether it does.
    const WANTED: bool;
    /// Pieces start at the bits of `starts`, counted from `at`.
    fn pieces(&mut self, at: usize, starts: u64);
    /// The piece at `start`, which was told of, has `count` tokens. Need not be told of those that have one.
    fn count(&mut self, start: usize, count: usize);
    /// Whether the tokens of a piece of `len` bytes are to be told.
    fn wants_tokens(&self, len: usize) -> bool;
    /// The tokens of the piece at `start`.
    fn tokens(&mut self, start: usize, tokens: &[Token]);
}

/// Nobody does.
pub(super) struct Unheard;

impl Sink for Unheard {
    const WANTED: bool = false;
    fn pieces(&mut self, _: usize, _: u64) {}
    fn count(&mut self, _: usize, _: usize) {}
    fn wants_tokens(&self, _: usize) -> bool {
        false
    }
    fn tokens(&mut self, _: usize, _: &[Token]) {}
}

/// Room for one pass, and what is remembered from one to the next.
pub(super) struct Scratch {
    copy: Box<[u8; TAIL + MARGIN]>,
    lists: Lists,
}

struct Lists {
    memory: Memory,
    pieces: Pieces,
    tokens: Vec<Token>,
}

impl Scratch {
    pub(super) fn new() -> Self {
        let lists = Lists { memory: Memory::new(), pieces: Pieces::new(), tokens: Vec::new() };
        Self { copy: filled(0), lists }
    }
}

/// Counts the pieces of `text` from the one that starts at `at` to the last one that starts before `until`, or some more.
/// Results in the number of tokens and the end of the last piece.
pub(super) struct Pass<'a, S> {
    pub(super) engine: &'a Engine,
    pub(super) scratch: &'a mut Scratch,
    pub(super) text: &'a [u8],
    pub(super) at: usize,
    pub(super) until: usize,
    pub(super) sink: &'a mut S,
}

impl<S: Sink> Work for Pass<'_, S> {
    type Output = (usize, usize);

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> (usize, usize) {
        let Self { engine, scratch: Scratch { copy, lists }, text, mut at, until, sink } = self;
        let mut total = 0;
        while at < until {
            let rest = text.len() - at;
            if rest <= TAIL {
                copy[..rest].copy_from_slice(&text[at..]);
                copy[rest..rest + MARGIN].fill(b'\n');
                let mut reach = Reach { isa, engine, lists, bytes: &copy[..rest + MARGIN], end: rest, base: at, sink };
                return (total + reach.stretch(0, rest).0, text.len());
            }
            let stretch_end = until.min(at + STRETCH).min(text.len() - MARGIN);
            let mut reach = Reach { isa, engine, lists, bytes: text, end: text.len(), base: 0, sink };
            let (count, end) = reach.stretch(at, stretch_end);
            total += count;
            at = end;
        }
        (total, at)
    }
}

struct Reach<'a, I, S> {
    isa: I,
    engine: &'a Engine,
    lists: &'a mut Lists,
    bytes: &'a [u8],
    /// The end of the text in `bytes`.
    end: usize,
    /// Where `bytes` begins, as the sink sees it.
    base: usize,
    sink: &'a mut S,
}

impl<I: Isa, S: Sink> Reach<'_, I, S> {
    /// All pieces that start in `at..until`, which is at most `STRETCH` long.
    #[inline(always)]
    fn stretch(&mut self, at: usize, until: usize) -> (usize, usize) {
        let (mut pieces, end) = match self.engine.pattern {
            Pattern::Cl100k => self.list_blocks::<false>(at, until),
            Pattern::O200k => self.list_blocks::<true>(at, until),
            Pattern::R50k => self.list(at, until),
        };
        let mut total = 0;
        if end + BEHIND > self.bytes.len() {
            // A long piece at the end of a text, behind which there is too little to look it up with the others.
            pieces -= 1;
            total += self.count_unknown(pieces, 0);
        }
        let Lists { memory, pieces: list, .. } = &mut *self.lists;
        let found = if S::WANTED {
            list.look_up::<I, true>(self.isa, self.bytes, pieces, memory)
        } else {
            list.look_up::<I, false>(self.isa, self.bytes, pieces, memory)
        };
        for (start, count) in list.several(found) {
            self.sink.count(self.base + start, count);
        }
        (total + found.total + self.count_misses(found), end)
    }

    /// Lists starts of pieces, and the end of the last one. Returns their number and that end.
    #[inline(always)]
    fn list_blocks<const O200K: bool>(&mut self, mut at: usize, until: usize) -> (usize, usize) {
        let mut pieces = 0;
        while at < until {
            let mut bits = blocks::starts::<I, O200K>(self.isa, self.bytes, at);
            if self.end - at < BLOCK {
                bits &= u64::MAX >> (63 - (self.end - at));
            }
            if bits == 1 {
                at = self.list_one(at, pieces);
                pieces += 1;
                continue;
            }
            let last = bits.ilog2();
            bits &= !(1 << last);
            self.sink.pieces(self.base + at, bits);
            let Some(room) = self.lists.pieces.starts[pieces..].first_chunk_mut::<ROOM>() else { break };
            self.isa.spread(bits, at as u32, room);
            pieces += bits.count_ones() as usize;
            at += last as usize;
        }
        self.lists.pieces.starts[pieces] = at as u32;
        (pieces, at)
    }

    /// The same, one by one.
    fn list(&mut self, mut at: usize, until: usize) -> (usize, usize) {
        let mut pieces = 0;
        while at < until {
            at = self.list_one(at, pieces);
            pieces += 1;
        }
        self.lists.pieces.starts[pieces] = at as u32;
        (pieces, at)
    }

    #[inline(never)]
    fn list_one(&mut self, at: usize, pieces: usize) -> usize {
        self.sink.pieces(self.base + at, 1);
        self.lists.pieces.starts[pieces] = at as u32;
        self.engine.pattern.piece_end(&self.bytes[..self.end], at)
    }

    #[inline(always)]
    fn count_misses(&mut self, found: Found) -> usize {
        for miss in self.lists.pieces.misses(found) {
            self.lists.memory.prefetch(miss.hash);
        }
        let mut total = 0;
        for i in 0..found.misses {
            let Miss { number, hash } = self.lists.pieces.miss(i);
            total += self.count_unknown(number, hash);
        }
        total
    }

    /// Counts a piece of the list that was not seen lately, and tells the sink.
    #[inline(always)]
    fn count_unknown(&mut self, number: usize, hash: u64) -> usize {
        let [start, end] = [number, number + 1].map(|number| self.lists.pieces.starts[number] as usize);
        let count = self.count_miss(start, end, hash);
        if S::WANTED && count > 1 && !self.sink.wants_tokens(end - start) {
            self.sink.count(self.base + start, count);
        }
        count
    }

    /// Counts a piece that was not seen lately.
    fn count_miss(&mut self, start: usize, end: usize, hash: u64) -> usize {
        let len = end - start;
        if len <= SHORT {
            return self.count_short(start, end, hash);
        }
        if self.sink.wants_tokens(len) {
            let Lists { tokens, .. } = &mut *self.lists;
            self.engine.piece_ends(&self.bytes[start..end], tokens);
            self.sink.tokens(self.base + start, tokens);
            return tokens.len();
        }
        if self.bytes[start..end].is_ascii() { self.count_long(start, end) } else { self.count_wide(start, end) }
    }

    /// A piece, or a part of one that no token joins with the rest, of at most 15 bytes.
    fn count_short(&mut self, start: usize, end: usize, hash: u64) -> usize {
        let key = key(self.bytes, start, end - start);
        let mut count = self.lists.memory.get(key, hash);
        if count == 0 {
            let known = self.engine.vocabulary.rank(&self.bytes[start..end]).is_some();
            count = if known { 1 } else { self.count_wide(start, end) };
            self.lists.memory.insert(key, hash, count);
        }
        self.lists.memory.set_front(key, hash, count);
        count
    }

    fn count_long(&mut self, start: usize, end: usize) -> usize {
        let piece = &self.bytes[start..end];
        let Lists { memory, tokens, .. } = &mut *self.lists;
        if piece.len() > memory::LONG {
            return self.engine.piece_count(piece, tokens);
        }
        let hash = super::vocabulary::hash(piece);
        let mut count = memory.get_long(piece, hash);
        if count == 0 {
            count = self.engine.piece_count(piece, tokens);
            memory.insert_long(piece, hash, count);
        }
        count
    }

    /// A piece as the sum of its parts between which no token can reach. What is all ASCII is one part.
    fn count_wide(&mut self, start: usize, end: usize) -> usize {
        let isa = self.isa;
        isa.call(
            #[inline(always)]
            || self.count_parts(start, end),
        )
    }

    #[inline(always)]
    fn count_parts(&mut self, start: usize, end: usize) -> usize {
        if self.bytes[start..end].is_ascii() {
            return self.engine.piece_count(&self.bytes[start..end], &mut self.lists.tokens);
        }
        let mut total = 0;
        let mut from = start;
        while from < end {
            let mut stretch = Stretch::new(&self.engine.cuts, &self.bytes[..end], from);
            if stretch.end < end && !stretch.give_back() || stretch.is_one(start, end) && end - start <= SHORT {
                // `count_part` would ask for it here.
                return total + self.engine.piece_count(&self.bytes[from..end], &mut self.lists.tokens);
            }
            let (singles, mut others) = stretch.singles();
            total += singles;
            while others != 0 {
                let (part, part_end) = stretch.part(others.trailing_zeros());
                others &= others - 1;
                total += self.count_part(part, part_end);
            }
            from = stretch.end;
        }
        total
    }

    #[inline(always)]
    fn count_part(&mut self, start: usize, end: usize) -> usize {
        let len = end - start;
        if len > SHORT {
            return self.count_long(start, end);
        }
        let key = key(self.bytes, start, len);
        let hash = entries::hash(key);
        let memory = &self.lists.memory;
        let seen =
            if len <= words::TINY { memory.word(words::key(key[0], len as u64)) } else { memory.front(key, hash) };
        if seen > 0 { seen } else { self.count_short(start, end, hash) }
    }
}

/// The key of the piece of `len` bytes at `start`. A part of a long piece may be close to the end of the text.
#[inline(always)]
fn key(bytes: &[u8], start: usize, len: usize) -> [u64; 2] {
    let bytes = &bytes[start..];
    let sixteen = bytes.first_chunk().copied().unwrap_or_else(|| {
        let mut copy = [0; 16];
        copy[..bytes.len()].copy_from_slice(bytes);
        copy
    });
    let number = u128::from_le_bytes(sixteen);
    entries::key(number as u64, (number >> 64) as u64, len as u64)
}
