//! Separators: what text is cut behind, from the largest pieces to the smallest.

use std::ops::Range;

use memchr::{memchr_iter, memmem, memrchr_iter};

use super::node::NodeKind;
use crate::simd::{BLOCK, Baseline, Isa};
use crate::span::Span;
use crate::text::is_closing;

/// A string that text is cut behind.
#[derive(Clone, Debug)]
pub struct Separator {
    words: String,
    finder: memmem::Finder<'static>,
    /// Whether it is nothing but line feeds.
    is_feeds: bool,
    /// Whether an occurrence may begin inside another one, so that they have to be looked for from the front. (Line feeds may, but what is between them is white space.)
    overlaps_itself: bool,
    /// Whether what stands in front of an occurrence decides neither whether it is one nor whether a grapheme cluster ends with it.
    is_local: bool,
}

impl PartialEq for Separator {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}

impl Separator {
    /// The separator `words`; an empty one stands for every place between two grapheme clusters.
    #[must_use]
    pub fn new(words: &str) -> Self {
        let finder = memmem::Finder::new(words).into_owned();
        let bytes = words.as_bytes();
        let is_feeds = bytes.iter().all(|byte| *byte == b'\n');
        let overlaps_itself = !is_feeds && (1..bytes.len()).any(|at| bytes.starts_with(&bytes[at..]));
        let ends_cluster = |c: char| c.is_ascii() || is_closing(c) || matches!(c, '\u{3400}'..='\u{9fff}');
        let is_local = !overlaps_itself && words.chars().next_back().is_some_and(ends_cluster);
        Self { words: words.into(), finder, is_feeds, overlaps_itself, is_local }
    }

    /// The string itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.words
    }

    /// Whether text is cut between words or inside them: no overlap begins there.
    pub(super) fn is_fine(&self) -> bool {
        self.words.is_empty() || self.words == " "
    }

    /// Whether no inline unit can hold it.
    pub(super) fn ends_line(&self) -> bool {
        self.words.ends_with('\n')
    }

    /// Whether all occurrences have to be looked for from the front.
    pub(super) fn may_overlap_itself(&self) -> bool {
        self.overlaps_itself
    }

    /// The end of the first occurrence inside `span`.
    pub(super) fn first(&self, text: &str, span: Span) -> Option<u32> {
        let bytes = &text.as_bytes()[span.range()];
        let end = if self.is_feeds {
            memchr_iter(b'\n', bytes).find_map(|at| line_feeds(bytes, at, self.words.len()))
        } else {
            self.finder.find(bytes).map(|at| at + self.words.len())
        };
        end.map(|end| span.start + end as u32)
    }

    /// The last occurrence inside `span`.
    pub(super) fn last(&self, text: &str, span: Span) -> Option<Span> {
        let bytes = &text.as_bytes()[span.range()];
        let found = if self.is_feeds {
            let whole = |at| line_feeds(bytes, at, self.words.len()).map(|end| (at, end));
            memrchr_iter(b'\n', bytes).find_map(whole)
        } else {
            let is_here = |at: &usize| bytes[*at..].starts_with(self.words.as_bytes());
            let first = *self.words.as_bytes().first()?;
            memrchr_iter(first, bytes).find(is_here).map(|at| (at, at + self.words.len()))
        };
        let base = span.start as usize;
        found.map(|(at, end)| Span::new(base + at, base + end))
    }

    /// Whether a cut inside an occurrence leaves more of it than white space.
    pub(super) fn is_long(&self) -> bool {
        self.words.chars().skip(1).any(|c| !c.is_whitespace())
    }

    /// The end of the occurrence that begins at a place, if one does.
    pub(super) fn end_at(&self, bytes: &[u8], at: usize) -> Option<usize> {
        if self.is_feeds {
            return if bytes[at] == b'\n' { line_feeds(bytes, at, self.words.len()) } else { None };
        }
        let words = self.words.as_bytes();
        (bytes[at] == words[0] && bytes[at..].starts_with(words)).then_some(at + words.len())
    }

    /// The places behind each occurrence inside `span`, from left to right, not overlapping. One of two or more line feeds allows carriage returns between them.
    pub(super) fn places(&self, text: &str, span: Span, places: &mut Vec<u32>) {
        let bytes = &text.as_bytes()[span.range()];
        let base = span.start as usize;
        let feeds = self.words.len();
        if feeds >= 1 && self.is_feeds {
            let mut behind = 0;
            for at in memchr_iter(b'\n', bytes) {
                if at < behind {
                    continue;
                }
                if let Some(end) = line_feeds(bytes, at, feeds) {
                    behind = end;
                    places.push((base + end) as u32);
                }
            }
        } else if feeds > 0 {
            places.extend(self.finder.find_iter(bytes).map(|at| (base + at + feeds) as u32));
        }
    }
}

