//! Chunks as columns: rows of spans and counts that refer to the text.

use std::borrow::Cow;

use crate::span::Span;
use crate::text::collapsed;

/// What a segment is in its chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Role {
    /// Source text, in exactly one chunk.
    Body,
    /// Source text carried over from the previous chunk.
    Overlap,
    /// Source text said again, such as a table's header.
    Repeat,
    /// Text that is not in the source.
    Synthetic,
}

impl Role {
    /// The name that users see.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Overlap => "overlap",
            Self::Repeat => "repeat",
            Self::Synthetic => "synthetic",
        }
    }

    /// The role with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        [Self::Body, Self::Overlap, Self::Repeat, Self::Synthetic].into_iter().find(|role| role.name() == name)
    }
}

/// What sizes are counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SizeUnit {
    /// Tokens of a tokenizer.
    Tokens,
    /// Code points.
    Chars,
    /// Whatever a user's function counts.
    Other,
}

/// Why a chunk ends where it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SplitReason {
    /// The document ends.
    DocumentEnd,
    /// The section ends.
    SectionEnd,
    /// The next unit did not fit.
    MaxSize,
    /// The soft target was reached.
    Target,
    /// A unit that is too long was cut inside.
    Window,
    /// It has as many units as allowed.
    MaxUnits,
    /// What follows is about something else.
    Similarity,
    /// It is one unit that is too long and stays whole.
    WholeUnit,
    /// It is a piece of a block that is too long.
    BlockTooLarge,
}

impl SplitReason {
    /// The name that users see, where sizes are counted in `unit`.
    #[must_use]
    pub const fn name(self, unit: SizeUnit) -> &'static str {
        match (self, unit) {
            (Self::DocumentEnd, _) => "document_end",
            (Self::SectionEnd, _) => "section_end",
            (Self::MaxSize, SizeUnit::Tokens) => "max_tokens",
            (Self::MaxSize, SizeUnit::Chars) => "max_chars",
            (Self::MaxSize, SizeUnit::Other) => "max_size",
            (Self::Target, SizeUnit::Tokens) => "target_tokens",
            (Self::Target, SizeUnit::Chars) => "target_chars",
            (Self::Target, SizeUnit::Other) => "target_size",
            (Self::Window, SizeUnit::Tokens) => "token_window",
            (Self::Window, SizeUnit::Chars) => "char_window",
            (Self::Window, SizeUnit::Other) => "size_window",
            (Self::MaxUnits, _) => "max_units",
            (Self::Similarity, _) => "similarity",
            (Self::WholeUnit, _) => "whole_unit",
            (Self::BlockTooLarge, _) => "block_too_large",
        }
    }

    /// Whether it says more than that a section or the document ends there.
    #[must_use]
    pub const fn outlasts_ends(self) -> bool {
        matches!(self, Self::WholeUnit | Self::BlockTooLarge)
    }
}

/// A piece of a chunk's content. Its span is in the source, or for synthetic text in [`Chunks::synthetic`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    /// What it is.
    pub role: Role,
    /// Where its text is.
    pub span: Span,
}

/// One chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its segments: a range of [`Chunks::segments`].
    pub segments: Span,
    /// From the first to the last byte of its body segments.
    pub body: Span,
    /// Exact size of its content.
    pub size: u32,
    /// The blocks it is from: indices of the first and the one behind the last.
    pub blocks: Span,
    /// Its heading path.
    pub path: u32,
    /// Why it ends.
    pub reason: SplitReason,
}

/// All chunks of a document, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chunks {
    /// The chunks.
    pub rows: Vec<Row>,
    /// The segments of all chunks.
    pub segments: Vec<Segment>,
    /// Text that is not in the source.
    pub synthetic: String,
    /// Whether white space runs of the source are one blank in the text of segments.
    pub collapsed: bool,
}

impl Chunks {
    /// The segments of a chunk.
    #[must_use]
    pub fn segments_of(&self, row: &Row) -> &[Segment] {
        &self.segments[row.segments.range()]
    }

    /// The text of a segment, given the source.
    #[must_use]
    pub fn segment_text<'a>(&'a self, text: &'a str, segment: Segment) -> Cow<'a, str> {
        match segment.role {
            Role::Synthetic => Cow::Borrowed(&self.synthetic[segment.span.range()]),
            _ if self.collapsed => Cow::Owned(collapsed(&text[segment.span.range()])),
            _ => Cow::Borrowed(&text[segment.span.range()]),
        }
    }

    /// The content of a chunk, given the source.
    #[must_use]
    pub fn content(&self, text: &str, row: &Row) -> String {
        if let [only] = self.segments_of(row) {
            return self.segment_text(text, *only).into_owned();
        }
        self.segments_of(row).iter().map(|segment| self.segment_text(text, *segment)).collect()
    }

    /// The source range of a chunk: of its body, or where windows slide of the whole window.
    #[must_use]
    pub fn range(&self, row: &Row) -> Span {
        match (self.collapsed, self.segments_of(row)) {
            (true, [first, .., last]) => Span { start: first.span.start, end: last.span.end },
            _ => row.body,
        }
    }
}
