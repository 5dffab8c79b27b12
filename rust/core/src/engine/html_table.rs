//! HTML tables: where the head ends and the rows are.

use memchr::memchr_iter;

use crate::span::Span;

/// A tag of a table, of interest for its layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tag {
    Table,
    EndTable,
    EndHead,
    Body,
    EndBody,
    Row,
    HeaderCell,
}

/// Rows, what to repeat, and what closes a piece; none if the text is no HTML table or has no rows.
pub(super) fn html_grid(text: &str, span: Span) -> Option<(Vec<Span>, Span, &'static str)> {
    let tags = tags(text, span);
    if tags.first()?.1 != Tag::Table {
        return None;
    }
    let head_end = tags.iter().find(|(_, tag)| *tag == Tag::EndHead).map(|(at, _)| *at);
    let starts: Vec<u32> = tags.iter().filter(|(_, tag)| *tag == Tag::Row).map(|(at, _)| *at).collect();
    let first = match head_end {
        Some(end) => starts.iter().position(|at| *at > end)?,
        None => usize::from(first_row_is_header(&tags, &starts)),
    };
    let starts = starts.get(first..).filter(|starts| !starts.is_empty())?;
    let rows =
        starts.iter().zip(starts[1..].iter().chain([&span.end])).map(|(from, to)| Span { start: *from, end: *to });
    let head = Span { start: span.start, end: starts[0] };
    let body_is_open = tags.iter().rfind(|(at, tag)| *at < head.end && matches!(tag, Tag::Body | Tag::EndBody));
    let closing =
        if body_is_open.is_some_and(|(_, tag)| *tag == Tag::Body) { "\n</tbody></table>" } else { "\n</table>" };
    Some((rows.collect(), head, closing))
}

fn first_row_is_header(tags: &[(u32, Tag)], starts: &[u32]) -> bool {
    let [first, second, ..] = starts else { return false };
    tags.iter().any(|(at, tag)| *tag == Tag::HeaderCell && first < at && at < second)
}

/// The tags of the outermost table, in order.
fn tags(text: &str, span: Span) -> Vec<(u32, Tag)> {
    let bytes = &text.as_bytes()[span.range()];
    let mut depth = 0usize;
    let mut found = Vec::new();
    for at in memchr_iter(b'<', bytes) {
        let Some(tag) = tag_at(&bytes[at + 1..]) else { continue };
        if tag == Tag::Table {
            depth += 1;
        }
        if depth == 1 {
            found.push((span.start + at as u32, tag));
        }
        if tag == Tag::EndTable {
            depth = depth.saturating_sub(1);
        }
    }
    found
}

fn tag_at(bytes: &[u8]) -> Option<Tag> {
    const TAGS: [(&[u8], Tag); 7] = [
        (b"table", Tag::Table),
        (b"/table", Tag::EndTable),
        (b"/thead", Tag::EndHead),
        (b"tbody", Tag::Body),
        (b"/tbody", Tag::EndBody),
        (b"tr", Tag::Row),
        (b"th", Tag::HeaderCell),
    ];
    let is = |name: &[u8]| {
        bytes.len() >= name.len()
            && bytes[..name.len()].eq_ignore_ascii_case(name)
            && bytes.get(name.len()).is_none_or(|b| !b.is_ascii_alphanumeric())
    };
    TAGS.iter().find(|(name, _)| is(name)).map(|(_, tag)| *tag)
}

#[cfg(test)]
mod tests {
    use super::html_grid;
    use crate::span::Span;

    #[test]
    fn layouts() {
        for (html, expected) in [
            (
                "<table><tr><th>a</th></tr><tr><td>b</td></tr><tr><td>c</td></tr></table>",
                Some((2, "<table><tr><th>a</th></tr>", "\n</table>")),
            ),
            (
                "<TABLE>\n<thead><tr></tr></thead>\n<tbody>\n<tr>1</tr></tbody></TABLE>",
                Some((1, "<TABLE>\n<thead><tr></tr></thead>\n<tbody>\n", "\n</tbody></table>")),
            ),
            ("<table><tr><td><table><tr></tr></table></td></tr></table>", Some((1, "<table>", "\n</table>"))),
            ("<table></table>", None),
            ("| a |", None),
        ] {
            let found = html_grid(html, Span::new(0, html.len()));
            let found = found.map(|(rows, head, close)| (rows.len(), &html[head.range()], close));
            assert_eq!(found, expected, "{html}");
        }
    }
}
