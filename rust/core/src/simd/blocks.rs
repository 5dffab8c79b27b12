//! Text as blocks.

use super::BLOCK;

/// What `take` makes of each block and its number; behind the end of the bytes, the last block has `filler`.
#[inline(always)]
pub(crate) fn map_blocks<T: Clone + Default>(
    bytes: &[u8],
    filler: u8,
    mut take: impl FnMut(usize, &[u8; BLOCK]) -> T,
) -> Vec<T> {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let mut last = [filler; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    let mut made = vec![T::default(); blocks.len() + 1];
    for (at, one) in made.iter_mut().enumerate() {
        *one = take(at, blocks.get(at).unwrap_or(&last));
    }
    made
}

/// The block that begins at `at`; behind the text, which is in `room` then, are zeros.
#[inline(always)]
pub(crate) fn block_at<'a>(text: &'a [u8], at: usize, room: &'a mut [u8; BLOCK]) -> &'a [u8; BLOCK] {
    let rest = &text[at..];
    if let Some(block) = rest.first_chunk() {
        return block;
    }
    room.fill(0);
    room[..rest.len()].copy_from_slice(rest);
    room
}

/// The mask of the bytes that `wanted` accepts.
#[inline(always)]
pub(super) fn gather(block: &[u8; BLOCK], wanted: impl Fn(u8) -> bool) -> u64 {
    let flags = block.map(|byte| u8::from(wanted(byte)));
    let (eights, _) = flags.as_chunks::<8>();
    // The product puts bit 0 of each byte into the top byte.
    let eight = |flags: &[u8; 8]| u64::from_le_bytes(*flags).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    eights.iter().rev().fold(0, |mask, flags| mask << 8 | eight(flags))
}
