//! The lines of a stretch: what each begins with, which belong together, which are headings by their number or brackets.

use super::forms::Form;
use super::marks::{Mark, mark, opening};
use super::titles::marked_title;
use crate::block::{Part, PartKind};
use crate::span::Span;
use crate::text::{is_indent, line_end, trim_end};

/// Whether a line of the same numbered form makes it an item of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Neighbour {
    None,
    Apart,
    /// Directly in front or behind.
    Adjoining,
}

/// What a line is to those around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Other,
    /// Indented below a list line.
    InList,
    /// A heading that is not of the colon form.
    Heading,
}

/// A line that is not blank, with the lines that belong to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Its first character that is not white space.
    pub(super) first: u32,
    /// Its end, trimmed.
    pub(super) end: u32,
    /// Columns of blanks and tabs in front (of absurd indentation, no more than fits).
    pub(super) indent: u16,
    pub(super) mark: Mark,
    /// A blank line stands in front.
    pub(super) after_blank: bool,
    /// Others belong to it.
    compound: bool,
    neighbour: Neighbour,
    role: Role,
}

impl Line {
    pub(super) fn seen<'t>(&self, text: &'t str) -> &'t str {
        &text[self.first as usize..self.end as usize]
    }

    /// Whether it is indented below a list line.
    pub(super) const fn is_in_list(&self) -> bool {
        matches!(self.role, Role::InList)
    }

    /// Whether it is a heading that is not of the colon form.
    pub(super) const fn is_marked_heading(&self) -> bool {
        matches!(self.role, Role::Heading)
    }

    pub(super) const fn is_list_line(&self) -> bool {
        !self.is_marked_heading()
            && match self.mark {
                Mark::Bullet | Mark::Number | Mark::Numbered(Form::Numeral | Form::Bracketed | Form::Arabic) => true,
                Mark::Numbered(_) => matches!(self.neighbour, Neighbour::Adjoining),
                _ => false,
            }
    }

    pub(super) const fn is_numbered_list_line(&self) -> bool {
        self.is_list_line() && !matches!(self.mark, Mark::Bullet)
    }

    /// Whether it may be a heading by its marker, as far as the lines around it go.
    const fn may_be_titled(&self) -> bool {
        matches!(self.mark, Mark::Numbered(_) | Mark::Lenticular)
            && matches!(self.neighbour, Neighbour::None)
            && self.is_free()
    }

    /// Whether it may be of the colon form, as far as its place in a list and others that belong to it go.
    pub(super) const fn is_free(&self) -> bool {
        !self.compound && !self.is_in_list()
    }
}

/// What lines are read from: a stretch.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
    pub(super) weak_headings: bool,
    /// Something that is no heading follows the stretch.
    pub(super) followed: bool,
}

impl Reading<'_> {
    /// Reads all lines. The parts of the stretch (those that matter here, in order) are `parts[part..]`.
    pub(super) fn lines(&self, parts: &[Part], part: usize, lines: &mut Vec<Line>) {
        lines.clear();
        split(self.text, self.span, parts, part, lines);
        join_neighbours(self.text, lines);
        self.settle(lines);
    }

    /// Tells which lines are headings and which stand inside a list.
    fn settle(&self, lines: &mut [Line]) {
        let mut list: Option<u16> = None;
        let last = lines.len().saturating_sub(1);
        for (at, line) in lines.iter_mut().enumerate() {
            if list.is_some_and(|least| line.indent > least) {
                line.role = Role::InList;
            } else if self.weak_headings
                && line.may_be_titled()
                && (at < last || self.followed || line.mark != Mark::Numbered(Form::Arabic))
                && marked_title(line.seen(self.text)).is_some()
            {
                line.role = Role::Heading;
            }
            if line.is_list_line() {
                list = Some(list.map_or(line.indent, |least| least.min(line.indent)));
            } else if !line.is_in_list() {
                list = None;
            }
        }
    }

    /// Whether a line has something below it.
    pub(super) fn is_followed(&self, at: usize, lines: &[Line]) -> bool {
        self.followed || at + 1 < lines.len()
    }
}

