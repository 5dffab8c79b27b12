//! How text is sized: in tokens, in characters, or by a function of the user's.

use std::fmt;
use std::sync::Arc;

use super::prefix::LONGEST_TOKEN;
use crate::tokens::{Piece, TokenIndex};

/// How text is sized.
pub trait Measure {
    /// Size of the concatenation of pieces.
    fn size(&self, pieces: &[Piece<'_>]) -> usize;
    /// The end of the first `size` units of the text `start..end` taken by itself, on a character boundary.
    fn take(&self, start: usize, end: usize, size: usize) -> usize;
    /// Whether text that ends in a line feed has the same size in front of any text that begins with no white space, and that text behind it, so that the two add up.
    fn adds_up_at_lines(&self) -> bool;
    /// Whether the size of a concatenation is always the sum of sizes.
    fn adds_up(&self) -> bool {
        false
    }
    /// A place in front of which no text that ends at `end` begins without being larger than `size`.
    fn earliest_start(&self, end: usize, size: usize) -> usize {
        end.saturating_sub(self.most_bytes(size))
    }
    /// No text of this size has more bytes.
    fn most_bytes(&self, size: usize) -> usize;
    /// Whether a single character may be larger than any budget.
    fn is_unbounded(&self) -> bool {
        false
    }
}

impl Measure for TokenIndex<'_> {
    fn size(&self, pieces: &[Piece<'_>]) -> usize {
        self.count_all(pieces)
    }

    fn take(&self, start: usize, end: usize, size: usize) -> usize {
        TokenIndex::take(self, start, end, size)
    }

    fn adds_up_at_lines(&self) -> bool {
        TokenIndex::adds_up_at_lines(self)
    }

    fn most_bytes(&self, size: usize) -> usize {
        size.saturating_mul(LONGEST_TOKEN)
    }
}

/// Bytes between two marks of a [`CharIndex`].
const STRIDE: usize = 64;

/// Counts of code points: one mark every [`STRIDE`] bytes, none at all for ASCII.
pub struct CharIndex<'t> {
    text: &'t str,
    /// Code points in front of each multiple of the stride; empty for ASCII.
    marks: Vec<u32>,
}

impl<'t> CharIndex<'t> {
    /// Counts a text once.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let mut marks = Vec::new();
        if !text.is_ascii() {
            marks.reserve(text.len() / STRIDE + 2);
            let mut before = 0;
            for run in text.as_bytes().chunks(STRIDE) {
                marks.push(before);
                before += count(run) as u32;
            }
            marks.push(before);
        }
        Self { text, marks }
    }

    fn before(&self, at: usize) -> usize {
        match self.marks.get(at / STRIDE) {
            None => at,
            Some(mark) => *mark as usize + self.few(at / STRIDE * STRIDE, at),
        }
    }

    fn span(&self, start: usize, end: usize) -> usize {
        if self.marks.is_empty() {
            end.saturating_sub(start)
        } else if end <= start + STRIDE {
            if start < end { self.few(start, end) } else { 0 }
        } else {
            self.before(end) - self.before(start)
        }
    }
}

impl CharIndex<'_> {
    /// The place in `first..=last` with so many code points in front of it; `last` if there are more.
    fn place(&self, target: usize, first: usize, last: usize) -> usize {
        let near = &self.marks[first / STRIDE..=last / STRIDE];
        let mark = first / STRIDE + near.partition_point(|before| (*before as usize) <= target).max(1) - 1;
        let mut at = mark * STRIDE;
        let mut left = target.saturating_sub(self.marks[mark] as usize);
        // A mark may lie inside a character, which counts as in front of it.
        while at < last {
            let mut begins = begins(word_at(self.text.as_bytes(), at));
            let all = sum(begins);
            if left < all {
                for _ in 0..left {
                    begins &= begins - 1;
                }
                at += begins.trailing_zeros() as usize / 8;
                break;
            }
            left -= all;
            at += 8;
        }
        at.clamp(first, last)
    }

    /// The code points that begin in at most [`STRIDE`] bytes.
    fn few(&self, start: usize, end: usize) -> usize {
        let bytes = self.text.as_bytes();
        let words = bytes[start..end].chunks_exact(8);
        let rest = words.remainder().len();
        let mut all: u64 = words.map(|word| begins(word_at(word, 0))).sum();
        if rest > 0 {
            all += begins(word_at(bytes, end - rest)) & ((1 << (8 * rest)) - 1);
        }
        sum(all)
    }
}

/// The lowest bit of each byte.
const LOWEST: u64 = 0x0101_0101_0101_0101;

/// Eight bytes; behind the end of the text no character begins.
fn word_at(bytes: &[u8], at: usize) -> u64 {
    let rest = &bytes[at..];
    if let Some(word) = rest.first_chunk() {
        return u64::from_le_bytes(*word);
    }
    let mut word = [0x80; 8];
    word[..rest.len()].copy_from_slice(rest);
    u64::from_le_bytes(word)
}

/// The bytes of a word that begin a character, as their lowest bits.
const fn begins(word: u64) -> u64 {
    ((!word >> 7) | (word >> 6)) & LOWEST
}

