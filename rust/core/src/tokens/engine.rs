//! One pattern with one vocabulary: pieces and their tokens.

use super::lexer::Pattern;
use super::merge::{self, Token};
use super::vocabulary::Vocabulary;

/// Everything that counting needs and that never changes.
pub(super) struct Engine {
    pub(super) pattern: Pattern,
    pub(super) vocabulary: Vocabulary,
}

impl Engine {
    pub(super) fn new(pattern: Pattern, blob: &'static [u8], limit: usize) -> Self {
        Self { pattern, vocabulary: Vocabulary::new(blob, limit) }
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
        let mut tokens = Vec::new();
        let mut total = 0;
        let mut at = 0;
        while at < text.len() {
            let end = self.pattern.piece_end(text, at);
            total += self.piece_count(&text[at..end], &mut tokens);
            at = end;
        }
        total
    }

    /// The number of tokens of a piece. `tokens` is scratch space.
    pub(super) fn piece_count(&self, piece: &[u8], tokens: &mut Vec<Token>) -> usize {
        if self.vocabulary.rank(piece).is_some() {
            return 1;
        }
        merge::encode(&self.vocabulary, piece, tokens);
        tokens.len()
    }

    /// The tokens of a piece, as the places where they end.
    pub(super) fn piece_ends(&self, piece: &[u8], tokens: &mut Vec<Token>) {
        if let Some(rank) = self.vocabulary.rank(piece) {
            tokens.clear();
            tokens.push(Token { rank, end: piece.len() as u32 });
        } else {
            merge::encode(&self.vocabulary, piece, tokens);
        }
    }
}
