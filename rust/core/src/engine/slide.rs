//! Windows that slide over plain text in which each run of white space is one blank.

use memchr::{memchr_iter, memrchr};

use super::{Measure, NOTHING, Outcome, Packer};
use crate::chunk::SplitReason;
use crate::span::Span;
use crate::text::{begins_closing, char_at, is_cluster_start, trim_end};

impl<M: Measure> Packer<'_, M> {
    /// Cuts a section into windows, each of which begins in the one before it.
    pub(super) fn slide(&mut self, whole: Span) -> Outcome {
        let end = whole.end as usize;
        let mut start = whole.start as usize;
        let mut fresh = start;
        loop {
            let Some(cut) = self.window_cut(start, fresh, end) else {
                start = fresh;
                continue;
            };
            let at_blank = self.text.as_bytes().get(cut) == Some(&b' ');
            let reason = if at_blank { SplitReason::MaxSize } else { SplitReason::Window };
            let body = trim_end(self.text, Span::new(fresh, cut));
            self.commit(&[], start as u32, body, NOTHING, reason)?;
            if cut >= end {
                return Ok(());
            }
            fresh = cut + usize::from(at_blank);
            start = self.next_start(start, cut).min(fresh);
            start += usize::from(start < fresh && self.text.as_bytes()[start] == b' ');
        }
    }

    /// Where a window from `start` on ends that must hold something from `fresh` on; none if it only can without the text in front of that.
    fn window_cut(&self, start: usize, fresh: usize, end: usize) -> Option<usize> {
        let budget = self.policy.budget;
        let mut room = budget;
        loop {
            let reach = self.measure.take(start, end, room);
            if reach <= fresh || room == 0 {
                let next = char_at(self.text, fresh).map_or(1, char::len_utf8);
                return (start == fresh).then_some(fresh + next);
            }
            let cut = if reach == end { end } else { self.best_cut(start, fresh, reach) };
            if self.measure.adds_up() || self.span_size(trim_end(self.text, Span::new(start, cut))) <= budget {
                return Some(cut);
            }
            room -= 1;
        }
    }

    /// The last blank in `fresh..=reach`; else the last place that may be cut at.
    fn best_cut(&self, start: usize, fresh: usize, reach: usize) -> usize {
        let blank = memrchr(b' ', &self.text.as_bytes()[fresh..=reach]).map(|at| fresh + at);
        blank.unwrap_or_else(|| {
            let is_allowed = |place: &usize| self.is_window_place(start, *place);
            let is_cluster = |place: &usize| self.is_cluster_start(start, *place);
            let places = || self.places_back(fresh, reach);
            places().find(is_allowed).or_else(|| places().find(is_cluster)).unwrap_or(reach)
        })
    }

    /// The character boundaries in `floor + 1..=reach`, the last first.
    fn places_back(&self, floor: usize, reach: usize) -> impl Iterator<Item = usize> {
        let text = self.text;
        (floor + 1..=reach).rev().filter(move |place| text.is_char_boundary(*place))
    }

    fn is_cluster_start(&self, start: usize, place: usize) -> bool {
        let section = self.document.blocks[self.section.blocks.start].span;
        is_cluster_start(self.text, Span { start: start as u32, ..section }, place)
    }

    /// Whether a window that has no blank to be cut at may end or begin at a place. (A blank there goes to neither.)
    fn is_window_place(&self, start: usize, place: usize) -> bool {
        let first = place + usize::from(self.text.as_bytes().get(place) == Some(&b' '));
        !begins_closing(self.text, first) && self.is_cluster_start(start, place)
    }

    /// Where the next window begins, at most `cut`.
    fn next_start(&self, start: usize, cut: usize) -> usize {
        let overlap = self.policy.overlap;
        if overlap == 0 {
            return cut;
        }
        if self.measure.adds_up() {
            let step = self.measure.take(start, cut, self.policy.budget - overlap);
            let mut back = self.places_back(start, step);
            let is_allowed = |place: &usize| *place == cut || self.is_window_place(start, *place);
            return back
                .find(is_allowed)
                .or_else(|| {
                    (step..cut).find(|place| self.text.is_char_boundary(*place) && self.is_window_place(start, *place))
                })
                .unwrap_or(cut);
        }
        let floor = cut.saturating_sub(self.measure.most_bytes(overlap)).max(start);
        let bytes = &self.text.as_bytes()[floor..cut];
        let is_start = |place: &usize| *place < cut && self.is_window_place(start, *place);
        let words: Vec<usize> = memchr_iter(b' ', bytes).map(|at| floor + at + 1).filter(is_start).collect();
        self.first_within(&words, cut, overlap)
            .or_else(|| {
                let is_blank = |place: &usize| self.text.as_bytes()[*place] == b' ';
                let places = self.places_back(floor, cut - 1).filter(|place| !is_blank(place));
                let mut places: Vec<usize> = places.filter(is_start).collect();
                places.reverse();
                self.first_within(&places, cut, overlap)
            })
            .unwrap_or(cut)
    }
}
