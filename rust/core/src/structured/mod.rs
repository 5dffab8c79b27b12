//! text -> blocks under Markdown and weak headings, with questions and answers, lists and steps told apart.
//!
//! 1. [`crate::lex`] reads the Markdown; what it marks is never read again;
//! 2. [`lines`] reads the lines of each stretch of paragraphs and lists, with [`marks`] and [`titles`];
//! 3. [`group`] makes blocks of them;
//! 4. the builder here names their title paths.
//!
//! `docs/strategies.md`, sections 4.1 to 4.3, has the rules. All of it is linear in the length of the text, whatever the text.

mod builder;
mod forms;
mod group;
mod lines;
mod marks;
mod parts;
mod ranks;
mod steps;
mod titles;

use crate::block::{BlockKind, Document};
use crate::lex::lex;
use crate::span::Span;
use crate::text::BOM;
use builder::Builder;
use group::Group;
use lines::{Line, Reading};
use marks::mark;
use titles::{colon_title, marked_title};

/// What a block is to the structured strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum BlockType {
    /// A heading, of Markdown or weak.
    Heading,
    /// A question with its answer.
    Qa,
    /// A numbered list that tells what to do.
    Steps,
    /// Another list.
    List,
    /// Everything else.
    Paragraph,
}

impl BlockType {
    /// The name that users see.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Heading => "heading",
            Self::Qa => "qa",
            Self::Steps => "steps",
            Self::List => "list",
            Self::Paragraph => "paragraph",
        }
    }
}

/// What a block is beyond its place in the document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StructuredBlock {
    /// What it is.
    pub block_type: BlockType,
    /// Of headings: 1 to 6 by Markdown, or what the form of a weak one says by convention; else 0.
    pub level: u8,
    /// Where the marker of a weak heading stands in the text: all of it for `【…】`, nothing where it ends in a colon.
    pub marker: Span,
    /// A heading that Markdown does not mark.
    pub weak: bool,
    /// A weak heading whose line is more than its text.
    pub shown: bool,
    /// A heading, another place or something dropped stands between it and the block in front.
    pub apart: bool,
}

/// A document cut into structured blocks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Structured {
    /// The blocks, without those that are dropped. A weak heading's level is that of its path: deeper than all of Markdown's, the same for all of one form.
    pub document: Document,
    /// What each of the document's blocks is.
    pub blocks: Vec<StructuredBlock>,
}

/// Cuts a text into structured blocks.
#[must_use]
pub fn parse(text: &str, weak_headings: bool) -> Structured {
    Builder::new(text, lex(text), weak_headings).build()
}

/// Cuts the paragraphs and lists of a document that has blocks already into structured ones.
#[must_use]
pub fn from_document(text: &str, document: &Document, weak_headings: bool) -> Structured {
    Builder::new(text, document.clone(), weak_headings).build()
}

/// Level and plain text of a line that is a heading by Markdown.
#[must_use]
pub fn markdown_heading(line: &str) -> Option<(u8, String)> {
    let document = lex(line);
    match &document.blocks[..] {
        [block] if block.kind == BlockKind::Heading && block.path != 0 => {
            Some((block.level, document.title(block.path).to_owned()))
        }
        _ => None,
    }
}

/// Level and text of a line that reads as a weak heading. Whether it is one depends on the lines around it.
#[must_use]
pub fn weak_heading(line: &str) -> Option<(u8, String)> {
    let line = line.strip_prefix(BOM).unwrap_or(line).trim();
    if line.contains(['\n', '\r']) {
        return None;
    }
    let title = marked_title(line).or_else(|| colon_title(line, mark(line)))?;
    Some((title.form.level(), line[title.text].to_string()))
}

/// The type of a block with this text under these titles.
#[must_use]
pub fn classify<S: AsRef<str>>(text: &str, title_path: &[S]) -> BlockType {
    let start = if text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
    let mut lines = Vec::new();
    let reading = Reading { text, span: Span::new(start, text.len()), weak_headings: false, followed: false };
    reading.lines(&[], 0, &mut lines);
    if lines.is_empty() {
        return BlockType::Paragraph;
    }
    let group = Group { reading, lines: &lines };
    match group.block(0) {
        (BlockType::Qa, _) => BlockType::Qa,
        (BlockType::List, _) if lines.iter().all(|line| line.is_list_line() || line.is_in_list()) => {
            let is_instructive =
                || steps::is_instructive(text) || title_path.iter().any(|title| steps::is_instructive(title.as_ref()));
            if is_numbered(&lines) && is_instructive() { BlockType::Steps } else { BlockType::List }
        }
        _ => BlockType::Paragraph,
    }
}

/// Whether a line of a list has a number.
fn is_numbered(lines: &[Line]) -> bool {
    lines.iter().any(Line::is_numbered_list_line)
}

#[cfg(test)]
mod tests;
