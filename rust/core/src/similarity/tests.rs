//! The embedder as the page has it, and what the fast way makes of it.
#![allow(clippy::many_single_char_names, reason = "the letters of the page")]
#![allow(clippy::float_cmp, reason = "what the page says is exact")]
#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "small numbers, none negative")]

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::*;
use crate::span::Span;

/// The counts of a text, feature by feature and bucket by bucket, as `docs/strategies.md` has them.
mod page {
    use std::collections::BTreeMap;

    use crate::text::is_cjk;

    fn among(c: char, ranges: &[(u32, u32)]) -> bool {
        ranges.iter().any(|&(from, to)| (from..=to).contains(&(c as u32)))
    }

    fn cjk_letter(c: char) -> bool {
        let marks = [
            (0x3000, 0x3004),
            (0x3008, 0x3030),
            (0x30fb, 0x30fb),
            (0xfe30, 0xfe4f),
            (0xff00, 0xff0f),
            (0xff1a, 0xff20),
            (0xff3b, 0xff40),
            (0xff5b, 0xff65),
            (0xffe0, 0xffef),
        ];
        is_cjk(c) && !among(c, &marks)
    }

    fn letter(c: char) -> bool {
        let others = [
            (0x2000, 0x2bff),
            (0x2e00, 0x2e7f),
            (0xe000, 0xf8ff),
            (0xfe00, 0xfe6f),
            (0xfeff, 0xfeff),
            (0xfff0, 0xffff),
            (0x1f000, 0x1faff),
        ];
        let from = among(c, &[(0xc0, 0xdffff)]) && !c.is_whitespace() && !is_cjk(c);
        c.is_ascii_alphanumeric() || (from && !"×÷،؛؟۔।॥".contains(c) && !among(c, &others))
    }

    fn small(c: char) -> String {
        if c.is_ascii() || among(c, &[(0xc0, 0x58f), (0x1e00, 0x1fff)]) { c.to_lowercase().collect() } else { c.into() }
    }

    /// The features of a text and their weights.
    pub(super) fn features(text: &str) -> Vec<(String, f64)> {
        let c: Vec<char> = text.chars().collect();
        let mut found = Vec::new();
        for (i, &x) in c.iter().enumerate().filter(|&(_, &x)| cjk_letter(x)) {
            found.push((format!("c{x}"), 0.5));
            if let Some(&y) = c.get(i + 1).filter(|&&y| cjk_letter(y)) {
                found.push((format!("c{x}{y}"), 1.0));
            }
        }
        for word in c.split(|&x| !letter(x)).filter(|word| !word.is_empty()) {
            let word: String = word.iter().map(|&x| small(x)).collect();
            found.push((format!("w{word}"), 1.0));
            if word.chars().count() >= 4 {
                let marked: Vec<char> = format!("^{word}$").chars().collect();
                found.extend(marked.windows(3).map(|part| (format!("t{}", part.iter().collect::<String>()), 0.5)));
            }
        }
        found
    }

    pub(super) fn bucket(feature: &str) -> usize {
        let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        (feature.bytes().fold(0xcbf2_9ce4_8422_2325, step) % 4096) as usize
    }

    pub(super) fn counts(text: &str) -> BTreeMap<usize, f64> {
        let mut counts = BTreeMap::new();
        for (feature, weight) in features(text) {
            *counts.entry(bucket(&feature)).or_default() += weight;
        }
        counts
    }

    /// All 4096 terms of the sum of some counts.
    pub(super) fn terms(counts: &[BTreeMap<usize, f64>], of_all: &[BTreeMap<usize, f64>]) -> Vec<u64> {
        (0..4096)
            .map(|b| {
                let m: f64 = counts.iter().filter_map(|counts| counts.get(&b)).sum();
                let df = of_all.iter().filter(|counts| counts.contains_key(&b)).count();
                if m == 0.0 {
                    return 0;
                }
                let idf = (1.0 + of_all.len() as f64 / df as f64).ln();
                let idf = if df == 1 { idf / 2.0 } else { idf };
                (4096.0 * (1.0 + m).ln() * idf + 0.5).floor() as u64
            })
            .collect()
    }

