//! Separators: what text is cut behind, from the largest pieces to the smallest.

use memchr::{memchr_iter, memmem, memrchr_iter};

use crate::span::Span;

/// A string that text is cut behind.
#[derive(Clone, Debug)]
pub struct Separator {
    words: String,
    finder: memmem::Finder<'static>,
    reverse: memmem::FinderRev<'static>,
    /// Whether it is nothing but line feeds.
    is_feeds: bool,
    /// Whether an occurrence may begin inside another one, so that they have to be looked for from the front. (Line feeds may, but what is between them is white space.)
    overlaps_itself: bool,
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
        let (finder, reverse) = (memmem::Finder::new(words).into_owned(), memmem::FinderRev::new(words).into_owned());
        let bytes = words.as_bytes();
        let is_feeds = bytes.iter().all(|byte| *byte == b'\n');
        let overlaps_itself = !is_feeds && (1..bytes.len()).any(|at| bytes.starts_with(&bytes[at..]));
        Self { words: words.into(), finder, reverse, is_feeds, overlaps_itself }
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

    /// From where on occurrences have to be looked for, so that the places from `floor` on are the same as if looked for from `start` on.
    pub(super) fn search_start(&self, text: &str, start: u32, floor: u32) -> u32 {
        let words = self.words.as_bytes();
        let bytes = &text.as_bytes()[start as usize..floor.max(start) as usize];
        if self.is_feeds {
            let run = bytes.iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
            start + (bytes.len() - run) as u32
        } else if self.overlaps_itself {
            start
        } else {
            start + bytes.len().saturating_sub(words.len()) as u32
        }
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
            self.reverse.rfind(bytes).map(|at| (at, at + self.words.len()))
        };
        let base = span.start as usize;
        found.map(|(at, end)| Span::new(base + at, base + end))
    }

    /// Whether it may occur in some bytes: a single line feed stands for several.
    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        match self.words.as_bytes() {
            [b'\n', ..] => memchr::memchr(b'\n', bytes).is_some(),
            _ => self.finder.find(bytes).is_some(),
        }
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
