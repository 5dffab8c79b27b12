//! Characters and lines.

use memchr::memchr2;
use unicode_segmentation::GraphemeCursor;

use crate::span::Span;

/// The byte order mark. In front of a text it counts as white space.
pub const BOM: char = '\u{feff}';

/// The table of a class of bytes.
#[must_use]
pub const fn class_of(bytes: &[u8]) -> [bool; 256] {
    let mut class = [false; 256];
    let mut at = 0;
    while at < bytes.len() {
        class[bytes[at] as usize] = true;
        at += 1;
    }
    class
}

/// A class with the bytes below the blank in it.
pub(crate) const fn with_controls(mut class: [bool; 256]) -> [bool; 256] {
    let mut byte = 0;
    while byte < b' ' as usize {
        class[byte] = true;
        byte += 1;
    }
    class
}

/// How many bytes stand in front of the first one of a class.
pub(crate) fn before_class(bytes: &[u8], class: &[bool; 256]) -> usize {
    let is_in = |byte: &u8| class[usize::from(*byte)];
    let (eights, _) = bytes.as_chunks::<8>();
    let without =
        8 * eights.iter().take_while(|eight| !eight.iter().fold(false, |any, byte| any | is_in(byte))).count();
    without + bytes[without..].iter().position(is_in).unwrap_or(bytes.len() - without)
}

/// Marks that should not begin a chunk.
#[must_use]
pub const fn is_closing(c: char) -> bool {
    matches!(
        c,
        '。' | '．'
            | '｡'
            | '，'
            | '、'
            | '！'
            | '？'
            | '；'
            | '：'
            | '）'
            | '］'
            | '｝'
            | '】'
            | '〕'
            | '〗'
            | '〉'
            | '》'
            | '」'
            | '』'
            | '”'
            | '’'
            | '…'
            | '.'
            | ','
            | '!'
            | '?'
            | ';'
            | ':'
            | ')'
            | ']'
            | '}'
    )
}

/// Whether the text at `at` begins with a closing mark (the mark of an image is none).
#[must_use]
#[inline]
pub fn begins_closing(text: &str, at: usize) -> bool {
    let is_none = |byte: &u8| byte.is_ascii_alphanumeric() || *byte <= b' ' || matches!(byte, 0xe4..=0xe9);
    !text.as_bytes().get(at).is_some_and(is_none) && is_closing_at(text, at)
}

fn is_closing_at(text: &str, at: usize) -> bool {
    char_at(text, at).is_some_and(is_closing) && !text[at..].starts_with("![")
}

/// Marks that should not end a chunk.
#[must_use]
pub const fn is_opening(c: char) -> bool {
    matches!(c, '（' | '［' | '｛' | '【' | '〔' | '〖' | '〈' | '《' | '「' | '『' | '“' | '‘' | '(' | '[' | '{')
}

/// Scripts that are written without blanks between words, with their punctuation.
#[must_use]
pub const fn is_cjk(c: char) -> bool {
    matches!(c as u32,
        0x1100..=0x11ff | 0x2e80..=0x303f | 0x3040..=0x33ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xa960..=0xa97f
        | 0xac00..=0xd7ff | 0xf900..=0xfaff | 0xfe30..=0xfe4f | 0xff00..=0xffef | 0x1f200..=0x1f2ff | 0x20000..=0x3ffff)
}

/// Whether no grapheme cluster of a span goes on at a place.
#[must_use]
pub fn is_cluster_start(text: &str, span: Span, place: usize) -> bool {
    let (bytes, start) = (text.as_bytes(), span.start as usize);
    // None goes on behind a line feed. Printable ASCII and Chinese characters go on nothing that is ASCII or Chinese.
    let is_plain = bytes[place - 1] == b'\n'
        || matches!(bytes[place], b' '..=b'~' | 0xe4..=0xe9)
            && (bytes[place - 1].is_ascii() || place >= start + 3 && matches!(bytes[place - 3], 0xe3..=0xe9 | 0xef));
    is_plain || is_cluster_boundary(&text[span.range()], place - start)
}

