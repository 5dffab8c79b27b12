//! Which bytes of a block have which class, as bit masks: bit i is byte i.
//!
//! The only unsafe code of the crate: loads and stores of vectors, prefetching, and calls of functions that need instructions which the
//! compiler does not know to be there. In one run, counting `en_ps` took `Portable` 1.87 times as long as AVX-512, SSE2 1.49 times and
//! AVX2 1.22 times (`zh_docs`: 1.51, 1.19, 1.07). Where there is no AVX-512, prefetching gains 2 % in English, 9 % in small documents.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx512;
mod blocks;
pub(super) mod characters;
pub(super) mod entries;
mod level;
pub(super) mod words;

use blocks::gather;
pub(super) use blocks::{block_at, map_blocks};
use characters::{Before, Joints, Letters};
use entries::Entries;
pub(super) use level::{Level, Work};
use words::{Eight, Keys, Known};

/// Bytes that are looked at together.
pub(super) const BLOCK: usize = 64;

/// The ASCII classes of a block. Bytes of longer characters are in `high` only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Masks {
    /// Letters.
    pub(super) letter: u64,
    /// Capital letters.
    pub(super) upper: u64,
    /// Digits.
    pub(super) number: u64,
    /// White space with line breaks.
    pub(super) white: u64,
    /// Carriage returns and line feeds.
    pub(super) brk: u64,
    /// Blanks.
    pub(super) space: u64,
    /// Apostrophes.
    pub(super) quote: u64,
    /// Bytes from 0x80 on.
    pub(super) high: u64,
}

/// What to know of the bytes of longer characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Wide {
    /// Bytes 80 to BF.
    pub(super) tail: u64,
    /// Bytes E4 to E9: U+4000 to U+9FFF, which are letters but for U+4DC0 to U+4DFF.
    pub(super) han: u64,
    /// Bytes E4 that may be followed by B7: U+4DC0 to U+4DFF.
    pub(super) hexagram: u64,
}

/// A set of instructions.
pub(super) trait Isa: Copy {
    /// Whether eight pieces together are looked up faster than one by one.
    const EIGHTS: bool = false;

    /// The ASCII classes.
    fn masks(self, block: &[u8; BLOCK]) -> Masks;
    /// The rest. Asked for only if there is any.
    fn wide(self, block: &[u8; BLOCK]) -> Wide;

    /// The bytes that are one of `wanted`.
    fn any_of<const N: usize>(self, block: &[u8; BLOCK], wanted: [u8; N]) -> u64;

    /// Calls a function that is compiled for these instructions if it is inlined.
    #[inline(always)]
    fn call<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    /// Writes the positions of the bits, counted from `at`, and something behind them.
    #[inline(always)]
    fn spread(self, mut bits: u64, at: u32, room: &mut [u32; BLOCK]) {
        let (eights, _) = room.as_chunks_mut::<8>();
        for eight in eights {
            for place in eight {
                *place = at.wrapping_add(bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
            }
            if bits == 0 {
                return;
            }
        }
    }

    /// Writes the code points of the characters that start at `firsts` and end in the block, and where they start, counted from `at`;
    /// and something behind them.
    #[inline(always)]
    fn characters(
        self,
        block: &[u8; BLOCK],
        firsts: u64,
        at: u32,
        codes: &mut [u32; BLOCK],
        places: &mut [u32; BLOCK],
    ) {
        characters::characters(block, firsts, at, codes, places);
    }

    /// Where sixteen characters can be cut, and the numbers of their entries.
    #[inline(always)]
    fn joints(self, letters: Letters<'_>, before: Before) -> Joints {
        characters::joints(letters, before)
    }

    /// Keys of the words that start with `bytes`. Zero for pieces that are no words.
    #[inline(always)]
    fn word_keys(self, bytes: &Eight<u64>, starts: &Eight<u32>, ends: &Eight<u32>) -> Keys {
        words::keys(bytes, starts, ends)
    }

    /// What a table knows of the words with these keys, which has `words` in their slots.
    #[inline(always)]
    fn word_counts(self, words: &Eight<u64>, keys: &Eight<u64>) -> Known {
        words::counts(words, keys)
    }

    /// Keys of the entries of pieces that start with `bytes`, and their hashes.
    #[inline(always)]
    fn entry_keys(self, bytes: &Entries, lens: &Eight<u64>) -> (Entries, Eight<u64>) {
        entries::keys(bytes, lens)
    }

    /// What a table knows of the pieces with these keys, which has `entries` in their places.
    #[inline(always)]
    fn entry_counts(self, entries: &Entries, keys: &Entries) -> Known {
        entries::counts(entries, keys)
    }

    /// Writes the values whose bits are in `wanted`, and something behind them.
    #[inline(always)]
    fn keep(self, values: &Eight<u32>, wanted: u8, room: &mut Eight<u32>) {
        words::keep(values, wanted, room);
    }

    /// The same for longer values.
    #[inline(always)]
    fn keep_long(self, values: &Eight<u64>, wanted: u8, room: &mut Eight<u64>) {
        words::keep(values, wanted, room);
    }
}

/// Nothing but integers.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Isa for Portable {
    #[inline(always)]
    fn masks(self, block: &[u8; BLOCK]) -> Masks {
        Masks {
            letter: gather(block, |byte| byte.is_ascii_alphabetic()),
            upper: gather(block, |byte| byte.is_ascii_uppercase()),
            number: gather(block, |byte| byte.is_ascii_digit()),
            white: gather(block, |byte| matches!(byte, 9..=13 | 32)),
            brk: gather(block, |byte| byte == 10 || byte == 13),
            space: gather(block, |byte| byte == 32),
            quote: gather(block, |byte| byte == 39),
            high: gather(block, |byte| byte >= 0x80),
        }
    }

