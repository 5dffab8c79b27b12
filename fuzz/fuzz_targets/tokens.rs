//! Counts of texts, spans and concatenations, and the first tokens of a span, are those of tiktoken-rs.
#![no_main]

use chunkwright_core::span::Span;
use chunkwright_core::tokens::{Piece, Tokenizer};
use libfuzzer_sys::fuzz_target;
use tiktoken_rs::CoreBPE;

fn oracle(name: &str) -> &'static CoreBPE {
    match name {
        "cl100k_base" => tiktoken_rs::cl100k_base_singleton(),
        "o200k_base" => tiktoken_rs::o200k_base_singleton(),
        "p50k_base" => tiktoken_rs::p50k_base_singleton(),
        _ => tiktoken_rs::r50k_base_singleton(),
    }
}

/// The first byte is the encoding, six more are the ends of two spans and a number of tokens, the rest is the text.
fn check(data: &[u8]) {
    let Some((choices, text)) = data.split_at_checked(8) else { return };
    let text = String::from_utf8_lossy(text);
    let name = ["cl100k_base", "o200k_base", "p50k_base", "r50k_base"][usize::from(choices[0]) % 4];
    let tokenizer = Tokenizer::by_name(name).expect("a known name");
    let count = |words: &str| oracle(name).encode_ordinary(words).len();
    let place = |byte: u8| text.floor_char_boundary(text.len() * usize::from(byte) / 255);
    let span = |a: u8, b: u8| Span::new(place(a.min(b)), place(a.max(b)));
    let (first, second) = (span(choices[1], choices[2]), span(choices[3], choices[4]));
    let index = tokenizer.index(&text);
    assert_eq!(tokenizer.count(&text), count(&text));
    assert_eq!(index.total(), count(&text));
    for span in [first, second] {
        assert_eq!(index.count(span), count(&text[span.range()]), "span {span:?}");
        take(&index, &text[span.range()], span, usize::from(choices[5]), name);
    }
    let joint = ["", "\n", "\n\n", "# a > b\n\n", " ", "```", "章节：", "🚀"][usize::from(choices[6]) % 8];
    let pieces = [Piece::Text(joint), Piece::Span(first), Piece::Text(joint), Piece::Span(second)];
    let joined = [joint, &text[first.range()], joint, &text[second.range()]].concat();
    assert_eq!(index.count_all(&pieces), count(&joined), "{joined:?}");
}

fn take(index: &chunkwright_core::tokens::TokenIndex<'_>, slice: &str, span: Span, tokens: usize, name: &str) {
    let all = oracle(name).encode_ordinary(slice);
    let bytes: usize =
        all.iter().take(tokens).map(|token| oracle(name).decode_bytes(&[*token]).map_or(0, |b| b.len())).sum();
    let expected = span.start as usize + slice.floor_char_boundary(bytes);
    assert_eq!(index.take(span.start as usize, span.end as usize, tokens), expected, "{tokens} tokens of {slice:?}");
}

fuzz_target!(|data: &[u8]| check(data));
