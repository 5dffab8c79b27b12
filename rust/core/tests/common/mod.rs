//! What the tests of laws and growth share; `fuzz/` takes single files of it by path.
#![allow(
    dead_code,
    clippy::expect_used,
    clippy::panic,
    clippy::format_collect,
    reason = "asserts are what these files are for"
)]

pub(crate) mod choices;
pub(crate) mod laws;
pub(crate) mod markdown;
pub(crate) mod strategies;
