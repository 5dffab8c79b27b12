//! Sentences, with an end where neighbours have little in common.

use std::sync::atomic::{AtomicBool, Ordering};

use super::plain_text::{PlainStrategy, sections};
use super::{Prepared, Sizing, Unit};
use crate::chunk::Chunks;
use crate::engine::{Policy, Units, sentence_spans};
use crate::error::{ChunkError, SettingError};
use crate::similarity;
use crate::span::Span;

/// The semantic strategy.
pub struct Semantic {
    sizing: Sizing,
    threshold: f64,
    least: u32,
    /// Name of the embedder whose similarities it is given, for its fingerprint; empty for its own.
    embedder: String,
}

impl Semantic {
    /// # Errors
    /// If the threshold is not from 0 to 1, or the least size of a chunk is over the most.
    pub fn new(
        sizing: Sizing,
        similarity_threshold: f64,
        min_chunk_size: u32,
        embedder: String,
    ) -> Result<Self, SettingError> {
        if !(0.0..=1.0).contains(&similarity_threshold) {
            let value = similarity_threshold.to_string();
            return Err(SettingError { setting: "similarity_threshold", value, allowed: "from 0 to 1".into() });
        }
        // The default is meant for characters: with other sizes it is the same share of the most.
        let is_chars = matches!(sizing.unit, Unit::Chars(_));
        let least_share = sizing.budget / 5;
        let min_chunk_size = if is_chars { min_chunk_size } else { min_chunk_size.min(least_share) };
        if min_chunk_size > sizing.budget {
            let allowed = format!("from 0 to {}, the most that a chunk may have", sizing.budget);
            return Err(SettingError { setting: "min_chunk_size", value: min_chunk_size.to_string(), allowed });
        }
        Ok(Self { sizing, threshold: similarity_threshold, least: min_chunk_size, embedder })
    }

    /// The text in front of and behind each place between two sentences of a section, all sections after one another.
    #[must_use]
    pub fn windows(&self, text: &str, prepared: &Prepared) -> Vec<(Span, Span)> {
        let sections = prepared.document.blocks.iter();
        sections.flat_map(|block| similarity::windows(&sentence_spans(text, block.span))).collect()
    }

    /// As [`Strategy::chunk`](super::Strategy::chunk), with the similarities of [`Self::windows`] as somebody else sees them.
    ///
    /// # Errors
    /// As there.
    pub fn chunk_by(
        &self,
        text: &str,
        prepared: &Prepared,
        similarities: &[f64],
        cancel: &AtomicBool,
    ) -> Result<Chunks, ChunkError> {
        let windows = self.windows(text, prepared);
        let falls = windows.iter().zip(similarities).filter(|(_, similarity)| **similarity < self.threshold);
        self.cut(text, prepared, falls.map(|((_, behind), _)| behind.start).collect(), cancel)
    }

    fn cut(&self, text: &str, prepared: &Prepared, falls: Vec<u32>, cancel: &AtomicBool) -> Result<Chunks, ChunkError> {
        let policy = Policy { falls, ..self.policy() };
        let document = &prepared.document;
        self.sizing.pack(text, document, &sections(document), &policy, cancel)
    }
}

impl PlainStrategy for Semantic {
    const NAME: &'static str = "semantic";

    fn sizing(&self) -> &Sizing {
        &self.sizing
    }

    fn settings(&self) -> Vec<(&str, String)> {
        vec![
            ("similarity_threshold", self.threshold.to_string()),
            ("min_chunk_size", self.least.to_string()),
            ("embedder", self.embedder.clone()),
        ]
    }

    fn policy(&self) -> Policy<'_> {
        Policy { units: Units::Sentences, least: self.least as usize, ..self.sizing.policy() }
    }

    fn pack(&self, text: &str, prepared: &Prepared, cancel: &AtomicBool) -> Result<Chunks, ChunkError> {
        let mut falls = Vec::new();
        for block in &prepared.document.blocks {
            if cancel.load(Ordering::Relaxed) {
                return Err(ChunkError::Cancelled);
            }
            similarity::falls(text, &sentence_spans(text, block.span), self.threshold, cancel, &mut falls);
        }
        self.cut(text, prepared, falls, cancel)
    }
}
