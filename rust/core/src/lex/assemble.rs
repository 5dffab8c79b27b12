//! Raw nodes -> the blocks of a document: gaps, pages, heading paths, final spans.

use super::events::Nodes;
use super::mask::Mask;
use super::merge::merge;
use super::{Raw, page_before, page_behind, page_marker};
use crate::block::{Block, BlockKind, Document, Part, PartKind, Path, Place};
use crate::span::Span;
use crate::text::{back_to_line_start, begins_with_ink, class_of, is_blank, is_indent, skip_white, trim_end};

/// Something after which the page is another one.
#[derive(Clone, Copy)]
struct PageTurn {
    span: Span,
    /// The page that begins, or none for the next one.
    page: Option<u32>,
}

pub(super) fn assemble(text: &str, mask: &Mask<'_>, nodes: Nodes) -> Document {
    let raws = merge(text, mask, nodes.raws);
    let turns = page_turns(text, mask, &raws, &nodes.nested_markers);
    let document = Document {
        blocks: Vec::with_capacity(raws.len() + 1),
        parts: nodes.parts,
        unclosed: nodes.unclosed,
        paths: paths_for(&raws),
        titles: nodes.titles,
        places: vec![Place { page: first_page(&turns), ..Place::default() }],
        ..Document::default()
    };
    let mut assembler = Assembler {
        text,
        mask,
        document,
        turns,
        turned: 0,
        path: 0,
        at_turn: Walk::default(),
        at_piece: Walk::default(),
    };
    if let Some(span) = mask.front_matter {
        assembler.block(BlockKind::FrontMatter, span, Span::default());
    }
    let mut at = mask.start;
    for raw in raws {
        assembler.gap(Span::new(at, (raw.span.start as usize).max(at)));
        at = at.max(raw.span.end as usize);
        assembler.node(raw);
    }
    assembler.gap(Span::new(at, text.len()));
    assembler.document
}

/// The empty path, with room for more.
fn paths_for(raws: &[Raw]) -> Vec<Path> {
    let mut paths = Vec::with_capacity(raws.len() / 2 + 1);
    paths.push(Path::default());
    paths
}

/// All page turns in order. A turn that no block may be cut at still counts.
fn page_turns(text: &str, mask: &Mask<'_>, raws: &[Raw], nested: &[(Span, u32)]) -> Vec<PageTurn> {
    let mut turns: Vec<PageTurn> =
        mask.feeds.iter().map(|at| PageTurn { span: Span { start: *at, end: at + 1 }, page: None }).collect();
    turns.extend(nested.iter().map(|(span, page)| PageTurn { span: *span, page: Some(*page) }));
    turns.extend(raws.iter().filter(|raw| raw.kind == BlockKind::Html).filter_map(|raw| {
        page_marker(&text[raw.span.range()]).map(|page| PageTurn { span: raw.span, page: Some(page) })
    }));
    turns.sort_by_key(|turn| turn.span.start);
    turns
}

/// The page of the text in front of the first turn.
fn first_page(turns: &[PageTurn]) -> Option<u32> {
    turns.first().map(|turn| page_before(turn.page))
}

/// A way through the parts of a block: a block may have as many pieces as parts.
#[derive(Default)]
struct Walk {
    parts: Span,
    /// Parts that have not ended in front of those that lie behind, outermost first.
    open: Vec<u32>,
    /// The first part that lies ahead.
    ahead: u32,
}

impl Walk {
    /// Goes on to the first part of a block that begins at `to` or later, positions growing from call to call.
    fn go_on(&mut self, all: &[Part], parts: Span, to: u32) {
        if self.parts != parts {
            *self = Self { parts, open: Vec::new(), ahead: parts.start };
        }
        while self.ahead < parts.end && all[self.ahead as usize].span.start < to {
            while self.open.pop_if(|part| all[*part as usize].next <= self.ahead).is_some() {}
            self.open.push(self.ahead);
            self.ahead += 1;
        }
    }
}

struct Assembler<'a, 't> {
    text: &'a str,
    mask: &'a Mask<'t>,
    document: Document,
    turns: Vec<PageTurn>,
    /// How many turns lie behind.
    turned: usize,
    path: u32,
    at_turn: Walk,
    at_piece: Walk,
}

impl Assembler<'_, '_> {
    fn node(&mut self, raw: Raw) {
        self.turn_pages(raw.span.start);
        match raw.kind {
            BlockKind::Heading => self.heading(&raw),
            BlockKind::Html if page_marker(&self.text[raw.span.range()]).is_some() => {
                self.block(BlockKind::PageMarker, raw.span, Span::default());
                self.turn_pages(raw.span.end);
            }
            BlockKind::Paragraph => self.paragraph(&raw),
            BlockKind::List | BlockKind::Quote | BlockKind::Image => self.cut_at_pages(raw.kind, raw.span, raw.parts),
            _ => self.block(raw.kind, raw.span, raw.parts),
        }
    }

