//! The first tokens of a span.

use super::index::TokenIndex;
use super::merge::Token;

impl TokenIndex<'_> {
    /// The end of the first `tokens` tokens of the part of the text in `start..end` by itself, moved down to a character boundary;
    /// `end` if there are no more tokens than that. It is `start` if the first character has more tokens than asked for.
    #[must_use]
    pub fn take(&self, start: usize, end: usize, tokens: usize) -> usize {
        let text = &self.text.as_bytes()[..end];
        let common = self.last_common(start, end);
        let mut scratch = Vec::new();
        let mut left = tokens;
        let mut at = start;
        while at < end && left > 0 {
            if at < common && self.marks.is_start(at) {
                let there = self.marks.before(common) - self.marks.before(at);
                if there > left {
                    return self.token_start(self.marks.before(at) + left, &mut scratch);
                }
                left -= there;
                at = common;
                continue;
            }
            let piece_end = self.engine.pattern.piece_end(text, at);
            self.engine.piece_ends(&text[at..piece_end], &mut scratch);
            if scratch.len() > left {
                return self.text.floor_char_boundary(at + scratch[left - 1].end as usize);
            }
            left -= scratch.len();
            at = piece_end;
        }
        at.min(end)
    }

    /// Where token number `number` of the text starts, moved down to a character boundary.
    fn token_start(&self, number: usize, scratch: &mut Vec<Token>) -> usize {
        let mark = self.marks.select(number);
        if self.marks.is_start(mark) {
            return mark;
        }
        let start = self.marks.start_at_or_before(mark);
        let inside = number - self.marks.before(start);
        let end = self.marks.start_behind(start);
        if end - start >= super::marks::LARGE {
            return self.text.floor_char_boundary(mark);
        }
        self.engine.piece_ends(&self.text.as_bytes()[start..end], scratch);
        self.text.floor_char_boundary(start + scratch[inside - 1].end as usize)
    }
}
