//! A document with its chunks as columns, and one chunk of it.

use std::sync::{Arc, OnceLock};

use chunkwright_core::block::{Block, BlockKind, BoundingBox, Document, Place};
use chunkwright_core::chunk::{Chunks, Role, Row, SizeUnit};
use chunkwright_core::engine::language;
use chunkwright_core::ident;
use chunkwright_core::position::Positions;
use chunkwright_core::strategy::{Ids, Prepared, Strategy};
use chunkwright_core::structured::{BlockType, StructuredBlock};
use chunkwright_core::tokens::Tokenizer;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::chunk::Fields;
use crate::input::Text;
use crate::segment::Segment;

/// What all chunks of a chunker have in common.
pub(crate) struct Label {
    pub(crate) strategy: &'static str,
    pub(crate) version: &'static str,
    pub(crate) fingerprint: String,
    pub(crate) unit: SizeUnit,
    pub(crate) ids: Ids,
    /// Whether chunks know the kinds of their blocks.
    pub(crate) has_blocks: bool,
    /// What counts the tokens of chunks that were not sized by them.
    pub(crate) counter: Option<Tokenizer>,
}

impl Label {
    pub(crate) fn of(strategy: &dyn Strategy) -> Self {
        Self {
            strategy: strategy.name(),
            version: strategy.version(),
            fingerprint: strategy.fingerprint(),
            unit: strategy.unit(),
            ids: strategy.ids(),
            has_blocks: strategy.has_blocks(),
            counter: strategy.counter().copied(),
        }
    }
}

/// A document with its chunks: what views refer to.
pub(crate) struct Source {
    pub(crate) text: Arc<Text>,
    pub(crate) document: Arc<Document>,
    /// What the structured strategy knows of each block.
    pub(crate) types: Vec<StructuredBlock>,
    pub(crate) chunks: Chunks,
    pub(crate) label: Arc<Label>,
    pub(crate) document_id: OnceLock<String>,
    pub(crate) positions: OnceLock<Positions>,
    pub(crate) metadata: Option<Py<PyDict>>,
    heading_levels: OnceLock<Vec<u8>>,
    section_indices: OnceLock<Vec<usize>>,
}

impl Source {
    pub(crate) fn new(
        (text, prepared): (Arc<Text>, Prepared),
        chunks: Chunks,
        label: Arc<Label>,
        document_id: Option<String>,
        metadata: Option<Py<PyDict>>,
    ) -> Self {
        Self {
            text,
            document: prepared.document,
            types: prepared.types,
            chunks,
            label,
            document_id: document_id.map_or_else(OnceLock::new, OnceLock::from),
            positions: OnceLock::new(),
            metadata,
            heading_levels: OnceLock::new(),
            section_indices: OnceLock::new(),
        }
    }

    pub(crate) fn document_id(&self) -> &str {
        self.document_id.get_or_init(|| ident::document_id(&self.text))
    }

    /// The level of the innermost heading of a path, 0 if there is none.
    fn heading_level(&self, path: u32) -> u8 {
        self.heading_levels.get_or_init(|| {
            let mut levels = vec![0; self.document.paths.len()];
            let blocks = self.document.blocks.iter().zip(&self.types);
            // An empty heading is on no path.
            let is_on_path = |block: &Block| self.document.paths[block.path as usize].level == block.level;
            for (block, known) in blocks.filter(|(block, _)| block.kind == BlockKind::Heading && is_on_path(block)) {
                levels[block.path as usize] = known.level;
            }
            levels
        })[path as usize]
    }

    /// How many sections with chunks there are in front of that of a chunk. Chunks of a section follow each other, under one path.
    fn section_index(&self, row: usize) -> usize {
        self.section_indices.get_or_init(|| {
            let mut index = 0;
            let mut before: Option<&Row> = None;
            let mut indices = Vec::with_capacity(self.chunks.rows.len());
            for row in &self.chunks.rows {
                index += usize::from(before.is_some_and(|before| self.begins_section(before, row)));
                indices.push(index);
                before = Some(row);
            }
            indices
        })[row]
    }

