//! Documents that other parsers have cut into blocks.

use crate::block::{BlockKind, BoundingBox, Document, Place};
use crate::lex::ready::{ReadyBlock, joined, read};
use crate::structured::{Structured, from_document};

fn ready(kind: BlockKind, text: &str, path: &[&str]) -> ReadyBlock {
    ReadyBlock {
        kind,
        text: text.into(),
        level: None,
        heading_path: (!path.is_empty()).then(|| path.iter().map(ToString::to_string).collect()),
        place: Place::default(),
        bbox: None,
        description: None,
        language: None,
    }
}

fn structured(text: &str, blocks: &[ReadyBlock]) -> (Document, Structured) {
    let document = read(text, blocks).unwrap();
    let made = from_document(text, &document, true);
    (document, made)
}

fn shown(text: &str, made: &Structured) -> Vec<(String, String)> {
    let blocks = made.document.blocks.iter();
    blocks.map(|block| (made.document.path(block.path).join(" > "), text[block.span.range()].to_string())).collect()
}

fn assert_shown(blocks: &[ReadyBlock], expected: &[(&str, &str)]) {
    let text = joined(blocks);
    let expected: Vec<_> = expected.iter().map(|(path, block)| (path.to_string(), block.to_string())).collect();
    assert_eq!(shown(&text, &structured(&text, blocks).1), expected);
}

#[test]
fn weak_headings_end_where_the_given_path_changes() {
    let blocks = [
        ready(BlockKind::Heading, "手册", &[]),
        ready(BlockKind::Paragraph, "一、甲\n乙", &[]),
        ready(BlockKind::Paragraph, "丙", &[]),
        ready(BlockKind::Paragraph, "丁", &["附"]),
        ready(BlockKind::Paragraph, "戊", &["附", "录", "己"]),
    ];
    assert_shown(
        &blocks,
        &[
            ("手册", "手册"),
            ("手册 > 甲", "一、甲"),
            ("手册 > 甲", "乙"),
            ("手册 > 甲", "丙"),
            ("附", "丁"),
            ("附 > 录 > 己", "戊"),
        ],
    );
}

#[test]
fn lines_of_several_blocks_are_one_stretch_in_one_place() {
    let page = |page: u32| Place { page: Some(page), ..Place::default() };
    let mut blocks = ["1. 甲", "2. 乙", "3. 丙", "丁"].map(|text| ready(BlockKind::Paragraph, text, &[]));
    assert_shown(&blocks, &[("", "1. 甲\n\n2. 乙\n\n3. 丙"), ("", "丁")]);
    for (block, number) in blocks.iter_mut().zip([1, 1, 2, 2]) {
        block.place = page(number);
    }
    assert_shown(&blocks, &[("", "1. 甲\n\n2. 乙"), ("丙", "3. 丙"), ("丙", "丁")]);
}

#[test]
fn text_between_blocks_ends_a_stretch() {
    let blocks = ["1. 甲", "2. 乙", "丙"].map(|text| ready(BlockKind::Paragraph, text, &[]));
    let text = "1. 甲\nx\n2. 乙\n\n丙";
    let (_, made) = structured(text, &blocks);
    assert_eq!(shown(text, &made).iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["甲", "乙", "乙"]);
}

#[test]
fn what_a_parser_knows_goes_along() {
    let bbox = Some(BoundingBox { page: 1, corners: [0.0; 4] });
    let mut blocks = [
        ready(BlockKind::ThematicBreak, "---", &[]),
        ready(BlockKind::Paragraph, "一、甲\n乙", &[]),
        ready(BlockKind::Image, "![a](b)", &[]),
    ];
    blocks[1].bbox = bbox;
    blocks[1].description = Some("d".into());
    blocks[2].description = Some("e".into());
    let text = joined(&blocks);
    let (_, made) = structured(&text, &blocks);
    let known: Vec<_> = made
        .document
        .supplements
        .iter()
        .map(|known| (known.block, known.bbox.is_some(), known.description.as_deref()))
        .collect();
    assert_eq!(known, [(0, true, Some("d")), (1, true, None), (2, false, Some("e"))]);
}
