//! Where a stretch of lines that is left to the parser ends.
//!
//! It may end where a block at top level begins for sure, whatever stands in front: at a heading or fence in the first column, or at any line there,
//! other than a list item, behind a blank line. Such a line goes on with no list, quote or indented code. It would go on with a fence or an
//! HTML block that stands at top level itself; wherever one of these may have begun, the stretch goes on to the end of the HTML block, or of the text.

use memchr::memmem;

use super::html::ENDED_BY_TAG;
use super::lines::{Begin, Marker, begin, indentation, is_end, item_content, run};
use crate::lex::bits::next_line;

/// The end of the stretch that begins with the line at `start`.
pub(super) fn end(bytes: &[u8], start: usize) -> usize {
    let mut region = Region { bytes, floor: 0, blank: true, in_html: false };
    let mut at = start;
    while at < bytes.len() {
        if at > start && region.ends_before(at) {
            return at;
        }
        if !region.take(at) {
            return bytes.len();
        }
        at = next_line(bytes, at);
    }
    bytes.len()
}

struct Region<'t> {
    bytes: &'t [u8],
    /// The column from which on a line belongs to the list item that is open at top level; 0 if it is not known that one is.
    floor: usize,
    /// Whether the line in front is blank.
    blank: bool,
    /// Whether an HTML block that a blank line ends may be open at top level.
    in_html: bool,
}

impl Region<'_> {
    fn ends_before(&self, at: usize) -> bool {
        match begin(self.bytes, at) {
            _ if self.in_html => false,
            Begin::Heading(_) | Begin::Fence => true,
            Begin::Marker(_) | Begin::Dashes(_) | Begin::Blank | Begin::Indent => false,
            _ => self.blank,
        }
    }

    /// Takes a line; whether there may still be an end.
    fn take(&mut self, at: usize) -> bool {
        let (content, column) = indentation(self.bytes, at);
        if is_end(self.bytes, content) {
            (self.blank, self.in_html) = (true, false);
            return true;
        }
        let is_within = self.floor > 0 && column >= self.floor;
        let begins = begin(self.bytes, content);
        if !is_within {
            self.floor = match begins {
                Begin::Marker(marker) if self.begins_item(marker) => {
                    item_content(self.bytes, content, marker).map_or(0, |inner| column + inner - content)
                }
                _ => 0,
            };
        }
        self.blank = false;
        let is_nested = is_within || self.floor > 0 || begins == Begin::Quote || column >= 4;
        is_nested || self.passes(content)
    }

    /// Whether what reads as the mark of a list item goes on with neither a paragraph nor an HTML block.
    fn begins_item(&self, marker: Marker) -> bool {
        !self.in_html && (marker.interrupts || self.blank || self.floor > 0)
    }

    /// Whether a line at top level opens nothing that may reach as far as the end of the text.
    fn passes(&mut self, content: usize) -> bool {
        let rest = &self.bytes[content..];
        if rest[0] == b'<' {
            self.in_html = true;
            return !is_long_html(&rest[..next_line(rest, 0)]);
        }
        !matches!(rest[0], b'`' | b'~') || run(rest, 0) < 3
    }
}

/// Whether a line begins an HTML block that no blank line ends, and that does not end in the line.
fn is_long_html(line: &[u8]) -> bool {
    let name = &line[1..];
    let named = |tag: &&str| name.get(..tag.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(tag.as_bytes()));
    let is_comment = name.starts_with(b"!--");
    if is_comment && memmem::find(&name[3..], b"-->").is_some() {
        return false;
    }
    name.starts_with(b"!") || name.starts_with(b"?") || ENDED_BY_TAG.iter().any(named)
}
