//! Exact token counts.
//!
//! The result is always that of `len(tiktoken.get_encoding(name).encode_ordinary(text))`: what looks like a special token is ordinary text.

#![allow(
    clippy::inline_always,
    reason = "the loops of a pass have to be compiled as a whole for each set of instructions"
)]

mod blocks;
mod classes;
mod cuts;
mod engine;
mod index;
mod joints;
mod lexer;
mod look_up;
mod marks;
mod memory;
mod merge;
mod pass;
mod pool;
mod take;
#[cfg(test)]
mod tests;
mod vocabulary;
mod wide;

use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use engine::Engine;
pub use index::TokenIndex;
pub use joints::Piece;
use lexer::Pattern;

/// One encoding. Cheap to clone and to share between threads; its tables are built once in a process, when first asked for.
#[derive(Clone, Copy)]
pub struct Tokenizer {
    name: &'static str,
    engine: &'static Engine,
    digest: &'static OnceLock<String>,
}

/// The tables that encodings share.
struct Family {
    pattern: Pattern,
    blob: &'static [u8],
    limit: usize,
    engine: OnceLock<Engine>,
    digest: OnceLock<String>,
}

impl Family {
    const fn new(pattern: Pattern, blob: &'static [u8], limit: usize) -> Self {
        Self { pattern, blob, limit, engine: OnceLock::new(), digest: OnceLock::new() }
    }
}

/// The vocabulary of `r50k_base` is the first part of that of `p50k_base`.
const R50K_TOKENS: usize = 50_256;

static P50K_BLOB: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/p50k.vocabulary"));
static CL100K: Family =
    Family::new(Pattern::Cl100k, include_bytes!(concat!(env!("OUT_DIR"), "/cl100k.vocabulary")), usize::MAX);
static O200K: Family =
    Family::new(Pattern::O200k, include_bytes!(concat!(env!("OUT_DIR"), "/o200k.vocabulary")), usize::MAX);
static P50K: Family = Family::new(Pattern::R50k, P50K_BLOB, usize::MAX);
static R50K: Family = Family::new(Pattern::R50k, P50K_BLOB, R50K_TOKENS);

static ENCODINGS: [(&str, &Family); 7] = [
    ("cl100k_base", &CL100K),
    ("o200k_base", &O200K),
    ("o200k_harmony", &O200K),
    ("p50k_base", &P50K),
    ("p50k_edit", &P50K),
    ("r50k_base", &R50K),
    ("gpt2", &R50K),
];

impl std::fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Tokenizer").field(&self.name).finish()
    }
}

impl Tokenizer {
    /// The names that `by_name` knows.
    pub const NAMES: &'static [&'static str] =
        &["cl100k_base", "o200k_base", "o200k_harmony", "p50k_base", "p50k_edit", "r50k_base", "gpt2"];

    /// The encoding of that name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let (name, family) = ENCODINGS.iter().find(|encoding| encoding.0 == name)?;
        let engine = family.engine.get_or_init(|| Engine::new(family.pattern, family.blob, family.limit));
        Some(Self { name, engine, digest: &family.digest })
    }

    /// The encoding's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Hex BLAKE3 of pattern and vocabulary. Encodings that differ in special tokens only have the same one.
    #[must_use]
    pub fn digest(&self) -> &'static str {
        self.digest.get_or_init(|| self.engine.digest())
    }

    /// The number of tokens of `text`.
    #[must_use]
    pub fn count(&self, text: &str) -> usize {
        self.engine.count(text.as_bytes())
    }

    /// Prepares for counts of spans of `text`.
    #[must_use]
    pub fn index<'t>(&self, text: &'t str) -> TokenIndex<'t> {
        TokenIndex::new(self.engine, text)
    }

    /// As `index`, but gives up, with `None`, when `cancel` becomes true. It is looked at about once a megabyte.
    #[must_use]
    pub fn index_cancellable<'t>(&self, text: &'t str, cancel: &AtomicBool) -> Option<TokenIndex<'t>> {
        TokenIndex::new_cancellable(self.engine, text, cancel)
    }
}
