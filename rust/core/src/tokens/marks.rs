//! Two bitmaps over the bytes of a text: where pieces start, and one bit for each token.
//!
//! A piece of k tokens has bits at its first k bytes, but a piece of `LARGE` bytes or more has them where its tokens start. So
//! the tokens before a piece are the bits before it, and three eighths of a byte of memory for each byte of text are enough.

use super::merge::Token;
use super::pass::Sink;
use crate::span::Span;

/// A piece of this many bytes is marked token by token.
pub(super) const LARGE: usize = 512;

/// What is marked in 64 bytes.
#[derive(Clone, Copy, Default)]
struct Word {
    pieces: u64,
    tokens: u64,
    /// The tokens before.
    rank: u32,
}

/// The bitmaps of one text.
pub(super) struct Marks {
    words: Vec<Word>,
    /// The pieces of `LARGE` bytes or more, in order.
    large: Vec<Span>,
    len: usize,
    total: usize,
}

impl Marks {
    /// Empty bitmaps for a text of `len` bytes.
    pub(super) fn new(len: usize) -> Self {
        Self { words: vec![Word::default(); len / 64 + 1], large: Vec::new(), len, total: 0 }
    }

    /// Sums up. To be called once, after all pieces are marked.
    pub(super) fn finish(&mut self) {
        let mut sum = 0;
        for word in &mut self.words {
            word.tokens |= word.pieces;
            word.rank = sum;
            sum += word.tokens.count_ones();
        }
        self.total = sum as usize;
    }

    /// All tokens.
    pub(super) const fn total(&self) -> usize {
        self.total
    }

    /// Whether a piece starts at `at`, or the text ends there.
    pub(super) fn is_start(&self, at: usize) -> bool {
        at == self.len || self.words[at / 64].pieces >> (at % 64) & 1 == 1
    }

    /// The number of tokens before `at`, which is the start of a piece, the start of a token of a large one, or the end.
    pub(super) fn before(&self, at: usize) -> usize {
        let Word { tokens, rank, .. } = self.words[at / 64];
        let below = tokens & ((1 << (at % 64)) - 1);
        rank as usize + below.count_ones() as usize
    }

    /// The large piece that `at` is inside of or at the start of.
    pub(super) fn large_at(&self, at: usize) -> Option<Span> {
        let behind = self.large.partition_point(|piece| piece.start as usize <= at);
        self.large[..behind].last().copied().filter(|piece| at < piece.end as usize)
    }

    /// The last start of a piece at or before `at`, or the end of the text.
    pub(super) fn start_at_or_before(&self, at: usize) -> usize {
        if at == self.len {
            return at;
        }
        self.large_at(at).map_or_else(|| self.last_piece(at), |piece| piece.start as usize)
    }

    /// The first start of a piece behind `at`, or the end of the text.
    pub(super) fn start_behind(&self, at: usize) -> usize {
        self.large_at(at).map_or_else(|| self.first_bit(at + 1, |word| word.pieces), |piece| piece.end as usize)
    }

    /// The first token mark at or behind `at`, or the end of the text.
    pub(super) fn token_at_or_behind(&self, at: usize) -> usize {
        self.first_bit(at, |word| word.tokens)
    }

    /// The place of the mark of token number `number`, or the end of the text.
    pub(super) fn select(&self, number: usize) -> usize {
        if number >= self.total {
            return self.len;
        }
        let word = self.words.partition_point(|word| word.rank as usize <= number) - 1;
        let mut bits = self.words[word].tokens;
        for _ in self.words[word].rank as usize..number {
            bits &= bits - 1;
        }
        word * 64 + bits.trailing_zeros() as usize
    }

    /// The last start of a piece at or before `at`.
    fn last_piece(&self, at: usize) -> usize {
        let mut word = at / 64;
        let mut bits = self.words[word].pieces & (u64::MAX >> (63 - at % 64));
        while bits == 0 && word > 0 {
            word -= 1;
            bits = self.words[word].pieces;
        }
        word * 64 + (63 - (bits | 1).leading_zeros() as usize)
    }

    /// The first bit at or behind `at`, or the end of the text.
    fn first_bit(&self, at: usize, of: impl Fn(&Word) -> u64) -> usize {
        let first = at / 64;
        let Some(word) = self.words.get(first) else { return self.len };
        let bits = of(word) & (u64::MAX << (at % 64));
        if bits != 0 {
            return first * 64 + bits.trailing_zeros() as usize;
        }
        let behind = self.words[first + 1..].iter().position(|word| of(word) != 0);
        behind.map_or(self.len, |word| {
            let word = first + 1 + word;
            word * 64 + of(&self.words[word]).trailing_zeros() as usize
        })
    }

    /// Sets bits, counted from `at`.
    #[inline(always)]
    fn or(&mut self, at: usize, bits: u64, of: impl Fn(&mut Word) -> &mut u64) {
        *of(&mut self.words[at / 64]) |= bits << (at % 64);
        let over = bits >> 1 >> (63 - at % 64);
        if over != 0 {
            *of(&mut self.words[at / 64 + 1]) |= over;
        }
    }
}

impl Sink for Marks {
    const WANTED: bool = true;

    #[inline(always)]
    fn pieces(&mut self, at: usize, starts: u64) {
        self.or(at, starts, |word| &mut word.pieces);
    }

    #[inline(always)]
    fn count(&mut self, start: usize, count: usize) {
        if count < 64 {
            self.or(start, (1 << count) - 1, |word| &mut word.tokens);
        } else {
            for at in start..start + count {
                self.words[at / 64].tokens |= 1 << (at % 64);
            }
        }
    }

    fn wants_tokens(&self, len: usize) -> bool {
        len >= LARGE
    }

    fn tokens(&mut self, start: usize, tokens: &[Token]) {
        let len = tokens.last().map_or(0, |token| token.end as usize);
        self.large.push(Span::new(start, start + len));
        let mut at = start;
        for token in tokens {
            self.words[at / 64].tokens |= 1 << (at % 64);
            at = start + token.end as usize;
        }
    }
}
