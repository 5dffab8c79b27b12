//! A document with its chunks as columns, and one chunk of it.

use std::sync::{Arc, OnceLock};

use chunkwright_core::block::{BlockKind, BoundingBox, Document, Place};
use chunkwright_core::chunk::{Chunks, Role, Row};
use chunkwright_core::engine::language;
use chunkwright_core::ident;
use chunkwright_core::position::Positions;
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
}

/// A document with its chunks: what views refer to.
pub(crate) struct Source {
    pub(crate) text: Arc<Text>,
    pub(crate) document: Arc<Document>,
    pub(crate) chunks: Chunks,
    pub(crate) label: Arc<Label>,
    pub(crate) document_id: OnceLock<String>,
    pub(crate) positions: OnceLock<Positions>,
    pub(crate) metadata: Option<Py<PyDict>>,
}

impl Source {
    pub(crate) fn document_id(&self) -> &str {
        self.document_id.get_or_init(|| ident::document_id(&self.text))
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
            let text = source.chunks.segment_text(&source.text, *segment).to_string();
            let bytes =
                (segment.role != Role::Synthetic).then_some((segment.span.start as usize, segment.span.end as usize));
            let char_at = |byte| positions.char_at(&source.text, byte);
            let chars = bytes.map(|(start, end)| (char_at(start), char_at(end)));
            Segment { role: segment.role, text, bytes, chars }
        };
        source.chunks.segments_of(self.row()).iter().map(convert).collect()
    }

    pub(crate) fn kinds(&self) -> Vec<String> {
        let mut kinds: Vec<&str> = Vec::new();
        for block in &self.source.document.blocks[self.row().blocks.range()] {
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
        Ok(metadata)
    }

    /// Every field, as a chunk made by hand has them.
    pub(crate) fn fields(&self) -> Fields {
        let (row, source) = (self.row(), &self.source);
        let (text, positions, content) = (&*source.text, source.positions(), self.content());
        let (start, end) = (row.body.start as usize, row.body.end as usize);
        let place = self.place();
        Fields {
            chunk_id: ident::chunk_id(source.document_id(), self.row, &content),
            chunk_index: self.row,
            token_count: Some(row.tokens as usize),
            chars: (positions.char_at(text, start), positions.char_at(text, end)),
            bytes: (start, end),
            lines: (positions.line_at(text, start), positions.line_at(text, last_char(text, end))),
            heading_path: source.document.path(row.path).into_iter().map(String::from).collect(),
            kinds: self.kinds(),
            language: self.language(),
            page: place.page,
            segments: self.segments(),
            content_hash: Some(ident::content_hash(&content)),
            strategy: source.label.strategy.into(),
            strategy_version: source.label.version.into(),
            fingerprint: source.label.fingerprint.clone(),
            split_reason: row.reason.name().into(),
            content,
        }
    }
}

pub(crate) fn last_char(text: &str, end: usize) -> usize {
    text[..end].char_indices().next_back().map_or(0, |(at, _)| at)
}
