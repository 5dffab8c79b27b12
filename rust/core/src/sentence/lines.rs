//! Line ends, and items of lists.

use memchr::memchr2;

use super::chars::{
    ANEW, DIGIT, FLAT, Kind, LOWER, NUMBERED, OPEN, UPPER, WHITE, WHOLE, class, is_bullet, is_closer, is_emphasis,
    is_final, is_final_particle, is_numeral, is_particle,
};
use super::pairs::Sort;
use super::scan::next_line_end;
use super::{Line, Scanner, Space};
use crate::simd::{Isa, Work};

/// A line this long (in bytes) is likely to have been wrapped.
const LONG: usize = 48;

/// How the number of an item is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    /// `1.`
    Dot,
    /// `1)`
    Round,
    /// `1.)`
    DotRound,
}

/// The item of a list that would come next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marker {
    value: u32,
    /// A letter, `value` is its code.
    letter: bool,
    style: Style,
    /// Whether the line ends with a final mark, once that was looked up.
    closed: Option<bool>,
}

impl Scanner<'_> {
    /// The line end at `at`, where every one ends a sentence.
    #[inline(always)]
    pub(super) fn hard_line_end(&mut self, at: usize) -> usize {
        let space = self.line_space(at);
        self.push_hard(at, space.cut);
        self.begin_line(space.cut, space.next, space.head);
        space.cut
    }

    /// The line end at `at`, where text may be wrapped.
    #[inline(always)]
    pub(super) fn line_end(&mut self, at: usize) -> usize {
        let space = self.line_space(at);
        if space.lines > 1 || space.next == self.text.len() || self.is_over(at, space) {
            self.push_hard(at, space.cut);
        }
        self.begin_line(space.cut, space.next, space.head);
        space.cut
    }

    /// A new line at `start`, with its first visible character at `first` and `head` the byte there.
    #[inline(always)]
    pub(super) fn begin_line(&mut self, start: usize, first: usize, head: u8) {
        self.line = Line { start, first, head, extra: b'\n', marker: None, bullet: None };
        if class(head) & (LOWER | UPPER | DIGIT) != 0 {
            if class(self.byte(first + 1)) & NUMBERED != 0 {
                self.begin_item(first);
            }
        } else if head == 0xE2 {
            self.line.bullet = self.at(first).filter(|&c| is_bullet(c));
        }
    }

    /// A new line that may begin with the number of an item.
    #[inline(never)]
    fn begin_item(&mut self, first: usize) {
        self.line.marker = self.marker(first);
        self.line.extra = match self.line.marker {
            Some(Marker { style: Style::Round, .. }) => b')',
            Some(Marker { style: Style::Dot, .. }) => b'.',
            _ => b'\n',
        };
    }

    /// The marker behind the one at `at`, if there is one.
    fn marker(&self, at: usize) -> Option<Marker> {
        let rest = &self.bytes[at..];
        let digits = rest.iter().take(4).take_while(|b| b.is_ascii_digit()).count();
        let letter = digits == 0 && rest.first().is_some_and(u8::is_ascii_alphabetic);
        let length = if letter { 1 } else { digits };
        if !(1..=3).contains(&length) {
            return None;
        }
        let style = self.style(at + length)?;
        let word = &rest[..length];
        let value = if letter { u32::from(word[0]) } else { word.iter().fold(0, |n, b| n * 10 + u32::from(b - b'0')) };
        Some(Marker { value: value + 1, letter, style, closed: None })
    }

    /// The style of a marker whose number ends at `at`; white space must follow.
    fn style(&self, at: usize) -> Option<Style> {
        let rest = &self.text[at..];
        let (style, rest) = if let Some(rest) = rest.strip_prefix(".)") {
            (Style::DotRound, rest)
        } else if let Some(rest) = rest.strip_prefix('.') {
            (Style::Dot, rest)
        } else {
            (Style::Round, rest.strip_prefix(')')?)
        };
        rest.starts_with(char::is_whitespace).then_some(style)
    }

    /// Whether the mark at `at` ends the number of the item that comes next in the list of this line; then its sentence
    /// begins with that number, and the place behind the marker is given.
    #[inline(never)]
    pub(super) fn item(&mut self, at: usize) -> Option<usize> {
        let marker = self.line.marker?;
        let digit = marker.value % 10;
        if !marker.letter && self.bytes[at - 1] != b'0' + digit as u8 {
            return None;
        }
        let mut buffer = [0; 10];
        let number = number(marker, &mut buffer);
        let start = at.checked_sub(number.len())?;
        if start <= self.line.first || &self.bytes[start..at] != number || self.style(at) != Some(marker.style) {
            return None;
        }
        self.follow(at);
        if marker.style != Style::Dot && self.pairs.has(Sort::Round) {
            return None;
        }
        let last = self.last;
        if last > start || !self.before(start).is_some_and(char::is_whitespace) {
            return None;
        }
        let end = at + if marker.style == Style::DotRound { 2 } else { 1 };
        if marker.style == Style::Dot && last < start {
            let next = self.next(self.space(end).next);
            if next.kind == Kind::Lower || self.line_is_closed(at) {
                return None;
            }
        }
        self.push_hard(at, start);
        self.pairs.clear();
        self.followed = end;
        if let Some(marker) = &mut self.line.marker {
            marker.value += 1;
        }
        Some(end)
    }

    /// Whether the current line ends with a final mark. Looked up once.
    fn line_is_closed(&mut self, at: usize) -> bool {
        if let Some(closed) = self.line.marker.and_then(|marker| marker.closed) {
            return closed;
        }
        let end = memchr2(b'\n', b'\r', &self.bytes[at..]).map_or(self.bytes.len(), |n| at + n);
        let closed = ends_finally(&self.text[self.line.start..end]);
        if let Some(marker) = &mut self.line.marker {
            marker.closed = Some(closed);
        }
        closed
    }

    /// The character of three bytes at `at`, which may be a bullet: it begins an item if its line began with the same.
    #[inline(never)]
    pub(super) fn bullet(&mut self, at: usize) -> usize {
        let same = self.line.bullet == self.at(at);
        if same && at > self.line.first && self.before(at).is_some_and(char::is_whitespace) {
            self.push_hard(at, at);
        }
        at + 3
    }

    /// Whether a single line end at `at`, with `space` there, ends a sentence where text is wrapped.
    #[inline(always)]
    fn is_over(&mut self, at: usize, space: Space) -> bool {
        // No line begins anew in a paragraph that was looked through.
        let looked = at < self.paragraph_end;
        if !looked && self.begins_anew(self.line.head, space) {
            return true;
        }
        if self.is_whole() {
            return true;
        }
        if self.blocked(space) {
            return false;
        }
        // All but white space and closing marks of ASCII can be told from the last byte.
        let last = if at > self.line.start { class(self.bytes[at - 1]) } else { WHITE };
        if last & FLAT == 0 {
            return self.is_over_marked(at, space);
        }
        if looked && self.running {
            return false;
        }
        let goes_on = last & OPEN != 0 || self.wraps(at, space);
        !(goes_on || self.is_running(at))
    }

    /// The rest of it where the line does not end with a flat character.
    #[inline(never)]
    fn is_over_marked(&mut self, at: usize, space: Space) -> bool {
        let line = self.text[self.line.start..at].trim_end();
        if ends_politely(line) && !self.at(space.next).is_some_and(is_final_particle) {
            return true;
        }
        let goes_on = line.ends_with(is_open) || self.wraps(self.line.start + line.len(), space);
        !(goes_on || self.is_running(at))
    }

    /// Whether a line that ends at `end` without the white space at its end was plainly wrapped.
    #[inline(always)]
    fn wraps(&self, end: usize, space: Space) -> bool {
        let next = space.head;
        (space.next > space.cut || end - self.line.start >= LONG)
            && (class(next) & LOWER != 0 || ((next >= 0x80 || next == b'>') && self.is_small(space.next)))
    }

    /// Whether the content of the line with its first visible character at `next` begins with a small letter.
    #[inline(never)]
    fn is_small(&self, next: usize) -> bool {
        self.content(next).chars().next().is_some_and(char::is_lowercase)
    }

    /// Whether the line behind `space` begins a heading, an item, a quote, a table or a fence; `head` is the first visible byte of the line
    /// before.
    #[inline(always)]
    fn begins_anew(&self, head: u8, space: Space) -> bool {
        let Space { next, head: byte, .. } = space;
        let class = class(byte);
        if class & (LOWER | UPPER) != 0 {
            self.byte(next + 1) == b')' && self.text[next + 2..].starts_with(char::is_whitespace)
        } else if class & ANEW != 0 {
            self.mark_begins_anew(head, next)
        } else {
            byte >= 0x80 && self.numeral_begins_anew(next)
        }
    }

    /// The same where the line begins with U+4000 to U+9FFF.
    #[inline(never)]
    fn numeral_begins_anew(&self, next: usize) -> bool {
        self.at(next).is_some_and(is_numeral) && is_numbered(&self.text[next..])
    }

    /// The same where the line begins with one of [`ANEW`].
    #[inline(never)]
    fn mark_begins_anew(&self, head: u8, next: usize) -> bool {
        let rest = &self.bytes[next..];
        match rest[0] {
            // The commonest are told from a few bytes.
            b'|' => true,
            b'#' => is_heading(&self.text[next..]),
            b'-' | b'*' | b'+' if rest.get(1) == Some(&b' ') => true,
            b'-' | b'*' | b'+' if rest.get(1).is_some_and(u8::is_ascii_graphic) => rest.starts_with(b"+-"),
            b'0'..=b'9' => is_numbered(&self.text[next..]),
            b'`' => rest.starts_with(b"```"),
            b'~' => rest.starts_with(b"~~~"),
            b'>' if head != b'>' => true,
            _ => self.content_begins_anew(next),
        }
    }

    /// The same, looking at the content of the line.
    fn content_begins_anew(&self, next: usize) -> bool {
        let rest = self.content(next);
        match rest.as_bytes().first() {
            Some(b'#') => is_heading(rest),
            None | Some(b'|' | b'\n' | b'\r') => true,
            Some(b'-' | b'*' | b'+') => rest[1..].starts_with(char::is_whitespace) || rest.starts_with("+-"),
            Some(b'`' | b'~') => is_fence(rest),
            // A letter or U+4000 to U+9FFF may be the content of a quote.
            Some(b'0'..=b'9' | b'(' | b'a'..=b'z' | b'A'..=b'Z') => is_numbered(rest),
            Some(0..0x80) => false,
            _ => rest.starts_with(|c| is_bullet(c) || matches!(c, '※' | '①'..='⑳')) || is_numbered(rest),
        }
    }

    /// Whether the current line is a heading, a row of a table, a fence, a rule or an empty line of a quote.
    #[inline(always)]
    fn is_whole(&self) -> bool {
        class(self.line.head) & WHOLE != 0 && self.is_marked_whole()
    }

    #[inline(never)]
    fn is_marked_whole(&self) -> bool {
        is_whole(self.content(self.line.first))
    }

    /// The text from `first`, which begins a line, without the marks of quotes.
    #[inline]
    fn content(&self, first: usize) -> &str {
        let rest = &self.text[first..];
        if rest.starts_with('>') { rest.trim_start_matches(['>', ' ', '\t']) } else { rest }
    }

    /// Whether the lines around the line end at `at` are running text: the last one, before a blank line or one that
    /// begins anew, ends with a final mark.
    #[inline]
    fn is_running(&mut self, at: usize) -> bool {
        if at >= self.paragraph_end {
            self.look_through(at);
        }
        self.running
    }

    /// Finds out whether the lines from the line end at `at` on are running text, once for all of them.
    #[inline(never)]
    fn look_through(&mut self, at: usize) {
        let end = self.level.dispatch(LookThrough(self, at));
        self.paragraph_end = end.max(at + 1);
        self.running = ends_finally(&self.text[self.line.start..end]);
    }

    /// The end of the last line of the lines from the line end at `at` on.
    #[inline(always)]
    fn last_line_end<I: Isa>(&self, isa: I, at: usize) -> usize {
        let (mut end, mut head) = (at, self.line.head);
        loop {
            // Most lines begin with a letter.
            if class(self.byte(end + 1)) & (LOWER | UPPER) != 0 && self.byte(end + 2) != b')' {
                head = b'a';
                end = next_line_end(isa, self.bytes, end + 1);
                continue;
            }
            let space = self.line_space(end);
            if space.lines != 1 || space.next == self.text.len() || self.begins_anew(head, space) {
                return end;
            }
            head = space.head;
            end = next_line_end(isa, self.bytes, space.next);
        }
    }
}

