//! Two bitmaps over the bytes of a text: where pieces start, and one bit for each token.
//!
//! A piece of k tokens has bits at its first k bytes, but a piece of `LARGE` bytes or more has them where its tokens start. So
//! the tokens before a piece are the bits before it, and a quarter of a byte and a bit of memory for each byte of text is enough.

use super::merge::Token;
use super::pass::Sink;
use crate::span::Span;

/// A piece of this many bytes is marked token by token.
pub(super) const LARGE: usize = 512;

/// The bitmaps of one text.
pub(super) struct Marks {
    pieces: Vec<u64>,
    tokens: Vec<u64>,
    /// The tokens before each word.
    ranks: Vec<u32>,
    /// The pieces of `LARGE` bytes or more, in order.
    large: Vec<Span>,
    len: usize,
    total: usize,
}

impl Marks {
    /// Empty bitmaps for a text of `len` bytes.
    pub(super) fn new(len: usize) -> Self {
        let words = len / 64 + 1;
        Self { pieces: vec![0; words], tokens: vec![0; words], ranks: Vec::new(), large: Vec::new(), len, total: 0 }
    }

    /// Sums up. To be called once, after all pieces are marked.
    pub(super) fn finish(&mut self) {
        for (tokens, pieces) in self.tokens.iter_mut().zip(&self.pieces) {
            *tokens |= pieces;
        }
        let mut sum = 0u32;
        self.ranks = self
            .tokens
            .iter()
            .map(|word| {
                let before = sum;
                sum += word.count_ones();
                before
            })
            .collect();
        self.total = sum as usize;
    }

    /// All tokens.
    pub(super) const fn total(&self) -> usize {
        self.total
    }

    /// Whether a piece starts at `at`, or the text ends there.
    pub(super) fn is_start(&self, at: usize) -> bool {
        at == self.len || self.pieces[at / 64] >> (at % 64) & 1 == 1
    }

    /// The number of tokens before `at`, which is the start of a piece, the start of a token of a large one, or the end.
    pub(super) fn before(&self, at: usize) -> usize {
        let word = at / 64;
        let below = self.tokens[word] & ((1 << (at % 64)) - 1);
        self.ranks[word] as usize + below.count_ones() as usize
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
        self.large_at(at).map_or_else(|| last_bit(&self.pieces, at), |piece| piece.start as usize)
    }

    /// The first start of a piece behind `at`, or the end of the text.
    pub(super) fn start_behind(&self, at: usize) -> usize {
        self.large_at(at)
            .map_or_else(|| first_bit(&self.pieces, at + 1).unwrap_or(self.len), |piece| piece.end as usize)
    }

    /// The first token mark at or behind `at`, or the end of the text.
    pub(super) fn token_at_or_behind(&self, at: usize) -> usize {
        first_bit(&self.tokens, at).unwrap_or(self.len)
    }

    /// The place of the mark of token number `number`, or the end of the text.
    pub(super) fn select(&self, number: usize) -> usize {
        if number >= self.total {
            return self.len;
        }
        let word = self.ranks.partition_point(|before| *before as usize <= number) - 1;
        let mut bits = self.tokens[word];
        for _ in self.ranks[word] as usize..number {
            bits &= bits - 1;
        }
        word * 64 + bits.trailing_zeros() as usize
    }
}

impl Sink for Marks {
    const WANTED: bool = true;

    #[inline(always)]
    fn pieces(&mut self, at: usize, starts: u64) {
        or_bits(&mut self.pieces, at, starts);
    }

    #[inline(always)]
    fn count(&mut self, start: usize, count: usize) {
        if count < 64 {
            or_bits(&mut self.tokens, start, (1 << count) - 1);
        } else {
            for at in start..start + count {
                self.tokens[at / 64] |= 1 << (at % 64);
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
            self.tokens[at / 64] |= 1 << (at % 64);
            at = start + token.end as usize;
        }
    }
}

#[inline(always)]
fn or_bits(words: &mut [u64], at: usize, bits: u64) {
    words[at / 64] |= bits << (at % 64);
    let over = bits >> 1 >> (63 - at % 64);
    if over != 0 {
        words[at / 64 + 1] |= over;
    }
}

fn last_bit(words: &[u64], at: usize) -> usize {
    let mut word = at / 64;
    let mut bits = words[word] & (u64::MAX >> (63 - at % 64));
    while bits == 0 && word > 0 {
        word -= 1;
        bits = words[word];
    }
    word * 64 + (63 - (bits | 1).leading_zeros() as usize)
}

fn first_bit(words: &[u64], at: usize) -> Option<usize> {
    let mut word = at / 64;
    let mut bits = words.get(word)? & (u64::MAX << (at % 64));
    while bits == 0 {
        word += 1;
        bits = *words.get(word)?;
    }
    Some(word * 64 + bits.trailing_zeros() as usize)
}
