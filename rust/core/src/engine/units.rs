//! The units of text without parts: paragraphs, lines, sentences, clauses, pieces between separators.

use memchr::{memchr, memchr3, memrchr2};

use super::node::{Node, NodeKind};
use super::{Measure, NOTHING, Packer, Separator, Units};
use crate::plain::atoms::atoms;
use crate::plain::paragraphs::paragraph_ends;
use crate::sentence::{self, LineEnds};
use crate::span::Span;
use crate::text::{
    back_to_line_start, begins_closing, char_at, is_blank, is_cluster_start, is_indent, line_end, lines, skip_white,
    trim_end,
};

impl<M: Measure> Packer<'_, M> {
    /// The node of a whole section of plain text.
    pub(super) fn plain_node(&self, span: Span) -> Node {
        let kind = match self.policy.units {
            Units::Paragraphs => NodeKind::Paragraphs,
            Units::Separators(_) => NodeKind::Pieces(0),
            _ => NodeKind::Sentences,
        };
        Node { kind, span, parts: Span::default() }
    }

    /// Whether a node counts for the limit of units, and stays whole where sizes are soft.
    pub(super) fn is_whole_unit(&self, kind: NodeKind) -> bool {
        match self.policy.units {
            Units::Sentences => kind == NodeKind::Sentence,
            Units::Paragraphs => kind == NodeKind::Lines,
            _ => false,
        }
    }

    /// Whether a node may be in a chunk: where units are counted or a chunk may have to end between them, only they and what is in them.
    pub(super) fn is_placeable(&self, kind: NodeKind) -> bool {
        let policy = self.policy;
        let counts = policy.most_units.is_some() || !policy.falls.is_empty();
        !(counts
            && matches!((&policy.units, kind), (Units::Sentences, NodeKind::Sentences) | (_, NodeKind::Paragraphs)))
    }

    /// Appends the children of a node of plain text.
    pub(super) fn plain_children(&mut self, node: Node, children: &mut Vec<Node>) {
        if self.policy.soft && self.is_whole_unit(node.kind) {
            return;
        }
        let mut places = Vec::new();
        match node.kind {
            NodeKind::Paragraphs => {
                paragraph_ends(self.text, node.span, &mut places);
                self.pieces_at(node, &places, NodeKind::Lines, children);
            }
            NodeKind::Lines | NodeKind::Items | NodeKind::Block => self.line_children(node, children),
            NodeKind::Sentences => {
                sentence::ends(&self.text[node.span.range()], LineEnds::Soft, &mut places);
                for place in &mut places {
                    *place += node.span.start;
                }
                self.pieces_at(node, &places, NodeKind::Sentence, children);
            }
            NodeKind::Sentence => {
                clause_ends(self.text, node.span, &mut places);
                self.at_least_two(node, &places, NodeKind::Clause, children);
            }
            NodeKind::Pieces(level) => {
                self.separated(node, level, children);
            }
            _ => {}
        }
    }

    /// Lines; a nested part that has its own way of being cut is a node by itself.
    fn line_children(&mut self, node: Node, children: &mut Vec<Node>) {
        let mut at = node.span.start;
        let nested: Vec<(Span, Node)> = if self.policy.is_plain() { Vec::new() } else { self.nested_blocks(node) };
        let end = Span { start: node.span.end, end: node.span.end };
        let last = (end, Node { span: end, ..node });
        for (covered, block) in nested.into_iter().chain([last]) {
            let between = Node { span: Span { start: at, end: covered.start.max(at) }, ..node };
            let places: Vec<u32> = lines(self.text, between.span).map(|line| line.end).collect();
            self.pieces_at(between, &places, NodeKind::Sentences, children);
            if !block.span.is_empty() {
                children.push(block);
            }
            at = covered.end.max(at);
        }
    }

    /// Pieces behind the first separator, from a level on, that gives at least two.
    fn separated(&mut self, node: Node, level: u16, children: &mut Vec<Node>) {
        let Units::Separators(separators) = &self.policy.units else { return };
        let mut places = std::mem::take(&mut self.places);
        for (index, separator) in separators.as_slice().iter().enumerate().skip(usize::from(level)) {
            if separator.as_str().is_empty() {
                break;
            }
            places.clear();
            separator.places(self.text, node.span, &mut places);
            if places.is_empty() {
                continue;
            }
            for place in &mut places {
                *place = self.place_behind(*place, separator, node.span.end);
            }
            places.dedup();
            let first = children.len();
            self.at_least_two(node, &places, NodeKind::Pieces(index as u16 + 1), children);
            if children.len() > first {
                break;
            }
        }
        self.places = places;
    }

    /// Appends the children of a node that overlap may begin with; whether there are any.
    pub(super) fn open_for_overlap(&mut self, node: Node, stack: &mut Vec<Node>) -> bool {
        if matches!(node.kind, NodeKind::Math | NodeKind::Sentence | NodeKind::Clause | NodeKind::Shown) {
            return false;
        }
        let before = stack.len();
        match node.kind {
            NodeKind::Rest(level) => self.separated(node, level, stack),
            _ => self.children(node, stack),
        }
        let is_fine = |child: &Node| self.is_fine(*child) && Some(child.kind) != inside(node.kind);
        if stack.get(before).is_some_and(is_fine) {
            stack.truncate(before);
        }
        stack.len() > before
    }

    /// Whether a node was cut off between words or inside them.
    fn is_fine(&self, node: Node) -> bool {
        let NodeKind::Pieces(level @ 1..) = node.kind else { return false };
        self.separator(level - 1).is_some_and(Separator::is_fine)
    }

    /// Whether a chunk with overlap from a place on fits.
    pub(super) fn fits_from(&self, start: u32, body: Span) -> bool {
        self.fits(self.policy.budget, &[], Span { start, end: body.end }, NOTHING)
    }

    fn at_least_two(&self, node: Node, places: &[u32], kind: NodeKind, children: &mut Vec<Node>) {
        let first = children.len();
        self.pieces_at(node, places, kind, children);
        if children.len() == first + 1 {
            children.truncate(first);
        }
    }

    /// Cuts a node at those of the places that count.
    fn pieces_at(&self, node: Node, places: &[u32], kind: NodeKind, children: &mut Vec<Node>) {
        let places = places.iter().filter_map(|place| Some((*place, self.text_behind(node, *place)?)));
        let add = |span| children.push(Node { kind, span, parts: node.parts });
        pieces(self.text, node.span, places, add);
    }

    /// Whether a node may be cut at a place inside it: not in a grapheme cluster, in front of closing punctuation, or in an inline unit that fits.
    pub(super) fn counts(&self, node: Node, place: u32) -> bool {
        self.text_behind(node, place).is_some()
    }

    /// Where the text behind a place begins, if the node may be cut there.
    fn text_behind(&self, node: Node, place: u32) -> Option<u32> {
        let at = place as usize;
        if place >= node.span.end || !is_cluster_start(self.text, node.span, at) {
            return None;
        }
        let behind = skip_white(self.text, at, node.span.end as usize);
        (!begins_closing(self.text, behind) && !self.is_in_atom(node, place)).then_some(behind as u32)
    }

    fn is_in_atom(&self, node: Node, place: u32) -> bool {
        // No inline unit of plain text goes on behind a line end.
        if self.policy.is_plain() && matches!(self.text.as_bytes()[place as usize - 1], b'\n' | b'\r') {
            return false;
        }
        let inside = |atom: &Span| atom.start < place && place < atom.end;
        let atom = self.atom_at(node.parts, place as usize).filter(inside);
        atom.is_some_and(|atom| self.size(&[], atom, NOTHING) <= self.policy.budget)
    }

    /// The last inline unit in the line of plain text that a place is on, and in front of it. However often a long line is asked for, it is looked at once.
    pub(super) fn plain_atom_at(&self, place: usize) -> Option<Span> {
        let mut known = self.line_atoms.borrow_mut();
        let holds = |span: Span| (span.start as usize) < place && place <= span.end as usize;
        if holds(known.clear) && is_in_no_address(&self.text.as_bytes()[known.clear.start as usize..place]) {
            return None;
        }
        if !holds(known.line) {
            let section = self.document.blocks[self.section.blocks.start].span;
            let bytes = self.text.as_bytes();
            // Up to where the line is known to be clear, if it is this line.
            let seen = (known.clear.end as usize).max(section.start as usize);
            let from = if seen < place { seen } else { section.start as usize };
            let (start, unseen) = match memrchr2(b'\n', b'\r', &bytes[from..place]) {
                Some(at) => (from + at + 1, from + at + 1),
                None if from == known.clear.end as usize => (known.clear.start as usize, from),
                None => (from, from),
            };
            if is_in_no_atom(&bytes[start..place], unseen - start) {
                known.clear = Span::new(start, place);
                return None;
            }
            let end = line_end(self.text, place, section.end as usize);
            known.line = Span::new(start, end);
            known.atoms.clear();
            atoms(self.text, known.line, &mut known.atoms);
        }
        let to = known.atoms.partition_point(|atom| (atom.start as usize) < place);
        known.atoms[..to].last().copied()
    }
}

