//! Many pieces at once: where sizes add up, the pieces that fill a chunk need not be looked at one by one.

use super::node::{Node, NodeKind};
use super::prose::Prose;
use super::units::{behind_closing, piece_span, piece_start};
use super::{Measure, Outcome, Packer, Separator, Separators, Units};
use crate::span::Span;
use crate::text::{char_at, is_blank, is_closing, skip_white, trim_end};

impl<M: Measure> Prose<'_, '_, M> {
    /// Places the pieces between one separator: as many as fit behind the open chunk, then chunk by chunk, up to one that has to be placed by itself.
    pub(super) fn rest(&mut self, mut rest: Node, index: u16, stack: &mut Vec<Node>) -> Outcome {
        let Some(separator) = self.packer.separator(index) else { return Ok(()) };
        let mut filled = self.fill_open(rest, separator)?;
        loop {
            if let Some(place) = filled {
                if place == rest.span.end {
                    return Ok(());
                }
                rest.span.start = piece_start(self.packer.text, Span { start: place, ..rest.span }, rest.span.start);
            }
            filled = self.fill_next(rest, separator)?;
            if filled.is_none() {
                self.packer.first_and_rest(rest, index, separator, stack);
                return Ok(());
            }
        }
    }
}

impl<'a, M: Measure> Packer<'a, M> {
    pub(super) fn separator(&self, index: u16) -> Option<&'a Separator> {
        let Units::Separators(separators) = &self.policy.units else { return None };
        separators.as_slice().get(usize::from(index))
    }

    /// Whether a piece can be placed by [`Prose::rest`]: as what, if any separator from a level on cuts it in two.
    pub(super) fn as_rest(&self, node: Node) -> Option<Node> {
        let NodeKind::Pieces(level) = node.kind else { return None };
        for index in level.. {
            let separator = self.separator(index).filter(|separator| !separator.as_str().is_empty())?;
            if self.first_place(node, separator).is_some() {
                let rest = Node { kind: NodeKind::Rest(index), ..node };
                return Some(rest).filter(|_| !separator.may_overlap_itself());
            }
        }
        None
    }

    /// The first place behind a separator, with text in front of it, that a node may be cut at.
    fn first_place(&self, node: Node, separator: &Separator) -> Option<u32> {
        let mut at = node.span.start;
        while let Some(found) = separator.first(self.text, Span { start: at, ..node.span }) {
            let place = self.place_behind(found, separator, node.span.end);
            let before = Span { end: place, ..node.span };
            if place < node.span.end && !is_blank(self.text, before) && self.counts(node, place) {
                return Some(place);
            }
            at = found;
        }
        None
    }

    /// Puts the first piece on a stack, to be placed by itself, and what is behind it.
    fn first_and_rest(&self, rest: Node, index: u16, separator: &Separator, stack: &mut Vec<Node>) {
        let place = self.first_place(rest, separator).unwrap_or(rest.span.end);
        let (next, last) = (Span { end: place, ..rest.span }, Span { start: place, ..rest.span });
        for (span, kind) in [(last, NodeKind::Rest(index)), (next, NodeKind::Pieces(index + 1))] {
            if !is_blank(self.text, span) {
                stack.push(Node { kind, span: piece_span(self.text, span, rest.span.start), ..rest });
            }
        }
    }

    /// The pieces that fit into a chunk that begins at `start`, without white space at their end, and the last place up to which they do: the end of the rest, or behind a separator.
    pub(super) fn last_fitting(&self, rest: Node, separator: &Separator, start: u32) -> Option<(Span, u32)> {
        let limit = self.reach(start)?;
        let end = rest.span.end;
        if end <= limit { Some((trim_end(self.text, rest.span), end)) } else { self.last_place(rest, separator, limit) }
    }

    /// The last such place with all text in front of it, white space at its end aside, in front of `limit`.
    fn last_place(&self, node: Node, separator: &Separator, limit: u32) -> Option<(Span, u32)> {
        let span = node.span;
        if limit <= span.start {
            return None;
        }
        let reach = skip_white(self.text, limit as usize, span.end as usize) + separator.as_str().len();
        let mut end = (reach as u32).min(span.end);
        while let Some(found) = separator.last(self.text, Span { start: span.start, end }) {
            let place = self.place_behind(found.end, separator, span.end);
            let before = trim_end(self.text, Span { start: span.start, end: place });
            if place < span.end && !before.is_empty() && before.end <= limit && self.counts(node, place) {
                return Some((before, place));
            }
            end = found.end - 1;
        }
        None
    }

    /// The place that belongs to an occurrence: behind closing punctuation too, unless a line ends there.
    pub(super) fn place_behind(&self, found: u32, separator: &Separator, end: u32) -> u32 {
        if separator.ends_line() { found } else { behind_closing(self.text, found, end) }
    }
}

