//! What a strategy decides; the engine does the rest.

use std::sync::Arc;

use super::separator::Separators;
use crate::settings::{HeadingTemplate, Settings};

/// How the blocks of a section become nodes, and how those are cut.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Units {
    /// Along the tree of Markdown parts; tables, code and images are sections of their own.
    #[default]
    Markdown,
    /// Blocks, their lines, sentences, clauses. Code and tables keep their fences and headers.
    Lines,
    /// The sentences of plain text, their clauses.
    Sentences,
    /// The paragraphs of plain text, their lines, sentences, clauses.
    Paragraphs,
    /// Pieces of plain text between separators, tried in order.
    Separators(Arc<Separators>),
    /// No units: windows that slide over plain text.
    Slide,
}

/// Where windows are cut, and where their overlap begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WindowRule {
    /// Best behind clauses, then between words.
    #[default]
    Clauses,
    /// Between any two grapheme clusters.
    Clusters,
}

/// What a strategy decides.
#[derive(Clone, Debug, Default)]
pub struct Policy<'a> {
    /// Budget of a chunk.
    pub budget: usize,
    /// Soft size; the budget where there is none.
    pub target: usize,
    /// Most overlap between chunks of prose.
    pub overlap: usize,
    /// Prefix, if any.
    pub template: Option<&'a HeadingTemplate>,
    /// What stands between headings in the prefix.
    pub separator: &'a str,
    /// What is placed, and how it is cut.
    pub units: Units,
    /// How a unit without children is cut.
    pub windows: WindowRule,
    /// Whether a unit that is over the budget stays whole.
    pub soft: bool,
    /// How many sentences or paragraphs a chunk may hold; none: any number.
    pub most_units: Option<usize>,
    /// Starts of units in front of which a chunk ends that is large enough, in order.
    pub falls: Vec<u32>,
    /// Whether a block of running text is one unit that stays whole while it fits, by index; none is where this is short.
    pub wholes: Vec<bool>,
    /// What is large enough: for an end at a fall, and for a chunk not to be joined to the one before it.
    pub least: usize,
}

impl Policy<'_> {
    /// Whether units are cut along plain text, which no parser has seen.
    pub(super) fn is_plain(&self) -> bool {
        !matches!(self.units, Units::Markdown | Units::Lines)
    }
}

impl<'a> From<&'a Settings> for Policy<'a> {
    fn from(settings: &'a Settings) -> Self {
        let budget = settings.max_tokens as usize;
        Self {
            budget,
            target: settings.target_tokens.map_or(budget, |target| target as usize),
            overlap: settings.overlap_tokens as usize,
            template: settings.heading_template.as_ref(),
            separator: &settings.path_separator,
            ..Self::default()
        }
    }
}
