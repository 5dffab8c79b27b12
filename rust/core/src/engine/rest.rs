//! Many pieces at once: where sizes add up, the pieces that fill a chunk need not be looked at one by one.

use super::node::{Node, NodeKind};
use super::prose::Prose;
use super::units::{behind_closing, piece_span};
use super::{Measure, Outcome, Packer, Separator, Units};
use crate::span::Span;
use crate::text::{is_blank, skip_white, trim_end};

impl<M: Measure> Prose<'_, '_, M> {
    /// Places the pieces between one separator: as many as fit behind the open chunk, then the next one, then the rest.
    pub(super) fn rest(&mut self, rest: Node, index: u16, stack: &mut Vec<Node>) -> Outcome {
        if self.extend(rest)? {
            return Ok(());
        }
        let Some(separator) = self.packer.separator(index) else { return Ok(()) };
        let mut at = rest.span.start;
        if let Some(start) = self.open_start() {
            let packer = &*self.packer;
            let limit = packer.measure.take(start as usize, rest.span.end as usize, packer.policy.budget) as u32;
            if let Some(place) = packer.last_place(rest, separator, limit) {
                let span = trim_end(packer.text, Span { start: at, end: place });
                self.extend(Node { span, ..rest })?;
                at = place;
            }
        }
        let packer = &*self.packer;
        let behind = Span { start: at, ..rest.span };
        let place = packer.first_place(Node { span: behind, ..rest }, separator).unwrap_or(rest.span.end);
        let (next, last) = (Span { end: place, ..behind }, Span { start: place, ..behind });
        for (span, kind) in [(last, NodeKind::Rest(index)), (next, NodeKind::Pieces(index + 1))] {
            if !is_blank(packer.text, span) {
                stack.push(Node { kind, span: piece_span(packer.text, span, rest.span.start), ..rest });
            }
        }
        Ok(())
    }
}

impl<'a, M: Measure> Packer<'a, M> {
    pub(super) fn separator(&self, index: u16) -> Option<&'a Separator> {
        let Units::Separators(separators) = &self.policy.units else { return None };
        separators.get(usize::from(index))
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

    /// The last such place with all text in front of it, white space at its end aside, in front of `limit`.
    fn last_place(&self, node: Node, separator: &Separator, limit: u32) -> Option<u32> {
        let span = node.span;
        let reach = skip_white(self.text, limit as usize, span.end as usize) + separator.as_str().len();
        let mut end = (reach as u32).min(span.end);
        while let Some(found) = separator.last(self.text, Span { start: span.start, end }) {
            let place = self.place_behind(found.end, separator, span.end);
            let text_end = trim_end(self.text, Span { start: span.start, end: place }).end;
            if place < span.end && text_end > span.start && text_end <= limit && self.counts(node, place) {
                return Some(place);
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
