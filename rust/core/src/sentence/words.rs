//! A single full stop: the word before it decides.

use super::abbreviations::{Abbreviation, STARTER_MAX, find, find_small, follows_time, is_exclaimed_name, is_starter};
use super::chars::{
    JOINT, Kind, LOWER, OUTSIDE, class, is_bullet, is_cjk, is_closer, is_emphasis, is_opener, is_trailing,
};
use super::stops::Next;
use super::{BLANKS, Scanner};

/// Longest word that is looked at, in characters: of a longer one its end.
const WORD_MAX: usize = 24;

/// A time of day is no sentence by itself: `At 5 a.m.` needs this many words before the time.
const TIME_WORDS: usize = 3;

/// A sentence that is longer than this (in bytes) has more than [`TIME_WORDS`] words.
const TIME_REACH: usize = 48;

/// The word before a mark.
struct Word {
    start: usize,
    /// The classes that all its characters have, and those that any has; nothing is said of words that are not ASCII.
    all: u16,
    any: u16,
    ascii: bool,
}

impl Scanner<'_> {
    /// Where the word that ends at `end` begins.
    #[inline]
    fn word_start(&self, end: usize) -> usize {
        self.word(end).start
    }

    /// The word that ends at `end`.
    #[inline]
    fn word(&self, end: usize) -> Word {
        let (mut length, mut all, mut any) = (0, !0, 0);
        for &byte in self.bytes[end.saturating_sub(WORD_MAX)..end].iter().rev() {
            let class = class(byte);
            if class & OUTSIDE != 0 {
                if byte >= 0x80 {
                    return Word { start: self.wide_word_start(end), all: 0, any: !0, ascii: false };
                }
                break;
            }
            all &= class;
            any |= class;
            length += 1;
        }
        Word { start: end - length, all, any, ascii: true }
    }

    #[inline(never)]
    fn wide_word_start(&self, end: usize) -> usize {
        let stops = |c: char| {
            let wide = !c.is_ascii() && c != '’' && (is_trailing(c) || is_closer(c) || is_cjk(c) || is_bullet(c));
            wide || c.is_whitespace() || is_opener(c) || is_emphasis(c) || matches!(c, '–' | '—')
        };
        let word = self.text[..end].char_indices().rev().take(WORD_MAX).take_while(|&(_, c)| !stops(c));
        word.last().map_or(end, |(at, _)| at)
    }

    /// Whether the sentence ends with the full stop at `at`, which white space and `next` follow; `closed`: it has a
    /// closing quotation mark or bracket behind it.
    #[inline]
    pub(super) fn dot_ends(&mut self, at: usize, next: Next, closed: bool) -> bool {
        self.plain_word_ends(at, next).unwrap_or_else(|| self.any_word_ends(at, next, closed))
    }

    #[inline(never)]
    fn any_word_ends(&mut self, at: usize, next: Next, closed: bool) -> bool {
        self.recall(at);
        let Word { start, all, any, ascii } = self.word(at);
        let word = &self.text[start..at];
        if word.is_empty() {
            let attached = self.before(at).is_some_and(|c| !c.is_whitespace() && !is_opener(c));
            return next.kind != Kind::Lower || (attached && !closed);
        }
        // Longer words of small letters are no numbers.
        if word.len() <= 4 || all & LOWER == 0 {
            if (is_number(word) && (self.leads(start) || self.is_label(word, start))) || is_version(word) {
                return false;
            }
            if let Some(letter) = single_letter(word) {
                return self.initial_ends(letter, start, next);
            }
        }
        let joined = any & JOINT != 0;
        let tail = if joined { word.rsplit(['-', '/']).next().unwrap_or(word) } else { word };
        if let Some(abbreviation) = find(tail.as_bytes()) {
            self.abbreviation_ends(abbreviation, next)
        } else if joined && (tail.eq_ignore_ascii_case("a.m") || tail.eq_ignore_ascii_case("p.m")) {
            self.time_ends(start, next)
        } else if joined && tail.contains('.') && tail.split('.').all(is_part) {
            self.abbreviation_ends(Abbreviation::BeforeStarter, next)
        } else if !ascii && tail.ends_with(['°', 'º']) {
            self.abbreviation_ends(Abbreviation::BeforeNumber, next)
        } else {
            next.kind != Kind::Lower || (!closed && is_ordinary(word))
        }
    }

    /// The same for the commonest words: two or more ASCII letters, which no Roman number ends with and which begin the
    /// word or its part behind a hyphen or slash. `None` where more has to be looked at.
    #[inline(always)]
    pub(super) fn plain_word_ends(&self, at: usize, next: Next) -> Option<bool> {
        // Capitals are small letters without the bit that blanks are.
        let word = u64::from_be_bytes(*self.bytes[..at].last_chunk()?) | BLANKS;
        let length = letters_at_end(word);
        if length < 8 {
            let before = self.bytes[at - 1 - length as usize];
            let begins = matches!(before, b'-' | b'/') || (before < 0x80 && class(before) & OUTSIDE != 0);
            if length < 2 || !begins || matches!(word as u8, b'i' | b'v' | b'x') {
                return None;
            }
            if let Some(abbreviation) = find_small(word, length) {
                return Some(self.abbreviation_ends(abbreviation, next));
            }
        }
        (next.kind != Kind::Lower).then_some(true)
    }

    /// Whether the sentence so far is one word with a capital and the number at `start`: `Step 1`.
    fn is_label(&self, number: &str, start: usize) -> bool {
        let Some(end) = start.checked_sub(1).filter(|&end| self.bytes[end] == b' ') else { return false };
        let name = self.word_start(end);
        let capital = self.bytes[name].is_ascii_uppercase();
        number.starts_with(|c: char| c.is_ascii_digit())
            && capital
            && self.bytes[name..end].iter().all(u8::is_ascii_alphabetic)
            && self.leads(name)
    }

    /// Behind a single letter.
    fn initial_ends(&self, letter: char, start: usize, next: Next) -> bool {
        match next.kind {
            Kind::Lower | Kind::Digit => false,
            Kind::Upper if self.leads(start) => false,
            Kind::Upper if letter == 'I' && self.follows_small(start) => true,
            Kind::Upper => self.starts(next),
            _ => !self.leads(start),
        }
    }

    /// Whether the word at `start` follows a word that begins with a small letter and one blank.
    fn follows_small(&self, start: usize) -> bool {
        let Some(end) = start.checked_sub(1).filter(|&end| self.bytes[end] == b' ') else { return false };
        self.at(self.word_start(end)).is_some_and(char::is_lowercase)
    }

    fn abbreviation_ends(&self, abbreviation: Abbreviation, next: Next) -> bool {
        match (abbreviation, next.kind) {
            (Abbreviation::Never, _) | (_, Kind::Lower | Kind::Digit) => false,
            (Abbreviation::BeforeStarter, Kind::Upper) => self.starts(next),
            _ => true,
        }
    }

    /// Behind `a.m.` or `p.m.` that begins at `start`.
    fn time_ends(&self, start: usize, next: Next) -> bool {
        match next.kind {
            Kind::Lower | Kind::Digit => false,
            Kind::Upper => {
                // A sentence may have ended within the word.
                let last = self.last.min(start);
                let whole =
                    start - last > TIME_REACH || self.text[last..start].split_whitespace().count() >= TIME_WORDS;
                whole && !follows_time(self.next_word(next))
            }
            _ => true,
        }
    }

    /// Whether a word that often begins sentences stands there, and is no initial.
    fn starts(&self, next: Next) -> bool {
        let word = self.next_word(next);
        self.bytes.get(next.at + word.len()) != Some(&b'.') && is_starter(word.as_bytes())
    }

    /// The English word (of at most [`STARTER_MAX`] letters) that stands there.
    fn next_word(&self, next: Next) -> &str {
        let letters = self.bytes[next.at..].iter().take(STARTER_MAX).take_while(|b| b.is_ascii_alphabetic());
        &self.text[next.at..next.at + letters.count()]
    }

    /// Whether the mark at `at` stands in an address or path.
    pub(super) fn is_path(&self, at: usize) -> bool {
        self.text[self.word_start(at)..at].contains('/')
    }

    /// Whether the exclamation mark at `at`, before a small letter, is part of a name: a name that is known, or a word
    /// with a capital in the middle of a sentence.
    pub(super) fn is_exclaimed(&mut self, at: usize) -> bool {
        self.recall(at);
        let start = self.word_start(at);
        let word = &self.text[start..at];
        is_exclaimed_name(word) || (word.starts_with(char::is_uppercase) && !self.leads(start))
    }
}