/// Separators in the order in which they are tried.
#[derive(Clone, Debug)]
pub struct Separators {
    list: Vec<Separator>,
    /// What occurrences begin with, of those that overlap is looked for behind, and of all.
    first_bytes: [[bool; 256]; 2],
    /// The first of these sets, if it is small enough to be looked for block by block.
    few_first_bytes: Option<[u8; 4]>,
    /// Their indices by what they begin with, and where in the list of these those of each byte begin.
    by_first_byte: (Vec<u16>, [u16; 257]),
    /// For each of them, the first from there on that is fine.
    closed_from: Vec<u16>,
    /// Most bytes of one.
    longest: usize,
    /// From this level on all of them are local.
    local_from: usize,
}

impl PartialEq for Separators {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl<'w> FromIterator<&'w str> for Separators {
    fn from_iter<I: IntoIterator<Item = &'w str>>(words: I) -> Self {
        let list: Vec<Separator> = words.into_iter().map(Separator::new).collect();
        // Behind the empty one none is tried.
        let tried = list.iter().position(|separator| separator.words.is_empty()).unwrap_or(list.len());
        let local_from = list[..tried].iter().rposition(|separator| !separator.is_local).map_or(0, |at| at + 1);
        let mut first_bytes = [[false; 256]; 2];
        for separator in &list[..tried] {
            let first = usize::from(separator.words.as_bytes()[0]);
            first_bytes[0][first] |= !separator.is_fine();
            first_bytes[1][first] = true;
        }
        let few_first_bytes = few(&first_bytes[0]);
        let by_first_byte = by_first_byte(&list[..tried]);
        let mut closed_from: Vec<u16> = (0..list.len() as u16).collect();
        for index in (0..list.len()).rev().filter(|index| !list[*index].is_fine()) {
            closed_from[index] = closed_from.get(index + 1).map_or(list.len() as u16, |closed| *closed);
        }
        // With a carriage return for each line feed.
        let longest = list.iter().map(|separator| separator.words.len() * 2).max().unwrap_or(0);
        Self { list, first_bytes, few_first_bytes, by_first_byte, closed_from, longest, local_from }
    }
}

impl Separators {
    /// All of them.
    #[must_use]
    pub fn as_slice(&self) -> &[Separator] {
        &self.list
    }

    /// The levels, from one on, of the separators that a node of a kind is cut behind for overlap.
    pub(super) fn opened(&self, kind: NodeKind, level: u16) -> Range<u16> {
        let own = self.list.get(usize::from(level)).filter(|_| kind == NodeKind::Rest(level));
        let is_opened = own.is_some_and(|separator| separator.words == " ");
        let closed = self.closed_from.get(usize::from(level) + usize::from(is_opened));
        level..closed.map_or(self.list.len() as u16, |closed| *closed)
    }

    /// Whether occurrences of those from a level on can be looked for from anywhere in a text.
    pub(super) fn are_local(&self, level: u16) -> bool {
        usize::from(level) >= self.local_from
    }

