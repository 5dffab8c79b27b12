//! What can go wrong.

use std::fmt;

/// A setting with a value that makes no sense. The message names the setting, the value and the allowed range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingError {
    /// Name of the setting.
    pub setting: &'static str,
    /// The value as given.
    pub value: String,
    /// What is allowed, in words.
    pub allowed: String,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {} is not allowed: it must be {}", self.setting, self.value, self.allowed)
    }
}

impl std::error::Error for SettingError {}

/// Why a run ended without a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChunkError {
    /// Somebody asked for it to stop.
    Cancelled,
    /// A chunk came out over the budget: a bug of this crate, never passed on silently.
    OverBudget {
        /// Where the chunk begins.
        start: u32,
        /// Its size.
        tokens: usize,
        /// What it may have.
        budget: usize,
    },
    /// The text is too long for 32-bit positions.
    TooLong,
}

impl fmt::Display for ChunkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cancelled => write!(f, "chunking was cancelled"),
            Self::OverBudget { start, tokens, budget } => write!(
                f,
                "the chunk at byte {start} has {tokens} tokens, over the budget of {budget}: this is a bug in chunkwright, please report the document"
            ),
            Self::TooLong => write!(f, "the document has 4 GiB or more: cut it into several documents"),
        }
    }
}

impl std::error::Error for ChunkError {}
