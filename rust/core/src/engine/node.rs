//! The tree that prose is cut along: blocks, their parts, sentences.

use super::{Measure, Packer};
use crate::block::{Block, BlockKind, Part, PartKind};
use crate::sentence::{self, LineEnds};
use crate::span::Span;
use crate::text::{
    back_to_line_start, begins_closing, begins_fence, is_blank, is_indent, is_quote_indent, lines, skip_white, trim_end,
};

/// How a node may be cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeKind {
    /// In front of the blocks inside it.
    Container,
    /// Into sentences; keeps to what follows it if it leads in.
    Paragraph,
    /// Into sentences.
    Text,
    /// Into lines.
    Math,
    /// Into pieces with a fence of their own.
    Code,
    /// Into pieces with a header of their own.
    Table,
    /// Only by windows.
    Unit,
    /// Only by windows; the line of a formula, no overlap begins with it.
    Line,
    /// A window: not again.
    Window,
    /// Plain text, cut into paragraphs.
    Paragraphs,
    /// Running text, cut into lines.
    Lines,
    /// Cut into lines if it has to be, never to stay with a heading.
    Block,
    /// Cut into lines; a line in front may lead in to it.
    Items,
    /// Cut into sentences.
    Sentences,
    /// Cut into clauses.
    Sentence,
    /// Only by windows; no overlap begins with it.
    Clause,
    /// Cut behind the first separator from this place in the list on.
    Pieces(u16),
    /// Pieces behind the separator at this place in the list, placed one after the other.
    Rest(u16),
    /// Lines of headings that stay with what follows.
    Shown,
    /// No text: a block that had to be cut ends here.
    EndOfBlock,
}

/// A node, with the parts that lie in it (for code: from its own part on; else from its first child on).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    pub(super) span: Span,
    pub(super) parts: Span,
}

