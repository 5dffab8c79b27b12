//! How text is sized: in tokens, in characters, or by a function of the user's.

use std::fmt;
use std::sync::Arc;

use super::prefix::LONGEST_TOKEN;
use crate::simd::{BLOCK, Isa, Level, Work, map_blocks};
use crate::tokens::{Piece, TokenIndex};

/// How text is sized.
pub trait Measure {
    /// Size of the concatenation of pieces.
    fn size(&self, pieces: &[Piece<'_>]) -> usize;
    /// The end of the first `size` units of the text `start..end` taken by itself, on a character boundary.
    fn take(&self, start: usize, end: usize, size: usize) -> usize;
    /// Whether text that ends in a line feed has the same size in front of any text that begins with no white space, and that text behind it, so that the two add up.
    fn adds_up_at_lines(&self) -> bool;
    /// Whether text that does not end in white space, and a blank with more text behind it, have sizes that add up.
    fn adds_up_at_blanks(&self) -> bool;
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

    /// In all patterns a blank behind text begins a piece.
    fn adds_up_at_blanks(&self) -> bool {
        true
    }

    fn most_bytes(&self, size: usize) -> usize {
        size.saturating_mul(LONGEST_TOKEN)
    }
}

/// Counts of code points: one mark every [`BLOCK`] bytes, none at all for ASCII.
pub struct CharIndex<'t> {
    text: &'t str,
    /// One for each block and for what is behind the last whole one; empty for ASCII.
    marks: Vec<Mark>,
}

/// Where the code points of a block of bytes begin.
#[derive(Clone, Default)]
struct Mark {
    /// Code points that begin in front of the block.
    before: u32,
    /// The bytes of the block that begin one; behind the end of the text there are none.
    begins: u64,
}

impl<'t> CharIndex<'t> {
    /// Counts a text once.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let marks = if text.is_ascii() { Vec::new() } else { Level::best().dispatch(Marking(text.as_bytes())) };
        Self { text, marks }
    }

    fn before(&self, at: usize) -> usize {
        let Some(mark) = self.marks.get(at / BLOCK) else { return at };
        let in_front = mark.begins & ((1 << (at % BLOCK)) - 1);
        mark.before as usize + in_front.count_ones() as usize
    }

    fn span(&self, start: usize, end: usize) -> usize {
        self.before(end).saturating_sub(self.before(start))
    }

    /// The place in `first..=last` with so many code points in front of it; `last` if there are more.
    fn place(&self, target: usize, first: usize, last: usize) -> usize {
        let near = &self.marks[first / BLOCK..=last / BLOCK];
        let from = near.partition_point(|mark| (mark.before as usize) <= target).max(1) - 1;
        let mark = &near[from];
        // A mark may lie inside a character, which counts as in front of it.
        let inside = place_in(mark.begins, target.saturating_sub(mark.before as usize));
        // Only behind the last of these marks there may be too few.
        inside.map_or(last, |inside| ((first / BLOCK + from) * BLOCK + inside).clamp(first, last))
    }
}

/// The marks of some bytes.
struct Marking<'b>(&'b [u8]);

impl Work for Marking<'_> {
    type Output = Vec<Mark>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Vec<Mark> {
        let mut before = 0;
        map_blocks(self.0, 0x80, |_, block| {
            let mark = Mark { before, begins: !isa.wide(block).tail };
            before += mark.begins.count_ones();
            mark
        })
    }
}

/// The lowest bit of each byte.
const LOWEST: u64 = 0x0101_0101_0101_0101;

/// The place of the bit that has `nth` ones below it, if there are so many.
fn place_in(bits: u64, nth: usize) -> Option<usize> {
    const PAIRS: u64 = 0x5555_5555_5555_5555;
    const FOURS: u64 = 0x3333_3333_3333_3333;
    let pairs = bits - ((bits >> 1) & PAIRS);
    let fours = (pairs & FOURS) + ((pairs >> 2) & FOURS);
    // Ones up to the end of each byte, at most 64.
    let sums = ((fours + (fours >> 4)) & (0x0f * LOWEST)).wrapping_mul(LOWEST);
    if nth >= (sums >> 56) as usize {
        return None;
    }
    // No byte borrows from the next one.
    let have_more = ((sums | (0x80 * LOWEST)) - (nth as u64 + 1) * LOWEST) & (0x80 * LOWEST);
    let byte = have_more.trailing_zeros() / 8 * 8;
    let mut rest = bits >> byte;
    for _ in ((sums << 8) >> byte) & 0xff..nth as u64 {
        rest &= rest - 1;
    }
    Some((byte + rest.trailing_zeros()) as usize)
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

    fn adds_up_at_blanks(&self) -> bool {
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

    fn adds_up_at_blanks(&self) -> bool {
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
