//! Ready-made blocks -> chunks keeps all laws. The first bytes are the settings, the rest is the blocks, unit separators between them.
#![no_main]

#[path = "../../rust/core/tests/common/choices.rs"]
mod choices;
#[path = "../../rust/core/tests/common/laws.rs"]
mod laws;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (settings, text) = data.split_at(data.len().min(choices::SETTINGS_BYTES));
    let blocks = choices::ready_blocks(&String::from_utf8_lossy(text));
    laws::ready_made(&blocks, &choices::settings(settings));
});
