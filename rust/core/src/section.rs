//! blocks -> sections: runs of blocks that may share a chunk.

use std::ops::Range;

use crate::block::{Block, BlockKind, Document};
use crate::span::Span;
use crate::text::is_blank;

/// Blocks that may share a chunk: equal heading path and place, split the same way, nothing foreign between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Indices of the blocks.
    pub blocks: Range<usize>,
    /// The heading path of its chunks.
    pub path: u32,
}

/// The sections of a document by the rules of the structure strategy.
#[must_use]
pub fn sections(text: &str, document: &Document) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut previous: Option<&Block> = None;
    for (index, block) in document.blocks.iter().enumerate() {
        let dropped = block.kind.is_dropped();
        if block.kind == BlockKind::Heading {
            if is_bare(document, index) {
                let path = document.paths[block.path as usize].parent;
                sections.push(Section { blocks: index..index + 1, path });
            }
        } else if !dropped {
            let joins = previous.is_some_and(|before| joins(text, before, block));
            match sections.last_mut() {
                Some(section) if joins => section.blocks.end = index + 1,
                _ => sections.push(Section { blocks: index..index + 1, path: block.path }),
            }
        }
        previous = Some(block);
    }
    sections
}

/// Whether a block may share a section with the block in front of it.
fn joins(text: &str, before: &Block, block: &Block) -> bool {
    before.kind.is_prose()
        && block.kind.is_prose()
        && before.path == block.path
        && before.place == block.place
        && is_blank(text, Span { start: before.span.end, end: block.span.start })
}

/// Whether a heading has nothing under it and must be said by a chunk of its own: the next block that is not dropped is a heading of the same or
/// a higher level, or there is none. A heading without text says nothing; a deeper one is passed over.
fn is_bare(document: &Document, index: usize) -> bool {
    let heading = &document.blocks[index];
    let has_text = |block: &Block| block.path != 0 && document.paths[block.path as usize].level == block.level;
    let counts = |block: &&Block| match block.kind {
        BlockKind::Heading => has_text(block) || block.level <= heading.level,
        kind => !kind.is_dropped(),
    };
    has_text(heading)
        && match document.blocks[index + 1..].iter().find(counts) {
            None => true,
            Some(next) if next.kind == BlockKind::Heading && next.level <= heading.level => true,
            // A ready-made block may have a path of its own.
            Some(next) => !document.is_on_path(next.path, document.title(heading.path)),
        }
}
