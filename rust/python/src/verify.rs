//! `verify`: Python chunks -> claims of the core.

use std::sync::Arc;

use chunkwright_core::settings::Settings;
use chunkwright_core::strategy::{FIXED_SIZE, dropped_of};
use chunkwright_core::verify::{Claim, SegmentClaim, Sizes, verify as core_verify};
use pyo3::prelude::*;

use crate::chunk::Chunk;
use crate::errors;
use crate::input::document;

/// The first violation in words, or none.
#[pyfunction]
#[pyo3(signature = (source, chunks, tokenizer_name = None, max_tokens = None))]
pub(crate) fn verify(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    chunks: &Bound<'_, PyAny>,
    tokenizer_name: Option<&str>,
    max_tokens: Option<usize>,
) -> PyResult<Option<String>> {
    let input = document(source, None, None)?;
    let name = input.document_id.clone();
    let tokenizer = tokenizer_name.map(Settings::tokenizer).transpose().map_err(|error| errors::setting(py, &error))?;
    let sizes = Sizes { tokenizer, max_tokens };
    let claims: PyResult<Vec<(Claim, String)>> = chunks.try_iter()?.map(|chunk| claim(&chunk?)).collect();
    let claims = claims?;
    let strategy = claims.first().map(|(_, strategy)| strategy.clone()).unwrap_or_default();
    let claims: Vec<Claim> = claims.into_iter().map(|(claim, _)| claim).collect();
    let result = py.detach(|| {
        let (text, document) = input.body.document()?;
        let document = dropped_of(&strategy, &text, Arc::unwrap_or_clone(document));
        Ok(core_verify(&text, &document, &claims, &sizes).err().map(|violation| violation.to_string()))
    });
    result.map_err(|bad: crate::input::BadInput| bad.error(py, name.as_deref()))
}

/// What a chunk claims, and its strategy.
fn claim(chunk: &Bound<'_, PyAny>) -> PyResult<(Claim, String)> {
    let fields = chunk.cast::<Chunk>()?.get().fields();
    let segment = |segment: crate::segment::Segment| SegmentClaim {
        role: segment.role,
        text: segment.text,
        bytes: segment.bytes,
        chars: segment.chars,
    };
    let claim = Claim {
        collapsed: fields.strategy == FIXED_SIZE,
        content: fields.content,
        segments: fields.segments.into_iter().map(segment).collect(),
        bytes: fields.bytes,
        chars: fields.chars,
        lines: fields.lines,
        tokens: fields.token_count,
        heading_path: fields.heading_path,
        id: fields.chunk_id,
        index: fields.chunk_index,
    };
    Ok((claim, fields.strategy))
}