    fn heading(&mut self, raw: &Raw) {
        let document = &mut self.document;
        let parent = path_above(document, self.path, raw.level);
        let words = &document.titles[raw.words.range()];
        self.path = if has_single_blanks(words) {
            document.push_path(Path { parent, level: raw.level, text: raw.words })
        } else {
            let words = with_single_blanks(words);
            let text = if words.is_empty() { bare_heading(&self.text[raw.span.range()]) } else { words };
            if text.is_empty() { parent } else { document.add_path(parent, raw.level, &text) }
        };
        self.block(BlockKind::Heading, raw.span, raw.parts);
        if let Some(block) = self.document.blocks.last_mut() {
            block.level = raw.level;
        }
    }

    /// A paragraph is cut around the display formulas in it.
    #[inline]
    fn paragraph(&mut self, raw: &Raw) {
        if self.mask.formulas.is_empty() {
            self.cut_at_pages(raw.kind, raw.span, raw.parts);
        } else {
            self.cut_at_formulas(raw);
        }
    }

    fn cut_at_formulas(&mut self, raw: &Raw) {
        let mut at = raw.span.start;
        let mask = self.mask;
        for formula in mask.formulas_in(raw.span) {
            self.cut_at_pages(BlockKind::Paragraph, Span { start: at, end: formula.start }, raw.parts);
            self.turn_pages(formula.start);
            self.block(BlockKind::Math, *formula, Span::default());
            at = formula.end;
        }
        self.cut_at_pages(raw.kind, Span { start: at, end: raw.span.end.max(at) }, raw.parts);
    }

    /// Non-white text that the parser reported nothing for.
    #[inline]
    fn gap(&mut self, span: Span) {
        if is_blank(self.text, span) {
            return;
        }
        self.cut_at_pages(BlockKind::Paragraph, span, Span::default());
    }

    /// Adds a block of prose, cut in two at each page turn that does not lie in code, a table or HTML.
    #[inline]
    fn cut_at_pages(&mut self, kind: BlockKind, span: Span, parts: Span) {
        self.turn_pages(span.start);
        if self.turned == self.turns.len() {
            let parts = if self.is_inside(parts, span) { parts } else { self.clip(parts, span) };
            self.block(kind, span, parts);
        } else {
            self.cut_at_turns(kind, span, parts);
        }
    }

    fn cut_at_turns(&mut self, kind: BlockKind, span: Span, parts: Span) {
        let mut at = span.start;
        let mut place = self.place();
        while let Some(turn) = self.turns.get(self.turned).copied().filter(|turn| turn.span.start < span.end) {
            let cuts = self.may_cut(parts, turn.span);
            if cuts {
                self.piece(kind, Span { start: at, end: turn.span.start }, (span, parts), place);
                if turn.page.is_some() {
                    self.block(BlockKind::PageMarker, turn.span, Span::default());
                }
                at = turn.span.end;
            }
            self.turn_page(turn);
            if cuts {
                place = self.place();
            }
        }
        self.piece(kind, Span { start: at, end: span.end }, (span, parts), place);
    }

    /// The place of what comes next.
    fn place(&self) -> u32 {
        self.document.places.len() as u32 - 1
    }

    fn may_cut(&mut self, parts: Span, at: Span) -> bool {
        let all = &self.document.parts;
        self.at_turn.go_on(all, parts, at.start + 1);
        self.at_turn.open.iter().map(|part| all[*part as usize]).filter(|part| part.span.contains(at)).all(|part| {
            part.span == at
                || matches!(
                    part.kind,
                    PartKind::List | PartKind::Item | PartKind::Quote | PartKind::Paragraph | PartKind::Heading
                )
        })
    }

    /// A piece of a block with these parts, at a place that may lie behind the current one (a page turned inside the piece counts for what follows it).
    #[inline]
    fn piece(&mut self, kind: BlockKind, piece: Span, (whole, parts): (Span, Span), place: u32) {
        let parts = if piece == whole && self.is_inside(parts, whole) { parts } else { self.clip(parts, piece) };
        self.block_at(kind, piece, parts, place);
    }

    /// Whether all parts lie in `span` (they do not where a paragraph was cut around a formula).
    fn is_inside(&self, parts: Span, span: Span) -> bool {
        let parts = &self.document.parts[parts.range()];
        parts.first().is_none_or(|p| p.span.start >= span.start) && parts.last().is_none_or(|p| p.span.end <= span.end)
    }

