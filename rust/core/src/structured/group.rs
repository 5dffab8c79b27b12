//! Lines -> blocks: questions with their answers, headings, lists, paragraphs.

use std::ops::Range;

use super::BlockType;
use super::lines::{Line, Reading};
use super::marks::{Mark, is_colon, is_emphasis, opening};
use super::titles::{colon_title, ends_sentence};

/// The lines of one stretch.
pub(super) struct Group<'a> {
    pub(super) reading: Reading<'a>,
    pub(super) lines: &'a [Line],
}

impl Group<'_> {
    /// The block that begins at a line: its type (`steps` are lists here) and the line behind it.
    pub(super) fn block(&self, at: usize) -> (BlockType, usize) {
        if let Some(end) = self.pair(at) {
            return (BlockType::Qa, end);
        }
        if self.is_heading(at) {
            return (BlockType::Heading, at + 1);
        }
        let behind = at + 1..self.lines.len();
        if self.lines[at].is_list_line() {
            return (BlockType::List, self.run(behind, |_, line| !line.is_list_line() && !line.is_in_list()));
        }
        let ends = |at: usize, line: &Line| line.after_blank || line.is_list_line() || self.is_heading(at);
        (BlockType::Paragraph, self.run(behind, ends))
    }

    /// The first line of a range that ends what stands in front, or begins a pair; else its end.
    fn run(&self, mut range: Range<usize>, ends: impl Fn(usize, &Line) -> bool) -> usize {
        let end = range.end;
        range.find(|at| ends(*at, &self.lines[*at]) || self.pair(*at).is_some()).unwrap_or(end)
    }

    pub(super) fn is_heading(&self, at: usize) -> bool {
        self.lines[at].is_marked_heading() || self.is_colon_heading(at)
    }

    fn is_colon_heading(&self, at: usize) -> bool {
        let line = &self.lines[at];
        // The last byte of either colon.
        if !self.reading.weak_headings
            || !matches!(self.reading.text.as_bytes()[line.end as usize - 1], b':' | 0x9a)
            || !line.is_free()
        {
            return false;
        }
        self.reading.is_followed(at, self.lines)
            && colon_title(line.seen(self.reading.text), line.mark).is_some()
            && (at == 0 || line.after_blank || self.may_precede_colon(at - 1, line))
    }

    fn may_precede_colon(&self, before: usize, line: &Line) -> bool {
        let before = &self.lines[before];
        before.is_marked_heading()
            || before.is_list_line()
            || before.indent > line.indent
            || ends_sentence(before.seen(self.reading.text), true)
    }

    /// Behind the last line of the question and answer that begin at a line, if they do.
    fn pair(&self, at: usize) -> Option<usize> {
        match self.lines[at].mark {
            Mark::Question { letter } => self.marked_pair(at, letter),
            _ => self.asks(at, false).then(|| self.answer_end(at + 1)),
        }
    }

    fn marked_pair(&self, at: usize, letter: bool) -> Option<usize> {
        let bare = self.is_bare(at);
        for (offset, line) in self.lines[at + 1..].iter().enumerate() {
            let next = at + 1 + offset;
            if is_answer(line, letter) {
                return Some(self.answer_end(next));
            }
            if ends_pair(line) || (line.after_blank && !(bare && offset == 0)) {
                break;
            }
        }
        let goes_on = self.lines.get(at + 1).is_some_and(|next| !next.after_blank && !ends_pair(next));
        (!bare && (goes_on || self.holds_answer(at))).then(|| self.answer_body_end(at + 1))
    }

    /// Behind an answer that begins with an answer line.
    fn answer_end(&self, answer: usize) -> usize {
        let behind = answer + 1;
        let skips_blank = self.is_bare(answer)
            && self.lines.get(behind).is_some_and(|next| next.after_blank && !self.ends_answer(behind, next));
        self.answer_body_end(if skips_blank { behind + 1 } else { behind })
    }

    fn answer_body_end(&self, from: usize) -> usize {
        let ends = |at: &usize| {
            let line = &self.lines[*at];
            line.after_blank || self.ends_answer(*at, line)
        };
        (from..self.lines.len()).find(ends).unwrap_or(self.lines.len())
    }

    fn ends_answer(&self, at: usize, line: &Line) -> bool {
        ends_pair(line) || self.asks(at, false)
    }

    /// Whether a line ends in a question mark and the next one answers.
    fn asks(&self, at: usize, letter: bool) -> bool {
        let line = &self.lines[at];
        // The last byte of either question mark, or emphasis behind it.
        matches!(self.reading.text.as_bytes()[line.end as usize - 1], b'?' | 0x9f | b'*' | b'_')
            && self.lines.get(at + 1).is_some_and(|next| is_answer(next, letter))
            && line.seen(self.reading.text).trim_end_matches(is_emphasis).ends_with(['?', '？'])
    }

    fn is_bare(&self, at: usize) -> bool {
        self.behind_mark(at).chars().all(|c| is_emphasis(c) || c.is_whitespace())
    }

    fn behind_mark(&self, at: usize) -> &str {
        let line = self.lines[at].seen(self.reading.text);
        &line[opening(line).marker..]
    }

    /// Whether an answer stands behind a question mark in its own line.
    fn holds_answer(&self, at: usize) -> bool {
        let words = self.behind_mark(at);
        words.match_indices(is_colon).any(|(colon, _)| {
            let before = &words[..colon];
            before.ends_with('答')
                || before.strip_suffix('A').is_some_and(|before| before.ends_with(char::is_whitespace))
        })
    }
}

/// Whether a line answers a question, marked by a letter or not.
const fn is_answer(line: &Line, letter: bool) -> bool {
    match line.mark {
        Mark::Answer { choosy } => letter || !choosy,
        _ => false,
    }
}

/// Whether a question or answer ends in front of a line, whatever stands around it.
const fn ends_pair(line: &Line) -> bool {
    line.is_marked_heading() || matches!(line.mark, Mark::Question { .. })
}
