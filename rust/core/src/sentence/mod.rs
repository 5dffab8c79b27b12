//! Where sentences end: rules for English, Chinese and Japanese, without data files. `docs/sentences.md` has them all.
//!
//! One pass over the text. Bytes that cannot matter are skipped by a mask; at every other byte a rule looks around it,
//! never further than a fixed number of characters (8 to 24) besides the white space and marks that it then steps over, and
//! (with [`LineEnds::Soft`]) once to the end of each paragraph. So the time is linear whatever the text.

mod abbreviations;
mod chars;
mod lines;
mod pairs;
mod scan;
mod stops;
#[cfg(test)]
mod tests;
mod words;

use chars::{INERT, class, is_bullet, is_lead, is_opener, is_visible};
use lines::Marker;
use pairs::{Pair, Pairs, REACH, Sort};
use scan::{BLOCK, candidates, is_mark_at};

/// How the end of a line is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEnds {
    /// As the end of a sentence. So are semicolons.
    Break,
    /// As white space within running text; blank lines end sentences, and so do the ends of lines that are headings,
    /// items of a list or no running text.
    Soft,
}

/// Appends the end offsets (bytes) of the sentences of `text` to `ends`.
///
/// `text[previous end..end]` are the sentences, with the white space that follows them, so that they concatenate to the
/// text: the offsets increase strictly, lie on character boundaries, and the last one is `text.len()`. Nothing is
/// appended for an empty text. What `ends` held before stays. `text` must be shorter than 4 GiB.
pub fn ends(text: &str, lines: LineEnds, ends: &mut Vec<u32>) {
    if text.is_empty() {
        return;
    }
    let base = ends.len();
    let mut scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        ends,
        base,
        last: 0,
        pairs: Pairs::new(),
        emphasis: false,
        line: Line::default(),
        paragraph_end: 0,
        running: false,
    };
    match lines {
        LineEnds::Break => scanner.run::<true>(),
        LineEnds::Soft => scanner.run::<false>(),
    }
}

/// What is known of the current line.
#[derive(Debug, Default)]
struct Line {
    /// Its start.
    start: usize,
    /// Its first character that is no white space.
    first: usize,
    /// The marker that would begin the next item of a list within the line.
    marker: Option<Marker>,
    /// The bullet it begins with.
    bullet: Option<char>,
    /// Whether it ends with a final mark, once that was looked up.
    closed: Option<bool>,
}

/// White space behind a place.
#[derive(Clone, Copy, Debug)]
struct Space {
    /// Where the next sentence would begin: at the start of its line if there is a line end between, so that it keeps its indentation.
    cut: usize,
    /// The first character that is no white space.
    next: usize,
    /// Line ends in it.
    lines: usize,
}

/// Eight blanks.
const BLANKS: u64 = u64::from_le_bytes([b' '; 8]);

/// State of the pass.
///
/// Invariants: `ends[base..]` increase strictly and are character boundaries; no offset is before the place that is
/// looked at but by the item of a list (`Scanner::item`), and none is in front of the last one.
struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    ends: &'a mut Vec<u32>,
    base: usize,
    /// Where the current sentence begins: the last of `ends[base..]`, or 0.
    last: usize,
    pairs: Pairs,
    /// Whether emphasis with `*` is open.
    emphasis: bool,
    line: Line,
    /// `running` holds for the paragraph that ends here.
    paragraph_end: usize,
    running: bool,
}