/// Looks through the lines from a line end on.
struct LookThrough<'s, 'a>(&'s Scanner<'a>, usize);

impl Work for LookThrough<'_, '_> {
    type Output = usize;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> usize {
        self.0.last_line_end(isa, self.1)
    }
}

/// The text of a marker's number.
fn number(marker: Marker, buffer: &mut [u8; 10]) -> &[u8] {
    let mut at = buffer.len();
    if marker.letter {
        at -= 1;
        buffer[at] = marker.value as u8;
        return &buffer[at..];
    }
    let mut value = marker.value;
    while value > 0 {
        at -= 1;
        buffer[at] = b'0' + (value % 10) as u8;
        value /= 10;
    }
    &buffer[at..]
}

/// `text` without white space and at most 8 closing marks at its end.
fn without_closers(text: &str) -> &str {
    let closing = |c: char| is_closer(c) || is_emphasis(c) || matches!(c, '"' | '\'');
    let mut rest = text.trim_end();
    for _ in 0..8 {
        let Some(shorter) = rest.strip_suffix(closing) else { break };
        rest = shorter;
    }
    rest
}

/// Whether a line that ends with `c` plainly goes on behind it.
fn is_open(c: char) -> bool {
    matches!(c, ',' | '，' | '、' | '-' | '–' | '—' | '(' | '（' | '&' | '/') || is_particle(c)
}

