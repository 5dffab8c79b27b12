//! Blocks under Markdown and weak headings, grouped by title path.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{Ids, Prepared, Sizing, Strategy};
use crate::block::{BlockKind, Document};
use crate::chunk::{Chunks, SizeUnit};
use crate::engine::{Policy, Units};
use crate::error::{ChunkError, SettingError};
use crate::section::Section;
use crate::span::Span;
use crate::structured::{self, BlockType, StructuredBlock};
use crate::text::is_blank;
use crate::tokens::Tokenizer;

pub(super) const NAME: &str = "structured";

/// Version of what the strategy does, as it stands in metadata.
const VERSION: &str = "structured_markdown_v1";

/// The structured strategy.
pub struct Structured {
    sizing: Sizing,
    least: u32,
    weak_headings: bool,
}

impl Structured {
    /// # Errors
    /// If the least size of a chunk is over the most.
    pub fn new(sizing: Sizing, min_chunk_chars: u32, weak_headings: bool) -> Result<Self, SettingError> {
        if min_chunk_chars > sizing.budget {
            let allowed = format!("from 0 to {}, the most that a chunk may have", sizing.budget);
            return Err(SettingError { setting: "min_chunk_chars", value: min_chunk_chars.to_string(), allowed });
        }
        Ok(Self { sizing, least: min_chunk_chars, weak_headings })
    }
}

impl Strategy for Structured {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> &'static str {
        VERSION
    }

    fn fingerprint(&self) -> String {
        let (least, weak) = (self.least.to_string(), self.weak_headings.to_string());
        self.sizing.fingerprint(NAME, VERSION, &[("min_chunk_chars", &least), ("weak_headings", &weak)])
    }

    fn unit(&self) -> SizeUnit {
        self.sizing.size_unit()
    }

    fn counter(&self) -> Option<&Tokenizer> {
        self.sizing.counter()
    }

    fn ids(&self) -> Ids {
        Ids::Index
    }

    fn has_blocks(&self) -> bool {
        true
    }

    fn lex(&self, text: &str) -> Prepared {
        prepared(structured::parse(text, self.weak_headings))
    }

    fn adapt(&self, text: &str, document: Arc<Document>) -> Prepared {
        prepared(structured::from_document(text, &document, self.weak_headings))
    }

    fn chunk(&self, text: &str, prepared: &Prepared, cancel: &AtomicBool) -> Result<Chunks, ChunkError> {
        let wholes = prepared.types.iter().map(|known| known.block_type == BlockType::Qa).collect();
        let least = self.least as usize;
        let policy = Policy { units: Units::Lines, wholes, least, ..self.sizing.policy() };
        let sections = sections(text, prepared);
        self.sizing.pack(text, &prepared.document, &sections, &policy, cancel)
    }
}

fn prepared(structured: structured::Structured) -> Prepared {
    Prepared { document: Arc::new(structured.document), types: structured.blocks }
}

/// Runs of blocks under one title path, each from the first of the headings directly in front that it must show; and headings that no chunk would name.
fn sections(text: &str, prepared: &Prepared) -> Vec<Section> {
    let (document, types) = (&*prepared.document, &prepared.types);
    let named = named_paths(document);
    let mut sections: Vec<Section> = Vec::new();
    let mut headings = 0..0;
    for (at, block) in document.blocks.iter().enumerate() {
        if block.kind == BlockKind::Heading {
            if headings.end != at || !follows(text, document, at) {
                leave(text, document, types, &named, headings.clone(), &mut sections);
                headings = at..at;
            }
            headings.end = at + 1;
            continue;
        }
        let is_first = sections.last().is_none_or(|section| section.blocks.end != at)
            || types[at].apart
            || !follows(text, document, at);
        if !is_first {
            if let Some(section) = sections.last_mut() {
                section.blocks.end = at + 1;
            }
            continue;
        }
        let mut start = at;
        if headings.end == at && follows(text, document, at) {
            let shown =
                headings.clone().find(|heading| types[*heading].shown && is_above(document, *heading, block.path));
            start = shown.unwrap_or(at);
        }
        leave(text, document, types, &named, headings.start..headings.end.min(start), &mut sections);
        headings = at..at;
        sections.push(Section { blocks: start..at + 1, path: block.path });
    }
    leave(text, document, types, &named, headings, &mut sections);
    sections
}

/// Whether a block stands directly behind the one before it, white space aside, in the same place.
fn follows(text: &str, document: &Document, at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| &document.blocks[before]) else { return true };
    let block = &document.blocks[at];
    before.place == block.place && is_blank(text, Span { start: before.span.end, end: block.span.start })
}

/// Headings that no section begins with are sections alone, if nothing else would say them.
fn leave(
    text: &str,
    document: &Document,
    types: &[StructuredBlock],
    named: &[bool],
    headings: std::ops::Range<usize>,
    sections: &mut Vec<Section>,
) {
    let mut last: Option<u32> = None;
    let mut alone = Vec::new();
    for at in headings.rev() {
        let path = document.blocks[at].path;
        // A later heading of the run that stands alone has those above it in its path.
        if is_empty(&text[document.blocks[at].span.range()]) {
            continue;
        }
        let said = named[path as usize] || last.is_some_and(|below| is_path_above(document, path, below));
        if types[at].shown || !said {
            last = Some(document.paths[path as usize].parent);
            alone.push(Section { blocks: at..at + 1, path: document.paths[path as usize].parent });
        }
    }
    sections.extend(alone.into_iter().rev());
}

/// Whether a heading has no text.
fn is_empty(heading: &str) -> bool {
    heading.trim_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '=' | '-')).is_empty()
}

/// For each path, whether a block that is no heading has it or one below it.
fn named_paths(document: &Document) -> Vec<bool> {
    let mut named = vec![false; document.paths.len()];
    for block in document.blocks.iter().filter(|block| block.kind != BlockKind::Heading) {
        let mut path = block.path as usize;
        while path != 0 && !named[path] {
            named[path] = true;
            path = document.paths[path].parent as usize;
        }
    }
    named
}

fn is_above(document: &Document, heading: usize, path: u32) -> bool {
    is_path_above(document, document.blocks[heading].path, path)
}

fn is_path_above(document: &Document, above: u32, mut path: u32) -> bool {
    while path > above {
        path = document.paths[path as usize].parent;
    }
    path == above
}
