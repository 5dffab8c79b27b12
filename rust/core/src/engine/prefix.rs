//! The heading path in front of a chunk.

use unicode_segmentation::UnicodeSegmentation;

use super::stem::LINE_ENDS;
use super::{Measure, NOTHING, Packer};
use crate::chunk::Segment;
use crate::span::Span;
use crate::tokens::Piece;

/// Least share of a prefix, where the budget allows it.
const LEAST: usize = 16;

/// No token of any vocabulary is longer, in bytes.
pub(super) const LONGEST_TOKEN: usize = 128;

const ELLIPSIS: &str = "…";

impl<'a, M: Measure> Packer<'a, M> {
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
        let most = self.measure.most_bytes(limit);
        if self.take_whole(limit, most) {
            return;
        }
        let (texts, is_whole) = self.texts_of_path(most);
        let joined = self.joined(&texts, is_whole, most);
        let size = |line: &str| self.measure.size(&[Piece::Text(line)]);
        let within = |rest: &str| size(&self.prefix_line(ELLIPSIS, rest)) <= limit;
        if let Some(rest) = cut_from_left(&joined, is_whole, within) {
            let line = self.prefix_line(ELLIPSIS, rest);
            self.prefix_size = size(&line);
            self.prefix = self.synthetic(&line);
        }
    }

    /// The texts of the path, outermost first, as far as `most` bytes of its end reach; and whether that is all of it.
    fn texts_of_path(&self, most: usize) -> (Vec<&'a str>, bool) {
        let separator = self.policy.separator;
        let (mut texts, mut length, mut path) = (Vec::new(), 0, self.prefix_path);
        while path != 0 && length <= most {
            let title = self.document.title(path);
            texts.push(end_of(title, most));
            length += title.len() + separator.len();
            path = self.document.paths[path as usize].parent;
        }
        texts.reverse();
        (texts, path == 0 && length <= most + separator.len())
    }

    /// The joined path, or as much of its end as has at most `most` bytes.
    fn joined(&self, texts: &[&str], is_whole: bool, most: usize) -> String {
        let joined = texts.join(self.policy.separator);
        if is_whole { joined } else { end_of(&joined, most).to_string() }
    }

    fn prefix_line(&self, ellipsis: &str, path: &str) -> String {
        let Some(template) = self.policy.template else { return String::new() };
        [template.before.as_str(), ellipsis, path, &template.after, LINE_ENDS].concat()
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
        let most = self.measure.most_bytes(budget - bare);
        let (texts, is_whole) = self.texts_of_path(most);
        let joined = self.joined(&texts, is_whole, most);
        let accepted = |rest: &str| {
            let line = self.prefix_line(ELLIPSIS, rest);
            self.size_behind(Piece::Text(&line), before, source, after) <= budget
        };
        let line = cut_from_left(&joined, is_whole, accepted).map(|rest| self.prefix_line(ELLIPSIS, rest));
        Some(line.map_or(NOTHING, |line| self.synthetic(&line)))
    }
}

/// The end of a text, from the first character boundary on behind which there are at most `most` bytes.
fn end_of(text: &str, most: usize) -> &str {
    let mut floor = text.len().saturating_sub(most);
    while !text.is_char_boundary(floor) {
        floor += 1;
    }
    &text[floor..]
}

/// Where the search for a cut begins; it goes on twice as far until that is too much.
const FIRST_LOOK: usize = 256;

/// The longest end of `path`, from a grapheme cluster boundary on, that is accepted, by bisection; less than all of it if it is the whole path.
fn cut_from_left(path: &str, is_whole: bool, accepted: impl Fn(&str) -> bool) -> Option<&str> {
    let mut look = FIRST_LOOK;
    while look < path.len() && accepted(end_of(path, look)) {
        look *= 2;
    }
    let tail = end_of(path, look);
    let mut bounds: Vec<usize> = tail.grapheme_indices(true).map(|(at, _)| at).collect();
    bounds.push(tail.len());
    let must_drop = is_whole && tail.len() == path.len();
    let (mut low, mut high) = (usize::from(must_drop), bounds.len() - 1);
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
        assert_eq!(cut_from_left("abcdef", true, |s| s.len() <= 3), Some("def"));
        assert_eq!(cut_from_left("abc", true, |_| true), Some("bc"));
        assert_eq!(cut_from_left("ae\u{301}x", true, |s| s.len() <= 3), Some("x"));
        assert_eq!(cut_from_left("ef", false, |_| true), Some("ef"));
        assert_eq!(cut_from_left("abc", true, |_| false), None);
        let long = "ab ".repeat(2000);
        assert_eq!(cut_from_left(&long, true, |s| s.len() <= 1000).map(str::len), Some(1000));
        assert_eq!(cut_from_left(&long, true, |_| true).map(str::len), Some(5999));
    }
}
