//! Proof that a result keeps its promises: a check that knows nothing of how chunks are made.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use crate::block::{Block, BlockKind, Document};
use crate::chunk::Role;
use crate::position::Positions;
use crate::span::Span;
use crate::text::{BOM, collapsed, is_blank, is_collapsible};
use crate::tokens::Tokenizer;

/// A segment as a chunk claims it.
#[derive(Clone, Debug)]
pub struct SegmentClaim {
    /// What it is.
    pub role: Role,
    /// Its text.
    pub text: String,
    /// Its range in bytes (not for synthetic text).
    pub bytes: Option<(usize, usize)>,
    /// Its range in code points.
    pub chars: Option<(usize, usize)>,
}

/// What a chunk claims.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its content.
    pub content: String,
    /// Its segments.
    pub segments: Vec<SegmentClaim>,
    /// Its range in bytes.
    pub bytes: (usize, usize),
    /// Its range in code points.
    pub chars: (usize, usize),
    /// Its first and last line.
    pub lines: (usize, usize),
    /// Its size, if it was counted.
    pub tokens: Option<usize>,
    /// Its heading path.
    pub heading_path: Vec<String>,
    /// Its id and index.
    pub id: String,
    /// Its place in the list.
    pub index: usize,
    /// Whether the text of its segments is that of the source with each run of white space as one blank, and its range is the whole window.
    pub collapsed: bool,
}

/// The first broken promise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Index of the chunk, or none if text is in no chunk.
    pub chunk: Option<usize>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.chunk {
            Some(chunk) => write!(f, "chunk {chunk}: {}", self.what),
            None => write!(f, "{}", self.what),
        }
    }
}

/// Counts to check, if asked for.
#[derive(Clone, Default)]
pub struct Sizes {
    /// Recounts every chunk.
    pub tokenizer: Option<Tokenizer>,
    /// What no chunk may exceed.
    pub max_tokens: Option<usize>,
}

type Outcome = Result<(), Violation>;

/// Checks chunks against their source: content is its segments; ranges are exact in bytes, code points and lines; body segments follow each other without sharing
/// a byte; every character that is not white space is in one of them, but for what is dropped (front matter, thematic breaks, page markers, headings that some path
/// names); ids differ and indices run from 0; sizes are right.
///
/// # Errors
/// The first violation.
pub fn verify(text: &str, document: &Document, chunks: &[Claim], sizes: &Sizes) -> Outcome {
    let positions = Positions::of(text);
    let mut ids = HashSet::new();
    let mut covered = Coverage::new(text, document, chunks);
    for (at, claim) in chunks.iter().enumerate() {
        let check = || {
            identity(at, claim)?;
            content(claim)?;
            ranges(text, &positions, claim)?;
            size(claim, sizes)
        };
        check().map_err(|what| Violation { chunk: Some(at), what })?;
        if !ids.insert(claim.id.as_str()) {
            return Err(Violation {
                chunk: Some(at),
                what: format!("its id {} is that of an earlier chunk", claim.id),
            });
        }
        for segment in claim.segments.iter().filter(|s| s.role == Role::Body) {
            covered.add(at, segment.bytes.unwrap_or_default())?;
        }
    }
    covered.finish()
}

fn identity(at: usize, claim: &Claim) -> Result<(), String> {
    if claim.index == at { Ok(()) } else { Err(format!("its index is {}, not {at}", claim.index)) }
}

fn content(claim: &Claim) -> Result<(), String> {
    let joined: String = claim.segments.iter().map(|s| s.text.as_str()).collect();
    if joined != claim.content {
        return Err("its content is not the concatenation of its segments".into());
    }
    if claim.content.trim().is_empty() {
        return Err("it is empty".into());
    }
    Ok(())
}

