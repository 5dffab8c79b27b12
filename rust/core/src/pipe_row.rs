//! Lines of pipe tables.

use crate::span::Span;
use crate::text::{is_blank, trim_end};

/// A line without the marks of the quote or list that the table may stand in.
#[must_use]
pub fn bare(line: &str) -> &str {
    line.trim_start_matches([' ', '\t', '>']).trim_end()
}

/// Whether a line reads as a delimiter row: cells of dashes with colons at their ends, and a pipe.
#[must_use]
pub fn is_delimiter(line: &str) -> bool {
    let line = bare(line);
    let cells = line.strip_prefix('|').unwrap_or(line);
    let cells = cells.strip_suffix('|').unwrap_or(cells);
    let is_cell = |cell: &str| {
        let cell = cell.trim();
        let dashes = cell.strip_prefix(':').unwrap_or(cell);
        let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
        !dashes.is_empty() && dashes.bytes().all(|b| b == b'-')
    };
    line.contains('|') && cells.split('|').all(is_cell)
}

/// Whether a row has an empty first cell and another one that is not.
#[must_use]
pub fn first_cell_is_empty(line: &str) -> bool {
    let Some(rest) = bare(line).strip_prefix('|') else { return false };
    let rest = rest.trim_start_matches([' ', '\t']);
    rest.strip_prefix('|').is_some_and(|cells| cells.contains(|c: char| c != '|' && !c.is_whitespace()))
}

/// How many cells a row has.
#[must_use]
pub fn columns(line: &str) -> usize {
    let line = bare(line);
    let inner = line.strip_prefix('|').unwrap_or(line);
    let mut escaped = false;
    let mut pipes = 0;
    for byte in inner.bytes() {
        pipes += usize::from(byte == b'|' && !escaped);
        escaped = byte == b'\\' && !escaped;
    }
    let last_is_open = !inner.ends_with('|') || inner.ends_with("\\|");
    pipes + usize::from(last_is_open)
}

/// The cells of a row: cut in front of each unescaped pipe but the first and the last of the line.
#[must_use]
pub fn cells(text: &str, row: Span) -> Vec<Span> {
    let source = &text[row.range()];
    let margin = source.len() - source.trim_start_matches([' ', '\t', '>']).len();
    let last = source.trim_end().len().saturating_sub(1);
    let bytes = source.as_bytes();
    let mut escaped = false;
    let mut start = 0;
    let mut found = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == b'|' && !escaped && at > margin && at < last {
            found.push((start, at));
            start = at;
        }
        escaped = *byte == b'\\' && !escaped;
    }
    found.push((start, source.len()));
    let spans = found.into_iter().map(|(from, to)| Span::new(row.start as usize + from, row.start as usize + to));
    spans.filter(|span| !is_blank(text, *span)).map(|span| trim_end(text, span)).collect()
}

#[cfg(test)]
mod tests {
    use super::{cells, columns, first_cell_is_empty, is_delimiter};
    use crate::span::Span;

    #[test]
    fn delimiters() {
        for (line, expected) in [
            ("|---|:-:|", true),
            ("--|--", true),
            ("> | - |", true),
            ("---", false),
            ("|  |", false),
            ("| a |---|", false),
            ("|-:-|", false),
            ("", false),
        ] {
            assert_eq!(is_delimiter(line), expected, "{line}");
        }
    }

    #[test]
    fn columns_are_counted() {
        for (row, expected) in [("a | b", 2), ("| a | b |", 2), ("a", 1), ("| a \\| b |", 1), ("|a||", 2)] {
            assert_eq!(columns(row), expected, "{row}");
        }
    }

    #[test]
    fn secondary_headers() {
        assert!(first_cell_is_empty("| | EN-DE | EN-FR |"));
        assert!(first_cell_is_empty("||a|"));
        assert!(!first_cell_is_empty("| a | |"));
        assert!(!first_cell_is_empty("| | |"));
    }

    #[test]
    fn cells_keep_escaped_pipes() {
        for (row, expected) in [
            ("| a \\| b | c |", vec!["| a \\| b", "| c |"]),
            ("a | b", vec!["a", "| b"]),
            ("| a\\\\| b |", vec!["| a\\\\", "| b |"]),
            ("|", vec!["|"]),
        ] {
            let found: Vec<_> = cells(row, Span::new(0, row.len())).iter().map(|s| &row[s.range()]).collect();
            assert_eq!(found, expected, "{row}");
        }
    }
}
