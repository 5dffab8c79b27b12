//! The sets of instructions that there are, and work that is done with one of them.

#[cfg(target_arch = "x86_64")]
use super::{Avx2, Avx512, Sse2};
use super::{Isa, Portable};

/// Something to do with the best instructions that there are.
pub(in super::super) trait Work {
    /// What comes out.
    type Output;
    /// Does it.
    fn run<I: Isa>(self, isa: I) -> Self::Output;
}

/// The sets of instructions that there are.
#[derive(Clone, Copy)]
pub(in super::super) enum Level {
    /// Works everywhere.
    #[cfg_attr(all(target_arch = "x86_64", not(test)), expect(dead_code, reason = "every x86-64 has SSE2"))]
    Portable,
    #[cfg(target_arch = "x86_64")]
    Sse2,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Level {
    /// The best that this processor has.
    #[cfg(target_arch = "x86_64")]
    pub(in super::super) fn best() -> Self {
        let avx2 = || Avx2::detect().filter(|_| allowed("avx2")).map_or(Self::Sse2, Self::Avx2);
        Avx512::detect().filter(|_| allowed("avx512")).map_or_else(avx2, Self::Avx512)
    }

    /// The best that there is.
    #[cfg(not(target_arch = "x86_64"))]
    pub(in super::super) fn best() -> Self {
        Self::Portable
    }

    /// All that this processor has.
    #[cfg(test)]
    pub(in super::super) fn all() -> Vec<Self> {
        let mut levels = vec![Self::Portable, Self::best()];
        #[cfg(target_arch = "x86_64")]
        levels.extend([Some(Self::Sse2), Avx2::detect().map(Self::Avx2)].into_iter().flatten());
        levels
    }

    /// Does some work with these instructions.
    pub(in super::super) fn dispatch<W: Work>(self, work: W) -> W::Output {
        match self {
            Self::Portable => work.run(Portable),
            #[cfg(target_arch = "x86_64")]
            Self::Sse2 => work.run(Sse2),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(avx2) => avx2.dispatch(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(avx512) => avx512.dispatch(work),
        }
    }
}

/// Whether instructions may be used: the training for a profile forbids some, so that the profile knows what processors without them run.
#[cfg(target_arch = "x86_64")]
fn allowed(instructions: &str) -> bool {
    !cfg!(training) || !std::env::var("CHUNKWRIGHT_TRAIN_WITHOUT").is_ok_and(|without| without.contains(instructions))
}
