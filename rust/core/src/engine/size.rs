//! Sizes of chunks. What was counted before is not counted again where sizes add up.

use std::cell::Cell;

use super::{Measure, NOTHING, Packer};
use crate::chunk::{Role, Segment};
use crate::span::Span;
use crate::tokens::Piece;

/// What a size was asked for.
#[derive(Clone, Copy, PartialEq)]
struct Query {
    prefix: Segment,
    before: Around,
    source: Span,
    after: Segment,
}

/// What stands on one side of source text: a header, a fence and a margin, a closing fence.
#[derive(Clone, Copy, PartialEq)]
struct Around([Segment; 2]);

impl FromIterator<Segment> for Around {
    fn from_iter<I: IntoIterator<Item = Segment>>(segments: I) -> Self {
        let mut all = [NOTHING; 2];
        for (place, segment) in all.iter_mut().zip(segments) {
            *place = segment;
        }
        Self(all)
    }
}

/// Sizes that are likely to be asked for again.
#[derive(Default)]
pub(super) struct KnownSizes {
    /// The chunk asked for last: it is asked for before it is made and when it is made.
    query: Cell<Option<(Query, usize)>>,
    /// What stood in front of source text last, and what closed it.
    before: Cell<Option<(Around, usize)>>,
    after: Cell<Option<(Around, usize)>>,
    /// The last span of source text with nothing but a prefix, and where that is.
    span: Cell<(Span, Span, usize)>,
}

/// Most pieces of one chunk: prefix, header or fence, overlap and body, closing fence, with room to spare.
const MOST_PIECES: usize = 8;

