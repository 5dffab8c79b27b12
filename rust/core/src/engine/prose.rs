//! Greedy packing of nodes, with overlap of whole units between chunks.

use super::node::{Node, NodeKind};
use super::window::Windows;
use super::{Measure, NOTHING, Outcome, Packer, Separator, Units};
use crate::block::BlockKind;
use crate::chunk::SplitReason;
use crate::error::ChunkError;
use crate::span::Span;
use crate::text::lines;

/// A chunk that still grows.
#[derive(Debug)]
struct Open {
    /// Where its overlap begins (its body, if it has none).
    overlap: u32,
    body: Span,
    nodes: Vec<Node>,
    /// How many whole units it holds.
    units: usize,
    /// Whether it is the end of a block that was cut, and nothing has joined it.
    is_piece: bool,
}

/// The body of the chunk closed last, for the overlap of the next one.
#[derive(Debug)]
struct Closed {
    body: Span,
    nodes: Vec<Node>,
}

/// Packs the nodes of one section (or of one unit that is cut as text).
pub(super) struct Prose<'p, 'a, M> {
    pub(super) packer: &'p mut Packer<'a, M>,
    overlaps: bool,
    /// Whether the blocks of a section are placed, not parts of one of them.
    is_section: bool,
    /// Whether anybody will ask what a chunk is made of.
    keeps_nodes: bool,
    /// Why a chunk ends in front of a node that does not fit.
    reason: SplitReason,
    open: Option<Open>,
    closed: Option<Closed>,
    /// What the chunk closed before that was made of, for its memory.
    spare: Vec<Node>,
}

impl<'p, 'a, M: Measure> Prose<'p, 'a, M> {
    pub(super) fn new(packer: &'p mut Packer<'a, M>, is_section: bool) -> Self {
        let overlaps = is_section && packer.policy.overlap > 0;
        let keeps_nodes = overlaps || !packer.policy.is_plain();
        let reason = SplitReason::MaxSize;
        Self { packer, overlaps, is_section, keeps_nodes, reason, open: None, closed: None, spare: Vec::new() }
    }

    /// The blocks of the current section.
    pub(super) fn blocks(self) -> Outcome {
        let document = self.packer.document;
        let blocks = &document.blocks[self.packer.section.blocks.clone()];
        if self.packer.policy.is_plain() {
            // About as many as full chunks of ASCII; where it is far more, vectors grow soon enough.
            let bytes: usize = blocks.iter().map(|block| block.span.len()).sum();
            let chunks = (bytes / self.packer.policy.budget.max(1)).min(1 << 10) + 1;
            self.packer.out.rows.reserve(chunks);
            self.packer.out.segments.reserve(2 * chunks);
        }
        let nodes = match self.packer.policy.units {
            Units::Markdown => blocks.iter().rev().map(|block| self.packer.block_node(block)).collect(),
            Units::Lines => self.line_nodes(),
            _ => blocks.iter().rev().map(|block| self.packer.plain_node(block.span)).collect(),
        };
        self.nodes(nodes)
    }

    /// The blocks of a section, the last first; headings in front are shown.
    fn line_nodes(&self) -> Vec<Node> {
        let range = self.packer.section.blocks.clone();
        let blocks = &self.packer.document.blocks[range.clone()];
        let headings = blocks.iter().take_while(|block| block.kind == BlockKind::Heading).count();
        let indices = range.start + headings..range.end;
        let mut nodes: Vec<Node> = indices.rev().map(|index| self.packer.line_node(index)).collect();
        if let (Some(first), Some(last)) = (blocks.first(), blocks[..headings].last()) {
            let span = Span { start: first.span.start, end: last.span.end };
            nodes.push(Node { kind: NodeKind::Shown, span, parts: Span { end: last.parts.end, ..first.parts } });
        }
        nodes
    }

