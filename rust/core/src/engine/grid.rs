//! Rows that repeat a header, and the search for how many fit.

use super::prose::Prose;
use super::{Measure, NOTHING, Outcome, Packer};
use crate::chunk::{Role, Segment, SplitReason};
use crate::span::Span;
use crate::text::trim_end;

/// The largest `to` in `least..=most` with `size(to) <= budget`, for a size that grows; once the target is reached it is far enough. None if `least` is too much.
pub(super) fn greedy(
    least: usize,
    most: usize,
    (budget, target): (usize, usize),
    size: impl Fn(usize) -> usize,
) -> Option<usize> {
    let first = size(least);
    if first > budget {
        return None;
    }
    if first >= target && target < budget {
        return Some(least);
    }
    // Without a target, what adds nothing to a full piece (blank lines) still belongs to it.
    let small = |to: usize| if target < budget { size(to) < target } else { size(to) <= budget };
    let (mut low, mut step) = (least, 1);
    while low + step <= most && small(low + step) {
        low += step;
        step *= 2;
    }
    let mut high = (low + step).min(most + 1);
    while low + 1 < high {
        let middle = usize::midpoint(low, high);
        if small(middle) { low = middle } else { high = middle }
    }
    Some(if high <= most && size(high) <= budget { high } else { low })
}

/// Rows under a header.
pub(super) struct Grid {
    pub(super) span: Span,
    /// The rows; what stands in front of the first is the head.
    pub(super) rows: Vec<Span>,
    /// What pieces may repeat, best first (an empty span, where there is nothing to repeat); nothing at all is always possible.
    pub(super) repeats: Vec<Span>,
    /// What closes a piece that is not the last.
    pub(super) after: Segment,
    pub(super) parts: Span,
}

/// How a row that does not fit by itself is cut.
pub(super) type Cells<'c> = &'c dyn Fn(Span) -> Vec<Span>;

impl<M: Measure> Packer<'_, M> {
    pub(super) fn grid_pieces(&mut self, grid: &Grid, cells: Cells<'_>) -> Outcome {
        let mut at = self.head_piece(grid)?;
        while at < grid.rows.len() {
            at = self.rows_piece(grid, at, cells)?;
        }
        Ok(())
    }

    /// The piece that the head of the source stands in. Returns the first row that is not in it.
    fn head_piece(&mut self, grid: &Grid) -> Result<usize, crate::error::ChunkError> {
        let head_end = grid.rows.first().map_or(grid.span.end, |row| row.start);
        let head = trim_end(self.text, Span { start: grid.span.start, end: head_end });
        if head.is_empty() {
            return Ok(0);
        }
        if let Some(to) = self.most_rows(grid, NOTHING, grid.span.start, 0) {
            self.grid_commit(grid, NOTHING, grid.span.start, to)?;
            return Ok(to);
        }
        if let Some(row) = grid.rows.first() {
            let source = trim_end(self.text, Span { start: head.start, end: row.end });
            if let Some(prefix) = self.yielding_prefix(&[], source, grid.close_at(1)) {
                self.commit_behind(prefix, &[], head.start, source, grid.close_at(1), SplitReason::MaxSize)?;
                return Ok(1);
            }
        }
        if self.fits(self.policy.budget, &[], head, grid.after) {
            self.commit(&[], head.start, head, grid.after, SplitReason::MaxSize)?;
        } else {
            self.text_lines_of(head, grid.parts)?;
        }
        Ok(0)
    }

    /// A piece from row `at` on, with the most header that leaves room for it.
    fn rows_piece(&mut self, grid: &Grid, at: usize, cells: Cells<'_>) -> Result<usize, crate::error::ChunkError> {
        let row = grid.rows[at];
        for (rank, repeat) in grid.repeats.iter().enumerate() {
            let repeat = Segment { role: Role::Repeat, span: *repeat };
            if let Some(to) = self.most_rows(grid, repeat, row.start, at) {
                let to = if rank == 0 { to } else { at + 1 };
                self.grid_commit(grid, repeat, row.start, to)?;
                return Ok(to);
            }
        }
        let whole = trim_end(self.text, row);
        if let Some(repeat) = grid.repeats.last().map(|span| Segment { role: Role::Repeat, span: *span })
            && repeat.span.len() <= self.most_bytes()
            && let Some(prefix) = self.yielding_prefix(&[repeat], whole, grid.close_at(at + 1))
        {
            let close = grid.close_at(at + 1);
            self.commit_behind(prefix, &[repeat], whole.start, whole, close, SplitReason::MaxSize)?;
            return Ok(at + 1);
        }
        if self.fits(self.policy.budget, &[], whole, NOTHING) {
            self.commit(&[], whole.start, whole, NOTHING, SplitReason::MaxSize)?;
        } else {
            Prose::new(self, false).units(cells(whole).into_iter(), grid.parts, SplitReason::Window)?;
        }
        Ok(at + 1)
    }

    fn most_rows(&self, grid: &Grid, repeat: Segment, start: u32, at: usize) -> Option<usize> {
        let count = grid.rows.len();
        if at >= count || repeat.span.len() > self.most_bytes() {
            return None;
        }
        let size = |to: usize| {
            let source = trim_end(self.text, Span { start, end: grid.rows[to - 1].end });
            self.size(&[repeat], source, grid.close_at(to))
        };
        greedy(at + 1, count, (self.policy.budget, self.policy.target), size)
    }

    fn grid_commit(&mut self, grid: &Grid, repeat: Segment, start: u32, to: usize) -> Outcome {
        let body = trim_end(self.text, Span { start, end: grid.rows[to - 1].end });
        self.commit(&[repeat], start, body, grid.close_at(to), SplitReason::MaxSize)
    }
}

impl Grid {
    fn close_at(&self, to: usize) -> Segment {
        if to >= self.rows.len() { NOTHING } else { self.after }
    }
}

#[cfg(test)]
mod tests {
    use super::greedy;

    #[test]
    fn takes_the_most_that_fits() {
        for most in 1..40 {
            for budget in 0..50 {
                let expected = (1..=most).filter(|to| *to <= budget).max();
                assert_eq!(greedy(1, most, (budget, budget), |to| to), expected, "{most} {budget}");
            }
        }
        assert_eq!(greedy(1, 9, (8, 5), |to| to), Some(5));
        assert_eq!(greedy(1, 9, (8, 5), |to| to * 3), Some(2));
        assert_eq!(greedy(1, 9, (8, 7), |to| to * 5), Some(1));
    }
}
