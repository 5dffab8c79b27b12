//! What a line begins with: the marker of a weak heading or list item, the mark of a question or answer.

use super::forms::{Form, MOST_DOTS};

/// The most digits or numerals in a row.
const MOST_DIGITS: usize = 9;

/// What a line begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    Plain,
    Bullet,
    /// A number that only list items have.
    Number,
    /// A number that headings may have, too.
    Numbered(Form),
    /// An opening `【`. What stands behind is not known yet.
    Lenticular,
    /// Of a question; whether it is the letter.
    Question {
        letter: bool,
    },
    /// Of an answer; whether only a question with the letter can have it.
    Answer {
        choosy: bool,
    },
}

/// The numbers of a marker, outermost first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Numbers {
    values: [u64; MOST_DOTS + 1],
    count: usize,
}

impl Numbers {
    fn push(&mut self, value: u64) {
        if let Some(place) = self.values.get_mut(self.count) {
            *place = value;
            self.count += 1;
        }
    }

    /// Whether `self` counts on by one from `before`.
    pub(super) fn follows(&self, before: &Self) -> bool {
        let Some(last) = self.count.checked_sub(1) else { return false };
        self.count == before.count
            && self.values[..last] == before.values[..last]
            && self.values[last] == before.values[last] + 1
    }
}

/// How a line begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    pub(super) mark: Mark,
    /// Length of the marker.
    pub(super) marker: usize,
    /// Where the text behind it begins; 0 where the marker is the text.
    pub(super) text: usize,
    pub(super) numbers: Numbers,
}

/// What a line, trimmed, begins with.
pub(super) fn mark(line: &str) -> Mark {
    match line.as_bytes().first() {
        Some(b'(' | b'*' | b'+' | b'-' | b'0'..=b'9' | b'A' | b'Q' | b'_' | b'a' | b'q' | 0x80..) => opening(line).mark,
        _ => Mark::Plain,
    }
}

/// How a line, trimmed, begins.
pub(super) fn opening(line: &str) -> Opening {
    let mut cursor = Cursor { line, rest: line, numbers: Numbers::default() };
    let mark = match cursor.peek() {
        Some('0'..='9' | '０'..='９') => cursor.digits_mark(),
        Some('（' | '(') => cursor.bracket_mark(),
        Some('第') => return cursor.chapter(),
        Some('【') => cursor.lenticular_mark(),
        Some('•' | '·' | '●' | '○' | '▪' | '◦' | '‣') => cursor.skip(Mark::Bullet),
        Some('①'..='⑳') => cursor.skip(Mark::Number),
        Some('-' | '+') => cursor.bullet(),
        Some('*') if cursor.bullet() == Mark::Bullet => Mark::Bullet,
        Some('*' | '_' | 'Q' | 'q' | 'A' | 'a' | '问' | '答' | '回') => cursor.spoken_mark(),
        Some(c) if numeral(c).is_some() => cursor.numeral_mark(),
        _ => Mark::Plain,
    };
    cursor.opening(mark)
}

/// What a numeral counts or multiplies by.
#[derive(Clone, Copy)]
enum Numeral {
    Digit(u64),
    Unit(u64),
}

const fn numeral(c: char) -> Option<Numeral> {
    Some(match c {
        '〇' | '零' => Numeral::Digit(0),
        '一' => Numeral::Digit(1),
        '二' | '两' => Numeral::Digit(2),
        '三' => Numeral::Digit(3),
        '四' => Numeral::Digit(4),
        '五' => Numeral::Digit(5),
        '六' => Numeral::Digit(6),
        '七' => Numeral::Digit(7),
        '八' => Numeral::Digit(8),
        '九' => Numeral::Digit(9),
        '十' => Numeral::Unit(10),
        '百' => Numeral::Unit(100),
        '千' => Numeral::Unit(1000),
        _ => return None,
    })
}

fn digit(c: char) -> Option<u64> {
    match c {
        '0'..='9' => Some(u64::from(c) - u64::from('0')),
        '０'..='９' => Some(u64::from(c) - u64::from('０')),
        _ => None,
    }
}

