//! Tables in pieces: each with caption, header and delimiter row.

use super::grid::Grid;
use super::html_table::html_grid;
use super::node::{Node, NodeKind};
use super::{Measure, NOTHING, Outcome, Packer};
use crate::block::{Block, PartKind};
use crate::chunk::SplitReason;
use crate::pipe_row::{cells, first_cell_is_empty, is_delimiter};
use crate::span::Span;
use crate::text::{is_blank, lines, trim_end};

/// More secondary header rows than this are data whose first cells happen to be empty.
const MOST_SECONDARY: usize = 3;

impl<M: Measure> Packer<'_, M> {
    pub(super) fn table_block(&mut self, block: &Block) -> Outcome {
        if let Some(prefix) = self.yielding_prefix(&[], block.span, NOTHING) {
            return self.commit_behind(prefix, &[], block.span.start, block.span, NOTHING, SplitReason::SectionEnd);
        }
        self.table_pieces(Node { kind: NodeKind::Table, span: block.span, parts: block.parts })
    }

    pub(super) fn table_pieces(&mut self, node: Node) -> Outcome {
        // Cells of a GFM table may hold HTML tables.
        let has_head = self.document.parts[node.parts.range()].iter().any(|part| part.kind == PartKind::Head);
        if !has_head && let Some((rows, repeat, closing)) = html_grid(self.text, node.span) {
            let after = self.synthetic(closing);
            let grid = Grid { span: node.span, rows, repeats: vec![repeat], after, parts: node.parts };
            let text = self.text;
            return self.grid_pieces(&grid, &|row| {
                lines(text, row).filter(|l| !is_blank(text, *l)).map(|l| trim_end(text, l)).collect()
            });
        }
        let grid = self.pipe_grid(node);
        let text = self.text;
        self.grid_pieces(&grid, &|row| cells(text, row))
    }

    /// The layout of a GFM table, or of lines that a parser calls a table.
    fn pipe_grid(&self, node: Node) -> Grid {
        let text = self.text;
        let all: Vec<Span> = lines(text, node.span).collect();
        let parts = &self.document.parts[node.parts.range()];
        let head = parts.iter().find(|part| part.kind == PartKind::Head).map(|part| part.span.start);
        let header = match head {
            Some(start) => all.iter().position(|line| line.start <= start && start < line.end),
            None => (1..all.len()).find(|at| is_delimiter(&text[all[*at].range()])).map(|at| at - 1),
        };
        let Some(header) = header.filter(|header| header + 1 < all.len()) else {
            let rows = all.into_iter().filter(|line| !is_blank(text, *line)).collect();
            return Grid { span: node.span, rows, repeats: vec![Span::default()], after: NOTHING, parts: node.parts };
        };
        let body = &all[header + 2..];
        let empties = body.iter().take_while(|line| first_cell_is_empty(&text[line.range()])).count();
        let secondary = if empties <= MOST_SECONDARY && empties < body.len() { empties } else { 0 };
        let rows: Vec<Span> = body[secondary..].iter().copied().filter(|line| !is_blank(text, *line)).collect();
        let end = rows.first().map_or(node.span.end, |row| row.start);
        let second = body.get(secondary.min(body.len())).map_or(end, |_| all[header + 1].end);
        let from = [node.span.start, all[header].start];
        let mut repeats: Vec<Span> = from.into_iter().map(|start| Span { start, end }).collect();
        repeats.push(Span { start: all[header].start, end: second });
        repeats.dedup();
        Grid { span: node.span, rows, repeats, after: NOTHING, parts: node.parts }
    }
}