impl<M: Measure> Packer<'_, M> {
    /// Where overlap in front of a chunk that begins at `next` may begin: the first leaf of the chunk before it from `floor` on, or `next`. None if only opening all nodes tells.
    ///
    /// Where sizes add up, this is one search: of all separators that leaves are cut behind, the first occurrence that is near enough to the end of the chunk.
    pub(super) fn first_leaf(&self, nodes: &[Node], floor: u32, next: u32) -> Option<u32> {
        let Units::Separators(separators) = &self.policy.units else { return None };
        let behind = nodes.iter().rposition(|node| node.span.start < floor).map_or(0, |at| at + 1);
        let leaf = nodes.get(behind).map_or(next, |node| node.span.start);
        let Some(node) = nodes[..behind].last() else { return Some(leaf) };
        let piece = self.first_piece(separators, *node, floor)?;
        Some(if piece < node.span.end { piece } else { leaf })
    }

    /// In front of here no overlap of a chunk begins: it would be too long, or all of the chunk. None if sizes do not add up.
    pub(super) fn overlap_floor(&self, chunk: Span) -> Option<u32> {
        let near =
            self.measure.adds_up().then(|| self.measure.earliest_start(chunk.end as usize, self.policy.overlap))?;
        let start = chunk.start as usize;
        let second = start + char_at(self.text, start).map_or(1, char::len_utf8);
        Some(near.max(second) as u32)
    }

    /// Where the overlap of a chunk with this body begins, if one search tells: it is only as long as leaves it room.
    pub(super) fn overlap_of(&self, chunk: Span, nodes: &[Node], body: Span) -> Option<u32> {
        let start = self.first_leaf(nodes, self.overlap_floor(chunk)?, body.start)?;
        if self.fits_from(start, body) {
            return Some(start);
        }
        let floor = self.measure.earliest_start(body.end as usize, self.policy.budget) as u32;
        self.first_leaf(nodes, floor, body.start)
    }

    /// The first piece of a node that begins at `floor` or behind it; the end of the node if there is none. A place behind the separator of one level lies in a piece of the levels in front
    /// of it, and cuts that, unless the separator lies on both sides of a place of such a level.
    fn first_piece(&self, separators: &Separators, node: Node, floor: u32) -> Option<u32> {
        let (NodeKind::Pieces(level) | NodeKind::Rest(level)) = node.kind else { return Some(node.span.end) };
        if !separators.are_local(level) {
            return None;
        }
        let opened = separators.opened(node.kind, level);
        let list = &separators.as_slice()[..usize::from(opened.end)];
        let has_fine = list.get(usize::from(level)).is_some_and(Separator::is_fine);
        let end = node.span.end as usize;
        let at = self.last_end(Span { end: floor, ..node.span }).saturating_sub(separators.longest());
        let at = at.max(node.span.start as usize);
        for found in separators.candidates(self.text.as_bytes(), at..end, has_fine) {
            let bytes = &self.text.as_bytes()[..end];
            let mut first = None;
            for index in separators.beginning_with(bytes[found]).iter().filter(|index| opened.contains(index)) {
                let separator = &list[usize::from(*index)];
                let Some(end) = separator.end_at(bytes, found) else { continue };
                let Some(start) = self.piece_behind(node, separator, end as u32, floor) else { continue };
                let larger = &list[usize::from(level)..usize::from(*index)];
                if separator.is_long()
                    && self.may_be_cut(larger, separators.longest(), node.span, Span::new(found, end))
                {
                    return None;
                }
                first = Some(first.map_or(start, |first: u32| first.min(start)));
            }
            if first.is_some() {
                return first;
            }
        }
        Some(node.span.end)
    }

    /// Whether a place behind one of some separators may lie inside an occurrence of another one.
    fn may_be_cut(&self, separators: &[Separator], longest: usize, span: Span, found: Span) -> bool {
        let bytes = &self.text.as_bytes()[..span.end as usize];
        let least = self.last_end(Span { end: found.start, ..span });
        let from = least.saturating_sub(longest).max(span.start as usize);
        let ends_inside = |end: usize| least <= end && end < found.end as usize;
        (from..found.end as usize)
            .any(|at| separators.iter().any(|separator| separator.end_at(bytes, at).is_some_and(ends_inside)))
    }

    /// Where the piece behind an occurrence begins, if the node is cut there and it is not in front of `floor`.
    fn piece_behind(&self, node: Node, separator: &Separator, end: u32, floor: u32) -> Option<u32> {
        let place = self.place_behind(end, separator, node.span.end);
        if place >= node.span.end {
            return None;
        }
        let start = piece_start(self.text, Span { start: place, ..node.span }, node.span.start);
        (start >= floor && self.counts(node, place)).then_some(start)
    }

    /// The end of what is in front of white space and closing punctuation at the end of a span: separators whose places lie behind the span end there or behind.
    fn last_end(&self, span: Span) -> usize {
        let text = &self.text[trim_end(self.text, span).range()];
        span.start as usize + text.trim_end_matches(is_closing).len()
    }
}
