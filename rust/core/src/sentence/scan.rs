//! Bytes at which something may happen, as bit masks.

/// Bytes that are looked at together.
pub(super) const BLOCK: usize = 64;

/// Bit i is set if something may happen at byte i of `block`, whose last byte is only looked at as what follows.
///
/// Written so that compilers make vector instructions of it: one flag a byte without branches, then eight flags at a time.
#[inline]
pub(super) fn candidates<const SEMICOLONS: bool>(block: &[u8; BLOCK + 1]) -> u64 {
    let mut flags = [0; BLOCK];
    for ((flag, &byte), &next) in flags.iter_mut().zip(block).zip(&block[1..]) {
        *flag = u8::from(matters::<SEMICOLONS>(byte, next));
    }
    let (eights, _) = flags.as_chunks::<8>();
    // The product puts bit 0 of each byte into the top byte.
    let eight = |flags: &[u8; 8]| u64::from_le_bytes(*flags).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    eights.iter().rev().fold(0, |mask, flags| mask << 8 | eight(flags))
}

/// Whether something may happen at `byte`, before `next`. `+` is there because it saves a comparison.
#[inline(always)]
fn matters<const SEMICOLONS: bool>(byte: u8, next: u8) -> bool {
    let line = (byte == b'\n') | (byte == b'\r');
    let mark = (byte == b'.') | (byte == b'!') | (byte == b'?') | (SEMICOLONS & (byte == b';'));
    let pair = (byte == b'"') | (byte == b'[') | (byte == b']') | (byte == b'`');
    // ( ) * +
    let low = byte & 0xFC == 0x28;
    // Of E3, only U+3000 to U+303F.
    let wide = (byte == 0xE2) | (byte == 0xEF) | ((byte == 0xE3) & (next == 0x80));
    line | mark | pair | low | wide
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_exact() {
        let wanted = "\n\r.!?\"[]`()*+".as_bytes();
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
