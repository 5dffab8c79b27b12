//! One pass over a text: pieces are listed for a stretch of text, then looked up together, and what is not known is counted.

use std::hint::select_unpredictable;

use super::blocks;
use super::cuts::Stretch;
use super::engine::Engine;
use super::lexer::Pattern;
use super::memory::{self, Memory, filled};
use super::merge::Token;
use crate::simd::{BLOCK, Isa, ROOM, Work};

/// Pieces are listed for this many bytes at a time, so that the list stays in the first cache.
const STRETCH: usize = 4096;
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
    /// The piece at `start` has more than one token.
    fn several(&mut self, start: usize, count: usize);
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
    fn several(&mut self, _: usize, _: usize) {}
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
    starts: Box<[u32; STRETCH + 2 * BLOCK]>,
    keys: Box<List<u64>>,
    /// Pieces that are not among the short ones seen lately.
    others: Box<List<u32>>,
    /// Of these, the pieces that are not among the longer ones either.
    misses: Box<List<Miss>>,
    /// Pieces seen lately that have more than one token.
    several: Box<List<Several>>,
    tokens: Vec<Token>,
}

/// Room for something of each piece of a stretch.
type List<T> = [T; STRETCH + BLOCK];

/// A piece that was not seen lately.
#[derive(Clone, Copy, Default)]
struct Miss {
    number: u32,
    hash: u64,
}

/// A piece with its number of tokens.
#[derive(Clone, Copy, Default)]
struct Several {
    number: u32,
    count: u32,
}

