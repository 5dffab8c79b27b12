//! Documents whose blocks another parser has made.

use std::collections::HashMap;
use std::fmt;

use super::assemble::path_above;
use super::lex;
use crate::block::{Block, BlockKind, BoundingBox, Document, Part, PartKind, Path, Place, Supplement, Unclosed};
use crate::span::Span;
use crate::text::trim_end;

/// A block as another parser gives it.
#[derive(Clone, Debug)]
pub struct ReadyBlock {
    /// What it is.
    pub kind: BlockKind,
    /// Its text.
    pub text: String,
    /// Level of a heading (1 if it is not known).
    pub level: Option<u8>,
    /// Headings above it (for a heading, its own text may come last), if they do not follow from the heading blocks in front.
    pub heading_path: Option<Vec<String>>,
    /// Where it is in the source file.
    pub place: Place,
    /// Box on a page.
    pub bbox: Option<BoundingBox>,
    /// What an image shows.
    pub description: Option<String>,
    /// Language of code.
    pub language: Option<String>,
}

/// A block whose text cannot be found in the document's text, behind the block in front of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotInText {
    /// Index of the block.
    pub block: usize,
}

impl fmt::Display for NotInText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the text of block {} does not occur in the document's text behind the block in front of it: give no text, or blocks whose text is a part of it",
            self.block
        )
    }
}

impl std::error::Error for NotInText {}

/// The text of a document made of blocks alone: theirs, joined by a blank line.
#[must_use]
pub fn joined(blocks: &[ReadyBlock]) -> String {
    blocks.iter().map(|b| b.text.as_str()).collect::<Vec<_>>().join("\n\n")
}

/// Makes a document of ready blocks, whose texts stand in `text` in order.
///
/// # Errors
/// If a block's text is not there.
pub fn read(text: &str, blocks: &[ReadyBlock]) -> Result<Document, NotInText> {
    let mut reader = Reader {
        text,
        document: Document { paths: vec![Path::default()], places: vec![Place::default()], ..Document::default() },
        places: HashMap::from([(Place::default(), 0)]),
        paths: HashMap::new(),
        path: 0,
    };
    let mut at = 0;
    for (index, block) in blocks.iter().enumerate() {
        let found = text[at..].find(block.text.as_str()).ok_or(NotInText { block: index })?;
        let span = Span::new(at + found, at + found + block.text.len());
        at = span.end as usize;
        reader.block(block, span);
    }
    Ok(reader.document)
}

struct Reader<'a> {
    text: &'a str,
    document: Document,
    places: HashMap<Place, u32>,
    /// Paths given as lists of texts.
    paths: HashMap<(u32, String), u32>,
    path: u32,
}

