//! The heading path in front of a chunk.

use unicode_segmentation::UnicodeSegmentation;

use super::{Measure, NOTHING, Packer};
use crate::chunk::Segment;
use crate::span::Span;
use crate::tokens::Piece;

/// Least share of a prefix, where the budget allows it.
const LEAST: usize = 16;

/// No token of any vocabulary is longer, in bytes.
pub(super) const LONGEST_TOKEN: usize = 128;

const ELLIPSIS: &str = "…";

impl<M: Measure> Packer<'_, M> {
    /// Makes the prefix of a path the current one.
    pub(super) fn make_prefix(&mut self, path: u32) {
        if path == self.prefix_path {
            return;
        }
        self.prefix_path = path;
        self.prefix = NOTHING;
        if self.policy.template.is_none() || path == 0 {
            return;
        }
        let limit = LEAST.max(self.policy.budget / 4).min(self.policy.budget / 2);
        let joined = self.joined_path();
        let size = |line: &str| self.measure.size(&[Piece::Text(line)]);
        let whole = self.prefix_line("", &joined);
        let whole_size = if joined.len() <= limit * LONGEST_TOKEN { size(&whole) } else { usize::MAX };
        let shown = if whole_size <= limit {
            Some((whole, whole_size))
        } else {
            let within = |rest: &str| size(&self.prefix_line(ELLIPSIS, rest)) <= limit;
            cut_from_left(&joined, limit * LONGEST_TOKEN, within).map(|rest| {
                let line = self.prefix_line(ELLIPSIS, rest);
                let size = size(&line);
                (line, size)
            })
        };
        if let Some((line, size)) = shown {
            self.prefix = self.synthetic(&line);
            self.prefix_size = size;
        }
    }

    fn joined_path(&self) -> String {
        self.document.path(self.prefix_path).join(&self.policy.separator)
    }

    fn prefix_line(&self, ellipsis: &str, path: &str) -> String {
        let Some(template) = &self.policy.template else { return String::new() };
        format!("{}{ellipsis}{path}{}\n\n", template.before, template.after)
    }

    /// The longest prefix with which a chunk fits that must stay whole: the section's, that one cut further, or nothing. None if not even that helps.
    pub(super) fn yielding_prefix(&mut self, before: &[Segment], source: Span, after: Segment) -> Option<Segment> {
        let budget = self.policy.budget;
        if self.fits(budget, before, source, after) {
            return Some(self.prefix);
        }
        let bare = self.size_of(NOTHING, before, source, after);
        if self.prefix.span.is_empty() || bare > budget {
            return None;
        }
        let joined = self.joined_path();
        let accepted = |rest: &str| {
            let line = self.prefix_line(ELLIPSIS, rest);
            self.size_behind(Piece::Text(&line), before, source, after) <= budget
        };
        let line = cut_from_left(&joined, (budget - bare) * LONGEST_TOKEN, accepted)
            .map(|rest| self.prefix_line(ELLIPSIS, rest));
        Some(line.map_or(NOTHING, |line| self.synthetic(&line)))
    }
}

/// The longest end of `path` (of at most `most` bytes, at a grapheme cluster boundary) that is accepted, by bisection.
fn cut_from_left(path: &str, most: usize, accepted: impl Fn(&str) -> bool) -> Option<&str> {
    let mut floor = path.len().saturating_sub(most);
    while !path.is_char_boundary(floor) {
        floor += 1;
    }
    let tail = &path[floor..];
    let mut bounds: Vec<usize> = tail.grapheme_indices(true).map(|(at, _)| at).collect();
    bounds.push(tail.len());
    let whole_path = floor == 0;
    let (mut low, mut high) = (usize::from(whole_path), bounds.len() - 1);
    while low < high {
        let middle = usize::midpoint(low, high);
        if accepted(&tail[bounds[middle]..]) { high = middle } else { low = middle + 1 }
    }
    bounds.get(low).map(|at| &tail[*at..]).filter(|rest| accepted(rest))
}

#[cfg(test)]
mod tests {
    use super::cut_from_left;

    #[test]
    fn cuts_at_clusters_and_drops_at_least_one() {
        assert_eq!(cut_from_left("abcdef", 100, |s| s.len() <= 3), Some("def"));
        assert_eq!(cut_from_left("abc", 100, |_| true), Some("bc"));
        assert_eq!(cut_from_left("ae\u{301}x", 100, |s| s.len() <= 3), Some("x"));
        assert_eq!(cut_from_left("abcdef", 2, |_| true), Some("ef"));
        assert_eq!(cut_from_left("abc", 100, |_| false), None);
    }
}
