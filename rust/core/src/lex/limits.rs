//! What costs the parser more time than it has bytes: containers nested deeply, and tables whose rows lack many cells.
//!
//! The parser looks at each open container once a line, and makes a cell for each one that a row lacks: up to a limit, behind which it takes all the
//! rest of the text for the table's. Both are told from the lines alone, which may take more for such than is. That does not
//! matter: it takes more than any document has.

use memchr::{memchr_iter, memmem, memrchr};

use super::bits::{Bits, next_line};
use super::mask::Cover;
use crate::span::Span;
use crate::text::class_of;

/// The byte of a line from which on no mark of a container counts. A tab in front of a list item stands for two levels and a level of lists for
/// two nodes of the parser, so that at most four times as many are open: half a million short lines cost 0.2 s. Real documents
/// have no use for a quarter of it.
const REACH: usize = 128;
/// Makes text of what it stands in front of: no white space, no punctuation, no letter, and not in any text.
const SUBSTITUTE: &str = "\u{1a}";
/// How many cells the rows of all tables may lack, which is what the parser takes for one. A cell costs it 0.1 µs.
const MOST_LACKING: usize = 1 << 18;
/// The same for each byte, for many small texts.
const LACKING_PER_BYTE: usize = 4;

/// What to hide from the parser from `start` on, in order. Lines end in line feeds.
/// Also whether there may be a delimiter row of a table.
pub(super) fn covers(text: &str, bits: &Bits, start: usize) -> (Vec<Cover>, bool) {
    let (mut covers, rows) = wide_tables(text.as_bytes(), bits, start, MOST_LACKING.min(text.len() * LACKING_PER_BYTE));
    let deep = deep_marks(text.as_bytes(), start, bits.footnotes);
    covers.extend(deep.into_iter().map(substitute));
    (in_order(covers), rows)
}

fn substitute(at: usize) -> Cover {
    Cover::letters(Span::new(at, at + 1), SUBSTITUTE)
}

/// Sorted, without those that begin in another one.
fn in_order(mut covers: Vec<Cover>) -> Vec<Cover> {
    covers.sort_by_key(|cover| cover.span.start);
    let mut behind = 0;
    covers.retain(|cover| {
        let stays = cover.span.start >= behind;
        behind = behind.max(cover.span.end);
        stays
    });
    covers
}

/// The first mark of a container from byte 128 of its line on, for each line that has nothing but such marks in front of it.
fn deep_marks(bytes: &[u8], start: usize, footnotes: bool) -> Vec<usize> {
    let mut marks: Vec<usize> =
        long_runs(bytes, start).into_iter().filter_map(|line| deep_mark(&bytes[line..], line)).collect();
    let mut behind = start;
    // What stands in the label of a footnote is no such run.
    let labels = footnotes.then(|| memmem::find_iter(&bytes[start..], b"[^").map(|at| start + at));
    for label in labels.into_iter().flatten() {
        if label >= behind {
            let line = line_start(bytes, behind, label);
            marks.extend(deep_mark(&bytes[line..], line));
            behind = next_line(bytes, label);
        }
    }
    marks.sort_unstable();
    marks.dedup();
    marks
}

/// The starts of lines that begin with 128 bytes that marks of containers are made of. One of those bytes is looked at in any case, and few others
/// where there are none.
fn long_runs(bytes: &[u8], start: usize) -> Vec<usize> {
    let is_in_run = |at: usize| IS_IN_RUN[bytes[at] as usize];
    let begins = |at: usize| at == start || bytes[at - 1] == b'\n';
    let probes = (start..bytes.len()).step_by(REACH);
    let found = probes.filter(|at| is_in_run(*at) && (begins(*at) || is_in_run(at - 1)));
    found.filter_map(|at| line_of_run(bytes, start, at)).collect()
}