const fn is_stop(c: char) -> bool {
    matches!(c, '.' | '．')
}

const fn is_separator(c: char) -> bool {
    is_stop(c) || c == '、'
}

pub(super) const fn is_colon(c: char) -> bool {
    matches!(c, ':' | '：')
}

pub(super) const fn is_emphasis(c: char) -> bool {
    matches!(c, '*' | '_')
}

/// Whether text directly behind `第三条` makes it part of a sentence.
fn goes_on(rest: &str) -> bool {
    const WORDS: [char; 11] = ['的', '所', '中', '内', '至', '和', '及', '与', '或', '以', '第'];
    rest.starts_with(WORDS) || rest.starts_with("规定")
}

/// Reads a line from its beginning.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    line: &'a str,
    rest: &'a str,
    numbers: Numbers,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next_is(&self, is: impl Fn(char) -> bool) -> bool {
        self.peek().is_some_and(is)
    }

    fn eat(&mut self, is: impl Fn(char) -> bool) -> bool {
        match self.peek() {
            Some(c) if is(c) => {
                self.rest = &self.rest[c.len_utf8()..];
                true
            }
            _ => false,
        }
    }

    fn eat_word(&mut self, word: &str) -> bool {
        self.rest.strip_prefix(word).map(|rest| self.rest = rest).is_some()
    }

    fn eat_white(&mut self) -> bool {
        let before = self.rest.len();
        self.rest = self.rest.trim_start();
        self.rest.len() < before
    }

    fn skip(&mut self, mark: Mark) -> Mark {
        self.eat(|_| true);
        mark
    }

    fn opening(&self, mark: Mark) -> Opening {
        let marker = self.line.len() - self.rest.len();
        let text = self.line.len() - self.rest.trim_start().len();
        Opening { mark, marker, text, numbers: self.numbers }
    }

    /// A whole run of digits, if it is not too long.
    fn digits(&mut self) -> bool {
        let (mut value, mut count) = (0, 0);
        while let Some(next) = self.peek().and_then(digit)
            && count <= MOST_DIGITS
        {
            value = value * 10 + next;
            count += 1;
            self.eat(|_| true);
        }
        self.numbers.push(value);
        (1..=MOST_DIGITS).contains(&count)
    }

    /// A whole run of numerals, if it is not too long.
    fn numerals(&mut self) -> bool {
        let (mut total, mut last, mut count) = (0, 0, 0);
        while let Some(next) = self.peek().and_then(numeral)
            && count <= MOST_DIGITS
        {
            match next {
                Numeral::Digit(value) => last = last * 10 + value,
                Numeral::Unit(unit) => {
                    total += last.max(1) * unit;
                    last = 0;
                }
            }
            count += 1;
            self.eat(|_| true);
        }
        self.numbers.push(total + last);
        (1..=MOST_DIGITS).contains(&count)
    }

    fn digits_mark(&mut self) -> Mark {
        if !self.digits() {
            return Mark::Plain;
        }
        if self.eat(|c| matches!(c, ')' | '）')) {
            return Mark::Number;
        }
        let stops = self.next_is(is_stop);
        if !self.eat(is_separator) {
            return Mark::Plain;
        }
        if stops && self.next_is(|c| digit(c).is_some()) {
            return self.dotted_mark();
        }
        Mark::Numbered(Form::Arabic)
    }

    /// The rest of a dotted number, behind its first dot.
    fn dotted_mark(&mut self) -> Mark {
        let mut dots = 1;
        loop {
            if !self.digits() {
                return Mark::Plain;
            }
            let mut ahead = *self;
            if !ahead.eat(is_stop) || !ahead.next_is(|c| digit(c).is_some()) {
                break;
            }
            *self = ahead;
            dots += 1;
        }
        if dots > MOST_DOTS {
            return Mark::Plain;
        }
        let mark = Mark::Numbered(Form::Dotted(dots as u8));
        if self.eat(|c| c == '、') {
            return mark;
        }
        self.eat(is_stop);
        if self.next_is(char::is_whitespace) { mark } else { Mark::Plain }
    }

    fn numeral_mark(&mut self) -> Mark {
        if self.numerals() && self.eat(is_separator) { Mark::Numbered(Form::Numeral) } else { Mark::Plain }
    }

    fn bracket_mark(&mut self) -> Mark {
        let closing = if self.next_is(|c| c == '(') { ')' } else { '）' };
        self.eat(|_| true);
        let by_digits = self.next_is(|c| digit(c).is_some());
        let whole = if by_digits { self.digits() } else { self.numerals() };
        match whole && self.eat(|c| c == closing) {
            false => Mark::Plain,
            true if by_digits => Mark::Number,
            true => Mark::Numbered(Form::Bracketed),
        }
    }

    fn bullet(&mut self) -> Mark {
        let behind = self.rest[1..].chars().next();
        if behind.is_some_and(|c| !c.is_whitespace()) {
            return Mark::Plain;
        }
        self.skip(Mark::Bullet)
    }

    fn chapter(&mut self) -> Opening {
        let plain = self.opening(Mark::Plain);
        self.eat(|c| c == '第');
        self.eat_white();
        let whole = if self.next_is(|c| digit(c).is_some()) { self.digits() } else { self.numerals() };
        self.eat_white();
        let units = [("章", Form::Chapter), ("部分", Form::Part), ("节", Form::Section), ("条", Form::Article)];
        let Some((_, form)) = units.into_iter().find(|(unit, _)| self.eat_word(unit)) else { return plain };
        if !whole || goes_on(self.rest) {
            return plain;
        }
        let unit = self.opening(Mark::Numbered(form));
        self.eat_white();
        self.eat(|c| is_separator(c) || is_colon(c));
        let behind = self.opening(Mark::Numbered(form));
        if behind.text == self.line.len() {
            return Opening { text: 0, ..unit };
        }
        Opening { marker: self.line[..behind.marker].trim_end().len(), ..behind }
    }

    fn lenticular_mark(&mut self) -> Mark {
        if self.eat_word("【问】") {
            Mark::Question { letter: false }
        } else if self.eat_word("【答】") {
            Mark::Answer { choosy: false }
        } else {
            Mark::Lenticular
        }
    }

    /// A mark that could be said aloud: a letter or word.
    fn spoken_mark(&mut self) -> Mark {
        for _ in 0..3 {
            self.eat(is_emphasis);
        }
        let asks = self.next_is(|c| matches!(c, 'Q' | 'q' | '问'));
        let letter = self.eat(|c| matches!(c, 'Q' | 'q' | 'A' | 'a'));
        if self.rest.starts_with("【") && !letter {
            return match self.lenticular_mark() {
                Mark::Lenticular => Mark::Plain,
                mark => mark,
            };
        }
        if !letter && !self.spoken_word() {
            return Mark::Plain;
        }
        self.eat_decoration();
        if self.next_is(|c| digit(c).is_some()) {
            if !self.digits() {
                return Mark::Plain;
            }
        } else if !letter && self.next_is(|c| numeral(c).is_some()) && !self.numerals() {
            return Mark::Plain;
        }
        while self.eat(is_emphasis) {}
        let choosy = letter && self.next_is(is_separator);
        let stops = self.next_is(is_stop);
        if !self.eat(|c| is_colon(c) || (letter && is_separator(c))) || (stops && self.next_is(|c| digit(c).is_some()))
        {
            return Mark::Plain;
        }
        if asks { Mark::Question { letter } } else { Mark::Answer { choosy } }
    }

    fn spoken_word(&mut self) -> bool {
        ["问题", "问", "回答", "答"].iter().any(|word| self.eat_word(word))
    }

    /// Emphasis, or blanks in front of a number.
    fn eat_decoration(&mut self) {
        while self.eat(is_emphasis) {}
        let mut ahead = *self;
        if ahead.eat_white() && ahead.next_is(|c| digit(c).is_some() || numeral(c).is_some()) {
            *self = ahead;
        }
    }
}
