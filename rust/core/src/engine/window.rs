//! Windows: cuts inside a unit that is too long and has no better places to be cut at.

use super::prefix::LONGEST_TOKEN;
use super::{Measure, Packer, WindowRule};
use crate::chunk::Segment;
use crate::span::Span;
use crate::text::{
    begins_closing, begins_fence, char_at, char_before, is_cjk, is_cluster_start, is_opening, skip_white, trim_end,
};

/// How good a place to cut is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    /// Inside a word.
    Any,
    /// Between the parts of a name, path or address: behind a mark, in front of a letter or digit.
    Part,
    /// Between words.
    Word,
    /// Behind a clause.
    Clause,
}

/// One window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// Where its overlap begins (its start, if it has none).
    pub(super) overlap: u32,
    /// Its own text.
    pub(super) body: Span,
    /// Whether the unit ends with it.
    pub(super) last: bool,
}

/// Cuts `span` into windows; the text in front of and behind each counts.
#[derive(Clone, Debug)]
pub(super) struct Windows<'w> {
    pub(super) before: &'w [Segment],
    pub(super) after: Segment,
    /// What follows the last window, which must fit with this too.
    pub(super) after_last: Segment,
    /// The parts among which the atoms are.
    pub(super) parts: Span,
    /// Where the next window begins.
    pub(super) at: usize,
    pub(super) end: usize,
    /// No cut up to here (an opening fence that belongs to the first window).
    pub(super) floor: usize,
    /// Most overlap.
    pub(super) overlap: usize,
    /// Where the overlap of the next window begins.
    carried: usize,
}

impl<'w> Windows<'w> {
    pub(super) fn new(before: &'w [Segment], after: Segment, span: Span, parts: Span, overlap: usize) -> Self {
        let at = span.start as usize;
        Self { before, after, after_last: after, parts, at, end: span.end as usize, floor: at, overlap, carried: at }
    }

    /// The next window that is not blank.
    pub(super) fn next<M: Measure>(&mut self, packer: &Packer<'_, M>) -> Option<Window> {
        while self.at < self.end {
            let cut = self.place_cut(packer);
            let body = trim_end(packer.text, Span::new(self.at, cut));
            let window = Window { overlap: self.carried as u32, body, last: cut >= self.end };
            let previous = self.at;
            self.at = skip_white(packer.text, cut, self.end);
            self.carried = self.at;
            if window.body.is_empty() {
                continue;
            }
            if !window.last && self.overlap > 0 {
                self.carry(packer, previous);
            }
            return Some(window);
        }
        None
    }

    /// Where the window ends: the best place with which it fits. An overlap that leaves no room for a whole word is given up.
    fn place_cut<M: Measure>(&mut self, packer: &Packer<'_, M>) -> usize {
        let budget = packer.policy.budget;
        let mut room = self.room(packer);
        loop {
            let text = &packer.text[..self.end];
            let least = (self.at + char_at(text, self.at).map_or(1, char::len_utf8)).max(self.floor);
            let reach = self.reach(packer, room).max(least);
            let (cut, class) = if skip_white(text, reach, self.end) == self.end {
                (self.end, Class::Clause)
            } else {
                self.best(packer, reach, room)
            };
            if class < Class::Word && self.carried < self.at {
                self.carried = self.at;
                room = self.room(packer);
                continue;
            }
            let source = trim_end(text, Span::new(self.carried, cut));
            let fits = |after| packer.fits(budget, self.before, source, after);
            if reach == least || fits(self.after) && (cut < self.end || fits(self.after_last)) {
                return cut;
            }
            if cut == self.end {
                // All that would leave room for the rest as a whole would end here again.
                room = room.min(packer.span_size(Span::new(self.at, self.end))).max(1);
            }
            room -= 1;
        }
    }