impl Scratch {
    pub(super) fn new() -> Self {
        let lists = Lists {
            memory: Memory::new(),
            starts: filled(0),
            keys: filled(0),
            others: filled(0),
            misses: filled(Miss::default()),
            several: filled(Several::default()),
            tokens: Vec::new(),
        };
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

/// What looking up found.
#[derive(Clone, Copy, Default)]
struct Found {
    total: usize,
    others: usize,
    misses: usize,
    several: usize,
}

impl Found {
    /// Counts short pieces that were seen lately, and lists the others.
    #[inline(always)]
    fn short<S: Sink>(
        &mut self,
        bytes: &[u8],
        starts: &[u32],
        memory: &Memory,
        keys: &mut List<u64>,
        others: &mut List<u32>,
        several: &mut List<Several>,
    ) {
        let (mut total, mut other, mut some) = (0, 0, 0);
        for (key, pair) in keys.iter_mut().zip(starts.windows(2)) {
            let (start, len) = (pair[0] as usize, (pair[1] - pair[0]) as usize);
            let Some(eight) = bytes.get(start..).and_then(|bytes| bytes.first_chunk::<8>()) else { break };
            let word = memory::word_key(*eight, len);
            *key = select_unpredictable(len <= memory::TINY, word, 0);
            memory.prefetch_word(word);
        }
        for (number, key) in keys[..starts.len() - 1].iter().enumerate() {
            let count = memory.word(*key);
            total += count;
            others[other] = number as u32;
            other += usize::from(count == 0);
            if S::WANTED {
                several[some] = Several { number: number as u32, count: count as u32 };
                some += usize::from(count > 1);
            }
        }
        *self = Self { total, others: other, misses: 0, several: some };
    }

    /// The same for the others.
    #[inline(always)]
    fn longer<S: Sink>(
        &mut self,
        bytes: &[u8],
        starts: &[u32],
        memory: &Memory,
        others: &List<u32>,
        misses: &mut List<Miss>,
        several: &mut List<Several>,
    ) {
        let Self { mut total, misses: mut unknown, several: mut some, .. } = *self;
        for number in &others[..self.others] {
            let Some([start, end]) = starts[*number as usize..].first_chunk::<2>() else { break };
            let Some(sixteen) = bytes.get(*start as usize..).and_then(|bytes| bytes.first_chunk::<16>()) else { break };
            let key = memory::key(sixteen, (end - start) as usize);
            let hash = memory::hash(key);
            let count = memory.front(key, hash);
            total += count;
            misses[unknown] = Miss { number: *number, hash };
            unknown += usize::from(count == 0);
            if S::WANTED {
                several[some] = Several { number: *number, count: count as u32 };
                some += usize::from(count > 1);
            }
        }
        *self = Self { total, misses: unknown, several: some, ..*self };
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
        let (pieces, end) = match self.engine.pattern {
            Pattern::Cl100k => self.list_blocks::<false>(at, until),
            Pattern::O200k => self.list_blocks::<true>(at, until),
            Pattern::R50k => self.list(at, until),
        };
        let Lists { memory, starts, keys, others, misses, several, .. } = &mut *self.lists;
        let mut found = Found::default();
        found.short::<S>(self.bytes, &starts[..=pieces], memory, keys, others, several);
        found.longer::<S>(self.bytes, &starts[..=pieces], memory, others, misses, several);
        if S::WANTED {
            self.tell(found.several);
        }
        (found.total + self.count_misses(found.misses), end)
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
            let Some(room) = self.lists.starts[pieces..].first_chunk_mut::<ROOM>() else { break };
            self.isa.spread(bits, at as u32, room);
            pieces += bits.count_ones() as usize;
            at += last as usize;
        }
        self.lists.starts[pieces] = at as u32;
        (pieces, at)
    }

    /// The same, one by one.
    fn list(&mut self, mut at: usize, until: usize) -> (usize, usize) {
        let mut pieces = 0;
        while at < until {
            at = self.list_one(at, pieces);
            pieces += 1;
        }
        self.lists.starts[pieces] = at as u32;
        (pieces, at)
    }

    #[inline(never)]
    fn list_one(&mut self, at: usize, pieces: usize) -> usize {
        self.sink.pieces(self.base + at, 1);
        self.lists.starts[pieces] = at as u32;
        self.engine.pattern.piece_end(&self.bytes[..self.end], at)
    }

    /// Tells the sink of the pieces with more than one token.
    fn tell(&mut self, several: usize) {
        for Several { number, count } in &self.lists.several[..several] {
            self.sink.several(self.base + self.lists.starts[*number as usize] as usize, *count as usize);
        }
    }

    #[inline(always)]
    fn count_misses(&mut self, misses: usize) -> usize {
        for miss in &self.lists.misses[..misses] {
            self.lists.memory.prefetch(miss.hash);
        }
        let mut total = 0;
        for i in 0..misses {
            let Miss { number, hash } = self.lists.misses[i];
            let start = self.lists.starts[number as usize] as usize;
            let end = self.lists.starts[number as usize + 1] as usize;
            let count = self.count_miss(start, end, hash);
            total += count;
            if S::WANTED && count > 1 && !self.sink.wants_tokens(end - start) {
                self.sink.several(self.base + start, count);
            }
        }
        total
    }

    /// Counts a piece that was not seen lately.
    fn count_miss(&mut self, start: usize, end: usize, hash: u64) -> usize {
        let len = end - start;
        if len <= memory::SHORT {
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
        let key = memory::key(&sixteen(self.bytes, start), end - start);
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
            if stretch.end < end && !stretch.give_back() || stretch.is_one(start, end) && end - start <= memory::SHORT {
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
        if len > memory::SHORT {
            return self.count_long(start, end);
        }
        let bytes = sixteen(self.bytes, start);
        let key = memory::key(&bytes, len);
        let hash = memory::hash(key);
        let memory = &self.lists.memory;
        let seen = if len <= memory::TINY {
            memory.word(memory::word_key(key[0].to_le_bytes(), len))
        } else {
            memory.front(key, hash)
        };
        if seen > 0 { seen } else { self.count_short(start, end, hash) }
    }
}

/// The bytes from `start` on, and zeros behind the end. A part of a long piece may be close to the end of the text.
#[inline(always)]
fn sixteen(bytes: &[u8], start: usize) -> [u8; 16] {
    let bytes = &bytes[start..];
    bytes.first_chunk().copied().unwrap_or_else(|| {
        let mut copy = [0; 16];
        copy[..bytes.len()].copy_from_slice(bytes);
        copy
    })
}
