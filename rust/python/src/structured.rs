//! Blocks of the structured strategy, for Python to look at.

use chunkwright_core::position::Positions;
use chunkwright_core::structured::{StructuredBlock, classify, from_document, markdown_heading, parse, weak_heading};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::input::{BadInput, Body, document, text};
use crate::view::last_char;

#[pyfunction]
pub(crate) fn parse_markdown_heading(line: &Bound<'_, PyAny>) -> PyResult<Option<(u8, String)>> {
    Ok(markdown_heading(&text(line, None)?))
}

#[pyfunction]
pub(crate) fn parse_weak_heading(line: &Bound<'_, PyAny>) -> PyResult<Option<(u8, String)>> {
    Ok(weak_heading(&text(line, None)?))
}

#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "as Python gives it")]
pub(crate) fn classify_block(text: &Bound<'_, PyAny>, title_path: Vec<String>) -> PyResult<&'static str> {
    Ok(classify(&crate::input::text(text, None)?, &title_path).name())
}

/// For each block: type, text, level, marker, title path, start and end in characters, first and last line, page.
#[pyfunction]
#[pyo3(signature = (source, weak_headings))]
pub(crate) fn parse_structured_blocks<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    weak_headings: bool,
) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    let input = document(source, None, None)?;
    let name = input.document_id.clone();
    let read = py.detach(|| {
        if let Body::Markdown(text) = input.body {
            let structured = parse(&text, weak_headings);
            return Ok((text, structured));
        }
        let (text, document) = input.body.document()?;
        let structured = from_document(&text, &document, weak_headings);
        Ok((text, structured))
    });
    let (text, structured) = read.map_err(|bad: BadInput| bad.error(py, name.as_deref()))?;
    let positions = Positions::of(&text);
    let document = &structured.document;
    let tuple = |(block, known): (&chunkwright_core::block::Block, &StructuredBlock)| {
        let (start, end) = (block.span.start as usize, block.span.end as usize);
        let last = last_char(&text, end);
        let path = document.path(block.path);
        let is_heading = known.block_type == chunkwright_core::structured::BlockType::Heading;
        let words = if is_heading { path.last().copied().unwrap_or_default() } else { &text[start..end] };
        (
            known.block_type.name(),
            words,
            known.level,
            &text[known.marker.range()],
            PyTuple::new(py, &path)?,
            positions.char_at(&text, start),
            positions.char_at(&text, end),
            positions.line_at(&text, start),
            positions.line_at(&text, last),
            document.places[block.place as usize].page,
        )
            .into_pyobject(py)
    };
    document.blocks.iter().zip(&structured.blocks).map(tuple).collect()
}
