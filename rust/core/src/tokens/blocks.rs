//! The patterns of `cl100k_base` and `o200k_base`, 64 bytes at a time.
//!
//! Each block begins at the start of a piece, so nothing is carried from one to the next. Byte classes are bit masks, every byte of a
//! character has its class, and starts of pieces follow from shifts and carries. What a block cannot decide (white space
//! that touches its end; rare characters) is left to the next one, which begins at the last certain start, or to the lexer.

use super::classes::{self, BREAK, LOWER, MARK, NUMBER, UNCASED, UPPER, WHITE};
use crate::simd::characters::decode;
use crate::simd::{BLOCK, Isa, Masks};

/// The classes of the bytes of a block, all characters included.
#[derive(Clone, Copy)]
struct Classes {
    letter: u64,
    upper: u64,
    /// Letters that are neither upper nor lower case.
    uncased: u64,
    number: u64,
    white: u64,
    brk: u64,
    space: u64,
    quote: u64,
    /// Bytes that are not the first of their character.
    tail: u64,
    /// First bytes of characters of two bytes or more.
    lead: u64,
    /// The bytes before the first one whose class does not fit in here.
    valid: u64,
}

/// The starts of pieces in the 64 bytes from `at` on, as bits; bit 0 is always set. `at` is the start of a piece and `end` the end of the
/// text in `bytes`, which goes on for a block at least. Behind a `end` in the block are line breaks only.
#[inline(always)]
pub(super) fn starts<I: Isa, const O200K: bool>(isa: I, bytes: &[u8], at: usize) -> u64 {
    let Some(block) = bytes[at..].first_chunk::<BLOCK>() else { return 1 };
    let masks = isa.masks(block);
    let classes =
        if masks.high == 0 { Classes::ascii(&masks) } else { Classes::wide::<I, O200K>(isa, &masks, bytes, at) };
    classes.starts::<O200K>(bytes, at)
}

impl Classes {
    #[inline(always)]
    fn ascii(masks: &Masks) -> Self {
        Self {
            letter: masks.letter,
            upper: masks.upper,
            uncased: 0,
            number: masks.number,
            white: masks.white,
            brk: masks.brk,
            space: masks.space,
            quote: masks.quote,
            tail: 0,
            lead: 0,
            valid: u64::MAX,
        }
    }

    #[inline(always)]
    fn wide<I: Isa, const O200K: bool>(isa: I, masks: &Masks, bytes: &[u8], at: usize) -> Self {
        let mut classes = Self::ascii(masks);
        let Some(block) = bytes[at..].first_chunk::<BLOCK>() else { return classes };
        let wide = isa.wide(block);
        classes.tail = wide.tail;
        classes.lead = masks.high & !wide.tail;
        let han = wide.han & !wide.hexagram;
        let han = han | han << 1 | han << 2;
        classes.letter |= han;
        classes.uncased = han;
        let mut others = classes.lead & !han;
        while others != 0 {
            let bit = others.trailing_zeros();
            others &= others - 1;
            let (code, len) = decode(bytes, at + bit as usize);
            let class = classes::of(code);
            if class == NUMBER || O200K && class == MARK {
                classes.valid = (1 << bit) - 1;
                break;
            }
            classes.add(class, ((1 << len) - 1) << bit);
        }
        classes
    }

    #[inline(always)]
    fn add(&mut self, class: classes::Class, bytes: u64) {
        let when = |wanted: bool| if wanted { bytes } else { 0 };
        self.letter |= when(classes::is_letter(class));
        self.upper |= when(class == UPPER);
        self.uncased |= when(class == UNCASED);
        self.white |= when(class == WHITE);
        debug_assert!(class != BREAK && (class != LOWER || self.letter & bytes == bytes));
    }

    #[inline(always)]
    fn starts<const O200K: bool>(&self, bytes: &[u8], at: usize) -> u64 {
        let valid = self.valid;
        let letter = self.letter & valid;
        let number = self.number & valid;
        let symbol = valid & !(letter | number | self.white);
        let all_breaks = self.brk & valid;
        // Line breaks right behind symbols belong to them.
        let seed = all_breaks & symbol << 1;
        let behind = all_breaks.wrapping_add(seed);
        let absorbed = all_breaks & !behind;
        let white = self.white & valid & !absorbed;
        let brk = all_breaks & !absorbed;
        let blank = white & !brk;

        let symbol_starts = symbol & !(symbol << 1) & !(self.space << 1);
        let glue = self.whole_characters(symbol_starts) | blank;
        let letter_starts = letter & !(letter << 1) & !(glue << 1);
        let mut starts = symbol_starts | letter_starts | number_starts(number) | self.white_starts(white, brk, blank);
        let mut certain = certain(white, valid);
        let mut quotes = self.quote & symbol_starts & (letter >> 1 | 1 << 63);
        if O200K {
            quotes &= letter << 1;
            certain &= slashes(behind & !all_breaks & symbol, seed, bytes, at);
        }
        let mut suffixes = 0;
        if quotes != 0 {
            (starts, suffixes) = contractions::<O200K>(quotes, starts, bytes, at);
        }
        if O200K {
            let word = WordMasks { letter, upper: self.upper & valid, uncased: self.uncased & valid };
            starts |= word.starts(starts, valid, &mut certain) & !suffixes;
        }
        starts & certain | 1
    }

