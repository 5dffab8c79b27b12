//! Code in pieces: each with a complete fence of its own.

use super::node::{Node, NodeKind};
use super::prose::Prose;
use super::window::Windows;
use super::{Measure, NOTHING, Outcome, Packer};
use crate::block::{Block, BlockKind, Document, PartKind};
use crate::chunk::{Role, Segment, SplitReason};
use crate::span::Span;
use crate::text::{BOM, is_blank, is_indent, is_quote_indent, line_end, lines, trim_end};

/// A fence: what stands in front of it on its line (list markers as blanks), its run of marks, its info string.
struct Fence {
    margin: String,
    run: String,
    info: String,
}

impl Fence {
    /// The fence that begins at byte `at` of a line.
    fn on(line: &str, at: usize) -> Self {
        let margin = margin(&line[..at]);
        let mark = line[at..].chars().next().unwrap_or('`');
        let marks = line[at..].len() - line[at..].trim_start_matches(mark).len();
        Self { margin, run: line[at..at + marks].into(), info: line[at + marks..].trim_end().into() }
    }

    /// The fence that code needs which has none.
    fn around(code: &str, language: &str) -> Self {
        let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        Self { margin: String::new(), run: "`".repeat((longest + 1).max(3)), info: language.into() }
    }

    fn closing(&self) -> String {
        format!("\n{}{}", self.margin, self.run)
    }

    fn opening(&self, info: &str) -> String {
        format!("{}{}{info}\n", self.margin, self.run)
    }
}

/// What stands in front of a fence, list markers as blanks. A `>` takes one blank behind it for its own, so a marker directly behind it becomes two.
fn margin(before: &str) -> String {
    let mut margin = String::new();
    let mut previous = ' ';
    for c in before.chars() {
        let stays = matches!(c, ' ' | '\t' | '>');
        if previous == '>' && !stays {
            margin.push(' ');
        }
        margin.push(if stays { c } else { ' ' });
        previous = c;
    }
    margin
}

/// The fence that begins at `at` in a text.
fn fence_at(text: &str, at: usize) -> Fence {
    let start = text[..at]
        .rfind(['\n', '\r', '\x0c', BOM])
        .map_or(0, |end| end + text[end..].chars().next().map_or(0, char::len_utf8));
    Fence::on(&text[start..line_end(text, at, text.len())], at - start)
}

/// The closing fence for code whose fence begins at `at`, with a line end in front.
pub(super) fn closing_fence(text: &str, at: usize) -> String {
    fence_at(text, at).closing()
}

/// The language that the opening line of a fenced code block names, if any.
#[must_use]
pub fn language<'t>(document: &Document, block: &Block, text: &'t str) -> Option<&'t str> {
    let fenced = document.parts_of(block).first().is_some_and(|part| part.kind == PartKind::Fenced);
    if block.kind != BlockKind::Code || !fenced {
        return None;
    }
    let end = line_end(text, block.span.start as usize, block.span.end as usize);
    let line = text[block.span.start as usize..end].split('\x0c').next().unwrap_or_default().trim();
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let info = line.trim_start_matches(mark).trim_start().trim_start_matches(['{', '.']);
    let name = info.split(|c: char| c.is_whitespace() || matches!(c, ',' | '{' | '}')).next()?;
    (!name.is_empty()).then_some(name)
}

/// The layout of one code block.
struct Layout {
    span: Span,
    /// The opening line, if the source has one.
    opening: Option<Span>,
    /// The content lines, line ends included.
    lines: Vec<Span>,
    /// Whether the source has a closing line.
    closed: bool,
    /// Whether it should have one but has none: the engine adds it where the code ends.
    is_left_open: bool,
    parts: Span,
    /// What stands in front of a line that is not indented.
    margin: String,
}

/// How pieces are fenced: opening and closing text, both empty if no fence leaves room for code.
#[derive(Clone, Copy)]
struct Fences {
    open: Segment,
    close: Segment,
    /// What stands in front of every line.
    margin: Segment,
}