/// Whether `text` ends with a final mark.
fn ends_finally(text: &str) -> bool {
    let last = text.as_bytes().last().copied().unwrap_or(b' ');
    if class(last) & FLAT != 0 { is_final(char::from(last)) } else { without_closers(text).ends_with(is_final) }
}

/// Whether `text` ends as Japanese sentences do.
fn ends_politely(text: &str) -> bool {
    let rest = without_closers(text);
    if rest.as_bytes().last().is_none_or(u8::is_ascii) {
        return false;
    }
    ["です", "ます", "でした", "ました", "ません", "である", "だった", "ください"]
        .iter()
        .any(|form| rest.ends_with(form))
}

/// One to six `#`, then white space or the end.
fn is_heading(text: &str) -> bool {
    if text.starts_with("# ") || text.starts_with("## ") || text.starts_with("### ") {
        return true;
    }
    let level = text.bytes().take(7).take_while(|&b| b == b'#').count();
    (1..=6).contains(&level) && text[level..].chars().next().is_none_or(char::is_whitespace)
}

/// Whether a line with this content is a heading, a row of a table, a fence, a rule or empty.
fn is_whole(content: &str) -> bool {
    match content.as_bytes() {
        [] | [b'|' | b'\n' | b'\r', ..] | [b'+', b'-', ..] | [b'-', b'-', b'-', ..] | [b'=', b'=', b'=', ..] => true,
        [b'#', ..] => is_heading(content),
        _ => is_fence(content),
    }
}

