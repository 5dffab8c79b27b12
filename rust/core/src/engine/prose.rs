//! Greedy packing of nodes, with overlap of whole units between chunks.

use super::node::{Node, NodeKind};
use super::window::Windows;
use super::{Measure, NOTHING, Outcome, Packer};
use crate::chunk::SplitReason;
use crate::span::Span;
use crate::text::lines;

/// A chunk that still grows.
#[derive(Debug)]
struct Open {
    /// Where its overlap begins (its body, if it has none).
    overlap: u32,
    body: Span,
    nodes: Vec<Node>,
}

/// The body of the chunk closed last, for the overlap of the next one.
#[derive(Debug)]
struct Closed {
    body: Span,
    nodes: Vec<Node>,
}

/// Packs the nodes of one section (or of one unit that is cut as text).
pub(super) struct Prose<'p, 'a, M> {
    packer: &'p mut Packer<'a, M>,
    overlaps: bool,
    /// Why a chunk ends in front of a node that does not fit.
    reason: SplitReason,
    open: Option<Open>,
    closed: Option<Closed>,
}

impl<'p, 'a, M: Measure> Prose<'p, 'a, M> {
    pub(super) fn new(packer: &'p mut Packer<'a, M>, overlaps: bool) -> Self {
        let overlaps = overlaps && packer.policy.overlap > 0;
        Self { packer, overlaps, reason: SplitReason::MaxTokens, open: None, closed: None }
    }

    /// The blocks of the current section.
    pub(super) fn blocks(self) -> Outcome {
        let document = self.packer.document;
        let blocks = &document.blocks[self.packer.section.blocks.clone()];
        let nodes = blocks.iter().rev().map(|block| self.packer.block_node(block)).collect();
        self.nodes(nodes)
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
        while let Some(node) = stack.pop() {
            if self.extend(node)? {
                continue;
            }
            if self.packer.fits(self.packer.policy.budget, &[], node.span, NOTHING) {
                self.begin_with(node)?;
            } else if matches!(node.kind, NodeKind::Code | NodeKind::Table) {
                self.close(self.reason)?;
                self.closed = None;
                match self.packer.yielding_prefix(&[], node.span, NOTHING) {
                    Some(prefix) => {
                        let start = node.span.start;
                        self.packer.commit_behind(prefix, &[], start, node.span, NOTHING, SplitReason::MaxTokens)?;
                    }
                    None => self.packer.pieces(node)?,
                }
            } else {
                self.packer.children(node, &mut children);
                if children.is_empty() {
                    self.windows(node)?;
                }
                stack.extend(children.drain(..).rev());
            }
        }
        self.close(SplitReason::MaxTokens)
    }

    /// Adds a node to the open chunk, if it fits there.
    fn extend(&mut self, node: Node) -> Result<bool, crate::error::ChunkError> {
        let Some(open) = &mut self.open else { return Ok(false) };
        let source = Span { start: open.overlap, end: node.span.end };
        let size = self.packer.size(&[], source, NOTHING);
        if size > self.packer.policy.budget {
            return Ok(false);
        }
        open.body.end = node.span.end;
        open.nodes.push(node);
        self.close_at_target(size)?;
        Ok(true)
    }

    fn close_at_target(&mut self, size: usize) -> Outcome {
        let policy = self.packer.policy;
        if policy.target < policy.budget && size >= policy.target {
            return self.close(SplitReason::TargetTokens);
        }
        Ok(())
    }

    /// Closes the open chunk and opens one with a node that fits by itself.
    fn begin_with(&mut self, node: Node) -> Outcome {
        let mut nodes = Vec::new();
        nodes.extend(self.take_lead_in(node));
        self.close(self.reason)?;
        nodes.push(node);
        let body = Span { start: nodes[0].span.start, end: node.span.end };
        let overlap = self.overlap(body);
        self.open = Some(Open { overlap, body, nodes });
        let source = Span { start: overlap, end: body.end };
        let size = self.packer.size(&[], source, NOTHING);
        self.close_at_target(size)
    }

    /// Takes the paragraph placed last off the open chunk, if it leads in to `node` and fits in front of it.
    fn take_lead_in(&mut self, node: Node) -> Option<Node> {
        let packer = &*self.packer;
        let open = self.open.as_mut()?;
        let last = *open.nodes.last().filter(|_| open.nodes.len() > 1)?;
        let joined = Span { start: last.span.start, end: node.span.end };
        let leads_in = last.kind == NodeKind::Paragraph && leads_in(&packer.text[last.span.range()]);
        if !leads_in || !packer.fits(packer.policy.budget, &[], joined, NOTHING) {
            return None;
        }
        open.nodes.pop();
        open.body.end = open.nodes.last().map_or(open.body.end, |node| node.span.end);
        Some(last)
    }

    fn close(&mut self, reason: SplitReason) -> Outcome {
        if let Some(Open { overlap, body, nodes }) = self.open.take() {
            self.packer.commit(&[], overlap, body, NOTHING, reason)?;
            self.closed = Some(Closed { body, nodes });
        }
        Ok(())
    }

    fn windows(&mut self, node: Node) -> Outcome {
        self.close(self.reason)?;
        let overlap = if self.overlaps { self.packer.policy.overlap } else { 0 };
        let mut windows = Windows::new(&[], NOTHING, node.span, node.parts, overlap);
        while let Some(window) = windows.next(self.packer) {
            let nodes = vec![Node { kind: NodeKind::Window, span: window.body, parts: node.parts }];
            if window.last {
                self.open = Some(Open { overlap: window.overlap, body: window.body, nodes });
                let source = Span { start: window.overlap, end: window.body.end };
                let size = self.packer.size(&[], source, NOTHING);
                self.close_at_target(size)?;
            } else {
                self.packer.commit(&[], window.overlap, window.body, NOTHING, SplitReason::TokenWindow)?;
                self.closed = Some(Closed { body: window.body, nodes });
            }
        }
        Ok(())
    }

    /// Where the overlap of a chunk with this body begins: at the earliest unit of the chunk closed last with which the overlap keeps to its limit and the new text fits.
    fn overlap(&self, body: Span) -> u32 {
        let Some(closed) = self.closed.as_ref().filter(|_| self.overlaps) else { return body.start };
        let packer = &*self.packer;
        let mut starts = Vec::new();
        let mut stack = closed.nodes.clone();
        while let Some(node) = stack.pop() {
            let before = stack.len();
            if node.kind != NodeKind::Math {
                packer.children(node, &mut stack);
            }
            if stack.len() > before {
                continue;
            }
            if node.kind == NodeKind::Line {
                break;
            }
            let tail = Span { start: node.span.start, end: closed.body.end };
            if tail.start <= closed.body.start || packer.span_size(tail) > packer.policy.overlap {
                break;
            }
            starts.push(tail.start);
        }
        let fits = |start: u32| {
            let source = Span { start, end: body.end };
            packer.fits(packer.policy.budget, &[], source, NOTHING)
        };
        starts.into_iter().rev().find(|start| fits(*start)).unwrap_or(body.start)
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