    /// The end of the first `room` tokens. A long rest is asked for together with the white space behind it and one character more, so that a piece of the text that
    /// has the line end in it is seen whole and not encoded again. Near the end that is no longer good enough, and no longer long.
    fn reach<M: Measure>(&self, packer: &Packer<'_, M>, room: usize) -> usize {
        let near = packer.measure.most_bytes(room.saturating_add(2));
        if self.end - self.at <= near {
            return packer.measure.take(self.at, self.end, room);
        }
        let behind = packer.text[self.end..].char_indices().take(LONGEST_TOKEN).find(|(_, c)| !c.is_whitespace());
        let is_near_the_end = packer.text.len() - self.end <= LONGEST_TOKEN;
        let otherwise = if is_near_the_end { packer.text.len() } else { self.end };
        let end = behind.map_or(otherwise, |(at, c)| self.end + at + c.len_utf8());
        packer.measure.take(self.at, end, room)
    }

    /// What prefix, overlap and the like leave for the window.
    fn room<M: Measure>(&self, packer: &Packer<'_, M>) -> usize {
        let used = packer.size(self.before, Span::new(self.carried, self.at), self.after);
        packer.policy.budget.saturating_sub(used).max(1)
    }

    /// The best place to cut in `(at, reach]`, white space behind `reach` included.
    fn best<M: Measure>(&self, packer: &Packer<'_, M>, reach: usize, room: usize) -> (usize, Class) {
        let (half, quarter) = (self.at + (reach - self.at) / 2, self.at + (reach - self.at) / 4);
        let mut last: [Option<usize>; 3] = [None; 3];
        let mut places = Places::new(self, packer, skip_white(packer.text, reach, self.end));
        if packer.policy.windows == WindowRule::Clusters {
            // All places are equally good; only where there is none an overlap is given up.
            return match places.back() {
                Some((place, _)) => (place, Class::Clause),
                None => (self.last_resort(packer, reach), Class::Any),
            };
        }
        while let Some((place, class)) = places.back() {
            if class == Class::Clause && place > half {
                return (place, class);
            }
            for lower in &mut last[..=(class.min(Class::Word) as usize)] {
                *lower = lower.or(Some(place));
            }
            if let Some(word) = last[Class::Word as usize].filter(|word| *word > quarter && place <= half) {
                return (word, Class::Word);
            }
        }
        let [any, part, word] = last;
        match (word, part) {
            (Some(word), _) if word > quarter || self.run_fits(packer, word, reach, room) => (word, Class::Word),
            (_, Some(part)) if part > quarter => (part, Class::Part),
            _ => (any.unwrap_or_else(|| self.last_resort(packer, reach)), Class::Any),
        }
    }

    /// Where to cut if punctuation forbids every place up to `reach`: between grapheme clusters and outside of atoms all the same, if that is possible.
    fn last_resort<M: Measure>(&self, packer: &Packer<'_, M>, reach: usize) -> usize {
        let mut places = Places::new(self, packer, reach);
        places.heeds_marks = false;
        places.back().map_or(reach, |(place, _)| place)
    }

    /// Whether the unbroken run that begins at `word` fits into a window of its own.
    fn run_fits<M: Measure>(&self, packer: &Packer<'_, M>, word: usize, reach: usize, room: usize) -> bool {
        let limit = self.end.min(word.saturating_add(packer.measure.most_bytes(room)));
        let mut places = Places::new(self, packer, self.end);
        let mut at = reach;
        while at < limit {
            at += char_at(packer.text, at).map_or(1, char::len_utf8);
            if at >= self.end || places.class(at).is_some_and(|class| class >= Class::Word) {
                let run = trim_end(packer.text, Span::new(word, at.min(self.end)));
                return packer.span_size(run) <= room;
            }
        }
        false
    }

