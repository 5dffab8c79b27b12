//! sections -> segments -> chunks: one engine, told by [`Policy`] how large, with which prefix and how much overlap.
//!
//! - [`prefix`]: the heading path in front of a chunk
//! - [`node`]: the tree that prose is cut along
//! - [`prose`]: greedy packing of nodes, overlap
//! - [`window`]: the last resort inside a unit that is too long
//! - [`code`], [`table`]: pieces that carry their fence or their header
//!
//! Sizes are asked of a [`Measure`] for spans of the text and for concatenations, never by counting a chunk again.

mod code;
mod grid;
mod html_table;
mod measure;
mod node;
mod policy;
mod prefix;
mod prose;
mod rest;
mod separator;
mod size;
mod slide;
mod stem;
mod table;
mod units;
mod window;

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::block::{BlockKind, Document};
use crate::chunk::{Chunks, Role, Row, Segment, SplitReason};
use crate::error::ChunkError;
use crate::section::{Section, sections};
use crate::settings::Settings;
use crate::span::Span;
use crate::tokens::Piece;
use prose::Prose;
use size::KnownSizes;
use stem::Stems;
use units::LineAtoms;

pub use code::language;
pub use measure::{CharIndex, FunctionMeasure, LengthFunction, Measure};
pub use policy::{Policy, Units, WindowRule};
pub use separator::{Separator, Separators};
pub use units::sentence_spans;

/// Cuts a document by the structure strategy.
///
/// # Errors
/// [`ChunkError::Cancelled`] soon after `cancel` is set.
pub fn chunk(text: &str, document: &Document, settings: &Settings, cancel: &AtomicBool) -> Result<Chunks, ChunkError> {
    let index = settings.tokenizer.index_cancellable(text, cancel).ok_or(ChunkError::Cancelled)?;
    pack(text, document, &sections(text, document), &Policy::from(settings), &index, cancel)
}

/// Packs the sections of a document under a policy.
///
/// # Errors
/// As [`chunk`].
pub fn pack<M: Measure>(
    text: &str,
    document: &Document,
    sections: &[Section],
    policy: &Policy<'_>,
    measure: &M,
    cancel: &AtomicBool,
) -> Result<Chunks, ChunkError> {
    let mut packer = Packer::new(text, document, policy, measure, cancel);
    // Most sections are one chunk: a prefix and a body.
    packer.out.rows.reserve(sections.len());
    packer.out.segments.reserve(2 * sections.len());
    if policy.template.is_some() {
        packer.out.synthetic.reserve(PREFIX_BYTES * sections.len());
    }
    for section in sections {
        packer.section(section)?;
    }
    packer.end(0, SplitReason::DocumentEnd);
    Ok(packer.out)
}

type Outcome = Result<(), ChunkError>;

/// The state of packing one document.
struct Packer<'a, M> {
    text: &'a str,
    document: &'a Document,
    policy: &'a Policy<'a>,
    measure: &'a M,
    cancel: &'a AtomicBool,
    out: Chunks,
    section: Section,
    /// The prefix of the section's path; empty for none.
    prefix: Segment,
    prefix_path: u32,
    /// Size of the section's prefix by itself.
    prefix_size: usize,
    stems: Stems,
    known: KnownSizes,
    /// From where to where the chunk reaches that was asked for last.
    last_reach: Cell<Span>,
    /// Closing fences for code that the source leaves open: where it ends, and the text.
    closers: Vec<(u32, Segment)>,
    line_atoms: RefCell<LineAtoms>,
    /// Places to cut at, kept for the next search.
    places: Vec<u32>,
}

const NOTHING: Segment = Segment { role: Role::Synthetic, span: Span { start: 0, end: 0 } };

/// About as much as prefixes have.
const PREFIX_BYTES: usize = 64;

impl<'a, M: Measure> Packer<'a, M> {
    fn new(
        text: &'a str,
        document: &'a Document,
        policy: &'a Policy<'a>,
        measure: &'a M,
        cancel: &'a AtomicBool,
    ) -> Self {
        let mut packer = Self {
            text,
            document,
            policy,
            measure,
            cancel,
            out: Chunks::default(),
            section: Section { blocks: 0..0, path: 0 },
            prefix: NOTHING,
            prefix_path: 0,
            prefix_size: 0,
            stems: Stems::new(policy.separator, measure),
            known: KnownSizes::default(),
            last_reach: Cell::new(Span { start: u32::MAX, end: 0 }),
            closers: Vec::new(),
            places: Vec::new(),
            line_atoms: RefCell::default(),
        };
        for open in &document.unclosed {
            let words = code::closing_fence(text, open.start as usize);
            // One that leaves no room for text is left out.
            let has_room = words.len() <= measure.most_bytes(policy.budget)
                && measure.size(&[Piece::Text(&words)]) <= policy.budget * 3 / 4;
            let close = if has_room { packer.synthetic(&words) } else { NOTHING };
            packer.closers.push((open.end, close));
        }
        packer
    }

