//! Text -> top-level nodes that are certain, and regions that are left to the parser. Inlines are not looked at.

use memchr::memchr;

use super::containers::Containers;
use super::definitions::{definition, places};
use super::html::{self, Html};
use super::lines::{
    Begin, begin, begins_text, closing_fence, indentation, is_end, may_delimit, run, skip_blanks, trimmed,
};
use super::{region, table};
use crate::block::{Part, PartKind};
use crate::lex::bits::Bits;
use crate::lex::inlines::Labels;
use crate::lex::mask::Mask;
use crate::span::Span;

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeKind {
    /// An ATX heading in the first column.
    Heading(u8),
    Paragraph,
    Rule,
    /// Closed fenced code.
    Code,
    List,
    Quote,
    Table,
    /// A comment, or what begins with a tag.
    Html,
    /// What the parser has to read.
    Region,
}

/// A node at top level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    pub(super) span: Span,
    /// Its parts in [`Blocks::parts`]: those that are blocks.
    pub(super) parts: Span,
}

/// The blocks of a text.
pub(super) struct Blocks<'t> {
    text: &'t str,
    bytes: &'t [u8],
    bits: &'t Bits,
    /// Whether any line may be a delimiter row.
    rows: bool,
    pub(super) nodes: Vec<Node>,
    pub(super) parts: Vec<Part>,
    pub(super) labels: Labels,
    /// Where definitions may begin.
    places: Vec<usize>,
}

impl<'t> Blocks<'t> {
    /// Reads a masked text; none if it is not certain which definitions it has.
    pub(super) fn of(mask: &'t Mask<'_>) -> Option<Self> {
        let (text, start): (&str, usize) = (&mask.text, mask.start);
        let bytes = text.as_bytes();
        let length = text.len() - start;
        let places = places(text, start, mask.bits.definitions.clone())?;
        let mut blocks = Self {
            text,
            bytes,
            bits: &mask.bits,
            rows: mask.rows,
            nodes: Vec::with_capacity(length / 64 + 16),
            parts: Vec::with_capacity(length / 64 + 16),
            labels: Labels::new(length),
            places,
        };
        let mut containers = Containers::default();
        let mut at = start;
        while let Some(first) = bytes.get(at) {
            at = if *first == b'\n' { at + 1 } else { blocks.block(at, &mut containers) };
        }
        blocks.has_certain_labels().then_some(blocks)
    }

    /// Whether no region may hold a definition.
    fn has_certain_labels(&self) -> bool {
        let mut places = self.places.iter().peekable();
        places.peek().is_none()
            || self.nodes.iter().filter(|node| node.kind == NodeKind::Region).all(|node| {
                while places.next_if(|at| **at < node.span.start as usize).is_some() {}
                places.peek().is_none_or(|at| **at >= node.span.end as usize)
            })
    }

    /// Takes what begins with the line at `at`; where the next line begins.
    fn block(&mut self, at: usize, containers: &mut Containers) -> usize {
        let bytes = self.bytes;
        let (first, parts) = (self.nodes.len(), self.parts.len());
        let end = if begins_text(bytes, at) {
            self.paragraph(at)
        } else {
            let (content, column) = indentation(bytes, at);
            if is_end(bytes, content) {
                return self.next_line(content);
            }
            if column < 4 { self.read(at, content, containers) } else { None }
        };
        end.unwrap_or_else(|| {
            self.nodes.truncate(first);
            self.parts.truncate(parts);
            self.region(at)
        })
    }

    /// The block whose first line has its content at `content`; where it ends, if it is certain.
    fn read(&mut self, at: usize, content: usize, containers: &mut Containers) -> Option<usize> {
        match begin(self.bytes, content) {
            Begin::Bracket if self.may_define(content) => self.definitions(content),
            Begin::Text | Begin::Bracket | Begin::Pipe | Begin::Underline => self.paragraph(content),
            Begin::Heading(level) => Some(self.line(NodeKind::Heading(level), content)),
            Begin::Fence => self.fence(content),
            Begin::Rule | Begin::Dashes(3..) => Some(self.line(NodeKind::Rule, content)),
            Begin::Marker(_) => containers.read(self, NodeKind::List, at),
            Begin::Quote => containers.read(self, NodeKind::Quote, content),
            Begin::Html => self.html(content),
            Begin::Blank | Begin::Indent | Begin::Dashes(_) => None,
        }
    }

    /// What a line is that begins with `<` at `at`.
    pub(super) fn html_kind(&self, at: usize) -> Html {
        html::kind(&self.bytes[at..self.next_line(at)])
    }

    fn html(&mut self, at: usize) -> Option<usize> {
        match self.html_kind(at) {
            Html::Text => self.paragraph(at),
            Html::Other => None,
            kind => html::end(self, at, kind).inspect(|end| self.node(NodeKind::Html, at, *end)),
        }
    }

