//! The laws that every result keeps, as asserts. `tests/laws.rs` and the fuzz targets share them.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use chunkwright_core::block::{Block, BlockKind, Document, Part, PartKind};
use chunkwright_core::chunk::{Chunks, Role, Row, SplitReason};
use chunkwright_core::engine;
use chunkwright_core::ident;
use chunkwright_core::lex::lex;
use chunkwright_core::lex::ready::{self, ReadyBlock};
use chunkwright_core::position::Positions;
use chunkwright_core::settings::Settings;
use chunkwright_core::span::Span;
use chunkwright_core::verify::{Claim, SegmentClaim, Sizes, verify};

#[allow(dead_code, reason = "a fuzz target uses one of the two")]
/// All laws of `text -> chunks`.
pub(crate) fn markdown(text: &str, settings: &Settings) -> Chunks {
    assert_eq!(chunkwright_core::lex::check::difference(text), None, "lines are what the parser reads");
    let document = lex(text);
    assert!(document == lex(text), "lexing twice differs");
    sound(text, &document);
    chunks(text, &document, settings)
}

#[allow(dead_code, reason = "a fuzz target uses one of the two")]
/// All laws of `ready blocks -> chunks`.
pub(crate) fn ready_made(blocks: &[ReadyBlock], settings: &Settings) -> Chunks {
    let text = ready::joined(blocks);
    let document = ready::read(&text, blocks).expect("blocks are in their own text");
    sound(&text, &document);
    chunks(&text, &document, settings)
}

/// The run of marks that opens a fence.
fn fence_of(code: &str) -> &str {
    let start = code.trim_start_matches(|c: char| c != '`' && c != '~');
    let mark = start.chars().next().unwrap_or('`');
    &start[..start.len() - start.trim_start_matches(mark).len()]
}

fn on_boundaries(text: &str, span: Span) -> bool {
    span.start <= span.end && text.get(span.range()).is_some()
}

/// Blocks are in order, trimmed and apart; parts are nested and in order; paths and places exist.
pub(crate) fn sound(text: &str, document: &Document) {
    let mut at = 0;
    for block in &document.blocks {
        let span = block.span;
        assert!(on_boundaries(text, span), "block {block:?} is not on character boundaries");
        assert!(span.start >= at, "block {block:?} begins before {at}");
        assert!(!span.is_empty() && !text[span.range()].trim().is_empty(), "block {block:?} is blank");
        assert_eq!(text[span.range()].trim_end().len(), span.len(), "block {block:?} is not trimmed");
        assert!((block.path as usize) < document.paths.len() && (block.place as usize) < document.places.len());
        at = span.end;
        parts_are_nested(text, document, block);
    }
    for (index, path) in document.paths.iter().enumerate().skip(1) {
        assert!((path.parent as usize) < index, "path {index} is above itself");
    }
    assert!(document.unclosed.windows(2).all(|pair| pair[0].end <= pair[1].end), "open fences are out of order");
    for open in &document.unclosed {
        assert!(on_boundaries(text, Span { start: open.start, end: open.end }), "{open:?}");
    }
}

fn parts_are_nested(text: &str, document: &Document, block: &Block) {
    assert!(block.parts.start <= block.parts.end && block.parts.end as usize <= document.parts.len(), "{block:?}");
    let mut open: Vec<Part> = Vec::new();
    let mut at = block.span.start;
    for index in block.parts.start..block.parts.end {
        while open.pop_if(|part| part.next <= index).is_some() {}
        let part = document.parts[index as usize];
        assert!(on_boundaries(text, part.span), "{part:?} is not on character boundaries");
        assert!(part.span.start >= at, "{part:?} in {block:?} begins before {at}");
        let next_limit = open.last().map_or(block.parts.end, |outer| outer.next);
        assert!(index < part.next && part.next <= next_limit, "{part:?} in {block:?} reaches beyond what it is in");
        at = part.span.start;
        if part.kind == PartKind::Atom {
            assert_eq!(part.next, index + 1, "{part:?} has parts");
            at = part.span.end;
        }
        open.push(part);
    }
}

/// All laws of `blocks -> chunks`.
pub(crate) fn chunks(text: &str, document: &Document, settings: &Settings) -> Chunks {
    let run = || engine::chunk(text, document, settings, &AtomicBool::new(false));
    let chunks = run().unwrap_or_else(|error| panic!("{error}"));
    assert!(run().as_ref() == Ok(&chunks), "chunking twice differs");
    let claims = claims(text, document, &chunks);
    let laws = Laws { text, document, settings, chunks: &chunks };
    laws.sizes(&claims);
    laws.bodies();
    laws.nothing_is_lost();
    laws.boundaries();
    laws.overlaps();
    laws.whole_blocks();
    laws.whole_atoms();
    laws.reasons();
    let sizes = Sizes { tokenizer: Some(settings.tokenizer), max_tokens: Some(settings.max_tokens as usize) };
    if let Err(violation) = verify(text, document, &claims, &sizes) {
        panic!("{violation}");
    }
    chunks
}

