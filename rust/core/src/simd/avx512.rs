//! The instructions of AVX-512: comparisons as masks, compressed vectors.

use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm256_loadu_si256, _mm256_maskz_compress_epi32, _mm256_storeu_si256, _mm256_sub_epi32,
    _mm512_add_epi8, _mm512_add_epi32, _mm512_alignr_epi32, _mm512_and_si512, _mm512_andnot_si512,
    _mm512_castsi512_si128, _mm512_cmpeq_epi8_mask, _mm512_cmpeq_epi64_mask, _mm512_cmpge_epu32_mask,
    _mm512_cmple_epu64_mask, _mm512_cmplt_epu8_mask, _mm512_cmplt_epu64_mask, _mm512_cvtepu8_epi32,
    _mm512_cvtepu32_epi64, _mm512_extracti32x4_epi32, _mm512_loadu_si512, _mm512_mask_mov_epi32,
    _mm512_maskz_and_epi64, _mm512_maskz_compress_epi8, _mm512_maskz_compress_epi64, _mm512_maskz_mov_epi64,
    _mm512_maskz_or_epi64, _mm512_max_epu64, _mm512_movepi8_mask, _mm512_mullo_epi32, _mm512_mullo_epi64,
    _mm512_or_si512, _mm512_permutexvar_epi8, _mm512_rol_epi64, _mm512_set1_epi8, _mm512_set1_epi32, _mm512_set1_epi64,
    _mm512_slli_epi32, _mm512_slli_epi64, _mm512_sllv_epi64, _mm512_srli_epi32, _mm512_srli_epi64, _mm512_storeu_si512,
    _mm512_sub_epi8, _mm512_sub_epi64, _mm512_test_epi32_mask, _mm512_test_epi64_mask, _mm512_testn_epi64_mask,
    _mm512_xor_si512,
};

