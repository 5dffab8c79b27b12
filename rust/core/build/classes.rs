//! The class of every code point, as a two-stage table.

use std::collections::HashMap;
use std::fmt::Write;

use regex_syntax::hir::{Class, HirKind};

/// Later rows win. The numbers are the constants of `tokens::classes`.
const CLASSES: [(&str, u8); 7] = [
    (r"[\p{Lu}\p{Lt}]", 1),
    (r"\p{Ll}", 2),
    (r"[\p{Lm}\p{Lo}]", 3),
    (r"\p{M}", 4),
    (r"\p{N}", 5),
    (r"\s", 6),
    (r"[\r\n]", 7),
];
const BLOCK: usize = 64;
const CODE_POINTS: usize = 0x11_0000;

/// Rust source of `STAGES` (block number by code point / 64) and `BLOCKS` (class by block and code point % 64).
pub(crate) fn source() -> String {
    let mut class = vec![0u8; CODE_POINTS];
    for (pattern, number) in CLASSES {
        for (first, last) in ranges(pattern) {
            class[first as usize..=last as usize].fill(number);
        }
    }
    let mut numbers = HashMap::new();
    let mut stages = Vec::new();
    let mut blocks: Vec<u8> = Vec::new();
    for block in class.chunks(BLOCK) {
        let next = numbers.len();
        let number = *numbers.entry(block).or_insert(next);
        if number == next {
            blocks.extend_from_slice(block);
        }
        stages.push(number);
    }
    let mut source = String::new();
    let _ = writeln!(source, "static STAGES: [u16; {}] = {stages:?};", stages.len());
    let _ = writeln!(source, "static BLOCKS: [u8; {}] = {blocks:?};", blocks.len());
    source
}

fn ranges(pattern: &str) -> Vec<(char, char)> {
    let hir = regex_syntax::parse(pattern).expect("the pattern is valid");
    match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => class.ranges().iter().map(|r| (r.start(), r.end())).collect(),
        HirKind::Class(Class::Bytes(class)) => {
            class.ranges().iter().map(|r| (r.start() as char, r.end() as char)).collect()
        }
        _ => Vec::new(),
    }
}
