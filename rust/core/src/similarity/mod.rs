//! How alike neighbouring parts of a text are. `docs/strategies.md`, section 3.
//!
//! - [`LexicalEmbedder`] makes vectors of texts, from their words and characters alone
//! - [`similarities`] and [`falls`] have what these vectors say of each place between two sentences, without making them
//! - [`windows`] and [`cosine`] are for vectors that another embedder makes

mod embedder;
mod features;
mod places;
#[cfg(test)]
mod tests;

pub use embedder::LexicalEmbedder;
pub use places::{falls, similarities, windows};

/// The cosine of two vectors; 0.0 if one of them has no length.
///
/// Numbers that are not finite, and those that the shorter vector lacks, count as 0.
#[must_use]
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let finite = |x: &f32| if x.is_finite() { f64::from(*x) } else { 0.0 };
    let square = |vector: &[f32]| vector.iter().map(finite).fold(0.0, |sum, x| sum + x * x);
    let product = a.iter().map(finite).zip(b.iter().map(finite)).fold(0.0, |sum, (x, y)| sum + x * y);
    let lengths = square(a) * square(b);
    if lengths > 0.0 { product / lengths.sqrt() } else { 0.0 }
}
