//! Plain text: what stays whole in it, and where its paragraphs end. `docs/strategies.md`, section 2.

pub mod atoms;
pub mod paragraphs;
