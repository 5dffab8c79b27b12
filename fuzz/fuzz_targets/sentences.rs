//! Sentence ends increase, are character boundaries, and the last one is the end of the text.
#![no_main]

use chunkwright_core::sentence::{LineEnds, ends};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for lines in [LineEnds::Break, LineEnds::Soft] {
        let mut found = vec![7];
        ends(text, lines, &mut found);
        assert_eq!(found[0], 7, "what was there before stays");
        let found = &found[1..];
        assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{found:?}");
        assert!(found.iter().all(|end| *end > 0 && text.is_char_boundary(*end as usize)), "{found:?}");
        assert_eq!(found.last().map_or(0, |end| *end as usize), text.len());
    }
});
