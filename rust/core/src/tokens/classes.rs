//! The class of a character, as the encodings' patterns see it.

use crate::simd::characters::decode;

include!(concat!(env!("OUT_DIR"), "/classes.rs"));

/// What the patterns can tell apart. The numbers are also written by the build script.
pub(super) type Class = u8;

/// Everything that has no class of its own: punctuation, symbols, control and format characters.
pub(super) const OTHER: Class = 0;
/// `\p{Lu}`, `\p{Lt}`.
pub(super) const UPPER: Class = 1;
/// `\p{Ll}`.
pub(super) const LOWER: Class = 2;
/// `\p{Lm}`, `\p{Lo}`.
pub(super) const UNCASED: Class = 3;
/// `\p{M}`.
pub(super) const MARK: Class = 4;
/// `\p{N}`.
pub(super) const NUMBER: Class = 5;
/// `\s` but for line breaks.
pub(super) const WHITE: Class = 6;
/// Carriage return and line feed.
pub(super) const BREAK: Class = 7;
/// The end of the text.
pub(super) const END: Class = 8;

/// The class of a code point.
#[inline]
pub(super) fn of(code: u32) -> Class {
    let block = STAGES.get(code as usize >> 6).copied().unwrap_or(0);
    BLOCKS[usize::from(block) << 6 | code as usize & 63]
}

/// Whether it is `\p{L}`.
pub(super) const fn is_letter(class: Class) -> bool {
    matches!(class, UPPER | LOWER | UNCASED)
}

/// Whether it is `\s`.
pub(super) const fn is_white(class: Class) -> bool {
    matches!(class, WHITE | BREAK)
}

/// Whether it is `[^\s\p{L}\p{N}]`.
pub(super) const fn is_symbol(class: Class) -> bool {
    matches!(class, OTHER | MARK)
}

/// The class and the length of the character at `at`; `(END, 0)` behind the text.
/// `text` is valid UTF-8 and `at` a character boundary of it.
#[inline]
pub(super) fn at(text: &[u8], at: usize) -> (Class, usize) {
    match text.get(at) {
        None => (END, 0),
        Some(&a) if a < 0x80 => (BLOCKS[usize::from(STAGES[usize::from(a >> 6)]) << 6 | usize::from(a & 63)], 1),
        Some(_) => beyond_ascii(text, at),
    }
}

fn beyond_ascii(text: &[u8], at: usize) -> (Class, usize) {
    let (code, len) = decode(text, at);
    (of(code), len)
}

/// The class of the character that ends at `end`, and its start.
pub(super) fn before(text: &[u8], end: usize) -> (Class, usize) {
    let start = start_at_or_before(text, end - 1);
    (at(&text[..end], start).0, start)
}

/// The start of the character that `at` is inside of or at the start of; `at` if that is the end of the text.
pub(super) fn start_at_or_before(text: &[u8], mut at: usize) -> usize {
    while at > 0 && text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
        at -= 1;
    }
    at
}