    pub(super) fn product(x: &[u64], y: &[u64]) -> f64 {
        x.iter().zip(y).map(|(x, y)| x * y).sum::<u64>() as f64
    }
}

/// The similarities of the places between texts, by whole vectors of terms.
fn dense(texts: &[&str]) -> Vec<f64> {
    let counts: Vec<BTreeMap<usize, f64>> = texts.iter().map(|text| page::counts(text)).collect();
    (1..texts.len())
        .map(|i| {
            let x = page::terms(&counts[i.saturating_sub(3)..i], &counts);
            let y = page::terms(&counts[i..texts.len().min(i + 3)], &counts);
            let (d, p, q) = (page::product(&x, &y), page::product(&x, &x), page::product(&y, &y));
            match (p, q) {
                (0.0, 0.0) => 1.0,
                (0.0, _) | (_, 0.0) => 0.65_f64.sqrt(),
                _ => 0.65 + 0.35 * (d / (p * q).sqrt()),
            }
        })
        .collect()
}

/// A text of some sentences, and where they stand in it.
fn joined(texts: &[&str]) -> (String, Vec<Span>) {
    let mut whole = String::from("¶ ");
    let spans = texts.iter().map(|text| {
        let start = whole.len();
        whole += text;
        let span = Span::new(start, whole.len());
        whole.push(' ');
        span
    });
    let spans = spans.collect();
    (whole, spans)
}

fn of(texts: &[&str]) -> Vec<f64> {
    let (text, spans) = joined(texts);
    similarities(&text, &spans)
}

#[test]
fn features_are_those_of_the_page() {
    let told = |text: &str| {
        let told: Vec<String> =
            page::features(text).into_iter().map(|(feature, weight)| format!("{feature} {weight}")).collect();
        told.join(", ")
    };
    assert_eq!(told("A cat's Tree"), "wa 1, wcat 1, ws 1, wtree 1, t^tr 0.5, ttre 0.5, tree 0.5, tee$ 0.5");
    assert_eq!(told("水的A。水ÉTÉ×é"), "c水 0.5, c水的 1, c的 0.5, c水 0.5, wa 1, wété 1, wé 1");
    assert_eq!(told("İa×Ⅷ_x２"), "c２ 0.5, wi\u{307}a 1, wx 1");
    // The published test vectors of FNV-1a.
    assert_eq!(page::bucket(""), 0x325);
    assert_eq!(page::bucket("a"), 0xc8c);
    assert_eq!(page::bucket("foobar"), 0x7e8);
}

#[test]
fn similarities_at_the_bounds() {
    let (nothing, one) = (0.65, 0.65_f64.sqrt());
    assert_eq!(of(&[]), []);
    assert_eq!(of(&["a"]), []);
    assert_eq!(of(&["the same words", "The same: WORDS?"]), [1.0]);
    assert_eq!(of(&["水在流", "水在流"]), [1.0]);
    assert_eq!(of(&["ab cd", "ef gh"]), [nothing]);
    assert_eq!(of(&["---", "。！", "ab", "…", "...", "→"]), [one; 5]);
    assert_eq!(of(&["---", "。！", ""]), [1.0; 2]);
    assert_eq!(of(&["ab cd", "水火"]), [nothing]);
}

