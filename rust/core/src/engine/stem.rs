//! What the prefixes of a heading path and of the paths below it have in common: put together once, counted once.

use std::cell::Cell;

use super::{Measure, Packer};
use crate::block::{Block, BlockKind};
use crate::chunk::{Role, Segment};
use crate::span::Span;
use crate::tokens::Piece;

/// What ends a prefix.
pub(super) const LINE_ENDS: &str = "\n\n";

/// The beginning of a prefix, up to the end of one heading.
#[derive(Clone, Copy)]
struct Stem {
    path: u32,
    /// Its text among the synthetic texts.
    text: Span,
    /// Where the words of its last heading begin there, with the separator.
    words: u32,
    /// That heading in the source, with the blank in front of it; empty if it is not found there.
    source: Span,
    /// Size of what stands in front of the words, if they add up with it.
    front: Option<usize>,
    /// Size of the whole stem, once it was asked for.
    size: Option<usize>,
}

/// The stems of a path, outermost first.
#[derive(Default)]
pub(super) struct Stems {
    all: Vec<Stem>,
    /// Headings behind the last stem that are on the path too, innermost first: path, and source as in [`Stem`].
    missing: Vec<(u32, Span)>,
    /// Whether the separator is words between two blanks, and sizes add up at such blanks.
    add_up: bool,
    /// Size of the separator without the blank at its end, once it was asked for.
    separator: Cell<Option<usize>>,
}

impl Stems {
    pub(super) fn new(separator: &str, measure: &impl Measure) -> Self {
        let words = separator.strip_prefix(' ').and_then(|words| words.strip_suffix(' '));
        let is_apart = words.is_some_and(|words| begins_with_text(words) && ends_with_text(words));
        Self { add_up: is_apart && measure.adds_up_at_blanks(), ..Self::default() }
    }
}

impl<M: Measure> Packer<'_, M> {
    /// Makes the prefix of the whole path, if it is within the limit, and the path has at most `most` bytes. Most are, so that it is put together where it is kept.
    pub(super) fn take_whole(&mut self, limit: usize, most: usize) -> bool {
        let Some(template) = self.policy.template.as_ref().filter(|_| self.find_stem(most)) else { return false };
        let start = self.out.synthetic.len();
        let known = self.stems.all.len();
        match self.stems.all.last() {
            Some(stem) => self.out.synthetic.extend_from_within(stem.text.range()),
            None => self.out.synthetic.push_str(&template.before),
        }
        while let Some((path, source)) = self.stems.missing.pop() {
            self.grow_stem(start, path, source);
        }
        self.out.synthetic.push_str(&template.after);
        self.out.synthetic.push_str(LINE_ENDS);
        let size = self.line_size(start, &template.after);
        if size > limit {
            self.out.synthetic.truncate(start);
            self.stems.all.truncate(known);
            return false;
        }
        self.prefix = Segment { role: Role::Synthetic, span: Span::new(start, self.out.synthetic.len()) };
        self.prefix_size = size;
        true
    }

    /// Goes back to the last stem that is one of the path, too, and finds the headings that are missing. False if they have more than `most` bytes.
    fn find_stem(&mut self, most: usize) -> bool {
        let Stems { all, missing, .. } = &mut self.stems;
        missing.clear();
        while all.last().is_some_and(|stem| stem.path >= self.prefix_path) {
            all.pop();
        }
        let (mut path, mut length) = (self.prefix_path, 0);
        let mut blocks = self.document.blocks[..self.section.blocks.start].iter().rev();
        while path != 0 && all.last().is_none_or(|stem| stem.path != path) {
            let title = self.document.title(path);
            length += title.len();
            if length > most {
                return false;
            }
            length += self.policy.separator.len();
            // A heading that has nothing else under it stands in front of the next one.
            let heading = blocks.next().filter(|block| block.kind == BlockKind::Heading && block.path == path);
            let source = heading.and_then(|heading| text_in_source(self.text, heading, title));
            missing.push((path, source.unwrap_or_default()));
            path = self.document.paths[path as usize].parent;
            while all.last().is_some_and(|stem| stem.path > path) {
                all.pop();
            }
        }
        true
    }

    /// Puts a heading behind the last stem, whose text is copied to `start`.
    fn grow_stem(&mut self, start: usize, path: u32, source: Span) {
        let words = self.out.synthetic.len();
        let is_first = self.stems.all.is_empty();
        let front = if is_first { self.stems.add_up.then_some(0) } else { self.stem_size() };
        if !is_first {
            self.out.synthetic.push_str(self.policy.separator);
        }
        self.out.synthetic.push_str(self.document.title(path));
        let words = if is_first { start } else { words } as u32;
        let source = if is_first { Span::default() } else { source };
        let text = Span::new(start, self.out.synthetic.len());
        self.stems.all.push(Stem { path, text, words, source, front, size: None });
    }

    /// Size of the last stem, if what follows behind a separator adds up with it.
    fn stem_size(&mut self) -> Option<usize> {
        let stem = *self.stems.all.last()?;
        if stem.size.is_some() {
            return stem.size;
        }
        let front = stem.front.filter(|_| ends_with_text(&self.out.synthetic[stem.text.range()]))?;
        let words = &self.out.synthetic[stem.words as usize..stem.text.end as usize];
        let size = Some(front + self.words_size(words, stem.source));
        self.stems.all.last_mut()?.size = size;
        size
    }

    /// Size of the prefix that was put together at `start`.
    fn line_size(&self, start: usize, after: &str) -> usize {
        let whole = || self.measure.size(&[Piece::Text(&self.out.synthetic[start..])]);
        let Some((stem, front)) = self.stems.all.last().and_then(|stem| Some((stem, stem.front?))) else {
            return whole();
        };
        let ends = after.is_empty() && self.text[stem.source.end as usize..].starts_with(LINE_ENDS);
        let source = Span { end: stem.source.end + LINE_ENDS.len() as u32, ..stem.source };
        let source = if ends && !stem.source.is_empty() { source } else { Span::default() };
        front + self.words_size(&self.out.synthetic[stem.words as usize..], source)
    }

    /// Size of a separator and a heading, and what stands behind it; where the source has the same, it is counted already.
    fn words_size(&self, words: &str, source: Span) -> usize {
        if source.is_empty() {
            return self.measure.size(&[Piece::Text(words)]);
        }
        let separator = self.stems.separator.get().unwrap_or_else(|| {
            let separator = &self.policy.separator;
            self.measure.size(&[Piece::Text(&separator[..separator.len() - 1])])
        });
        self.stems.separator.set(Some(separator));
        separator + self.span_size(source)
    }
}

/// The text of a heading where the source has it, with a blank in front.
fn text_in_source(text: &str, heading: &Block, words: &str) -> Option<Span> {
    let before = text[heading.span.range()].strip_suffix(words)?.strip_suffix(' ')?;
    let start = heading.span.start + before.len() as u32;
    begins_with_text(words).then_some(Span { start, end: heading.span.end })
}

fn begins_with_text(words: &str) -> bool {
    words.starts_with(|c: char| !c.is_whitespace())
}

fn ends_with_text(words: &str) -> bool {
    words.ends_with(|c: char| !c.is_whitespace())
}
