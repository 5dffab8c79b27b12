//! Parser events -> raw top-level nodes and nested parts.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

use super::Raw;
use super::inlines::Labels;
use super::mask::Mask;
use crate::block::{BlockKind, Part, PartKind, Unclosed};
use crate::span::Span;
use crate::text::{lines, trim_end};

/// What the events of one text amount to.
#[derive(Default)]
pub(super) struct Nodes {
    pub(super) raws: Vec<Raw>,
    pub(super) parts: Vec<Part>,
    /// Plain text of headings, one behind the other.
    pub(super) titles: String,
    pub(super) unclosed: Vec<Unclosed>,
    /// HTML blocks nested in other blocks that are page markers.
    pub(super) nested_markers: Vec<(Span, u32)>,
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_HEADING_ATTRIBUTES
}

/// What the parser is used for. It has panicked on some inputs; then there is nothing.
fn guarded<T>(read: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(read)).ok()
}

/// Reads all events. Should the parser panic, the text becomes one gap, and with it paragraphs.
pub(super) fn read(text: &str, mask: &Mask<'_>) -> Nodes {
    let parse = || {
        let mut reader = Reader::new(text, mask, Nodes::default());
        for (event, range) in Parser::new_ext(&mask.text[mask.start..], options()).into_offset_iter() {
            reader.event(&event, range.start + mask.start..range.end + mask.start);
        }
        reader.nodes
    };
    guarded(parse).unwrap_or_default()
}

/// Adds the nodes of a stretch of the text that begins at top level and holds no definitions; none if it is not certain what a reference in it
/// refers to, or if the parser panics, so that it has to be asked for the whole text.
pub(super) fn read_region(text: &str, mask: &Mask<'_>, region: Span, labels: &Labels, nodes: &mut Nodes) -> Option<()> {
    let mut in_doubt = false;
    let refers = |link: BrokenLink<'_>| {
        let is_defined = labels.lookup(&link.reference);
        in_doubt |= is_defined.is_none();
        is_defined?.then_some((CowStr::Borrowed(""), CowStr::Borrowed("")))
    };
    let start = region.start as usize;
    let before = std::mem::take(nodes);
    let parse = || {
        let mut reader = Reader::new(text, mask, before);
        let parser = Parser::new_with_broken_link_callback(&mask.text[region.range()], options(), Some(refers));
        for (event, range) in parser.into_offset_iter() {
            reader.event(&event, range.start + start..range.end + start);
        }
        reader.nodes
    };
    *nodes = guarded(parse)?;
    (!in_doubt).then_some(())
}

/// An open block.
#[derive(Clone, Copy)]
struct Open {
    /// Its part, or none for a top-level node.
    part: Option<u32>,
    /// Blocks stand directly inside (so text inside is a paragraph without a tag).
    container: bool,
    /// A paragraph that has no tag of its own: the text of a tight list item.
    implicit: bool,
    /// Where the last item in it ends, if it is a list.
    last_item_end: Option<u32>,
}

/// Which inlines the innermost paragraph holds.
#[derive(Clone, Copy, Default)]
struct Inlines {
    images: u32,
    formulas: u32,
    others: u32,
}

struct Reader<'a, 't> {
    text: &'a str,
    mask: &'a Mask<'t>,
    nodes: Nodes,
    open: Vec<Open>,
    /// How many links and images are open; what is inside one belongs to its atom.
    atom_depth: u32,
    image_depth: u32,
    inlines: Inlines,
    /// Content of the code block that is open.
    content: Option<Span>,
}

impl<'a, 't> Reader<'a, 't> {
    fn new(text: &'a str, mask: &'a Mask<'t>, nodes: Nodes) -> Self {
        Self {
            text,
            mask,
            nodes,
            open: Vec::new(),
            atom_depth: 0,
            image_depth: 0,
            inlines: Inlines::default(),
            content: None,
        }
    }

