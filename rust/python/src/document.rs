//! Blocks of a Markdown text, for Python to look at.

use std::sync::Arc;

use chunkwright_core::block::{BlockKind, Document};
use chunkwright_core::engine::language;
use chunkwright_core::position::Positions;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::input::{Body, Text, text};

/// A lexed text: what a `ParsedDocument` made by `parse_markdown` keeps, so that chunking it does not lex again.
#[pyclass(frozen, module = "chunkwright._native")]
pub(crate) struct Lexed {
    pub(crate) text: Arc<Text>,
    pub(crate) document: Arc<Document>,
}

#[pymethods]
impl Lexed {
    /// The fields of every block, as keyword arguments of `Block`.
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let positions = Positions::of(&self.text);
        (0..self.document.blocks.len()).map(|index| self.block(py, index, &positions)).collect()
    }
}

impl Lexed {
    fn block<'py>(&self, py: Python<'py>, index: usize, positions: &Positions) -> PyResult<Bound<'py, PyDict>> {
        let (text, document) = (&*self.text, &*self.document);
        let block = &document.blocks[index];
        let (start, end) = (block.span.start as usize, block.span.end as usize);
        let fields = PyDict::new(py);
        fields.set_item("kind", block.kind.name())?;
        fields.set_item("text", PyString::new(py, &text[start..end]))?;
        fields.set_item("start_char", positions.char_at(text, start))?;
        fields.set_item("end_char", positions.char_at(text, end))?;
        fields.set_item("start_byte", start)?;
        fields.set_item("end_byte", end)?;
        fields.set_item("start_line", positions.line_at(text, start))?;
        fields.set_item("end_line", positions.line_at(text, end - 1))?;
        fields.set_item("heading_path", PyTuple::new(py, document.path(block.path))?)?;
        fields.set_item("level", (block.kind == BlockKind::Heading).then_some(block.level))?;
        fields.set_item("language", language(document, block, text))?;
        fields.set_item("page", document.places[block.place as usize].page)?;
        Ok(fields)
    }
}

#[pyfunction]
#[pyo3(signature = (markdown, name = None))]
pub(crate) fn lex(py: Python<'_>, markdown: &Bound<'_, PyAny>, name: Option<&str>) -> PyResult<Lexed> {
    let text = Arc::new(text(markdown, name)?);
    let read = || Body::Markdown(text).document();
    let (text, document) = py.detach(read).map_err(|bad| bad.error(py, name))?;
    Ok(Lexed { text, document })
}
