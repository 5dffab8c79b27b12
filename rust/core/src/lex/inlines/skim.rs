//! The bytes at which tokens begin that may make atoms.

/// Bytes that are looked at together.
pub(super) const BLOCK: usize = 32;

/// The places in the block at `at` of the bytes ``[ \ ] ` < $`` and of a few others, one bit each.
#[inline]
pub(super) fn specials(text: &[u8], at: usize) -> u32 {
    let rest = &text[at..];
    if let Some(block) = rest.first_chunk::<BLOCK>() {
        return places(block);
    }
    let mut block = [0; BLOCK];
    block[..rest.len()].copy_from_slice(rest);
    places(&block)
}

/// Written so that compilers make vector instructions of it: one flag a byte without branches, then eight flags at a time.
#[inline]
fn places(block: &[u8; BLOCK]) -> u32 {
    let found = block.map(|byte| u8::from(matters(byte)));
    let (eights, _) = found.as_chunks::<8>();
    let eights = [0, 1, 2, 3].map(|i| u64::from_le_bytes(eights[i]));
    if eights[0] | eights[1] | eights[2] | eights[3] == 0 {
        return 0;
    }
    // The product puts bit 0 of each byte into the top byte.
    let eight = |flags: &u64| (flags.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32;
    eights.iter().rev().fold(0, |places, flags| places << 8 | eight(flags))
}

/// Whether a token may begin with this byte. `^` and `_` are there because this saves comparisons.
#[inline(always)]
#[expect(clippy::needless_bitwise_bool, reason = "without branches the compiler tests a block of bytes at once")]
fn matters(byte: u8) -> bool {
    // From `[` to the back-tick.
    let late = byte.wrapping_add(0x1f).cast_signed() > 0x79;
    late | (byte == b'<') | (byte == b'$')
}
