//! The bytes at which tokens begin that may make atoms.

/// Bytes that are looked at together.
pub(super) const BLOCK: usize = 32;

/// The places in the block at `at` of the bytes ``[ \ ] ` < $``, one bit each.
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

#[inline]
fn places(block: &[u8; BLOCK]) -> u32 {
    let found = block.map(|b| u8::from((b.wrapping_sub(b'[') <= 2) | (b == b'`') | (b == b'<') | (b == b'$')));
    if found == [0; BLOCK] {
        return 0;
    }
    let (eights, _) = found.as_chunks::<8>();
    eights.iter().rev().fold(0, |bits, eight| bits << 8 | gathered(*eight))
}

/// The lowest bits of eight bytes, of which no others are set.
fn gathered(bytes: [u8; 8]) -> u32 {
    (u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}
