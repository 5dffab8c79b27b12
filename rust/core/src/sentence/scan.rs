//! Bytes at which something may happen, as bit masks.

use super::chars::is_bullet;
use super::pairs::Sort;

/// Bytes that are looked at together.
pub(super) const BLOCK: usize = 64;

/// Bit i is set if something may happen at byte i of `block`, whose last byte is only looked at as what follows.
///
/// Written so that compilers make vector instructions of it: one flag a byte without branches, then eight flags at a time.
#[inline]
pub(super) fn candidates<const SEMICOLONS: bool>(block: &[u8; BLOCK + 1]) -> u64 {
    let mut flags = [0; BLOCK];
    for (flag, &byte) in flags.iter_mut().zip(block) {
        *flag = u8::from(matters::<SEMICOLONS>(byte));
    }
    if block.iter().fold(0, |all, byte| all | byte) >= 0x80 {
        for ((flag, &byte), &next) in flags.iter_mut().zip(block).zip(&block[1..]) {
            // Of E3, only U+3000 to U+303F.
            *flag |= u8::from(byte == 0xE2 || byte == 0xEF || (byte == 0xE3 && next == 0x80));
        }
    }
    let (eights, _) = flags.as_chunks::<8>();
    // The product puts bit 0 of each byte into the top byte.
    let eight = |flags: &[u8; 8]| u64::from_le_bytes(*flags).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    eights.iter().rev().fold(0, |mask, flags| mask << 8 | eight(flags))
}

/// Whether something may happen at the ASCII character `byte`. A few more are there where that saves comparisons.
#[inline(always)]
fn matters<const SEMICOLONS: bool>(byte: u8) -> bool {
    // \n " * . and also & and some control characters.
    let frequent = byte & 0b1101_0011 == 0b0000_0010;
    let round = byte & 0xFE == b'(';
    let mark = byte == b'!' || byte == b'?' || (SEMICOLONS && byte == b';');
    let rest = byte == b'[' || byte == b']' || byte == b'`' || byte == b'\r';
    frequent || round || mark || rest
}

/// Whether one of the marks of three bytes that the pass deals with stands at `at`, where a character begins.
#[inline]
pub(super) fn is_mark_at(text: &[u8], at: usize) -> bool {
    let [first, second, third, ..] = text[at..] else { return false };
    let marks = match (first, second) {
        (0xE2, 0x80) => MARKS[0],
        (0xE2, 0x81) => MARKS[1],
        (0xE2, 0x96) => MARKS[2],
        (0xE2, 0x97) => MARKS[3],
        (0xE3, 0x80) => MARKS[4],
        (0xEF, 0xBC) => MARKS[5],
        (0xEF, 0xBD) => MARKS[6],
        _ => return false,
    };
    marks >> (third & 63) & 1 != 0
}

/// The first of the 64 characters that have two bytes in common, as far as marks are among them.
const FIRST: [u32; 7] = [0x2000, 0x2040, 0x2580, 0x25C0, 0x3000, 0xFF00, 0xFF40];

/// Bit i is set if the i-th of those characters is a mark.
static MARKS: [u64; 7] = {
    let mut marks = [0; 7];
    let mut i = 0;
    while i < 7 * 64 {
        if let Some(c) = char::from_u32(FIRST[i / 64] + i as u32 % 64)
            && is_wide_mark(c)
        {
            marks[i / 64] |= 1 << (i % 64);
        }
        i += 1;
    }
    marks
};

const fn is_wide_mark(c: char) -> bool {
    let stop = matches!(c, '。' | '！' | '？' | '｡' | '．' | '…' | '；');
    stop || is_bullet(c) || Sort::opened_by(c).is_some() || Sort::closed_by(c).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_mark_is_forgotten() {
        for c in '\u{80}'..=char::MAX {
            let text = format!("a{c}");
            assert_eq!(is_mark_at(text.as_bytes(), 1), is_wide_mark(c), "{c}");
            let mut block = [0; BLOCK + 1];
            block[..text.len()].copy_from_slice(text.as_bytes());
            assert!(!is_wide_mark(c) || candidates::<false>(&block) == 2, "{c}");
        }
    }

    #[test]
    fn masks_are_exact() {
        let wanted = b"\n\r.!?\"[]`()*&\x02\x06\x0E";
        for byte in 0..=255 {
            for next in [0, 0x80, 0x81, b'.'] {
                for at in [0, 1, 31, 63] {
                    let mut block = [b'x'; BLOCK + 1];
                    (block[at], block[at + 1]) = (byte, next);
                    let bit = |wanted| u64::from(wanted) << at;
                    let is = wanted.contains(&byte) || matches!((byte, next), (0xE2 | 0xEF, _) | (0xE3, 0x80));
                    let behind = if at < 63 && next == b'.' { 2 << at } else { 0 };
                    assert_eq!(candidates::<false>(&block), bit(is) | behind);
                    assert_eq!(candidates::<true>(&block), bit(is || byte == b';') | behind);
                }
            }
        }
    }
}