/// The inline units of the line of plain text that was asked for last.
#[derive(Default)]
pub(super) struct LineAtoms {
    line: Span,
    atoms: Vec<Span>,
    /// The beginning of a line in which no inline unit can begin.
    clear: Span,
}

/// A piece without white space around it, but with the indentation of its line (which may stand in front of `span`), from `floor` on.
pub(super) fn piece_span(text: &str, span: Span, floor: u32) -> Span {
    let start = piece_start(text, span, floor);
    trim_end(text, Span { start, ..span })
}

/// Where a piece begins that is no white space alone.
pub(super) fn piece_start(text: &str, span: Span, floor: u32) -> u32 {
    with_indent(text, skip_white(text, span.start as usize, span.end as usize) as u32, floor)
}

fn with_indent(text: &str, first: u32, floor: u32) -> u32 {
    let start = back_to_line_start(text, first as usize, is_indent) as u32;
    start.max(floor)
}

/// Adds the pieces of a span that is cut at places inside it, each given with where the text behind it begins; those of white space alone are left out.
fn pieces(text: &str, span: Span, places: impl Iterator<Item = (u32, u32)>, mut add: impl FnMut(Span)) {
    let mut at = span.start;
    let mut first = skip_white(text, at as usize, span.end as usize) as u32;
    for (place, behind) in places.chain([(span.end, span.end)]) {
        let is_blank = first >= place || at == 0 && is_blank(text, Span { start: 0, end: place });
        if !is_blank {
            let start = with_indent(text, first, span.start);
            add(trim_end(text, Span { start, end: place }));
        }
        (at, first) = (place, behind);
    }
}

