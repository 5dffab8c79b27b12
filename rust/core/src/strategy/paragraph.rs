//! Whole paragraphs, up to a size and a number.

use super::Sizing;
use super::plain_text::PlainStrategy;
use super::sizing::at_least_one;
use crate::engine::{Policy, Units};
use crate::error::SettingError;

/// The paragraph strategy.
pub struct Paragraph {
    sizing: Sizing,
    most: u32,
}

impl Paragraph {
    /// # Errors
    /// If a chunk may hold no paragraph at all.
    pub fn new(sizing: Sizing, max_paragraphs_per_chunk: u32) -> Result<Self, SettingError> {
        let most = at_least_one("max_paragraphs_per_chunk", max_paragraphs_per_chunk)?;
        Ok(Self { sizing, most })
    }
}

impl PlainStrategy for Paragraph {
    const NAME: &'static str = "paragraph";

    fn sizing(&self) -> &Sizing {
        &self.sizing
    }

    fn settings(&self) -> Vec<(&str, String)> {
        vec![("max_paragraphs_per_chunk", self.most.to_string())]
    }

    fn policy(&self) -> Policy<'_> {
        Policy {
            units: Units::Paragraphs,
            soft: self.sizing.is_soft(),
            most_units: Some(self.most as usize),
            ..self.sizing.policy()
        }
    }
}