    fn event(&mut self, event: &Event<'_>, range: Range<usize>) {
        let span = Span::new(range.start, range.end);
        match event {
            Event::Start(tag) => self.start(tag, span),
            Event::End(tag) => self.end(*tag, span),
            Event::Text(words) => self.words(words, span),
            Event::Code(words) | Event::InlineMath(words) | Event::DisplayMath(words) => {
                self.inline(span);
                if matches!(event, Event::DisplayMath(_)) {
                    self.inlines.formulas += 1;
                } else {
                    self.other_inline();
                }
                self.atom(span);
                let source = &self.text[span.range()];
                let is_code = matches!(event, Event::Code(_));
                if is_code && (!self.in_heading() || self.mask.text[span.range()] == *source) {
                    self.heading_words(words);
                } else {
                    self.heading_words(if is_code { bare_code(source) } else { source });
                }
            }
            Event::InlineHtml(_) | Event::FootnoteReference(_) => {
                self.inline(span);
                self.other_inline();
                self.atom(span);
            }
            Event::SoftBreak | Event::HardBreak => {
                self.inline(span);
                self.heading_words(" ");
            }
            Event::TaskListMarker(_) => self.inline(span),
            Event::Rule => {
                self.open_block(BlockKind::ThematicBreak, PartKind::Rule, 0, span, false);
                self.close_block(span);
            }
            Event::Html(_) => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, span: Span) {
        match tag {
            Tag::Paragraph => self.open_block(BlockKind::Paragraph, PartKind::Paragraph, 0, span, false),
            Tag::Heading { level, .. } => {
                self.open_block(BlockKind::Heading, PartKind::Heading, *level as u8, span, false);
            }
            Tag::BlockQuote(_) => self.open_block(BlockKind::Quote, PartKind::Quote, 0, span, true),
            Tag::List(_) => self.open_block(BlockKind::List, PartKind::List, 0, span, true),
            Tag::Item => self.open_block(BlockKind::List, PartKind::Item, 0, span, true),
            Tag::FootnoteDefinition(_) => self.open_block(BlockKind::Paragraph, PartKind::Quote, 0, span, true),
            Tag::HtmlBlock => self.open_block(BlockKind::Html, PartKind::Html, 0, span, false),
            Tag::Table(_) => self.open_block(BlockKind::Table, PartKind::Table, 0, span, false),
            Tag::TableHead => self.open_part(PartKind::Head, span, false),
            Tag::TableRow => self.open_part(PartKind::Row, span, false),
            Tag::CodeBlock(kind) => self.start_code(kind, span),
            Tag::Link { .. } | Tag::Image { .. } => {
                self.inline(span);
                self.atom(span);
                self.atom_depth += 1;
                if matches!(tag, Tag::Image { .. }) {
                    self.inlines.images += 1;
                    self.image_depth += 1;
                }
            }
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough => self.inline(span),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, span: Span) {
        match tag {
            TagEnd::Link | TagEnd::Image => {
                self.atom_depth -= 1;
                self.image_depth -= u32::from(tag == TagEnd::Image);
            }
            TagEnd::CodeBlock => self.end_code(span),
            TagEnd::HtmlBlock => {
                if self.open.len() > 1
                    && let Some(page) = super::page_marker(&self.text[span.range()])
                {
                    self.nodes.nested_markers.push((span, page));
                }
                self.close_block(span);
            }
            TagEnd::Paragraph => {
                self.classify_paragraph();
                self.close_block(span);
            }
            TagEnd::List(_) => self.close_list(span),
            TagEnd::Item => {
                self.close_block(span);
                if let Some(list) = self.open.last_mut() {
                    list.last_item_end = Some(span.end);
                }
            }
            TagEnd::Heading(_)
            | TagEnd::BlockQuote(_)
            | TagEnd::FootnoteDefinition
            | TagEnd::Table
            | TagEnd::TableHead
            | TagEnd::TableRow => self.close_block(span),
            _ => {}
        }
    }

    fn start_code(&mut self, kind: &CodeBlockKind<'_>, span: Span) {
        let part = if matches!(kind, CodeBlockKind::Fenced(_)) { PartKind::Fenced } else { PartKind::Indented };
        if self.open.is_empty() {
            self.open_block(BlockKind::Code, part, 0, span, false);
            self.open_part(part, span, false);
        } else {
            self.open_block(BlockKind::Code, part, 0, span, false);
        }
        self.content = None;
    }

    fn end_code(&mut self, span: Span) {
        let trimmed = trim_end(self.text, span);
        let content = self.content.take();
        let fenced = self.innermost_kind() == Some(PartKind::Fenced);
        if fenced && !is_closed(self.text, trimmed, content) {
            self.nodes.unclosed.push(Unclosed { start: span.start, end: trimmed.end });
        }
        self.close_block(span);
        if self.open.len() == 1
            && self.open[0].part.is_none()
            && self.nodes.raws.last().is_some_and(|r| r.kind == BlockKind::Code)
        {
            self.close_block(span);
        }
    }

    fn innermost_kind(&self) -> Option<PartKind> {
        let part = self.open.last()?.part?;
        self.nodes.parts.get(part as usize).map(|p| p.kind)
    }

    fn open_block(&mut self, kind: BlockKind, part: PartKind, level: u8, span: Span, container: bool) {
        self.close_implicit();
        if self.open.is_empty() {
            let at = self.nodes.parts.len();
            let words = self.nodes.titles.len();
            let (parts, words) = (Span::new(at, at), Span::new(words, words));
            self.nodes.raws.push(Raw { kind, level, span, parts, words });
            self.open.push(Open { part: None, container, implicit: false, last_item_end: None });
            self.inlines = Inlines::default();
        } else {
            self.open_part(part, span, container);
        }
    }

    fn open_part(&mut self, kind: PartKind, span: Span, container: bool) {
        self.inlines = Inlines::default();
        let part = self.nodes.parts.len() as u32;
        self.nodes.parts.push(Part { kind, span, next: part + 1 });
        self.open.push(Open { part: Some(part), container, implicit: false, last_item_end: None });
    }

    fn close_block(&mut self, span: Span) {
        self.close_implicit();
        let next = self.nodes.parts.len() as u32;
        match self.open.pop() {
            Some(Open { part: Some(part), .. }) => {
                let closed = &mut self.nodes.parts[part as usize];
                closed.next = next;
                closed.span.end = closed.span.end.max(span.end);
                self.close_paragraph(part);
            }
            Some(Open { part: None, .. }) => {
                if let Some(raw) = self.nodes.raws.last_mut() {
                    raw.parts.end = next;
                }
            }
            None => {}
        }
    }

    /// A list ends with its last item; the parser lets it go on through definitions behind it.
    fn close_list(&mut self, span: Span) {
        let Some(Open { part, last_item_end: Some(end), .. }) = self.open.last().copied() else {
            return self.close_block(span);
        };
        self.close_block(Span { end, ..span });
        match part {
            Some(part) => self.nodes.parts[part as usize].span.end = end,
            None => {
                if let Some(raw) = self.nodes.raws.last_mut() {
                    raw.span.end = end;
                }
            }
        }
    }

    fn close_implicit(&mut self) {
        if let Some(Open { part: Some(part), implicit: true, .. }) = self.open.last().copied() {
            self.nodes.parts[part as usize].next = self.nodes.parts.len() as u32;
            self.open.pop();
            self.close_paragraph(part);
        }
    }

    /// A nested paragraph that is one display formula is that; one that holds formulas with lines of their own is cut around them.
    fn close_paragraph(&mut self, part: u32) {
        let paragraph = self.nodes.parts[part as usize];
        if paragraph.kind != PartKind::Paragraph {
            return;
        }
        if matches!(self.inlines, Inlines { images: 0, formulas: 1, others: 0 }) {
            self.nodes.parts[part as usize].kind = PartKind::Math;
            return;
        }
        let mask = self.mask;
        let formulas = mask.formulas_in(paragraph.span);
        if formulas.is_empty() {
            return;
        }
        let atoms = self.nodes.parts.split_off(part as usize + 1);
        self.nodes.parts.pop();
        let mut at = paragraph.span.start;
        for formula in formulas {
            self.text_part(Span { start: at, end: formula.start }, &atoms);
            let next = self.nodes.parts.len() as u32 + 1;
            self.nodes.parts.push(Part { kind: PartKind::Math, span: *formula, next });
            at = formula.end;
        }
        self.text_part(Span { start: at, end: paragraph.span.end.max(at) }, &atoms);
    }

    /// A paragraph with those of `atoms` that lie in it, unless it is blank.
    fn text_part(&mut self, span: Span, atoms: &[Part]) {
        let first = skip_quote(self.text, span);
        if first >= span.end {
            return;
        }
        let span = Span { start: first, end: span.end };
        let at = self.nodes.parts.len();
        self.nodes.parts.push(Part { kind: PartKind::Paragraph, span, next: 0 });
        let from = atoms.partition_point(|atom| atom.span.start < span.start);
        for atom in atoms[from..].iter().take_while(|atom| atom.span.end <= span.end) {
            let next = self.nodes.parts.len() as u32 + 1;
            self.nodes.parts.push(Part { next, ..*atom });
        }
        self.nodes.parts[at].next = self.nodes.parts.len() as u32;
    }

    /// Every inline passes here: text directly in a container opens a paragraph there.
    fn inline(&mut self, span: Span) {
        match self.open.last().copied() {
            Some(Open { container: true, .. }) => {
                self.open_part(PartKind::Paragraph, span, false);
                if let Some(open) = self.open.last_mut() {
                    open.implicit = true;
                }
            }
            Some(Open { part: Some(part), implicit: true, .. }) => {
                let end = &mut self.nodes.parts[part as usize].span.end;
                *end = (*end).max(span.end);
            }
            _ => {}
        }
    }

    fn atom(&mut self, span: Span) {
        if self.atom_depth == 0 {
            let next = self.nodes.parts.len() as u32 + 1;
            self.nodes.parts.push(Part { kind: PartKind::Atom, span, next });
        }
    }

    fn words(&mut self, words: &CowStr<'_>, span: Span) {
        if matches!(self.innermost_kind(), Some(PartKind::Fenced | PartKind::Indented)) {
            let start = self.content.map_or(span.start, |c| c.start);
            self.content = Some(Span { start, end: span.end });
            return;
        }
        self.inline(span);
        if self.image_depth == 0 && !is_white(words) {
            self.inlines.others += 1;
        }
        if let Some(formula) = self.mask.formula_at(span.start) {
            self.atom(formula);
        }
        if self.in_heading() {
            let text = self.text;
            let masked = **words == self.mask.text[span.range()];
            self.heading_words(if masked { &text[span.range()] } else { words });
        }
    }

    fn other_inline(&mut self) {
        if self.image_depth == 0 {
            self.inlines.others += 1;
        }
    }

    /// Whether the innermost block is a top-level heading.
    fn in_heading(&self) -> bool {
        matches!(self.open[..], [Open { part: None, container: false, .. }])
            && self.nodes.raws.last().is_some_and(|raw| raw.kind == BlockKind::Heading)
    }

    fn heading_words(&mut self, words: &str) {
        if self.in_heading()
            && let Some(raw) = self.nodes.raws.last_mut()
        {
            self.nodes.titles.push_str(words);
            raw.words.end = self.nodes.titles.len() as u32;
        }
    }

    fn classify_paragraph(&mut self) {
        if self.open.len() != 1 {
            return;
        }
        let Some(raw) = self.nodes.raws.last_mut() else { return };
        match self.inlines {
            Inlines { images: 1.., formulas: 0, others: 0 } => raw.kind = BlockKind::Image,
            Inlines { images: 0, formulas: 1, others: 0 } => raw.kind = BlockKind::Math,
            _ => {}
        }
    }
}

/// Whether a text is nothing but white space; its first byte mostly tells.
fn is_white(words: &str) -> bool {
    !words.as_bytes().first().is_some_and(u8::is_ascii_graphic) && words.trim().is_empty()
}

/// What an inline code's source holds, line ends as they are.
fn bare_code(source: &str) -> &str {
    let inner = source.trim_matches('`');
    let stripped = inner.strip_prefix(char::is_whitespace).and_then(|rest| rest.strip_suffix(char::is_whitespace));
    stripped.unwrap_or(inner)
}

/// The first position in a span that is neither white space nor the mark of a quote.
fn skip_quote(text: &str, span: Span) -> u32 {
    let slice = &text[span.range()];
    let rest = slice.trim_start_matches(|c: char| c == '>' || c.is_whitespace());
    span.start + (slice.len() - rest.len()) as u32
}

/// Whether the fenced code in `span` (trimmed) ends with a fence of its own.
fn is_closed(text: &str, span: Span, content: Option<Span>) -> bool {
    let ends_in_mark = text[span.range()].ends_with(['`', '~']);
    match content {
        Some(content) => ends_in_mark && span.end > content.end,
        None => ends_in_mark && lines(text, span).count() > 1,
    }
}
