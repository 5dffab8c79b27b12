//! Atoms of plain text: code spans, links, addresses and formulas. `docs/strategies.md`, section 2, has the rules.
//!
//! The time is linear whatever the text. At each candidate at most one thing can match, so nothing is tried twice, and a
//! search that fails ends where another one like it could begin:
//!
//! - brackets and parentheses nest once, so that a place is passed by the searches of the last two that are open;
//! - the search for the end of a code span, title, autolink or formula ends at the mark it would begin with;
//! - what stands in front of `@` and behind it holds no `@`;
//! - where the characters of a URL end is kept, for the URLs that begin within them.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use memchr::memmem::Finder;
use memchr::{memchr_iter, memchr2, memchr3};

use crate::span::Span;
use crate::text::is_cjk;

/// An atom has at most so many bytes.
pub const MOST_BYTES: usize = 1024;

static SCHEME: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("://"));
static HOST: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("www."));

/// No further candidate.
const NONE: usize = usize::MAX;

/// Appends the atoms of `span` to `found`, in order. They do not overlap.
///
/// They depend on the text of the span alone: what stands in front of it or behind it does not matter.
pub fn atoms(text: &str, span: Span, found: &mut Vec<Span>) {
    let text = &text[span.range()];
    let candidates = Candidates::new(text.as_bytes());
    Scanner { text, bytes: text.as_bytes(), base: span.start as usize, last: 0, url_end: 0, candidates, found }.run();
}

/// The next place of each sort of candidate, or [`NONE`].
struct Candidates<'a> {
    bytes: &'a [u8],
    scheme: &'static Finder<'static>,
    host: &'static Finder<'static>,
    /// A back-tick, `[` or `<`.
    next_mark: usize,
    /// `@` or `$`.
    next_sign: usize,
    /// `://`.
    next_scheme: usize,
    /// `www.`.
    next_host: usize,
}

impl<'a> Candidates<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let (scheme, host) = (&*SCHEME, &*HOST);
        let mut new = Self { bytes, scheme, host, next_mark: 0, next_sign: 0, next_scheme: 0, next_host: 0 };
        (new.next_mark, new.next_sign) = (new.mark(0), new.sign(0));
        (new.next_scheme, new.next_host) = (new.found(new.scheme, 0), new.found(new.host, 0));
        new
    }

    fn mark(&self, at: usize) -> usize {
        memchr3(b'`', b'[', b'<', &self.bytes[at..]).map_or(NONE, |n| at + n)
    }

    fn sign(&self, at: usize) -> usize {
        memchr2(b'@', b'$', &self.bytes[at..]).map_or(NONE, |n| at + n)
    }

    fn found(&self, finder: &Finder<'_>, at: usize) -> usize {
        finder.find(&self.bytes[at..]).map_or(NONE, |n| at + n)
    }

    /// The first candidate from `at` on.
    #[inline]
    fn next(&mut self, at: usize) -> usize {
        if self.next_mark < at {
            self.next_mark = self.mark(at);
        }
        if self.next_sign < at {
            self.next_sign = self.sign(at);
        }
        if self.next_scheme < at {
            self.next_scheme = self.found(self.scheme, at);
        }
        if self.next_host < at {
            self.next_host = self.found(self.host, at);
        }
        self.next_mark.min(self.next_sign).min(self.next_scheme).min(self.next_host)
    }
}

/// State of the scan. Positions are those of the span's text.
struct Scanner<'a, 'f> {
    text: &'a str,
    bytes: &'a [u8],
    base: usize,
    /// The end of the atom in front.
    last: usize,
    /// Where the characters of the URL looked at last end; those of each URL that begins in front of it end there too.
    url_end: usize,
    candidates: Candidates<'a>,
    found: &'f mut Vec<Span>,
}

impl Scanner<'_, '_> {
    fn run(&mut self) {
        let mut at = self.candidates.next(0);
        while at != NONE {
            let next = match self.candidate(at) {
                Ok((start, end)) => {
                    self.found.push(Span::new(self.base + start, self.base + end));
                    self.last = end;
                    end
                }
                Err(next) => next,
            };
            at = self.candidates.next(next);
        }
    }

    /// The atom at a candidate, or the place behind it to go on from.
    #[inline]
    fn candidate(&mut self, at: usize) -> Result<(usize, usize), usize> {
        let atom = match self.bytes[at] {
            b'`' => {
                let behind = self.ticks_end(at);
                return self.code(at, behind - at).ok_or(behind);
            }
            b'[' => self.link(at),
            b'<' => self.autolink(at),
            b'$' => self.formula(at),
            b'@' => self.address(at),
            b':' => self.scheme_url(at),
            _ => self.url(at, "www.".len()),
        };
        atom.ok_or(at + 1)
    }