impl<M: Measure> Packer<'_, M> {
    /// A block of a section whose blocks are cut by lines.
    pub(super) fn line_node(&self, index: usize) -> Node {
        let block = &self.document.blocks[index];
        let kind = match block.kind {
            BlockKind::Code => NodeKind::Code,
            BlockKind::Table => NodeKind::Table,
            BlockKind::List => NodeKind::Items,
            BlockKind::Paragraph if !self.policy.wholes.get(index).is_some_and(|whole| *whole) => NodeKind::Lines,
            _ => NodeKind::Block,
        };
        Node { kind, span: block.span, parts: block.parts }
    }

    pub(super) fn block_node(&self, block: &Block) -> Node {
        let kind = match block.kind {
            BlockKind::Math => NodeKind::Math,
            BlockKind::Paragraph => NodeKind::Paragraph,
            _ => NodeKind::Text,
        };
        let kind = self.container_or(kind, block.parts);
        self.innermost(Node { kind, span: block.span, parts: block.parts })
    }

    /// A container with one child only is that child, however deep.
    fn innermost(&self, mut node: Node) -> Node {
        while node.kind == NodeKind::Container {
            let mut inside = self.block_parts(node.parts);
            let (Some((only, _)), None) = (inside.next(), inside.next()) else { break };
            let child = self.part_node(only, node.span);
            if !self.rest_behind(only, child).is_empty() {
                break;
            }
            node = child;
        }
        node
    }

    /// What stands behind the end of code or a table in its tile, if that is more than white space.
    fn rest_behind(&self, part: u32, node: Node) -> Span {
        let own_end = self.document.parts[part as usize].span.end.clamp(node.span.start, node.span.end);
        let rest = Span { start: own_end, end: node.span.end };
        let carries = matches!(node.kind, NodeKind::Code | NodeKind::Table);
        if carries && !is_blank(self.text, rest) { rest } else { Span { start: node.span.end, end: node.span.end } }
    }

    fn part_node(&self, at: u32, span: Span) -> Node {
        let part = self.document.parts[at as usize];
        let inside = Span { start: at + 1, end: part.next };
        let (kind, parts) = match part.kind {
            PartKind::Fenced | PartKind::Indented => (NodeKind::Code, Span { start: at, end: part.next }),
            PartKind::Table => (NodeKind::Table, inside),
            PartKind::Paragraph => (NodeKind::Paragraph, inside),
            PartKind::Math => (NodeKind::Math, inside),
            _ => (self.container_or(NodeKind::Text, inside), inside),
        };
        Node { kind, span, parts }
    }

    fn container_or(&self, kind: NodeKind, parts: Span) -> NodeKind {
        if self.block_parts(parts).next().is_some() { NodeKind::Container } else { kind }
    }

    /// Nested code and tables of a node, each with the lines that it stands on.
    pub(super) fn nested_blocks(&self, node: Node) -> Vec<(Span, Node)> {
        let blocks = self
            .block_parts(node.parts)
            .filter(|(_, part)| matches!(part.kind, PartKind::Fenced | PartKind::Indented | PartKind::Table));
        let mut covered = node.span.start;
        let mut nested = Vec::new();
        for (index, part) in blocks {
            let start = back_to_line_start(self.text, part.span.start as usize, is_quote_indent) as u32;
            let span = trim_end(self.text, Span { start: start.max(covered), end: part.span.end.min(node.span.end) });
            if span.start < span.end {
                covered = span.end;
                nested.push((span, self.part_node(index, span)));
            }
        }
        nested
    }

    /// The outermost parts in a range that are blocks, with their indices.
    fn block_parts(&self, range: Span) -> impl Iterator<Item = (u32, &Part)> {
        let mut at = range.start;
        std::iter::from_fn(move || {
            while at < range.end {
                let index = at;
                let part = &self.document.parts[index as usize];
                at = part.next.max(index + 1);
                if part.kind.is_block() {
                    return Some((index, part));
                }
            }
            None
        })
    }

    /// Appends the children of a node in order; none if it can only be cut by windows.
    pub(super) fn children(&mut self, node: Node, children: &mut Vec<Node>) {
        let first = children.len();
        match node.kind {
            NodeKind::Container => self.tiles(node, children),
            NodeKind::Paragraph | NodeKind::Text => self.sentences(node, children),
            NodeKind::Math => self.text_lines(node, children),
            NodeKind::Code | NodeKind::Table | NodeKind::Unit | NodeKind::Line | NodeKind::Window => {}
            _ => return self.plain_children(node, children),
        }
        if node.kind != NodeKind::Container && children.len() == first + 1 {
            children.truncate(first);
        }
    }

    fn tiles(&self, node: Node, children: &mut Vec<Node>) {
        let mut open: Option<(u32, u32)> = None;
        for (index, part) in self.block_parts(node.parts) {
            // White space that Markdown takes for text, at the end of the container.
            if part.span.start >= node.span.end {
                break;
            }
            let start = match open {
                None => node.span.start,
                Some(_) => back_to_line_start(self.text, part.span.start as usize, is_quote_indent) as u32,
            };
            if let Some((previous, from)) = open {
                self.tile(previous, Span { start: from, end: start }, children);
            }
            open = Some((index, start));
        }
        if let Some((last, from)) = open {
            self.tile(last, Span { start: from, end: node.span.end }, children);
        }
    }

    fn tile(&self, part: u32, span: Span, children: &mut Vec<Node>) {
        if is_blank(self.text, span) {
            return;
        }
        let mut node = self.part_node(part, trim_end(self.text, span));
        let rest = self.rest_behind(part, node);
        if rest.is_empty() {
            children.push(self.innermost(node));
            return;
        }
        node.span = trim_end(self.text, Span { end: rest.start, ..node.span });
        children.push(node);
        let first = skip_white(self.text, rest.start as usize, rest.end as usize);
        let start = back_to_line_start(self.text, first, is_indent).max(rest.start as usize);
        children.push(Node {
            kind: NodeKind::Text,
            span: Span { start: start as u32, ..rest },
            parts: Span::default(),
        });
    }

    fn text_lines(&self, node: Node, children: &mut Vec<Node>) {
        let text = self.text;
        let units = lines(text, node.span).filter(|line| !is_blank(text, *line)).map(|line| trim_end(text, line));
        children.extend(units.map(|span| Node { kind: NodeKind::Line, span, parts: node.parts }));
    }

    fn sentences(&self, node: Node, children: &mut Vec<Node>) {
        let mut ends = Vec::new();
        sentence::ends(&self.text[node.span.range()], LineEnds::Break, &mut ends);
        let mut atoms = self.atoms(node.parts, node.span).peekable();
        let mut start = node.span.start;
        for end in ends {
            let end = node.span.start + end;
            while atoms.next_if(|atom| atom.end <= end).is_some() {}
            let inside = atoms.peek().is_some_and(|atom| atom.start < end);
            if end < node.span.end && (inside || self.clings(end as usize, node.span.end as usize)) {
                continue;
            }
            let span = Span { start, end };
            start = end;
            if !is_blank(self.text, span) {
                children.push(Node {
                    kind: NodeKind::Unit,
                    span: self.sentence_span(span, node.span.start),
                    parts: node.parts,
                });
            }
        }
    }

    /// A sentence without white space around it, but with the indentation of its line.
    fn sentence_span(&self, span: Span, floor: u32) -> Span {
        let first = skip_white(self.text, span.start as usize, span.end as usize);
        let start = if first == span.start as usize {
            first
        } else {
            back_to_line_start(self.text, first, is_indent).max(span.start as usize).max(floor as usize)
        };
        trim_end(self.text, Span::new(start, span.end as usize))
    }

    /// Whether the text at `at` should not begin a chunk.
    fn clings(&self, at: usize, end: usize) -> bool {
        let at = skip_white(self.text, at, end);
        begins_fence(self.text, at) || begins_closing(self.text, at)
    }

    /// The atoms in a range of parts that overlap a span, in order.
    pub(super) fn atoms(&self, parts: Span, span: Span) -> impl Iterator<Item = Span> + Clone {
        let parts = &self.document.parts[parts.range()];
        let from = parts.partition_point(|part| part.span.start < span.start);
        let parts = &parts[from..];
        parts
            .iter()
            .take_while(move |part| part.span.start < span.end)
            .filter(|part| part.kind == PartKind::Atom)
            .map(|part| part.span)
    }
}

impl<M: Measure> Packer<'_, M> {
    /// The last atom in a range of parts that begins in front of `place`. (Atoms are not nested, so no other can hold the place.)
    pub(super) fn atom_at(&self, parts: Span, place: usize) -> Option<Span> {
        if self.policy.is_plain() {
            return self.plain_atom_at(place);
        }
        let parts = &self.document.parts[parts.range()];
        let to = parts.partition_point(|part| (part.span.start as usize) < place);
        parts[..to].last().filter(|part| part.kind == PartKind::Atom).map(|part| part.span)
    }
}
