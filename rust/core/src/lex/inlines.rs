//! The atoms of one leaf (a paragraph, the text of a list item, a heading) as pulldown-cmark finds them, or [`Doubt`].
//!
//! The parser cuts a leaf's lines into tokens first and then resolves these from left to right: a run of back-ticks, `<`, `$` and `[` as they
//! come, links where their `]` comes. This is the same, on the text itself. What lets it be:
//!
//! - Tokens are told from the bytes around them alone, and where a construct ends, a token ends: it ends behind `)`, `>`, `]`, `$` or a run of
//!   back-ticks, which are inside of no other token but a backslash escape, and each construct takes these for what they are (code and tags do
//!   not, but there the escape has begun inside, and nothing of it is behind the end).
//! - Emphasis (`*`, `_`, `~`; `^` is text) is paired when all of this is done, between the tokens of one level, and changes neither them nor
//!   their order. A smart quote, a dash, a line break or an entity are tokens that concern nothing else either.
//! - Of the parser's memory only what it keeps within one leaf matters: where code and formulas may end (an index to search faster, with the
//!   same results). The brace context of formulas begins anew with each block. The guards of comments and the like hold positions, none beyond
//!   the leaf where they were set. Only the limit on what references expand to concerns the whole document: see [`Labels::is_exhausted`].

mod angle;
mod delimiters;
mod labels;
mod link;
mod words;

use std::borrow::Cow;

pub(super) use angle::whole_tag;
pub(super) use labels::Labels;

use super::bits::Specials;
use super::mask::Mask;
use crate::block::{Part, PartKind};
use crate::span::Span;

/// Why a leaf is left to the parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(super) enum Doubt {
    /// `[^`
    Footnote,
    /// `$$`
    Display,
    /// Many braces in a leaf with `$`.
    Braces,
    /// A declaration, CDATA section or processing instruction.
    Markup,
    /// A link, tag or formula that crosses lines of a quote.
    Quoted,
    /// What a title over several lines, or `]\[`, makes of the parser's tokens.
    Tokens,
    /// A label that is long, or whose case or white space is no plain matter.
    Label,
    /// Searches that found nothing have cost too much.
    Fuel,
    /// Nothing but images and marks that may or may not be text.
    Marks,
    /// A heading with emphasis, entities or an odd end.
    Heading,
}

/// What a leaf holds, white space aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Leaf {
    /// Images, also those in links.
    pub(super) images: u32,
    /// Something that is not in an image. True if there are no images.
    pub(super) others: bool,
}

/// What is not plain text, for the words of a heading or a paragraph of images.
#[derive(Clone, Copy, Debug)]
struct Cut {
    start: u32,
    end: u32,
    /// Stands for itself, whatever it holds; else for nothing.
    literal: bool,
}

/// An opening bracket.
#[derive(Clone, Copy)]
struct Open {
    /// Where it begins: at `!` for an image.
    start: u32,
    bracket: u32,
    image: bool,
    /// How many parts and cuts there were.
    parts: u32,
    cuts: u32,
}

/// Scratch for scanning leaves one after the other.
#[derive(Default)]
pub(super) struct Scanner {
    open: Vec<Open>,
    cuts: Vec<Cut>,
}

impl Scanner {
    /// Appends the atoms of the leaf in `span` of the masked text. `span` begins at the leaf's first character that is no white space and is
    /// trimmed; there is no blank line in it. `quoted`: marks of quotes may stand in front of its later lines.
    ///
    /// # Errors
    ///
    /// With a doubt, nothing is appended.
    pub(super) fn scan(
        &mut self,
        mask: &Mask<'_>,
        span: Span,
        labels: &Labels,
        quoted: bool,
        parts: &mut Vec<Part>,
    ) -> Result<Leaf, Doubt> {
        let (start, end) = (span.start as usize, span.end as usize);
        let specials = mask.bits.specials(end);
        if specials.next(start).is_none() {
            return Ok(Leaf { images: 0, others: true });
        }
        let before = parts.len();
        let mut run = Run::new(self, mask, span, labels, parts);
        run.quoted = quoted;
        let leaf = run.all().and_then(|()| run.leaf());
        if leaf.is_err() {
            parts.truncate(before);
        }
        leaf
    }

