//! HTML blocks that are certain: comments, and what begins with a tag and ends with a blank line.

use memchr::memmem;

use super::blocks::Blocks;
use super::lines::{is_end, skip_blanks};
use crate::lex::inlines::whole_tag;

/// Tags that begin a block whatever stands behind them on their line, and the two longest of these.
const TAGS: [&str; 60] = [
    "address", "article", "aside", "base", "basefont", "body", "caption", "center", "col", "colgroup", "dd", "details",
    "dialog", "dir", "div", "dl", "dt", "fieldset", "figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3",
    "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend", "li", "link", "main", "menu", "menuitem",
    "nav", "noframes", "ol", "optgroup", "option", "p", "param", "search", "section", "summary", "table", "tbody",
    "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
];
const LONG_TAGS: [&str; 2] = ["blockquote", "figcaption"];

/// Tags that begin a block which ends with a tag.
pub(super) const ENDED_BY_TAG: [&str; 4] = ["pre", "script", "style", "textarea"];

/// The end of the HTML block that begins with the line at `at`, if that is certain.
pub(super) fn end(blocks: &Blocks<'_>, at: usize) -> Option<usize> {
    let bytes = blocks.bytes();
    let rest = &bytes[at..];
    if rest.starts_with(b"<!--") {
        let close = memmem::find(&rest[2..], b"-->")?;
        return Some(blocks.next_line(at + 2 + close));
    }
    let mut end = blocks.next_line(at);
    if !begins_block(&bytes[at..end]) {
        return None;
    }
    while !is_end(bytes, skip_blanks(bytes, end)) {
        end = blocks.next_line(end);
    }
    Some(end)
}

/// Whether a line begins a block that a blank line ends.
fn begins_block(line: &[u8]) -> bool {
    let inner = line.strip_prefix(b"</").unwrap_or(&line[1..]);
    let length = inner.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let (name, behind) = inner.split_at(length);
    let is_name = |tag: &&str| name.eq_ignore_ascii_case(tag.as_bytes());
    if ENDED_BY_TAG.iter().any(&is_name) {
        return false;
    }
    let ends = matches!(behind, [b' ' | b'\t' | b'\r' | b'\n' | b'>', ..] | [b'/', b'>', ..]);
    (ends && TAGS.iter().chain(&LONG_TAGS).any(is_name))
        || whole_tag(line).is_some_and(|end| is_end(line, skip_blanks(line, end)))
}
