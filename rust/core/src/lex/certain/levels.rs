//! The lists and quotes that are open, each in the one before, and which of them a line belongs to.

use super::blocks::Blocks;
use super::lines::{blanks, is_end};
use crate::block::PartKind;

/// An open list and its open item, or an open quote.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// What tells lists apart, or `>`.
    mark: u8,
    /// The list's part; none at top level.
    list: Option<usize>,
    /// The first of its items.
    first: usize,
    /// The part of the item or quote; none for a quote at top level.
    part: Option<usize>,
    /// How far the item's content is indented.
    width: usize,
    /// Whether a blank line stands between two items or between two blocks of an item.
    is_loose: bool,
}

const QUOTE: u8 = b'>';

/// A line inside containers.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) start: usize,
    pub(super) content: usize,
    pub(super) next: usize,
    /// How many levels it belongs to.
    pub(super) depth: usize,
    /// Where the content of the innermost of these begins on the line.
    pub(super) base: usize,
}

impl Line {
    /// Behind the mark of a quote that stands at its content.
    pub(super) fn in_quote(self, bytes: &[u8]) -> Self {
        let behind = self.content + 1;
        let base = behind + usize::from(bytes.get(behind) == Some(&b' '));
        Self { base, content: base + blanks(bytes, base), depth: self.depth + 1, ..self }
    }
}

#[derive(Default)]
pub(super) struct Levels(Vec<Level>);

impl Levels {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a line belongs to all of them.
    pub(super) fn all_hold(&self, line: &Line) -> bool {
        line.depth == self.0.len()
    }

    /// Whether the innermost is a quote.
    pub(super) fn is_in_quote(&self) -> bool {
        self.0.last().is_some_and(|level| level.mark == QUOTE)
    }

    /// The mark of a level.
    pub(super) fn mark(&self, depth: usize) -> Option<u8> {
        self.0.get(depth).map(|level| level.mark)
    }

    /// The line at `at`. One without content belongs to all items.
    pub(super) fn enter(&self, blocks: &Blocks<'_>, at: usize) -> Line {
        let bytes = blocks.bytes();
        let mut line = Line { start: at, content: at + blanks(bytes, at), next: at, depth: 0, base: at };
        for level in &self.0 {
            let indent = line.content - line.base;
            if level.mark == QUOTE {
                if indent > 3 || bytes.get(line.content) != Some(&QUOTE) {
                    break;
                }
                line = line.in_quote(bytes);
                continue;
            }
            if indent < level.width && !is_end(bytes, line.content) {
                break;
            }
            line.base += indent.min(level.width);
            line.depth += 1;
        }
        line.next = blocks.next_line(line.content);
        line
    }

    pub(super) fn open_list(&mut self, blocks: &mut Blocks<'_>, line: &Line, mark: u8) {
        let list = (line.depth > 0).then(|| blocks.open(PartKind::List, line.base));
        let first = blocks.parts.len();
        self.0.push(Level { mark, list, first, part: None, width: 0, is_loose: false });
    }

    /// Opens an item of the innermost list, whose content begins at `content`.
    pub(super) fn open_item(&mut self, blocks: &mut Blocks<'_>, line: &Line, content: usize) {
        if let Some(level) = self.0.last_mut() {
            level.part = Some(blocks.open(PartKind::Item, line.base));
            level.width = content - line.base;
        }
    }

    pub(super) fn open_quote(&mut self, blocks: &mut Blocks<'_>, line: &Line) {
        let part = (line.depth > 0).then(|| blocks.open(PartKind::Quote, line.content));
        self.0.push(Level { mark: QUOTE, list: None, first: 0, part, width: 0, is_loose: false });
    }

    /// A block begins in the innermost one, or an item, behind a blank line or not.
    pub(super) fn loosen(&mut self, blank: bool) {
        if let Some(level) = self.0.last_mut() {
            level.is_loose |= blank && level.mark != QUOTE;
        }
    }

    /// Closes the item that a line does not belong to, and all that is in it, in front of another item, behind a blank line or not.
    pub(super) fn close_items(&mut self, blocks: &mut Blocks<'_>, line: &Line, blank: bool) {
        self.close(blocks, line.depth + 1, line.start);
        self.loosen(blank);
        if let Some(part) = self.0.last().and_then(|level| level.part) {
            blocks.close(part, line.start);
        }
    }

    /// Closes lists and quotes down to a level.
    #[inline]
    pub(super) fn close(&mut self, blocks: &mut Blocks<'_>, depth: usize, end: usize) {
        if self.0.len() > depth {
            self.close_more(blocks, depth, end);
        }
    }

    fn close_more(&mut self, blocks: &mut Blocks<'_>, depth: usize, end: usize) {
        while self.0.len() > depth {
            let Some(level) = self.0.pop() else { break };
            if let Some(part) = level.part {
                blocks.close(part, end);
            }
            if level.is_loose {
                spread(blocks, level.first);
            }
            if let Some(list) = level.list {
                blocks.close(list, end);
            }
        }
    }
}

/// The paragraphs of the items of a loose list, the first of which is `item`, reach up to the start of the line behind them.
fn spread(blocks: &mut Blocks<'_>, mut item: usize) {
    while item < blocks.parts.len() {
        let next = blocks.parts[item].next as usize;
        let mut inner = item + 1;
        while inner < next {
            if blocks.parts[inner].kind == PartKind::Paragraph {
                let end = blocks.parts[inner].span.end as usize;
                blocks.parts[inner].span.end = blocks.next_line(end) as u32;
            }
            inner = blocks.parts[inner].next as usize;
        }
        item = next;
    }
}
