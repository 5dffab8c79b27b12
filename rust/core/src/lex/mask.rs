//! A copy of the text, equal in length, that a CommonMark parser reads the way we mean it.

use std::borrow::Cow;

use memchr::{memchr_iter, memchr2_iter, memmem};

use super::bits::Bits;
use super::limits;
use crate::span::Span;
use crate::text::{BOM, is_quote_indent, line_end, lines};

/// What the parser gets, and what was hidden from it.
pub(super) struct Mask<'t> {
    /// The text to parse; positions are those of the source.
    pub(super) text: Cow<'t, str>,
    /// Where parsing begins: behind a byte order mark and front matter.
    pub(super) start: usize,
    /// Front matter with its marks.
    pub(super) front_matter: Option<Span>,
    /// Display formulas, marks included, in order.
    pub(super) formulas: Vec<Span>,
    /// Form feeds, in order.
    pub(super) feeds: Vec<u32>,
    /// Whether any line may be a delimiter row of a table.
    pub(super) rows: bool,
    /// What the text to parse holds.
    pub(super) bits: Bits,
}

impl<'t> Mask<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let bom = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
        let front_matter = front_matter(text, bom);
        let start = front_matter.map_or(bom, |span| span.end as usize);
        let bits = Bits::of(text.as_bytes());
        let (feeds, lone_return) = if bits.odd { odd_line_ends(text, start) } else { (Vec::new(), false) };
        let formulas = if bits.formulas && has_formula_line(text, start) { formulas(text, start) } else { Vec::new() };
        let letters = |span: &Span| Cover::letters(*span, "x");
        let mut masked = covered(Cow::Borrowed(text), &formulas.iter().map(letters).collect::<Vec<_>>());
        if lone_return || !feeds.is_empty() {
            masked = Cow::Owned(with_plain_ends(&masked));
        }
        let mut bits = if matches!(masked, Cow::Borrowed(_)) { bits } else { Bits::of(masked.as_bytes()) };
        let (covers, rows) = limits::covers(&masked, &bits, start);
        // Here lines end in line feeds only.
        let rows = rows || bits.odd || !feeds.is_empty() || lone_return;
        let text = covered(masked, &covers);
        if !covers.is_empty() {
            bits = Bits::of(text.as_bytes());
        }
        Self { text, start, front_matter, formulas, feeds, rows, bits }
    }

    /// The formula that begins at `at`.
    pub(super) fn formula_at(&self, at: u32) -> Option<Span> {
        let found = self.formulas.binary_search_by_key(&at, |f| f.start).ok()?;
        self.formulas.get(found).copied()
    }

    /// Indices of the formulas that begin inside `span`.
    pub(super) fn formulas_in(&self, span: Span) -> &[Span] {
        let from = self.formulas.partition_point(|f| f.start < span.start);
        let to = self.formulas.partition_point(|f| f.start < span.end);
        &self.formulas[from..to]
    }
}

/// The form feeds from `start` on, and whether any line ends in a carriage return alone, which the parser does not take for a line end everywhere.
fn odd_line_ends(text: &str, start: usize) -> (Vec<u32>, bool) {
    let bytes = text.as_bytes();
    let (mut feeds, mut lone_return) = (Vec::new(), false);
    for at in memchr2_iter(b'\x0c', b'\r', bytes) {
        if bytes[at] == b'\r' {
            lone_return |= bytes.get(at + 1) != Some(&b'\n');
        } else if at >= start {
            feeds.push(at as u32);
        }
    }
    (feeds, lone_return)
}

/// What the parser sees in place of a span, byte for byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cover {
    pub(super) span: Span,
    pub(super) first: &'static str,
    pub(super) rest: &'static str,
}

impl Cover {
    pub(super) const fn letters(span: Span, letter: &'static str) -> Self {
        Self { span, first: letter, rest: letter }
    }
}

/// A copy with covers, if there are any.
fn covered<'t>(text: Cow<'t, str>, covers: &[Cover]) -> Cow<'t, str> {
    if covers.is_empty() {
        return text;
    }
    let mut copy = String::with_capacity(text.len());
    let mut at = 0;
    for Cover { span, first, rest } in covers {
        copy.push_str(&text[at..span.start as usize]);
        copy.push_str(first);
        copy.push_str(&rest.repeat(span.len() - 1));
        at = span.end as usize;
    }
    copy.push_str(&text[at..]);
    Cow::Owned(copy)
}

/// A copy with line feeds in place of odd line ends.
fn with_plain_ends(text: &str) -> String {
    let mut chars = text.chars().peekable();
    let mut plain = String::with_capacity(text.len());
    while let Some(c) = chars.next() {
        let ends_line = c == '\x0c' || (c == '\r' && chars.peek() != Some(&'\n'));
        plain.push(if ends_line { '\n' } else { c });
    }
    plain
}