fn is_cluster_boundary(slice: &str, at: usize) -> bool {
    GraphemeCursor::new(at, slice.len(), true).is_boundary(slice, 0).unwrap_or(true)
}

/// Whether the text at `at` begins with three back-ticks or tildes, which would open a fence at a line's start.
#[must_use]
pub fn begins_fence(text: &str, at: usize) -> bool {
    let bytes = &text.as_bytes()[at..];
    bytes.starts_with(b"```") || bytes.starts_with(b"~~~")
}

/// The character in front of `at`.
#[must_use]
pub fn char_before(text: &str, at: usize) -> Option<char> {
    text[..at].chars().next_back()
}

/// The character at `at`.
#[must_use]
pub fn char_at(text: &str, at: usize) -> Option<char> {
    text[at..].chars().next()
}

/// `span` without white space at its end.
#[must_use]
#[inline]
pub fn trim_end(text: &str, span: Span) -> Span {
    match &text.as_bytes()[span.range()] {
        [.., last] if last.is_ascii_graphic() => span,
        [.., last, b'\n'] if last.is_ascii_graphic() => Span { end: span.end - 1, ..span },
        _ => without_white_end(text, span),
    }
}

fn without_white_end(text: &str, span: Span) -> Span {
    let bytes = text.as_bytes();
    let mut end = span.end;
    while end > span.start && matches!(bytes[end as usize - 1], b' ' | b'\n' | b'\r' | b'\t') {
        end -= 1;
    }
    // What ends in a byte beyond ASCII may be white space, but for Chinese characters and marks.
    let is_chinese = matches!(
        bytes[span.start as usize..end as usize],
        [.., 0xe4..=0xef, _, 0x80..=0xbf] | [.., 0xe3, _, 0x81..=0xbf]
    );
    if end == span.start || bytes[end as usize - 1].is_ascii_graphic() || is_chinese {
        return Span { start: span.start, end };
    }
    Span::new(span.start as usize, span.start as usize + text[span.range()].trim_end().len())
}

/// Whether there is nothing but white space (a byte order mark in front of the text included).
#[must_use]
#[inline]
pub fn is_blank(text: &str, span: Span) -> bool {
    let bytes = &text.as_bytes()[span.range()];
    match bytes {
        [] | b"\n" => true,
        [first, ..] if NEVER_WHITE[usize::from(*first)] => false,
        _ => {
            let odd = bytes.iter().find(|byte| !matches!(byte, b'\n' | b' '));
            odd.is_none_or(|byte| !NEVER_WHITE[usize::from(*byte)] && is_white(text, span))
        }
    }
}

/// Whether a span begins in the first column of a line with what is no white space, as one byte tells.
#[must_use]
#[inline]
pub(crate) fn begins_with_ink(text: &str, span: Span) -> bool {
    let bytes = text.as_bytes();
    let start = span.start as usize;
    !span.is_empty() && NEVER_WHITE[usize::from(bytes[start])] && (start == 0 || bytes[start - 1] == b'\n')
}

fn is_white(text: &str, span: Span) -> bool {
    let slice = &text[span.range()];
    let slice = if span.start == 0 { slice.strip_prefix(BOM).unwrap_or(slice) } else { slice };
    slice.chars().all(char::is_whitespace)
}

/// Bytes that a character begins with that is no white space (nor a byte order mark).
const NEVER_WHITE: [bool; 256] = {
    let mut never = [false; 256];
    let mut byte = 0_u8;
    while byte < u8::MAX {
        never[byte as usize] = matches!(byte, b'!'..=b'~' | 0xc3..=0xe0 | 0xe4..=0xee | 0xf0..);
        byte += 1;
    }
    never
};

