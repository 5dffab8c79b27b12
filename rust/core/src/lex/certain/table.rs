//! Tables that are certain: at top level, each row in the first column, no backslash in the header row.

use memchr::{memchr, memchr_iter};

use super::blocks::{Blocks, NodeKind, is_address};
use super::lines::{Begin, begin, is_end, may_delimit, skip_blanks, trimmed};
use crate::block::PartKind;
use crate::lex::bits::next_line;
use crate::span::Span;

/// The parser stops filling up rows at some number of cells; such tables are left to it.
const MOST_CELLS: usize = 1 << 16;

/// Reads the table whose header row is the line at `at`; where it ends, if it is certain.
pub(super) fn read(blocks: &mut Blocks<'_>, at: usize) -> Option<usize> {
    let bytes = blocks.bytes();
    let columns = head_columns(bytes, at)?;
    blocks.node(NodeKind::Table, at, at);
    let node = blocks.nodes.len() - 1;
    let body = next_line(bytes, at);
    let head = blocks.open(PartKind::Head, at);
    blocks.close(head, body);
    let mut line = next_line(bytes, body);
    let mut rows = 1;
    while !ends_before(bytes, line)? {
        let next = next_line(bytes, line);
        rows += 1;
        if !is_row(&bytes[line..next]) || rows * columns > MOST_CELLS {
            return None;
        }
        let row = blocks.open(PartKind::Row, line);
        blocks.close(row, next);
        line = next;
    }
    blocks.nodes[node].span.end = line as u32;
    blocks.nodes[node].parts.end = blocks.parts.len() as u32;
    Some(line)
}

/// Whether a table is over in front of the line at `at`; none if that is not certain.
fn ends_before(bytes: &[u8], at: usize) -> Option<bool> {
    match begin(bytes, at) {
        _ if is_end(bytes, skip_blanks(bytes, at)) => Some(true),
        Begin::Text | Begin::Bracket | Begin::Pipe => Some(false),
        Begin::Html if is_address(bytes, at) => Some(false),
        Begin::Heading(_) | Begin::Fence | Begin::Rule | Begin::Quote | Begin::Marker(_) | Begin::Dashes(3..) => {
            Some(true)
        }
        _ => None,
    }
}

/// How many columns a table has whose header row is the line at `at`, if it is certain that one begins there.
pub(super) fn head_columns(bytes: &[u8], at: usize) -> Option<usize> {
    let body = next_line(bytes, at);
    if body == bytes.len() || !may_delimit(bytes, body) || matches!(bytes[body], b' ' | b'\t') {
        return None;
    }
    let head = trimmed(&bytes[at..body]);
    let pipes = memchr_iter(b'|', head).count();
    if pipes == 0 || !is_row(head) || memchr(b'\\', head).is_some() {
        return None;
    }
    let columns = pipes + 1 - usize::from(head[0] == b'|') - usize::from(head[head.len() - 1] == b'|');
    (delimited(&bytes[body..next_line(bytes, body)]) == Some(columns)).then_some(columns)
}

/// How many cells a delimiter row has. The parser takes no tabs in one, not even at its end.
fn delimited(row: &[u8]) -> Option<usize> {
    if memchr(b'|', row).is_none() || memchr(b'\t', row).is_some() {
        return None;
    }
    let row = trimmed(row);
    let inner = row.strip_prefix(b"|").unwrap_or(row);
    let inner = inner.strip_suffix(b"|").unwrap_or(inner);
    let mut cells = inner.split(|b| *b == b'|');
    cells.all(|cell| cell.contains(&b'-')).then(|| memchr_iter(b'|', inner).count() + 1)
}

/// Whether a line has cells.
fn is_row(line: &[u8]) -> bool {
    line.iter().any(|b| !matches!(b, b'|' | b' ' | b'\t' | b'\r' | b'\n'))
}

/// What the cells of a row hold, without blanks around it; empty ones too.
pub(super) fn cells(bytes: &[u8], row: Span) -> impl Iterator<Item = Span> + '_ {
    let end = row.start as usize + trimmed(&bytes[row.range()]).len();
    let mut at = row.start as usize + usize::from(bytes[row.start as usize] == b'|');
    std::iter::from_fn(move || {
        let start = skip_blanks(bytes, at);
        if start >= end {
            return None;
        }
        // One backslash hides a pipe, and so do two.
        let close = memchr_iter(b'|', &bytes[start..end]).map(|pipe| start + pipe).find(|pipe| bytes[pipe - 1] != b'\\');
        let close = close.unwrap_or(end);
        at = close + 1;
        Some(Span::new(start, start + trimmed(&bytes[start..close]).len()))
    })
}
