//! Lists that are certain: indented by blanks, their items of paragraphs, closed fenced code and further lists.

use super::blocks::{Blocks, NodeKind, has_content, is_address, is_table};
use super::lines::{Begin, Marker, begin, blanks, closing_fence, is_end, item_content, may_delimit, run};
use crate::block::PartKind;
use crate::span::Span;

/// Deeper lists are left to the parser.
const MOST_LEVELS: usize = 24;

/// An open list and its open item.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// The list's part; none at top level.
    list: Option<usize>,
    /// The first of its items.
    first: usize,
    /// The item's part.
    item: usize,
    /// The column at which the item's content begins.
    offset: usize,
    mark: u8,
    /// Whether a blank line stands between two items or between two blocks of an item.
    is_loose: bool,
}

/// What is open while a list is read.
#[derive(Default)]
pub(super) struct Lists {
    levels: Vec<Level>,
    /// The part of the paragraph that the next line may go on with.
    paragraph: Option<usize>,
    /// How many of its lines have been read, as far as 2.
    lines: u8,
    /// Whether a blank line stands behind the last block.
    blank: bool,
}

/// A line inside a list.
#[derive(Clone, Copy)]
struct Line {
    start: usize,
    content: usize,
    next: usize,
    /// How many levels it belongs to.
    depth: usize,
    /// Where the content of the innermost of these begins on the line.
    base: usize,
}

impl Lists {
    /// Reads the list that begins at `at`; where it ends, if it is certain.
    pub(super) fn read(&mut self, blocks: &mut Blocks<'_>, at: usize) -> Option<usize> {
        *self = Self { levels: std::mem::take(&mut self.levels), ..Self::default() };
        self.levels.clear();
        blocks.node(NodeKind::List, at, at);
        let node = blocks.nodes.len() - 1;
        let bytes = blocks.bytes();
        let mut line = at;
        let end = loop {
            let content = line + blanks(bytes, line);
            if is_end(bytes, content) {
                if content >= bytes.len() {
                    break bytes.len();
                }
                (self.paragraph, self.blank) = (None, true);
                line = blocks.next_line(content);
                continue;
            }
            match self.line(blocks, line, content)? {
                Step::On(next) => line = next,
                Step::End => break line,
            }
        };
        self.close(blocks, 0, end);
        blocks.nodes[node].span.end = end as u32;
        blocks.nodes[node].parts.end = blocks.parts.len() as u32;
        Some(end)
    }

    fn line(&mut self, blocks: &mut Blocks<'_>, start: usize, content: usize) -> Option<Step> {
        let bytes = blocks.bytes();
        if bytes[content] == b'\t' {
            return None;
        }
        let indent = content - start;
        let depth = self.levels.iter().take_while(|level| level.offset <= indent).count();
        let base = start + depth.checked_sub(1).map_or(0, |at| self.levels[at].offset);
        let line = Line { start, content, next: blocks.next_line(content), depth, base };
        let goes_on = self.paragraph.is_some() && depth == self.levels.len();
        if content - base >= 4 {
            return if goes_on { self.extend(blocks, line, Begin::Text) } else { None };
        }
        let begins = begin(bytes, content);
        let at_top = depth == 0 && indent == 0 && !self.levels.is_empty();
        match begins {
            Begin::Marker(marker)
                if goes_on && !(marker.interrupts && has_content(bytes, content + usize::from(marker.width))) =>
            {
                self.extend(blocks, line, Begin::Text)
            }
            Begin::Marker(marker) => self.item(blocks, line, marker),
            Begin::Heading(_) | Begin::Fence | Begin::Quote if at_top => Some(Step::End),
            Begin::Rule | Begin::Dashes(3..) | Begin::Html if at_top && self.paragraph.is_none() => Some(Step::End),
            Begin::Fence if depth > 0 => {
                self.begin_block(blocks, line);
                Self::fence(blocks, line).map(Step::On)
            }
            Begin::Text | Begin::Bracket | Begin::Pipe if goes_on => self.extend(blocks, line, begins),
            Begin::Html if goes_on && is_address(bytes, content) => self.extend(blocks, line, Begin::Text),
            _ if self.paragraph.is_some() => None,
            Begin::Text | Begin::Bracket | Begin::Pipe if depth == 0 => Some(Step::End),
            Begin::Text | Begin::Bracket => {
                self.begin_block(blocks, line);
                self.begin_paragraph(blocks, line, content, begins).then_some(Step::On(line.next))
            }
            _ => None,
        }
    }

    /// Goes on with the open paragraph.
    fn extend(&mut self, blocks: &mut Blocks<'_>, line: Line, begins: Begin) -> Option<Step> {
        let bytes = blocks.bytes();
        let in_doubt = (self.lines == 1 && may_delimit(bytes, line.content))
            || (begins == Begin::Pipe && may_delimit(bytes, line.next));
        let part = self.paragraph.filter(|_| !in_doubt)?;
        self.lines = 2;
        Self::end_paragraph(blocks, part, line.next);
        Some(Step::On(line.next))
    }

