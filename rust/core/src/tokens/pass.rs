//! One pass over a text: pieces are listed for a stretch of text, then looked up together, and what is not known is counted.

use super::blocks;
use super::classes;
use super::engine::Engine;
use super::lexer::Pattern;
use super::look_up::{BEHIND, LookUp, Miss, Pieces, STRETCH};
use super::memory::{self, Memory, filled};
use super::merge::Token;
use super::wide::{LONGEST, Whole, Wide};
use crate::simd::entries::{self, SHORT};
use crate::simd::words::EIGHT;
use crate::simd::{BLOCK, Isa, Work};

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
    /// Where pieces start, and where the last one ends.
    starts: Box<[u32; STRETCH + 2 * BLOCK]>,
    look_up: LookUp,
    wide: Box<Wide>,
    tokens: Vec<Token>,
}

impl Scratch {
    pub(super) fn new() -> Self {
        let lists = Lists {
            memory: Memory::new(),
            starts: filled(0),
            look_up: LookUp::new(),
            wide: Box::new(Wide::new()),
            tokens: Vec::new(),
        };
        Self { copy: filled(0), lists }
    }
}

/// Counts the pieces of `text` from the one that starts at `at` to the last one that starts before `until`, or some more.
/// Results in the number of tokens, if the sink does not want to know, and the end of the last piece.
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
                let mut reach =
                    Reach { isa, engine, lists, bytes: &copy[..rest + MARGIN], end: rest, base: at, sink, total: 0 };
                return (total + reach.stretch(0, rest).0, text.len());
            }
            let stretch_end = until.min(at + STRETCH).min(text.len() - MARGIN);
            let mut reach = Reach { isa, engine, lists, bytes: text, end: text.len(), base: 0, sink, total: 0 };
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
    /// The tokens of the stretch so far, if the sink does not want to know.
    total: usize,
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
        self.total = 0;
        if end + BEHIND > self.bytes.len() {
            // A long piece at the end of a text, behind which there is too little to look it up with the others.
            pieces -= 1;
            let start = self.lists.starts[pieces] as usize;
            self.miss_long(start, end);
        }
        self.look_up(pieces);
        self.count_wide();
        (self.total, end)
    }

    /// Looks the first pieces of the list up, and counts those that were not seen lately.
    #[inline(always)]
    fn look_up(&mut self, pieces: usize) {
        let Lists { memory, starts, look_up, .. } = &mut *self.lists;
        let behind = starts[pieces];
        starts[pieces + 1..=pieces + EIGHT].fill(behind);
        let list = Pieces { bytes: self.bytes, starts: &starts[..], ends: &starts[1..=pieces + EIGHT] };
        let found = if S::WANTED {
            look_up.run::<I, true>(self.isa, list, memory)
        } else {
            look_up.run::<I, false>(self.isa, list, memory)
        };
        self.total += found.total;
        for (number, count) in look_up.several(found) {
            self.sink.count(self.base + starts[number] as usize, count);
        }
        for i in 0..found.misses {
            memory.prefetch(look_up.miss(i).hash);
        }
        for i in 0..found.misses {
            let Miss { number, hash } = self.lists.look_up.miss(i);
            let [start, end] = [number, number + 1].map(|number| self.lists.starts[number] as usize);
            if end - start <= SHORT { self.miss_short(start, end, hash) } else { self.miss_long(start, end) }
        }
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
            let Some(room) = self.lists.starts[pieces..].first_chunk_mut::<BLOCK>() else { break };
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

    /// Counts a piece, and tells the sink.
    #[inline(always)]
    fn count(&mut self, start: usize, count: usize) {
        if !S::WANTED {
            self.total += count;
        } else if count > 1 {
            self.sink.count(self.base + start, count);
        }
    }

    /// A piece of at most 15 bytes that was not seen lately.
    fn miss_short(&mut self, start: usize, end: usize, hash: u64) {
        let engine = self.engine;
        let count = self.count_short(start, end, hash, |piece, tokens| {
            if piece.is_ascii() {
                engine.piece_count(piece, tokens)
            } else {
                usize::from(engine.vocabulary.rank(piece).is_some())
            }
        });
        if count > 0 { self.count(start, count) } else { self.push_wide(start, end) }
    }

    /// The tokens of a piece, or part of one, of at most 15 bytes: what is remembered of it, else what `count` says, which is remembered unless it is 0.
    #[inline(always)]
    fn count_short(
        &mut self,
        start: usize,
        end: usize,
        hash: u64,
        count: impl FnOnce(&[u8], &mut Vec<Token>) -> usize,
    ) -> usize {
        let key = key(self.bytes, start, end - start);
        let Lists { memory, tokens, .. } = &mut *self.lists;
        let mut found = memory.get(key, hash);
        if found == 0 {
            found = count(&self.bytes[start..end], tokens);
            if found == 0 {
                return 0;
            }
            memory.insert(key, hash, found);
        }
        memory.set_front(key, hash, found);
        found
    }

    /// A longer one.
    fn miss_long(&mut self, start: usize, end: usize) {
        let piece = &self.bytes[start..end];
        if self.sink.wants_tokens(piece.len()) {
            let Lists { tokens, .. } = &mut *self.lists;
            self.engine.piece_ends(piece, tokens);
            self.sink.tokens(self.base + start, tokens);
        } else if piece.is_ascii() {
            let count = self.count_long(start, end);
            self.count(start, count);
        } else if piece.len() > LONGEST || end + BEHIND > self.bytes.len() {
            self.count_wide();
            let count = self.count_alone(start, end);
            self.count(start, count);
        } else {
            self.push_wide(start, end);
        }
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

    /// A piece beyond ASCII, to be counted with others.
    #[inline(always)]
    fn push_wide(&mut self, start: usize, end: usize) {
        if !self.lists.wide.has_room(end - start) {
            self.count_wide();
        }
        let isa = self.isa;
        isa.call(
            #[inline(always)]
            || self.lists.wide.push(isa, self.bytes, start, end),
        );
    }

    /// Counts the pieces beyond ASCII, and tells the sink.
    #[inline(always)]
    fn count_wide(&mut self) {
        if self.lists.wide.wholes.is_empty() {
            return;
        }
        let isa = self.isa;
        isa.call(
            #[inline(always)]
            || self.count_parts(),
        );
        for number in 0..self.lists.wide.wholes.len() {
            let Whole { start, end, tokens } = self.lists.wide.wholes[number];
            let (start, end, count) = (start as usize, end as usize, tokens as usize);
            if end - start <= SHORT {
                // It may have been met twice since it was looked up.
                self.count_short(start, end, self.hash(start, end), |_, _| count);
            }
            self.count(start, count);
        }
        self.lists.wide.clear();
    }

    /// Pieces as the sums of their parts, which are looked up together.
    #[inline(always)]
    fn count_parts(&mut self) {
        let Lists { memory, wide, .. } = &mut *self.lists;
        wide.cut(self.isa, &self.engine.cuts);
        let (look_up, parts) = wide.listed(self.bytes);
        let found = look_up.run::<I, true>(self.isa, parts, memory);
        wide.count_several(found);
        for i in 0..found.misses {
            let Miss { number, hash } = self.lists.wide.look_up.miss(i);
            let (start, end) = self.lists.wide.part(number);
            let count = self.count_part(start, end, hash);
            self.lists.wide.count(number, count);
        }
    }

    /// A part that was not seen lately.
    fn count_part(&mut self, start: usize, end: usize, hash: u64) -> usize {
        if end - start > SHORT {
            return self.count_long(start, end);
        }
        let engine = self.engine;
        self.count_short(start, end, hash, |part, tokens| engine.piece_count(part, tokens))
    }

    fn hash(&self, start: usize, end: usize) -> u64 {
        entries::hash(key(self.bytes, start, end - start))
    }

    /// A piece beyond ASCII that is too long for the list, or ends with the text, by itself.
    fn count_alone(&mut self, start: usize, end: usize) -> usize {
        let mut total = 0;
        let mut from = start;
        while from < end {
            let mut until = classes::start_at_or_before(self.bytes, end.min(from + LONGEST));
            self.cut_alone(from, until);
            if until < end {
                // What is behind the last cut may go on.
                until = self.lists.wide.last_cut();
                if until == from {
                    self.lists.wide.clear();
                    return total + self.engine.piece_count(&self.bytes[from..end], &mut self.lists.tokens);
                }
                self.cut_alone(from, until);
            }
            for number in 0..self.lists.wide.parts {
                let (start, end) = self.lists.wide.part(number);
                let count = self.count_part(start, end, self.hash(start, end));
                self.lists.wide.count(number, count);
            }
            total += self.lists.wide.wholes[0].tokens as usize;
            self.lists.wide.clear();
            from = until;
        }
        total
    }

    fn cut_alone(&mut self, start: usize, end: usize) {
        let Lists { wide, .. } = &mut *self.lists;
        wide.clear();
        wide.push(self.isa, self.bytes, start, end);
        wide.cut(self.isa, &self.engine.cuts);
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
