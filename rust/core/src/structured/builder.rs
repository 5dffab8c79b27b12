//! Blocks with their title paths, from a lexed document.

use std::mem::take;

use super::forms::Form;
use super::group::Group;
use super::lines::{Line, Reading};
use super::parts::{clip, copy, copy_flat};
use super::ranks::Ranks;
use super::steps::{self, Titles};
use super::titles::{Title, colon_title, marked_title};
use super::{BlockType, Structured, StructuredBlock, is_numbered};
use crate::block::{Block, BlockKind, Document, Part, Supplement};
use crate::span::Span;
use crate::text::{back_to_line_start, is_blank, is_indent};

pub(super) struct Builder<'a> {
    text: &'a str,
    weak_headings: bool,
    /// The blocks, parts and supplements of the lexed document.
    blocks: Vec<Block>,
    parts: Vec<Part>,
    supplements: Vec<Supplement>,
    /// How many supplements lie behind.
    supplemented: usize,
    /// What is made of them; its paths are those of the lexed document, and behind them those of weak headings.
    made: Structured,
    /// How many paths the lexed document has.
    marked_paths: u32,
    /// The path of the last block in the lexed document.
    marked_path: u32,
    /// Its path with weak headings.
    path: u32,
    ranks: Ranks,
    /// Something dropped stands in front of the next block.
    dropped: bool,
    titles: Titles,
    lines: Vec<Line>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(text: &'a str, mut document: Document, weak_headings: bool) -> Self {
        let (blocks, parts) = (take(&mut document.blocks), take(&mut document.parts));
        let supplements = take(&mut document.supplements);
        document.parts.reserve(parts.len());
        document.blocks.reserve(blocks.len());
        let deepest = document.paths.iter().map(|path| path.level).max().unwrap_or(0);
        Self {
            text,
            weak_headings,
            parts,
            supplements,
            supplemented: 0,
            marked_paths: document.paths.len() as u32,
            marked_path: 0,
            path: 0,
            ranks: Ranks::below(deepest.max(6)),
            dropped: false,
            titles: Titles::default(),
            lines: Vec::new(),
            made: Structured { document, blocks: Vec::with_capacity(blocks.len()) },
            blocks,
        }
    }

    pub(super) fn build(mut self) -> Structured {
        let mut at = 0;
        while let Some(block) = self.blocks.get(at).copied() {
            let end = self.stretch_end(at);
            if block.kind.is_dropped() {
                self.dropped = true;
            } else if end > at {
                self.stretch(at, end);
            } else {
                self.keep(at, &block);
            }
            at = end.max(at + 1);
        }
        self.made
    }

    /// Behind the last block of the stretch that begins at a block.
    fn stretch_end(&self, start: usize) -> usize {
        let mut end = start;
        while let Some(block) = self.blocks.get(end)
            && matches!(block.kind, BlockKind::Paragraph | BlockKind::List)
            && (end == start || self.continues(&self.blocks[end - 1], block))
        {
            end += 1;
        }
        end
    }

    fn continues(&self, before: &Block, block: &Block) -> bool {
        before.place == block.place
            && before.path == block.path
            && before.span.end <= block.span.start
            && is_blank(self.text, Span { start: before.span.end, end: block.span.start })
    }

    fn keep(&mut self, index: usize, block: &Block) {
        let from = self.made.document.parts.len();
        copy(&self.parts, block.parts, &mut self.made.document.parts);
        let parts = Span::new(from, self.made.document.parts.len());
        self.enter(block);
        self.supplement(index, true);
        let (block_type, level) = match block.kind {
            BlockKind::Heading => (BlockType::Heading, block.level),
            _ => (BlockType::Paragraph, 0),
        };
        self.push(Block { parts, path: self.path, ..*block }, block_type, level, None);
    }

    /// Takes the weak headings off the path where Markdown's path changes.
    fn enter(&mut self, block: &Block) {
        if block.kind == BlockKind::Heading || block.path != self.marked_path {
            self.marked_path = block.path;
            self.path = block.path;
        }
    }

    fn stretch(&mut self, start: usize, end: usize) {
        let first = self.blocks[start];
        let span = Span { start: first.span.start, end: self.blocks[end - 1].span.end };
        self.enter(&first);
        let mut part = self.made.document.parts.len();
        for block in &self.blocks[start..end] {
            copy_flat(self.text, &self.parts, block.parts, &mut self.made.document.parts);
        }
        let following = self.blocks[end..].iter().find(|block| !block.kind.is_dropped());
        let reading = Reading {
            text: self.text,
            span,
            weak_headings: self.weak_headings,
            followed: following.is_some_and(|block| block.kind != BlockKind::Heading),
        };
        let mut lines = take(&mut self.lines);
        reading.lines(&self.made.document.parts, part, &mut lines);
        let group = Group { reading, lines: &lines };
        let (mut at, mut source) = (0, start);
        while at < lines.len() {
            let (block_type, next) = group.block(at);
            let covered = &lines[at..next];
            let block = self.cut(covered, &first, part);
            while self.blocks[source].span.end <= block.span.start {
                source += 1;
            }
            self.supplement(source, self.blocks[source].span.start >= block.span.start);
            part = block.parts.end as usize;
            self.add(block, block_type, covered);
            at = next;
        }
        self.lines = lines;
    }

    /// The block of some lines, with parts from `part` on.
    fn cut(&mut self, lines: &[Line], source: &Block, part: usize) -> Block {
        let (first, end) = (lines[0].first as usize, lines[lines.len() - 1].end as usize);
        let start = back_to_line_start(self.text, first, is_indent).max(source.span.start as usize);
        let span = Span::new(start, end);
        let parts = Span::new(part, clip(&mut self.made.document.parts, part, span));
        Block { kind: BlockKind::Paragraph, level: 0, span, parts, path: self.path, place: source.place }
    }

    fn add(&mut self, block: Block, block_type: BlockType, lines: &[Line]) {
        match block_type {
            BlockType::Heading => self.weak_heading(block, &lines[0]),
            BlockType::List => {
                let is_steps = is_numbered(lines)
                    && (self.titles.are_instructive(&self.made.document, self.path)
                        || steps::is_instructive(&self.text[block.span.range()]));
                let block_type = if is_steps { BlockType::Steps } else { BlockType::List };
                self.push(Block { kind: BlockKind::List, ..block }, block_type, 0, None);
            }
            _ => self.push(block, block_type, 0, None),
        }
    }

    fn weak_heading(&mut self, block: Block, line: &Line) {
        let seen = line.seen(self.text);
        let title = if line.is_marked_heading() { marked_title(seen) } else { colon_title(seen, line.mark) };
        let Some(title) = title else { return self.push(block, BlockType::Paragraph, 0, None) };
        let level = self.ranks.level(title.form);
        let paths = &self.made.document.paths;
        while self.path >= self.marked_paths && paths[self.path as usize].level >= level {
            self.path = paths[self.path as usize].parent;
        }
        self.path = self.made.document.add_path(self.path, level, &seen[title.text.clone()]);
        let block = Block { kind: BlockKind::Heading, level, path: self.path, ..block };
        self.push(block, BlockType::Heading, title.form.level(), Some((&title, line)));
    }

    fn push(&mut self, block: Block, block_type: BlockType, level: u8, title: Option<(&Title, &Line)>) {
        let before = self.made.document.blocks.last();
        let apart = self.dropped || before.is_some_and(|b| b.kind == BlockKind::Heading || b.place != block.place);
        self.dropped = false;
        let marker = title.map_or_else(Span::default, |(title, line)| {
            let first = line.first as usize;
            Span::new(first + title.marker.start, first + title.marker.end)
        });
        let weak = title.is_some();
        let shown = title.is_some_and(|(title, _)| title.form != Form::Colon);
        self.made.document.blocks.push(block);
        self.made.blocks.push(StructuredBlock { block_type, level, marker, weak, shown, apart });
    }

    /// Passes on what a parser knows of a block of the lexed document to the block that is pushed next; all but the box only to the first made of it.
    fn supplement(&mut self, index: usize, is_first: bool) {
        let of = |supplement: &Supplement| supplement.block as usize;
        while self.supplements.get(self.supplemented).is_some_and(|supplement| of(supplement) < index) {
            self.supplemented += 1;
        }
        if let Some(supplement) = self.supplements.get(self.supplemented).filter(|supplement| of(supplement) == index) {
            let block = self.made.document.blocks.len() as u32;
            let whole = if is_first {
                supplement.clone()
            } else {
                Supplement { bbox: supplement.bbox, ..Supplement::default() }
            };
            self.made.document.supplements.push(Supplement { block, ..whole });
        }
    }
}
