//! What is left of a leaf without its constructs.

use std::borrow::Cow;

use super::delimiters::is_white;
use super::{Cut, Doubt};
use crate::span::Span;
use crate::text::{before_class, class_of};

/// Whether anything but white space stands outside the cuts, which are all of the images and the marks of links.
pub(super) fn has_others(bytes: &[u8], start: usize, quoted: bool, cuts: &[Cut]) -> Result<bool, Doubt> {
    let (mut at, mut doubt) = (start, false);
    let ends = cuts.iter().map(|cut| (cut.start as usize, cut.end as usize));
    for (to, next) in ends.chain([(bytes.len(), bytes.len())]) {
        let piece = std::str::from_utf8(&bytes[at.min(to)..to]).unwrap_or_default();
        // An entity may be white space, emphasis no text, a backslash a line break, `>` the mark of a quote.
        let may_be_none = |c: char| matches!(c, '*' | '_' | '~' | '\\') || (quoted && c == '>');
        if piece.contains('&') {
            return Err(Doubt::Marks);
        }
        if piece.chars().any(|c| !c.is_whitespace() && !may_be_none(c)) {
            return Ok(true);
        }
        doubt |= piece.contains(may_be_none);
        at = next;
    }
    if doubt { Err(Doubt::Marks) } else { Ok(false) }
}

/// How long the content is of an ATX heading that goes on to the line's end: up to attributes, closing marks and blanks, as the parser has it.
pub(super) fn heading_len(line: &[u8]) -> Result<usize, Doubt> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let attributes = attributes(line)?;
    let content = trim_blanks(&line[..attributes.unwrap_or(line.len())]);
    let open = content.iter().rposition(|b| *b != b'#').map_or(0, |last| last + 1);
    let has_marks = open < content.len() && open > 0 && content[open - 1] == b' ';
    let end = if has_marks { trim_blanks(&content[..open]).len() } else { content.len() };
    // The parser's last token would reach over other white space; a backslash there is no escape of the brace behind it.
    let is_odd = |b: &u8| is_white(*b) || (*b == b'\\' && attributes == Some(end));
    if open == 0 || is_white(content[0]) || content[..end].last().is_none_or(is_odd) {
        Err(Doubt::Heading)
    } else {
        Ok(end)
    }
}

fn trim_blanks(bytes: &[u8]) -> &[u8] {
    let blanks = bytes.iter().rev().take_while(|b| matches!(b, b' ' | b'\r')).count();
    &bytes[..bytes.len() - blanks]
}

/// Where `{attributes}` begin at the end of a heading. What stands in them must not be able to end a construct that begins in front, which the
/// parser would go along with.
fn attributes(line: &[u8]) -> Result<Option<usize>, Doubt> {
    let Some(inner) = line.trim_ascii_end().strip_suffix(b"}") else { return Ok(None) };
    match inner.iter().rposition(|b| matches!(b, b'{' | b'}' | b'<' | b'>' | b'\\')) {
        Some(open) if inner[open] == b'{' => {
            let is_plain =
                |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'#' | b'-' | b'_' | b'.' | b':' | b'=');
            if inner[open + 1..].iter().all(is_plain) { Ok(Some(open)) } else { Err(Doubt::Heading) }
        }
        _ => Ok(None),
    }
}

/// The plain text of a heading.
pub(super) fn heading<'t>(text: &'t str, span: Span, cuts: &[Cut]) -> Result<Cow<'t, str>, Doubt> {
    let whole = &text[span.range()];
    if cuts.is_empty() {
        check(text, whole, span.start as usize)?;
        return Ok(Cow::Borrowed(whole));
    }
    let mut words = String::with_capacity(whole.len());
    let mut at = span.start as usize;
    for cut in cuts {
        let (start, end) = (cut.start as usize, cut.end as usize);
        let piece = &text[at..start];
        check(text, piece, at)?;
        words.push_str(piece);
        if cut.literal {
            words.push_str(&text[start..end]);
        }
        at = end;
    }
    let piece = &text[at..span.end as usize];
    check(text, piece, at)?;
    words.push_str(piece);
    Ok(Cow::Owned(words))
}

/// Marks that may stand for something else in a heading.
const IS_MARK: [bool; 256] = class_of(b"_*~&");

/// Whether a piece of a heading is the text that it looks like.
fn check(text: &str, piece: &str, start: usize) -> Result<(), Doubt> {
    if before_class(piece.as_bytes(), &IS_MARK) == piece.len() {
        return Ok(());
    }
    let bytes = text.as_bytes();
    let is_word = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let is_text = |(at, b): (usize, &u8)| {
        let at = start + at;
        match b {
            // Inside a word, this opens and closes nothing.
            b'_' => at > 0 && is_word(at - 1) && is_word(at + 1),
            b'*' | b'~' => false,
            b'&' => !(is_word(at + 1) || bytes.get(at + 1) == Some(&b'#')),
            _ => true,
        }
    };
    if piece.bytes().enumerate().all(|(at, b)| is_text((at, &b))) { Ok(()) } else { Err(Doubt::Heading) }
}