#[test]
fn falls_are_below_the_threshold() {
    let texts = [
        "The tide comes in twice a day.",
        "The tide goes out as often.",
        "At low tide the pools are full of crabs.",
        "A server needs power.",
        "Without power the server stops.",
        "So each server has two power supplies.",
    ];
    let (text, spans) = joined(&texts);
    let at = |threshold| {
        let mut found = vec![7];
        falls(&text, &spans, threshold, &AtomicBool::new(false), &mut found);
        found.split_off(1)
    };
    let starts: Vec<u32> = spans[1..].iter().map(|span| span.start).collect();
    assert_eq!(at(0.7), [starts[2]]);
    assert_eq!(at(0.65), []);
    assert_eq!(at(1.0), starts);
    assert_eq!(at(f64::NAN), []);
}

#[test]
fn windows_are_up_to_three_sentences() {
    let s: Vec<Span> = (0..5).map(|i| Span::new(i * 10, i * 10 + 9)).collect();
    let pair = |a: (usize, usize), b: (usize, usize)| (Span::new(a.0, a.1), Span::new(b.0, b.1));
    assert_eq!(windows(&s[..0]), []);
    assert_eq!(windows(&s[..1]), []);
    assert_eq!(
        windows(&s),
        [pair((0, 9), (10, 39)), pair((0, 19), (20, 49)), pair((0, 29), (30, 49)), pair((10, 39), (40, 49)),]
    );
}

#[test]
fn cosines() {
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
    near(cosine(&[1.0, 0.0], &[1.0, 1.0]), 0.5_f64.sqrt());
    near(cosine(&[3.0, 4.0], &[-3.0, -4.0]), -1.0);
    near(cosine(&[f32::NAN, 1.0, f32::INFINITY], &[5.0, 2.0, f32::NEG_INFINITY]), 2.0 / 29.0_f64.sqrt());
    near(cosine(&[1.0], &[1.0, 1.0]), 0.5_f64.sqrt());
    assert_eq!(cosine(&[0.1, 0.7, 1e-30], &[0.1, 0.7, 1e-30]), 1.0);
    assert_eq!(cosine(&[f32::MAX; 9], &[f32::MAX; 9]), 1.0);
    assert_eq!(cosine(&[f32::from_bits(1)], &[f32::from_bits(1)]), 1.0);
    assert_eq!(cosine(&[0.0, 1.0], &[1.0, 0.0]), 0.0);
    assert_eq!(cosine(&[0.0], &[1.0]), 0.0);
    assert_eq!(cosine(&[f32::NAN], &[1.0]), 0.0);
    assert_eq!(cosine(&[], &[]), 0.0);
}

#[test]
fn vectors_have_the_similarities_of_the_page() {
    let texts = ["", "ab cd ab", "AB cd ab", "水在流，水", "ab 水", "Something else altogether", "---"];
    let vectors = LexicalEmbedder.embed(&texts);
    assert!(vectors.iter().all(|vector| vector.len() == LexicalEmbedder::DIMENSIONS && vector.len() == 4097));
    let counts: Vec<_> = texts.iter().map(|text| page::counts(text)).collect();
    for (i, a) in vectors.iter().enumerate() {
        let x = page::terms(&counts[i..=i], &counts);
        let scale = (0.35 / page::product(&x, &x)).sqrt();
        let numbers = x.iter().map(|&x| if x == 0 { 0.0 } else { (x as f64 * scale) as f32 });
        assert!(std::iter::once(0.65_f64.sqrt() as f32).chain(numbers).eq(a.iter().copied()));
        for (j, b) in vectors.iter().enumerate() {
            let y = page::terms(&counts[j..=j], &counts);
            let (d, p, q) = (page::product(&x, &y), page::product(&x, &x), page::product(&y, &y));
            let expected = match (p, q) {
                (0.0, 0.0) => 1.0,
                (0.0, _) | (_, 0.0) => 0.65_f64.sqrt(),
                _ => 0.65 + 0.35 * (d / (p * q).sqrt()),
            };
            assert!((cosine(a, b) - expected).abs() < 1e-6, "{} {}", texts[i], texts[j]);
        }
    }
    assert!(LexicalEmbedder.embed(&[]).is_empty());
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as usize % limit
    }
}

