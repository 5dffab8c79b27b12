//! What is left of a leaf without its constructs.

use std::borrow::Cow;

use memchr::memchr2;

use super::{Cut, Doubt};
use crate::span::Span;

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

/// The plain text of a heading.
pub(super) fn heading<'t>(text: &'t str, span: Span, cuts: &[Cut]) -> Result<Cow<'t, str>, Doubt> {
    let whole = &text[span.range()];
    if has_odd_end(whole, &text[span.end as usize..]) {
        return Err(Doubt::Heading);
    }
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

/// Whether the parser may take more or less for the content of a heading, or for its last token, than lies in front of `behind`.
fn has_odd_end(content: &str, behind: &str) -> bool {
    let behind = &behind.as_bytes()[..memchr2(b'\n', b'\r', behind.as_bytes()).unwrap_or(behind.len())];
    let marks = behind.trim_ascii();
    let has_odd_marks = !marks.iter().all(|b| *b == b'#') || !behind.iter().all(|b| matches!(b, b'#' | b' '));
    let is_joined = !marks.is_empty() && behind.starts_with(b"#");
    // Closing marks that are still there, or nothing else; attributes, which may also stand in front of closing marks.
    let open = content.trim_end_matches('#');
    let has_marks = open.len() < content.len() && (open.trim().is_empty() || open.ends_with(' '));
    let has_attributes = content.contains('{') && open.trim_end().ends_with('}');
    has_odd_marks || is_joined || has_marks || has_attributes
}

/// Whether a piece of a heading is the text that it looks like.
fn check(text: &str, piece: &str, start: usize) -> Result<(), Doubt> {
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