impl<M: Measure> Packer<'_, M> {
    /// Size of a chunk: prefix, `before`, source text (overlap and body), `after`.
    pub(super) fn size(&self, before: &[Segment], source: Span, after: Segment) -> usize {
        self.size_of(self.prefix, before, source, after)
    }

    pub(super) fn size_of(&self, prefix: Segment, before: &[Segment], source: Span, after: Segment) -> usize {
        if self.closers.is_empty() && after.span.is_empty() && before.iter().all(|segment| segment.span.is_empty()) {
            return self.span_size_behind(prefix, source);
        }
        let query = Query { prefix, before: before.iter().copied().collect(), source, after };
        if let Some((last, size)) = self.known.query.get()
            && last == query
        {
            return size;
        }
        let size = self.joined_size(prefix, before, source, after);
        self.known.query.set(Some((query, size)));
        size
    }

    /// Sizes add up where a line ends in front of text: behind the prefix, and behind a header or the line of a fence.
    fn joined_size(&self, mut prefix: Segment, mut before: &[Segment], source: Span, after: Segment) -> usize {
        let source_text = &self.text[source.range()];
        let mut in_front = before.iter().map(|segment| self.segment_text(*segment)).filter(|text| !text.is_empty());
        let (first, last) = (in_front.clone().next(), in_front.next_back());
        let mut size = 0usize;
        if self.is_apart(prefix, first.unwrap_or(source_text)) {
            size = self.prefix_size;
            prefix = NOTHING;
        }
        if prefix.span.is_empty() && last.is_some_and(|text| text.ends_with('\n')) && self.stands_apart(source_text) {
            size = size.saturating_add(self.known_size(&self.known.before, before));
            before = &[];
        }
        let is_bare = prefix.span.is_empty() && before.iter().all(|segment| segment.span.is_empty());
        size.saturating_add(if is_bare {
            self.size_with_end(source, after)
        } else {
            self.size_behind(self.piece(prefix), before, source, after)
        })
    }

    /// Size of source text and what closes it. Where the source goes on with a line end as that begins, they are counted apart behind it.
    fn size_with_end(&self, source: Span, after: Segment) -> usize {
        let most = self.most_bytes();
        let rest = self.segment_text(after).strip_prefix('\n').filter(|rest| self.stands_apart(rest));
        let is_apart = rest.is_some() && self.text[source.end as usize..].starts_with('\n') && self.closers.is_empty();
        if !is_apart || source.is_empty() || source.len().max(after.span.len()) > most {
            return self.size_behind(Piece::Text(""), &[], source, after);
        }
        let rest = Segment { span: Span { start: after.span.start + 1, ..after.span }, ..after };
        self.span_size(Span { end: source.end + 1, ..source }) + self.known_size(&self.known.after, &[rest])
    }

    /// Size of a header or a fence by itself, which many chunks have.
    fn known_size(&self, last: &Cell<Option<(Around, usize)>>, segments: &[Segment]) -> usize {
        let key: Around = segments.iter().copied().collect();
        if let Some((last, size)) = last.get()
            && last == key
        {
            return size;
        }
        let size = self.size_behind(Piece::Text(""), segments, Span::default(), NOTHING);
        last.set(Some((key, size)));
        size
    }

    /// Size of a chunk that is nothing but prefix and source text.
    fn span_size_behind(&self, prefix: Segment, source: Span) -> usize {
        let (last_prefix, last_source, size) = self.known.span.get();
        if last_source == source && last_prefix == prefix.span {
            return size;
        }
        let size = if source.len() > self.most_bytes() {
            usize::MAX
        } else if prefix.span.is_empty() {
            self.span_size(source)
        } else if self.is_apart(prefix, &self.text[source.range()]) {
            self.prefix_size.saturating_add(self.span_size(source))
        } else {
            self.size_behind(self.piece(prefix), &[], source, NOTHING)
        };
        self.known.span.set((prefix.span, source, size));
        size
    }

    /// Whether the section's prefix, which ends in a line feed, can be counted apart from what follows.
    fn is_apart(&self, prefix: Segment, text: &str) -> bool {
        !prefix.span.is_empty() && prefix == self.prefix && self.stands_apart(text)
    }

    /// Whether text can be counted apart from a line end in front of it.
    fn stands_apart(&self, text: &str) -> bool {
        let begins_with_text = match text.as_bytes() {
            // In the pattern of `o200k_base` symbols take slashes behind their line ends.
            [] | [b'/', ..] => false,
            [b'!'..=b'~', ..] => true,
            // Blanks in front of text belong to no piece that holds a line feed.
            _ => text.trim_start_matches([' ', '\t']).starts_with(|c: char| !c.is_whitespace()),
        };
        begins_with_text && self.measure.adds_up_at_lines()
    }

    /// Text that no number of tokens within the budget can hold is not counted: it has the largest size there is.
    pub(super) fn size_behind(&self, prefix: Piece<'_>, before: &[Segment], source: Span, after: Segment) -> usize {
        let most = self.most_bytes();
        if source.len() > most || before.iter().chain([&after]).any(|segment| segment.span.len() > most) {
            return usize::MAX;
        }
        let mut pieces = [Piece::Text(""); MOST_PIECES];
        let mut count = 0;
        if prefix != Piece::Text("") {
            pieces[0] = prefix;
            count = 1;
        }
        let closers = self.closers_in(source);
        if !closers.is_empty() {
            let mut pieces = vec![prefix];
            pieces.extend(before.iter().map(|segment| self.piece(*segment)));
            pieces.extend(self.closed_source(Role::Body, source).map(|segment| self.piece(segment)));
            pieces.push(self.piece(after));
            return self.measure.size(&pieces);
        }
        let source = Segment { role: Role::Body, span: source };
        for segment in before.iter().chain([&source, &after]) {
            if !segment.span.is_empty() {
                pieces[count] = self.piece(*segment);
                count += 1;
            }
        }
        self.measure.size(&pieces[..count])
    }

    /// Size of a span of the source by itself.
    pub(super) fn span_size(&self, span: Span) -> usize {
        self.measure.size(&[Piece::Span(span)])
    }
}
