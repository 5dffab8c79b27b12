//! Text -> chunks of any strategy keeps the laws that all share. The first bytes are the settings, the rest is the text.
#![no_main]

#[path = "../../rust/core/tests/common/strategies.rs"]
mod strategies;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (settings, text) = data.split_at(data.len().min(strategies::SETTINGS_BYTES));
    let text = String::from_utf8_lossy(text);
    strategies::laws(&text, &*strategies::strategy(settings), strategies::budget(settings));
});