impl Scanner<'_> {
    fn run<const BREAK: bool>(&mut self) {
        let space = self.space(if self.text.starts_with('\u{FEFF}') { 3 } else { 0 });
        self.begin_line(0, space.next);
        let mut at = 0;
        while at < self.bytes.len() {
            let start = at;
            let mut bits = self.block::<BREAK>(start);
            while bits != 0 {
                let rest = bits & (bits - 1);
                let next = start + rest.trailing_zeros() as usize;
                at = self.event::<BREAK>(start + bits.trailing_zeros() as usize, next);
                bits &= u64::MAX.checked_shl((at - start) as u32).unwrap_or(0);
            }
            at = at.max(start + BLOCK);
        }
        self.push(self.text.len());
    }

    /// The candidates from `at` on.
    #[inline]
    fn block<const BREAK: bool>(&self, at: usize) -> u64 {
        let rest = &self.bytes[at..];
        if let Some(block) = rest.first_chunk() {
            return candidates::<BREAK>(block);
        }
        let mut block = [0; BLOCK + 1];
        block[..rest.len()].copy_from_slice(rest);
        candidates::<BREAK>(&block)
    }

    /// Deals with the candidate at `at`; gives the place to go on from, behind it. There is none between it and `next`.
    #[inline(always)]
    fn event<const BREAK: bool>(&mut self, at: usize, next: usize) -> usize {
        match self.bytes[at] {
            b'\n' | b'\r' if BREAK => self.hard_line_end(at),
            b'\n' | b'\r' => self.line_end(at),
            b'.' | b'!' | b'?' if class(self.byte(at + 1)) & INERT != 0 => at + 1,
            b'.' if self.line.marker.is_some() => self.item(at).unwrap_or_else(|| self.stop(at)),
            b'.' | b'!' | b'?' => self.stop(at),
            b';' => self.semicolon(at, 1),
            b'(' if self.line.marker.is_none() && self.is_short(Sort::Round, b')', next) => next + 1,
            b'(' => self.open(Sort::Round, at, 1),
            b'[' if self.is_short(Sort::Square, b']', next) => next + 1,
            b'[' => self.open(Sort::Square, at, 1),
            b')' if self.line.marker.is_some() => self.item(at).unwrap_or_else(|| self.close(Sort::Round, at, 1)),
            b')' => self.close(Sort::Round, at, 1),
            b']' => self.close(Sort::Square, at, 1),
            b'"' => self.straight(at),
            b'`' if self.is_short(Sort::Code, b'`', next) && next > at + 1 && self.byte(next + 1) != b'`' => next + 1,
            b'`' => self.code(at),
            b'*' => self.star(at),
            0x80.. if is_mark_at(self.bytes, at) => self.wide::<BREAK>(at),
            0x80.. => at + 3,
            _ => at + 1,
        }
    }

    /// A mark of three bytes.
    #[inline(never)]
    fn wide<const BREAK: bool>(&mut self, at: usize) -> usize {
        let next = at + 3;
        let Some(c) = self.at(at) else { return next };
        match c {
            '。' | '！' | '？' | '｡' | '．' | '…' => self.stop(at),
            '；' if BREAK => self.semicolon(at, 3),
            c => match (Sort::opened_by(c), Sort::closed_by(c)) {
                (Some(sort), _) => self.open(sort, at, 3),
                (_, Some(sort)) => self.close(sort, at, 3),
                _ if is_bullet(c) => self.bullet(at, c),
                _ => next,
            },
        }
    }

    /// Whether a pair that opens now is closed by the next candidate, so that it changes nothing.
    #[inline]
    fn is_short(&self, sort: Sort, closing: u8, next: usize) -> bool {
        self.byte(next) == closing && self.pairs.has_room() && !self.pairs.has(sort)
    }

    #[inline]
    fn open(&mut self, sort: Sort, at: usize, length: usize) -> usize {
        self.pairs.open(sort, at, self.ends.len());
        at + length
    }

    #[inline]
    fn close(&mut self, sort: Sort, at: usize, length: usize) -> usize {
        self.close_pair(sort, at);
        at + length
    }

    /// Closes a pair; inside it no sentence ended, unless it is too long.
    #[inline]
    fn close_pair(&mut self, sort: Sort, at: usize) -> Option<Pair> {
        let pair = self.pairs.close(sort)?;
        if at - pair.at <= REACH && pair.ends < self.ends.len() {
            self.ends.truncate(pair.ends);
            self.last = self.ends[self.base..].last().map_or(0, |&end| end as usize);
        }
        Some(pair)
    }

    /// `"` outside the marks behind a stop.
    #[inline(never)]
    fn straight(&mut self, at: usize) -> usize {
        let before_opens = self.before(at).is_none_or(|c| c.is_whitespace() || is_opener(c));
        if !before_opens && self.pairs.has(Sort::Straight) {
            self.close_pair(Sort::Straight, at);
        } else if self.at(at + 1).is_some_and(|c| !c.is_whitespace()) {
            self.pairs.close(Sort::Straight);
            self.pairs.open(Sort::Straight, at, self.ends.len());
        }
        at + 1
    }

    /// A run of back-ticks. Three or more are a fence.
    #[inline(never)]
    fn code(&mut self, at: usize) -> usize {
        let end = self.run_end(at, b'`');
        if end - at < 3 {
            let sort = if end - at == 1 { Sort::Code } else { Sort::DoubleCode };
            if self.close_pair(sort, at).is_none() {
                self.pairs.open(sort, at, self.ends.len());
            }
        }
        end
    }

    /// A run of `*`.
    #[inline(never)]
    fn star(&mut self, at: usize) -> usize {
        let end = self.run_end(at, b'*');
        let blank_before = self.before(at).is_none_or(char::is_whitespace);
        let blank_behind = self.at(end).is_none_or(char::is_whitespace);
        self.emphasis = match (blank_before, blank_behind) {
            (true, true) => self.emphasis,
            (false, true) => false,
            (true, false) => true,
            (false, false) => !self.emphasis,
        };
        end
    }

    fn run_end(&self, at: usize, byte: u8) -> usize {
        self.bytes[at..].iter().position(|&b| b != byte).map_or(self.bytes.len(), |n| at + n)
    }

    /// The byte at `at`; a line end behind the text.
    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(b'\n')
    }

    fn at(&self, at: usize) -> Option<char> {
        self.text[at..].chars().next()
    }

    fn before(&self, at: usize) -> Option<char> {
        self.text[..at].chars().next_back()
    }

    /// Ends a sentence at `at`, if none ends there or behind.
    fn push(&mut self, at: usize) {
        if at > self.last {
            self.last = at;
            self.ends.push(at as u32);
        }
    }

    /// Ends a sentence whatever is open.
    fn push_hard(&mut self, at: usize) {
        self.push(at);
        self.pairs.clear();
        self.emphasis = false;
    }

    /// Whether nothing but marks (at most 16) stands between the beginning of the sentence and `at`.
    fn leads(&self, at: usize) -> bool {
        let last = self.last;
        // 16 characters have at most 64 bytes.
        if at < last || at > last + 64 {
            return false;
        }
        let mut chars = self.text[last..at].chars().rev();
        chars.by_ref().take(16).all(is_lead) && chars.next().is_none()
    }

    /// The white space at `at`.
    #[inline]
    fn space(&self, at: usize) -> Space {
        match self.bytes.get(at..).unwrap_or_default() {
            [first, ..] if is_visible(*first) => Space { cut: at, next: at, lines: 0 },
            [b' ', second, ..] if is_visible(*second) => Space { cut: at + 1, next: at + 1, lines: 0 },
            _ => self.line_space(at),
        }
    }

    /// The white space at `at`, where it most likely begins with a line end.
    #[inline]
    fn line_space(&self, at: usize) -> Space {
        if self.byte(at) == b'\n' {
            let lines = 1 + usize::from(self.byte(at + 1) == b'\n');
            let cut = at + lines;
            if let Some(window) = self.bytes.get(cut..).and_then(<[u8]>::first_chunk::<8>) {
                let blanks = ((u64::from_le_bytes(*window) ^ BLANKS).trailing_zeros() / 8) as usize;
                if window.get(blanks).is_some_and(|&byte| is_visible(byte)) {
                    return Space { cut, next: cut + blanks, lines };
                }
            }
        }
        self.long_space(at)
    }

    #[inline(never)]
    fn long_space(&self, at: usize) -> Space {
        let mut space = Space { cut: at, next: at, lines: 0 };
        while let Some(&byte) = self.bytes.get(space.next) {
            match byte {
                b' ' | b'\t' => space.next += 1,
                b'\n' | b'\r' => {
                    let pair = byte == b'\r' && self.bytes.get(space.next + 1) == Some(&b'\n');
                    space.next += if pair { 2 } else { 1 };
                    space.lines += 1;
                    space.cut = space.next;
                }
                b'!'..=b'~' | 0xE4.. => break,
                _ => match self.at(space.next).filter(|c| c.is_whitespace()) {
                    Some(c) => space.next += c.len_utf8(),
                    None => break,
                },
            }
        }
        if space.lines == 0 || space.next == self.text.len() {
            space.cut = space.next;
        }
        space
    }
}
