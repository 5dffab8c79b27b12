//! What sizes are counted in, and how large chunks may be.

use std::sync::atomic::AtomicBool;

use crate::block::Document;
use crate::chunk::{Chunks, SizeUnit};
use crate::engine::{CharIndex, FunctionMeasure, LengthFunction, Policy, pack};
use crate::error::{ChunkError, SettingError};
use crate::section::Section;
use crate::tokens::Tokenizer;

/// A character takes at most so many tokens, so that any text can be cut to this budget.
const LEAST_TOKENS: u32 = 4;

/// What sizes are counted in.
#[derive(Clone)]
pub enum Unit {
    /// Code points; a tokenizer counts the finished chunks, if there is one.
    Chars(Option<Tokenizer>),
    /// Tokens.
    Tokens(Tokenizer),
    /// What a user's function says, under a name that stands for it in fingerprints.
    Function(LengthFunction, String),
}

/// How large chunks may be.
#[derive(Clone)]
pub struct Sizing {
    /// What is counted.
    pub unit: Unit,
    /// Budget of a chunk.
    pub budget: u32,
    /// Most overlap.
    pub overlap: u32,
}

impl Sizing {
    /// Checks the numbers; `size` and `overlap` are the names that the user knows them by.
    ///
    /// # Errors
    /// Names the setting that is out of its range.
    pub fn check(self, size: &'static str, overlap: &'static str) -> Result<Self, SettingError> {
        let is_tokens = matches!(self.unit, Unit::Tokens(_));
        let least = if is_tokens { LEAST_TOKENS } else { 1 };
        if self.budget < least {
            let reason = if is_tokens { " (a character may take four tokens)" } else { "" };
            let allowed = format!("at least {least}{reason}");
            return Err(SettingError { setting: size, value: self.budget.to_string(), allowed });
        }
        if self.overlap >= self.budget {
            let allowed = format!("from 0 to {} (less than {size} = {})", self.budget - 1, self.budget);
            return Err(SettingError { setting: overlap, value: self.overlap.to_string(), allowed });
        }
        Ok(self)
    }

    pub(super) fn size_unit(&self) -> SizeUnit {
        match self.unit {
            Unit::Chars(_) => SizeUnit::Chars,
            Unit::Tokens(_) => SizeUnit::Tokens,
            Unit::Function(..) => SizeUnit::Other,
        }
    }

    pub(super) fn counter(&self) -> Option<&Tokenizer> {
        match &self.unit {
            Unit::Chars(tokenizer) => tokenizer.as_ref(),
            Unit::Tokens(_) | Unit::Function(..) => None,
        }
    }

    /// Whether a unit that should stay whole may be larger than the budget.
    pub(super) fn is_soft(&self) -> bool {
        !matches!(self.unit, Unit::Tokens(_))
    }

    /// A policy with these sizes, and the engine's defaults else.
    pub(super) fn policy(&self) -> Policy<'_> {
        let budget = self.budget as usize;
        Policy { budget, target: budget, overlap: self.overlap as usize, ..Policy::default() }
    }

    /// Digest of a strategy with these sizes and settings of its own.
    pub(super) fn fingerprint(&self, name: &str, version: &str, settings: &[(&str, &str)]) -> String {
        let (unit, counter) = match &self.unit {
            Unit::Chars(None) => ("chars", ""),
            Unit::Chars(Some(tokenizer)) => ("chars", tokenizer.digest()),
            Unit::Tokens(tokenizer) => ("tokens", tokenizer.digest()),
            Unit::Function(_, function) => ("function", function.as_str()),
        };
        let (budget, overlap) = (self.budget.to_string(), self.overlap.to_string());
        let common = [
            ("strategy", name),
            ("version", version),
            ("unit", unit),
            ("counter", counter),
            ("size", &budget),
            ("overlap", &overlap),
        ];
        crate::ident::fingerprint(&[&common, settings].concat())
    }

    /// Runs the engine with a measure of this unit.
    pub(super) fn pack(
        &self,
        text: &str,
        document: &Document,
        sections: &[Section],
        policy: &Policy<'_>,
        cancel: &AtomicBool,
    ) -> Result<Chunks, ChunkError> {
        match &self.unit {
            Unit::Chars(_) => pack(text, document, sections, policy, &CharIndex::new(text), cancel),
            Unit::Tokens(tokenizer) => {
                let index = tokenizer.index_cancellable(text, cancel).ok_or(ChunkError::Cancelled)?;
                pack(text, document, sections, policy, &index, cancel)
            }
            Unit::Function(function, _) => {
                pack(text, document, sections, policy, &FunctionMeasure::new(text, function), cancel)
            }
        }
    }
}

/// # Errors
/// If a limit is 0.
pub(super) fn at_least_one(setting: &'static str, value: u32) -> Result<u32, SettingError> {
    if value == 0 {
        return Err(SettingError { setting, value: "0".into(), allowed: "at least 1".into() });
    }
    Ok(value)
}
