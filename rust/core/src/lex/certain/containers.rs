//! Lists and quotes that are certain: indented by blanks, their blocks paragraphs, closed fenced code, tables, HTML blocks and further lists and quotes.

use super::blocks::{Blocks, NodeKind, has_content};
use super::html::{self, Html};
use super::levels::{Levels, Line};
use super::lines::{Begin, Marker, begin, begins_text, closing_fence, is_end, item_content, run, skip_blanks};
use super::table::{self, Row};
use crate::block::PartKind;
use crate::span::Span;

/// Deeper containers are left to the parser.
const MOST_LEVELS: usize = 24;

/// What is open while a list or quote is read.
#[derive(Default)]
pub(super) struct Containers {
    levels: Levels,
    /// The part of the paragraph that the next line may go on with.
    paragraph: Option<usize>,
    /// How many of its lines have been read, as far as 2.
    lines: u8,
    /// Whether a blank line stands behind the last block.
    blank: bool,
}

enum Step {
    /// The next line begins there.
    On(usize),
    /// The list or quote ends in front of this line.
    End,
}

impl Containers {
    /// Reads the list or quote that begins at `at`; where it ends, if it is certain.
    pub(super) fn read(&mut self, blocks: &mut Blocks<'_>, kind: NodeKind, at: usize) -> Option<usize> {
        *self = Self { levels: std::mem::take(&mut self.levels), ..Self::default() };
        self.levels.clear();
        blocks.node(kind, at, at);
        let node = blocks.nodes.len() - 1;
        let bytes = blocks.bytes();
        let mut next = at;
        while next < bytes.len() {
            let line = self.levels.enter(blocks, next);
            let step =
                if is_end(bytes, line.content) { self.blank_line(blocks, &line) } else { self.line(blocks, &line)? };
            match step {
                Step::On(behind) => next = behind,
                Step::End => break,
            }
        }
        self.levels.close(blocks, 0, next);
        blocks.nodes[node].span.end = next as u32;
        blocks.nodes[node].parts.end = blocks.parts.len() as u32;
        Some(next)
    }

    /// A line without content ends the quotes that it does not belong to.
    fn blank_line(&mut self, blocks: &mut Blocks<'_>, line: &Line) -> Step {
        if line.depth == 0 {
            return Step::End;
        }
        self.levels.close(blocks, line.depth, line.start);
        self.paragraph = None;
        self.blank |= !self.levels.is_in_quote();
        Step::On(line.next)
    }

    /// A line with content.
    fn line(&mut self, blocks: &mut Blocks<'_>, line: &Line) -> Option<Step> {
        let bytes = blocks.bytes();
        if bytes[line.content] == b'\t' {
            return None;
        }
        let goes_on = self.paragraph.is_some() && self.levels.all_hold(line);
        if line.content - line.base >= 4 {
            return self.extend(blocks, line, Begin::Text);
        }
        let begins = begin(bytes, line.content);
        let is_outside = line.depth == 0 && !self.levels.is_empty();
        match begins {
            Begin::Marker(marker)
                if goes_on && !(marker.interrupts && has_content(bytes, line.content + usize::from(marker.width))) =>
            {
                self.extend(blocks, line, Begin::Text)
            }
            Begin::Marker(marker) => self.item(blocks, line, marker),
            Begin::Heading(_) | Begin::Fence | Begin::Quote | Begin::Rule | Begin::Dashes(3..) if is_outside => {
                Some(Step::End)
            }
            Begin::Quote => self.quote(blocks, line),
            Begin::Fence => {
                self.begin_block(blocks, line);
                self.fence(blocks, line)
            }
            Begin::Html => self.html(blocks, line),
            Begin::Text | Begin::Bracket if self.paragraph.is_some() => self.extend(blocks, line, begins),
            Begin::Pipe if goes_on => self.extend(blocks, line, begins),
            _ if self.paragraph.is_some() => None,
            Begin::Text | Begin::Bracket | Begin::Pipe if is_outside => Some(Step::End),
            Begin::Text | Begin::Bracket | Begin::Pipe => self.begin_text(blocks, line, begins),
            _ => None,
        }
    }

    /// Goes on with the open paragraph.
    fn extend(&mut self, blocks: &mut Blocks<'_>, line: &Line, begins: Begin) -> Option<Step> {
        let in_doubt = (self.lines == 1 && blocks.may_delimit(line.content))
            || (begins == Begin::Pipe && blocks.may_delimit(line.next));
        let part = self.paragraph.filter(|_| !in_doubt)?;
        self.lines = 2;
        self.end_paragraph(blocks, part, line.next);
        Some(Step::On(line.next))
    }

    /// A paragraph or a table begins.
    fn begin_text(&mut self, blocks: &mut Blocks<'_>, line: &Line, begins: Begin) -> Option<Step> {
        self.begin_block(blocks, line);
        self.text(blocks, line, begins)
    }

    /// The first line of a paragraph or a table.
    fn text(&mut self, blocks: &mut Blocks<'_>, line: &Line, begins: Begin) -> Option<Step> {
        let bytes = blocks.bytes();
        // In front of a text, a backslash is no part of it, and a box is a mark of its own.
        let in_doubt = match begins {
            Begin::Bracket => blocks.may_define(line.content) || is_box(bytes, line.content),
            _ => bytes[line.content] == b'\\',
        };
        if in_doubt {
            return None;
        }
        if blocks.is_table(line.content, line.next) {
            return self.table(blocks, line);
        }
        let part = blocks.open(PartKind::Paragraph, line.content);
        self.end_paragraph(blocks, part, line.next);
        (self.paragraph, self.lines) = (Some(part), 1);
        Some(Step::On(line.next))
    }

