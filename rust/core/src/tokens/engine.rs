//! One pattern with one vocabulary: pieces and their tokens.

use super::cuts::Cuts;
use super::lexer::Pattern;
use super::marks::Marks;
use super::merge::{self, Token};
use super::pass::{Pass, Scratch, Sink, Unheard};
use super::pool::Pool;
use super::vocabulary::Vocabulary;
use crate::simd::Level;

/// Everything that counting needs and that never changes.
pub(super) struct Engine {
    pub(super) pattern: Pattern,
    pub(super) vocabulary: Vocabulary,
    pub(super) cuts: Cuts,
    pub(super) level: Level,
    pool: Pool<Scratch>,
}

impl Engine {
    pub(super) fn new(pattern: Pattern, blob: &'static [u8], limit: usize) -> Self {
        let vocabulary = Vocabulary::new(blob, limit);
        let cuts = Cuts::new(&vocabulary);
        Self { pattern, vocabulary, cuts, level: Level::best(), pool: Pool::new() }
    }

    /// Hex BLAKE3 of the pattern and the vocabulary.
    pub(super) fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.pattern.source().as_bytes());
        for token in self.vocabulary.tokens() {
            hasher.update(&[token.len() as u8]);
            hasher.update(token);
        }
        hasher.finalize().to_hex().to_string()
    }

    /// The number of tokens of a text.
    pub(super) fn count(&self, text: &[u8]) -> usize {
        if text.is_empty() {
            return 0;
        }
        self.run(text, 0, text.len(), &mut Unheard).0
    }

    /// Marks the pieces from the one that starts at `at` to the last one that starts before `until`, or some more. Returns where they end.
    pub(super) fn mark(&self, text: &[u8], at: usize, until: usize, marks: &mut Marks) -> usize {
        self.run(text, at, until, marks).1
    }

    fn run<S: Sink>(&self, text: &[u8], at: usize, until: usize, sink: &mut S) -> (usize, usize) {
        self.pool
            .with(Scratch::new, |scratch| self.level.dispatch(Pass { engine: self, scratch, text, at, until, sink }))
    }

    /// The number of tokens of a piece. `tokens` is scratch space.
    pub(super) fn piece_count(&self, piece: &[u8], tokens: &mut Vec<Token>) -> usize {
        // Most pieces are tokens, and looking one up costs a tenth of merging it.
        if self.vocabulary.rank(piece).is_some() { 1 } else { merge::count(&self.vocabulary, piece, tokens) }
    }

    /// The tokens of a piece, as the places where they end.
    pub(super) fn piece_ends(&self, piece: &[u8], tokens: &mut Vec<Token>) {
        merge::encode(&self.vocabulary, piece, tokens);
    }
}