impl<M: Measure> Packer<'_, M> {
    pub(super) fn code_block(&mut self, block: &Block, index: u32) -> Outcome {
        let node = Node { kind: NodeKind::Code, span: block.span, parts: block.parts };
        let (before, after) = if self.is_fenced(node) {
            (NOTHING, NOTHING)
        } else {
            let language = self.supplied_language(index);
            let fence = Fence::around(&self.text[block.span.range()], &language);
            (self.synthetic(&fence.opening(&language)), self.synthetic(&fence.closing()))
        };
        if let Some(prefix) = self.yielding_prefix(&[before], block.span, after) {
            return self.commit_behind(prefix, &[before], block.span.start, block.span, after, SplitReason::SectionEnd);
        }
        self.code_pieces(node, index)
    }

    /// The language that a parser names for a block of code; empty if it names none.
    fn supplied_language(&self, index: u32) -> String {
        self.document.supplement(index).and_then(|s| s.language.clone()).unwrap_or_default()
    }

    fn is_fenced(&self, node: Node) -> bool {
        self.document.parts[node.parts.range()].first().is_some_and(|part| part.kind == PartKind::Fenced)
    }

    /// Pieces of a node that carries something with it.
    pub(super) fn pieces(&mut self, node: Node) -> Outcome {
        if node.kind == NodeKind::Code { self.code_pieces(node, u32::MAX) } else { self.table_pieces(node) }
    }

    fn code_pieces(&mut self, node: Node, index: u32) -> Outcome {
        let layout = self.layout(node);
        let fence = if layout.opening.is_some() {
            fence_at(self.text, self.document.parts[node.parts.start as usize].span.start as usize)
        } else {
            let language = self.supplied_language(index);
            Fence::around(&self.text[node.span.range()], &language)
        };
        let own_prefix = self.prefix;
        let mut fences = self.fences(&layout, &fence);
        if fences.open.span.is_empty() && !own_prefix.span.is_empty() {
            self.prefix = NOTHING;
            fences = self.fences(&layout, &fence);
        }
        let outcome = self.fenced_or_text(&layout, &fence, fences);
        self.prefix = own_prefix;
        outcome
    }

    fn fenced_or_text(&mut self, layout: &Layout, fence: &Fence, fences: Fences) -> Outcome {
        let mut first_body = layout.opening.map(|line| line.start);
        if let Some(line) = layout.opening {
            let line = trim_end(self.text, line);
            let close = self.synthetic(&fence.closing());
            if fences.open.span.is_empty() || self.size(&[], line, close) > self.policy.budget * 3 / 4 {
                self.long_opening(line, close)?;
                first_body = None;
            }
        }
        if fences.open.span.is_empty() && first_body.is_none() {
            // Text without a fence needs none closed.
            self.closers.retain(|(at, _)| *at != layout.span.end);
            let rest = Span { start: layout.opening.map_or(layout.span.start, |line| line.end), ..layout.span };
            return self.text_lines_of(rest, layout.parts);
        }
        self.fenced_pieces(layout, fences, first_body)
    }

    /// The fence for pieces: with its info string, else without, else none, so that a quarter of the budget is left for code.
    fn fences(&mut self, layout: &Layout, fence: &Fence) -> Fences {
        let close = self.synthetic(&fence.closing());
        let margin = self.synthetic(&layout.margin);
        let longest = self.longer_close(layout, close);
        let mut infos = vec![fence.info.as_str(), ""];
        infos.dedup();
        for info in infos {
            let open = self.synthetic(&fence.opening(info));
            if self.size(&[open, margin], Span::default(), longest) <= self.policy.budget * 3 / 4 {
                return Fences { open, close, margin };
            }
        }
        Fences { open: NOTHING, close: NOTHING, margin: NOTHING }
    }

    /// What closes the last piece: the closing line of the source, if it is longer than `close`.
    fn longer_close(&self, layout: &Layout, close: Segment) -> Segment {
        if !layout.closed {
            return close;
        }
        let last = layout.lines.last().copied().or(layout.opening).unwrap_or(layout.span);
        let tail =
            Segment { role: Role::Repeat, span: Span { start: trim_end(self.text, last).end, end: layout.span.end } };
        let alone = |segment| self.size_of(NOTHING, &[], Span::default(), segment);
        if alone(tail) > alone(close) { tail } else { close }
    }

    /// An opening line that leaves no room for code: given out as text, its first window closed, so that no chunk ends in an open fence.
    fn long_opening(&mut self, line: Span, close: Segment) -> Outcome {
        let close = if self.size(&[], Span::default(), close) <= self.policy.budget * 3 / 4 { close } else { NOTHING };
        let mut windows = Windows::new(&[], close, line, Span::default(), 0);
        let mut after = close;
        while let Some(window) = windows.next(self) {
            let reason = if window.last { SplitReason::MaxSize } else { SplitReason::Window };
            self.commit(&[], window.body.start, window.body, after, reason)?;
            after = NOTHING;
            windows.after = NOTHING;
        }
        Ok(())
    }

    fn layout(&self, node: Node) -> Layout {
        let Node { span, parts, .. } = node;
        let text = self.text;
        let fence = self.document.parts[parts.start as usize].span.start as usize;
        let fenced = self.is_fenced(node);
        let opening = fenced.then(|| Span::new(span.start as usize, line_end(text, fence, span.end as usize)));
        let is_left_open = self.is_left_open(span.end);
        let from = opening.map_or(span.start, |line| line.end);
        let mut content: Vec<Span> = lines(text, Span { start: from, end: span.end }).collect();
        // Behind a form feed the closing fence may be on the source's opening line.
        let closed = fenced && !is_left_open && !content.is_empty();
        if closed {
            content.pop();
        }
        let margin = match opening {
            Some(_) => fence_at(text, fence).margin,
            None => content.first().map_or_else(String::new, |line| {
                let line = &text[line.range()];
                line[..indent(line)].to_string()
            }),
        };
        Layout { span, opening, lines: content, closed, is_left_open, parts, margin }
    }

    /// `first_body` is where the opening line begins, if it goes with the first piece.
    fn fenced_pieces(&mut self, layout: &Layout, fences: Fences, mut first_body: Option<u32>) -> Outcome {
        let mut at = 0;
        loop {
            if first_body.is_none() {
                while layout.lines.get(at).is_some_and(|line| is_blank(self.text, *line)) {
                    at += 1;
                }
            }
            if at >= layout.lines.len() && first_body.is_none() && !layout.closed {
                return Ok(());
            }
            let before = if first_body.is_none() { fences.open } else { NOTHING };
            let start = first_body.unwrap_or_else(|| layout.piece(self.text, at, at).start);
            let most = self.most_lines(layout, fences, before, start, at);
            let better = |to| if to < layout.lines.len() { layout.better_cut(self.text, at, to) } else { to };
            let to = most.map(better);
            if let Some(to) = to {
                let body = Span { start, end: layout.piece(self.text, at, to).end };
                let after = layout.close_at(to, fences);
                self.commit(&[before], start, body, after, SplitReason::MaxSize)?;
            } else {
                self.long_line(layout, fences, before, start, at)?;
            }
            first_body = None;
            at = to.unwrap_or(at + 1);
            if at >= layout.lines.len() {
                return Ok(());
            }
        }
    }

    /// The largest `to` such that the lines `at..to` fit; none if not even one does (or if there are none).
    fn most_lines(&self, layout: &Layout, fences: Fences, before: Segment, start: u32, at: usize) -> Option<usize> {
        let count = layout.lines.len();
        let fits = |to: usize| {
            let source = Span { start, end: layout.piece(self.text, at, to).end.max(start) };
            self.size(&[before], source, layout.close_at(to, fences))
        };
        let least = (at + 1).min(count);
        let limits = (self.policy.budget, self.policy.target);
        super::grid::greedy(least, count, limits, fits)
    }

    /// A line that does not fit by itself, in windows; the last one of a closed block has the closing line of the source.
    fn long_line(&mut self, layout: &Layout, fences: Fences, before: Segment, start: u32, at: usize) -> Outcome {
        let text = self.text;
        let line =
            layout.lines.get(at).map_or(Span { start: layout.span.end, end: layout.span.end }, |l| trim_end(text, *l));
        let last_of_closed = layout.closed && at + 1 >= layout.lines.len();
        let after = if last_of_closed { self.longer_close(layout, fences.close) } else { fences.close };
        let first = [before];
        let rest = [fences.open, fences.margin];
        let mut windows = Windows::new(&first, after, Span { start, end: line.end }, layout.parts, 0);
        windows.floor = line.start as usize;
        if last_of_closed {
            windows.after_last = Segment { role: Role::Repeat, span: Span { start: line.end, end: layout.span.end } };
        }
        let mut before = &first[..];
        while let Some(window) = windows.next(self) {
            let (mut body, mut close) = (window.body, fences.close);
            if window.last && at + 1 >= layout.lines.len() && (layout.closed || layout.is_left_open) {
                body.end = layout.span.end;
                close = NOTHING;
            }
            let reason = if window.last { SplitReason::MaxSize } else { SplitReason::Window };
            self.commit(before, body.start, body, close, reason)?;
            before = &rest;
            windows.before = &rest;
        }
        Ok(())
    }

    /// Text by lines, without a fence or overlap.
    pub(super) fn text_lines_of(&mut self, span: Span, parts: Span) -> Outcome {
        let text = self.text;
        let units: Vec<Span> =
            lines(text, span).filter(|line| !is_blank(text, *line)).map(|line| trim_end(text, line)).collect();
        Prose::new(self, false).units(units.into_iter(), parts, SplitReason::MaxSize)
    }
}

