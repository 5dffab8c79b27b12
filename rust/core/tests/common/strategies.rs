//! Any strategy from a few bytes, and the laws that all of them keep.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use chunkwright_core::chunk::{Chunks, Role, SizeUnit};
use chunkwright_core::lex::lex;
use chunkwright_core::strategy::{
    FixedSize, Paragraph, Recursive, Semantic, Sentence, Sizing, Strategy, Structured, Unit, dropped_of,
};
use chunkwright_core::text::collapsed;
use chunkwright_core::tokens::Tokenizer;
use chunkwright_core::verify::{Claim, SegmentClaim, Sizes, verify};
use chunkwright_core::{ident, position::Positions, span::Span};

/// How many bytes [`strategy`] looks at.
pub(crate) const SETTINGS_BYTES: usize = 5;

/// A strategy from bytes: which one and its unit, size, overlap, two details. Missing bytes are 0.
pub(crate) fn strategy(bytes: &[u8]) -> Box<dyn Strategy> {
    let byte = |at: usize| u32::from(bytes.get(at).copied().unwrap_or(0));
    let tokenizer = Tokenizer::by_name("cl100k_base").expect("a known name");
    let in_tokens = byte(0) >= 128;
    let unit = if in_tokens { Unit::Tokens(tokenizer) } else { Unit::Chars(None) };
    // Small sizes find the most.
    let budget = budget(bytes) as u32;
    let sizing = Sizing { unit, budget, overlap: byte(2) * budget / 256 };
    let sizing = sizing.check("size", "overlap").expect("sizes in range");
    match byte(0) % 6 {
        0 => Box::new(FixedSize::new(sizing)),
        1 => Box::new(Sentence::new(sizing, 1 + byte(3) % 12).expect("a good limit")),
        2 => Box::new(Paragraph::new(sizing, 1 + byte(3) % 6).expect("a good limit")),
        3 => {
            let separators: Vec<String> = ["\n\n", "\n", "aa", ". ", "\t", " ", ""].map(String::from).into();
            let from = byte(3) as usize % separators.len();
            Box::new(Recursive::new(sizing, (byte(4) >= 128).then(|| &separators[from..])))
        }
        4 => {
            let least = byte(4) * budget / 256;
            Box::new(Semantic::new(sizing, f64::from(byte(3)) / 255.0, least, String::new()).expect("in range"))
        }
        _ => Box::new(Structured::new(sizing, byte(3) * budget / 256, byte(4) < 192).expect("in range")),
    }
}

/// All laws of `text -> chunks` that every strategy keeps.
pub(crate) fn laws(text: &str, strategy: &dyn Strategy, budget: usize) {
    let prepared = strategy.lex(text);
    let run = || strategy.chunk(text, &prepared, &AtomicBool::new(false));
    let chunks = run().unwrap_or_else(|error| panic!("{error}"));
    assert!(run().as_ref() == Ok(&chunks), "chunking twice differs");
    let claims = claims(text, strategy, &prepared.document, &chunks);
    let is_soft = strategy.unit() == SizeUnit::Chars && matches!(strategy.name(), "sentence" | "paragraph");
    for (claim, row) in claims.iter().zip(&chunks.rows) {
        assert!(is_soft || row.size as usize <= budget, "{} of {budget}: {:?}", row.size, claim.content);
        if strategy.unit() == SizeUnit::Chars {
            assert_eq!(claim.content.chars().count(), row.size as usize, "wrong size of {:?}", claim.content);
        }
        let places: HashSet<u32> = row.blocks.range().map(|at| prepared.document.blocks[at].place).collect();
        assert!(places.len() <= 1, "{row:?} has blocks of several places");
    }
    let document = dropped_of(strategy.name(), text, lex(text));
    let tokenizer = (strategy.unit() == SizeUnit::Tokens).then(|| Tokenizer::by_name("cl100k_base").expect("known"));
    if let Err(violation) = verify(text, &document, &claims, &Sizes { tokenizer, max_tokens: None }) {
        panic!("{}: {violation}", strategy.name());
    }
}

/// What the chunks say of themselves, as a user sees it.
fn claims(
    text: &str,
    strategy: &dyn Strategy,
    document: &chunkwright_core::block::Document,
    chunks: &Chunks,
) -> Vec<Claim> {
    let positions = Positions::of(text);
    let bytes = |span: Span| (span.start as usize, span.end as usize);
    let chars = |span: Span| (positions.char_at(text, bytes(span).0), positions.char_at(text, bytes(span).1));
    let segment = |segment: &chunkwright_core::chunk::Segment| {
        let source = (segment.role != Role::Synthetic).then_some(segment.span);
        let words = chunks.segment_text(text, *segment).into_owned();
        SegmentClaim { role: segment.role, text: words, bytes: source.map(bytes), chars: source.map(chars) }
    };
    let rows = chunks.rows.iter().enumerate();
    rows.map(|(index, row)| {
        let content = chunks.content(text, row);
        if chunks.collapsed {
            assert_eq!(content, collapsed(&text[chunks.range(row).range()]), "a window is not its range");
        }
        let range = chunks.range(row);
        let last = text[..range.end as usize].char_indices().next_back().map_or(0, |(at, _)| at);
        Claim {
            id: ident::chunk_id("", index, &content),
            content,
            segments: chunks.segments_of(row).iter().map(segment).collect(),
            bytes: bytes(range),
            chars: chars(range),
            lines: (positions.line_at(text, range.start as usize), positions.line_at(text, last)),
            tokens: (strategy.unit() == SizeUnit::Tokens).then_some(row.size as usize),
            heading_path: document.path(row.path).into_iter().map(String::from).collect(),
            index,
            collapsed: chunks.collapsed,
        }
    })
    .collect()
}

/// The budget of [`strategy`] for the same bytes.
pub(crate) fn budget(bytes: &[u8]) -> usize {
    let byte = |at: usize| usize::from(bytes.get(at).copied().unwrap_or(0));
    let least = if byte(0) >= 128 { 16 } else { 1 };
    least + if byte(1) < 200 { byte(1) % 48 } else { (byte(1) - 200) * 8 }
}
