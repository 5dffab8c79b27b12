//! Pieces between separators, tried from the first to the last, merged up to a size.

use std::sync::Arc;

use super::Sizing;
use super::plain_text::PlainStrategy;
use crate::engine::{Policy, Separators, Units, WindowRule};

/// The recursive strategy.
pub struct Recursive {
    sizing: Sizing,
    separators: Arc<Separators>,
}

impl Recursive {
    /// Separators that text is cut at by default: Chinese ones too.
    pub const SEPARATORS: [&'static str; 10] = ["\n\n", "\n", "。", "！", "？", "；", "，", ". ", " ", ""];

    /// Separators none: the default ones.
    #[must_use]
    pub fn new(sizing: Sizing, separators: Option<&[String]>) -> Self {
        let separators: Separators = match separators {
            Some(given) => given.iter().map(String::as_str).collect(),
            None => Self::SEPARATORS.into_iter().collect(),
        };
        Self { sizing, separators: Arc::new(separators) }
    }
}

impl PlainStrategy for Recursive {
    const NAME: &'static str = "recursive";

    fn sizing(&self) -> &Sizing {
        &self.sizing
    }

    fn settings(&self) -> Vec<(&str, String)> {
        self.separators.as_slice().iter().map(|separator| ("separator", separator.as_str().to_string())).collect()
    }

    fn policy(&self) -> Policy<'_> {
        let units = Units::Separators(Arc::clone(&self.separators));
        Policy { units, windows: WindowRule::Clusters, ..self.sizing.policy() }
    }
}