    /// Spans that are cut only by windows, such as lines or cells, with the reason of a cut between them.
    pub(super) fn units(
        mut self,
        units: impl DoubleEndedIterator<Item = Span>,
        parts: Span,
        reason: SplitReason,
    ) -> Outcome {
        self.reason = reason;
        self.nodes(units.rev().map(|span| Node { kind: NodeKind::Unit, span, parts }).collect())
    }

    /// Places nodes, the last of `stack` first.
    fn nodes(mut self, mut stack: Vec<Node>) -> Outcome {
        let mut children = Vec::new();
        loop {
            self.take_units(&mut stack)?;
            let Some(node) = stack.pop() else { break };
            if node.kind == NodeKind::EndOfBlock {
                self.end_block()?;
            } else if let NodeKind::Rest(index) = node.kind {
                self.rest(node, index, &mut stack)?;
            } else if !self.extend(node)? {
                if self.may_begin(node) {
                    self.begin_with(node)?;
                    continue;
                }
                if self.cuts_blocks() && !self.is_cutting() && !self.fits_alone(node) {
                    self.begin_block(&mut stack, node)?;
                }
                self.cut(node, &mut children)?;
                stack.extend(children.drain(..).rev());
            }
        }
        self.close(SplitReason::MaxSize)
    }

    /// Cuts a node that does not fit: into children, or if it has none into chunks.
    fn cut(&mut self, node: Node, children: &mut Vec<Node>) -> Outcome {
        if matches!(node.kind, NodeKind::Code | NodeKind::Table) {
            return self.cut_as_block(node);
        }
        if self.packer.measure.adds_up()
            && let Some(rest) = self.packer.as_rest(node)
        {
            children.push(rest);
            return Ok(());
        }
        self.packer.children(node, children);
        if children.is_empty() {
            if self.packer.policy.soft { self.whole(node)? } else { self.windows(node)? }
        }
        Ok(())
    }

    /// Code or a table: whole behind a shorter prefix, or in pieces that have their own fence or header.
    fn cut_as_block(&mut self, node: Node) -> Outcome {
        self.close(if self.holds_heading_alone() { SplitReason::MaxSize } else { self.reason })?;
        self.closed = None;
        let rows = self.packer.out.rows.len();
        match self.packer.yielding_prefix(&[], node.span, NOTHING) {
            Some(prefix) => {
                let start = node.span.start;
                self.packer.commit_behind(prefix, &[], start, node.span, NOTHING, self.reason)?;
            }
            None => self.packer.pieces(node)?,
        }
        if self.is_cutting() {
            self.packer.out.rows[rows..].iter_mut().for_each(|row| row.reason = self.reason);
        }
        Ok(())
    }

    /// Whether a node that does not fit behind the open chunk may begin the next one. Running text may not if that would leave a heading behind.
    fn may_begin(&self, node: Node) -> bool {
        let strands_heading = self.holds_heading_alone()
            && matches!(node.kind, NodeKind::Lines | NodeKind::Sentences | NodeKind::Sentence);
        !strands_heading && self.packer.is_placeable(node.kind) && self.fits_alone(node)
    }

    fn fits_alone(&self, node: Node) -> bool {
        self.packer.fits(self.packer.policy.budget, &[], node.span, NOTHING)
    }

