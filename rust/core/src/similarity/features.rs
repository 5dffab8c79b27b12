//! The features of texts: words, parts of words, and characters of scripts without blanks, as numbers of buckets.

use crate::text::is_cjk;

/// Features that differ may share one of so many buckets.
pub(super) const BUCKETS: usize = 4096;

/// The features of several texts, one after the other, one entry for each place where one occurs.
#[derive(Debug, Default)]
pub(super) struct Features {
    entries: Vec<Entry>,
    /// Where the entries of each text end.
    ends: Vec<usize>,
    /// The word that is being read, between [`WORD_START`] and [`WORD_END`].
    word: Vec<char>,
}

impl Features {
    pub(super) fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut features = Self::default();
        for text in texts {
            features.read(text);
            features.ends.push(features.entries.len());
        }
        features
    }

    /// The number of texts.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The features of text `i`.
    pub(super) fn get(&self, i: usize) -> &[Entry] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.entries[start..self.ends[i]]
    }

    fn read(&mut self, text: &str) {
        let mut at = 0;
        let mut before = None;
        while let Some(c) = text[at..].chars().next() {
            at += c.len_utf8();
            match Kind::of(c) {
                Kind::Cjk => {
                    let single = CJK.with(c);
                    self.entries.push(Entry::half(single));
                    if let Some(before) = before.replace(single) {
                        self.entries.push(Entry::whole(before.with(c)));
                    }
                    continue;
                }
                Kind::Letter => at = self.word(text, at - c.len_utf8()),
                Kind::Other => {}
            }
            before = None;
        }
    }

    /// Reads the word at `start`; gives its end.
    fn word(&mut self, text: &str, start: usize) -> usize {
        self.word.clear();
        self.word.push(WORD_START);
        let mut end = start;
        for c in text[start..].chars() {
            if Kind::of(c) != Kind::Letter {
                break;
            }
            end += c.len_utf8();
            match c as u32 {
                0..0x80 => self.word.push(c.to_ascii_lowercase()),
                0xC0..0x590 | 0x1E00..0x2000 => self.word.extend(c.to_lowercase()),
                _ => self.word.push(c),
            }
        }
        let letters = &self.word[1..];
        self.entries.push(Entry::whole(letters.iter().fold(WORD, |hash, &c| hash.with(c))));
        if letters.len() >= 4 {
            self.word.push(WORD_END);
            let parts = self.word.windows(3).map(|part| part.iter().fold(PART, |hash, &c| hash.with(c)));
            self.entries.extend(parts.map(Entry::half));
        }
        end
    }
}

const WORD_START: char = '^';
const WORD_END: char = '$';

const CJK: Hash = Hash::START.with_byte(b'c');
const PART: Hash = Hash::START.with_byte(b't');
const WORD: Hash = Hash::START.with_byte(b'w');

/// One occurrence of a feature: its bucket, and whether it has the whole weight or half of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry(u16);

impl Entry {
    const WHOLE: u16 = BUCKETS as u16;

    const fn half(hash: Hash) -> Self {
        Self(hash.bucket())
    }

    const fn whole(hash: Hash) -> Self {
        Self(hash.bucket() | Self::WHOLE)
    }

    #[inline]
    pub(super) const fn bucket(self) -> usize {
        (self.0 % Self::WHOLE) as usize
    }

    /// Its weight, in halves.
    #[inline]
    pub(super) const fn halves(self) -> u64 {
        1 + (self.0 / Self::WHOLE) as u64
    }
}

/// FNV-1a. Nothing but the low bits of the hash of 64 bits is asked for, and those depend on the low bits alone.
#[derive(Clone, Copy, Debug)]
struct Hash(u32);

impl Hash {
    const START: Self = Self(0x8422_2325);
    const PRIME: u32 = 0x0000_01b3;

    const fn with_byte(self, byte: u8) -> Self {
        Self((self.0 ^ byte as u32).wrapping_mul(Self::PRIME))
    }

    #[inline]
    fn with(self, c: char) -> Self {
        if c.is_ascii() {
            return self.with_byte(c as u8);
        }
        c.encode_utf8(&mut [0; 4]).bytes().fold(self, Self::with_byte)
    }

    const fn bucket(self) -> u16 {
        (self.0 % BUCKETS as u32) as u16
    }
}

/// What a character is to the embedder. Fixed sets, so that a second implementation can have the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A character of a word between blanks.
    Letter,
    /// A character of a word in a script without blanks.
    Cjk,
    Other,
}

impl Kind {
    #[inline]
    fn of(c: char) -> Self {
        match c as u32 {
            0..0xC0 => {
                if c.is_ascii_alphanumeric() {
                    Self::Letter
                } else {
                    Self::Other
                }
            }
            _ if is_cjk(c) => {
                if is_cjk_mark(c) {
                    Self::Other
                } else {
                    Self::Cjk
                }
            }
            0xD7
            | 0xF7
            | 0x60C
            | 0x61B
            | 0x61F
            | 0x6D4
            | 0x964
            | 0x965
            | 0x1680
            | 0x2000..=0x2BFF
            | 0x2E00..=0x2E7F
            | 0xE000..=0xF8FF
            | 0xFE00..=0xFE6F
            | 0xFEFF
            | 0xFFF0..=0xFFFF
            | 0x1F000..=0x1FAFF
            | 0xE0000.. => Self::Other,
            _ => Self::Letter,
        }
    }
}

const fn is_cjk_mark(c: char) -> bool {
    matches!(c as u32,
        0x3000..=0x3004 | 0x3008..=0x3030 | 0x30FB | 0xFE30..=0xFE4F | 0xFF00..=0xFF0F | 0xFF1A..=0xFF20
        | 0xFF3B..=0xFF40 | 0xFF5B..=0xFF65 | 0xFFE0..=0xFFEF)
}
