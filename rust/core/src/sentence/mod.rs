//! Where sentences end: rules for English, Chinese and Japanese, without data files. `docs/sentences.md` has them all.
//!
//! One pass over the text. Bytes that cannot matter are skipped by a mask; at every other byte a rule looks around it,
//! never further than a fixed number of characters (8 to 24) besides the white space and marks that it then steps over, and
//! (with [`LineEnds::Soft`]) once to the end of each paragraph. So the time is linear whatever the text.

mod abbreviations;
mod chars;
mod follow;
mod lines;
mod pairs;
mod scan;
mod stops;
#[cfg(test)]
mod tests;
mod words;

use std::sync::LazyLock;

use chars::{INERT, class, is_lead, is_visible};
use lines::Marker;
use pairs::Pairs;
use scan::{Wide, events, wide_at};

use crate::simd::{BLOCK, Isa, Level, Work, block_at};

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
    static LEVEL: LazyLock<Level> = LazyLock::new(Level::best);
    ends_with(*LEVEL, text, lines, ends);
}

/// The same with a set of instructions.
fn ends_with(level: Level, text: &str, lines: LineEnds, ends: &mut Vec<u32>) {
    if text.is_empty() {
        return;
    }
    let base = ends.len();
    let mut scanner = Scanner {
        level,
        text,
        bytes: text.as_bytes(),
        ends,
        base,
        last: 0,
        hard: 0,
        pairs: Pairs::new(),
        followed: 0,
        emphasis: false,
        emphasized: 0,
        line: Line::default(),
        paragraph_end: 0,
        running: false,
    };
    match lines {
        LineEnds::Break => level.dispatch(Pass::<true>(&mut scanner)),
        LineEnds::Soft => level.dispatch(Pass::<false>(&mut scanner)),
    }
}

/// What is known of the current line.
#[derive(Debug, Default)]
struct Line {
    /// Its start.
    start: usize,
    /// Its first character that is no white space.
    first: usize,
    /// The byte there, or a line end.
    head: u8,
    /// What the pass stops at in this line beside the rest: `)` where it may end an item's number, else `.`.
    extra: u8,
    /// The marker that would begin the next item of a list within the line.
    marker: Option<Marker>,
    /// The bullet it begins with.
    bullet: Option<char>,
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
    /// The byte at `next`, or a line end behind the text.
    head: u8,
}

/// Eight blanks.
const BLANKS: u64 = u64::from_le_bytes([b' '; 8]);

/// State of the pass.
///
/// Invariants: `ends[base..]` increase strictly and are character boundaries; no offset is before the place that is
/// looked at but by the item of a list (`Scanner::item`), and none is in front of the last one.
///
/// Pairs and emphasis are followed later than the rest, and only if that can change something: see `follow`.
struct Scanner<'a> {
    level: Level,
    text: &'a str,
    bytes: &'a [u8],
    ends: &'a mut Vec<u32>,
    base: usize,
    /// Where the current sentence begins: the last of `ends[base..]`, or 0.
    last: usize,
    /// The last end that nothing takes back, or 0. No pair and no emphasis reaches over it.
    hard: usize,
    pairs: Pairs,
    /// `pairs` holds for this place, unless `hard` is behind it.
    followed: usize,
    /// Whether emphasis with `*` is open at the place `emphasized`, unless `hard` is behind it.
    emphasis: bool,
    emphasized: usize,
    line: Line,
    /// `running` holds for the paragraph that ends here.
    paragraph_end: usize,
    running: bool,
}

/// The whole pass.
struct Pass<'s, 'a, const BREAK: bool>(&'s mut Scanner<'a>);

impl<const BREAK: bool> Work for Pass<'_, '_, BREAK> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        self.0.run::<BREAK, I>(isa);
    }
}