use super::characters::{Before, GROUP_MASK, GROUPS, Joints, Letters, NUMBER_BITS, SIXTEEN, Sixteen};
use super::entries::{self, COUNT_SHIFT, Entries, LEN_SHIFT, SHORT, TURN};
use super::words::{COUNT, Eight, Keys, Known, SLOT_BITS, SPREAD, TINY};
use super::{BLOCK, Masks, Wide};

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub(super) fn masks(block: &[u8; BLOCK]) -> Masks {
    let block = load(block);
    let space = equal(block, b' ');
    Masks {
        letter: between(_mm512_or_si512(block, all(0x20)), b'a', b'z'),
        upper: between(block, b'A', b'Z'),
        number: between(block, b'0', b'9'),
        white: between(block, b'\t', b'\r') | space,
        brk: equal(block, b'\n') | equal(block, b'\r'),
        space,
        quote: equal(block, b'\''),
        high: _mm512_movepi8_mask(block),
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub(super) fn wide(block: &[u8; BLOCK]) -> Wide {
    let block = load(block);
    Wide {
        tail: between(block, 0x80, 0xBF),
        han: between(block, 0xE4, 0xE9),
        hexagram: equal(block, 0xE4) & (equal(block, 0xB7) >> 1 | 1 << 63),
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub(super) fn any_of<const N: usize>(block: &[u8; BLOCK], wanted: [u8; N]) -> u64 {
    let block = load(block);
    wanted.iter().fold(0, |mask, &one| mask | equal(block, one))
}

/// Sixteen positions at a time.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
#[inline]
pub(super) fn spread(bits: u64, at: u32, room: &mut [u32; BLOCK]) {
    let positions = _mm512_maskz_compress_epi8(bits, load(&NUMBERS));
    let at = _mm512_set1_epi32(at.cast_signed());
    let (rooms, _) = room.as_chunks_mut::<SIXTEEN>();
    let count = bits.count_ones();
    put(_mm512_castsi512_si128(positions), at, &mut rooms[0]);
    if count > 16 {
        put(_mm512_extracti32x4_epi32::<1>(positions), at, &mut rooms[1]);
    }
    if count > 32 {
        put(_mm512_extracti32x4_epi32::<2>(positions), at, &mut rooms[2]);
        put(_mm512_extracti32x4_epi32::<3>(positions), at, &mut rooms[3]);
    }
}

static NUMBERS: [u8; BLOCK] = {
    let mut numbers = [0; BLOCK];
    let mut i = 0;
    while i < BLOCK {
        numbers[i] = i as u8;
        i += 1;
    }
    numbers
};

#[target_feature(enable = "avx512f")]
#[inline]
fn put(positions: __m128i, at: __m512i, room: &mut Sixteen<u32>) {
    store(_mm512_add_epi32(_mm512_cvtepu8_epi32(positions), at), room);
}

/// What may have any bits, and vectors consist of.
trait Number: Copy {}

impl Number for u8 {}
impl Number for u32 {}
impl Number for u64 {}

#[target_feature(enable = "avx512f")]
#[inline]
fn load<T: Number, const N: usize>(values: &[T; N]) -> __m512i {
    const { assert!(size_of::<[T; N]>() == BLOCK) };
    // SAFETY: the pointer is to 64 bytes, and need not be aligned.
    unsafe { _mm512_loadu_si512(values.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn store<T: Number, const N: usize>(vector: __m512i, room: &mut [T; N]) {
    const { assert!(size_of::<[T; N]>() == BLOCK) };
    // SAFETY: there is room for 64 bytes, which need not be aligned.
    unsafe { _mm512_storeu_si512(room.as_mut_ptr().cast(), vector) };
}

#[target_feature(enable = "avx512f")]
#[inline]
fn all(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn equal(block: __m512i, byte: u8) -> u64 {
    _mm512_cmpeq_epi8_mask(block, all(byte))
}

/// Both ends belong to it.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn between(block: __m512i, first: u8, last: u8) -> u64 {
    _mm512_cmplt_epu8_mask(_mm512_sub_epi8(block, all(first)), all(last - first + 1))
}

#[target_feature(enable = "avx512f,avx512vl,avx512dq")]
#[inline]
pub(super) fn word_keys(bytes: &Eight<u64>, starts: &Eight<u32>, ends: &Eight<u32>) -> Keys {
    let len = _mm512_cvtepu32_epi64(_mm256_sub_epi32(load_half(ends), load_half(starts)));
    let shift = _mm512_sub_epi64(all_words(64), _mm512_slli_epi64::<3>(len));
    let tiny = _mm512_cmplt_epu64_mask(_mm512_sub_epi64(len, all_words(1)), all_words(TINY as u64));
    let keys = _mm512_maskz_or_epi64(tiny, _mm512_sllv_epi64(load(bytes), shift), _mm512_slli_epi64::<4>(len));
    let slots = _mm512_srli_epi64::<{ u64::BITS - SLOT_BITS }>(_mm512_mullo_epi64(keys, all_words(SPREAD)));
    Keys { keys: eight(keys), slots: eight(slots) }
}

#[target_feature(enable = "avx512f,avx512vl,avx512dq")]
#[inline]
pub(super) fn word_counts(words: &Eight<u64>, keys: &Eight<u64>) -> Known {
    let words = load(words);
    let differs = _mm512_xor_si512(words, load(keys));
    let same = _mm512_testn_epi64_mask(differs, all_words(!COUNT));
    known(_mm512_maskz_and_epi64(same, words, all_words(COUNT)))
}

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
pub(super) fn keep(values: &Eight<u32>, wanted: u8, room: &mut Eight<u32>) {
    let kept = _mm256_maskz_compress_epi32(wanted, load_half(values));
    // SAFETY: there is room for 32 bytes, which need not be aligned.
    unsafe { _mm256_storeu_si256(room.as_mut_ptr().cast(), kept) };
}

#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn keep_long(values: &Eight<u64>, wanted: u8, room: &mut Eight<u64>) {
    store(_mm512_maskz_compress_epi64(wanted, load(values)), room);
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(super) fn entry_keys(bytes: &Entries, lens: &Eight<u64>) -> (Entries, Eight<u64>) {
    let len = load(lens);
    let bits = _mm512_slli_epi64::<3>(len);
    // Shifts by 64 and more leave nothing.
    let low = _mm512_andnot_si512(_mm512_sllv_epi64(all_words(u64::MAX), bits), load(&bytes.low));
    let later = _mm512_sub_epi64(_mm512_max_epu64(bits, all_words(64)), all_words(64));
    let high = _mm512_andnot_si512(_mm512_sllv_epi64(all_words(u64::MAX), later), load(&bytes.high));
    let high = _mm512_or_si512(high, _mm512_slli_epi64::<LEN_SHIFT>(len));
    let short = _mm512_cmple_epu64_mask(len, all_words(SHORT as u64));
    let (low, high) = (_mm512_maskz_mov_epi64(short, low), _mm512_maskz_mov_epi64(short, high));
    let mixed = _mm512_xor_si512(low, _mm512_rol_epi64::<{ TURN.cast_signed() }>(high));
    let hashes = _mm512_xor_si512(
        _mm512_mullo_epi64(mixed, all_words(entries::SPREAD[0])),
        _mm512_mullo_epi64(high, all_words(entries::SPREAD[1])),
    );
    (Entries { low: eight(low), high: eight(high) }, eight(hashes))
}

#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn entry_counts(entries: &Entries, keys: &Entries) -> Known {
    let high = load(&entries.high);
    let low = _mm512_xor_si512(load(&entries.low), load(&keys.low));
    let high_differs = _mm512_andnot_si512(all_words(entries::COUNT), _mm512_xor_si512(high, load(&keys.high)));
    let differs = _mm512_or_si512(low, high_differs);
    let same = _mm512_testn_epi64_mask(differs, differs);
    known(_mm512_maskz_and_epi64(same, _mm512_srli_epi64::<COUNT_SHIFT>(high), all_words(15)))
}

#[target_feature(enable = "avx512f")]
#[inline]
fn known(counts: __m512i) -> Known {
    Known {
        counts: eight(counts),
        some: _mm512_test_epi64_mask(counts, counts),
        one: _mm512_cmpeq_epi64_mask(counts, all_words(1)),
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn all_words(value: u64) -> __m512i {
    _mm512_set1_epi64(value.cast_signed())
}

#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
fn load_half(values: &Eight<u32>) -> __m256i {
    // SAFETY: the pointer is to 32 bytes, and need not be aligned.
    unsafe { _mm256_loadu_si256(values.as_ptr().cast()) }
}

/// Sixteen characters at a time.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
#[inline]
pub(super) fn characters(
    block: &[u8; BLOCK],
    firsts: u64,
    at: u32,
    codes: &mut [u32; BLOCK],
    places: &mut [u32; BLOCK],
) {
    let block = load(block);
    let positions = _mm512_maskz_compress_epi8(firsts, load(&NUMBERS));
    let mut part = |i: usize, positions: __m128i| {
        let positions = _mm512_cvtepu8_epi32(positions);
        let four = _mm512_add_epi8(_mm512_mullo_epi32(positions, all_halves(0x0101_0101)), all_halves(0x0302_0100));
        store(decode(_mm512_permutexvar_epi8(four, block)), &mut codes.as_chunks_mut::<SIXTEEN>().0[i]);
        store(_mm512_add_epi32(positions, all_halves(at)), &mut places.as_chunks_mut::<SIXTEEN>().0[i]);
    };
    let count = firsts.count_ones();
    part(0, _mm512_castsi512_si128(positions));
    if count > 16 {
        part(1, _mm512_extracti32x4_epi32::<1>(positions));
    }
    if count > 32 {
        part(2, _mm512_extracti32x4_epi32::<2>(positions));
        part(3, _mm512_extracti32x4_epi32::<3>(positions));
    }
}

/// The code points of characters of which each begins four bytes.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn decode(bytes: __m512i) -> __m512i {
    let tail = |bits| _mm512_and_si512(bits, all_halves(0x3F));
    let first = _mm512_and_si512(bytes, all_halves(0xFF));
    let second = tail(_mm512_srli_epi32::<8>(bytes));
    let third = tail(_mm512_srli_epi32::<16>(bytes));
    let head = |mask| _mm512_and_si512(first, all_halves(mask));
    let add = |head, tail| _mm512_or_si512(_mm512_slli_epi32::<6>(head), tail);
    let two = _mm512_cmpge_epu32_mask(first, all_halves(0xC0));
    let codes = _mm512_mask_mov_epi32(first, two, add(head(0x1F), second));
    let three = _mm512_cmpge_epu32_mask(first, all_halves(0xE0));
    let codes = _mm512_mask_mov_epi32(codes, three, add(add(head(0x0F), second), third));
    let four = _mm512_cmpge_epu32_mask(first, all_halves(0xF0));
    let fourth = tail(_mm512_srli_epi32::<24>(bytes));
    _mm512_mask_mov_epi32(codes, four, add(add(add(head(0x07), second), third), fourth))
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(super) fn joints(letters: Letters<'_>, before: Before) -> Joints {
    let (codes, entries) = (load(letters.codes), load(letters.entries));
    let shifted = |values, before| _mm512_alignr_epi32::<15>(values, all_halves(before));
    let wide = _mm512_cmpge_epu32_mask(_mm512_or_si512(codes, shifted(codes, before.code)), all_halves(0x80));
    let behind =
        _mm512_and_si512(_mm512_srli_epi32::<NUMBER_BITS>(shifted(entries, before.entry)), all_halves(GROUP_MASK));
    let grouped = _mm512_test_epi32_mask(behind, _mm512_srli_epi32::<{ NUMBER_BITS + GROUPS }>(entries));
    let paired = _mm512_test_epi32_mask(load(letters.pairs), all_halves(1));
    Joints {
        cuts: wide & !(grouped | paired),
        low: _mm512_test_epi32_mask(entries, all_halves(1)),
        high: _mm512_test_epi32_mask(entries, all_halves(2)),
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn all_halves(value: u32) -> __m512i {
    _mm512_set1_epi32(value.cast_signed())
}

#[target_feature(enable = "avx512f")]
#[inline]
fn eight(vector: __m512i) -> Eight<u64> {
    let mut eight = Eight::default();
    store(vector, &mut eight);
    eight
}