/// How many ASCII letters, which must have been made small, stand at the low end of `word`.
fn letters_at_end(word: u64) -> u32 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let low = word & (ONES * 0x7F);
    // Both set the top bits of bytes; no byte reaches into the next.
    let from_a = low + ONES * u64::from(0x80 - b'a');
    let behind_z = low + ONES * u64::from(0x7F - b'z');
    let letters = from_a & !behind_z & !word & (ONES * 0x80);
    (letters ^ (ONES * 0x80)).trailing_zeros() / 8
}

/// The letter that `word` is.
fn single_letter(word: &str) -> Option<char> {
    let mut letters = word.chars();
    letters.next().filter(|c| letters.next().is_none() && (c.is_lowercase() || c.is_uppercase()))
}

/// A part of an abbreviation such as `U.S`: one or two letters.
fn is_part(part: &str) -> bool {
    matches!(part.chars().count(), 1 | 2) && part.chars().all(|c| c.is_lowercase() || c.is_uppercase())
}

/// The number of an item or section: up to three digits, `1.2`, a letter, a small Roman number.
fn is_number(word: &str) -> bool {
    let digits = |part: &str| matches!(part.len(), 1..=3) && part.bytes().all(|b| b.is_ascii_digit());
    let roman = word.len() <= 4
        && (word.bytes().all(|b| matches!(b, b'i' | b'v' | b'x'))
            || word.bytes().all(|b| matches!(b, b'I' | b'V' | b'X')));
    let digit = word.starts_with(|c: char| c.is_ascii_digit());
    (digit && word.split('.').all(digits))
        || roman
        || (word.len() == 1 && word.bytes().all(|b| b.is_ascii_alphabetic()))
}

/// `v1.2`, `V3`.
fn is_version(word: &str) -> bool {
    let Some(number) = word.strip_prefix(['v', 'V']) else { return false };
    number.starts_with(|c: char| c.is_ascii_digit()) && number.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// A word that is no unknown abbreviation: four or more small letters with a vowel, or code.
fn is_ordinary(word: &str) -> bool {
    let small = word.len() >= 4 && word.bytes().all(|b| b.is_ascii_lowercase());
    (small && word.bytes().any(|b| matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))) || word.ends_with(['`', ')'])
}