    fn begins_section(&self, before: &Row, row: &Row) -> bool {
        let first = row.blocks.start as usize;
        let is_heading = |at: usize| self.document.blocks[at].kind == BlockKind::Heading;
        // Lines of headings may stand alone in front of what they belong to.
        let follows = before.path == row.path
            && before.blocks.end == row.blocks.start
            && !is_heading(first)
            && (is_heading(first - 1) || !self.types[first].apart);
        !(follows || row.blocks.start < before.blocks.end)
    }

    pub(crate) fn positions(&self) -> &Positions {
        self.positions.get_or_init(|| Positions::of(&self.text))
    }
}

/// One chunk of a source.
pub(crate) struct View {
    pub(crate) source: Arc<Source>,
    pub(crate) row: usize,
}

impl View {
    pub(crate) fn row(&self) -> &Row {
        &self.source.chunks.rows[self.row]
    }

    /// The bytes of the source that it is from.
    pub(crate) fn range(&self) -> (usize, usize) {
        let span = self.source.chunks.range(self.row());
        (span.start as usize, span.end as usize)
    }

    pub(crate) fn id(&self, content: &str) -> String {
        match self.source.label.ids {
            Ids::Uuid => ident::chunk_id(self.source.document_id(), self.row, content),
            Ids::Index => format!("{}::chunk::{:04}", self.source.document_id(), self.row),
        }
    }

    pub(crate) fn token_count(&self) -> Option<usize> {
        let label = &self.source.label;
        match (label.unit, &label.counter) {
            (SizeUnit::Tokens, _) => Some(self.row().size as usize),
            (_, Some(tokenizer)) => Some(tokenizer.count(&self.content())),
            _ => None,
        }
    }

