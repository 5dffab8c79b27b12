//! The pattern that cuts a text into pieces, one piece at a time, by hand.
//!
//! A piece is what one match of the encoding's regular expression takes. The patterns look ahead, never behind, so a piece
//! depends only on the text from its start on.

use super::classes::{self, BREAK, Class, END, LOWER, MARK, NUMBER, UNCASED, UPPER, WHITE};

/// The families of patterns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pattern {
    /// `gpt2`, `r50k_base`, `p50k_base`, `p50k_edit`.
    R50k,
    /// `cl100k_base`.
    Cl100k,
    /// `o200k_base`, `o200k_harmony`.
    O200k,
}

impl Pattern {
    /// The regular expression. It is here for the digest; the functions below match it.
    pub(super) const fn source(self) -> &'static str {
        match self {
            Self::R50k => r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",
            Self::Cl100k => concat!(
                r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+",
                r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
            ),
            Self::O200k => concat!(
                r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
                r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
                r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
            ),
        }
    }

    /// The end of the piece that starts at `start`, which is before the end of `text`.
    pub(super) fn piece_end(self, text: &[u8], start: usize) -> usize {
        self.piece(text, start).0
    }

    /// The end of the piece that starts at `start`, and whether the end of the text was seen on the way: if it was not, the
    /// piece is the same whatever follows `text`.
    pub(super) fn piece(self, text: &[u8], start: usize) -> (usize, bool) {
        let mut reader = Reader { text, saw_end: false };
        let end = match self {
            Self::R50k => reader.r50k(start),
            Self::Cl100k => reader.cl100k(start),
            Self::O200k => reader.o200k(start),
        };
        (end, reader.saw_end)
    }
}

struct Reader<'a> {
    text: &'a [u8],
    saw_end: bool,
}

