//! Marks that end sentences: what belongs to the mark, and whether the sentence ends behind it.

use super::chars::{
    BLOCKING, CLOSING, Kind, LOWER, UPPER, WHITE, class, is_cjk, is_cjk_opener, is_closer, is_emphasis, is_hiragana,
    is_mark, is_opener, is_trailing,
};
use super::pairs::Sort;
use super::{Scanner, Space};

/// The marks that a run is made of; one with several sorts has the greatest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Marks {
    /// Full stops.
    Dots,
    /// `…`
    Ellipsis,
    /// `!`
    Exclaimed,
    /// `?`
    Asked,
    /// `。`, `！`, `？`, `｡` or `．`
    Wide,
}

/// A run of marks, such as `?!` or `...`.
#[derive(Clone, Copy, Debug)]
struct Run {
    end: usize,
    marks: Marks,
    dots: usize,
}

/// What closes behind a run.
#[derive(Clone, Copy, Debug, Default)]
struct Closers {
    end: usize,
    /// A quotation mark or bracket is among them.
    any: bool,
    /// A bracket that was opened in the middle of the sentence, or the mark of a title.
    inside: bool,
}

/// What comes behind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    pub(super) kind: Kind,
    /// Where its first letter stands.
    pub(super) at: usize,
}

impl Scanner<'_> {
    /// A run of marks that begins at `at`.
    #[inline(never)]
    pub(super) fn stop(&mut self, at: usize) -> usize {
        // The commonest is one full stop before a blank and a capital.
        if self.bytes[at] == b'.'
            && self.byte(at + 1) == b' '
            && class(self.byte(at + 2)) & UPPER != 0
            && self.plain_word_ends(at, Next { kind: Kind::Upper, at: at + 2 }) == Some(true)
        {
            self.push(at, at + 2);
            return at + 2;
        }
        self.other_stop(at)
    }

    #[inline(never)]
    fn other_stop(&mut self, at: usize) -> usize {
        // Or before other white space or the end.
        if self.bytes[at] == b'.' && class(self.byte(at + 1)) & WHITE != 0 && self.byte(at + 2) != b'.' {
            let closers = Closers { end: at + 1, ..Closers::default() };
            let space = self.space(at + 1);
            let ends = if class(space.head) & UPPER != 0 {
                self.dot_ends(at, Next { kind: Kind::Upper, at: space.next }, false)
            } else {
                self.narrow_ends(at, Run { end: at + 1, marks: Marks::Dots, dots: 1 }, space, closers)
            };
            return self.finish(ends, at, at + 1, space);
        }
        self.any_stop(at)
    }

    /// An ideographic full stop.
    #[inline(never)]
    pub(super) fn other_full_stop(&mut self, at: usize) -> usize {
        if class(self.byte(at + 3)) & WHITE == 0 {
            return self.any_stop(at);
        }
        let space = self.space(at + 3);
        let ends = !self.blocked(space);
        self.finish(ends, at, at + 3, space)
    }

    #[inline(never)]
    pub(super) fn any_stop(&mut self, at: usize) -> usize {
        if self.bytes[at] == b'.'
            && let Some(end) = self.spaced(at)
        {
            return end;
        }
        let run = self.marks(at);
        if self.bytes[at] == 0xEF && self.text[at..].starts_with('．') && !self.before(at).is_some_and(is_hiragana) {
            return run.end;
        }
        let closers = self.closers(run.end);
        let space = self.space(closers.end);
        let ends = if run.marks == Marks::Wide {
            self.wide_ends(space, closers)
        } else if space.next > closers.end || space.next == self.text.len() {
            self.narrow_ends(at, run, space, closers)
        } else {
            run.marks >= Marks::Exclaimed
                && self.at(closers.end).is_some_and(|c| is_cjk(c) || is_cjk_opener(c))
                && !self.is_path(at)
                && self.wide_ends(space, closers)
        };
        self.finish(ends, at, closers.end, space)
    }

    /// A semicolon of `length` bytes.
    pub(super) fn semicolon(&mut self, at: usize, length: usize) -> usize {
        let end = at + length;
        if length == 1 && self.is_entity(at) {
            return end;
        }
        let closers = self.closers(end);
        let behind = self.at(closers.end);
        let space = self.space(closers.end);
        let ends = if length == 3 || behind.is_some_and(|c| is_cjk(c) || is_cjk_opener(c)) {
            self.wide_ends(space, closers)
        } else {
            behind.is_none_or(char::is_whitespace) && !self.blocked(space)
        };
        self.finish(ends, at, closers.end, space)
    }

    /// Ends the sentence with the mark at `at` behind `space`; goes on at its line end, if it has one.
    fn finish(&mut self, ends: bool, at: usize, end: usize, space: Space) -> usize {
        if ends {
            self.push(at, space.cut);
        }
        if ends && space.lines == 0 { space.cut } else { end }
    }

    /// Whether the semicolon at `at` ends a character reference such as `&amp;`.
    fn is_entity(&self, at: usize) -> bool {
        let name = self.bytes[..at].iter().rev().take(10).position(|b| !b.is_ascii_alphanumeric() && *b != b'#');
        name.is_some_and(|n| n > 0 && self.bytes[at - n - 1] == b'&')
    }

    fn marks(&self, at: usize) -> Run {
        let mut run = Run { end: at, marks: Marks::Dots, dots: 0 };
        loop {
            // ….!?。！？．｡
            let (marks, length) = match self.bytes[run.end..] {
                [b'.', ..] => (Marks::Dots, 1),
                [b'!', ..] => (Marks::Exclaimed, 1),
                [b'?', ..] => (Marks::Asked, 1),
                [0xE2, 0x80, 0xA6, ..] => (Marks::Ellipsis, 3),
                [0xE3, 0x80, 0x82, ..] | [0xEF, 0xBC, 0x81 | 0x8E | 0x9F, ..] | [0xEF, 0xBD, 0xA1, ..] => {
                    (Marks::Wide, 3)
                }
                _ => return run,
            };
            run.marks = run.marks.max(marks);
            run.dots += usize::from(marks == Marks::Dots);
            run.end += length;
        }
    }

    /// Steps over closing marks, and closes their pairs.
    #[inline]
    fn closers(&mut self, at: usize) -> Closers {
        let closers = Closers { end: at, ..Closers::default() };
        if class(self.byte(at)) & CLOSING == 0 { closers } else { self.some_closers(closers) }
    }

    #[inline(never)]
    fn some_closers(&mut self, mut closers: Closers) -> Closers {
        self.follow(closers.end);
        while let Some(c) = self.at(closers.end) {
            let end = closers.end + c.len_utf8();
            closers.end = if let Some(sort) = Sort::closed_by(c) {
                closers.any = true;
                let pair = self.close_pair(sort, closers.end);
                closers.inside |= matches!(sort, Sort::Title | Sort::Angle)
                    || (sort.is_bracket() && pair.is_some_and(|pair| !self.leads(pair.at)));
                end
            } else if is_closer(c) || (matches!(c, '\'' | '“' | '‘') && self.closes_before(end)) {
                closers.any = true;
                end
            } else if c == '"' && (self.pairs.has(Sort::Straight) || self.closes_before(end)) {
                self.close_pair(Sort::Straight, closers.end);
                closers.any = true;
                end
            } else if is_emphasis(c) {
                let end = self.run_end(closers.end, c as u8);
                if !(self.closes_before(end) || (c == '*' && self.is_emphasized(closers.end))) {
                    break;
                }
                if c == '*' {
                    (self.emphasized, self.emphasis) = (end, false);
                }
                end
            } else if let Some(end) = self.note(closers.end).or_else(|| self.end_tag(closers.end)) {
                end
            } else {
                break;
            };
        }
        self.followed = closers.end;
        closers
    }

    /// Whether what stands at `at` shows that the mark before it closes.
    fn closes_before(&self, at: usize) -> bool {
        self.at(at).is_none_or(|c| c.is_whitespace() || is_closer(c) || is_emphasis(c) || matches!(c, '"' | '\''))
    }

    /// The end of a reference to a note at `at`: `[^name]` or `[12]`, unless it is a link.
    fn note(&self, at: usize) -> Option<usize> {
        let inner = self.bytes[at..].strip_prefix(b"[")?;
        let named = inner.first() == Some(&b'^');
        let name = &inner[usize::from(named)..];
        let ok = |b: &u8| b.is_ascii_digit() || (named && (b.is_ascii_alphabetic() || *b == b'-'));
        let length = name.iter().take(if named { 17 } else { 4 }).take_while(|b| ok(b)).count();
        let end = at + 1 + usize::from(named) + length + 1;
        let whole = (1..=if named { 16 } else { 3 }).contains(&length) && name.get(length) == Some(&b']');
        (whole && !matches!(self.bytes.get(end), Some(b'(' | b'[' | b':'))).then_some(end)
    }

    /// The end of an HTML end tag (`</b>`, a name of at most 16 letters and digits) at `at`.
    fn end_tag(&self, at: usize) -> Option<usize> {
        let name = self.bytes[at..].strip_prefix(b"</")?;
        let length = name.iter().take(17).take_while(|b| b.is_ascii_alphanumeric()).count();
        ((1..=16).contains(&length) && name.get(length) == Some(&b'>')).then_some(at + 2 + length + 1)
    }

    /// Four or more full stops, or three, with single blanks between them. Gives the place behind, if they are that.
    fn spaced(&mut self, at: usize) -> Option<usize> {
        let (mut end, mut dots) = (at + 1, 1);
        while let Some(rest) = self.text[end..].strip_prefix([' ', '\u{A0}'])
            && rest.starts_with('.')
        {
            end = self.text.len() - rest.len() + 1;
            dots += 1;
        }
        if dots < 3 {
            return None;
        }
        let attached = self.before(at).is_some_and(|c| !c.is_whitespace() && !is_opener(c));
        let closers = self.closers(end);
        let space = self.space(closers.end);
        let blank = self.at(closers.end).is_none_or(char::is_whitespace);
        if dots < 4 || !blank || self.blocked(space) {
            return Some(closers.end);
        }
        if matches!(self.next(space.next).kind, Kind::Lower | Kind::End) {
            return Some(closers.end);
        }
        if attached && closers.end == end {
            // The sentence ended with the first one, the others say that something was left out.
            let blank = if self.bytes[at + 1] == b' ' { 1 } else { 2 };
            self.push(at, at + 1 + blank);
            return Some(end);
        }
        Some(self.finish(true, at, closers.end, space))
    }

    /// Whether a sentence ends behind a mark of Chinese or Japanese text.
    fn wide_ends(&self, space: Space, closers: Closers) -> bool {
        let goes_on =
            self.at(closers.end).is_some_and(|c| is_mark(c) || (closers.any && (is_hiragana(c) || c == '的')));
        !goes_on && !closers.inside && !self.blocked(space)
    }

    /// Whether a sentence ends behind marks that have white space (or the end of the text) behind them.
    #[inline(never)]
    fn narrow_ends(&mut self, at: usize, run: Run, space: Space, closers: Closers) -> bool {
        let next = self.next(space.next);
        if next.kind == Kind::End {
            return true;
        }
        if self.blocked(space) {
            return false;
        }
        let attached = self.before(at).is_some_and(|c| !c.is_whitespace() && !is_opener(c));
        let small = next.kind == Kind::Lower;
        match (run.marks, run.dots) {
            (Marks::Asked | Marks::Wide, _) => !small || (attached && !closers.any),
            (Marks::Exclaimed, _) => !small || (attached && !closers.any && !self.is_exclaimed(at)),
            (Marks::Ellipsis, _) | (Marks::Dots, 3) => attached && matches!(next.kind, Kind::Upper | Kind::Cjk),
            (Marks::Dots, 1) => self.dot_ends(at, next, closers.any),
            (Marks::Dots, 2) => !matches!(next.kind, Kind::Lower | Kind::Digit),
            (Marks::Dots, _) => !small,
        }
    }

    /// Whether the text behind `space` cannot begin a sentence.
    #[inline(always)]
    pub(super) fn blocked(&self, space: Space) -> bool {
        class(space.head) & BLOCKING != 0 && self.mark_blocks(space.next)
    }

    #[inline(never)]
    fn mark_blocks(&self, at: usize) -> bool {
        let mut chars = self.text[at..].chars();
        let Some(c) = chars.next() else { return false };
        let second = chars.next();
        if is_mark(c) || is_closer(c) {
            return true;
        }
        match c {
            '.' | ':' | '?' => !second.is_some_and(|c| c.is_ascii_alphanumeric()),
            '!' => !second.is_some_and(|c| c == '[' || c.is_ascii_alphanumeric()),
            '<' => second == Some('/'),
            '"' | '\'' | '*' | '_' | '~' => second.is_none_or(char::is_whitespace),
            c => is_trailing(c),
        }
    }

    /// The first letter at `at`, past at most 8 marks that may stand before one.
    #[inline]
    pub(super) fn next(&self, at: usize) -> Next {
        let (first, second) = (class(self.byte(at)), self.byte(at + 1));
        let kind = if first & UPPER != 0 {
            Kind::Upper
        } else if first & LOWER != 0 && second < 0x80 {
            if class(second) & UPPER != 0 { Kind::Upper } else { Kind::Lower }
        } else {
            return self.next_letter(at);
        };
        Next { kind, at }
    }

    #[inline(never)]
    fn next_letter(&self, at: usize) -> Next {
        let mut rest = self.text[at..].char_indices().peekable();
        let mut past = 0;
        while let Some((offset, c)) = rest.next() {
            let dash = matches!(c, '-' | '–' | '—');
            if past < 8 && c != '<' && (dash || is_opener(c) || is_emphasis(c)) {
                past += 1;
                if dash {
                    rest.next_if(|&(_, c)| c == ' ');
                }
                continue;
            }
            let kind = if c.is_lowercase() {
                if rest.peek().is_some_and(|&(_, c)| c.is_uppercase()) { Kind::Upper } else { Kind::Lower }
            } else if c.is_uppercase() {
                Kind::Upper
            } else if c.is_ascii_digit() || matches!(c, '０'..='９') {
                Kind::Digit
            } else if is_cjk(c) {
                Kind::Cjk
            } else {
                Kind::Other
            };
            return Next { kind, at: at + offset };
        }
        Next { kind: if past == 0 { Kind::End } else { Kind::Other }, at: self.text.len() }
    }
}
