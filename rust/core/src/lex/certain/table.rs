//! Tables that are certain.

use memchr::{memchr, memchr_iter, memchr2, memmem};

use super::blocks::{Blocks, NodeKind};
use super::html::Html;
use super::lines::{Begin, begin, blanks, is_end, may_delimit, skip_blanks, trimmed};
use crate::block::PartKind;
use crate::lex::bits::next_line;
use crate::span::Span;

/// The parser stops filling up rows at some number of cells; such tables are left to it.
const MOST_CELLS: usize = 1 << 16;

/// What a line may be to a table.
pub(super) enum Row {
    /// Its content, which begins there, may be a row.
    At(usize),
    /// It is outside of the table's container.
    None,
}

/// Reads the table at top level whose header row begins at `at`; where it ends, if it is certain.
pub(super) fn top_level(blocks: &mut Blocks<'_>, at: usize) -> Option<usize> {
    let bytes = blocks.bytes();
    let columns = head_columns(bytes, at)?;
    blocks.node(NodeKind::Table, at, at);
    let node = blocks.nodes.len() - 1;
    let head = Span::new(at, blocks.next_line(at));
    let body = blocks.next_line(head.end as usize);
    let end = read(blocks, head, body, columns, |_, at| Some(Row::At(skip_blanks(bytes, at))))?;
    blocks.nodes[node].span.end = end as u32;
    blocks.nodes[node].parts.end = blocks.parts.len() as u32;
    Some(end)
}

/// Reads the rows of a table: its header row and those from `body` on. `row` tells what the line at some place is, if that is certain. Where the table
/// ends, if it is certain.
pub(super) fn read(
    blocks: &mut Blocks<'_>,
    head: Span,
    body: usize,
    columns: usize,
    row: impl Fn(&Blocks<'_>, usize) -> Option<Row>,
) -> Option<usize> {
    let bytes = blocks.bytes();
    let part = blocks.open(PartKind::Head, head.start as usize);
    blocks.close(part, head.end as usize);
    let (mut line, mut rows) = (body, 1);
    while let Row::At(content) = row(blocks, line)? {
        if ends_before(blocks, content)? {
            break;
        }
        let next = blocks.next_line(content);
        rows += 1;
        if !is_row(&bytes[content..next]) || rows * columns > MOST_CELLS {
            return None;
        }
        let part = blocks.open(PartKind::Row, content);
        blocks.close(part, next);
        line = next;
    }
    Some(line)
}

/// Whether a table is over in front of this content of a line; none if that is not certain.
fn ends_before(blocks: &Blocks<'_>, at: usize) -> Option<bool> {
    let bytes = blocks.bytes();
    match begin(bytes, at) {
        _ if is_end(bytes, skip_blanks(bytes, at)) => Some(true),
        Begin::Text | Begin::Bracket | Begin::Pipe => Some(false),
        Begin::Html => match blocks.html_kind(at) {
            Html::Text | Html::Tag => Some(false),
            Html::Block | Html::Comment => Some(true),
            Html::Other => None,
        },
        Begin::Heading(_) | Begin::Fence | Begin::Rule | Begin::Quote | Begin::Marker(_) | Begin::Dashes(3..) => {
            Some(true)
        }
        _ => None,
    }
}

/// How many columns a table at top level has whose header row begins at `at`, if it is certain that one begins there.
pub(super) fn head_columns(bytes: &[u8], at: usize) -> Option<usize> {
    let next = next_line(bytes, at);
    let indent = blanks(bytes, next);
    if indent < 4 { columns(bytes, Span::new(at, next), next + indent) } else { None }
}

/// How many columns a table has with this header row, if it is certain that what begins at `delimiters` makes one of it.
pub(super) fn columns(bytes: &[u8], head: Span, delimiters: usize) -> Option<usize> {
    if delimiters == bytes.len() || !may_delimit(bytes, delimiters) {
        return None;
    }
    let columns = cell_count(&bytes[head.range()])?;
    (delimited(&bytes[delimiters..next_line(bytes, delimiters)]) == Some(columns)).then_some(columns)
}

/// How many cells a header row has, if it may be one.
pub(super) fn cell_count(head: &[u8]) -> Option<usize> {
    let head = trimmed(head);
    let pipes = memchr_iter(b'|', head).count();
    let is_odd = head.ends_with(b"\\") || memmem::find(head, b"\\|").is_some();
    if pipes == 0 || is_odd || !is_row(head) {
        return None;
    }
    Some(pipes + 1 - usize::from(head[0] == b'|') - usize::from(head[head.len() - 1] == b'|'))
}

/// How many cells a delimiter row has. The parser takes no tabs in one, not even at its end.
fn delimited(row: &[u8]) -> Option<usize> {
    if memchr(b'|', row).is_none() || memchr2(b'\t', b'>', row).is_some() {
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
        let close =
            memchr_iter(b'|', &bytes[start..end]).map(|pipe| start + pipe).find(|pipe| bytes[pipe - 1] != b'\\');
        let close = close.unwrap_or(end);
        at = close + 1;
        Some(Span::new(start, start + trimmed(&bytes[start..close]).len()))
    })
}
