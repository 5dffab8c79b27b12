//! One pass over a text: pieces are listed for a stretch of text, then looked up together, and what is not known is counted.

use std::array::from_fn;

use super::blocks;
use super::cuts::Stretch;
use super::engine::Engine;
use super::lexer::Pattern;
use super::memory::{self, Memory, filled};
use super::merge::Token;
use crate::simd::words::{self, EIGHT, Eight};
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
    starts: Box<[u32; STRETCH + 2 * BLOCK]>,
    /// Short pieces seen lately that have more than one token, and pieces that are not among those.
    others: Box<List<u32>>,
    /// Pieces that are not among the longer ones seen lately either.
    misses: Box<List<Miss>>,
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

/// Of an entry in the list of others, the bits from here on are the number of tokens, 0 if that is not known. Those below are the piece's number.
const COUNT_SHIFT: u32 = u16::BITS;

impl Scratch {
    pub(super) fn new() -> Self {
        let lists = Lists {
            memory: Memory::new(),
            starts: filled(0),
            others: filled(0),
            misses: filled(Miss::default()),
            tokens: Vec::new(),
        };
        Self { copy: filled(0), lists }
    }
}

/// Known the pieces of `text` from the one that starts at `at` to the last one that starts before `until`, or some more.
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
#[derive(Clone, Copy)]
struct Found {
    total: usize,
    /// The length of the list of others, or of misses.
    listed: usize,
}

/// Known the first `pieces` pieces that begin at `starts` as far as they are words seen lately, and lists the others. The next eight starts
/// have at least eight bytes behind them too.
#[inline(always)]
fn look_up_words<I: Isa, S: Sink>(
    isa: I,
    bytes: &[u8],
    starts: &[u32],
    pieces: usize,
    memory: &Memory,
    others: &mut List<u32>,
) -> Found {
    let mut totals = Eight::default();
    let mut listed = 0;
    let mut number = 0;
    while number < pieces {
        let (Some(nine), Some(room)) = (starts[number..].first_chunk(), others[listed..].first_chunk_mut()) else {
            break;
        };
        let keys = isa.word_keys(&from_fn(|i| eight(bytes, nine[i])), nine);
        let found = isa.word_counts(&memory.words(&keys.slots), &keys.keys);
        totals = from_fn(|i| totals[i] + found.counts[i]);
        let wanted = if S::WANTED { !found.one } else { !found.some };
        isa.keep(&from_fn(|i| (number + i) as u32 | (found.counts[i] as u32) << COUNT_SHIFT), wanted, room);
        listed += wanted.count_ones() as usize;
        number += EIGHT;
    }
    // Behind the last piece came some without bytes, which are no words.
    listed -= others[..listed].iter().rev().take_while(|other| usize::from(**other as u16) >= pieces).count();
    Found { total: totals.iter().sum::<u64>() as usize, listed }
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
        if end + EIGHT > self.bytes.len() {
            // A long piece at the end of a text, behind which there is too little to look it up with the others.
            pieces -= 1;
            total += self.count_unknown(pieces, 0);
        }
        let found = self.look_up(pieces);
        (total + found.total + self.count_misses(found.listed), end)
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

    /// Known the pieces that were seen lately, lists the others, and tells the sink of those that may have several tokens.
    #[inline(always)]
    fn look_up(&mut self, pieces: usize) -> Found {
        let Lists { memory, starts, others, misses, .. } = &mut *self.lists;
        let behind = starts[pieces];
        starts[pieces + 1..=pieces + EIGHT].fill(behind);
        let words = look_up_words::<I, S>(self.isa, self.bytes, &starts[..], pieces, memory, others);
        let (mut total, mut unknown) = (words.total, 0);
        for other in &others[..words.listed] {
            let number = usize::from(*other as u16);
            let Some([start, end]) = starts[number..].first_chunk::<2>() else { break };
            let Some(sixteen) = self.bytes.get(*start as usize..).and_then(|bytes| bytes.first_chunk::<16>()) else {
                break;
            };
            let key = memory::key(sixteen, (end - start) as usize);
            let hash = memory::hash(key);
            let found = memory.front(key, hash);
            total += found;
            let count = (other >> COUNT_SHIFT) as usize + found;
            misses[unknown] = Miss { number: number as u32, hash };
            unknown += usize::from(count == 0);
            if S::WANTED {
                self.sink.count(self.base + *start as usize, count);
            }
        }
        Found { total, listed: unknown }
    }

    #[inline(always)]
    fn count_misses(&mut self, misses: usize) -> usize {
        for miss in &self.lists.misses[..misses] {
            self.lists.memory.prefetch(miss.hash);
        }
        let mut total = 0;
        for i in 0..misses {
            let Miss { number, hash } = self.lists.misses[i];
            total += self.count_unknown(number as usize, hash);
        }
        total
    }

    /// Known a piece of the list that was not seen lately, and tells the sink.
    #[inline(always)]
    fn count_unknown(&mut self, number: usize, hash: u64) -> usize {
        let [start, end] = [number, number + 1].map(|number| self.lists.starts[number] as usize);
        let count = self.count_miss(start, end, hash);
        if S::WANTED && count > 1 && !self.sink.wants_tokens(end - start) {
            self.sink.count(self.base + start, count);
        }
        count
    }

    /// Known a piece that was not seen lately.
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
        let seen =
            if len <= words::TINY { memory.word(words::key(key[0], len as u64)) } else { memory.front(key, hash) };
        if seen > 0 { seen } else { self.count_short(start, end, hash) }
    }
}

/// The eight bytes from `start` on.
#[inline(always)]
fn eight(bytes: &[u8], start: u32) -> u64 {
    let (eights, _) = bytes[start as usize..start as usize + EIGHT].as_chunks();
    u64::from_le_bytes(eights[0])
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
