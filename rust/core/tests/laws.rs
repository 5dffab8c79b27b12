//! The laws on generated documents. The same cases on each run; `CHUNKWRIGHT_LONG=1` runs a hundred times as many, other ones each time.

mod common;

use common::{choices, laws, markdown, strategies};
use proptest::prelude::*;
use proptest::test_runner::{FileFailurePersistence, RngSeed};

fn config(cases: u32) -> ProptestConfig {
    let long = std::env::var_os("CHUNKWRIGHT_LONG").is_some();
    ProptestConfig {
        cases: if long { cases * 100 } else { cases },
        rng_seed: if long { RngSeed::Random } else { RngSeed::Fixed(1) },
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(100))]

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
    fn of_all_strategies(text in markdown::document(), bytes in any::<[u8; strategies::SETTINGS_BYTES]>()) {
        strategies::laws(&text, &*strategies::strategy(&bytes), strategies::budget(&bytes));
    }

    #[test]
    fn of_all_strategies_on_any_characters(
        text in "[a .,;:!?。，；：！？、“”（）\n\r\t\x0c\x1c`$@/<>\\[\\]()一二三第章条】【：QA0-9.、#*-]*|\\PC*",
        bytes in any::<[u8; strategies::SETTINGS_BYTES]>(),
    ) {
        strategies::laws(&text, &*strategies::strategy(&bytes), strategies::budget(&bytes));
    }

    #[test]
    fn of_any_characters(text in "\\PC*|[ \n\r\t>#*`~$|<!-]*", settings in any::<[u8; choices::SETTINGS_BYTES]>()) {
        laws::markdown(&text, &choices::settings(&settings));
    }
}

/// Inputs that broke a law once: settings, text.
#[test]
fn of_old_findings() {
    let table: &[([u8; choices::SETTINGS_BYTES], &str)] = &[
        // A table behind white space that is neither blank nor tab.
        ([105, 221, 116, 115, 10], "\x0b|s\n|-"),
        // A page marker in a quote is in no chunk.
        ([0, 0, 0, 0, 0], "> <!-- page: 12 -->\r\n"),
        // White space that Markdown takes for text, as the last thing in a container, and as code.
        ([48, 0, 0, 22, 0], "- - The pump starts. \r\n    \r\n  -   ```\r\n    \u{3000}"),
        ([48, 0, 0, 51, 0], "*         indented = 1\r\n          indented = 1\r\n  \u{3000}"),
        ([0, 0, 0, 0, 0], "- - The pump starts. \r<!-- note --> \r\n    \u{3000}"),
        // A fence whose line begins behind a form feed.
        ([48, 0, 0, 87, 0], "# Q: what {#id}\x0c>- ```\r\n>  \r\n"),
        // The last line of code costs more in front of the source's closing line than in front of another one.
        (
            [116, 0, 0, 105, 0],
            "> The pump starts. \n> \n> ~~~py\r\n> The pump starts. \r\n> ....https://example.org/a/b?c=d&e=f#g ~~~ 水泵启动。&amp; ....&amp; \r\n> ~~~\n",
        ),
        // Code whose opening and closing fence are on one line of the source, form feeds between.
        (
            [0, 0, 0, 0, 0],
            "~~~\x0cone two three four five six seven eight nine ten eleven twelve thirteen fourteen\x0c~~~\nx",
        ),
        // A fence that is too long to be closed.
        (
            [0, 0, 0, 0, 0],
            concat!("````````````````````````````````````````````````````````````````````````````````", "\nx y z\n"),
        ),
        // Code without content lines whose fence has to be left out.
        ([0, 0, 0, 2, 0], ">12. ````\r\n>    ```[a link](http://example.com/a_b \"title\") \r\n>    ````\n"),
    ];
    for (settings, text) in table {
        laws::markdown(text, &choices::settings(settings));
    }
    // Ready blocks: a heading that is not on the path given to what follows it; a nested fence left open.
    for (settings, text) in
        [([0; 5], "\u{c}-   ```\u{1f}  ```\n"), ([2, 0, 0, 22, 0], "> > ```请检查轴承，然后记录：结果；\r\r\n")]
    {
        laws::ready_made(&choices::ready_blocks(text), &choices::settings(&settings));
    }
}