    /// Lets the next window begin with the end of the one that began at `previous`.
    fn carry<M: Measure>(&mut self, packer: &Packer<'_, M>, previous: usize) {
        let fixed = packer.size(self.before, Span::default(), self.after);
        let most = self.overlap.min(packer.policy.budget.saturating_sub(fixed) / 2);
        let floor = previous.max(self.at.saturating_sub(packer.measure.most_bytes(most)));
        let mut places = Places::new(self, packer, self.at);
        places.floor = floor;
        places.begin = previous;
        places.at = self.at.saturating_sub(1);
        while !packer.text.is_char_boundary(places.at) {
            places.at -= 1;
        }
        let least = if packer.policy.windows == WindowRule::Clusters { Class::Any } else { Class::Word };
        let mut found = Vec::new();
        while let Some((place, class)) = places.back() {
            if class >= least {
                found.push(place);
            }
        }
        found.reverse();
        self.carried = packer.first_within(&found, self.at, most).unwrap_or(self.at);
    }
}

/// The places between `floor` and `at` where the text may be cut, from the last to the first.
struct Places<'p, 'a, M> {
    packer: &'p Packer<'a, M>,
    windows: &'p Windows<'p>,
    /// Grapheme clusters are those of the text from here on.
    begin: usize,
    /// Only places behind here.
    floor: usize,
    at: usize,
    /// The atom looked at last, and whether it fits (so that it may not be cut).
    atom: Option<(Span, bool)>,
    /// Whether punctuation and white space forbid places.
    heeds_marks: bool,
}

impl<'p, 'a, M: Measure> Places<'p, 'a, M> {
    fn new(windows: &'p Windows<'p>, packer: &'p Packer<'a, M>, at: usize) -> Self {
        Self {
            packer,
            windows,
            begin: windows.at,
            floor: windows.floor.max(windows.at),
            at,
            atom: None,
            heeds_marks: true,
        }
    }

    /// The last place at or in front of `at`; the next call goes on in front of it.
    fn back(&mut self) -> Option<(usize, Class)> {
        while self.at > self.floor {
            let place = self.at;
            let step = char_before(self.packer.text, place).map_or(1, char::len_utf8);
            self.at = place - step;
            if let Some(atom) = self.whole_atom(place) {
                self.at = atom.start as usize;
            } else if let Some(class) = self.class(place) {
                return Some((place, class));
            }
        }
        None
    }

    /// The class of a place, if the text may be cut there (atoms aside).
    fn class(&mut self, place: usize) -> Option<Class> {
        let text = self.packer.text;
        let next = char_at(text, place)?;
        let direct = char_before(text, place)?;
        let is_marked = || next.is_whitespace() || begins_closing(text, place) || is_opening(direct);
        if begins_fence(text, place) || (self.heeds_marks && is_marked()) {
            return None;
        }
        let plain = next.is_ascii() && direct.is_ascii();
        if !plain && !self.is_cluster_start(place) {
            return None;
        }
        if self.whole_atom(place).is_some() {
            return None;
        }
        let white = direct.is_whitespace();
        let last = if white { text[self.begin..place].trim_end().chars().next_back() } else { Some(direct) };
        Some(match last {
            Some('，' | '；' | '：' | '、' | '。' | '！' | '？') => Class::Clause,
            Some(',' | ';' | ':' | '.' | '!' | '?') if white => Class::Clause,
            _ if white || is_cjk(direct) || is_cjk(next) => Class::Word,
            _ if direct.is_ascii_punctuation() && next.is_ascii_alphanumeric() => Class::Part,
            _ => Class::Any,
        })
    }

    fn is_cluster_start(&self, place: usize) -> bool {
        is_cluster_start(self.packer.text, Span::new(self.begin, self.windows.end), place)
    }

    /// The atom that `place` lies inside of, if it fits into a window.
    fn whole_atom(&mut self, place: usize) -> Option<Span> {
        let inside = |atom: Span| (atom.start as usize) < place && place < atom.end as usize;
        if let Some((atom, fits)) = self.atom
            && inside(atom)
        {
            return fits.then_some(atom);
        }
        let (packer, windows) = (self.packer, self.windows);
        let atom = packer.atom_at(windows.parts, place).filter(|atom| inside(*atom))?;
        let fits = packer.fits(packer.policy.budget, windows.before, atom, windows.after);
        self.atom = Some((atom, fits));
        fits.then_some(atom)
    }
}
