//! Writes the vocabularies and the Unicode class table that `tokens` embeds.
#![allow(clippy::expect_used, clippy::panic, reason = "a build that cannot go on has to stop")]

use std::path::PathBuf;
use std::{env, fs};

#[path = "build/classes.rs"]
mod classes;
#[path = "build/vocabulary.rs"]
mod vocabulary;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("classes.rs"), classes::source()).expect("OUT_DIR is writable");
    let vocabularies = [
        ("cl100k", tiktoken_rs::cl100k_base_singleton()),
        ("o200k", tiktoken_rs::o200k_base_singleton()),
        ("p50k", tiktoken_rs::p50k_base_singleton()),
    ];
    for (name, oracle) in vocabularies {
        fs::write(out.join(format!("{name}.vocabulary")), vocabulary::blob(oracle)).expect("OUT_DIR is writable");
    }
}