/// What the chunks say of themselves, as a user sees it.
fn claims(text: &str, document: &Document, chunks: &Chunks) -> Vec<Claim> {
    let positions = Positions::of(text);
    let document_id = ident::document_id(text);
    let bytes = |span: Span| (span.start as usize, span.end as usize);
    let chars = |span: Span| {
        let (start, end) = bytes(span);
        (positions.char_at(text, start), positions.char_at(text, end))
    };
    let segment = |segment: &chunkwright_core::chunk::Segment| SegmentClaim {
        role: segment.role,
        text: chunks.segment_text(text, *segment).into(),
        bytes: (segment.role != Role::Synthetic).then(|| bytes(segment.span)),
        chars: (segment.role != Role::Synthetic).then(|| chars(segment.span)),
    };
    let claim = |(index, row): (usize, &Row)| {
        let content = chunks.content(text, row);
        let last = text[..row.body.end as usize].char_indices().next_back().map_or(0, |(at, _)| at);
        Claim {
            id: ident::chunk_id(&document_id, index, &content),
            content,
            segments: chunks.segments_of(row).iter().map(segment).collect(),
            bytes: bytes(row.body),
            chars: chars(row.body),
            lines: (positions.line_at(text, row.body.start as usize), positions.line_at(text, last)),
            tokens: Some(row.size as usize),
            heading_path: document.path(row.path).into_iter().map(String::from).collect(),
            index,
            collapsed: false,
        }
    };
    chunks.rows.iter().enumerate().map(claim).collect()
}

struct Laws<'a> {
    text: &'a str,
    document: &'a Document,
    settings: &'a Settings,
    chunks: &'a Chunks,
}

