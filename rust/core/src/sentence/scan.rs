//! Bytes at which something may happen, as bit masks.

use memchr::memchr2;

use super::pairs::Sort;
use crate::simd::{BLOCK, Isa};

/// What the pass stops at: line ends, marks, `extra`, and with `BREAK` semicolons. Bit i is byte i of `block`.
#[inline(always)]
pub(super) fn events<const BREAK: bool, I: Isa>(isa: I, block: &[u8; BLOCK], extra: u8) -> u64 {
    let semicolon = if BREAK { b';' } else { b'\r' };
    let feeds = isa.any_of(block, [b'\n']);
    let stops = isa.any_of(block, [b'.', b'!', b'?', b'.']);
    let letters = isa.masks(block).letter;
    let hard = if BREAK { feeds >> 1 & !(1 << 63) } else { feeds >> 1 & feeds >> 2 & !BEHIND };
    let ascii = feeds | stops & !(letters >> 1 & !(1 << 63) | hard) | isa.any_of(block, [b'\r', semicolon, extra]);
    if is_ascii(block) {
        return ascii;
    }
    // Of the third bytes, that of `。` behind E3, and behind E2 and EF all but those of the frequent `，` and `：`.
    let full = isa.any_of(block, [0x82]) >> 2 | BEHIND;
    let none = isa.any_of(block, [0x8C, 0x9A]) >> 2 & !BEHIND;
    ascii | isa.any_of(block, [0xE3]) & full | isa.any_of(block, [0xE2, 0xEF]) & !none
}

/// The last two bytes, whose third one is not seen.
const BEHIND: u64 = 3 << (BLOCK - 2);

/// Where pairs open or close.
#[inline(always)]
pub(super) fn pairs<I: Isa>(isa: I, block: &[u8; BLOCK]) -> u64 {
    let ascii = isa.any_of(block, [b'(', b')', b'[', b']', b'"', b'`']);
    if is_ascii(block) {
        return ascii;
    }
    // Behind E3, U+3000 to U+303F; behind the others all but `，` and `：`.
    let second = isa.any_of(block, [0x80]) >> 1 | 1 << (BLOCK - 1);
    let none = isa.any_of(block, [0x8C, 0x9A]) >> 2 & !BEHIND;
    ascii | isa.any_of(block, [0xE2, 0xEF]) & !none | isa.any_of(block, [0xE3]) & second
}

/// The first line end at or behind `at`, or the end of the text.
#[inline(always)]
pub(super) fn next_line_end<I: Isa>(isa: I, text: &[u8], mut at: usize) -> usize {
    while let Some(block) = text[at..].first_chunk() {
        let mask = isa.masks(block).brk;
        if mask != 0 {
            return at + mask.trailing_zeros() as usize;
        }
        at += BLOCK;
    }
    memchr2(b'\n', b'\r', &text[at..]).map_or(text.len(), |n| at + n)
}

/// Whether a block is all ASCII.
#[inline(always)]
fn is_ascii(block: &[u8; BLOCK]) -> bool {
    let (eights, _) = block.as_chunks::<8>();
    eights.iter().fold(0, |all, &eight| all | u64::from_le_bytes(eight)) & u64::from_le_bytes([0x80; 8]) == 0
}

/// What a mark of three bytes is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wide {
    /// `。`
    Full,
    /// `！？｡．…`
    Stop,
    /// `；`
    Semicolon,
    /// A bullet.
    Bullet,
    /// Anything else.
    Other,
}

/// What the character of three bytes is that begins at `at`.
#[inline(always)]
pub(super) fn wide_at(text: &[u8], at: usize) -> Wide {
    match text[at..] {
        [0xE3, 0x80, 0x82, ..] => Wide::Full,
        [0xEF, 0xBC, 0x81 | 0x8E | 0x9F, ..] | [0xEF, 0xBD, 0xA1, ..] | [0xE2, 0x80, 0xA6, ..] => Wide::Stop,
        [0xEF, 0xBC, 0x9B, ..] => Wide::Semicolon,
        [0xE2, 0x80 | 0x81 | 0x96 | 0x97, ..] => Wide::Bullet,
        _ => Wide::Other,
    }
}

/// Whether a mark of three bytes that opens or closes a pair stands at `at`, where a character begins.
#[inline]
pub(super) fn is_pair_at(text: &[u8], at: usize) -> bool {
    let [first, second, third, ..] = text[at..] else { return false };
    let marks = match (first, second) {
        (0xE2, 0x80) => PAIRS[0],
        (0xE3, 0x80) => PAIRS[1],
        (0xEF, 0xBC) => PAIRS[2],
        (0xEF, 0xBD) => PAIRS[3],
        _ => return false,
    };
    marks >> (third & 63) & 1 != 0
}

