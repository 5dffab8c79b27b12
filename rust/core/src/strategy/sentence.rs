//! Whole sentences, up to a size and a number.

use super::Sizing;
use super::plain_text::PlainStrategy;
use super::sizing::at_least_one;
use crate::engine::{Policy, Units};
use crate::error::SettingError;

/// The sentence strategy.
pub struct Sentence {
    sizing: Sizing,
    most: u32,
}

impl Sentence {
    /// # Errors
    /// If a chunk may hold no sentence at all.
    pub fn new(sizing: Sizing, max_sentences_per_chunk: u32) -> Result<Self, SettingError> {
        let most = at_least_one("max_sentences_per_chunk", max_sentences_per_chunk)?;
        Ok(Self { sizing, most })
    }
}

impl PlainStrategy for Sentence {
    const NAME: &'static str = "sentence";

    fn sizing(&self) -> &Sizing {
        &self.sizing
    }

    fn settings(&self) -> Vec<(&str, String)> {
        vec![("max_sentences_per_chunk", self.most.to_string())]
    }

    fn policy(&self) -> Policy<'_> {
        Policy {
            units: Units::Sentences,
            soft: self.sizing.is_soft(),
            most_units: Some(self.most as usize),
            ..self.sizing.policy()
        }
    }
}
