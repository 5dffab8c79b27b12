//! A text read line by line, where it can be read in one way only; the parser reads the rest.
//!
//! The parser would take half of the time of chunking, although most of a document is plain: paragraphs, headings, closed fences, tables, lists and quotes of
//! these. Here they are read at a tenth of the cost ([`blocks`], [`containers`], then inlines for atoms), with exactly the parts that the parser would have. Whatever is in
//! doubt (a line that may be a setext heading, a tab in a list, a link with odd parts, a display formula) is a *region*: a stretch of lines ([`region`]) that the parser reads by itself, as
//! nothing in front of it is open where it begins. Only definitions reach across regions. Where one may stand in a region, the parser
//! reads the whole text.

mod blocks;
mod containers;
mod definitions;
mod html;
mod levels;
mod lines;
mod region;
mod table;

use memchr::memchr2;

use self::blocks::{Blocks, Node, NodeKind};
use super::Raw;
use super::events::{self, Nodes};
use super::inlines::{Leaf, Scanner};
use super::mask::Mask;
use crate::block::{BlockKind, Part, PartKind};
use crate::span::Span;

/// The nodes of a text; none if the parser has to read all of it.
pub(super) fn read(text: &str, mask: &Mask<'_>) -> Option<Nodes> {
    // Vertical tabs are blanks to the parser, and it has its own mind about U+0000.
    let is_odd = mask.bits.odd && memchr2(b'\0', b'\x0b', mask.text.as_bytes()).is_some();
    if is_odd {
        return None;
    }
    let blocks = Blocks::of(mask)?;
    let nodes = Nodes {
        raws: Vec::with_capacity(blocks.nodes.len()),
        parts: Vec::with_capacity(blocks.parts.len() + text.len() / 64 + 16),
        titles: String::with_capacity(text.len() / 16),
        ..Nodes::default()
    };
    let mut reader = Reader { text, mask, nodes, blocks, scanner: Scanner::default(), moved: Vec::new() };
    for at in 0..reader.blocks.nodes.len() {
        let node = reader.blocks.nodes[at];
        if !reader.node(node) {
            reader.region(node.span)?;
        }
    }
    (!reader.blocks.labels.is_exhausted()).then_some(reader.nodes)
}

/// The stretches of a text that are left to the parser for their blocks.
#[cfg(test)]
pub(super) fn regions(mask: &Mask<'_>) -> Option<Vec<Span>> {
    let blocks = Blocks::of(mask)?;
    Some(blocks.nodes.iter().filter(|node| node.kind == NodeKind::Region).map(|node| node.span).collect())
}

struct Reader<'a, 't> {
    text: &'a str,
    mask: &'a Mask<'t>,
    nodes: Nodes,
    blocks: Blocks<'a>,
    scanner: Scanner,
    /// Where the parts of a container are now.
    moved: Vec<u32>,
}

impl Reader<'_, '_> {
    /// Leaves a stretch to the parser.
    fn region(&mut self, span: Span) -> Option<()> {
        let source = &self.mask.text[span.range()];
        if (span.end as usize) < self.mask.text.len() && has_empty_item_in_quote(source.as_bytes()) {
            return None;
        }
        self.blocks.labels.spend_region(source);
        events::read_region(self.text, self.mask, span, &self.blocks.labels, &mut self.nodes)
    }

    /// Adds a node and its parts; false, and nothing is added, if its inlines are in doubt.
    fn node(&mut self, node: Node) -> bool {
        let (parts, raws, markers) = (self.nodes.parts.len(), self.nodes.raws.len(), self.nodes.nested_markers.len());
        let is_certain = match node.kind {
            NodeKind::Region => false,
            _ if self.has_formula(node.span) => false,
            NodeKind::Code | NodeKind::List | NodeKind::Quote | NodeKind::Table if self.has_page(node.span) => false,
            NodeKind::Heading(level) => self.heading(node.span, level),
            NodeKind::Paragraph => self.paragraph(node.span),
            NodeKind::Html => self.raw(BlockKind::Html, node.span, parts),
            NodeKind::Rule => self.raw(BlockKind::ThematicBreak, node.span, parts),
            NodeKind::Code => {
                let next = parts as u32 + 1;
                self.nodes.parts.push(Part { kind: PartKind::Fenced, span: node.span, next });
                self.raw(BlockKind::Code, node.span, parts)
            }
            NodeKind::List => self.container(BlockKind::List, node),
            NodeKind::Quote => self.container(BlockKind::Quote, node),
            NodeKind::Table => self.table(node),
        };
        if !is_certain {
            self.nodes.parts.truncate(parts);
            self.nodes.raws.truncate(raws);
            self.nodes.nested_markers.truncate(markers);
        }
        is_certain
    }

    /// Whether a display formula begins in a span. The parser sees letters there.
    fn has_formula(&self, span: Span) -> bool {
        !self.mask.formulas_in(span).is_empty()
    }

    /// Whether a page ends in a span, with or without a line of the source.
    fn has_page(&self, span: Span) -> bool {
        let feeds = &self.mask.feeds;
        feeds.get(feeds.partition_point(|at| *at < span.start)).is_some_and(|at| *at < span.end)
    }

