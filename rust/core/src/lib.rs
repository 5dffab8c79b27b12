//! Structure-aware chunking: text -> blocks -> sections -> segments -> chunks.
//!
//! Each arrow is one module, and a later one never reaches back or parses again:
//!
//! - [`lex`]: Markdown text -> [`block::Document`] (blocks, nested parts, heading paths, places)
//! - [`section`]: blocks -> runs of blocks that may share a chunk
//! - [`engine`]: sections -> [`chunk::Chunks`] (columns of segments), sized by [`tokens`]
//!
//! The crate does no I/O and knows no Python. `docs/design.md` states every rule the modules follow.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod block;
pub mod chunk;
pub mod engine;
pub mod error;
pub mod ident;
pub mod lex;
pub mod pipe_row;
pub mod plain;
pub mod position;
pub mod section;
pub mod sentence;
pub mod settings;
mod simd;
pub mod similarity;
pub mod span;
pub mod strategy;
pub mod structured;
pub mod text;
pub mod tokens;
pub mod verify;
