//! Brackets: links, images, references.

use super::delimiters::is_white;
use super::labels::MOST_LABEL;
use super::{Doubt, Open, Run};
use crate::text::{before_class, class_of, with_controls};

/// How deep parentheses may nest in a destination.
const MOST_PARENS: usize = 32;

/// What ends a destination, or what its end may depend on.
const IS_MARK: [bool; 256] = with_controls(class_of(b" ()\\"));

const fn is_blank(b: u8) -> bool {
    is_white(b) && b != b'\n' && b != b'\r'
}

impl Run<'_> {
    pub(super) fn open(&mut self, at: usize) -> Result<usize, Doubt> {
        if self.byte(at + 1) == b'^' {
            return Err(Doubt::Footnote);
        }
        let image = at > self.floor && self.bytes[at - 1] == b'!';
        self.scratch.open.push(Open {
            start: (at - usize::from(image)) as u32,
            bracket: at as u32,
            image,
            parts: self.parts.len() as u32,
            cuts: self.scratch.cuts.len() as u32,
        });
        self.floor = at + 1;
        Ok(at + 1)
    }

    pub(super) fn close(&mut self, at: usize) -> Result<usize, Doubt> {
        let Some(open) = self.scratch.open.pop() else { return Ok(at + 1) };
        let left = self.scratch.open.len();
        let is_disabled = !open.image && left < self.disabled;
        self.disabled = self.disabled.min(left);
        if is_disabled {
            return Ok(at + 1);
        }
        if self.bytes.get(at + 1) == Some(&b'(')
            && let Some(end) = self.target(at + 1)?
        {
            return Ok(self.link(open, at, end, end));
        }
        if self.labels.is_empty() {
            return Ok(at + 1);
        }
        self.reference(open, at)
    }

    /// A link or image from `open` over the closing bracket `at` up to `end`, of which the atom may be a part only.
    fn link(&mut self, open: Open, at: usize, atom_end: usize, end: usize) -> usize {
        let start = open.start as usize;
        self.parts.truncate(open.parts as usize);
        self.atom(start, atom_end);
        self.floor = end;
        self.images += u32::from(open.image);
        if open.image && !self.heading {
            self.scratch.cuts.truncate(open.cuts as usize);
            self.cut(start, end, false);
        } else {
            self.cut(start, open.bracket as usize + 1, false);
            self.cut(at, end, false);
        }
        if !open.image {
            self.disabled = self.scratch.open.len();
        }
        end
    }

    /// The end of `(destination "title")`.
    fn target(&mut self, paren: usize) -> Result<Option<usize>, Doubt> {
        let mut target = Target { bytes: self.bytes, at: paren + 1, lines: false };
        let whole = target.scan()?;
        if self.quoted && target.lines {
            return Err(Doubt::Quoted);
        }
        if whole.is_none() {
            self.burn(target.at - paren)?;
        }
        Ok(whole.map(|()| target.at))
    }

    /// `[text][label]`, `[label][]` or `[label]`, in a text with definitions.
    fn reference(&mut self, open: Open, at: usize) -> Result<usize, Doubt> {
        // The parser would take the bracket for one, escaped or not.
        if self.bytes[at + 1..].starts_with(br"\[") {
            return Err(Doubt::Tokens);
        }
        let collapsed = self.bytes[at + 1..].starts_with(b"[]");
        if !collapsed
            && self.bytes.get(at + 1) == Some(&b'[')
            && let Some(label) = self.label(at + 1)?
        {
            self.no_reference = label;
            let end = label + 1;
            return Ok(if self.is_defined(at + 2, label)? { self.link(open, at, end, end) } else { at + 1 });
        }
        let bracket = open.bracket as usize;
        if self.no_reference == at || self.label(bracket)? != Some(at) || !self.is_defined(bracket + 1, at)? {
            return Ok(at + 1);
        }
        let end = at + if collapsed { 3 } else { 1 };
        Ok(self.link(open, at, at + 1, end))
    }

    fn is_defined(&self, start: usize, end: usize) -> Result<bool, Doubt> {
        let label = std::str::from_utf8(&self.bytes[start..end]).unwrap_or_default();
        // In a table, this stands for a pipe.
        if label.contains("\\|") {
            return Err(Doubt::Label);
        }
        self.labels.lookup(label).ok_or(Doubt::Label)
    }

    /// The closing bracket of the label that begins at `at`; none if there is another bracket before, or nothing but white space.
    fn label(&mut self, at: usize) -> Result<Option<usize>, Doubt> {
        if self.byte(at + 1) == b'^' {
            return Err(Doubt::Footnote);
        }
        let (mut next, mut is_empty) = (at + 1, true);
        loop {
            if next - at > MOST_LABEL {
                return Err(Doubt::Label);
            }
            match self.bytes.get(next) {
                None | Some(b'[') => return Ok(None),
                Some(b']') => break,
                Some(b'\\') if self.byte(next + 1).is_ascii_punctuation() => {
                    is_empty = false;
                    next += 1;
                }
                Some(b'\n') if self.quoted => return Err(Doubt::Quoted),
                Some(b) => is_empty &= is_white(*b),
            }
            next += 1;
        }
        Ok((!is_empty).then_some(next))
    }
}

