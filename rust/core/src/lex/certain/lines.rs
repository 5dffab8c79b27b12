//! What a line begins with. Only lines that end in `\n` or `\r\n` come here.

use crate::text::class_of;

/// What a line begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Begin {
    /// Nothing more: the line ends.
    Blank,
    /// A blank or a tab.
    Indent,
    /// What can only go on with a paragraph or begin one.
    Text,
    /// `[`: text, or a definition.
    Bracket,
    /// `|`: text, or the row of a table.
    Pipe,
    /// The marks of an ATX heading.
    Heading(u8),
    /// Three or more back-ticks or tildes that open fenced code.
    Fence,
    /// A thematic break in any case.
    Rule,
    /// Dashes alone, how many up to three: a thematic break, the underline of a heading, an empty item or text.
    Dashes(u8),
    /// Equals signs alone: the underline of a heading, or text.
    Underline,
    /// The mark of a list item.
    Marker(Marker),
    /// `>`.
    Quote,
    /// `<` that may begin an HTML block.
    Html,
}

/// The mark of a list item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Marker {
    /// The character that tells lists apart.
    pub(super) mark: u8,
    /// Its length.
    pub(super) width: u8,
    /// Whether it may end a paragraph that it does not belong to: it is a bullet, or number 1.
    pub(super) interrupts: bool,
}

/// Whether a line ends at `at`.
pub(super) fn is_end(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), None | Some(b'\n' | b'\r'))
}

/// Behind the blanks and tabs from `at` on.
pub(super) fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

/// How many blanks stand at `at`.
pub(super) fn blanks(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take_while(|b| **b == b' ').count()
}

/// Bytes without blanks, tabs and line ends at their end.
pub(super) fn trimmed(bytes: &[u8]) -> &[u8] {
    // Mostly, nothing but a line feed follows the text.
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    if text.last().is_some_and(|last| *last > b' ') {
        return text;
    }
    let kept = bytes.iter().rposition(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n')).map_or(0, |at| at + 1);
    &bytes[..kept]
}

/// Whether marks of containers and what stands between them are made of a byte.
pub(super) fn is_of_container(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'>' | b'-' | b'+' | b'*' | b'.' | b')' | b'0'..=b'9')
}

/// Where a line's content begins, and at which column.
pub(super) fn indentation(bytes: &[u8], mut at: usize) -> (usize, usize) {
    let mut column = 0;
    loop {
        match bytes.get(at) {
            Some(b' ') => column += 1,
            Some(b'\t') => column = column / 4 * 4 + 4,
            _ => return (at, column),
        }
        at += 1;
    }
}

/// Bytes that a line may begin with that is no text.
const IS_MARK: [bool; 256] = class_of(b"\n\r \t#`~><[|=-*_+0123456789");

/// Whether what begins at `at` is text, as the first byte tells.
#[inline]
pub(super) fn begins_text(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(|first| !IS_MARK[*first as usize])
}

/// What begins at `at`.
#[inline]
pub(super) fn begin(bytes: &[u8], at: usize) -> Begin {
    if begins_text(bytes, at) { Begin::Text } else { begin_with_mark(bytes, at) }
}

#[inline(never)]
fn begin_with_mark(bytes: &[u8], at: usize) -> Begin {
    let Some(&first) = bytes.get(at) else { return Begin::Blank };
    match first {
        b'\n' | b'\r' => Begin::Blank,
        b' ' | b'\t' => Begin::Indent,
        b'#' => heading(bytes, at),
        b'`' | b'~' if opens_fence(bytes, at) => Begin::Fence,
        b'>' => Begin::Quote,
        b'<' => Begin::Html,
        b'[' => Begin::Bracket,
        b'|' => Begin::Pipe,
        b'-' | b'*' | b'+' if is_plain_item(bytes, at) => bullet(first),
        b'=' if is_run(bytes, at) => Begin::Underline,
        b'-' if is_run(bytes, at) => Begin::Dashes(run(bytes, at).min(3) as u8),
        b'-' | b'*' | b'_' if is_rule(bytes, at) => Begin::Rule,
        b'-' | b'*' | b'+' if ends_marker(bytes, at + 1) => bullet(first),
        b'0'..=b'9' => number(bytes, at),
        _ => Begin::Text,
    }
}