/// The start of the line of `at`, if there are only such bytes in between, and not too many.
fn line_of_run(bytes: &[u8], start: usize, at: usize) -> Option<usize> {
    let reach = &bytes[(at + 1).saturating_sub(REACH).max(start)..=at];
    let line = at + 1 - reach.iter().rev().take_while(|b| IS_IN_RUN[**b as usize]).count();
    (line == start || bytes[line - 1] == b'\n').then_some(line)
}

const IS_IN_RUN: [bool; 256] = class_of(b" \t\x0b>-+*.)0123456789");

fn deep_mark(rest: &[u8], line: usize) -> Option<usize> {
    let (at, _) = marks(rest).find(|(at, _)| *at >= REACH)?;
    (!is_in_rule(rest, at)).then_some(line + at)
}

/// The marks of containers that a line begins with: where they begin and end.
fn marks(line: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut end = 0;
    std::iter::from_fn(move || {
        let at = end + line[end..].iter().take_while(|b| matches!(b, b' ' | b'\t' | 0x0b)).count();
        end = at + mark_len(&line[at..])?;
        Some((at, end))
    })
}

/// The length of the mark of a quote, list item or footnote that stands here.
fn mark_len(rest: &[u8]) -> Option<usize> {
    let digits = rest.iter().take(10).take_while(|b| b.is_ascii_digit()).count();
    let mark = match (rest.get(digits)?, digits) {
        (b'>', 0) => return Some(1),
        (b'[', 0) => return label_len(rest),
        (b'-' | b'+' | b'*', 0) => 1,
        (b'.' | b')', 1..=9) => digits + 1,
        _ => return None,
    };
    matches!(rest.get(mark), None | Some(b' ' | b'\t' | b'\r' | b'\n')).then_some(mark)
}

/// `[^label]:`
fn label_len(rest: &[u8]) -> Option<usize> {
    let mut at = rest.starts_with(b"[^").then_some(2)?;
    loop {
        match rest.get(at)? {
            b']' => return (rest.get(at + 1) == Some(&b':')).then_some(at + 2),
            b'[' | b'\n' => return None,
            b'\\' if rest.get(at + 1) != Some(&b'\n') => at += 2,
            _ => at += 1,
        }
    }
}

/// Whether the rest of the line belongs to a thematic break, which may be as long as it likes.
fn is_in_rule(line: &[u8], at: usize) -> bool {
    let mark = line[at];
    let of_rule = |b: &&u8| **b == mark || matches!(b, b' ' | b'\t');
    let rest = line[at..].iter().take_while(of_rule).count();
    let count = |bytes: &[u8]| memchr_iter(mark, bytes).count();
    let before = line[..at].iter().rev().take_while(of_rule).count();
    matches!(mark, b'-' | b'*')
        && matches!(line.get(at + rest), None | Some(b'\r' | b'\n'))
        && count(&line[at - before..at + rest]) >= 3
}

/// Makes rows of one cell of the header and delimiter rows where too many cells are lacking. Where the row above does not begin with a pipe (it may
/// be no header), the delimiter row becomes text. Also whether there may be any such row.
fn wide_tables(bytes: &[u8], bits: &Bits, start: usize, most: usize) -> (Vec<Cover>, bool) {
    let (mut covers, mut rows, mut lacking, mut at) = (Vec::new(), false, 0, start);
    while let Some(pipe) = bits.pipe(at, bytes.len()) {
        let next = bits.next_line(pipe);
        // What follows the first pipe mostly tells.
        let behind = bytes[pipe + 1..next].iter().find(|b| **b != b' ');
        if behind.is_some_and(|b| !may_be_delimiters(*b)) {
            at = next;
            continue;
        }
        let line = Span::new(line_start(bytes, at, pipe), next);
        rows |= bytes[line.range()].iter().all(|b| may_be_delimiters(*b));
        if delimiter_cells(&bytes[content(bytes, line).range()]) < 2 {
            at = next;
            continue;
        }
        let stretch = Stretch::of(bytes, line.start as usize);
        at = stretch.end;
        if lacking + stretch.lacking <= most {
            lacking += stretch.lacking;
            continue;
        }
        for row in stretch.delimiters {
            let header = line_start(bytes, start, (row.start as usize).saturating_sub(1).max(start));
            covers.extend(narrowed(bytes, Span::new(header, row.start as usize), content(bytes, row)));
        }
    }
    (covers, rows)
}