/// The first position from `at` on that is not white space, at most `end`.
#[must_use]
#[inline]
pub fn skip_white(text: &str, at: usize, end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = at;
    while at < end && matches!(bytes[at], b' ' | b'\t'..=b'\r') {
        at += 1;
    }
    if at >= end || NEVER_WHITE[bytes[at] as usize] {
        return at;
    }
    let rest = &text[at..end];
    at + (rest.len() - rest.trim_start().len())
}

/// The start of the line that `at` is on, if there is nothing but `filler` between; else `at`.
#[must_use]
#[inline]
pub fn back_to_line_start(text: &str, at: usize, filler: fn(u8) -> bool) -> usize {
    if at == 0 || text.as_bytes()[at - 1] == b'\n' { at } else { behind_filler(text, at, filler) }
}

fn behind_filler(text: &str, at: usize, filler: fn(u8) -> bool) -> usize {
    let bytes = text.as_bytes();
    let mut start = at;
    while start > 0 && filler(bytes[start - 1]) {
        start -= 1;
    }
    if is_line_start(text, start) { start } else { at }
}

/// Whether a line begins at `at`.
#[must_use]
pub fn is_line_start(text: &str, at: usize) -> bool {
    if at == 0 || (at == BOM.len_utf8() && text.starts_with(BOM)) {
        return true;
    }
    match text.as_bytes()[at - 1] {
        b'\n' => true,
        b'\r' => text.as_bytes().get(at) != Some(&b'\n'),
        _ => false,
    }
}

/// Blank or tab.
#[must_use]
pub const fn is_indent(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Blank, tab or the mark of a quote.
#[must_use]
pub const fn is_quote_indent(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'>')
}

/// The end of the line that `at` is on: behind its line end, at most `end`.
#[must_use]
pub fn line_end(text: &str, at: usize, end: usize) -> usize {
    let bytes = &text.as_bytes()[..end];
    match memchr2(b'\n', b'\r', &bytes[at..]) {
        None => end,
        Some(offset) => {
            let found = at + offset;
            if bytes[found] == b'\r' && bytes.get(found + 1) == Some(&b'\n') { found + 2 } else { found + 1 }
        }
    }
}

/// The lines of a span, line ends included.
pub fn lines(text: &str, span: Span) -> impl Iterator<Item = Span> + '_ {
    let (mut at, end) = (span.start as usize, span.end as usize);
    std::iter::from_fn(move || {
        (at < end).then(|| {
            let next = line_end(text, at, end);
            let line = Span::new(at, next);
            at = next;
            line
        })
    })
}

/// A text with one blank for each run of white space.
#[must_use]
pub fn collapsed(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    collapse(text, &mut words, |_, _| {});
    words
}

/// Whether collapsing leaves nothing but a blank.
#[must_use]
pub fn is_collapsible(text: &str) -> bool {
    text.chars().all(is_collapsed)
}

/// Whether collapsing takes a character for white space.
#[must_use]
pub const fn is_collapsed(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\x1c'..='\x1f')
}

/// Appends a text with one blank for each run of white space. `shorter` is told each place from which on positions differ by more than before: in the copy (all of it), and in the text.
pub fn collapse(text: &str, copy: &mut String, mut shorter: impl FnMut(usize, usize)) {
    let bytes = text.as_bytes();
    let mut from = 0;
    // Behind the last run of white space; places in front of it are part of that.
    let mut behind = 0;
    let mut block = 0;
    while block < bytes.len() {
        let mut odd = odd_places(bytes, block);
        while odd != 0 {
            let found = block + odd.trailing_zeros() as usize;
            odd &= odd - 1;
            if found < behind {
                continue;
            }
            let Some(length) = white_at(text, found) else { continue };
            let mut end = found + length;
            while let Some(more) = white_at(text, end) {
                end += more;
            }
            if end > found + 1 || bytes[found] != b' ' {
                copy.push_str(&text[from..found]);
                copy.push(' ');
                from = end;
                if end > found + 1 {
                    shorter(copy.len(), end);
                }
            }
            behind = end;
        }
        block = (block + BLOCK).max(behind / BLOCK * BLOCK);
    }
    copy.push_str(&text[from..]);
}