fn split(text: &str, span: Span, parts: &[Part], mut part: usize, lines: &mut Vec<Line>) {
    let (mut at, end) = (span.start as usize, span.end as usize);
    let mut after_blank = false;
    while at < end {
        let mut next = line_end(text, at, end);
        let (first, indent) = content(text, at, next);
        if first == next {
            after_blank = true;
            at = next;
            continue;
        }
        let in_part = parts.get(part).is_some_and(|p| p.kind != PartKind::Atom && p.span.start as usize <= first);
        let mut compound = false;
        while let Some(p) = parts.get(part).filter(|p| (p.span.start as usize) < next) {
            if p.span.end as usize > next {
                next = line_end(text, p.span.end as usize, end);
                compound = true;
            }
            part = p.next as usize;
        }
        let seen = trim_end(text, Span::new(first, next));
        match lines.last_mut() {
            Some(before) if in_part => {
                before.end = seen.end;
                before.compound = true;
            }
            _ => lines.push(Line {
                first: seen.start,
                end: seen.end,
                indent,
                mark: if in_part { Mark::Plain } else { mark(&text[seen.range()]) },
                after_blank,
                compound: compound || in_part,
                neighbour: Neighbour::None,
                role: Role::Other,
            }),
        }
        after_blank = false;
        at = next;
    }
}

/// Where a line's content begins (its end if it is blank), and the indentation in front.
fn content(text: &str, start: usize, end: usize) -> (usize, u16) {
    let bytes = text.as_bytes();
    let (mut at, mut columns) = (start, 0_u16);
    while at < end && is_indent(bytes[at]) {
        columns = if bytes[at] == b'\t' { (columns | 3).saturating_add(1) } else { columns.saturating_add(1) };
        at += 1;
    }
    if at < end && bytes[at].is_ascii_graphic() {
        return (at, columns);
    }
    let first = end - text[at..end].trim_start().len();
    (first, if first == at { columns } else { 0 })
}

/// Marks lines of the same numbered form that are items of one list.
///
/// A line that is looked past has more indentation than the lines that look past it, and those have different ones: so it is looked past
/// no more often than it is indented, and all is linear in the length of the text.
fn join_neighbours(text: &str, lines: &mut [Line]) {
    for at in 0..lines.len() {
        let Mark::Numbered(form) = lines[at].mark else { continue };
        let next = at + 1;
        if lines.get(next).is_some_and(|line| line.mark == lines[at].mark && !line.after_blank) {
            lines[at].neighbour = Neighbour::Adjoining;
            lines[next].neighbour = Neighbour::Adjoining;
        }
        let Some(other) = neighbour_apart(text, lines, at, form) else { continue };
        for at in [at, other] {
            if lines[at].neighbour == Neighbour::None {
                lines[at].neighbour = Neighbour::Apart;
            }
        }
    }
}

/// The line behind a numbered one that counts on, though blank lines or, for the arabic form, lines with more indentation stand between.
fn neighbour_apart(text: &str, lines: &[Line], at: usize, form: Form) -> Option<usize> {
    let (line, next) = (&lines[at], at + 1);
    let after_blank = lines.get(next)?.after_blank;
    let counts_on = |other: usize, or_equal: bool| {
        lines.get(other).filter(|other| other.mark == line.mark).is_some_and(|other| {
            let [before, number] = [line, other].map(|line| opening(line.seen(text)).numbers);
            number.follows(&before) || (or_equal && number == before)
        })
    };
    if after_blank && counts_on(next, false) {
        return Some(next);
    }
    if form != Form::Arabic {
        return None;
    }
    let other = next + lines[next..].iter().take_while(|other| other.indent > line.indent).count();
    ((after_blank || other > next) && counts_on(other, true)).then_some(other)
}