struct Target<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whether it goes over a line end.
    lines: bool,
}

impl Target<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn scan(&mut self) -> Result<Option<()>, Doubt> {
        self.separator();
        if self.destination().is_none() {
            return Ok(None);
        }
        self.separator();
        if self.title()? {
            self.separator();
        }
        Ok((self.peek() == Some(b')')).then(|| self.at += 1))
    }

    #[inline]
    fn separator(&mut self) {
        if self.peek().is_some_and(is_white) {
            self.pass_white();
        }
    }

    /// Goes over white space with at most one line end in it.
    fn pass_white(&mut self) {
        let blanks = |bytes: &[u8]| bytes.iter().take_while(|b| is_blank(**b)).count();
        self.at += blanks(&self.bytes[self.at..]);
        let rest = &self.bytes[self.at..];
        let line_end = usize::from(rest.starts_with(b"\n")) + 2 * usize::from(rest.starts_with(b"\r\n"));
        self.lines |= line_end > 0;
        self.at += line_end + blanks(&rest[line_end..]);
    }

    fn destination(&mut self) -> Option<()> {
        if self.peek() == Some(b'<') {
            return self.pointed();
        }
        let mut depth = 0;
        loop {
            let rest = &self.bytes[self.at..];
            self.at += before_class(rest, &IS_MARK);
            match self.peek() {
                None | Some(0..=b' ') => break,
                Some(b'(') if depth > MOST_PARENS => return None,
                Some(b'(') => depth += 1,
                Some(b')') if depth == 0 => break,
                Some(b')') => depth -= 1,
                Some(_) => self.at += self.escaped(),
            }
            self.at += 1;
        }
        (depth == 0).then_some(())
    }

    fn pointed(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            match self.peek()? {
                b'\n' | b'\r' | b'<' => return None,
                b'\\' => self.at += self.escaped(),
                b'>' => {
                    self.at += 1;
                    return Some(());
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// How many bytes more than itself the backslash here takes.
    fn escaped(&self) -> usize {
        usize::from(self.bytes.get(self.at + 1).is_some_and(u8::is_ascii_punctuation))
    }

    /// Goes behind a title, if there is one.
    fn title(&mut self) -> Result<bool, Doubt> {
        let Some(open @ (b'"' | b'\'' | b'(')) = self.peek() else { return Ok(false) };
        let close = if open == b'(' { b')' } else { open };
        let start = self.at;
        self.at += 1;
        while let Some(b) = self.peek() {
            match b {
                _ if b == close => {
                    self.at += 1;
                    return Ok(true);
                }
                _ if b == open => break,
                b'\\' => self.at += self.escaped(),
                b'\n' => self.line_end_in_title()?,
                _ => {}
            }
            self.at += 1;
        }
        self.at = start;
        Ok(false)
    }

    /// The parser goes on at the first token of the next line, which is the escaped character where that begins with an escape.
    fn line_end_in_title(&mut self) -> Result<(), Doubt> {
        self.lines = true;
        let next = self.bytes[self.at + 1..].iter().find(|b| !is_blank(**b));
        if next == Some(&b'\\') { Err(Doubt::Tokens) } else { Ok(()) }
    }
}