    pub(crate) fn reason(&self) -> &'static str {
        self.row().reason.name(self.source.label.unit)
    }

    pub(crate) fn content(&self) -> String {
        self.source.chunks.content(&self.source.text, self.row())
    }

    pub(crate) fn place(&self) -> &Place {
        let document = &self.source.document;
        &document.places[document.blocks[self.row().blocks.start as usize].place as usize]
    }

    pub(crate) fn segments(&self) -> Vec<Segment> {
        let (source, positions) = (&self.source, self.source.positions());
        let convert = |segment: &chunkwright_core::chunk::Segment| {
            let text = source.chunks.segment_text(&source.text, *segment).into_owned();
            let bytes =
                (segment.role != Role::Synthetic).then_some((segment.span.start as usize, segment.span.end as usize));
            let char_at = |byte| positions.char_at(&source.text, byte);
            let chars = bytes.map(|(start, end)| (char_at(start), char_at(end)));
            Segment { role: segment.role, text, bytes, chars }
        };
        source.chunks.segments_of(self.row()).iter().map(convert).collect()
    }

    /// The blocks that it is from; none for plain text, which has no blocks.
    fn blocks(&self) -> &[Block] {
        if self.source.label.has_blocks { &self.source.document.blocks[self.row().blocks.range()] } else { &[] }
    }

    pub(crate) fn kinds(&self) -> Vec<String> {
        let mut kinds: Vec<&str> = Vec::new();
        let blocks = self.blocks();
        let headings = blocks.iter().take_while(|block| block.kind == BlockKind::Heading).count();
        // A heading that is shown in front of its text is no kind of its own.
        let own = if headings < blocks.len() { headings } else { 0 };
        for block in &blocks[own..] {
            if !kinds.contains(&block.kind.name()) {
                kinds.push(block.kind.name());
            }
        }
        kinds.into_iter().map(String::from).collect()
    }

    pub(crate) fn language(&self) -> Option<String> {
        let document = &self.source.document;
        let named = |index: u32| {
            let block = &document.blocks[index as usize];
            let supplied = document.supplement(index).and_then(|s| s.language.clone());
            let is_code = block.kind == BlockKind::Code;
            let named = || language(document, block, &self.source.text).map(String::from);
            supplied.or_else(named).filter(|_| is_code)
        };
        let blocks = self.row().blocks;
        (blocks.start..blocks.end).find_map(named)
    }

    /// The smallest box around the boxes of the chunk's blocks that are on the page of the first.
    pub(crate) fn bbox(&self) -> Option<BoundingBox> {
        let document = &self.source.document;
        let blocks = self.row().blocks;
        let mut boxes = (blocks.start..blocks.end).filter_map(|block| document.supplement(block)?.bbox);
        let mut union = boxes.next()?;
        for next in boxes.filter(|next| next.page == union.page) {
            let ([x0, y0, x1, y1], [a0, b0, a1, b1]) = (union.corners, next.corners);
            union.corners = [x0.min(a0), y0.min(b0), x1.max(a1), y1.max(b1)];
        }
        Some(union)
    }

    pub(crate) fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let metadata = match &self.source.metadata {
            Some(dict) => dict.bind(py).copy()?,
            None => PyDict::new(py),
        };
        let place = self.place();
        if let Some(page) = place.page {
            metadata.set_item("page", page)?;
        }
        if let Some(sheet) = &place.sheet {
            metadata.set_item("sheet", sheet)?;
        }
        if let Some(range) = &place.cell_range {
            metadata.set_item("cell_range", range)?;
        }
        if let Some(slide) = place.slide {
            metadata.set_item("slide", slide)?;
        }
        if let Some(bbox) = self.bbox() {
            let [x0, y0, x1, y1] = bbox.corners;
            metadata.set_item("bbox", (bbox.page, x0, y0, x1, y1))?;
        }
        if !self.source.types.is_empty() {
            self.structured_metadata(&metadata)?;
        }
        Ok(metadata)
    }

    /// What the structured strategy says of a chunk.
    fn structured_metadata(&self, metadata: &Bound<'_, PyDict>) -> PyResult<()> {
        let (source, row) = (&self.source, self.row());
        let blocks = row.blocks.range();
        let is_text = |at: &usize| source.types[*at].block_type != BlockType::Heading;
        let first = blocks.clone().find(is_text).unwrap_or(blocks.start);
        let mut types: Vec<&str> = Vec::new();
        for at in first..blocks.end {
            let name = source.types[at].block_type.name();
            if !types.contains(&name) {
                types.push(name);
            }
        }
        let level = source.heading_level(row.path);
        let section = source.section_index(self.row);
        if !metadata.contains("doc_id")? {
            metadata.set_item("doc_id", source.document_id())?;
        }
        if !metadata.contains("document_version_id")? {
            metadata.set_item("document_version_id", metadata.py().None())?;
        }
        metadata.set_item("title_path", source.document.path(row.path))?;
        metadata.set_item("block_type", types.first())?;
        metadata.set_item("block_types", types)?;
        metadata.set_item("heading_level", level)?;
        metadata.set_item("section_index", section)?;
        metadata.set_item("block_start_index", first)?;
        metadata.set_item("block_end_index", blocks.end - 1)?;
        metadata.set_item("chunk_char_count", self.content().chars().count())?;
        metadata.set_item("split_reason", self.reason())?;
        metadata.set_item("chunk_strategy_version", source.label.version)
    }

    /// Every field, as a chunk made by hand has them.
    pub(crate) fn fields(&self) -> Fields {
        let source = &self.source;
        let (text, positions, content) = (&*source.text, source.positions(), self.content());
        let (start, end) = self.range();
        let place = self.place();
        Fields {
            chunk_id: self.id(&content),
            chunk_index: self.row,
            token_count: self.token_count(),
            chars: (positions.char_at(text, start), positions.char_at(text, end)),
            bytes: (start, end),
            lines: (positions.line_at(text, start), positions.line_at(text, last_char(text, end))),
            heading_path: source.document.path(self.row().path).into_iter().map(String::from).collect(),
            kinds: self.kinds(),
            language: self.language(),
            page: place.page,
            segments: self.segments(),
            content_hash: Some(ident::content_hash(&content)),
            strategy: source.label.strategy.into(),
            strategy_version: source.label.version.into(),
            fingerprint: source.label.fingerprint.clone(),
            split_reason: self.reason().into(),
            content,
        }
    }
}

pub(crate) fn last_char(text: &str, end: usize) -> usize {
    text[..end].char_indices().next_back().map_or(0, |(at, _)| at)
}
