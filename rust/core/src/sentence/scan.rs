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

/// The block that begins at `at`; behind the text, which is in `room` then, are zeros.
#[inline(always)]
pub(super) fn block_at<'a>(text: &'a [u8], at: usize, room: &'a mut [u8; BLOCK]) -> &'a [u8; BLOCK] {
    let rest = &text[at..];
    if let Some(block) = rest.first_chunk() {
        return block;
    }
    room.fill(0);
    room[..rest.len()].copy_from_slice(rest);
    room
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
        [0xEF, 0xBC, 0x81 | 0x8E | 0x9F, ..] | [0xEF, 0xBD, 0xA1, ..] | [0xE2, 0x80, 0xA6, ..] => {
            Wide::Stop
        }
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
