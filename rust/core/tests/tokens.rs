//! Counts against tiktoken-rs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "tokens_oracle/mod.rs"]
mod oracle;

use std::time::Instant;

use chunkwright_core::span::Span;
use chunkwright_core::tokens::{Piece, TokenIndex, Tokenizer};
use oracle::{Random, corpora, long, oracle, random_text};

const FAMILIES: [&str; 4] = ["cl100k_base", "o200k_base", "p50k_base", "r50k_base"];

fn volume(short: usize) -> usize {
    if long() { short * 50 } else { short }
}

#[test]
fn names_are_known() {
    for name in Tokenizer::NAMES {
        let tokenizer = Tokenizer::by_name(name).unwrap();
        assert_eq!(tokenizer.name(), *name);
        assert_eq!(tokenizer.digest().len(), 64);
        let text = "Hello, wörld! <|endoftext|> 12345\n\n  don't";
        assert_eq!(tokenizer.count(text), oracle(name).encode_ordinary(text).len(), "{name}");
    }
    assert!(Tokenizer::by_name("nope").is_none());
}

#[test]
fn documents() {
    for (n, document) in corpora(if long() { usize::MAX } else { 400_000 }).into_iter().enumerate() {
        for name in FAMILIES {
            let tokenizer = Tokenizer::by_name(name).unwrap();
            let expected = oracle(name).encode_ordinary(&document).len();
            assert_eq!(tokenizer.count(&document), expected, "{name} document {n}");
            assert_eq!(tokenizer.index(&document).total(), expected, "{name} document {n}");
        }
    }
}

#[test]
fn random_texts() {
    let mut random = Random(1);
    for round in 0..volume(4_000) {
        let size = 1 + random.below(60);
        let text = random_text(&mut random, size);
        for name in FAMILIES {
            let expected = oracle(name).encode_ordinary(&text).len();
            assert_eq!(Tokenizer::by_name(name).unwrap().count(&text), expected, "{name} round {round} {text:?}");
        }
    }
}

#[test]
fn spans_of_random_texts() {
    let mut random = Random(2);
    for _ in 0..volume(400) {
        let size = 1 + random.below(120);
        let text = random_text(&mut random, size);
        for name in FAMILIES {
            check_index(&Tokenizer::by_name(name).unwrap().index(&text), name, &mut random, 12);
        }
    }
}

#[test]
fn spans_of_documents() {
    let mut random = Random(3);
    for document in corpora(if long() { 30_000_000 } else { 150_000 }) {
        for name in FAMILIES {
            let rounds = if long() { 40 } else { 20 };
            check_index(&Tokenizer::by_name(name).unwrap().index(&document), name, &mut random, rounds);
        }
    }
}

fn check_index(index: &TokenIndex<'_>, name: &str, random: &mut Random, rounds: usize) {
    let text = index.text();
    let oracle = oracle(name);
    for _ in 0..rounds {
        let span = random.span(text, 600);
        let ids = oracle.encode_ordinary(&text[span.range()]);
        assert_eq!(index.count(span), ids.len(), "{name} {:?}", &text[span.range()]);

        let tokens = random.below(ids.len() + 2);
        let expected = if tokens >= ids.len() {
            span.range().end
        } else {
            let bytes = oracle.decode_bytes(&ids[..tokens]).unwrap().len();
            text.floor_char_boundary(span.range().start + bytes)
        };
        let taken = index.take(span.range().start, span.range().end, tokens);
        assert_eq!(taken, expected, "{name} take {tokens} of {:?}", &text[span.range()]);

        let pieces: Vec<Piece<'_>> = (0..random.below(5)).map(|_| piece(text, random)).collect();
        let joined: String = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Span(span) => &text[span.range()],
                Piece::Text(text) => text,
            })
            .collect();
        let expected = oracle.encode_ordinary(&joined).len();
        assert_eq!(index.count_all(&pieces), expected, "{name} {pieces:?} {joined:?}");
    }
}

fn piece<'a>(text: &'a str, random: &mut Random) -> Piece<'a> {
    const TEXTS: [&str; 16] = [
        "",
        " ",
        "\n",
        "\n\n",
        "# A > B\n\n",
        "```\n",
        "'s",
        "don'",
        "l",
        "12",
        "  \n ",
        "漢",
        "ABC",
        "!",
        "/",
        "\u{301}",
    ];
    if random.below(3) == 0 {
        Piece::Text(TEXTS[random.below(TEXTS.len())])
    } else {
        Piece::Span(random.span(text, 300))
    }
}

#[test]
fn every_code_point() {
    let step = if long() { 1 } else { 7 };
    for name in FAMILIES {
        let tokenizer = Tokenizer::by_name(name).unwrap();
        let oracle = oracle(name);
        let mut text = String::new();
        for (n, c) in ('\0'..=char::MAX).step_by(step).enumerate() {
            for part in ["a", "b 12", " ", "B'", "s \n", "!", "\u{301}A", "漢", "\n"] {
                text.push_str(part);
                text.push(c);
            }
            if n % 64 == 63 {
                assert_eq!(tokenizer.count(&text), oracle.encode_ordinary(&text).len(), "{name} up to {c:?}");
                text.clear();
            }
        }
    }
}

