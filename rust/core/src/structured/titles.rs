//! Lines that are weak headings as far as a line alone can tell.

use std::ops::Range;

use super::forms::Form;
use super::marks::{Mark, is_colon, opening};
use crate::text::{is_closing, is_opening};

/// The most characters of a weak heading.
const MOST_CHARS: usize = 40;

/// A line that reads as a weak heading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Title {
    pub(super) form: Form,
    /// Where its marker stands in the line; the whole line for those in brackets, nothing for those with a colon.
    pub(super) marker: Range<usize>,
    /// Where its text stands in the line.
    pub(super) text: Range<usize>,
}

/// The title that a line, trimmed, is by its number or brackets.
pub(super) fn marked_title(line: &str) -> Option<Title> {
    if !is_short(line) || ends_sentence(line, false) {
        return None;
    }
    let opening = opening(line);
    let (form, marker, text) = match opening.mark {
        Mark::Numbered(form) if opening.text == 0 => (form, 0..opening.marker, 0..opening.marker),
        Mark::Numbered(form) => (form, 0..opening.marker, opening.text..line.len()),
        Mark::Lenticular => {
            let inside = line.strip_prefix('【')?.strip_suffix('】')?;
            let words = inside.trim_start();
            let start = line.len() - '】'.len_utf8() - words.len();
            let text = start..start + words.trim_end().len();
            if inside.contains(['【', '】']) || matches!(&line[text.clone()], "问" | "答") {
                return None;
            }
            (Form::Lenticular, 0..line.len(), text)
        }
        _ => return None,
    };
    has_word(&line[text.clone()]).then_some(Title { form, marker, text })
}

/// Words in front of a colon that only lead in what follows.
const LEAD_INS: [&str; 6] = ["如下", "例如", "比如", "as follows", "following", "for example"];

/// The title that a line, trimmed, is by its colon. That it is no list line its caller knows.
pub(super) fn colon_title(line: &str, mark: Mark) -> Option<Title> {
    let words = line.strip_suffix(is_colon)?;
    let fits = match mark {
        Mark::Plain | Mark::Lenticular => true,
        Mark::Question { .. } => opening(line).text == line.len(),
        Mark::Bullet | Mark::Number | Mark::Numbered(_) | Mark::Answer { .. } => false,
    };
    let is_definition = words.starts_with('[') && words.ends_with(']');
    (fits && is_short(line) && !is_definition && !leads_in(words) && !holds_sentence(words) && has_word(words))
        .then_some(Title { form: Form::Colon, marker: 0..0, text: 0..line.len() })
}

fn leads_in(words: &str) -> bool {
    let words = words.trim_end().as_bytes();
    LEAD_INS.iter().any(|end| {
        let rest = words.len().checked_sub(end.len()).and_then(|start| words.get(start..));
        rest.is_some_and(|rest| rest.eq_ignore_ascii_case(end.as_bytes()))
    })
}

fn is_short(line: &str) -> bool {
    line.len() <= MOST_CHARS || (line.len() <= MOST_CHARS * 4 && line.chars().nth(MOST_CHARS).is_none())
}

/// Whether a line ends like a sentence, closing marks aside; or, if that counts, with a colon.
pub(super) fn ends_sentence(line: &str, colons: bool) -> bool {
    const CLOSERS: [char; 12] = ['"', '\'', '”', '’', '」', '』', '）', ')', '》', '〉', '】', ']'];
    let last = line.trim_end_matches(CLOSERS).chars().next_back();
    last.is_some_and(|c| match c {
        '。' | '．' | '.' | '！' | '!' | '？' | '?' | '；' | ';' | '…' => true,
        '，' | ',' | '、' => !colons,
        '：' | ':' => colons,
        _ => false,
    })
}

/// Whether a sentence ends inside.
fn holds_sentence(words: &str) -> bool {
    let mut chars = words.chars().peekable();
    while let Some(c) = chars.next() {
        let ends = match c {
            '。' | '！' | '？' | '!' | '?' | '；' | ';' => true,
            '.' => chars.peek().is_some_and(|next| next.is_whitespace()),
            _ => false,
        };
        if ends {
            return true;
        }
    }
    false
}

/// Whether there is more than white space and punctuation.
fn has_word(words: &str) -> bool {
    let is_word = |c: char| !(c.is_whitespace() || c.is_ascii_punctuation() || is_closing(c) || is_opening(c));
    words.chars().any(is_word)
}
