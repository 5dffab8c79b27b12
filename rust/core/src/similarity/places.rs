//! The similarity of what stands in front of a place between two sentences and behind it.
//!
//! From place to place one sentence goes over from the window behind to the one in front, one leaves that, and another
//! one enters the window behind. Terms are whole numbers, so that the sums of their products can be kept and corrected
//! where a count changes. So the time is that of four times the features, however they are spread over the sentences.

use std::sync::atomic::{AtomicBool, Ordering};

use super::embedder::{idf, similarity, term};
use super::features::{Entry, Features};
use crate::span::Span;

/// A window has at most so many sentences.
const SENTENCES: usize = 3;

/// The text in front of each place between two sentences, and behind it: up to three sentences each.
#[must_use]
pub fn windows(sentences: &[Span]) -> Vec<(Span, Span)> {
    let window = |range: &[Span]| Span { start: range[0].start, end: range[range.len() - 1].end };
    let places = 1..sentences.len().max(1);
    places
        .map(|i| {
            let behind = sentences.len().min(i + SENTENCES);
            (window(&sentences[i.saturating_sub(SENTENCES)..i]), window(&sentences[i..behind]))
        })
        .collect()
}

/// Appends the start of each sentence of a section that is less than `threshold` like what stands in front of it.
///
/// `sentences` are all of the section, in order. Soon after `cancel` is set the rest is left out.
pub fn falls(text: &str, sentences: &[Span], threshold: f64, cancel: &AtomicBool, falls: &mut Vec<u32>) {
    let places = sentences.iter().skip(1).zip(until(text, sentences, cancel));
    falls.extend(places.filter(|(_, similarity)| *similarity < threshold).map(|(sentence, _)| sentence.start));
}

/// The similarity of the two windows of each place between two of the `sentences` of a section, all of them in order.
///
/// It is that of the vectors which [`LexicalEmbedder`](super::LexicalEmbedder) makes of the windows' counts, with the
/// weights that the words have among the sentences, before they are rounded.
#[must_use]
pub fn similarities(text: &str, sentences: &[Span]) -> Vec<f64> {
    until(text, sentences, &AtomicBool::new(false))
}

fn until(text: &str, sentences: &[Span], cancel: &AtomicBool) -> Vec<f64> {
    if sentences.len() < 2 {
        return Vec::new();
    }
    let goes_on = || !cancel.load(Ordering::Relaxed);
    let texts = sentences.iter().take_while(|_| goes_on()).map(|sentence| &text[sentence.range()]);
    let features = Features::of(texts);
    let mut windows = Windows::new(&features);
    for i in 0..features.len().min(SENTENCES) {
        windows.add::<BEHIND>(features.get(i));
    }
    let places = (1..features.len()).take_while(|_| goes_on()).map(|i| {
        windows.remove::<BEHIND>(features.get(i - 1));
        windows.add::<FRONT>(features.get(i - 1));
        if i > SENTENCES {
            windows.remove::<FRONT>(features.get(i - 1 - SENTENCES));
        }
        if i + SENTENCES <= features.len() {
            windows.add::<BEHIND>(features.get(i + SENTENCES - 1));
        }
        similarity(windows.product, windows.squares[FRONT], windows.squares[BEHIND])
    });
    places.collect()
}

/// The window in front of a place.
const FRONT: usize = 0;
/// The window behind it.
const BEHIND: usize = 1;

/// What one bucket holds, of each window.
#[derive(Clone, Copy)]
struct Bucket {
    idf: f64,
    /// In halves.
    counts: [u64; 2],
    /// They follow from the counts.
    terms: [u32; 2],
}

/// The two windows of a place.
struct Windows {
    buckets: Vec<Bucket>,
    /// The sum of the products of the terms of both windows.
    product: u64,
    /// The sums of the squares of the terms of each.
    squares: [u64; 2],
}

impl Windows {
    /// Empty windows.
    fn new(features: &Features) -> Self {
        let empty = |idf| Bucket { idf, counts: [0; 2], terms: [0; 2] };
        Self { buckets: idf(features).into_iter().map(empty).collect(), product: 0, squares: [0; 2] }
    }

    fn add<const WINDOW: usize>(&mut self, sentence: &[Entry]) {
        self.change::<WINDOW>(sentence, |count, halves| count + halves);
    }

    fn remove<const WINDOW: usize>(&mut self, sentence: &[Entry]) {
        self.change::<WINDOW>(sentence, |count, halves| count - halves);
    }

    #[inline(always)]
    fn change<const WINDOW: usize>(&mut self, sentence: &[Entry], count: impl Fn(u64, u64) -> u64) {
        for entry in sentence {
            let bucket = &mut self.buckets[entry.bucket()];
            bucket.counts[WINDOW] = count(bucket.counts[WINDOW], entry.halves());
            let (old, other) = (u64::from(bucket.terms[WINDOW]), u64::from(bucket.terms[1 - WINDOW]));
            bucket.terms[WINDOW] = term(bucket.counts[WINDOW], bucket.idf);
            let new = u64::from(bucket.terms[WINDOW]);
            self.product = self.product + new * other - old * other;
            self.squares[WINDOW] = self.squares[WINDOW] + new * new - old * old;
        }
    }
}