    fn section(&mut self, section: &Section) -> Outcome {
        self.section = section.clone();
        self.make_prefix(section.path);
        let first = &self.document.blocks[section.blocks.start];
        let last = &self.document.blocks[section.blocks.end - 1];
        let whole = Span { start: first.span.start, end: last.span.end };
        let rows = self.out.rows.len();
        match (first.kind, &self.policy.units) {
            (_, Units::Slide) => self.slide(whole)?,
            (BlockKind::Code, Units::Markdown) => self.code_block(first, section.blocks.start as u32)?,
            (BlockKind::Table, Units::Markdown) => self.table_block(first)?,
            (BlockKind::Image, Units::Markdown) => self.image_block(first, section.blocks.start as u32)?,
            _ if self.is_one_chunk(whole) => {
                self.commit(&[], whole.start, whole, NOTHING, SplitReason::SectionEnd)?;
            }
            _ => Prose::new(self, true).blocks()?,
        }
        self.end(rows, SplitReason::SectionEnd);
        Ok(())
    }

    /// The last chunk, if it is number `first` or behind, ends for this reason, unless it has one that says more.
    fn end(&mut self, first: usize, reason: SplitReason) {
        if let Some(row) = self.out.rows[first..].last_mut()
            && !row.reason.outlasts_ends()
        {
            row.reason = reason;
        }
    }

    fn is_one_chunk(&self, whole: Span) -> bool {
        let policy = self.policy;
        policy.most_units.is_none() && policy.falls.is_empty() && self.fits(policy.target, &[], whole, NOTHING)
    }

    fn most_bytes(&self) -> usize {
        self.measure.most_bytes(self.policy.budget)
    }

    /// An image is its source text, and what the parser says of it as far as that fits.
    fn image_block(&mut self, block: &crate::block::Block, index: u32) -> Outcome {
        let words = self.document.supplement(index).and_then(|s| s.description.clone());
        let mut after = NOTHING;
        if let Some(words) = words.filter(|words| !self.text[block.span.range()].contains(words.as_str())) {
            after = self.synthetic(&format!("\n{words}"));
            while !self.fits(self.policy.budget, &[], block.span, after) && !after.span.is_empty() {
                let half = after.span.start as usize + after.span.len() / 2;
                let cut = (after.span.start as usize..=half).rev().find(|at| self.out.synthetic.is_char_boundary(*at));
                after.span.end = cut.unwrap_or(after.span.start as usize) as u32;
            }
        }
        if self.fits(self.policy.budget, &[], block.span, after) {
            return self.commit(&[], block.span.start, block.span, after, SplitReason::SectionEnd);
        }
        Prose::new(self, true).blocks()
    }

    /// Stores text that is not in the source.
    fn synthetic(&mut self, words: &str) -> Segment {
        let start = self.out.synthetic.len();
        self.out.synthetic.push_str(words);
        Segment { role: Role::Synthetic, span: Span::new(start, self.out.synthetic.len()) }
    }

    /// Whether the source leaves fenced code open that ends at `end`.
    fn is_left_open(&self, end: u32) -> bool {
        self.closers.binary_search_by_key(&end, |(at, _)| *at).is_ok()
    }

    /// The closing fences for code that ends in a stretch of source text and is left open there: where, and the text.
    fn closers_in(&self, source: Span) -> &[(u32, Segment)] {
        let from = self.closers.partition_point(|(at, _)| *at <= source.start);
        let to = self.closers.partition_point(|(at, _)| *at <= source.end);
        &self.closers[from..to.max(from)]
    }

