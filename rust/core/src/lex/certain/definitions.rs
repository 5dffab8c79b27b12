//! Link reference definitions: where one may stand, and those that are certain.

use std::ops::Range;

use memchr::{memchr, memchr2, memmem, memrchr};

use super::lines::{is_end, is_of_container, skip_blanks};
use crate::lex::bits::next_line;
use crate::text::{before_class, class_of, with_controls};

/// No label is longer.
const LONGEST_LABEL: usize = 1000;

/// Where the labels begin of what may be definitions, in order, with all `]:` in `within`; none if that is in doubt, or if one may be a footnote's.
pub(super) fn places(text: &str, start: usize, within: Range<usize>) -> Option<Vec<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let from = within.start.max(start);
    let within = bytes.get(from..within.end).unwrap_or_default();
    for close in memmem::find_iter(within, b"]:").map(|at| from + at) {
        let floor = start.max(close.saturating_sub(LONGEST_LABEL));
        let Some(open) = memrchr(b'[', &bytes[floor..close]).map(|at| floor + at) else { continue };
        let label = &bytes[open + 1..close];
        if memchr(b']', label).is_some_and(|at| label[at - usize::from(at > 0)] != b'\\') {
            continue;
        }
        if open > start && bytes[open - 1] == b'\\' {
            return None;
        }
        if !begins_line(bytes, start, open) {
            continue;
        }
        if label.starts_with(b"^") || memchr2(b'\\', b'\n', label).is_some() {
            return None;
        }
        found.push(open);
    }
    Some(found)
}

/// Whether there is nothing in front of `at` on its line but what marks of containers are made of.
fn begins_line(bytes: &[u8], start: usize, at: usize) -> bool {
    let before = bytes[start..at].iter().rev().find(|b| !is_of_container(**b));
    before.is_none_or(|b| *b == b'\n')
}

/// A definition on one line.
pub(super) struct Definition<'t> {
    pub(super) label: &'t str,
    /// How many bytes a link that refers to it may stand for, at most.
    pub(super) len: usize,
    /// The start of the next line.
    pub(super) end: usize,
}

/// The definition that the line at `at` is, if that is certain.
pub(super) fn definition(text: &str, at: usize) -> Option<Definition<'_>> {
    let bytes = text.as_bytes();
    let close = at + memchr(b']', &bytes[at..next_line(bytes, at)])?;
    let label = &text[at + 1..close];
    let is_plain =
        !label.trim().is_empty() && label.len() < LONGEST_LABEL && memchr2(b'[', b'\\', label.as_bytes()).is_none();
    if !is_plain || bytes.get(close + 1) != Some(&b':') {
        return None;
    }
    let destination = skip_blanks(bytes, close + 2);
    let behind = destination_end(bytes, destination)?;
    let rest = skip_blanks(bytes, behind);
    let end = next_line(bytes, behind);
    let ends = is_end(bytes, rest) || (rest > behind && is_title(&bytes[rest..end]));
    ends.then_some(Definition { label, len: end - at, end })
}

/// The end of the destination that begins at `at`, in which parentheses may stand in pairs.
fn destination_end(bytes: &[u8], at: usize) -> Option<usize> {
    let (mut end, mut is_open) = (at, false);
    loop {
        end += before_class(&bytes[end..], &IS_MARK);
        match bytes.get(end) {
            Some(b'(') if !is_open => is_open = true,
            Some(b')') if is_open => is_open = false,
            Some(b'(' | b')') => return None,
            _ => break,
        }
        end += 1;
    }
    (end > at && !is_open).then_some(end)
}

/// What is not plain in a destination.
const IS_MARK: [bool; 256] = with_controls(class_of(b" ()<>\\\x7f"));

/// Whether the rest of a line is a title in double quotes.
fn is_title(rest: &[u8]) -> bool {
    let Some(inner) = rest.strip_prefix(b"\"") else { return false };
    memchr2(b'"', b'\\', inner).is_some_and(|at| inner[at] == b'"' && is_end(inner, skip_blanks(inner, at + 1)))
}