/// Front matter: a line `---` at the very start, a line that is not blank, and later a line `---` or `...`.
fn front_matter(text: &str, start: usize) -> Option<Span> {
    let end = text.len();
    let first_end = line_end(text, start, end);
    if text[start..first_end].trim_end() != "---" {
        return None;
    }
    let mut at = first_end;
    while at < end {
        let next = line_end(text, at, end);
        let line = text[at..next].trim_end();
        if at == first_end && line.trim_start().is_empty() {
            return None;
        }
        if line == "---" || line == "..." {
            return Some(Span::new(start, at + line.len()));
        }
        at = next;
    }
    None
}

/// Whether any line could open a formula: a cheap test that most documents fail.
fn has_formula_line(text: &str, start: usize) -> bool {
    let bytes = text.as_bytes();
    memmem::find_iter(&bytes[start..], b"$$").any(|at| {
        let behind = start + at + 2;
        let rest = text[behind..].trim_start_matches([' ', '\t']);
        rest.is_empty() || rest.starts_with(['\n', '\r'])
    })
}

/// What a line is to the search for formulas.
struct Line<'t> {
    /// Where its content begins, behind blanks, tabs and `>`.
    content_start: usize,
    /// Its content, trimmed.
    content: &'t str,
    /// Number of `>` in front.
    depth: usize,
}

impl<'t> Line<'t> {
    fn of(text: &'t str, span: Span) -> Self {
        let line = &text[span.range()];
        let filler = line.bytes().take_while(|b| is_quote_indent(*b)).count();
        let depth = memchr_iter(b'>', &line.as_bytes()[..filler]).count();
        Self { content_start: span.start as usize + filler, content: line[filler..].trim_end(), depth }
    }

    /// The run of back-ticks or tildes that opens a fence here, list markers in front allowed.
    fn opens_fence(&self) -> Option<(u8, usize)> {
        let content = skip_list_markers(self.content);
        let mark = *content.as_bytes().first().filter(|b| matches!(b, b'`' | b'~'))?;
        let run = content.bytes().take_while(|b| *b == mark).count();
        (run >= 3 && !(mark == b'`' && content[run..].contains('`'))).then_some((mark, run))
    }

    fn closes_fence(&self, (mark, run): (u8, usize)) -> bool {
        self.content.len() >= run && self.content.bytes().all(|b| b == mark)
    }

    fn is_atx_heading(&self) -> bool {
        let marks = self.content.bytes().take_while(|b| *b == b'#').count();
        (1..=6).contains(&marks) && matches!(self.content.as_bytes().get(marks), None | Some(b' ' | b'\t'))
    }
}

fn skip_list_markers(mut content: &str) -> &str {
    loop {
        let digits = content.bytes().take_while(u8::is_ascii_digit).count();
        let marker = match content.as_bytes().get(digits) {
            Some(b'-' | b'*' | b'+') if digits == 0 => 1,
            Some(b'.' | b')') if digits > 0 => digits + 1,
            _ => return content,
        };
        let rest = &content[marker..];
        if !rest.starts_with([' ', '\t']) || digits > 9 {
            return content;
        }
        content = rest.trim_start_matches([' ', '\t', '>']);
    }
}

/// A line of interest to the search for the end of a formula.
#[derive(Clone, Copy)]
struct Landmark {
    /// Where its content begins.
    at: usize,
    /// Number of `>` in front, for a line that holds `$$` alone; none for a heading or fence, which ends the search.
    formula_depth: Option<usize>,
}

/// Fences and comments, line by line: in them nothing opens a formula.
#[derive(Default)]
struct Shelter {
    fence: Option<(u8, usize)>,
    comment: bool,
}

impl Shelter {
    /// Takes the next line; whether it belongs to a fence or comment.
    fn covers(&mut self, line: &Line<'_>) -> bool {
        if self.comment {
            self.comment = !line.content.contains("-->");
            return true;
        }
        if let Some(mark) = self.fence {
            if line.closes_fence(mark) {
                self.fence = None;
            }
            return true;
        }
        self.fence = line.opens_fence();
        self.comment = self.fence.is_none() && line.content.starts_with("<!--") && !line.content[4..].contains("-->");
        self.fence.is_some() || self.comment
    }
}

fn formulas(text: &str, start: usize) -> Vec<Span> {
    let all = || lines(text, Span::new(start, text.len())).map(|span| Line::of(text, span));
    let landmarks: Vec<Landmark> = all()
        .filter_map(|line| {
            let formula_depth = (line.content == "$$").then_some(line.depth);
            let counts = formula_depth.is_some() || line.is_atx_heading() || line.opens_fence().is_some();
            counts.then_some(Landmark { at: line.content_start, formula_depth })
        })
        .collect();
    let mut found = Vec::new();
    let mut shelter = Shelter::default();
    let mut ahead = 0;
    let mut behind = start;
    for line in all() {
        if line.content_start < behind || shelter.covers(&line) || line.content != "$$" {
            continue;
        }
        ahead += landmarks[ahead..].partition_point(|mark| mark.at <= line.content_start);
        let ends = |mark: &&Landmark| mark.formula_depth.is_none_or(|depth| depth == line.depth);
        if let Some(Landmark { at, formula_depth: Some(_) }) = landmarks[ahead..].iter().find(ends) {
            found.push(Span::new(line.content_start, at + 2));
            behind = at + 2;
        }
    }
    found
}