    /// The same for the content of an ATX heading, which begins at `start`. Where it ends on its line (in front of attributes and closing
    /// marks) is found here. Gives its plain text as the parser's events tell it, but for white space at its ends.
    ///
    /// # Errors
    ///
    /// With a doubt, nothing is appended.
    pub(super) fn scan_heading<'t>(
        &mut self,
        mask: &'t Mask<'_>,
        start: usize,
        labels: &Labels,
        parts: &mut Vec<Part>,
    ) -> Result<Cow<'t, str>, Doubt> {
        let before = parts.len();
        let text: &str = &mask.text;
        let line = &text.as_bytes()[start..mask.bits.next_line(start)];
        let span = Span::new(start, start + words::heading_len(line)?);
        let mut run = Run::new(self, mask, span, labels, parts);
        run.heading = true;
        let words = run.all().and_then(|()| words::heading(text, span, run.cuts()));
        if words.is_err() {
            parts.truncate(before);
        }
        words
    }
}

/// One leaf being scanned.
struct Run<'a> {
    /// The whole text, for what stands beside the leaf.
    text: &'a [u8],
    /// The text up to the leaf's end.
    bytes: &'a [u8],
    specials: Specials<'a>,
    start: usize,
    labels: &'a Labels,
    quoted: bool,
    heading: bool,
    parts: &'a mut Vec<Part>,
    scratch: &'a mut Scanner,
    /// Behind the last construct or escape.
    floor: usize,
    /// So many of the lowest open brackets can make no link, because there is one in them.
    disabled: usize,
    /// A closing bracket behind a label that is not defined.
    no_reference: usize,
    /// Lengths below 64 of runs of back-ticks of which none is left.
    no_code: u64,
    /// Whether braces have been counted.
    braces: bool,
    /// How many bytes may still be looked at in vain.
    fuel: usize,
    images: u32,
}

impl<'a> Run<'a> {
    fn new(
        scratch: &'a mut Scanner,
        mask: &'a Mask<'_>,
        span: Span,
        labels: &'a Labels,
        parts: &'a mut Vec<Part>,
    ) -> Self {
        let text = mask.text.as_bytes();
        scratch.open.clear();
        scratch.cuts.clear();
        Self {
            text,
            bytes: &text[..span.end as usize],
            specials: mask.bits.specials(span.end as usize),
            start: span.start as usize,
            labels,
            quoted: false,
            heading: false,
            parts,
            scratch,
            floor: span.start as usize,
            disabled: 0,
            no_reference: usize::MAX,
            no_code: 0,
            braces: false,
            fuel: 8 * span.len() + 256,
            images: 0,
        }
    }

    fn all(&mut self) -> Result<(), Doubt> {
        let mut at = self.start;
        while let Some(special) = self.specials.next(at) {
            at = self.special(special)?;
        }
        Ok(())
    }

    /// Deals with the token at `at`; gives the place behind what it is part of.
    fn special(&mut self, at: usize) -> Result<usize, Doubt> {
        match self.bytes[at] {
            b'\\' => self.escape(at),
            b'`' => {
                let length = self.ticks(at);
                self.code(at, length)
            }
            b'[' => self.open(at),
            b']' => self.close(at),
            b'<' => self.angle(at),
            b'$' => self.math(at),
            _ => Ok(at + 1),
        }
    }

    /// The byte at `at`, also behind the leaf; a line feed behind the text.
    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(b'\n')
    }

    fn atom(&mut self, start: usize, end: usize) -> usize {
        let next = self.parts.len() as u32 + 1;
        self.parts.push(Part { kind: PartKind::Atom, span: Span::new(start, end), next });
        self.floor = end;
        end
    }

    fn cut(&mut self, start: usize, end: usize, literal: bool) {
        if start < end {
            self.scratch.cuts.push(Cut { start: start as u32, end: end as u32, literal });
        }
    }

    /// Notes that `bytes` were looked at in vain.
    fn burn(&mut self, bytes: usize) -> Result<(), Doubt> {
        self.fuel = self.fuel.checked_sub(bytes).ok_or(Doubt::Fuel)?;
        Ok(())
    }

    /// All cuts in order; they do not overlap.
    fn cuts(&mut self) -> &[Cut] {
        self.scratch.cuts.sort_unstable_by_key(|cut| cut.start);
        &self.scratch.cuts
    }

    fn leaf(&mut self) -> Result<Leaf, Doubt> {
        let images = self.images;
        let others = images == 0 || {
            let (bytes, start, quoted) = (self.bytes, self.start, self.quoted);
            words::has_others(bytes, start, quoted, self.cuts())?
        };
        Ok(Leaf { images, others })
    }
}

#[cfg(test)]
mod tests;
