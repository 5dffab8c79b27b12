//! Settings and ready blocks from a few bytes, so that a fuzzer can choose them.

use chunkwright_core::block::{BlockKind, Place};
use chunkwright_core::lex::ready::ReadyBlock;
use chunkwright_core::settings::{HeadingTemplate, MIN_TOKENS, Settings};
use chunkwright_core::tokens::Tokenizer;

/// How many bytes [`settings`] looks at.
pub(crate) const SETTINGS_BYTES: usize = 5;

const TOKENIZERS: [&str; 4] = ["cl100k_base", "o200k_base", "p50k_base", "r50k_base"];

/// Settings from bytes: size, overlap, target, tokenizer and template, prefix details. Missing bytes are 0.
pub(crate) fn settings(bytes: &[u8]) -> Settings {
    let byte = |at: usize| u32::from(bytes.get(at).copied().unwrap_or(0));
    // Small budgets find the most.
    let max_tokens = MIN_TOKENS + if byte(0) < 160 { byte(0) % 48 } else { (byte(0) - 160) * 6 };
    let overlap_tokens = byte(1) * max_tokens / 256;
    let target_tokens = (byte(2) >= 128).then(|| 1 + (byte(2) - 128) * max_tokens / 129);
    let tokenizer = Tokenizer::by_name(TOKENIZERS[byte(3) as usize % 4]).expect("a known name");
    let heading_template = match byte(3) / 4 % 4 {
        0 => None,
        1 => Some("{path}"),
        2 => Some("# {path} #"),
        _ => Some("章节：{path}"),
    };
    let heading_template = heading_template.map(|line| HeadingTemplate::parse(line).expect("a good template"));
    let path_separator = [" > ", "", "/", "🚀"][byte(4) as usize % 4].into();
    let settings = Settings { max_tokens, overlap_tokens, target_tokens, tokenizer, heading_template, path_separator };
    settings.check().expect("settings in range")
}

/// Ready blocks from a text: one a stretch between unit separators (U+001F), kind and extras by the first character.
#[allow(dead_code, reason = "not every user of this file has ready blocks")]
pub(crate) fn ready_blocks(text: &str) -> Vec<ReadyBlock> {
    text.split('\u{1f}').map(ready_block).collect()
}

fn ready_block(words: &str) -> ReadyBlock {
    let choice = words.chars().next().map_or(0, u32::from);
    let kind = BlockKind::ALL[choice as usize % BlockKind::ALL.len()].0;
    let page = (choice & 1 == 0).then_some(1 + choice / 16 % 3);
    let path = || (0..choice / 8 % 3).map(|depth| format!("H{depth}")).collect();
    ReadyBlock {
        kind,
        text: words.into(),
        level: (choice & 2 == 0).then_some((choice % 7) as u8),
        heading_path: (choice & 4 == 0).then(path),
        place: Place { page, sheet: (choice & 8 == 0).then(|| "S".into()), ..Place::default() },
        bbox: None,
        description: (choice & 3 == 3).then(|| "What it shows: ".repeat(1 + choice as usize % 40)),
        language: (choice & 5 == 5).then(|| "c++".into()),
    }
}