impl Laws<'_> {
    fn size(&self, text: &str) -> usize {
        self.settings.tokenizer.count(text)
    }

    fn budget(&self) -> usize {
        self.settings.max_tokens as usize
    }

    fn bodies_of(&self, row: &Row) -> impl Iterator<Item = Span> {
        self.chunks.segments_of(row).iter().filter(|s| s.role == Role::Body).map(|s| s.span)
    }

    /// Every size is that of the content, and within the budget.
    fn sizes(&self, claims: &[Claim]) {
        for (claim, row) in claims.iter().zip(&self.chunks.rows) {
            let counted = self.size(&claim.content);
            assert_eq!(counted, row.size as usize, "wrong size of {:?}", claim.content);
            assert!(counted <= self.budget(), "{counted} tokens: {:?}", claim.content);
        }
    }

    /// Body segments are in order and apart, on character boundaries, and none is blank alone in its chunk.
    fn bodies(&self) {
        let mut at = 0;
        for row in &self.chunks.rows {
            assert!(self.bodies_of(row).any(|s| !self.text[s.range()].trim().is_empty()), "{row:?} has no body");
            for span in self.bodies_of(row) {
                assert!(span.start >= at, "body {span:?} begins before {at}");
                at = span.end;
            }
            for segment in self.chunks.segments_of(row) {
                assert!(!segment.span.is_empty(), "{row:?} has an empty segment");
                let holder = if segment.role == Role::Synthetic { &self.chunks.synthetic } else { self.text };
                assert!(on_boundaries(holder, segment.span), "{segment:?}");
            }
        }
    }

    /// Every character that is not white space is in a body, unless its block is dropped or is a heading that is on the path of a chunk.
    fn nothing_is_lost(&self) {
        let mut named = HashSet::new();
        for row in &self.chunks.rows {
            let mut path = row.path;
            while path != 0 && named.insert(path) {
                path = self.document.paths[path as usize].parent;
            }
        }
        let texts: HashSet<&str> = named.iter().map(|path| self.document.title(*path)).collect();
        let is_dropped = |block: &&Block| {
            let path = &self.document.paths[block.path as usize];
            let has_text = block.path != 0 && path.level == block.level;
            let is_named = named.contains(&block.path) || texts.contains(self.document.title(block.path));
            block.kind.is_dropped() || block.kind == BlockKind::Heading && (!has_text || is_named)
        };
        let mut dropped = self.document.blocks.iter().filter(is_dropped).map(|block| block.span).peekable();
        let mut bodies = self.chunks.rows.iter().flat_map(|row| self.bodies_of(row)).peekable();
        for (at, c) in self.text.char_indices() {
            let at = at as u32;
            while bodies.next_if(|span| span.end <= at).is_some() {}
            while dropped.next_if(|span| span.end <= at).is_some() {}
            let is_held = |span: Option<&Span>| span.is_some_and(|span| span.start <= at);
            let is_white = c.is_whitespace() || at == 0 && c == '\u{feff}';
            let held = is_white || is_held(bodies.peek()) || is_held(dropped.peek());
            assert!(held, "{c:?} at {at} is in no chunk");
        }
    }

    /// All blocks of a chunk have its path and one place.
    fn boundaries(&self) {
        for row in &self.chunks.rows {
            assert!(row.blocks.start < row.blocks.end, "{row:?} has no blocks");
            let blocks = &self.document.blocks[row.blocks.range()];
            for block in blocks {
                let heading = block.kind == BlockKind::Heading;
                let path = if heading { self.document.paths[block.path as usize].parent } else { block.path };
                assert_eq!(path, row.path, "{row:?} has a block of another path");
                assert_eq!(block.place, blocks[0].place, "{row:?} has blocks of several places");
                assert!(block.kind.is_prose() || blocks.len() == 1, "{row:?} mixes {block:?} with others");
            }
            let touched = |block: &&Block| block.span.start < row.body.end && row.body.start < block.span.end;
            let count = self.document.blocks.iter().filter(touched).count();
            assert_eq!(count, blocks.len(), "{row:?} touches blocks that it does not name");
        }
    }

    /// Overlap is the end of the chunk in front, of the same section, and as short as asked for.
    fn overlaps(&self) {
        for (index, row) in self.chunks.rows.iter().enumerate() {
            let overlaps = || self.chunks.segments_of(row).iter().filter(|s| s.role == Role::Overlap).map(|s| s.span);
            let (Some(first), Some(last)) = (overlaps().next(), overlaps().next_back()) else { continue };
            let before = &self.chunks.rows[index.checked_sub(1).expect("the first chunk has no overlap")];
            assert_eq!(last.end, row.body.start, "{row:?} leaves a hole behind its overlap");
            assert_eq!(before.path, row.path, "{row:?} has an overlap from another section");
            assert!(
                before.body.start < first.start && first.start < before.body.end,
                "{row:?} repeats all of {before:?}"
            );
            let words = &self.text[first.start as usize..before.body.end as usize];
            let tokens = self.size(words);
            assert!(tokens <= self.settings.overlap_tokens as usize, "overlap of {tokens} tokens: {words:?}");
        }
    }

    /// Code, tables and images that fit, with room for a prefix and a fence, are in one chunk.
    fn whole_blocks(&self) {
        for block in &self.document.blocks {
            if !matches!(block.kind, BlockKind::Table | BlockKind::Code | BlockKind::Image) {
                continue;
            }
            let room = self.budget() - (self.budget() / 4).max(16).min(self.budget() / 2) - 4;
            let words = &self.text[block.span.range()];
            // Code may need a closing fence, as long as the opening one.
            let fence = if block.kind == BlockKind::Code { fence_of(words) } else { "" };
            if self.size(words) + self.size(fence) > room || block.kind == BlockKind::Code && room < 20 {
                continue;
            }
            let touches = |row: &&Row| row.body.start < block.span.end && block.span.start < row.body.end;
            let count = self.chunks.rows.iter().filter(touches).count();
            assert_eq!(count, 1, "{block:?} fits but is in {count} chunks");
        }
    }

    /// Links, images, code spans and formulas that fit easily are in one chunk.
    fn whole_atoms(&self) {
        let cuts: Vec<u32> = self
            .chunks
            .rows
            .iter()
            .flat_map(|row| self.bodies_of(row).flat_map(|span| [span.start, span.end]))
            .collect();
        for block in &self.document.blocks {
            let parts = self.document.parts_of(block);
            for part in parts.iter().filter(|part| part.kind == PartKind::Atom) {
                let words = self.text[part.span.range()].trim_end();
                // Rows are lines and cells end at pipes, whatever inline units the parser sees across them.
                let holds = |table: &&Part| table.kind == PartKind::Table && table.span.contains(part.span);
                let in_table = || block.kind == BlockKind::Table || parts.iter().any(|part| holds(&part));
                // No chunk may begin with what looks like a fence, so there may be no place to cut in front of it.
                if words.starts_with("```") || words.contains(['\n', '\r', '|']) && in_table() {
                    continue;
                }
                let from = cuts.partition_point(|cut| *cut <= part.span.start);
                let is_cut = cuts.get(from).is_some_and(|cut| ((*cut - part.span.start) as usize) < words.len());
                assert!(!is_cut || self.size(words) + 2 > self.budget() / 2, "{words:?} is cut");
            }
        }
    }

    /// The last chunk, and only that, ends the document.
    fn reasons(&self) {
        for (index, row) in self.chunks.rows.iter().enumerate() {
            let is_last = index + 1 == self.chunks.rows.len();
            assert_eq!(row.reason == SplitReason::DocumentEnd, is_last, "{row:?}");
            let target = self.settings.target_tokens.is_some();
            assert!(target || row.reason != SplitReason::Target, "{row:?}");
        }
    }
}