/// Bytes that are looked at together.
const BLOCK: usize = 32;

/// The places in a block where white space may begin that is no single blank, one bit each. Most blocks are passed over without a branch for each byte.
fn odd_places(bytes: &[u8], at: usize) -> u32 {
    if let Some(block) = bytes[at..].first_chunk::<{ BLOCK + 2 }>() {
        let is_odd_at = |i: usize| is_odd(block[i], block[i + 1], block[i + 2]);
        if !(0..BLOCK).fold(false, |any, i| any | is_odd_at(i)) {
            return 0;
        }
        return (0..BLOCK).fold(0, |odd, i| odd | u32::from(is_odd_at(i)) << i);
    }
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(b' ');
    let last = BLOCK.min(bytes.len() - at);
    (0..last).fold(0, |odd, i| odd | u32::from(is_odd(bytes[at + i], byte(at + i + 1), byte(at + i + 2))) << i)
}

/// Whether white space may begin with these bytes that is no single blank.
#[expect(clippy::needless_bitwise_bool, reason = "without branches the compiler tests a block of bytes at once")]
const fn is_odd(a: u8, b: u8, c: u8) -> bool {
    (a < b' ')
        | ((a == b' ') & ((b <= b' ') | (b == 0xc2) | (b == 0xe1) | (b == 0xe2) | (b == 0xe3)))
        | ((a == 0xc2) & ((b == 0x85) | (b == 0xa0)))
        | ((a == 0xe1) & (b == 0x9a))
        | ((a == 0xe2) & ((b == 0x80) | (b == 0x81)))
        | ((a == 0xe3) & (b == 0x80) & (c == 0x80))
}

/// The length of the white space character that begins at a byte, if one does. Python's `str.split` takes separators of files, groups, records and units for white space too.
fn white_at(text: &str, at: usize) -> Option<usize> {
    match text.as_bytes().get(at)? {
        b' ' | b'\t'..=b'\r' | 0x1c..=0x1f => Some(1),
        0xc2 | 0xe1..=0xe3 => char_at(text, at).filter(|c| c.is_whitespace()).map(char::len_utf8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_each_kind_of_line_end() {
        let text = "a\nb\r\nc\rd\n\n\r\ne";
        let found: Vec<_> = lines(text, Span::new(0, text.len())).map(|l| &text[l.range()]).collect();
        assert_eq!(found, ["a\n", "b\r\n", "c\r", "d\n", "\n", "\r\n", "e"]);
    }

    #[test]
    fn white_space_collapses() {
        for text in ["", " ", "a b", " a  b\n\nc\u{3000}d\u{a0}\u{2003}e\u{301} f\r\n", "漢。字、「"] {
            let mut copy = String::from("x");
            let mut moves = Vec::new();
            collapse(text, &mut copy, |copied, at| moves.push((copied, at)));
            let mut expected: Vec<String> = text.split_whitespace().map(String::from).collect();
            if text.starts_with(char::is_whitespace) {
                expected.insert(0, String::new());
            }
            if text.ends_with(char::is_whitespace) && text.trim() != "" {
                expected.push(String::new());
            }
            let joined = if text == " " { " ".into() } else { expected.join(" ") };
            assert_eq!(&copy[1..], joined);
            for (copied, at) in moves {
                assert_eq!(copy[copied..].chars().next(), text[at..].chars().next());
            }
        }
    }

    #[test]
    fn line_starts() {
        let text = "\u{feff}  a\r\n >b";
        assert_eq!(back_to_line_start(text, 5, is_indent), 3);
        assert_eq!(back_to_line_start(text, 10, is_indent), 10);
        assert_eq!(back_to_line_start(text, 10, is_quote_indent), 8);
        assert!(!is_line_start(text, 7));
    }
}