    fn holds_heading_alone(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.nodes.iter().all(|node| node.kind == NodeKind::Shown))
    }

    /// Whether a block that has to be cut is cut by itself.
    fn cuts_blocks(&self) -> bool {
        self.is_section && self.packer.policy.units == Units::Lines
    }

    fn is_cutting(&self) -> bool {
        self.reason == SplitReason::BlockTooLarge
    }

    /// A block that has to be cut shares no chunk with what is in front of it, but for its heading.
    fn begin_block(&mut self, stack: &mut Vec<Node>, node: Node) -> Outcome {
        if !self.holds_heading_alone() {
            self.close(self.reason)?;
            self.closed = None;
        }
        self.reason = SplitReason::BlockTooLarge;
        let end = Span { start: node.span.end, end: node.span.end };
        stack.push(Node { kind: NodeKind::EndOfBlock, span: end, parts: Span::default() });
        Ok(())
    }

    fn end_block(&mut self) -> Outcome {
        if self.open.as_ref().is_none_or(|open| self.size(open) >= self.packer.policy.least) {
            self.close(self.reason)?;
            self.closed = None;
        } else if let Some(open) = &mut self.open {
            open.is_piece = true;
        }
        self.reason = SplitReason::MaxSize;
        Ok(())
    }

    fn size(&self, open: &Open) -> usize {
        self.packer.size(&[], Span { start: open.overlap, end: open.body.end }, NOTHING)
    }

    /// Adds whole units from the end of a stack to the open chunk, as many as fit, where that can be told from where they end.
    fn take_units(&mut self, stack: &mut Vec<Node>) -> Outcome {
        let policy = self.packer.policy;
        let (Some(most), Some(open)) = (policy.most_units.filter(|_| policy.falls.is_empty()), &mut self.open) else {
            return Ok(());
        };
        let Some(reach) = self.packer.reach(open.overlap) else { return Ok(()) };
        let fits = |node: &&Node| node.span.end <= reach && self.packer.is_whole_unit(node.kind);
        let count = stack.iter().rev().take(most - open.units).take_while(fits).count();
        let taken = stack.drain(stack.len() - count..).rev();
        open.units += count;
        for node in taken {
            open.body.end = node.span.end;
            if self.keeps_nodes {
                open.nodes.push(node);
            }
        }
        self.close_if_full()
    }

    /// Adds a node to the open chunk, if it fits there.
    pub(super) fn extend(&mut self, node: Node) -> Result<bool, ChunkError> {
        if !self.packer.is_placeable(node.kind) {
            return Ok(false);
        }
        self.close_at_fall(node)?;
        let Some(open) = &mut self.open else { return Ok(false) };
        if !self.packer.fits_from(open.overlap, node.span) {
            return Ok(false);
        }
        open.body.end = node.span.end;
        open.is_piece = false;
        open.units += usize::from(self.packer.is_whole_unit(node.kind));
        if self.keeps_nodes {
            open.nodes.push(node);
        }
        self.close_if_full()?;
        Ok(true)
    }

    /// Closes the open chunk in front of a node that is about something else, if what is in front and what is behind is large enough.
    fn close_at_fall(&mut self, node: Node) -> Outcome {
        let policy = self.packer.policy;
        if policy.falls.is_empty() || policy.falls.binary_search(&node.span.start).is_err() {
            return Ok(());
        }
        let Some(open) = self.open.as_ref().filter(|open| self.size(open) >= policy.least) else { return Ok(()) };
        let section_end = self.packer.document.blocks[self.packer.section.blocks.end - 1].span.end;
        let rest = Span { start: node.span.start, end: section_end };
        if open.body.end <= rest.start && self.packer.span_size(rest) >= policy.least {
            return self.close(SplitReason::Similarity);
        }
        Ok(())
    }

    /// Closes the open chunk if it has reached the soft target, or has as many units as it may.
    fn close_if_full(&mut self) -> Outcome {
        let Some(open) = &self.open else { return Ok(()) };
        let policy = self.packer.policy;
        if policy.target < policy.budget && self.size(open) >= policy.target {
            return self.close(SplitReason::Target);
        }
        if policy.most_units.is_some_and(|most| open.units >= most) {
            return self.close(SplitReason::MaxUnits);
        }
        Ok(())
    }

    /// Closes the open chunk and opens one with a node that fits by itself.
    fn begin_with(&mut self, node: Node) -> Outcome {
        let mut nodes = self.spare_nodes();
        nodes.extend(self.take_lead_in(node));
        self.close(self.reason)?;
        nodes.push(node);
        let body = Span { start: nodes[0].span.start, end: node.span.end };
        let overlap = self.overlap(body);
        self.open_with(overlap, body, nodes)
    }

    fn open_with(&mut self, overlap: u32, body: Span, nodes: Vec<Node>) -> Outcome {
        let units = nodes.iter().filter(|node| self.packer.is_whole_unit(node.kind)).count();
        self.open = Some(Open { overlap, body, nodes, units, is_piece: false });
        self.close_if_full()
    }

    /// A unit that does not fit but is not cut is a chunk by itself.
    fn whole(&mut self, node: Node) -> Outcome {
        self.close(self.reason)?;
        self.closed = None;
        self.packer.commit(&[], node.span.start, node.span, NOTHING, SplitReason::WholeUnit)
    }

    /// Takes the paragraph placed last off the open chunk, if it leads in to `node` and fits in front of it.
    fn take_lead_in(&mut self, node: Node) -> Option<Node> {
        let packer = &*self.packer;
        let open = self.open.as_mut()?;
        let last = *open.nodes.last().filter(|_| open.nodes.len() > 1)?;
        let joined = Span { start: last.span.start, end: node.span.end };
        let may_lead = match packer.policy.units {
            Units::Markdown => last.kind == NodeKind::Paragraph,
            Units::Lines => last.kind == NodeKind::Lines && node.kind == NodeKind::Items,
            _ => false,
        };
        let leads_in = may_lead && leads_in(&packer.text[last.span.range()]);
        if !leads_in || !packer.fits(packer.policy.budget, &[], joined, NOTHING) {
            return None;
        }
        open.nodes.pop();
        open.body.end = open.nodes.last().map_or(open.body.end, |node| node.span.end);
        Some(last)
    }

    fn close(&mut self, reason: SplitReason) -> Outcome {
        let Some(open) = self.open.take() else { return Ok(()) };
        let reason = if open.is_piece { SplitReason::BlockTooLarge } else { reason };
        let is_small = self.packer.policy.least > 0 && self.size(&open) < self.packer.policy.least;
        let Open { mut overlap, mut body, nodes, .. } = open;
        if is_small
            && reason != SplitReason::BlockTooLarge
            && self.cuts_blocks()
            && let Some((earlier_overlap, earlier)) = self.packer.take_back(body)
        {
            (overlap, body.start) = (earlier_overlap, earlier.start);
        }
        self.packer.commit(&[], overlap, body, NOTHING, reason)?;
        if let Some(before) = self.closed.replace(Closed { body, nodes }) {
            self.spare = before.nodes;
        }
        Ok(())
    }

    /// Adds pieces to the open chunk, as many as fit; up to which place, if any does.
    pub(super) fn fill_open(&mut self, rest: Node, separator: &Separator) -> Result<Option<u32>, ChunkError> {
        let Some(open) = &self.open else { return Ok(None) };
        let Some((span, place)) = self.packer.last_fitting(rest, separator, open.overlap) else { return Ok(None) };
        self.extend(Node { span, ..rest })?;
        Ok(Some(place))
    }

    /// Closes the open chunk and fills the next one with pieces, if the first of them fits behind the overlap; up to which place, if it does.
    pub(super) fn fill_next(&mut self, rest: Node, separator: &Separator) -> Result<Option<u32>, ChunkError> {
        let open = self.open.as_ref().map(|open| (open.body, &open.nodes));
        let before = open.or(self.closed.as_ref().map(|closed| (closed.body, &closed.nodes)));
        let overlap = match before.filter(|_| self.overlaps) {
            Some((body, nodes)) => {
                let floor = self.packer.overlap_floor(body);
                floor.and_then(|floor| self.packer.first_leaf(nodes, floor, rest.span.start))
            }
            None => Some(rest.span.start),
        };
        let Some(overlap) = overlap else { return Ok(None) };
        let Some((body, place)) = self.packer.last_fitting(rest, separator, overlap) else { return Ok(None) };
        self.close(self.reason)?;
        let mut nodes = self.spare_nodes();
        nodes.push(Node { span: body, ..rest });
        self.open_with(overlap, body, nodes)?;
        Ok(Some(place))
    }

    fn spare_nodes(&mut self) -> Vec<Node> {
        let mut nodes = std::mem::take(&mut self.spare);
        nodes.clear();
        nodes
    }

    fn windows(&mut self, node: Node) -> Outcome {
        self.close(self.reason)?;
        let overlap = if self.overlaps { self.packer.policy.overlap } else { 0 };
        let reason = if self.is_cutting() { self.reason } else { SplitReason::Window };
        let mut windows = Windows::new(&[], NOTHING, node.span, node.parts, overlap);
        while let Some(window) = windows.next(self.packer) {
            let nodes = vec![Node { kind: NodeKind::Window, span: window.body, parts: node.parts }];
            if window.last {
                self.open_with(window.overlap, window.body, nodes)?;
            } else {
                self.packer.commit(&[], window.overlap, window.body, NOTHING, reason)?;
                self.closed = Some(Closed { body: window.body, nodes });
            }
        }
        Ok(())
    }

    /// Where the overlap of a chunk with this body begins: at the earliest unit of the chunk closed last with which the overlap keeps to its limit and the new text fits.
    fn overlap(&mut self, body: Span) -> u32 {
        let Some(closed) = self.closed.as_ref().filter(|_| self.overlaps) else { return body.start };
        let packer = &mut *self.packer;
        if let Some(start) = packer.overlap_of(closed.body, &closed.nodes, body) {
            return start;
        }
        let adds_up = packer.measure.adds_up();
        let mut starts = Vec::new();
        let mut stack = Vec::new();
        let mut left = closed.nodes.len();
        loop {
            let node = match stack.pop() {
                Some(node) => node,
                None if left == 0 => break,
                None => {
                    left -= 1;
                    closed.nodes[left]
                }
            };
            let tail = Span { start: node.span.start, end: closed.body.end };
            let keeps = |packer: &Packer<'a, M>| {
                tail.start > closed.body.start && packer.span_size(tail) <= packer.policy.overlap
            };
            // Where sizes add up, a node that is good enough has nothing better inside.
            let is_good = adds_up && keeps(packer) && packer.fits_from(tail.start, body);
            if !is_good && packer.open_for_overlap(node, &mut stack) {
                continue;
            }
            if !is_good && (adds_up || node.kind == NodeKind::Line || !keeps(packer)) {
                break;
            }
            starts.push(tail.start);
        }
        starts.into_iter().rev().find(|start| packer.fits_from(*start, body)).unwrap_or(body.start)
    }
}

/// Whether a paragraph announces what follows it: it ends with a colon, or asks a question that an answer follows.
fn leads_in(paragraph: &str) -> bool {
    const QUESTIONS: [&str; 4] = ["Q:", "Q：", "问：", "问:"];
    let asks =
        |mark: &str| paragraph.trim_start().get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark));
    let one_line = || lines(paragraph, Span::new(0, paragraph.len())).count() == 1;
    paragraph.ends_with([':', '：'])
        || QUESTIONS.into_iter().any(asks)
        || (paragraph.ends_with(['?', '？']) && one_line())
}

#[cfg(test)]
mod tests {
    use super::leads_in;

    #[test]
    fn lead_ins() {
        for (paragraph, expected) in [
            ("As follows:", true),
            ("如下：", true),
            ("q: What?", true),
            ("问：为什么", true),
            ("Why?", true),
            ("为什么？", true),
            ("Some text.\nWhy?", false),
            ("Text.", false),
            ("Question", false),
            ("问", false),
        ] {
            assert_eq!(leads_in(paragraph), expected, "{paragraph}");
        }
    }
}