    /// How far in front of where one ends it may begin.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// Those that may begin with a byte, in their order.
    pub(super) fn beginning_with(&self, byte: u8) -> &[u16] {
        let (indices, starts) = &self.by_first_byte;
        let byte = usize::from(byte);
        &indices[usize::from(starts[byte])..usize::from(starts[byte + 1])]
    }

    /// The places in a range at which one may begin, a fine one too or not.
    pub(super) fn candidates<'a>(&'a self, bytes: &'a [u8], range: Range<usize>, fine: bool) -> Candidates<'a> {
        let few = self.few_first_bytes.filter(|_| !fine);
        Candidates { may_begin: &self.first_bytes[usize::from(fine)], few, bytes, range, found: 0 }
    }
}

/// What a set of bytes consists of, if that is little.
fn few(set: &[bool; 256]) -> Option<[u8; 4]> {
    let mut members = (0..=u8::MAX).filter(|byte| set[usize::from(*byte)]);
    let mut few = [members.next()?; 4];
    for (place, byte) in few[1..].iter_mut().zip(&mut members) {
        *place = byte;
    }
    members.next().is_none().then_some(few)
}

fn by_first_byte(list: &[Separator]) -> (Vec<u16>, [u16; 257]) {
    let first = |index: &u16| list[usize::from(*index)].words.as_bytes()[0];
    let mut indices: Vec<u16> = (0..list.len() as u16).collect();
    indices.sort_by_key(first);
    let start = |byte| indices.partition_point(|index| usize::from(first(index)) < byte) as u16;
    let starts = std::array::from_fn(start);
    (indices, starts)
}

/// Places at which a separator may begin, from left to right.
pub(super) struct Candidates<'a> {
    may_begin: &'a [bool; 256],
    few: Option<[u8; 4]>,
    /// More than the range, so that blocks may go on behind it.
    bytes: &'a [u8],
    /// Where none was looked for yet.
    range: Range<usize>,
    /// Those of the block in front of that range which have not been told yet.
    found: u64,
}

impl Iterator for Candidates<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while self.found == 0 && self.range.start < self.range.end {
            let Some((few, block)) = self.few.zip(self.bytes[self.range.start..].first_chunk()) else {
                let may_begin = |byte: &u8| self.may_begin[usize::from(*byte)];
                let found = self.bytes[self.range.clone()].iter().position(may_begin);
                let found = found.map_or(self.range.end, |found| self.range.start + found);
                self.range.start = found + 1;
                return (found < self.range.end).then_some(found);
            };
            self.found = Baseline.any_of(block, few);
            self.range.start += BLOCK;
        }
        if self.found == 0 {
            return None;
        }
        let found = self.range.start - BLOCK + self.found.trailing_zeros() as usize;
        self.found &= self.found - 1;
        (found < self.range.end).then_some(found)
    }
}

/// The end of so many line feeds from `at` on, each but the first with a carriage return in front, if it likes.
fn line_feeds(bytes: &[u8], at: usize, feeds: usize) -> Option<usize> {
    let mut end = at + 1;
    for _ in 1..feeds {
        end += usize::from(bytes.get(end) == Some(&b'\r'));
        if bytes.get(end) != Some(&b'\n') {
            return None;
        }
        end += 1;
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_places() {
        for (words, text, expected) in [
            ("\n\n", "a\n\nb\n\n\nc", &[3, 6][..]),
            ("\n\n", "a\r\n\r\nb\nc", &[5]),
            ("\n\n\n", "a\n\n\r\nb", &[5]),
            ("\n", "a\nb\r\n", &[2, 5]),
            (". ", "A. B.C. ", &[3, 8]),
            ("。", "是。的。", &[6, 12]),
            ("aa", "aaa", &[2]),
            ("", "abc", &[]),
        ] {
            let mut places = Vec::new();
            Separator::new(words).places(text, Span::new(0, text.len()), &mut places);
            assert_eq!(places, expected, "{words:?} in {text:?}");
        }
    }
}
