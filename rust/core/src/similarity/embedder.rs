//! Vectors of texts, and what two texts have in common, from counts in buckets.
#![allow(clippy::cast_precision_loss, reason = "sums are rounded once, to the nearest f64; all else is far below 2^53")]

use std::sync::LazyLock;

use super::features::{BUCKETS, Features};

/// What texts have in common that have nothing in common. In running text most places are then between 0.67 and 0.8.
const BASE: f64 = 0.65;
/// The rest, so that equal texts have the similarity 1.
const REST: f64 = 0.35;
/// How fine terms are. The square of a term is below 2^42, so that the sums of all buckets fit 64 bits.
const SCALE: f64 = 4096.0;

/// Makes vectors of texts from the words and characters that they hold.
///
/// Texts are alike if they share words (or parts of words), or characters and pairs of characters of scripts that are
/// written without blanks. **It knows nothing of what they mean**: synonyms, a paraphrase, or the same in another
/// language have nothing in common for it, and the same word in two meanings is the same. Nor does it see the order of
/// words. It is for finding places where the words of a text change, not for search.
///
/// It needs no data and no training, and the same texts have the same vectors, always. How much a word counts depends on
/// how many of the texts of one call hold it: vectors of different calls cannot be compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct LexicalEmbedder;

impl LexicalEmbedder {
    /// The numbers of a vector.
    pub const DIMENSIONS: usize = 1 + BUCKETS;

    /// A vector of length 1 for each text, or one shorter than that for a text with no word in it. The cosine of two of
    /// them is 0.65 if the texts have nothing in common, and 1 if they have the same words equally often.
    #[must_use]
    pub fn embed(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        let features = Features::of(texts.iter().copied());
        let idf = idf(&features);
        (0..texts.len()).map(|i| vector(&counts(&features, i), &idf)).collect()
    }
}

/// The counts of text `i`, in halves, by bucket.
fn counts(features: &Features, i: usize) -> Vec<u64> {
    let mut counts = vec![0; BUCKETS];
    for entry in features.get(i) {
        counts[entry.bucket()] += entry.halves();
    }
    counts
}

fn vector(counts: &[u64], idf: &[f64]) -> Vec<f32> {
    let terms: Vec<u64> = counts.iter().zip(idf).map(|(&halves, &idf)| term(halves, idf).into()).collect();
    let square: u64 = terms.iter().map(|x| x * x).sum();
    let scale = if square > 0 { (REST / square as f64).sqrt() } else { 0.0 };
    std::iter::once(BASE.sqrt()).chain(terms.iter().map(|&x| x as f64 * scale)).map(|x| x as f32).collect()
}

/// How much what falls into each bucket says, from the number of texts it occurs in; 0 where nothing does.
pub(super) fn idf(features: &Features) -> Vec<f64> {
    let mut texts = vec![0_u32; BUCKETS];
    // The text, from 1 on, that was the last to add to a bucket.
    let mut last = vec![0; BUCKETS];
    for i in 0..features.len() {
        for entry in features.get(i) {
            let bucket = entry.bucket();
            texts[bucket] += u32::from(last[bucket] != i + 1);
            last[bucket] = i + 1;
        }
    }
    let number = features.len() as f64;
    let weight = |&texts: &u32| match texts {
        0 => 0.0,
        1 => (1.0 + number).ln() * 0.5,
        _ => (1.0 + number / f64::from(texts)).ln(),
    };
    texts.iter().map(weight).collect()
}

/// The logarithms of small counts.
static LOGARITHMS: LazyLock<[f64; 256]> = LazyLock::new(|| std::array::from_fn(|halves| logarithm(halves as u64)));

fn logarithm(halves: u64) -> f64 {
    (1.0 + halves as f64 * 0.5).ln()
}

/// What a bucket with this count adds to a vector: a whole number, so that sums of products are exact in any order.
#[inline]
#[allow(clippy::cast_sign_loss, reason = "no term is negative")]
pub(super) fn term(halves: u64, idf: f64) -> u32 {
    let logarithm = LOGARITHMS.get(halves as usize).copied().unwrap_or_else(|| logarithm(halves));
    (SCALE * logarithm * idf + 0.5) as u32
}

/// The similarity of two texts, from the sums of the products of their terms: with each other, and with themselves.
pub(super) fn similarity(product: u64, a: u64, b: u64) -> f64 {
    match (a > 0, b > 0) {
        (true, true) => BASE + REST * (product as f64 / (a as f64 * b as f64).sqrt()),
        (false, false) => 1.0,
        _ => BASE.sqrt(),
    }
}