/// The sum of the bytes of a word, less than 256.
const fn sum(bytes: u64) -> usize {
    (bytes.wrapping_mul(LOWEST) >> 56) as usize
}

/// The code points that begin in some bytes, in runs that the compiler can count with vectors.
fn count(bytes: &[u8]) -> usize {
    let begins = |byte: &u8| u8::from(byte.cast_signed() >= -0x40);
    if let Ok(block) = <&[u8; STRIDE]>::try_from(bytes) {
        return usize::from(block.iter().map(begins).sum::<u8>());
    }
    bytes.chunks(192).map(|run| usize::from(run.iter().map(|b| u8::from(b.cast_signed() >= -0x40)).sum::<u8>())).sum()
}

impl Measure for CharIndex<'_> {
    fn size(&self, pieces: &[Piece<'_>]) -> usize {
        let size = |piece: &Piece<'_>| match piece {
            Piece::Span(span) => self.span(span.start as usize, span.end as usize),
            Piece::Text(text) => text.chars().count(),
        };
        pieces.iter().map(size).sum()
    }

    fn take(&self, start: usize, end: usize, size: usize) -> usize {
        if self.marks.is_empty() {
            return end.min(start.saturating_add(size));
        }
        let last = start.saturating_add(size.saturating_mul(4)).min(end);
        self.place(self.before(start).saturating_add(size), start, last).min(end)
    }

    fn adds_up_at_lines(&self) -> bool {
        true
    }

    fn adds_up(&self) -> bool {
        true
    }

    fn earliest_start(&self, end: usize, size: usize) -> usize {
        if self.marks.is_empty() {
            return end.saturating_sub(size);
        }
        let first = self.text.floor_char_boundary(end.saturating_sub(size.saturating_mul(4)));
        self.place(self.before(end).saturating_sub(size), first, end)
    }

    fn most_bytes(&self, size: usize) -> usize {
        // One more, since those who ask want to see where it ends.
        size.saturating_mul(4).saturating_add(1)
    }
}

/// A user's function from a string to its size.
#[derive(Clone)]
pub struct LengthFunction(pub Arc<dyn Fn(&str) -> usize + Send + Sync>);

impl fmt::Debug for LengthFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LengthFunction")
    }
}

/// Sizes by a user's function: each one a call.
pub struct FunctionMeasure<'t> {
    text: &'t str,
    function: &'t LengthFunction,
}

impl<'t> FunctionMeasure<'t> {
    /// Sizes parts of `text`.
    #[must_use]
    pub fn new(text: &'t str, function: &'t LengthFunction) -> Self {
        Self { text, function }
    }
}

impl Measure for FunctionMeasure<'_> {
    fn size(&self, pieces: &[Piece<'_>]) -> usize {
        let slice = |piece: &Piece<'_>| match *piece {
            Piece::Span(span) => self.text[span.range()].to_string(),
            Piece::Text(text) => text.to_string(),
        };
        let joined: String = pieces.iter().map(slice).collect();
        if joined.is_empty() { 0 } else { (self.function.0)(&joined) }
    }

    /// By doubling and bisection, for functions that never fall as a text grows.
    fn take(&self, start: usize, end: usize, size: usize) -> usize {
        let text = &self.text[start..end];
        let fits = |at: usize| at == 0 || (self.function.0)(&text[..at]) <= size;
        let (mut low, mut high) =
            (0, text.ceil_char_boundary(size.saturating_mul(4).clamp(64, 1 << 20).min(text.len())));
        while high < text.len() && fits(high) {
            (low, high) = (high, text.ceil_char_boundary((high * 2).min(text.len())));
        }
        if high == text.len() && fits(high) {
            return end;
        }
        loop {
            let middle = text.floor_char_boundary(usize::midpoint(low, high));
            let middle = if middle > low { middle } else { text.ceil_char_boundary(low + 1) };
            if middle >= high {
                return start + low;
            }
            if fits(middle) { low = middle } else { high = middle }
        }
    }

    fn adds_up_at_lines(&self) -> bool {
        false
    }

    fn most_bytes(&self, _size: usize) -> usize {
        usize::MAX
    }

    fn is_unbounded(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    #[test]
    fn counts_and_takes_characters() {
        let mixed = "aé漢\u{1f680}x".repeat(400);
        let length = LengthFunction(Arc::new(|text: &str| text.chars().count()));
        for text in ["", "plain ascii", mixed.as_str()] {
            let (index, function) = (CharIndex::new(text), FunctionMeasure::new(text, &length));
            let bounds: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            for from in (0..bounds.len()).step_by(37) {
                for to in (from..bounds.len()).step_by(53) {
                    let (start, end) = (bounds[from], bounds[to]);
                    assert_eq!(index.size(&[Piece::Span(Span::new(start, end))]), to - from);
                    for size in [0, 1, 7, 300, 5000] {
                        let expected = bounds[(from + size).min(to)];
                        assert_eq!(index.take(start, end, size), expected, "{start} {end} {size}");
                        assert_eq!(function.take(start, end, size), expected, "{start} {end} {size}");
                    }
                }
            }
        }
    }
}