fn ranges(text: &str, positions: &Positions, claim: &Claim) -> Result<(), String> {
    for segment in &claim.segments {
        if segment.role == Role::Synthetic {
            continue;
        }
        let (start, end) = segment.bytes.ok_or("a segment from the source has no range")?;
        let source = text.get(start..end).map(|source| as_claimed(source, claim.collapsed));
        if source.as_deref() != Some(segment.text.as_str()) {
            return Err(format!(
                "the source at bytes {start}..{end} is not the text of its {} segment",
                segment.role.name()
            ));
        }
        check_chars(text, positions, (start, end), segment.chars.unwrap_or_default())?;
    }
    if !claim.segments.iter().any(|s| s.role == Role::Body) {
        return Err("it has no body segment".into());
    }
    let counts = |s: &&SegmentClaim| s.role == Role::Body || claim.collapsed;
    let bodies = || claim.segments.iter().filter(counts).filter_map(|s| s.bytes);
    let hull = (bodies().map(|b| b.0).min(), bodies().map(|b| b.1).max());
    let (Some(start), Some(end)) = hull else { return Err("it has no body segment".into()) };
    if claim.bytes != (start, end) {
        return Err(format!("it claims bytes {:?}, its body has {:?}", claim.bytes, (start, end)));
    }
    check_chars(text, positions, claim.bytes, claim.chars)?;
    let last = text[..end].char_indices().next_back().map_or(0, |(at, _)| at);
    let lines = (positions.line_at(text, start), positions.line_at(text, last.max(start)));
    if claim.lines != lines {
        return Err(format!("it claims lines {:?}, its body has {lines:?}", claim.lines));
    }
    Ok(())
}

fn as_claimed(source: &str, is_collapsed: bool) -> Cow<'_, str> {
    if is_collapsed { Cow::Owned(collapsed(source)) } else { Cow::Borrowed(source) }
}

fn check_chars(text: &str, positions: &Positions, bytes: (usize, usize), chars: (usize, usize)) -> Result<(), String> {
    let counted = (positions.char_at(text, bytes.0), positions.char_at(text, bytes.1));
    if counted == chars { Ok(()) } else { Err(format!("bytes {bytes:?} are code points {counted:?}, not {chars:?}")) }
}

fn size(claim: &Claim, sizes: &Sizes) -> Result<(), String> {
    if let (Some(tokenizer), Some(tokens)) = (&sizes.tokenizer, claim.tokens) {
        let counted = tokenizer.count(&claim.content);
        if counted != tokens {
            return Err(format!("it has {counted} tokens, not {tokens}"));
        }
    }
    match (claim.tokens, sizes.max_tokens) {
        (Some(tokens), Some(most)) if tokens > most => Err(format!("it has {tokens} tokens, more than {most}")),
        _ => Ok(()),
    }
}

/// Walks over the source with the body segments.
struct Coverage<'a> {
    text: &'a str,
    /// Ranges that may be in no chunk, in order.
    dropped: Vec<Span>,
    at: usize,
    /// Whether what collapses into a blank may be in no chunk.
    collapsed: bool,
}

impl<'a> Coverage<'a> {
    fn new(text: &'a str, document: &Document, chunks: &[Claim]) -> Self {
        let named: HashSet<&str> = chunks.iter().flat_map(|c| &c.heading_path).map(String::as_str).collect();
        // A heading without text opens no path of its level, and says nothing that could be lost.
        let is_named = |heading: &Block| {
            document.paths[heading.path as usize].level != heading.level || named.contains(document.title(heading.path))
        };
        let dropped = document
            .blocks
            .iter()
            .filter(|b| b.kind.is_dropped() || (b.kind == BlockKind::Heading && is_named(b)))
            .map(|b| b.span);
        let collapsed = chunks.iter().all(|chunk| chunk.collapsed);
        Self { text, dropped: dropped.collect(), at: 0, collapsed }
    }

    fn add(&mut self, chunk: usize, (start, end): (usize, usize)) -> Outcome {
        if start < self.at {
            let what =
                format!("its body at bytes {start}..{end} begins before the body in front of it ends ({})", self.at);
            return Err(Violation { chunk: Some(chunk), what });
        }
        self.skip(start)?;
        self.at = end;
        Ok(())
    }

    fn finish(mut self) -> Outcome {
        self.skip(self.text.len())
    }

    /// Whatever lies in front of `to` must be white space or dropped.
    fn skip(&mut self, to: usize) -> Outcome {
        let mut at = self.at;
        let from = self.dropped.partition_point(|span| (span.end as usize) <= at);
        for span in &self.dropped[from..] {
            if span.start as usize >= to {
                break;
            }
            self.blank(at, span.start as usize)?;
            at = at.max(span.end as usize);
        }
        self.blank(at, to)
    }

    fn blank(&self, from: usize, to: usize) -> Outcome {
        let is_white =
            || is_blank(self.text, Span::new(from, to)) || (self.collapsed && is_collapsible(&self.text[from..to]));
        if from >= to || is_white() {
            return Ok(());
        }
        let lost = self.text[from..to].trim_matches(|c: char| c.is_whitespace() || c == BOM);
        let shown: String = lost.chars().take(40).collect();
        let at = from + self.text[from..to].find(lost).unwrap_or(0);
        Err(Violation { chunk: None, what: format!("the text {shown:?} at byte {at} is in no chunk") })
    }
}
