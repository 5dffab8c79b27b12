//! What begins with `<`: autolinks and tags.

use memchr::memmem;

use super::delimiters::is_white;
use super::{Doubt, Run};

impl Run<'_> {
    pub(super) fn angle(&mut self, at: usize) -> Result<usize, Doubt> {
        let rest = &self.bytes[at + 1..];
        if let Some(length) = uri(rest).or_else(|| email(rest)) {
            let end = at + 1 + length;
            if self.heading {
                self.cut(at, at + 1, false);
                self.cut(at + 1, end - 1, true);
                self.cut(end - 1, end, false);
            }
            return Ok(self.atom(at, end));
        }
        // An address may begin with `!--`, too.
        match rest {
            [b'!', b'-', b'-', ..] => return self.comment(at),
            [b'!', b'[' | b'a'..=b'z' | b'A'..=b'Z', ..] | [b'?', ..] => return Err(Doubt::Markup),
            _ => {}
        }
        match self.tag(at + 1)? {
            Some(end) => Ok(self.markup(at, end)),
            None => Ok(at + 1),
        }
    }

    fn markup(&mut self, at: usize, end: usize) -> usize {
        if self.heading {
            self.cut(at, end, false);
        }
        self.atom(at, end)
    }

    /// A comment: up to the first `-->`, of whose dashes those that open it may be part. Where one ends nowhere, the parser notes how far it has
    /// looked; the next ones would find no end either.
    fn comment(&mut self, at: usize) -> Result<usize, Doubt> {
        let Some(length) = memmem::find(&self.bytes[at + 2..], b"-->") else {
            self.burn(self.bytes.len() - at)?;
            return Ok(at + 1);
        };
        let end = at + 2 + length + 3;
        if self.quoted && self.bytes[at..end].contains(&b'\n') {
            return Err(Doubt::Quoted);
        }
        Ok(self.markup(at, end))
    }

    /// The end of the tag whose `<` stands in front of `at`.
    fn tag(&mut self, at: usize) -> Result<Option<usize>, Doubt> {
        let mut tag = Tag { bytes: self.bytes, at, lines: false };
        let whole = tag.scan();
        if self.quoted && tag.lines {
            return Err(Doubt::Quoted);
        }
        if whole.is_none() {
            self.burn(tag.at - at)?;
        }
        Ok(whole.map(|()| tag.at))
    }
}

/// The end of the tag that a line begins with.
pub(in crate::lex) fn whole_tag(line: &[u8]) -> Option<usize> {
    let line = line.trim_ascii_end();
    let mut tag = Tag { bytes: line, at: 1, lines: false };
    tag.scan().map(|()| tag.at)
}

struct Tag<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whether it goes over a line end.
    lines: bool,
}

impl Tag<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn pass(&mut self, accepts: impl Fn(u8) -> bool) -> usize {
        let length = self.bytes[self.at..].iter().take_while(|b| accepts(**b)).count();
        self.at += length;
        length
    }

    fn white(&mut self) -> usize {
        let from = self.at;
        let length = self.pass(is_white);
        self.lines |= self.bytes[from..self.at].contains(&b'\n');
        length
    }

    fn scan(&mut self) -> Option<()> {
        let closes = self.peek() == Some(b'/');
        self.at += usize::from(closes);
        if self.pass(|b| b.is_ascii_alphabetic()) == 0 {
            return None;
        }
        self.pass(|b| b.is_ascii_alphanumeric() || b == b'-');
        if closes {
            self.pass(|b| is_white(b) && b != b'\n' && b != b'\r');
        } else {
            self.attributes()?;
        }
        self.at += usize::from(!closes && self.peek() == Some(b'/'));
        (self.peek()? == b'>').then(|| self.at += 1)
    }

    fn attributes(&mut self) -> Option<()> {
        loop {
            let white = self.white();
            if matches!(self.peek()?, b'/' | b'>') {
                return Some(());
            }
            if white == 0 {
                return None;
            }
            self.attribute()?;
        }
    }

    fn attribute(&mut self) -> Option<()> {
        if !matches!(self.peek()?, b'a'..=b'z' | b'A'..=b'Z' | b'_' | b':') {
            return None;
        }
        self.pass(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':' | b'-'));
        let name_end = self.at;
        self.white();
        if self.peek() != Some(b'=') {
            // This white space stands in front of the next attribute.
            self.at = name_end;
            return Some(());
        }
        self.at += 1;
        self.white();
        let quote = self.peek()?;
        if !matches!(quote, b'"' | b'\'') {
            let length = self.pass(|b| !matches!(b, b'\'' | b'"' | b' ' | b'=' | b'>' | b'<' | b'`' | b'\n' | b'\r'));
            return (length > 0).then_some(());
        }
        self.at += 1;
        let from = self.at;
        self.pass(|b| b != quote);
        self.lines |= self.bytes[from..self.at].contains(&b'\n');
        self.peek()?;
        self.at += 1;
        Some(())
    }
}

/// The length of an absolute URI and the `>` behind it.
fn uri(rest: &[u8]) -> Option<usize> {
    let scheme = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'+');
    let colon = rest.iter().take(34).take_while(|b| scheme(b)).count();
    if !rest.first()?.is_ascii_alphabetic() || !(2..=32).contains(&colon) || *rest.get(colon)? != b':' {
        return None;
    }
    let end = rest.iter().position(|b| matches!(b, b'>' | b'<' | 0..=b' '))?;
    (rest[end] == b'>').then_some(end + 1)
}

/// The length of an address and the `>` behind it.
fn email(rest: &[u8]) -> Option<usize> {
    let local = |b: &&u8| b.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(b);
    let mut at = rest.iter().take_while(local).count();
    if at == 0 || *rest.get(at)? != b'@' {
        return None;
    }
    loop {
        at += 1;
        let label = rest[at..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
        if !(1..=63).contains(&label) || rest[at] == b'-' || rest[at + label - 1] == b'-' {
            return None;
        }
        at += label;
        match rest.get(at)? {
            b'.' => {}
            b'>' => return Some(at + 1),
            _ => return None,
        }
    }
}