    fn piece(&self, segment: Segment) -> Piece<'_> {
        match segment.role {
            Role::Synthetic => Piece::Text(&self.out.synthetic[segment.span.range()]),
            _ => Piece::Span(segment.span),
        }
    }

    fn segment_text(&self, segment: Segment) -> &str {
        match self.piece(segment) {
            Piece::Text(text) => text,
            Piece::Span(span) => &self.text[span.range()],
        }
    }

    /// The end of the longest chunk that begins at a place, if that decides what fits: sizes add up, and there is nothing but source text in it.
    fn reach(&self, start: u32) -> Option<u32> {
        if !self.measure.adds_up() || !self.prefix.span.is_empty() || !self.closers.is_empty() {
            return None;
        }
        let mut reach = self.last_reach.get();
        if reach.start != start {
            reach = Span::new(start as usize, self.measure.take(start as usize, self.text.len(), self.policy.budget));
            self.last_reach.set(reach);
        }
        Some(reach.end)
    }

    /// Source text as segments, with closing fences behind code that is left open.
    fn closed_source(&self, role: Role, source: Span) -> impl Iterator<Item = Segment> + '_ {
        let closers = self.closers_in(source);
        let starts = std::iter::once(source.start).chain(closers.iter().map(|(at, _)| *at));
        let ends = closers.iter().map(|(at, _)| *at).chain([source.end]);
        let fences = closers.iter().map(|(_, fence)| *fence).chain([NOTHING]);
        starts
            .zip(ends)
            .zip(fences)
            .flat_map(move |((start, end), fence)| [Segment { role, span: Span { start, end } }, fence])
    }

    /// The first of the places from which on the text up to `end` is no larger than `most`, by bisection.
    fn first_within(&self, places: &[usize], end: usize, most: usize) -> Option<usize> {
        let (mut low, mut high) = (0, places.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            let fits = self.span_size(Span::new(places[middle], end)) <= most;
            if fits { high = middle } else { low = middle + 1 }
        }
        places.get(low).copied()
    }

    fn fits(&self, limit: usize, before: &[Segment], source: Span, after: Segment) -> bool {
        if limit == self.policy.budget
            && before.is_empty()
            && after.span.is_empty()
            && let Some(reach) = self.reach(source.start)
        {
            return source.end <= reach;
        }
        self.size(before, source, after) <= limit
    }

    /// Adds a chunk whose source text is overlap from `overlap` on and then `body`. Should the joints have made it too large (a prefix at its limit, a fence at
    /// its limit and a character of many tokens can), the prefix is left out.
    fn commit(&mut self, before: &[Segment], overlap: u32, body: Span, after: Segment, reason: SplitReason) -> Outcome {
        self.commit_behind(self.prefix, before, overlap, body, after, reason)
    }

    /// As [`Self::commit`], with a prefix that is not the section's.
    fn commit_behind(
        &mut self,
        mut prefix: Segment,
        before: &[Segment],
        overlap: u32,
        body: Span,
        after: Segment,
        reason: SplitReason,
    ) -> Outcome {
        let source = Span { start: overlap, end: body.end };
        if self.cancel.load(Ordering::Relaxed) {
            return Err(ChunkError::Cancelled);
        }
        let mut tokens = match reason {
            SplitReason::WholeUnit => self.span_size(source),
            _ => self.size_of(prefix, before, source, after),
        };
        if tokens > self.policy.budget && reason != SplitReason::WholeUnit {
            prefix = NOTHING;
            tokens = self.size_of(prefix, before, source, after);
        }
        let is_free = reason == SplitReason::WholeUnit || self.measure.is_unbounded();
        if tokens > self.policy.budget && !is_free {
            return Err(ChunkError::OverBudget { start: body.start, tokens, budget: self.policy.budget });
        }
        let first = self.out.segments.len();
        let carried = Span { start: overlap, end: body.start };
        self.push(prefix);
        for segment in before {
            self.push(*segment);
        }
        for (role, source) in [(Role::Overlap, carried), (Role::Body, body)] {
            if self.closers.is_empty() || self.closers_in(source).is_empty() {
                self.push(Segment { role, span: source });
            } else {
                let segments: Vec<Segment> = self.closed_source(role, source).collect();
                for segment in segments {
                    self.push(segment);
                }
            }
        }
        self.push(after);
        let blocks = self.blocks_of(body);
        let segments = Span::new(first, self.out.segments.len());
        let path = self.section.path;
        self.out.rows.push(Row { segments, body, size: tokens as u32, blocks, path, reason });
        Ok(())
    }

    /// Takes the last chunk back, if what follows may share one with it: where its overlap and its body are.
    fn take_back(&mut self, next: Span) -> Option<(u32, Span)> {
        let row = self.out.rows.last()?;
        let [.., last] = self.out.segments_of(row) else { return None };
        let first = self.out.segments_of(row).iter().map(|segment| segment.span.start).min()?;
        let blocks = self.section.blocks.start as u32..self.section.blocks.end as u32;
        let joined = Span { start: first, end: next.end };
        let may_join = last.role == Role::Body
            && last.span.end == row.body.end
            && self.out.segments_of(row).iter().all(|segment| matches!(segment.role, Role::Body | Role::Overlap))
            && blocks.contains(&row.blocks.start)
            && !row.reason.outlasts_ends()
            && self.fits(self.policy.budget, &[], joined, NOTHING);
        if !may_join {
            return None;
        }
        let (body, segments) = (row.body, row.segments);
        self.out.rows.pop();
        self.out.segments.truncate(segments.start as usize);
        Some((first, body))
    }

    fn push(&mut self, segment: Segment) {
        if !segment.span.is_empty() {
            self.out.segments.push(segment);
        }
    }

    /// The blocks of the section that a body touches.
    fn blocks_of(&self, body: Span) -> Span {
        if self.section.blocks.len() == 1 {
            return Span::new(self.section.blocks.start, self.section.blocks.end);
        }
        let blocks = &self.document.blocks[self.section.blocks.clone()];
        let from = blocks.partition_point(|block| block.span.end <= body.start);
        let to = blocks.partition_point(|block| block.span.start < body.end);
        Span::new(self.section.blocks.start + from, self.section.blocks.start + to.max(from + 1))
    }
}