/// The first of the 64 characters that have two bytes in common, as far as marks of pairs are among them.
const FIRST: [u32; 4] = [0x2000, 0x3000, 0xFF00, 0xFF40];

/// Bit i is set if the i-th of those characters is a mark.
static PAIRS: [u64; 4] = {
    let mut marks = [0; 4];
    let mut i = 0;
    while i < 4 * 64 {
        if let Some(c) = char::from_u32(FIRST[i / 64] + i as u32 % 64)
            && (Sort::opened_by(c).is_some() || Sort::closed_by(c).is_some())
        {
            marks[i / 64] |= 1 << (i % 64);
        }
        i += 1;
    }
    marks
};

#[cfg(test)]
mod tests {
    use super::super::chars::is_bullet;
    use super::*;
    use crate::simd::{Level, Portable, Work};

    /// All masks of a block.
    struct Masks<'a>(&'a [u8; BLOCK], u8);

    impl Work for Masks<'_> {
        type Output = [u64; 3];

        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> [u64; 3] {
            let Self(block, extra) = self;
            [events::<false, I>(isa, block, extra), events::<true, I>(isa, block, extra), pairs(isa, block)]
        }
    }

    /// The block `xx…` with `text` at `at`, as far as it reaches.
    fn block(text: &str, at: usize) -> [u8; BLOCK] {
        let mut block = [b'x'; BLOCK];
        block[at..].iter_mut().zip(text.bytes()).for_each(|(place, byte)| *place = byte);
        block
    }

    #[test]
    fn no_mark_is_forgotten() {
        for c in '\u{80}'..=char::MAX {
            let text = format!("a{c}a");
            let is_pair = Sort::opened_by(c).is_some() || Sort::closed_by(c).is_some();
            assert_eq!(is_pair_at(text.as_bytes(), 1), is_pair, "{c}");
            let wide = if c.len_utf8() == 3 { wide_at(text.as_bytes(), 1) } else { Wide::Other };
            assert_eq!(wide == Wide::Full, c == '。', "{c}");
            assert_eq!(wide == Wide::Stop, matches!(c, '！' | '？' | '｡' | '．' | '…'), "{c}");
            assert_eq!(wide == Wide::Semicolon, c == '；', "{c}");
            assert!(!is_bullet(c) || wide == Wide::Bullet, "{c}");
            let stops = !matches!(wide, Wide::Other) && (wide != Wide::Bullet || is_bullet(c));
            if !stops && !is_pair {
                continue;
            }
            for at in [0, 31, 61, 62, 63] {
                let [soft, hard, pairs] = Masks(&block(&text[1..], at), b'.').run(Portable);
                assert!(!stops || (soft >> at & 1, hard >> at & 1) == (1, 1), "{c}");
                assert!(!is_pair || pairs >> at & 1 == 1, "{c}");
            }
        }
    }

    #[test]
    fn masks_of_ascii_are_exact() {
        for (byte, next, third) in (0..=127)
            .flat_map(|a| "\n\r.1a) ".chars().map(move |b| (char::from(a), b)))
            .flat_map(|(a, b)| "\n\rx".chars().map(move |c| (a, b, c)))
        {
            for at in [0, 31, 61, 62, 63] {
                let block = block(&format!("{byte}{next}{third}"), at);
                let (seen, more) = (at < 63, at < 62);
                let inert = |hard: bool| seen && (next == 'a' || hard);
                let stop = |hard: bool| matches!(byte, '.' | '!' | '?') && !inert(hard);
                let both = next == '\n' && more && third == '\n';
                let soft = matches!(byte, '\n' | '\r' | ')') || stop(both);
                let hard = matches!(byte, '\n' | '\r' | ')' | ';') || stop(next == '\n');
                let [is_soft, is_hard, pairs] = Masks(&block, b')').run(Portable).map(|mask| mask >> at & 1 == 1);
                assert_eq!((is_soft, is_hard), (soft, hard), "{byte:?} {next:?} {third:?} {at}");
                assert_eq!(pairs, matches!(byte, '(' | ')' | '[' | ']' | '"' | '`'));
            }
        }
    }

    #[test]
    fn instruction_sets_agree() {
        const PARTS: [&str; 16] =
            ["x", "Y", "5", ".", "!", "?", ";", "\n", "\r", "(", "`", "。", "，", "“", "…", "\u{8C}"];
        let mut state = 1u64;
        for round in 0..50_000 {
            let mut text = String::new();
            while text.len() < BLOCK {
                state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                text.push_str(PARTS[(state >> 33) as usize % PARTS.len()]);
            }
            let block = block(&text, round % 8);
            let extra = b"\n.)"[round % 3];
            let expected = Masks(&block, extra).run(Portable);
            for level in Level::all() {
                assert_eq!(level.dispatch(Masks(&block, extra)), expected, "{text}");
            }
        }
    }
}
