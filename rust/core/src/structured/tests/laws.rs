//! What holds of any text, checked on texts put together from hard pieces.

use crate::block::{BlockKind, Document, PartKind};
use crate::lex::lex;
use crate::span::Span;
use crate::structured::{BlockType, Structured, classify, from_document, parse};
use crate::text::is_blank;

const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\u{c}",
    " ",
    "  ",
    "    ",
    "\t",
    "　",
    "\u{feff}",
    "一、",
    "二、",
    "（一）",
    "(二)",
    "第三章 ",
    "第 4 条",
    "部分",
    "1. ",
    "2. ",
    "3、",
    "2.1 ",
    "2.2 ",
    "１．",
    "【",
    "】",
    "：",
    ":",
    "甲",
    "乙丙",
    "word ",
    "step",
    "排查",
    "。",
    ".",
    "？",
    "?",
    "Q: ",
    "A: ",
    "Q1.",
    "问：",
    "答：",
    "【问】",
    "- ",
    "* ",
    "• ",
    "（1）",
    "①",
    "`",
    "```\n",
    "``` \n",
    "~~~\n",
    "| a | b |\n|---|---|\n",
    "> ",
    "# ",
    "===\n",
    "---\n",
    "$$\n",
    "$x$",
    "[a](b",
    ")",
    "![a](b)",
    "<!-- page 2 -->\n",
    "<!--",
    "-->",
    "<div>\n",
    "<table>\n",
    "[^1]: ",
    "[a]: b\n",
    "**",
    "_",
];

/// Numbers that look random, the same on each run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % sides
    }
}

fn spans(document: &Document) -> impl Iterator<Item = Span> {
    document.blocks.iter().map(|block| block.span)
}

fn check_parts(text: &str, document: &Document) {
    for block in &document.blocks {
        let mut ends: Vec<u32> = Vec::new();
        let mut start = block.span.start;
        for at in block.parts.range() {
            let part = document.parts[at];
            ends.retain(|end| *end > at as u32);
            assert!(part.next > at as u32 && part.next <= block.parts.end, "{text:?}: {block:?} {part:?}");
            assert!(ends.iter().all(|end| part.next <= *end), "{text:?}: nested parts");
            ends.push(part.next);
            if !matches!(block.kind, BlockKind::Paragraph | BlockKind::List) {
                continue;
            }
            assert!(part.span.start >= start && part.span.start <= part.span.end, "{text:?}: {block:?} {part:?}");
            assert!(part.span.end <= block.span.end, "{text:?}: {block:?} {part:?}");
            start = part.span.start;
            let is_flat = !matches!(part.kind, PartKind::List | PartKind::Item | PartKind::Paragraph | PartKind::Quote);
            assert!(is_flat, "{text:?}: {part:?}");
        }
    }
}

/// Nothing but dropped blocks and white space is left out, and nothing is in two blocks.
fn check_cover(text: &str, lexed: &Document, made: &Structured) {
    let dropped = lexed.blocks.iter().filter(|block| block.kind.is_dropped()).map(|block| block.span);
    let mut all: Vec<Span> = spans(&made.document).chain(dropped).collect();
    all.sort_by_key(|span| span.start);
    let mut at = 0;
    for span in all {
        assert!(at <= span.start && !span.is_empty(), "{text:?}: {span:?}");
        let gap = Span { start: at, end: span.start };
        assert!(is_blank(text, gap), "{text:?}: {gap:?}");
        at = span.end;
    }
    assert!(is_blank(text, Span { start: at, end: text.len() as u32 }), "{text:?}: the end");
}

fn check_blocks(text: &str, made: &Structured, weak_headings: bool) {
    let document = &made.document;
    assert_eq!(document.blocks.len(), made.blocks.len());
    for (block, kind) in document.blocks.iter().zip(&made.blocks) {
        let words = &text[block.span.range()];
        assert_eq!(block.kind == BlockKind::Heading, kind.block_type == BlockType::Heading);
        assert!(weak_headings || !kind.weak);
        assert!(block.span.contains(kind.marker) || kind.marker.is_empty());
        if kind.weak {
            let title = document.title(block.path);
            assert!(words.chars().count() <= 40 + words.len() - words.trim_start().len(), "{words:?}");
            assert!(words.contains(title) && !title.trim().is_empty());
            assert!(block.level > 6);
        }
        if kind.block_type == BlockType::Qa && block.parts.is_empty() {
            assert_eq!(classify(words, &document.path(block.path)), BlockType::Qa, "{text:?}: {words:?}");
        }
    }
}

fn check(text: &str) {
    let lexed = lex(text);
    for weak_headings in [true, false] {
        let made = parse(text, weak_headings);
        check_cover(text, &lexed, &made);
        check_parts(text, &made.document);
        check_blocks(text, &made, weak_headings);
        assert_eq!(made, from_document(text, &lexed, weak_headings));
    }
}

#[test]
fn laws_hold() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for _ in 0..20_000 {
        let text: String = (0..dice.roll(24)).map(|_| PIECES[dice.roll(PIECES.len())]).collect();
        check(&text);
    }
}