impl Layout {
    /// The lines `at..to`; up to the closing line, if there is one and they are the last.
    fn piece(&self, text: &str, at: usize, to: usize) -> Span {
        let start = self.lines.get(at).map_or_else(
            || self.lines.last().map_or(self.opening.map_or(self.span.end, |line| line.end), |line| line.end),
            |line| line.start,
        );
        if to >= self.lines.len() {
            let end = if self.closed { self.span.end } else { self.lines.last().map_or(self.span.end, |l| l.end) };
            return trim_end(text, Span { start, end: end.max(start) });
        }
        let end = if to > at { self.lines[to - 1].end } else { start };
        trim_end(text, Span { start, end })
    }

    /// What closes a piece that ends in front of line `to`.
    fn close_at(&self, to: usize, fences: Fences) -> Segment {
        let has_its_own = self.closed || self.is_left_open;
        if has_its_own && to >= self.lines.len() { NOTHING } else { fences.close }
    }

    /// A cut in the second half of the lines `at..to`: behind a blank line, else in front of a line that is not indented behind one that is.
    fn better_cut(&self, text: &str, at: usize, to: usize) -> usize {
        let line = |index: usize| &text[self.lines[index].range()];
        let content = |index: usize| line(index).trim_start_matches([' ', '\t', '>']).trim_end();
        let cuts = || (at + (to - at).div_ceil(2).max(1)..=to).rev();
        let outdents = |cut: usize| {
            let begins = content(cut);
            !begins.is_empty()
                && !begins.starts_with(['}', ')', ']'])
                && indent(line(cut)) <= self.margin.len()
                && indent(line(cut - 1)) > self.margin.len()
        };
        cuts().find(|cut| content(cut - 1).is_empty()).or_else(|| cuts().find(|cut| outdents(*cut))).unwrap_or(to)
    }
}

/// Blanks, tabs and marks of quotes in front of a line.
fn indent(line: &str) -> usize {
    line.bytes().take_while(|b| is_indent(*b) || is_quote_indent(*b)).count()
}