    fn wide(self, block: &[u8; BLOCK]) -> Wide {
        let e4 = gather(block, |byte| byte == 0xE4);
        Wide {
            tail: gather(block, |byte| byte & 0xC0 == 0x80),
            han: gather(block, |byte| matches!(byte, 0xE4..=0xE9)),
            hexagram: e4 & (gather(block, |byte| byte == 0xB7) >> 1 | 1 << 63),
        }
    }

    #[inline(always)]
    fn any_of<const N: usize>(self, block: &[u8; BLOCK], wanted: [u8; N]) -> u64 {
        // Without branches, so that compilers make vector instructions of it.
        gather(block, |byte| wanted.iter().fold(0, |found, &one| found | u8::from(byte == one)) != 0)
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512, Sse2};

/// The instructions that every processor of a kind has, for where a choice at run time costs more than it gives.
#[cfg(not(target_arch = "x86_64"))]
pub(super) use Portable as Baseline;
#[cfg(target_arch = "x86_64")]
pub(super) use Sse2 as Baseline;

/// One set of vector instructions: `$part` holds `$len` bytes of a block.
#[cfg(target_arch = "x86_64")]
macro_rules! vectors {
    ($features:literal, $part:ty, $parts:literal, $bits:ty, $load:expr, $all:ident, $equal:ident, $greater:ident, $and:ident, $or:ident,
     $movemask:ident) => {
        #[target_feature(enable = $features)]
        #[inline]
        pub(super) fn masks(block: &[u8; BLOCK]) -> Masks {
            let mut masks = Masks::default();
            for i in 0..$parts {
                let part = $load(block, i);
                let space = equal(part, b' ');
                let brk = $or(equal(part, b'\n'), equal(part, b'\r'));
                masks.letter |= bits(between($or(part, all(0x20)), b'a', b'z'), i);
                masks.upper |= bits(between(part, b'A', b'Z'), i);
                masks.number |= bits(between(part, b'0', b'9'), i);
                masks.white |= bits($or(space, between(part, b'\t', b'\r')), i);
                masks.brk |= bits(brk, i);
                masks.space |= bits(space, i);
                masks.quote |= bits(equal(part, b'\''), i);
                masks.high |= bits(part, i);
            }
            masks
        }

        #[target_feature(enable = $features)]
        #[inline]
        pub(super) fn wide(block: &[u8; BLOCK]) -> Wide {
            let mut wide = Wide::default();
            let (mut e4, mut b7) = (0, 0);
            for i in 0..$parts {
                let part = $load(block, i);
                wide.tail |= bits($greater(all(0xC0), part), i);
                wide.han |= bits(between(part, 0xE4, 0xE9), i);
                e4 |= bits(equal(part, 0xE4), i);
                b7 |= bits(equal(part, 0xB7), i);
            }
            wide.hexagram = e4 & (b7 >> 1 | 1 << 63);
            wide
        }

        #[target_feature(enable = $features)]
        #[inline]
        pub(super) fn any_of<const N: usize>(block: &[u8; BLOCK], wanted: [u8; N]) -> u64 {
            (0..$parts).fold(0, |mask, i| {
                let part = $load(block, i);
                mask | bits(wanted.iter().fold(all(0), |found, &one| $or(found, equal(part, one))), i)
            })
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn all(byte: u8) -> $part {
            $all(byte.cast_signed())
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn equal(part: $part, byte: u8) -> $part {
            $equal(part, all(byte))
        }

        /// Both ends belong to it; the comparison is signed, so both have to be ASCII or both not.
        #[target_feature(enable = $features)]
        #[inline]
        fn between(part: $part, first: u8, last: u8) -> $part {
            $and($greater(part, all(first - 1)), $greater(all(last + 1), part))
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn bits(part: $part, i: usize) -> u64 {
            u64::from($movemask(part).cast_unsigned() as $bits) << (i * (BLOCK / $parts))
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::characters::{Before, Joints, Letters};
    use super::entries::Entries;
    use super::words::{Eight, Keys, Known};
    use super::{BLOCK, Isa, Masks, Wide, avx512};

    /// What every x86-64 has.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Sse2;

    impl Isa for Sse2 {
        #[inline(always)]
        fn masks(self, block: &[u8; BLOCK]) -> Masks {
            // SAFETY: every x86-64 processor has SSE2.
            unsafe { sse2::masks(block) }
        }

        #[inline(always)]
        fn wide(self, block: &[u8; BLOCK]) -> Wide {
            // SAFETY: every x86-64 processor has SSE2.
            unsafe { sse2::wide(block) }
        }

        #[inline(always)]
        fn any_of<const N: usize>(self, block: &[u8; BLOCK], wanted: [u8; N]) -> u64 {
            // SAFETY: every x86-64 processor has SSE2.
            unsafe { sse2::any_of(block, wanted) }
        }
    }

    mod sse2 {
        use std::arch::x86_64::{
            __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_cmpgt_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128,
            _mm_set1_epi8,
        };

        use super::super::{BLOCK, Masks, Wide};

        vectors!(
            "sse2",
            __m128i,
            4,
            u16,
            load,
            _mm_set1_epi8,
            _mm_cmpeq_epi8,
            _mm_cmpgt_epi8,
            _mm_and_si128,
            _mm_or_si128,
            _mm_movemask_epi8
        );

        #[target_feature(enable = "sse2")]
        #[inline]
        fn load(block: &[u8; BLOCK], i: usize) -> __m128i {
            let (parts, _) = block.as_chunks::<16>();
            // SAFETY: the pointer is to 16 bytes, and need not be aligned.
            unsafe { _mm_loadu_si128(parts[i].as_ptr().cast()) }
        }
    }

    /// What nearly every x86-64 since 2013 has. A value exists only where it was found to.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Avx2(());

    impl Avx2 {
        /// If the processor has it.
        pub(in super::super) fn detect() -> Option<Self> {
            let found = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            found.then_some(Self(()))
        }

        /// Does some work compiled for these instructions.
        pub(in super::super) fn dispatch<W: super::Work>(self, work: W) -> W::Output {
            // SAFETY: a value of this type is made by `detect` only, where all these features were found.
            unsafe { with_avx2(self, work) }
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn with_avx2<W: super::Work>(isa: Avx2, work: W) -> W::Output {
        work.run(isa)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn call_avx2<R>(work: impl FnOnce() -> R) -> R {
        work()
    }

    impl Isa for Avx2 {
        #[inline(always)]
        fn call<R>(self, work: impl FnOnce() -> R) -> R {
            // SAFETY: a value of this type is made by `detect` only, where all these features were found.
            unsafe { call_avx2(work) }
        }

        #[inline(always)]
        fn masks(self, block: &[u8; BLOCK]) -> Masks {
            // SAFETY: a value of this type is made by `detect` only, where the feature was found.
            unsafe { avx2::masks(block) }
        }

        #[inline(always)]
        fn wide(self, block: &[u8; BLOCK]) -> Wide {
            // SAFETY: a value of this type is made by `detect` only, where the feature was found.
            unsafe { avx2::wide(block) }
        }

        #[inline(always)]
        fn any_of<const N: usize>(self, block: &[u8; BLOCK], wanted: [u8; N]) -> u64 {
            // SAFETY: a value of this type is made by `detect` only, where the feature was found.
            unsafe { avx2::any_of(block, wanted) }
        }
    }

    mod avx2 {
        use std::arch::x86_64::{
            __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
            _mm256_or_si256, _mm256_set1_epi8,
        };

        use super::super::{BLOCK, Masks, Wide};

        vectors!(
            "avx2",
            __m256i,
            2,
            u32,
            load,
            _mm256_set1_epi8,
            _mm256_cmpeq_epi8,
            _mm256_cmpgt_epi8,
            _mm256_and_si256,
            _mm256_or_si256,
            _mm256_movemask_epi8
        );

        #[target_feature(enable = "avx2")]
        #[inline]
        fn load(block: &[u8; BLOCK], i: usize) -> __m256i {
            let (parts, _) = block.as_chunks::<32>();
            // SAFETY: the pointer is to 32 bytes, and need not be aligned.
            unsafe { _mm256_loadu_si256(parts[i].as_ptr().cast()) }
        }
    }

    /// AVX2 and the parts of AVX-512 that compare and compress bytes. A value exists only where they were found.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Avx512(());

    impl Avx512 {
        /// If the processor has it.
        pub(in super::super) fn detect() -> Option<Self> {
            let found = Avx2::detect().is_some()
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vbmi2");
            found.then_some(Self(()))
        }

        /// Does some work compiled for these instructions.
        pub(in super::super) fn dispatch<W: super::Work>(self, work: W) -> W::Output {
            // SAFETY: a value of this type is made by `detect` only, where all these features were found.
            unsafe { with_avx512(self, work) }
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn with_avx512<W: super::Work>(isa: Avx512, work: W) -> W::Output {
        work.run(isa)
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn call_avx512<R>(work: impl FnOnce() -> R) -> R {
        work()
    }

    impl Isa for Avx512 {
        const EIGHTS: bool = true;

        #[inline(always)]
        fn call<R>(self, work: impl FnOnce() -> R) -> R {
            // SAFETY: a value of this type is made by `detect` only, where all these features were found.
            unsafe { call_avx512(work) }
        }

        #[inline(always)]
        fn masks(self, block: &[u8; BLOCK]) -> Masks {
            // SAFETY: a value of this type is made by `detect` only, where the features were found.
            unsafe { avx512::masks(block) }
        }

        #[inline(always)]
        fn wide(self, block: &[u8; BLOCK]) -> Wide {
            // SAFETY: a value of this type is made by `detect` only, where the features were found.
            unsafe { avx512::wide(block) }
        }

        #[inline(always)]
        fn any_of<const N: usize>(self, block: &[u8; BLOCK], wanted: [u8; N]) -> u64 {
            // SAFETY: a value of this type is made by `detect` only, where the features were found.
            unsafe { avx512::any_of(block, wanted) }
        }

        #[inline(always)]
        fn spread(self, bits: u64, at: u32, room: &mut [u32; BLOCK]) {
            // SAFETY: a value of this type is made by `detect` only, where the features were found.
            unsafe { avx512::spread(bits, at, room) }
        }

        #[inline(always)]
        fn characters(
            self,
            block: &[u8; BLOCK],
            firsts: u64,
            at: u32,
            codes: &mut [u32; BLOCK],
            places: &mut [u32; BLOCK],
        ) {
            // SAFETY: a value of this type is made by `detect` only, where the features were found.
            unsafe { avx512::characters(block, firsts, at, codes, places) }
        }

        #[inline(always)]
        fn joints(self, letters: Letters<'_>, before: Before) -> Joints {
            // SAFETY: a value of this type is made by `detect` only, where the features were found.
            unsafe { avx512::joints(letters, before) }
        }

        #[inline(always)]
        fn word_keys(self, bytes: &Eight<u64>, starts: &Eight<u32>, ends: &Eight<u32>) -> Keys {
            // SAFETY: a value of this type is made by `detect` only, where the features were found.
            unsafe { avx512::word_keys(bytes, starts, ends) }
        }

        #[inline(always)]
        fn word_counts(self, words: &Eight<u64>, keys: &Eight<u64>) -> Known {
            // SAFETY: a value of this type is made by `detect` only, where the features were found.
            unsafe { avx512::word_counts(words, keys) }
        }

        #[inline(always)]
        fn keep(self, values: &Eight<u32>, wanted: u8, room: &mut Eight<u32>) {
            // SAFETY: a value of this type is made by `detect` only, where the features were found.
            unsafe { avx512::keep(values, wanted, room) }
        }

        #[inline(always)]
        fn keep_long(self, values: &Eight<u64>, wanted: u8, room: &mut Eight<u64>) {
            // SAFETY: a value of this type is made by `detect` only, where the features were found.
            unsafe { avx512::keep_long(values, wanted, room) }
        }

        #[inline(always)]
        fn entry_keys(self, bytes: &Entries, lens: &Eight<u64>) -> (Entries, Eight<u64>) {
            // SAFETY: a value of this type is made by `detect` only, where the features were found.
            unsafe { avx512::entry_keys(bytes, lens) }
        }

        #[inline(always)]
        fn entry_counts(self, entries: &Entries, keys: &Entries) -> Known {
            // SAFETY: a value of this type is made by `detect` only, where the features were found.
            unsafe { avx512::entry_counts(entries, keys) }
        }
    }
}

/// Asks for the cache line of `value`, for a look at it soon.
#[inline(always)]
pub(super) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has the instruction, and it does not fault.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
