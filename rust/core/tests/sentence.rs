//! Properties of sentence ends, and time that grows linearly, over hostile and random texts.

use std::time::{Duration, Instant};

use chunkwright_core::sentence::{LineEnds, ends};

const MODES: [LineEnds; 2] = [LineEnds::Break, LineEnds::Soft];

fn found(text: &str, lines: LineEnds) -> Vec<u32> {
    let mut found = Vec::new();
    ends(text, lines, &mut found);
    found
}

/// What no sentence begins with, unless its line does.
fn closes(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next();
    let second = chars.next();
    let Some(c) = first else { return false };
    if ")]}）】」』》〉〕”’»，、。：；！？,;".contains(c) {
        return true;
    }
    ".:!?".contains(c) && !second.is_some_and(|c| c.is_ascii_alphanumeric() || c == '[') && !text.starts_with(". .")
}

fn check(text: &str) {
    for lines in MODES {
        let found = found(text, lines);
        assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "increasing: {text:?} {found:?}");
        assert!(found.iter().all(|&end| text.is_char_boundary(end as usize)), "boundaries: {text:?} {found:?}");
        assert_eq!(found.last().map_or(0, |&end| end as usize), text.len(), "whole: {text:?} {found:?}");
        assert!(found.first() != Some(&0), "not empty: {text:?}");
        for &end in &found {
            let (before, behind) = text.split_at(end as usize);
            assert!(!(before.ends_with('\r') && behind.starts_with('\n')), "pair of line ends: {text:?} {end}");
            let line = before.trim_end_matches([' ', '\t']);
            if !line.ends_with(['\n', '\r']) {
                assert!(!closes(behind), "begins with closing punctuation: {text:?} {end}");
            }
        }
        if lines == LineEnds::Break {
            let mut start = 0;
            for &end in &found {
                let sentence = text[start..end as usize].trim();
                assert!(!sentence.contains(['\n', '\r']), "line end inside: {text:?} {sentence:?}");
                start = end as usize;
            }
        }
    }
}

/// A small generator of numbers (xorshift), the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % 1_000_003).unwrap_or(0) % sides
    }
}

const PIECES: [&str; 97] = [
    "word", "The", "it", "I", "a", "Smith", "Dr", "e.g", "/a.m", "U.S", "a.m", "no", "Co", "v1.2", "3.14", "1", "2",
    "Yahoo", "npm", "中文", "这是", "的", "です", "の", "家", "é", "\u{301}", "\u{FE0F}", "😀", "\u{200D}", "한국",
    ".", ".", ".", "!", "?", ";", ":", ",", "。", "。", "！", "？", "；", "，", "…", "．", "...", ". . .", ". . . .",
    "(", ")", "[", "]", "（", "）", "《", "》", "「", "」", "“", "”", "‘", "’", "\"", "\"", "'", "`", "```", "*", "**",
    "_", "[^1]", " ", " ", " ", " ", "  ", "\n", "\n", "\r\n", "\r", "\n\n", "\t", "\u{3000}", "\u{A0}", "\u{2028}",
    "\u{FEFF}", "# ", "- ", "> ", "1. ", "2) ", "•", "①", "|", "—",
];

#[test]
fn properties_hold_for_random_texts() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    for _ in 0..40_000 {
        let text: String = (0..=dice.roll(24)).map(|_| PIECES[dice.roll(PIECES.len())]).collect();
        check(&text);
    }
}

#[test]
fn properties_hold_for_every_short_text() {
    let pieces = ["a", "A", "。", ".", "!", "\"", "”", ")", "(", " ", "\n", "\r", "1", "*", "\u{301}", "、"];
    let n = pieces.len();
    for i in 0..n.pow(4) {
        let text: String = [i % n, i / n % n, i / n / n % n, i / n / n / n].iter().map(|&k| pieces[k]).collect();
        check(&text);
    }
}

#[test]
fn a_sentence_may_end_within_a_word() {
    check("]:É*《\n \n。``！/a.m.   I!\"etc!\t");
    check("。)/a.m. I 。)Dr. I 。)x. I 。)1. I 。)Step 1. I");
}

#[test]
fn equal_texts_give_equal_ends() {
    let text = "One. Two！三。“四。”五\n六. Dr. X".repeat(50);
    for lines in MODES {
        assert_eq!(found(&text, lines), found(&text, lines));
    }
}

/// The time that it takes.
fn time(text: &str, lines: LineEnds, ends_found: &mut Vec<u32>) -> Duration {
    ends_found.clear();
    let start = Instant::now();
    ends(text, lines, ends_found);
    start.elapsed()
}

/// Whether twice the text takes at most 2.5 times the time. The least of several runs counts, for other work on the
/// machine only adds to it; where both are short, the ratio says nothing.
fn is_linear(head: &str, unit: &str, lines: LineEnds, buffer: &mut Vec<u32>) -> bool {
    let size = if cfg!(debug_assertions) { 1 << 17 } else { 1 << 20 };
    let text = |size: usize| format!("{head}{}", unit.repeat(size / unit.len()));
    let (once, twice) = (text(size), text(2 * size));
    let (mut short, mut long) = (Duration::MAX, Duration::MAX);
    (0..12).any(|_| {
        long = long.min(time(&twice, lines, buffer));
        if long < Duration::from_millis(30) {
            return true;
        }
        short = short.min(time(&once, lines, buffer));
        long < short.mul_f64(2.5)
    })
}

#[test]
fn time_grows_linearly() {
    let units = [
        "x",
        " ",
        "\n",
        "\r\n",
        ".",
        ". ",
        ". . ",
        "!",
        "。",
        "…",
        ")",
        "(",
        "()",
        "[1]",
        ".[^1",
        "\"",
        "a\"",
        "“",
        ".'",
        "`",
        "*",
        "* ",
        ".*",
        ".**a",
        "（",
        "(。)",
        "a.",
        "A. ",
        "1. ",
        "1) ",
        "a\n",
        "a.\n",
        "> ",
        "> \n",
        "# ",
        "- \n",
        "•",
        "• ",
        "\u{3000}",
        ".\u{3000}",
        ".\n \n",
        "の\n",
        "です\n",
        ". (((",
        "\"a. ",
        ".\"",
        ". -",
        "&a;",
        "； ",
        "\u{301}",
        "|\n",
        "1.\n",
        "x.x",
        "Dr. ",
        "U.S. ",
        "?a ",
    ];
    let mut buffer = Vec::with_capacity(4 << 20);
    for unit in units {
        for lines in MODES {
            assert!(is_linear("", unit, lines, &mut buffer), "{unit:?} {lines:?}");
        }
    }
    for head in ["1. a ", "1) a ", "• ", "> ", "(", "\""] {
        for unit in ["x", "2. ", "3) ", "•", ")", ".\n", "> "] {
            assert!(is_linear(head, unit, LineEnds::Soft, &mut buffer), "{head:?} {unit:?}");
        }
    }
}