/// The sentences of a stretch of plain text, whatever inline units they cut.
#[must_use]
pub fn sentence_spans(text: &str, span: Span) -> Vec<Span> {
    let mut ends = Vec::new();
    sentence::ends(&text[span.range()], LineEnds::Soft, &mut ends);
    let places = ends.into_iter().map(|end| span.start + end).filter(|place| *place < span.end);
    let places = places.map(|place| (place, skip_white(text, place as usize, span.end as usize) as u32));
    let mut spans = Vec::new();
    pieces(text, span, places, |piece| spans.push(piece));
    spans
}

/// A quick look at a line up to a place, true if it is certain: addresses hold neither white space nor Chinese, and everything else begins with a mark, of which
/// there is none in the first `clear` bytes.
fn is_in_no_atom(line: &[u8], clear: usize) -> bool {
    let rest = &line[clear..];
    is_in_no_address(line) && memchr3(b'`', b'[', b'$', rest).is_none() && memchr(b'<', rest).is_none()
}

fn is_in_no_address(line: &[u8]) -> bool {
    match line {
        [.., lead, _, last] if !last.is_ascii() => matches!(lead, 0xe3..=0xe9 | 0xef),
        [.., last] => matches!(last, b' ' | b'\t'),
        [] => true,
    }
}

/// What a run of pieces is made of.
fn inside(kind: NodeKind) -> Option<NodeKind> {
    if let NodeKind::Rest(index) = kind { Some(NodeKind::Pieces(index + 1)) } else { None }
}

/// Moves a place behind closing punctuation that follows it directly.
pub(super) fn behind_closing(text: &str, place: u32, end: u32) -> u32 {
    let mut at = place as usize;
    while at < end as usize && begins_closing(text, at) {
        at += char_at(text, at).map_or(1, char::len_utf8);
    }
    at as u32
}

/// The ends of the clauses in a span.
fn clause_ends(text: &str, span: Span, ends: &mut Vec<u32>) {
    let mut behind = span.start;
    for (at, c) in text[span.range()].char_indices() {
        let end = span.start + (at + c.len_utf8()) as u32;
        if end <= behind || !matches!(c, '，' | '；' | '：' | '、' | ',' | ';' | ':') {
            continue;
        }
        let blank_follows = || end == span.end || char_at(text, end as usize).is_some_and(char::is_whitespace);
        if !c.is_ascii() || blank_follows() {
            behind = behind_closing(text, end, span.end);
            ends.push(behind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses() {
        for (text, expected) in [
            ("一，二；三", &["一，", "二；", "三"][..]),
            ("one, two; 3,4: five", &["one,", " two;", " 3,4:", " five"]),
            ("他说：”好“，再见", &["他说：”", "好“，", "再见"]),
            ("plain", &["plain"]),
        ] {
            let mut ends = Vec::new();
            clause_ends(text, Span::new(0, text.len()), &mut ends);
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let pieces: Vec<&str> = starts
                .zip(ends.iter().copied().chain([text.len() as u32]))
                .map(|(a, b)| &text[a as usize..b as usize])
                .collect();
            assert_eq!(pieces, expected);
        }
    }
}