const UNITS: [&str; 24] = [
    "a",
    " ",
    "\n",
    "-",
    "A",
    "é",
    "漢",
    "中国",
    "7",
    "ACGT",
    "=-",
    " \n",
    "\u{301}",
    "🙂",
    "'s",
    "aA",
    "字A",
    "\u{3000}",
    "/\n",
    "\t",
    "ab\u{301}",
    "Привет",
    "aab",
    "\r\n",
];

#[test]
fn runs_without_a_break() {
    for unit in UNITS {
        check_run(&unit.repeat(20_000 / unit.len()), &format!("{unit:?}"), true);
        if long() {
            // The oracle takes minutes for some of these.
            check_run(&unit.repeat(1_000_000 / unit.len()), &format!("{unit:?}"), false);
        }
    }
}

#[test]
fn random_runs_without_a_break() {
    let mut random = Random(4);
    let sizes: &[usize] = if long() { &[20_000, 1_000_000] } else { &[20_000] };
    for letters in [
        "ab",
        "acgt",
        "abcdefghijklmnopqrstuvwxyz",
        "aeiouAEIOU",
        "漢字中国人的",
        "-=*#",
        "ěščřžýáíé",
        "abcdefABCDEF漢字",
    ] {
        let letters: Vec<char> = letters.chars().collect();
        for size in sizes {
            let run: String = (0..size / letters[0].len_utf8()).map(|_| letters[random.below(letters.len())]).collect();
            check_run(&run, &format!("{letters:?}"), *size < 100_000);
        }
    }
}

/// A long run, between other text. Time is bounded, so that nothing quadratic passes.
fn check_run(run: &str, what: &str, compare: bool) {
    let first = run.chars().next().unwrap();
    let text = format!("x {run}{first} y");
    for name in FAMILIES {
        let tokenizer = Tokenizer::by_name(name).unwrap();
        let start = Instant::now();
        let total = tokenizer.count(&text);
        let index = tokenizer.index(&text);
        assert_eq!(index.total(), total, "{name} {what}");
        let cuts = cut(&index);
        let took = start.elapsed();
        // Well above what it takes without optimization on a busy machine, well below anything quadratic.
        assert!(took.as_secs() < 60, "{name} {what} took {took:?}");
        if !compare {
            continue;
        }
        // The oracle's regular expressions cannot match some long runs.
        if let Some(expected) = encoded(name, &text) {
            assert_eq!(total, expected.len(), "{name} {what}");
        }
        for (n, window) in cuts.windows(2).enumerate() {
            if n < 8 || n % (cuts.len() / 8) == 0 {
                check_window(&index, name, what, window[0], window[1]);
            }
        }
    }
}

/// The ids of the oracle, unless it gives up.
fn encoded(name: &str, text: &str) -> Option<Vec<u32>> {
    std::panic::catch_unwind(|| oracle(name).encode_ordinary(text)).ok()
}

/// Starts of windows of 64 tokens, as packing cuts them: most begin where the one before ends, some at odd places before that.
fn cut(index: &TokenIndex<'_>) -> Vec<usize> {
    let text = index.text();
    let mut starts = vec![2];
    let mut at = 2;
    while at < text.len() {
        let end = index.take(at, text.len(), 64).max(text.ceil_char_boundary(at + 1));
        let back = text.floor_char_boundary(end - starts.len() % 4 * 3 % (end - at));
        at = if end < text.len() && back > at { back } else { end };
        starts.push(at);
    }
    starts
}

fn check_window(index: &TokenIndex<'_>, name: &str, what: &str, at: usize, next: usize) {
    let text = index.text();
    let part = &text[at..text.floor_char_boundary(at + 20_000)];
    let Some(ids) = encoded(name, part).filter(|ids| ids.len() > 600) else { return };
    let bytes = oracle(name).decode_bytes(&ids[..64]).unwrap().len();
    let end = text.floor_char_boundary(at + bytes);
    assert_eq!(index.take(at, text.len(), 64), end, "{name} {what} at {at}");
    assert!(next <= end.max(text.ceil_char_boundary(at + 1)));
    for span in [Span::new(at, next), Span::new(at, text.floor_char_boundary(at + 3_000))] {
        let expected = encoded(name, &text[span.range()]).map(|ids| ids.len());
        assert_eq!(Some(index.count(span)), expected, "{name} {what} {span:?}");
    }
}

#[test]
fn threads_share_an_encoding() {
    let documents = corpora(200_000);
    let tokenizer = Tokenizer::by_name("cl100k_base").unwrap();
    let expected: Vec<usize> =
        documents.iter().map(|document| oracle("cl100k_base").encode_ordinary(document).len()).collect();
    std::thread::scope(|scope| {
        for _ in 0..24 {
            scope.spawn(|| {
                for (document, expected) in documents.iter().zip(&expected) {
                    assert_eq!(tokenizer.count(document), *expected);
                }
            });
        }
    });
}

#[test]
fn empty_and_whole() {
    let tokenizer = Tokenizer::by_name("cl100k_base").unwrap();
    let index = tokenizer.index("");
    assert_eq!((index.total(), index.count(Span::new(0, 0)), index.count_all(&[]), index.take(0, 0, 5)), (0, 0, 0, 0));
    let stop = std::sync::atomic::AtomicBool::new(true);
    assert!(tokenizer.index_cancellable("abc", &stop).is_none());
}