/// Whether a byte may stand on the line of a delimiter row, in a quote too; white space is of any kind.
const fn may_be_delimiters(byte: u8) -> bool {
    !byte.is_ascii_graphic() || matches!(byte, b'|' | b':' | b'-' | b'>')
}

/// What hides all cells but one of a table with this delimiter row.
fn narrowed(bytes: &[u8], above: Span, row: Span) -> Vec<Cover> {
    let prefix = marks(&bytes[above.range()]).last().map_or(0, |(_, end)| end);
    let header = content(bytes, Span { start: above.start + prefix as u32, ..above });
    let words = &bytes[header.range()];
    if words.starts_with(b"|") && cells(words) == delimiter_cells(&bytes[row.range()]) {
        [(header, "x"), (row, "-")].map(|(span, rest)| Cover { first: "|", ..Cover::letters(span, rest) }).to_vec()
    } else {
        vec![substitute(row.start as usize)]
    }
}

/// Lines from a delimiter row up to a blank line.
struct Stretch {
    /// Lines that read as delimiter rows.
    delimiters: Vec<Span>,
    /// How many cells the lines lack at most: whichever of the delimiter rows is one, each line may be a row of the widest so far.
    lacking: usize,
    end: usize,
}

impl Stretch {
    fn of(bytes: &[u8], start: usize) -> Self {
        let mut stretch = Self { delimiters: Vec::new(), lacking: 0, end: start };
        let mut widest = 0;
        while stretch.end < bytes.len() {
            let line = Span::new(stretch.end, next_line(bytes, stretch.end));
            let row = &bytes[content(bytes, line).range()];
            if row.is_empty() {
                break;
            }
            let delimits = delimiter_cells(row);
            if delimits > 1 {
                stretch.delimiters.push(line);
                widest = widest.max(delimits);
            }
            stretch.lacking += widest.saturating_sub(cells(row));
            stretch.end = line.end as usize;
        }
        stretch
    }
}

/// A line without white space at its ends and the marks of quotes.
fn content(bytes: &[u8], line: Span) -> Span {
    let (start, end) = (line.start as usize, line.end as usize);
    let white = |b: &&u8| matches!(b, b' ' | b'\t' | 0x0b | b'\r' | b'\n');
    let end = end - bytes[start..end].iter().rev().take_while(white).count();
    Span::new(start + bytes[start..end].iter().take_while(|b| white(b) || **b == b'>').count(), end)
}

/// How many cells a row has, at least: a backslash in front of a pipe hides it.
fn cells(row: &[u8]) -> usize {
    memchr_iter(b'|', row).filter(|at| *at > 0 && at + 1 < row.len() && row[at - 1] != b'\\').count() + 1
}

/// How many cells a delimiter row has; none if the line is no such row.
fn delimiter_cells(row: &[u8]) -> usize {
    if !row.iter().all(|b| matches!(b, b' ' | b'|' | b':' | b'-')) {
        return 0;
    }
    let inner = row.strip_prefix(b"|").unwrap_or(row);
    let inner = inner.strip_suffix(b"|").unwrap_or(inner);
    let is_cell = |cell: &[u8]| cell.iter().any(|b| *b != b' ');
    if inner.split(|b| *b == b'|').all(is_cell) { cells(row) } else { 0 }
}

