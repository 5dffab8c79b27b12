//! Plain text as blocks: one for each stretch between page turns, or of one place.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use memchr::{memchr_iter, memmem};

use super::{Prepared, Sizing, Strategy};
use crate::block::{Block, BlockKind, Document, Path, Place};
use crate::chunk::{Chunks, SizeUnit};
use crate::engine::Policy;
use crate::error::ChunkError;
use crate::lex::{page_before, page_behind, page_marker};
use crate::section::Section;
use crate::span::Span;
use crate::text::{BOM, back_to_line_start, is_indent, is_line_start, line_end, trim_end};
use crate::tokens::Tokenizer;

/// A strategy that sees plain text: what it adds to its sizes.
pub(super) trait PlainStrategy: Send + Sync {
    const NAME: &'static str;
    const VERSION: &'static str = "1";

    fn sizing(&self) -> &Sizing;

    /// Its own settings, for the fingerprint.
    fn settings(&self) -> Vec<(&str, String)>;

    /// What the engine is told.
    fn policy(&self) -> Policy<'_>;

    fn pack(&self, text: &str, prepared: &Prepared, cancel: &AtomicBool) -> Result<Chunks, ChunkError> {
        let document = &prepared.document;
        self.sizing().pack(text, document, &sections(document), &self.policy(), cancel)
    }
}

impl<S: PlainStrategy> Strategy for S {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn version(&self) -> &'static str {
        S::VERSION
    }

    fn fingerprint(&self) -> String {
        let settings = self.settings();
        let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.sizing().fingerprint(S::NAME, S::VERSION, &settings)
    }

    fn unit(&self) -> SizeUnit {
        self.sizing().size_unit()
    }

    fn counter(&self) -> Option<&Tokenizer> {
        self.sizing().counter()
    }

    fn lex(&self, text: &str) -> Prepared {
        lex(text)
    }

    fn adapt(&self, text: &str, document: Arc<Document>) -> Prepared {
        adapt(text, &document)
    }

    fn chunk(&self, text: &str, prepared: &Prepared, cancel: &AtomicBool) -> Result<Chunks, ChunkError> {
        self.pack(text, prepared, cancel)
    }
}

/// A page turn: where the text of the next page begins, and its number if a marker tells it.
struct Turn {
    at: usize,
    page: Option<u32>,
}

/// Text with pages behind form feeds and from page markers on.
fn lex(text: &str) -> Prepared {
    let turns = turns(text);
    let mut document = Document { paths: vec![Path::default()], ..Document::default() };
    let mut page = turns.first().map(|turn| page_before(turn.page));
    let mut at = 0;
    for turn in &turns {
        add(text, &mut document, Span::new(at, turn.at), Place { page, ..Place::default() });
        page = Some(page_behind(page, turn.page));
        at = turn.at;
    }
    add(text, &mut document, Span::new(at, text.len()), Place { page, ..Place::default() });
    Prepared { document: Arc::new(document), types: Vec::new() }
}

/// A document with blocks: a stretch for each run of blocks of the same place.
fn adapt(text: &str, document: &Document) -> Prepared {
    let mut plain = Document { paths: vec![Path::default()], ..Document::default() };
    let mut at = 0;
    let mut place: Option<&Place> = None;
    for block in &document.blocks {
        let next = &document.places[block.place as usize];
        if place.is_some_and(|before| before != next) {
            add(text, &mut plain, Span::new(at, block.span.start as usize), place.cloned().unwrap_or_default());
            at = block.span.start as usize;
        }
        place = Some(next);
    }
    add(text, &mut plain, Span::new(at, text.len()), place.cloned().unwrap_or_default());
    Prepared { document: Arc::new(plain), types: Vec::new() }
}

/// Each block is a section.
pub(super) fn sections(document: &Document) -> Vec<Section> {
    (0..document.blocks.len()).map(|at| Section { blocks: at..at + 1, path: 0 }).collect()
}

/// Adds a stretch, unless it is blank.
fn add(text: &str, document: &mut Document, span: Span, place: Place) {
    let slice = &text[span.range()];
    let first = slice.find(|c: char| !(c.is_whitespace() || (c == BOM && span.start == 0)));
    let Some(first) = first.map(|first| span.start as usize + first) else { return };
    let start = back_to_line_start(text, first, is_indent).max(span.start as usize);
    if document.places.last() != Some(&place) {
        document.places.push(place);
    }
    document.blocks.push(Block {
        kind: BlockKind::Paragraph,
        level: 0,
        span: trim_end(text, Span { start: start as u32, end: span.end }),
        parts: Span::default(),
        path: 0,
        place: document.places.len() as u32 - 1,
    });
}

fn turns(text: &str) -> Vec<Turn> {
    let bytes = text.as_bytes();
    let mut turns: Vec<Turn> = memchr_iter(b'\x0c', bytes).map(|at| Turn { at: at + 1, page: None }).collect();
    let feeds = turns.len();
    for at in memmem::find_iter(bytes, "<!--") {
        let line = at - bytes[..at].iter().rev().take_while(|byte| is_indent(**byte)).count();
        if (is_line_start(text, line) || bytes[line - 1] == b'\x0c')
            && let Some(page) = page_marker(text[line..line_end(text, at, text.len())].trim())
        {
            turns.push(Turn { at: line, page: Some(page) });
        }
    }
    if feeds > 0 && turns.len() > feeds {
        turns.sort_by_key(|turn| turn.at);
    }
    turns
}