    /// The text up to where an atom that begins at `start` may end.
    fn window(&self, start: usize) -> &[u8] {
        &self.bytes[..self.bytes.len().min(start + MOST_BYTES)]
    }

    fn at(&self, at: usize) -> Option<char> {
        self.text[at..].chars().next()
    }

    /// The end of the run of back-ticks at `at`.
    fn ticks_end(&self, at: usize) -> usize {
        self.bytes[at..].iter().position(|&byte| byte != b'`').map_or(self.bytes.len(), |n| at + n)
    }

    /// `at` is the start of a run of `ticks` back-ticks.
    fn code(&self, at: usize, ticks: usize) -> Option<(usize, usize)> {
        if ticks > 2 {
            return None;
        }
        let window = self.window(at);
        let mut open = at + ticks;
        loop {
            open = find(window, open, is_tick_or_line_end)?;
            let run = self.bytes[open..].iter().take(3).take_while(|&&byte| byte == b'`').count();
            if run == 0 {
                return None;
            }
            if run == ticks {
                let end = open + run;
                return (end <= window.len()).then_some((at, end));
            }
            open = find(window, open + run, |byte| byte != b'`')?;
        }
    }

    fn link(&self, open: usize) -> Option<(usize, usize)> {
        let image = open > 0 && self.bytes[open - 1] == b'!';
        let start = open - usize::from(image);
        let window = self.window(start);
        let close = brackets(window, open)?;
        let end = self.destination(window, close + 1)?;
        Some((start, end))
    }

    /// The end of the parentheses, directly behind the brackets, at `open`.
    fn destination(&self, window: &[u8], open: usize) -> Option<usize> {
        if window.get(open) != Some(&b'(') {
            return None;
        }
        let mut inner = false;
        let mut at = open + 1;
        loop {
            at = find(window, at, |byte| DESTINATION[usize::from(byte)])?;
            match (window[at], inner) {
                (b'(', false) => inner = true,
                (b')', true) => inner = false,
                (b')', false) => return Some(at + 1),
                (b'(', true) => return None,
                _ => match self.at(at) {
                    Some(c) if !c.is_whitespace() => at += c.len_utf8() - 1,
                    _ if inner => return None,
                    _ => return self.title(window, at),
                },
            }
            at += 1;
        }
    }

    /// The end of the parentheses that hold a title behind the white space at `at`.
    fn title(&self, window: &[u8], at: usize) -> Option<usize> {
        let rest = self.text[at..].trim_start_matches(|c: char| c.is_whitespace() && !is_line_end(c));
        let open = self.text.len() - rest.len();
        let quote = *window.get(open).filter(|byte| matches!(byte, b'"' | b'\''))?;
        let close = find(window, open + 1, |byte| byte == quote || is_line_end_byte(byte))?;
        (window[close] == quote && window.get(close + 1) == Some(&b')')).then_some(close + 2)
    }

    fn autolink(&self, open: usize) -> Option<(usize, usize)> {
        let window = self.window(open);
        if !window.get(open + 1)?.is_ascii_alphabetic() {
            return None;
        }
        let mut at = open + 2;
        let mut address = false;
        loop {
            at = find(window, at, |byte| AUTOLINK[usize::from(byte)])?;
            match window[at] {
                b'>' => return address.then_some((open, at + 1)),
                b':' | b'@' => address = true,
                byte if byte.is_ascii() => return None,
                _ => {
                    let c = self.at(at)?;
                    if c.is_whitespace() {
                        return None;
                    }
                    at += c.len_utf8() - 1;
                }
            }
            at += 1;
        }
    }

    fn formula(&self, open: usize) -> Option<(usize, usize)> {
        let window = self.window(open);
        let signs = if window.get(open + 1) == Some(&b'$') { 2 } else { 1 };
        let inner = open + signs;
        if self.at(inner).is_none_or(|c| c == '$' || c.is_whitespace()) {
            return None;
        }
        let close = find(window, inner, |byte| byte == b'$' || is_tick_or_line_end(byte))?;
        let end = close + signs;
        let closes = window.get(close..end)?.iter().all(|&byte| byte == b'$');
        let last = self.text[..close].chars().next_back();
        let digit = self.bytes.get(end).is_some_and(u8::is_ascii_digit);
        (closes && !digit && !last.is_none_or(|c| c == '\\' || c.is_whitespace())).then_some((open, end))
    }

