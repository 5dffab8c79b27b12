//! Raw nodes that are one block: a caption line and its table, an HTML table that the parser ends at a blank line.

use super::Raw;
use super::mask::Mask;
use crate::block::BlockKind;
use crate::pipe_row::{columns, is_delimiter};
use crate::span::Span;
use crate::text::{is_blank, lines, trim_end};

/// Joins them, in order.
pub(super) fn merge(text: &str, mask: &Mask<'_>, raws: Vec<Raw>) -> Vec<Raw> {
    let mut raws = split_hidden_tables(text, mask, raws);
    let may_join = |raw: &Raw| matches!(raw.kind, BlockKind::Table | BlockKind::Html);
    let Some(first) = raws.iter().position(may_join) else { return raws };
    let html_tables = HtmlTables::of(text, &raws[first..]);
    let (mut kept, mut covered) = (first, 0);
    for at in first..raws.len() {
        let mut raw = raws[at];
        if raw.span.start < covered {
            if let Some(table) = raws[..kept].last_mut() {
                table.span.end = table.span.end.max(raw.span.end);
                table.parts.end = table.parts.start;
            }
            continue;
        }
        if raw.kind == BlockKind::Html && begins_html_table(&text[raw.span.range()]) {
            raw.kind = BlockKind::Table;
            covered = html_tables.end(&raw);
        }
        if raw.kind == BlockKind::Table
            && covered <= raw.span.start
            && let Some(caption) = raws[..kept].last()
            && is_caption(text, mask, caption, &raw)
        {
            raw.span.start = caption.span.start;
            raw.parts.start = caption.parts.start;
            kept -= 1;
        }
        raws[kept] = raw;
        kept += 1;
    }
    raws.truncate(kept);
    raws
}

/// A table whose header row does not begin with a pipe may follow a line of text directly, which the parser does not see.
fn split_hidden_tables(text: &str, mask: &Mask<'_>, raws: Vec<Raw>) -> Vec<Raw> {
    if !mask.rows || !raws.iter().any(|raw| hidden_table(text, mask, raw).is_some()) {
        return raws;
    }
    let mut split = Vec::with_capacity(raws.len());
    for raw in raws {
        let Some(start) = hidden_table(text, mask, &raw) else {
            split.push(raw);
            continue;
        };
        let before = Span { start: raw.span.start, end: start };
        let rows = Span { start, end: raw.span.end };
        split.push(Raw { span: before, ..raw });
        split.push(Raw {
            kind: BlockKind::Table,
            span: rows,
            parts: Span { start: raw.parts.end, ..raw.parts },
            ..raw
        });
    }
    split
}

/// Where the header row of a table begins inside a paragraph.
fn hidden_table(text: &str, mask: &Mask<'_>, raw: &Raw) -> Option<u32> {
    if raw.kind != BlockKind::Paragraph
        || mask.bits.pipe(raw.span.start as usize, raw.span.end as usize).is_none()
        || !mask.formulas_in(raw.span).is_empty()
    {
        return None;
    }
    let mut rows = lines(text, raw.span).map(|line| (line, &text[line.range()]));
    rows.next()?;
    let (mut header, mut row) = rows.next()?;
    for (line, words) in rows {
        if is_delimiter(words) && row.contains('|') && columns(row) == columns(words) {
            return Some(header.start);
        }
        (header, row) = (line, words);
    }
    None
}

/// Whether an HTML block is a table.
pub(super) fn begins_html_table(html: &str) -> bool {
    let html = html.trim_start().as_bytes();
    html.len() >= 6
        && html[..6].eq_ignore_ascii_case(b"<table")
        && html.get(6).is_none_or(|b| !b.is_ascii_alphanumeric())
}

/// What tells where HTML tables end.
#[derive(Default)]
struct HtmlTables {
    /// Ends of all `</table`.
    closing: Vec<u32>,
    headings: Vec<u32>,
}

impl HtmlTables {
    fn of(text: &str, raws: &[Raw]) -> Self {
        let is_table = |raw: &Raw| raw.kind == BlockKind::Html && begins_html_table(&text[raw.span.range()]);
        if !raws.iter().any(is_table) {
            return Self::default();
        }
        let bytes = text.as_bytes();
        let closing = memchr::memmem::find_iter(bytes, "</")
            .filter(|at| bytes.get(at + 2..at + 7).is_some_and(|name| name.eq_ignore_ascii_case(b"table")))
            .map(|at| at as u32 + 7)
            .collect();
        let headings = raws.iter().filter(|raw| raw.kind == BlockKind::Heading).map(|raw| raw.span.start).collect();
        Self { closing, headings }
    }

    /// Up to where nodes belong to the HTML table `raw`: 0 if it is whole by itself or is never closed before the next heading.
    fn end(&self, raw: &Raw) -> u32 {
        let next = |of: &[u32]| of.get(of.partition_point(|at| *at <= raw.span.start)).copied();
        match (next(&self.closing), next(&self.headings)) {
            (Some(close), heading) if close > raw.span.end && heading.is_none_or(|at| at > close) => close,
            _ => 0,
        }
    }
}

fn is_caption(text: &str, mask: &Mask<'_>, caption: &Raw, table: &Raw) -> bool {
    let line = trim_end(text, caption.span);
    let gap = Span { start: line.end, end: table.span.start };
    caption.kind == BlockKind::Paragraph
        && caption.span.end <= table.span.start
        && is_blank(text, gap)
        && lines(text, gap).filter(|l| text[l.range()].ends_with(['\n', '\r'])).count() == 1
        && lines(text, line).count() == 1
        && mask.formulas_in(caption.span).is_empty()
        && !text[line.start as usize..gap.end as usize].contains('\x0c')
}
