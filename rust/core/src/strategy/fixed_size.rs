//! Windows of one size that slide over the text, white space runs as one blank.

use std::sync::atomic::AtomicBool;

use super::plain_text::{PlainStrategy, sections as plain_sections};
use super::{Prepared, Sizing};
use crate::block::Document;
use crate::chunk::Chunks;
use crate::engine::{Policy, Units};
use crate::error::ChunkError;
use crate::span::Span;
use crate::text::{collapse, is_collapsed};

/// Name of the strategy.
pub const NAME: &str = "fixed_size";

/// The fixed_size strategy.
pub struct FixedSize {
    sizing: Sizing,
}

impl FixedSize {
    /// The strategy with these sizes.
    #[must_use]
    pub fn new(sizing: Sizing) -> Self {
        Self { sizing }
    }

    /// How many windows a text without blanks takes, by its length.
    #[must_use]
    pub fn estimate(&self, length: usize) -> usize {
        let (size, overlap) = (self.sizing.budget as usize, self.sizing.overlap as usize);
        match length {
            0 => 0,
            _ if length <= size => 1,
            _ => 1 + (length - size).div_ceil(size - overlap),
        }
    }
}

impl PlainStrategy for FixedSize {
    const NAME: &'static str = NAME;

    fn sizing(&self) -> &Sizing {
        &self.sizing
    }

    fn settings(&self) -> Vec<(&str, String)> {
        Vec::new()
    }

    fn policy(&self) -> Policy<'_> {
        Policy { units: Units::Slide, ..self.sizing.policy() }
    }

    fn pack(&self, text: &str, prepared: &Prepared, cancel: &AtomicBool) -> Result<Chunks, ChunkError> {
        let copy = Copy::of(text, &prepared.document);
        let mut sections = plain_sections(&copy.document);
        sections.retain(|section| !copy.document.blocks[section.blocks.start].span.is_empty());
        let mut chunks = self.sizing.pack(&copy.text, &copy.document, &sections, &self.policy(), cancel)?;
        chunks.collapsed = true;
        for segment in &mut chunks.segments {
            segment.span = copy.source(segment.span);
        }
        for row in &mut chunks.rows {
            row.body = copy.source(row.body);
        }
        Ok(chunks)
    }
}

/// The text of all sections, white space runs as one blank.
struct Copy {
    text: String,
    /// Blocks with positions in the copy.
    document: Document,
    /// From where on positions differ by how much: in the copy, in the text.
    moves: Vec<(u32, u32)>,
}

impl Copy {
    fn of(text: &str, document: &Document) -> Self {
        let mut copy = Self { text: String::with_capacity(text.len()), document: document.clone(), moves: Vec::new() };
        for block in &mut copy.document.blocks {
            // Indentation in front of a section would be a blank of its own.
            let slice = text[block.span.range()].trim_start_matches(is_collapsed);
            let first = block.span.end as usize - slice.len();
            let slice = slice.trim_end_matches(is_collapsed);
            let start = copy.text.len();
            copy.moves.push((start as u32, first as u32));
            let mut moves = Vec::new();
            collapse(slice, &mut copy.text, |copied, at| moves.push((copied as u32, (first + at) as u32)));
            copy.moves.append(&mut moves);
            block.span = Span::new(start, copy.text.len());
        }
        copy
    }

    /// The source of a span. A blank at its end stands for a whole run of white space.
    fn source(&self, span: Span) -> Span {
        let ends_in_blank = self.text.as_bytes()[span.end as usize - 1] == b' ';
        let end = if ends_in_blank { self.source_at(span.end) } else { self.source_at(span.end - 1) + 1 };
        Span { start: self.source_at(span.start), end }
    }

    fn source_at(&self, at: u32) -> u32 {
        let (copied, source) = self.moves[self.moves.partition_point(|(copied, _)| *copied <= at) - 1];
        source + (at - copied)
    }
}