impl Reader<'_> {
    fn block(&mut self, ready: &ReadyBlock, span: Span) {
        let span = trim_end(self.text, span);
        if span.is_empty() {
            return;
        }
        let inner = lex(&ready.text);
        let level = if ready.kind == BlockKind::Heading { self.heading(ready, &inner) } else { 0 };
        let path = match &ready.heading_path {
            Some(own) if level == 0 => self.intern(own),
            _ => self.path,
        };
        let from = self.document.parts.len();
        match ready.kind {
            BlockKind::Code => self.code(&inner, span),
            BlockKind::Table => self.table(&inner, span.start),
            _ => self.nested(&inner, span.start),
        }
        let index = self.document.blocks.len() as u32;
        let place = self.place(&ready.place);
        let parts = Span::new(from, self.document.parts.len());
        self.document.blocks.push(Block { kind: ready.kind, level, span, parts, path, place });
        if ready.bbox.is_some() || ready.description.is_some() || ready.language.is_some() {
            self.document.supplements.push(Supplement {
                block: index,
                bbox: ready.bbox,
                description: ready.description.clone(),
                language: ready.language.clone(),
            });
        }
    }

    fn heading(&mut self, ready: &ReadyBlock, inner: &Document) -> u8 {
        let (lexed, text) = match &inner.blocks[..] {
            [Block { kind: BlockKind::Heading, level, path, .. }] => (*level, inner.title(*path).to_owned()),
            _ => (1, ready.text.split_whitespace().collect::<Vec<_>>().join(" ")),
        };
        let level = ready.level.unwrap_or(lexed).max(1);
        let Some(given) = &ready.heading_path else {
            self.path = path_above(&self.document, self.path, level);
            if !text.is_empty() {
                self.path = self.document.add_path(self.path, level, &text);
            }
            return level;
        };
        let mut path = given.clone();
        if path.last() != Some(&text) {
            path.push(text);
        }
        self.path = self.intern(&path);
        self.document.paths[self.path as usize].level
    }

    /// The path of a list of texts; equal lists have one path.
    fn intern(&mut self, texts: &[String]) -> u32 {
        let mut path = 0;
        for (depth, text) in texts.iter().enumerate() {
            path = *self.paths.entry((path, text.clone())).or_insert_with(|| {
                let level = u8::try_from(depth + 1).unwrap_or(u8::MAX);
                self.document.add_path(path, level, text)
            });
        }
        path
    }

    fn place(&mut self, place: &Place) -> u32 {
        *self.places.entry(place.clone()).or_insert_with(|| {
            self.document.places.push(place.clone());
            self.document.places.len() as u32 - 1
        })
    }

    /// Fenced code keeps its fence; anything else is code without one, whatever it looks like.
    fn code(&mut self, inner: &Document, span: Span) {
        let from = self.document.parts.len() as u32;
        if let [block @ Block { kind: BlockKind::Code, .. }] = &inner.blocks[..]
            && inner.parts_of(block).first().is_some_and(|part| part.kind == PartKind::Fenced)
        {
            self.copy(inner.parts_of(block), block.parts.start, span.start);
            self.copy_unclosed(inner, span.start);
            return;
        }
        self.document.parts.push(Part { kind: PartKind::Indented, span, next: from + 1 });
    }

    fn table(&mut self, inner: &Document, shift: u32) {
        if let Some(block) = inner.blocks.iter().find(|block| block.kind == BlockKind::Table) {
            self.copy(inner.parts_of(block), block.parts.start, shift);
        }
    }

    /// The parts of a block that is one block of Markdown too; else its blocks become its parts.
    fn nested(&mut self, inner: &Document, shift: u32) {
        self.copy_unclosed(inner, shift);
        if let [block] = &inner.blocks[..] {
            self.copy(inner.parts_of(block), block.parts.start, shift);
            return;
        }
        for block in &inner.blocks {
            let kind = match block.kind {
                BlockKind::List => PartKind::List,
                BlockKind::Quote => PartKind::Quote,
                BlockKind::Table => PartKind::Table,
                BlockKind::Html => PartKind::Html,
                BlockKind::Heading => PartKind::Heading,
                BlockKind::Math => PartKind::Math,
                BlockKind::Code => {
                    self.copy(inner.parts_of(block), block.parts.start, shift);
                    continue;
                }
                _ => PartKind::Paragraph,
            };
            let at = self.document.parts.len();
            let span = Span { start: block.span.start + shift, end: block.span.end + shift };
            self.document.parts.push(Part { kind, span, next: 0 });
            self.copy(inner.parts_of(block), block.parts.start, shift);
            self.document.parts[at].next = self.document.parts.len() as u32;
        }
    }

    fn copy_unclosed(&mut self, inner: &Document, shift: u32) {
        let shifted = inner.unclosed.iter().map(|u| Unclosed { start: u.start + shift, end: u.end + shift });
        self.document.unclosed.extend(shifted);
    }

    fn copy(&mut self, parts: &[Part], first: u32, shift: u32) {
        let base = self.document.parts.len() as u32;
        self.document.parts.extend(parts.iter().map(|part| Part {
            kind: part.kind,
            span: Span { start: part.span.start + shift, end: part.span.end + shift },
            next: part.next - first + base,
        }));
    }
}
