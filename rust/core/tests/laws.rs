//! The laws on generated documents. `CHUNKWRIGHT_LONG=1` runs a hundred times as many cases.

mod common;

use common::{choices, laws, markdown};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

fn config(cases: u32) -> ProptestConfig {
    let factor = if std::env::var_os("CHUNKWRIGHT_LONG").is_some() { 100 } else { 1 };
    ProptestConfig {
        cases: cases * factor,
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn of_markdown(text in markdown::document(), settings in any::<[u8; choices::SETTINGS_BYTES]>()) {
        laws::markdown(&text, &choices::settings(&settings));
    }

    #[test]
    fn of_ready_blocks(text in markdown::document(), settings in any::<[u8; choices::SETTINGS_BYTES]>()) {
        let blocks = choices::ready_blocks(&text.replace("\n\n", "\u{1f}"));
        laws::ready_made(&blocks, &choices::settings(&settings));
    }

    #[test]
    fn of_any_characters(text in "\\PC*|[ \n\r\t>#*`~$|<!-]*", settings in any::<[u8; choices::SETTINGS_BYTES]>()) {
        laws::markdown(&text, &choices::settings(&settings));
    }
}