    /// The text right in an item has no paragraph that reaches to its line's end, unless the list is loose.
    fn end_paragraph(&self, blocks: &mut Blocks<'_>, part: usize, line_end: usize) {
        let span = Span { end: line_end as u32, ..blocks.parts[part].span };
        let end = if self.levels.is_in_quote() { line_end } else { blocks.trimmed(span) };
        blocks.close(part, end);
    }

    /// A line with the mark of an item.
    fn item(&mut self, blocks: &mut Blocks<'_>, line: &Line, marker: Marker) -> Option<Step> {
        let content = item_content(blocks.bytes(), line.content, marker).filter(|_| line.depth < MOST_LEVELS)?;
        match self.levels.mark(line.depth) {
            Some(mark) if mark == marker.mark => {
                self.levels.close_items(blocks, line, self.blank);
                self.blank = false;
            }
            Some(_) if line.depth == 0 => return Some(Step::End),
            _ => {
                self.begin_block(blocks, line);
                self.levels.open_list(blocks, line, marker.mark);
            }
        }
        self.levels.open_item(blocks, line, content);
        self.paragraph = None;
        let inner = Line { base: content, content, depth: line.depth + 1, ..*line };
        if begins_text(blocks.bytes(), content) {
            self.text(blocks, &inner, Begin::Text)
        } else {
            self.line(blocks, &inner)
        }
    }

    /// A line with the first mark of a quote.
    fn quote(&mut self, blocks: &mut Blocks<'_>, line: &Line) -> Option<Step> {
        if line.depth == MOST_LEVELS {
            return None;
        }
        self.begin_block(blocks, line);
        self.levels.open_quote(blocks, line);
        let inner = line.in_quote(blocks.bytes());
        if is_end(blocks.bytes(), inner.content) { Some(Step::On(line.next)) } else { self.line(blocks, &inner) }
    }

    /// A block begins in the innermost container that a line belongs to: those in it end.
    fn begin_block(&mut self, blocks: &mut Blocks<'_>, line: &Line) {
        self.levels.close(blocks, line.depth, line.start);
        self.levels.loosen(self.blank);
        self.blank = false;
        self.paragraph = None;
    }

    /// Fenced code, which has to be closed in the container.
    fn fence(&self, blocks: &mut Blocks<'_>, line: &Line) -> Option<Step> {
        let bytes = blocks.bytes();
        let (mark, marks) = (bytes[line.content], run(bytes, line.content));
        let part = blocks.open(PartKind::Fenced, line.content);
        let mut at = line.next;
        let close = loop {
            let line = self.levels.enter(blocks, at);
            // A tab in front of what may be a fence is as wide as its column makes it.
            let is_odd = bytes.get(line.content) == Some(&b'\t')
                && bytes.get(skip_blanks(bytes, line.content)).is_some_and(|b| *b == mark);
            if at >= bytes.len() || !self.levels.all_hold(&line) || is_odd {
                return None;
            }
            if line.content - line.base < 4
                && let Some(close) = closing_fence(bytes, line.content, mark, marks)
            {
                break close;
            }
            at = line.next;
        };
        blocks.close(part, close);
        Some(Step::On(blocks.next_line(close)))
    }

    /// A line that begins with `<`.
    fn html(&mut self, blocks: &mut Blocks<'_>, line: &Line) -> Option<Step> {
        match blocks.html_kind(line.content) {
            Html::Other => None,
            Html::Text | Html::Tag if self.paragraph.is_some() => self.extend(blocks, line, Begin::Text),
            _ if line.depth == 0 => Some(Step::End),
            Html::Text => self.begin_text(blocks, line, Begin::Text),
            kind => self.html_block(blocks, line, kind == Html::Comment),
        }
    }

    /// An HTML block: a comment on one line, or up to a blank line.
    fn html_block(&mut self, blocks: &mut Blocks<'_>, line: &Line, is_comment: bool) -> Option<Step> {
        let bytes = blocks.bytes();
        if is_comment {
            html::comment_len(&bytes[line.content..line.next])?;
        }
        self.begin_block(blocks, line);
        let part = blocks.open(PartKind::Html, line.content);
        let mut behind = self.levels.enter(blocks, line.next);
        while !is_comment && self.levels.all_hold(&behind) && !is_end(bytes, behind.content) {
            behind = self.levels.enter(blocks, behind.next);
        }
        if bytes.get(behind.content) == Some(&b'\t') {
            return None;
        }
        // What is left of a blank line behind the marks of containers is not part of it.
        let is_within = !is_comment && self.levels.all_hold(&behind) && !is_end(bytes, behind.base);
        blocks.close(part, if is_within { behind.base } else { behind.start });
        Some(Step::On(behind.start))
    }

    fn table(&self, blocks: &mut Blocks<'_>, line: &Line) -> Option<Step> {
        let bytes = blocks.bytes();
        let delimiters = self.levels.enter(blocks, line.next);
        if !self.levels.all_hold(&delimiters) || delimiters.content - delimiters.base >= 4 {
            return None;
        }
        let head = Span::new(line.content, line.next);
        let columns = table::columns(bytes, head, delimiters.content)?;
        let part = blocks.open(PartKind::Table, line.content);
        let end = table::read(blocks, head, delimiters.next, columns, |blocks, at| {
            let row = self.levels.enter(blocks, at);
            match bytes.get(row.content) {
                Some(b'\t') => None,
                _ if self.levels.all_hold(&row) => Some(Row::At(row.content)),
                _ => Some(Row::None),
            }
        })?;
        blocks.close(part, end);
        Some(Step::On(end))
    }
}

/// Whether the box of a task stands at `at`.
fn is_box(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[at..], [_, b' ' | b'\t' | b'x' | b'X', b']', b' ' | b'\t' | b'\r' | b'\n', ..])
}