    #[cold]
    fn region(&mut self, at: usize) -> usize {
        let end = region::end(self.bytes, at);
        self.node(NodeKind::Region, at, end);
        end
    }

    /// The start of the line behind the one that `at` is on.
    pub(super) fn next_line(&self, at: usize) -> usize {
        self.bits.next_line(at)
    }

    pub(super) fn bytes(&self) -> &'t [u8] {
        self.bytes
    }

    pub(super) fn node(&mut self, kind: NodeKind, start: usize, end: usize) {
        let parts = self.parts.len();
        self.nodes.push(Node { kind, span: Span::new(start, end), parts: Span::new(parts, parts) });
    }

    /// Adds a part that is open; where it is.
    pub(super) fn open(&mut self, kind: PartKind, start: usize) -> usize {
        self.parts.push(Part { kind, span: Span::new(start, start), next: 0 });
        self.parts.len() - 1
    }

    pub(super) fn close(&mut self, part: usize, end: usize) {
        let next = self.parts.len() as u32;
        self.parts[part].next = next;
        self.parts[part].span.end = end as u32;
    }

    /// The end of a span without blanks, tabs and line ends at its end.
    pub(super) fn trimmed(&self, span: Span) -> usize {
        span.start as usize + trimmed(&self.bytes[span.range()]).len()
    }

    /// Whether a definition may begin at a bracket.
    pub(super) fn may_define(&self, at: usize) -> bool {
        self.places.binary_search(&at).is_ok()
    }

    /// Whether the rest of a line may be the delimiter row of a table, in a quote or not.
    pub(super) fn may_delimit(&self, at: usize) -> bool {
        self.rows && may_delimit(self.bytes, at)
    }

    /// Whether the line from `at` to `next` and the one behind it may begin a table.
    pub(super) fn is_table(&self, at: usize, next: usize) -> bool {
        self.may_delimit(next) && memchr(b'|', &self.bytes[at..next]).is_some()
    }

    /// A node of one line.
    fn line(&mut self, kind: NodeKind, at: usize) -> usize {
        let end = self.next_line(at);
        self.node(kind, at, end);
        end
    }

    fn fence(&mut self, at: usize) -> Option<usize> {
        let bytes = self.bytes;
        let (mark, marks) = (bytes[at], run(bytes, at));
        let mut line = self.next_line(at);
        let close = loop {
            let mut content = line;
            while *bytes.get(content)? == b' ' && content - line < 3 {
                content += 1;
            }
            if bytes[content] == mark
                && let Some(close) = closing_fence(bytes, content, mark, marks)
            {
                break close;
            }
            line = self.next_line(content);
        };
        self.node(NodeKind::Code, at, close);
        Some(self.next_line(close))
    }

    /// A paragraph or table.
    fn paragraph(&mut self, at: usize) -> Option<usize> {
        let bytes = self.bytes;
        let mut end = self.next_line(at);
        if self.is_table(at, end) {
            return table::top_level(self, at);
        }
        while end < bytes.len() {
            if begins_text(bytes, end) {
                end = self.next_line(end);
                continue;
            }
            let (content, column) = indentation(bytes, end);
            if is_end(bytes, content) {
                break;
            }
            let next = self.next_line(content);
            match if column < 4 { begin(bytes, content) } else { Begin::Text } {
                Begin::Text | Begin::Bracket => {}
                Begin::Pipe if !self.may_delimit(next) => {}
                Begin::Pipe if table::head_columns(bytes, content).is_some() => break,
                Begin::Marker(marker)
                    if !(marker.interrupts && has_content(bytes, content + usize::from(marker.width))) => {}
                Begin::Html => match self.html_kind(content) {
                    Html::Text | Html::Tag => {}
                    Html::Block | Html::Comment => break,
                    Html::Other => return None,
                },
                Begin::Heading(_) | Begin::Fence | Begin::Rule | Begin::Quote | Begin::Marker(_) => break,
                _ => return None,
            }
            end = next;
        }
        self.node(NodeKind::Paragraph, at, end);
        Some(end)
    }

    /// Definitions, one a line, up to a blank line.
    fn definitions(&mut self, at: usize) -> Option<usize> {
        let mut end = at;
        let text = self.text;
        loop {
            let found = definition(text, end)?;
            end = found.end;
            self.labels.insert(found.label, found.len);
            if is_end(self.bytes, skip_blanks(self.bytes, end)) {
                return Some(end);
            }
            if !self.may_define(end) {
                return None;
            }
        }
    }
}

/// Whether anything but white space follows on the line.
pub(super) fn has_content(bytes: &[u8], at: usize) -> bool {
    !is_end(bytes, skip_blanks(bytes, at))
}