    /// All bytes of the characters that start at `starts`.
    #[inline(always)]
    fn whole_characters(&self, starts: u64) -> u64 {
        if self.tail == 0 {
            return starts;
        }
        let second = starts << 1 & self.tail;
        let third = second << 1 & self.tail;
        starts | second | third | third << 1 & self.tail
    }

    /// Starts of runs of white space; of a run's last character, if it is a blank; of the blanks behind a run's last line break.
    #[inline(always)]
    fn white_starts(&self, white: u64, brk: u64, blank: u64) -> u64 {
        let mut last = white & !(white >> 1) & !brk;
        let wide = last & self.tail;
        if wide != 0 {
            // All white characters beyond ASCII have two or three bytes.
            last = last & !wide | (wide >> 1 | wide >> 2) & self.lead;
        }
        let mut behind_break = blank & brk << 1;
        if behind_break != 0 {
            let mut taken = blank.wrapping_add(behind_break) & !blank & brk;
            while taken != 0 {
                let end = taken.trailing_zeros();
                taken &= taken - 1;
                let before = behind_break & ((1 << end) - 1);
                behind_break &= !(1 << (before | 1).ilog2());
            }
        }
        white & !(white << 1) | last | behind_break
    }
}

/// The bits up to the start of white space that touches the end of the valid bytes.
#[inline(always)]
fn certain(white: u64, valid: u64) -> u64 {
    let other = valid & !white;
    // The bit behind the last other one, and all below.
    let below = u64::MAX.checked_shr(other.leading_zeros()).unwrap_or(0);
    (below << 1 | 1) & valid
}

/// Starts of numbers: each run in threes.
#[inline(always)]
fn number_starts(number: u64) -> u64 {
    let mut starts = number & !(number << 1);
    let later = number & number << 1 & number << 2 & number << 3;
    if later != 0 {
        let mut next = starts << 3 & later;
        while next != 0 {
            starts |= next;
            next = next << 3 & later;
        }
    }
    starts
}

struct WordMasks {
    letter: u64,
    upper: u64,
    uncased: u64,
}

impl WordMasks {
    /// Starts of words inside runs of letters. `starts` are those known so far. Clears what is uncertain in `certain`.
    #[inline(always)]
    fn starts(&self, starts: u64, valid: u64, certain: &mut u64) -> u64 {
        let lower = self.letter & !self.upper & !self.uncased;
        let first_upper = self.upper & !(self.upper << 1);
        let mut found = first_upper & lower << 1;
        let mut open = first_upper & self.uncased << 1;
        while open != 0 {
            let bit = open.trailing_zeros();
            open &= open - 1;
            let below = (1 << bit) - 1;
            let word = ((starts | found) & below | 1).ilog2();
            if lower & below & u64::MAX << word != 0 {
                found |= 1 << bit;
                continue;
            }
            // Behind capitals up to the end of the letters, the word ends with the last letter that is none.
            let behind = self.upper.wrapping_add(1 << bit) & !self.upper & u64::MAX << bit;
            let next = behind & behind.wrapping_neg();
            if next == 0 || next & valid == 0 {
                *certain &= below;
                break;
            }
            if next & self.letter == 0 {
                found |= 1 << bit;
            }
        }
        found
    }
}

/// Bits below the first slash that line breaks behind symbols are followed by: they go on together, which is left to the lexer.
#[inline(always)]
fn slashes(mut candidates: u64, seed: u64, bytes: &[u8], at: usize) -> u64 {
    if seed == 0 {
        return u64::MAX;
    }
    while candidates != 0 {
        let bit = candidates.trailing_zeros();
        candidates &= candidates - 1;
        if bytes[at + bit as usize] == b'/' {
            return (1 << bit) - 1;
        }
    }
    u64::MAX
}

/// Puts contractions into `starts`: they are pieces by themselves, or suffixes of the word before in o200k. Also returns the bytes of suffixes.
#[inline(always)]
fn contractions<const O200K: bool>(mut quotes: u64, mut starts: u64, bytes: &[u8], at: usize) -> (u64, u64) {
    let mut last_end = 0;
    let mut suffixes = 0;
    while quotes != 0 {
        let bit = quotes.trailing_zeros();
        quotes &= quotes - 1;
        let len = contraction(&bytes[at + bit as usize + 1..]);
        // What follows a suffix directly is not the end of a word.
        if len == 0 || O200K && bit == last_end {
            continue;
        }
        last_end = bit + 1 + len;
        let behind = u64::MAX.checked_shl(last_end).unwrap_or(0);
        if O200K {
            suffixes |= u64::MAX << bit & !behind;
        }
        starts |= behind & behind.wrapping_neg();
    }
    (starts & !suffixes, suffixes)
}

/// The length of the contraction behind an apostrophe, 0 for none.
#[inline(always)]
fn contraction(text: &[u8]) -> u32 {
    let [a, b, ..] = *text else { return 0 };
    match (a | 0x20, b | 0x20) {
        (b's' | b't' | b'm' | b'd', _) => 1,
        (b'l', b'l') | (b'v' | b'r', b'e') => 2,
        // U+017F folds to s.
        _ if a == 0xC5 && b == 0xBF => 2,
        _ => 0,
    }
}
