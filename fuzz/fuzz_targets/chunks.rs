//! Markdown -> chunks keeps all laws. The first bytes are the settings, the rest is the text.
#![no_main]

#[path = "../../rust/core/tests/common/choices.rs"]
mod choices;
#[path = "../../rust/core/tests/common/laws.rs"]
mod laws;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (settings, text) = data.split_at(data.len().min(choices::SETTINGS_BYTES));
    laws::markdown(&String::from_utf8_lossy(text), &choices::settings(settings));
});