impl Scanner<'_> {
    #[inline(always)]
    fn run<const BREAK: bool, I: Isa>(&mut self, isa: I) {
        let space = self.space(if self.text.starts_with('\u{FEFF}') { 3 } else { 0 });
        self.begin_line(0, space.next, space.head);
        let mut room = [0; BLOCK];
        let mut at = 0;
        'blocks: while at < self.bytes.len() {
            let start = at;
            let extra = self.line.extra;
            let mut bits = events::<BREAK, I>(isa, block_at(self.bytes, start, &mut room), extra);
            while bits != 0 {
                let place = start + bits.trailing_zeros() as usize;
                let byte = self.bytes[place];
                if byte == b'\n' || byte == b'\r' {
                    at = if BREAK { self.hard_line_end(place) } else { self.line_end(place) };
                    if self.line.extra != extra {
                        continue 'blocks;
                    }
                } else {
                    if byte < 0x80 && class(self.byte(place + 1)) & INERT != 0 && byte != b')' && byte != b';' {
                        bits &= bits - 1;
                        continue;
                    }
                    at = self.event::<BREAK>(place, byte);
                }
                bits &= u64::MAX.checked_shl((at - start) as u32).unwrap_or(0);
            }
            at = at.max(start + BLOCK);
        }
        self.push_hard(self.text.len(), self.text.len());
    }

    /// Deals with the candidate `byte` at `at`, which is no line end; gives the place to go on from, behind it.
    #[inline(always)]
    fn event<const BREAK: bool>(&mut self, at: usize, byte: u8) -> usize {
        match byte {
            b'.' | b'!' | b'?' => self.mark::<BREAK>(at, byte),
            b';' if BREAK => self.semicolon(at, 1),
            b')' => self.item(at).unwrap_or(at + 1),
            0x80.. => self.wide::<BREAK>(at),
            _ => at + 1,
        }
    }

    /// The ideographic full stop.
    #[inline(always)]
    fn full_stop<const BREAK: bool>(&mut self, at: usize) -> usize {
        let end = at + 3;
        match self.byte(end) {
            // U+4000 to U+9FFF.
            0xE4..=0xE9 => {
                self.push(at, end);
                end
            }
            // Where the line ends ends the sentence anyway.
            b'\n' if BREAK || self.byte(end + 1) == b'\n' => end,
            _ => self.other_full_stop(at),
        }
    }

    /// `.`, `!` or `?`.
    #[inline(always)]
    fn mark<const BREAK: bool>(&mut self, at: usize, byte: u8) -> usize {
        let behind = self.byte(at + 1);
        if self.line.marker.is_some()
            && byte == b'.'
            && let Some(end) = self.item(at)
        {
            return end;
        }
        // Where the line ends ends the sentence anyway.
        if behind == b'\n' && (BREAK || self.byte(at + 2) == b'\n') {
            return at + 1;
        }
        self.stop(at)
    }

    /// A character of three bytes.
    #[inline(always)]
    fn wide<const BREAK: bool>(&mut self, at: usize) -> usize {
        match wide_at(self.bytes, at) {
            Wide::Full => self.full_stop::<BREAK>(at),
            Wide::Stop => self.any_stop(at),
            Wide::Semicolon if BREAK => self.semicolon(at, 3),
            Wide::Bullet if self.line.bullet.is_some() => self.bullet(at),
            _ => at + 3,
        }
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

    /// Ends a sentence at `at` because of what stands at `place`, if none ends there or behind. A pair may take it back.
    #[inline]
    fn push(&mut self, place: usize, at: usize) {
        self.recall(place);
        if at > self.last {
            self.last = at;
            self.ends.push(at as u32);
        }
    }

    /// Ends a sentence whatever is open.
    #[inline]
    fn push_hard(&mut self, place: usize, at: usize) {
        if self.last < place {
            self.recall(place);
        }
        if at > self.last {
            self.last = at;
            self.ends.push(at as u32);
        }
        self.hard = at;
    }

    /// Makes sure that `ends` and `last` are as pairs that close before `place` have left them.
    #[inline]
    fn recall(&mut self, place: usize) {
        if self.last > self.hard {
            self.follow(place);
        }
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
    #[inline(always)]
    fn space(&self, at: usize) -> Space {
        let (first, second) = (self.byte(at), self.byte(at + 1));
        if is_visible(first) {
            Space { cut: at, next: at, lines: 0, head: first }
        } else if first == b' ' && is_visible(second) {
            Space { cut: at + 1, next: at + 1, lines: 0, head: second }
        } else {
            self.line_space(at)
        }
    }

    /// The white space at `at`, where it most likely begins with a line end.
    #[inline(always)]
    fn line_space(&self, at: usize) -> Space {
        let Some([b'\n', window @ ..]) = self.bytes.get(at..).and_then(<[u8]>::first_chunk::<9>) else {
            return self.long_space(at);
        };
        let window = u64::from_le_bytes(*window);
        let second = window as u8 == b'\n';
        let window = if second { window >> 8 } else { window };
        let lines = 1 + usize::from(second);
        // A multiple of eight; eight blanks make it 64, which shifts by nothing.
        let blanks = (window ^ BLANKS).trailing_zeros() & !7;
        let head = window.wrapping_shr(blanks) as u8;
        if !is_visible(head) {
            return self.deep_space(at, lines);
        }
        Space { cut: at + lines, next: at + lines + blanks as usize / 8, lines, head }
    }

    /// The same, where `lines` line feeds are not followed by less than eight blanks and something visible.
    #[inline(never)]
    fn deep_space(&self, at: usize, lines: usize) -> Space {
        let cut = at + lines;
        let (eights, _) = self.bytes[cut..].as_chunks::<8>();
        let blanks = eights.iter().take_while(|&&eight| u64::from_le_bytes(eight) == BLANKS).count() * 8;
        let mut next = cut + blanks;
        while self.bytes.get(next) == Some(&b' ') {
            next += 1;
        }
        let head = self.byte(next);
        if is_visible(head) { Space { cut, next, lines, head } } else { self.long_space(at) }
    }

    #[inline(never)]
    fn long_space(&self, at: usize) -> Space {
        let mut space = Space { cut: at, next: at, lines: 0, head: b'\n' };
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
        space.head = self.byte(space.next);
        space
    }
}