impl Reader<'_> {
    fn class(&mut self, at: usize) -> (Class, usize) {
        let (class, len) = classes::at(self.text, at);
        self.saw_end |= class == END;
        (class, len)
    }

    fn byte(&mut self, at: usize) -> u8 {
        let byte = self.text.get(at).copied();
        self.saw_end |= byte.is_none();
        byte.unwrap_or(0)
    }

    /// The end of the run of characters from `at` on whose class is wanted.
    fn run(&mut self, mut at: usize, wanted: impl Fn(Class) -> bool) -> usize {
        loop {
            let (class, len) = self.class(at);
            if !wanted(class) {
                return at;
            }
            at += len;
        }
    }

    fn r50k(&mut self, start: usize) -> usize {
        if self.text[start] == b'\'' {
            let suffix = self.contraction(start, false);
            if suffix > start {
                return suffix;
            }
        }
        let blank = usize::from(self.text[start] == b' ');
        let (class, len) = self.class(start + blank);
        let body = start + blank + len;
        match class {
            UPPER | LOWER | UNCASED => self.run(body, classes::is_letter),
            NUMBER => self.run(body, |class| class == NUMBER),
            classes::OTHER | MARK => self.run(body, classes::is_symbol),
            _ => self.white_run(start),
        }
    }

    fn cl100k(&mut self, start: usize) -> usize {
        if self.text[start] == b'\'' {
            let suffix = self.contraction(start, true);
            if suffix > start {
                return suffix;
            }
        }
        let (class, len) = self.class(start);
        match class {
            UPPER | LOWER | UNCASED => self.run(start + len, classes::is_letter),
            NUMBER => self.numbers(start + len),
            BREAK => self.white(start),
            _ => {
                let (next, next_len) = self.class(start + len);
                if classes::is_letter(next) {
                    self.run(start + len + next_len, classes::is_letter)
                } else {
                    self.symbols_or_white(start, |byte| matches!(byte, b'\r' | b'\n'))
                }
            }
        }
    }

    fn o200k(&mut self, start: usize) -> usize {
        let (class, len) = self.class(start);
        match class {
            UPPER | LOWER | UNCASED => {
                let end = self.word(start);
                self.contraction(end, true)
            }
            NUMBER => self.numbers(start + len),
            BREAK => self.white(start),
            _ => match self.prefixed_word(start, class, len) {
                Some(end) => self.contraction(end, true),
                None => self.symbols_or_white(start, |byte| matches!(byte, b'\r' | b'\n' | b'/')),
            },
        }
    }

    /// A word of o200k behind one character that is no letter, number or line break.
    fn prefixed_word(&mut self, start: usize, class: Class, len: usize) -> Option<usize> {
        let body = start + len;
        let (next, _) = self.class(body);
        if !(classes::is_letter(next) || next == MARK) {
            // A mark may be a word by itself.
            return (class == MARK).then_some(body);
        }
        if class == MARK && !self.has_lower_part(body) {
            return Some(body);
        }
        Some(self.word(body))
    }

    /// Whether the first alternative for words matches at `start`.
    fn has_lower_part(&mut self, start: usize) -> bool {
        let upper = self.run(start, |class| class == UPPER);
        matches!(self.class(upper).0, LOWER | UNCASED | MARK)
    }

    /// The end of an o200k word without prefix and contraction. The character at `start` is a letter or mark.
    fn word(&mut self, start: usize) -> usize {
        let mut at = start;
        let mut last_either = None;
        loop {
            let (class, len) = self.class(at);
            match class {
                UPPER => {}
                UNCASED | MARK => last_either = Some(at + len),
                LOWER => return self.run(at, |class| matches!(class, LOWER | UNCASED | MARK)),
                _ => return last_either.unwrap_or(at),
            }
            at += len;
        }
    }

    fn numbers(&mut self, mut at: usize) -> usize {
        for _ in 0..2 {
            let (class, len) = self.class(at);
            if class != NUMBER {
                break;
            }
            at += len;
        }
        at
    }

    /// A run of symbols, perhaps behind a blank, with the bytes behind it that it takes along; else white space.
    fn symbols_or_white(&mut self, start: usize, takes: impl Fn(u8) -> bool) -> usize {
        let blank = usize::from(self.text[start] == b' ');
        if !classes::is_symbol(self.class(start + blank).0) {
            return self.white(start);
        }
        let mut end = self.run(start + blank, classes::is_symbol);
        while takes(self.byte(end)) {
            end += 1;
        }
        end
    }

    /// White space up to the last line break in its run, else as in `white_run`.
    ///
    /// At the end of the text the pattern of `cl100k` takes what follows that line break too. It is left out here, which
    /// makes no difference to the tokens: none has anything behind its last line break but line breaks.
    fn white(&mut self, start: usize) -> usize {
        let mut at = start;
        let mut behind_break = start;
        loop {
            let (class, len) = self.class(at);
            at += len;
            match class {
                BREAK => behind_break = at,
                WHITE => {}
                _ => break,
            }
        }
        if behind_break > start { behind_break } else { self.white_run(start) }
    }

    /// White space without its last character, if something follows and it has more than that.
    fn white_run(&mut self, start: usize) -> usize {
        let mut at = start;
        let mut last = start;
        loop {
            let (class, len) = self.class(at);
            match class {
                _ if classes::is_white(class) => last = at,
                END => return at,
                _ => return if last > start { last } else { at },
            }
            at += len;
        }
    }

    /// The end of the contraction suffix at `at`; `at` if there is none.
    fn contraction(&mut self, at: usize, any_case: bool) -> usize {
        if self.byte(at) != b'\'' {
            return at;
        }
        let fold = if any_case { 0x20 } else { 0 };
        match self.byte(at + 1) | fold {
            b's' | b't' | b'm' | b'd' => at + 2,
            b'l' if self.byte(at + 2) | fold == b'l' => at + 3,
            b'v' | b'r' if self.byte(at + 2) | fold == b'e' => at + 3,
            // U+017F folds to s. Its first byte is C5, which is E5 with the bit for lower case.
            0xE5 if any_case && self.text[at + 1] == 0xC5 && self.byte(at + 2) == 0xBF => at + 3,
            _ => at,
        }
    }
}

/// The end of the last character before `end` that is not white, or `start`.
pub(super) fn trimmed_end(text: &[u8], start: usize, mut end: usize) -> usize {
    while end > start {
        let (class, before) = classes::before(text, end);
        if class != WHITE && class != BREAK {
            break;
        }
        end = before;
    }
    end.max(start)
}