    fn address(&self, sign: usize) -> Option<(usize, usize)> {
        let front = &self.bytes[self.last..sign];
        let local = front.iter().rev().take_while(|&&byte| LOCAL[usize::from(byte)]).count();
        let behind = &self.bytes[sign + 1..];
        let mut host = behind.iter().position(|&byte| !is_host(byte)).map_or(behind, |n| &behind[..n]);
        while let [rest @ .., b'.' | b'-'] = host {
            host = rest;
        }
        let (start, end) = (sign - local, sign + 1 + host.len());
        (local > 0 && host.contains(&b'.') && end - start <= MOST_BYTES).then_some((start, end))
    }

    /// `at` is the place of `://`.
    fn scheme_url(&mut self, at: usize) -> Option<(usize, usize)> {
        let front = &self.bytes[self.last..at];
        let scheme = ["https", "http", "ftp"].into_iter().find(|scheme| front.ends_with(scheme.as_bytes()))?;
        self.url(at - scheme.len(), scheme.len() + "://".len())
    }

    /// A URL that begins with `prefix` bytes at `start`.
    fn url(&mut self, start: usize, prefix: usize) -> Option<(usize, usize)> {
        if start > 0 && self.bytes[start - 1].is_ascii_alphanumeric() {
            return None;
        }
        if self.url_end <= start {
            self.url_end = self.url_characters(start);
        }
        let url = &self.bytes[start..self.url_end];
        let length = if url.len() > MOST_BYTES { 0 } else { trimmed(url) };
        (length > prefix).then_some((start, start + length))
    }

    fn url_characters(&self, mut at: usize) -> usize {
        loop {
            let Some(stop) = find(self.bytes, at, |byte| URL[usize::from(byte)]) else { return self.bytes.len() };
            match self.at(stop) {
                Some(c) if !c.is_ascii() && !c.is_whitespace() && !is_cjk(c) => at = stop + c.len_utf8(),
                _ => return stop,
            }
        }
    }
}

/// The place of the `]` that belongs to the `[` at `open`, if brackets between nest at most once.
fn brackets(window: &[u8], open: usize) -> Option<usize> {
    let mut inner = false;
    let mut at = open + 1;
    loop {
        at = find(window, at, |byte| matches!(byte, b'[' | b']' | b'\n' | b'\r'))?;
        match (window[at], inner) {
            (b'[', false) => inner = true,
            (b']', true) => inner = false,
            (b']', false) => return Some(at),
            _ => return None,
        }
        at += 1;
    }
}

/// The length of the characters of a URL without the marks at their end that belong to the text around it.
fn trimmed(url: &[u8]) -> usize {
    let mut extra = memchr_iter(b')', url).count().saturating_sub(memchr_iter(b'(', url).count());
    let mut rest = url;
    while let [front @ .., last] = rest {
        match last {
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b'\'' | b'*' | b'_' | b'~' => {}
            b')' if extra > 0 => extra -= 1,
            _ => break,
        }
        rest = front;
    }
    rest.len()
}

#[inline(always)]
fn find(bytes: &[u8], at: usize, stops: impl Fn(u8) -> bool) -> Option<usize> {
    bytes.get(at..)?.iter().position(|&byte| stops(byte)).map(|n| at + n)
}

const fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

const fn is_line_end_byte(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

const fn is_tick_or_line_end(byte: u8) -> bool {
    matches!(byte, b'`' | b'\n' | b'\r')
}

const fn is_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')
}

/// A byte that is white space, or that white space of several bytes begins with.
const fn may_be_white(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ' | 0xC2 | 0xE1..=0xE3)
}

/// What is looked at between the parentheses of a link.
static DESTINATION: [bool; 256] = table(b"()", false);
/// What is looked at within an autolink.
static AUTOLINK: [bool; 256] = table(b"<>:@", false);
/// What may end a URL.
static URL: [bool; 256] = table(b"<>\"`", true);
/// What stands in front of the `@` of an address.
static LOCAL: [bool; 256] = local();

/// The bytes of `marks` and those that may be white space; `wide`: and all that a character of several bytes begins with.
const fn table(marks: &[u8], wide: bool) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = may_be_white(byte as u8) || (wide && byte >= 0xC0);
        byte += 1;
    }
    let mut i = 0;
    while i < marks.len() {
        table[marks[i] as usize] = true;
        i += 1;
    }
    table
}

const fn local() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    let marks = b".!#$%&'*+-/=?^_{|}~";
    let mut i = 0;
    while i < marks.len() {
        table[marks[i] as usize] = true;
        i += 1;
    }
    table
}
