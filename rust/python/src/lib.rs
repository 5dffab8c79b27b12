//! The binding: extracts arguments, releases the GIL, converts results. No algorithm lives here.

mod allocator;
mod batch;
mod chunk;
mod chunker;
mod document;
mod errors;
mod input;
mod interrupt;
mod mapping;
mod queue;
mod segment;
mod settings;
mod similarity;
mod structured;
mod untracked;
mod verify;
mod view;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use chunkwright_core::sentence::{self, LineEnds};
use chunkwright_core::settings::Settings;
use chunkwright_core::tokens::Tokenizer;

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::chunk::Chunk;
    #[pymodule_export]
    use super::chunker::Chunker;
    #[pymodule_export]
    use super::document::{Lexed, lex};
    #[pymodule_export]
    use super::segment::Segment;
    #[pymodule_export]
    use super::similarity::{LexicalEmbedder, cosine};
    #[pymodule_export]
    use super::structured::{classify_block, parse_markdown_heading, parse_structured_blocks, parse_weak_heading};
    #[pymodule_export]
    use super::verify::verify;
    #[pymodule_export]
    use super::{count_tokens, split_sentences, tokenizer_names};
    use chunkwright_core::strategy::Recursive;
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("DEFAULT_SEPARATORS", PyTuple::new(module.py(), Recursive::SEPARATORS)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

#[pyfunction]
#[pyo3(signature = (text, tokenizer_name = "cl100k_base"))]
fn count_tokens(py: Python<'_>, text: &Bound<'_, PyAny>, tokenizer_name: &str) -> PyResult<usize> {
    let text = input::text(text, None)?;
    let tokenizer = Settings::tokenizer(tokenizer_name).map_err(|e| errors::setting(py, &e))?;
    Ok(py.detach(|| tokenizer.count(&text)))
}

#[pyfunction]
fn tokenizer_names(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Tokenizer::NAMES)
}

#[pyfunction]
fn split_sentences(py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let text = input::text(text, None)?;
    Ok(py.detach(|| {
        let mut ends = Vec::new();
        sentence::ends(&text, LineEnds::Soft, &mut ends);
        let mut start = 0;
        let slice = |end: u32| {
            let sentence = text[start..end as usize].to_string();
            start = end as usize;
            sentence
        };
        ends.into_iter().map(slice).collect()
    }))
}