const fn bullet(mark: u8) -> Begin {
    Begin::Marker(Marker { mark, width: 1, interrupts: true })
}

/// Whether a blank stands behind the mark at `at`, and behind that something that makes no thematic break or underline of it.
fn is_plain_item(bytes: &[u8], at: usize) -> bool {
    let content = bytes.get(at + 2).copied().unwrap_or(b' ');
    bytes.get(at + 1) == Some(&b' ') && content != bytes[at] && !matches!(content, b' ' | b'\t' | b'\n' | b'\r')
}

fn heading(bytes: &[u8], at: usize) -> Begin {
    let level = run(bytes, at);
    let ends = matches!(bytes.get(at + level), None | Some(b' ' | b'\t' | b'\n' | b'\r'));
    if level <= 6 && ends { Begin::Heading(level as u8) } else { Begin::Text }
}

fn number(bytes: &[u8], at: usize) -> Begin {
    let digits = bytes[at..].iter().take(10).take_while(|b| b.is_ascii_digit()).count();
    let mark = bytes.get(at + digits).copied().unwrap_or(0);
    if digits > 9 || !matches!(mark, b'.' | b')') || !ends_marker(bytes, at + digits + 1) {
        return Begin::Text;
    }
    let is_one = bytes[at + digits - 1] == b'1' && bytes[at..at + digits - 1].iter().all(|b| *b == b'0');
    Begin::Marker(Marker { mark, width: digits as u8 + 1, interrupts: is_one })
}

fn ends_marker(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), None | Some(b' ' | b'\t' | b'\n' | b'\r'))
}

/// Where the content of the item begins whose mark stands at `at`, if it is on that line behind one to four blanks.
pub(super) fn item_content(bytes: &[u8], at: usize, marker: Marker) -> Option<usize> {
    let behind = at + usize::from(marker.width);
    let blanks = blanks(bytes, behind);
    let content = behind + blanks;
    ((1..=4).contains(&blanks) && !is_end(bytes, content) && bytes[content] != b'\t').then_some(content)
}

/// How often the byte at `at` stands there in a row.
pub(super) fn run(bytes: &[u8], at: usize) -> usize {
    let mark = bytes[at];
    bytes[at..].iter().take_while(|b| **b == mark).count()
}

/// Whether the line holds nothing but one run of the byte at `at`.
fn is_run(bytes: &[u8], at: usize) -> bool {
    is_end(bytes, skip_blanks(bytes, at + run(bytes, at)))
}

/// Whether the line holds three or more of the byte at `at` and nothing else but blanks and tabs.
fn is_rule(bytes: &[u8], at: usize) -> bool {
    let mut count = 0;
    for byte in &bytes[at..] {
        match byte {
            b' ' | b'\t' => {}
            b'\n' | b'\r' => break,
            byte if *byte == bytes[at] => count += 1,
            _ => return false,
        }
    }
    count >= 3
}

fn opens_fence(bytes: &[u8], at: usize) -> bool {
    let marks = run(bytes, at);
    let mut rest = bytes[at + marks..].iter();
    marks >= 3 && (bytes[at] == b'~' || rest.find(|b| matches!(b, b'`' | b'\n')) != Some(&b'`'))
}

/// Behind a closing fence of at least `marks` of `mark` (and the blanks behind it), if the line holds nothing else from `at` on.
pub(super) fn closing_fence(bytes: &[u8], at: usize, mark: u8, marks: usize) -> Option<usize> {
    let found = bytes[at..].iter().take_while(|b| **b == mark).count();
    let behind = at + found + blanks(bytes, at + found);
    (found >= marks && is_end(bytes, behind)).then_some(behind)
}

/// Whether the rest of a line may be the delimiter row of a table, in a quote or not.
pub(super) fn may_delimit(bytes: &[u8], at: usize) -> bool {
    let mut dashes = false;
    for byte in &bytes[at..] {
        match byte {
            b'-' => dashes = true,
            b' ' | b'\t' | b'|' | b':' | b'>' => {}
            b'\n' | b'\r' => break,
            _ => return false,
        }
    }
    dashes
}
