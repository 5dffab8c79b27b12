//! HTML blocks that are certain: comments, and what begins with a tag and ends with a blank line.

use memchr::memchr_iter;

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

/// What a line is that begins with `<` where no HTML block is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Html {
    /// Begins a comment, which ends a paragraph.
    Comment,
    /// Begins a block that a blank line ends, and ends a paragraph.
    Block,
    /// The same, but it goes on with a paragraph.
    Tag,
    Text,
    /// May begin a block that ends elsewhere.
    Other,
}

/// What a line is that begins with `<`, up to its end.
pub(super) fn kind(line: &[u8]) -> Html {
    if line.starts_with(b"<!--") {
        return Html::Comment;
    }
    let inner = line.strip_prefix(b"</").unwrap_or(&line[1..]);
    let length = inner.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let (name, behind) = inner.split_at(length);
    let is_name = |tag: &&str| name.eq_ignore_ascii_case(tag.as_bytes());
    if matches!(inner, [b'!' | b'?', ..]) || ENDED_BY_TAG.iter().any(&is_name) {
        return Html::Other;
    }
    let ends = matches!(behind, [] | [b' ' | b'\t' | b'\r' | b'\n' | b'>', ..] | [b'/', b'>', ..]);
    if ends && TAGS.iter().chain(&LONG_TAGS).any(is_name) {
        return Html::Block;
    }
    let is_tag = whole_tag(line).is_some_and(|end| is_end(line, skip_blanks(line, end)));
    if is_tag { Html::Tag } else { Html::Text }
}

/// The end of the comment or block that begins at `at`, if that is certain.
pub(super) fn end(blocks: &Blocks<'_>, at: usize, kind: Html) -> Option<usize> {
    let bytes = blocks.bytes();
    if kind == Html::Comment {
        return Some(blocks.next_line(at + comment_len(&bytes[at..])?));
    }
    let mut end = blocks.next_line(at);
    while !is_end(bytes, skip_blanks(bytes, end)) {
        end = blocks.next_line(end);
    }
    Some(end)
}

/// The length of the comment that a text begins with. Its first dashes may be its last.
pub(super) fn comment_len(text: &[u8]) -> Option<usize> {
    memchr_iter(b'>', text).find(|mark| text[2..*mark].ends_with(b"--")).map(|mark| mark + 1)
}