    /// Adds a node whose parts begin at `parts`.
    fn raw(&mut self, kind: BlockKind, span: Span, parts: usize) -> bool {
        let parts = Span::new(parts, self.nodes.parts.len());
        self.nodes.raws.push(Raw { kind, level: 0, span, parts, words: Span::default() });
        true
    }

    fn scan(&mut self, span: Span, quoted: bool) -> Option<Leaf> {
        self.scanner.scan(self.mask, span, &self.blocks.labels, quoted, &mut self.nodes.parts).ok()
    }

    fn heading(&mut self, span: Span, level: u8) -> bool {
        let parts = self.nodes.parts.len();
        let bytes = self.mask.text.as_bytes();
        let content = lines::skip_blanks(bytes, span.start as usize + usize::from(level));
        let words = self.nodes.titles.len();
        if !lines::is_end(bytes, content) {
            let labels = &self.blocks.labels;
            match self.scanner.scan_heading(self.mask, content, labels, &mut self.nodes.parts) {
                Ok(words) => self.nodes.titles.push_str(&words),
                Err(_) => return false,
            }
        }
        self.raw(BlockKind::Heading, span, parts);
        if let Some(raw) = self.nodes.raws.last_mut() {
            (raw.level, raw.words) = (level, Span::new(words, self.nodes.titles.len()));
        }
        true
    }

    fn paragraph(&mut self, span: Span) -> bool {
        let parts = self.nodes.parts.len();
        let content = Span::new(span.start as usize, self.blocks.trimmed(span));
        let Some(leaf) = self.scan(content, false) else { return false };
        let kind = if leaf.images > 0 && !leaf.others { BlockKind::Image } else { BlockKind::Paragraph };
        self.raw(kind, span, parts)
    }

    /// A list or quote: its parts, each paragraph and row with its atoms.
    fn container(&mut self, kind: BlockKind, node: Node) -> bool {
        let first = self.nodes.parts.len();
        let mut quoted_to = if kind == BlockKind::Quote { u32::MAX } else { 0 };
        let mut columns = 0;
        self.moved.clear();
        for at in node.parts.range() {
            let part = self.blocks.parts[at];
            self.moved.push(self.nodes.parts.len() as u32);
            self.nodes.parts.push(part);
            let is_certain = match part.kind {
                PartKind::Paragraph => {
                    let content = Span::new(part.span.start as usize, self.blocks.trimmed(part.span));
                    self.scan(content, (at as u32) < quoted_to).is_some()
                }
                PartKind::Head | PartKind::Row => self.row(part, &mut columns),
                PartKind::Html => {
                    self.page_marker(part.span);
                    true
                }
                PartKind::Quote => {
                    quoted_to = quoted_to.max(part.next);
                    true
                }
                _ => true,
            };
            if !is_certain {
                return false;
            }
        }
        self.close_moved(node.parts.start);
        self.raw(kind, node.span, first)
    }

    /// Tells the parts of a container, the first of which was at `first`, where those stand now that follow them.
    fn close_moved(&mut self, first: u32) {
        let end = self.nodes.parts.len() as u32;
        for at in &self.moved {
            let next = &mut self.nodes.parts[*at as usize].next;
            *next = self.moved.get((*next - first) as usize).copied().unwrap_or(end);
        }
    }

    /// An HTML block in a container may be a page marker.
    fn page_marker(&mut self, span: Span) {
        let page = super::page_marker(&self.text[span.range()]);
        self.nodes.nested_markers.extend(page.map(|page| (span, page)));
    }

    /// A table: its rows, each with its atoms.
    fn table(&mut self, node: Node) -> bool {
        let first = self.nodes.parts.len();
        let mut columns = 0;
        for at in node.parts.range() {
            let row = self.nodes.parts.len();
            let part = self.blocks.parts[at];
            self.nodes.parts.push(part);
            if !self.row(part, &mut columns) {
                return false;
            }
            self.nodes.parts[row].next = self.nodes.parts.len() as u32;
        }
        self.raw(BlockKind::Table, node.span, first)
    }

    /// The atoms of a row: of as many cells as the header row has, the row in front of all others.
    fn row(&mut self, row: Part, columns: &mut usize) -> bool {
        let bytes = self.mask.text.as_bytes();
        if row.kind == PartKind::Head {
            *columns = table::cell_count(&bytes[row.span.range()]).unwrap_or(0);
        }
        table::cells(bytes, row.span).take(*columns).all(|cell| cell.is_empty() || self.scan(cell, false).is_some())
    }
}

/// Whether a line is made of marks of containers, one of a quote among them, and ends with another one: an empty item in a quote. Where the quote is over,
/// the parser may take an item around it for this one, so that what is behind the region tells how it is read.
fn has_empty_item_in_quote(region: &[u8]) -> bool {
    region
        .split(|b| *b == b'\n')
        .map(lines::trimmed)
        .any(|line| line.contains(&b'>') && !line.ends_with(b">") && line.iter().all(|b| lines::is_of_container(*b)))
}