/// Three back-ticks or tildes.
fn is_fence(text: &str) -> bool {
    text.starts_with("```") || text.starts_with("~~~")
}

/// Whether `text` begins with the number of an item.
fn is_numbered(text: &str) -> bool {
    // Most lines of lists have one digit.
    if let [b'0'..=b'9', b'.' | b')', b' ', ..] = text.as_bytes() {
        return true;
    }
    let bracket = text.starts_with(['(', '（']);
    let text = text.strip_prefix(['(', '（']).unwrap_or(text);
    let count = |is: fn(char) -> bool| text.chars().take(4).take_while(|&c| is(c)).count();
    let (digits, numerals) = (count(|c| c.is_ascii_digit()), count(is_numeral));
    let behind = |n: usize| text.char_indices().nth(n).map_or("", |(at, _)| &text[at..]);
    if bracket {
        let length = digits.max(numerals);
        return (1..=3).contains(&length) && behind(length).starts_with([')', '）']);
    }
    if (1..=3).contains(&digits) {
        let rest = behind(digits);
        let rest_of = |mark: &str| {
            rest.strip_prefix(mark).is_some_and(|rest| rest.chars().next().is_none_or(char::is_whitespace))
        };
        return rest.starts_with(['、', '．', '）'])
            || rest.starts_with(".）")
            || [".", ")", ".)"].into_iter().any(rest_of);
    }
    let letter = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text[1..].strip_prefix(')').is_some_and(|rest| rest.starts_with(char::is_whitespace));
    letter || ((1..=3).contains(&numerals) && behind(numerals).starts_with('、'))
}