/// Where the line begins that `at` is on, at least `from`.
fn line_start(bytes: &[u8], from: usize, at: usize) -> usize {
    from + memrchr(b'\n', &bytes[from..at]).map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::{Bits, Cover, deep_marks, wide_tables};

    #[test]
    fn deep_marks_are_found() {
        let blanks = " ".repeat(128);
        let after = |marks: &str| format!("{blanks}{marks}");
        for (text, expected) in [
            (after("> a"), Some(128)),
            (after("> a")[1..].to_owned(), None),
            (after("-"), Some(128)),
            (after("-a"), None),
            (after("+\ta"), Some(128)),
            (after("123456789) a"), Some(128)),
            (after("1234567890) a"), None),
            (after("a > b"), None),
            (after("[^a]: b"), Some(128)),
            (after("[^a] b"), None),
            (format!("a\n{blanks}>\r\nb"), Some(130)),
            (format!("{}\n{}", &blanks[1..], "> a"), None),
            (">".repeat(200), Some(128)),
            ("> 1. \x0b".repeat(30), Some(128)),
            (format!("[^{}\\]\\\\]: > b", "中".repeat(41)), Some(132)),
            (format!("a [^b]\n[^{}]: [c", "d".repeat(200)), None),
            // Thematic breaks.
            ("- ".repeat(65), None),
            (format!("{}\r\n", "* ".repeat(65)), None),
            ("- ".repeat(65) + "a", Some(128)),
            ("+ ".repeat(65), Some(128)),
            (after("- - -"), None),
            (after("- -"), Some(128)),
            (after("- * -"), Some(128)),
        ] {
            assert_eq!(deep_marks(text.as_bytes(), 0, true), Vec::from_iter(expected), "{text:?}");
        }
    }

    fn hidden(text: &str, most: usize) -> String {
        let mut hidden = text.to_owned();
        for Cover { span, first, rest } in
            super::in_order(wide_tables(text.as_bytes(), &Bits::of(text.as_bytes()), 0, most).0)
        {
            hidden.replace_range(span.range(), &format!("{first}{}", rest.repeat(span.len() - 1)));
        }
        hidden
    }

    #[test]
    fn tables_are_narrowed() {
        for (text, most, expected) in [
            ("|a|b|\n|-|-|\n|x|\n", 1, "|a|b|\n|-|-|\n|x|\n"),
            ("|a|b|\n|-|-|\n|x|\n", 0, "|xxxx\n|----\n|x|\n"),
            ("|a|b|\n|-|-|\n|x|y|\n", 0, "|a|b|\n|-|-|\n|x|y|\n"),
            ("- |中| \r\n  |:-:|-| \r\nx\\|y\r\n", 0, "- |中| \r\n  \u{1a}:-:|-| \r\nx\\|y\r\n"),
            ("1) |中|b| \r\n  |:-:|-| \r\nx\\|y\r\n", 0, "1) |xxxxxx \r\n  |------ \r\nx\\|y\r\n"),
            ("> a|b\n> -|-\n> x\n>\n> y", 0, "> a|b\n> \u{1a}|-\n> x\n>\n> y"),
            // What follows a table that is narrowed may still be one, and what is lacking in it does not count.
            ("|a|b|\n|-|-|\nx\ny\n\n|a|b|\n|-|-|\nx\n", 1, "|xxxx\n|----\nx\ny\n\n|a|b|\n|-|-|\nx\n"),
            ("|a|b|\n|-|-|\nx\n\n|a|b|\n|-|-|\nx\n", 1, "|a|b|\n|-|-|\nx\n\n|xxxx\n|----\nx\n"),
            // Lines that read as delimiter rows in the rows of what may be no table.
            ("-|-\n# h\n|a|b|c|\n|-|-|-|\nx", 2, "\u{1a}|-\n# h\n|xxxxxx\n|------\nx"),
            ("|-|-|\n|-|-|\nx", 0, "\u{1a}-|-|\n|----\nx"),
            ("|-|-|", 0, "|-|-|"),
        ] {
            assert_eq!(hidden(text, most), expected, "{text:?}");
        }
    }
}