    fn begin_paragraph(&mut self, blocks: &mut Blocks<'_>, line: Line, content: usize, begins: Begin) -> bool {
        let bytes = blocks.bytes();
        // In front of a text, a backslash is no part of it, and a box is a mark of its own.
        let in_doubt = match begins {
            Begin::Text => bytes[content] == b'\\',
            Begin::Bracket => blocks.may_define(content) || bytes.get(content + 2) == Some(&b']'),
            Begin::Html => !is_address(bytes, content),
            _ => true,
        };
        if in_doubt || is_table(bytes, content, line.next) {
            return false;
        }
        let part = blocks.open(PartKind::Paragraph, content);
        Self::end_paragraph(blocks, part, line.next);
        (self.paragraph, self.lines) = (Some(part), 1);
        true
    }

    fn end_paragraph(blocks: &mut Blocks<'_>, part: usize, line_end: usize) {
        let span = Span { end: line_end as u32, ..blocks.parts[part].span };
        let end = blocks.trimmed(span);
        blocks.close(part, end);
        blocks.line_ends[part] = line_end as u32;
    }

    /// A line with the mark of an item.
    fn item(&mut self, blocks: &mut Blocks<'_>, line: Line, marker: Marker) -> Option<Step> {
        let bytes = blocks.bytes();
        let content = item_content(bytes, line.content, marker).filter(|_| line.depth < MOST_LEVELS)?;
        let begins = begin(bytes, content);
        let sibling = self.levels.get(line.depth).copied();
        if sibling.is_some_and(|level| level.mark == marker.mark) {
            self.close_items(blocks, line.depth, line.start);
            self.levels[line.depth].is_loose |= self.blank;
            self.blank = false;
        } else {
            if sibling.is_some() && line.depth == 0 {
                return Some(Step::End);
            }
            self.begin_block(blocks, line);
            let list = (line.depth > 0).then(|| blocks.open(PartKind::List, line.base));
            let first = blocks.parts.len();
            self.levels.push(Level { list, first, item: first, offset: 0, mark: marker.mark, is_loose: false });
        }
        let item = blocks.open(PartKind::Item, line.base);
        let level = &mut self.levels[line.depth];
        (level.item, level.offset) = (item, content - line.start);
        self.paragraph = None;
        if begins == Begin::Fence {
            let base = line.start + level.offset;
            return Self::fence(blocks, Line { content, base, ..line }).map(Step::On);
        }
        self.begin_paragraph(blocks, line, content, begins).then_some(Step::On(line.next))
    }

    /// A block begins in the innermost item that a line belongs to: lists in it end.
    fn begin_block(&mut self, blocks: &mut Blocks<'_>, line: Line) {
        self.close(blocks, line.depth, line.start);
        if let Some(level) = self.levels.last_mut() {
            level.is_loose |= self.blank;
        }
        self.blank = false;
        self.paragraph = None;
    }

    /// Closes the item at a level and all that is in it.
    fn close_items(&mut self, blocks: &mut Blocks<'_>, depth: usize, end: usize) {
        self.close(blocks, depth + 1, end);
        if let Some(level) = self.levels.get(depth) {
            blocks.close(level.item, end);
        }
    }

    /// Closes lists down to a level.
    fn close(&mut self, blocks: &mut Blocks<'_>, depth: usize, end: usize) {
        while self.levels.len() > depth {
            let Some(level) = self.levels.pop() else { break };
            blocks.close(level.item, end);
            if level.is_loose {
                Self::loosen(blocks, level.first);
            }
            if let Some(list) = level.list {
                blocks.close(list, end);
            }
        }
    }

    /// The paragraphs of the items of a loose list reach up to the start of the line behind them.
    fn loosen(blocks: &mut Blocks<'_>, mut item: usize) {
        while item < blocks.parts.len() {
            let next = blocks.parts[item].next as usize;
            let mut inner = item + 1;
            while inner < next {
                if blocks.parts[inner].kind == PartKind::Paragraph {
                    blocks.parts[inner].span.end = blocks.line_ends[inner];
                }
                inner = blocks.parts[inner].next as usize;
            }
            item = next;
        }
    }

    /// Fenced code in an item, which has to be closed in it; where the next line begins.
    fn fence(blocks: &mut Blocks<'_>, line: Line) -> Option<usize> {
        let bytes = blocks.bytes();
        let (mark, marks) = (bytes[line.content], run(bytes, line.content));
        let offset = line.base - line.start;
        let part = blocks.open(PartKind::Fenced, line.content);
        let mut at = line.next;
        loop {
            let content = at + blanks(bytes, at);
            let indent = content - at;
            let is_outside = !is_end(bytes, content) && (indent < offset || bytes[content] == b'\t');
            if content >= bytes.len() || is_outside {
                return None;
            }
            let close =
                if (offset..offset + 4).contains(&indent) { closing_fence(bytes, content, mark, marks) } else { None };
            if let Some(close) = close {
                blocks.close(part, close);
                return Some(blocks.next_line(close));
            }
            at = blocks.next_line(content);
        }
    }
}

enum Step {
    /// The next line begins there.
    On(usize),
    /// The list ends in front of this line.
    End,
}