const UNITS: &[&str] = &[
    "the",
    "tide",
    "Tides",
    "server",
    "power",
    "a",
    "of",
    "水",
    "火",
    "的",
    "。",
    "，",
    "ー",
    "한국",
    "ＡＢ",
    "é",
    "ÉCOLE",
    "Ünlü",
    "İzmir",
    "ΣΑΣ",
    "ǅ",
    "Жук",
    "कखगघ।",
    "ب،",
    "a\u{301}",
    "×",
    "→",
    "🙂",
    "\u{200d}",
    "\u{fe0f}",
    "\u{feff}",
    "_",
    "-",
    "7",
    "2026",
    "\u{1680}",
    "\u{a0}",
    "\u{3000}",
    "\u{10400}",
    "\u{e0101}",
    "\u{1d400}",
    "\u{ffff}",
    "\u{e000}",
    "ﬁ",
    "ⅷ",
    "·",
    "ª",
    "ß",
    "\u{10ffff}",
];

#[test]
fn sliding_windows_say_what_whole_vectors_say() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..if cfg!(debug_assertions) { 20 } else { 200 } {
        let sentences: Vec<String> = (0..random.below(12))
            .map(|_| {
                let join = [" ", ""][random.below(2)];
                let length = [0, 1, 3, 20, 60][random.below(5)];
                (0..length).map(|_| [UNITS[random.below(UNITS.len())], join].concat()).collect()
            })
            .collect();
        let texts: Vec<&str> = sentences.iter().map(String::as_str).collect();
        let found = of(&texts);
        assert_eq!(found, dense(&texts), "{texts:?}");
        assert!(found.iter().all(|similarity| (0.65..=1.0).contains(similarity)));
        seen.extend(found.into_iter().map(f64::to_bits));
    }
    assert!(seen.len() > 50);
}

#[test]
fn each_character_is_what_the_page_says() {
    for c in '\0'..=char::MAX {
        let text = c.to_string();
        let mut counts = BTreeMap::new();
        let features = features::Features::of([text.as_str()]);
        for entry in features.get(0) {
            *counts.entry(entry.bucket()).or_insert(0.0) += entry.halves() as f64 / 2.0;
        }
        assert_eq!(counts, page::counts(&text), "{c:?}");
    }
}

#[test]
fn hostile_texts_take_linear_time() {
    const SIZE: usize = if cfg!(debug_assertions) { 1 << 17 } else { 1 << 20 };
    let each = |length: usize| (0..SIZE / length).map(|i| Span::new(i * length, (i + 1) * length)).collect::<Vec<_>>();
    let spread = (0..SIZE / 7).map(|i| format!("{:06x} ", i * 77_777 % 0xff_ffff)).collect::<Vec<_>>().concat();
    let cases = [
        ("one letter each", "a".repeat(SIZE), each(1)),
        ("nothing in it", "-".repeat(SIZE), each(1)),
        ("one character each", "水".repeat(SIZE / 3), each(3)),
        ("two words", "a".repeat(SIZE), each(SIZE / 2)),
        ("two sentences", "水".repeat(SIZE / 3), each(SIZE / 3 / 2 * 3)),
        ("many words", spread, each(7)),
        (
            "one long, then many",
            "ab ".repeat(SIZE / 3),
            std::iter::once(Span::new(0, SIZE / 6 * 3)).chain(each(3).split_off(SIZE / 6)).collect(),
        ),
        ("all the same", "the same words ".repeat(SIZE / 15), each(15)),
    ];
    let limit = Duration::from_millis(if cfg!(debug_assertions) { 2000 } else { 500 });
    for (name, text, sentences) in cases {
        let time = (0..3).map(|_| {
            let start = Instant::now();
            assert_eq!(similarities(&text, &sentences).len(), sentences.len() - 1);
            start.elapsed()
        });
        let best = time.min().unwrap();
        assert!(best < limit, "{name}: {best:?}");
    }
}
