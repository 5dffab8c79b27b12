//! Bodies of fenced code that the parser need not see.
//!
//! Half the lines of a technical document may be code, and each costs the parser an event. Where a fence is certain to be one, its body can be one long
//! line for the parser: nothing but its span matters. Certain are fences in the first column, as long as nothing in front of them leaves a
//! doubt: an HTML block that may still be open, or a fence that is indented, quoted or in a list. From the first doubt on nothing is hidden.

use memchr::{memchr_iter, memmem};

use crate::span::Span;
use crate::text::{is_line_start, line_end, lines};

/// The bodies (their last line end left out) of certain fences from `start` on, in order.
pub(super) fn hidden_bodies(text: &str, start: usize) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut ticks = memmem::find_iter(bytes, b"```").peekable();
    let mut tildes = memmem::find_iter(bytes, b"~~~").peekable();
    let mut bodies = Vec::new();
    let mut at = start;
    loop {
        while ticks.next_if(|run| *run < at).is_some() {}
        while tildes.next_if(|run| *run < at).is_some() {}
        let Some(run) = ticks.peek().into_iter().chain(tildes.peek()).min().copied() else { break };
        let line = line_begin(bytes, at, run);
        let next = line_end(text, run, text.len());
        let in_first_column = line == run && is_line_start(text, run);
        let may_be_nested = bytes[line..run].iter().all(|b| b" \t>-*+.)0123456789".contains(b));
        let before = if in_first_column { line } else { next };
        if may_be_in_html(text, Span::new(at, before)) || (may_be_nested && !in_first_column) {
            break;
        }
        at = next;
        if in_first_column && opens(&text[run..next]) {
            let Some(closing) = closing_line(text, &bytes[run..next], next) else { break };
            if closing > next + 1 {
                bodies.push(Span::new(next, closing - 1));
            }
            at = line_end(text, closing, text.len());
        }
    }
    bodies
}

/// Where the line begins that `at` is on, at least `from`.
fn line_begin(bytes: &[u8], from: usize, at: usize) -> usize {
    bytes[from..at].iter().rposition(|b| matches!(b, b'\n' | b'\r')).map_or(from, |end| from + end + 1)
}

/// Whether a line that begins with three marks opens a fence: back-ticks with another one behind them are inline code.
fn opens(line: &str) -> bool {
    !(line.starts_with('`') && line.trim_start_matches('`').contains('`'))
}

/// Where the line begins that closes the fence that `opening` opens.
fn closing_line(text: &str, opening: &[u8], from: usize) -> Option<usize> {
    let mark = *opening.first()?;
    let run = opening.iter().take_while(|b| **b == mark).count();
    let finder = memmem::Finder::new(&opening[..run]);
    let mut at = from;
    loop {
        let found = at + finder.find(&text.as_bytes()[at..])?;
        let line = line_begin(text.as_bytes(), at, found);
        let end = line_end(text, found, text.len());
        let behind = text[found..end].trim_start_matches(char::from(mark));
        let indent = &text.as_bytes()[line..found];
        if indent.len() <= 3
            && indent.iter().all(|b| *b == b' ')
            && behind.trim_matches([' ', '\t', '\n', '\r']).is_empty()
        {
            return Some(line);
        }
        at = end;
    }
}

/// Whether a line in a span may begin an HTML block that has not ended where the span does. Blocks that a blank line ends are told from those that go on.
fn may_be_in_html(text: &str, span: Span) -> bool {
    let bytes = text.as_bytes();
    let begins_line = |at: &usize| {
        let line = bytes[span.start as usize..*at].iter().rev().take_while(|b| !matches!(b, b'\n' | b'\r'));
        line.clone().count() < 64 && line.clone().all(|b| b" \t>-*+.)0123456789".contains(b))
    };
    memchr_iter(b'<', &bytes[span.range()]).map(|at| span.start as usize + at).filter(begins_line).any(|at| {
        let rest = Span::new(at, span.end as usize);
        let tag = &bytes[at + 1..(at + 9).min(bytes.len())];
        let goes_on = [&b"!"[..], b"?", b"pre", b"script", b"style", b"textarea"]
            .iter()
            .any(|name| tag.len() >= name.len() && tag[..name.len()].eq_ignore_ascii_case(name));
        let is_tag = tag.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'/');
        goes_on
            || (is_tag
                && !lines(text, rest).any(|line| text[line.range()].trim_matches([' ', '\t', '\n', '\r']).is_empty()))
    })
}