    /// Copies of the parts of a block as far as they lie in a piece of it.
    fn clip(&mut self, parts: Span, piece: Span) -> Span {
        let from = self.document.parts.len();
        let mut open: Vec<(usize, u32)> = Vec::new();
        self.at_piece.go_on(&self.document.parts, parts, piece.start);
        for at in self.at_piece.open.iter().copied().chain(self.at_piece.ahead..parts.end) {
            let part = self.document.parts[at as usize];
            if part.span.start >= piece.end {
                break;
            }
            while let Some((copy, _)) = open.pop_if(|(_, next)| *next <= at) {
                self.document.parts[copy].next = self.document.parts.len() as u32;
            }
            let span = Span { start: part.span.start.max(piece.start), end: part.span.end.min(piece.end) };
            if !span.is_empty() {
                open.push((self.document.parts.len(), part.next));
                self.document.parts.push(Part { span, ..part });
            }
        }
        let end = self.document.parts.len();
        for (copy, _) in open {
            self.document.parts[copy].next = end as u32;
        }
        Span::new(from, end)
    }

    /// Adds a block, unless it is blank (white space that Markdown takes for text).
    fn block(&mut self, kind: BlockKind, span: Span, parts: Span) {
        self.block_at(kind, span, parts, self.place());
    }

    fn block_at(&mut self, kind: BlockKind, span: Span, parts: Span, place: u32) {
        let from = span.start;
        let Some(mut span) = extent(self.text, span) else { return };
        span.start = span.start.max(self.document.blocks.last().map_or(0, |block| block.span.end));
        if span.start > from {
            self.begin_parts(parts, span.start);
        }
        self.document.blocks.push(Block { kind, level: 0, span, parts, path: self.path, place });
    }

    /// White space that is neither blank nor tab may stand in front of the first parts.
    fn begin_parts(&mut self, parts: Span, start: u32) {
        for part in self.document.parts[parts.range()].iter_mut().take_while(|part| part.span.start < start) {
            part.span = Span { start, end: part.span.end.max(start) };
        }
    }

    #[inline]
    fn turn_pages(&mut self, to: u32) {
        if self.turned < self.turns.len() {
            self.turn_pages_in_front(to);
        }
    }

    fn turn_pages_in_front(&mut self, to: u32) {
        while let Some(turn) = self.turns.get(self.turned).copied().filter(|turn| turn.span.start < to) {
            self.turn_page(turn);
        }
    }

    fn turn_page(&mut self, turn: PageTurn) {
        self.turned += 1;
        let now = self.document.places.last().and_then(|place| place.page);
        let page = page_behind(now, turn.page);
        if now != Some(page) {
            self.document.places.push(Place { page: Some(page), ..Place::default() });
        }
    }
}

/// From the start of the line that a block begins on, to its last character; none if it is blank.
fn extent(text: &str, span: Span) -> Option<Span> {
    if begins_with_ink(text, span) {
        return Some(trim_end(text, span));
    }
    if is_blank(text, span) {
        return None;
    }
    let span = trim_end(text, span);
    let first = skip_white(text, span.start as usize, span.end as usize);
    Some(Span::new(back_to_line_start(text, first, is_indent), span.end as usize))
}

/// A text with one blank for each run of white space in it, and none at its ends.
fn with_single_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a text is not empty and has no other white space, as its bytes tell.
fn has_single_blanks(text: &str) -> bool {
    let mut behind_blank = 0;
    for (at, byte) in text.bytes().enumerate() {
        if MAY_BE_WHITE[byte as usize] {
            if byte != b' ' || at == behind_blank {
                return false;
            }
            behind_blank = at + 1;
        }
    }
    behind_blank < text.len()
}

/// The bytes that white space begins with.
const MAY_BE_WHITE: [bool; 256] = class_of(b" \t\n\x0b\x0c\r\xc2\xe1\xe2\xe3");

/// The source of a heading without its marks, for headings with no plain text (an inline tag, for example).
fn bare_heading(source: &str) -> String {
    let line = source.trim().trim_start_matches('#').trim();
    let line = line.trim_end_matches(['=', '-', '#']).trim();
    with_single_blanks(line)
}

/// The path that a heading of this level is under, if it stands behind what has the path `path`.
pub(super) fn path_above(document: &Document, mut path: u32, level: u8) -> u32 {
    while path != 0 && document.paths[path as usize].level >= level {
        path = document.paths[path as usize].parent;
    }
    path
}
