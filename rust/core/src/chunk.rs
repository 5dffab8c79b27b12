//! Chunks as columns: rows of spans and counts that refer to the text.

use crate::span::Span;

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

/// Why a chunk ends where it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum SplitReason {
    /// The document ends.
    DocumentEnd,
    /// The section ends.
    SectionEnd,
    /// The next unit did not fit.
    MaxTokens,
    /// The soft target was reached.
    TargetTokens,
    /// A unit that is too long was cut inside.
    TokenWindow,
}

impl SplitReason {
    /// The name that users see.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::DocumentEnd => "document_end",
            Self::SectionEnd => "section_end",
            Self::MaxTokens => "max_tokens",
            Self::TargetTokens => "target_tokens",
            Self::TokenWindow => "token_window",
        }
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
    pub tokens: u32,
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
}

impl Chunks {
    /// The segments of a chunk.
    #[must_use]
    pub fn segments_of(&self, row: &Row) -> &[Segment] {
        &self.segments[row.segments.range()]
    }

    /// The text of a segment, given the source.
    #[must_use]
    pub fn segment_text<'a>(&'a self, text: &'a str, segment: Segment) -> &'a str {
        match segment.role {
            Role::Synthetic => &self.synthetic[segment.span.range()],
            _ => &text[segment.span.range()],
        }
    }

    /// The content of a chunk, given the source.
    #[must_use]
    pub fn content(&self, text: &str, row: &Row) -> String {
        self.segments_of(row).iter().map(|segment| self.segment_text(text, *segment)).collect()
    }
}
