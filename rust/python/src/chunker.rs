//! The structure chunker with its settings.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use chunkwright_core::engine;
use chunkwright_core::error::{ChunkError, SettingError};
use chunkwright_core::settings::{HeadingTemplate, STRUCTURE, STRUCTURE_VERSION, Settings};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

use crate::batch;
use crate::chunk::Chunk;
use crate::errors;
use crate::input::{BadInput, Input, document};
use crate::view::{Label, Source};

/// Documents from here on are cut on a thread of their own, so that the caller's can look for Ctrl-C.
const LARGE: usize = 1 << 20;

#[pyclass(frozen, module = "chunkwright._native")]
pub(crate) struct Chunker {
    pub(crate) settings: Settings,
    pub(crate) label: Arc<Label>,
}

/// Why one document of a run has no chunks.
pub(crate) enum Failure {
    Input(BadInput),
    Chunk(ChunkError),
}

impl Failure {
    pub(crate) fn error(&self, py: Python<'_>, name: Option<&str>) -> PyErr {
        match self {
            Self::Input(bad) => bad.error(py, name),
            Self::Chunk(error) => errors::chunk(py, name, error),
        }
    }
}

impl Chunker {
    /// Cuts one document for the calling thread, with the GIL released; Ctrl-C ends a large one.
    pub(crate) fn run_here(&self, py: Python<'_>, input: Input) -> PyResult<Result<Arc<Source>, Failure>> {
        if input.body.len() < LARGE {
            return Ok(py.detach(|| self.run(input, &AtomicBool::new(false))));
        }
        batch::interruptibly(py, |cancel| self.run(input, cancel))
    }

    /// Cuts one document; needs no GIL.
    pub(crate) fn run(&self, input: Input, cancel: &AtomicBool) -> Result<Arc<Source>, Failure> {
        let (text, document) = input.body.document().map_err(Failure::Input)?;
        let chunks = engine::chunk(&text, &document, &self.settings, cancel).map_err(Failure::Chunk)?;
        let document_id = input.document_id.map_or_else(OnceLock::new, OnceLock::from);
        Ok(Arc::new(Source {
            text,
            document,
            chunks,
            label: Arc::clone(&self.label),
            document_id,
            positions: OnceLock::new(),
            metadata: input.metadata,
        }))
    }
}

#[pymethods]
impl Chunker {
    #[new]
    #[pyo3(signature = (max_tokens, overlap_tokens, target_tokens, tokenizer_name, heading_template, path_separator))]
    fn new(
        py: Python<'_>,
        max_tokens: &Bound<'_, PyAny>,
        overlap_tokens: &Bound<'_, PyAny>,
        target_tokens: &Bound<'_, PyAny>,
        tokenizer_name: &Bound<'_, PyAny>,
        heading_template: &Bound<'_, PyAny>,
        path_separator: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let made = || {
            let template = optional(heading_template, |value| string("heading_template", value))?;
            let settings = Settings {
                max_tokens: integer("max_tokens", max_tokens)?,
                overlap_tokens: integer("overlap_tokens", overlap_tokens)?,
                target_tokens: optional(target_tokens, |value| integer("target_tokens", value))?,
                tokenizer: Settings::tokenizer(&string("tokenizer_name", tokenizer_name)?)?,
                heading_template: template.map(|template| HeadingTemplate::parse(&template)).transpose()?,
                path_separator: string("path_separator", path_separator)?,
            };
            settings.check()
        };
        let settings = made().map_err(|error| errors::setting(py, &error))?;
        let fingerprint = settings.fingerprint();
        let label = Arc::new(Label { strategy: STRUCTURE, version: STRUCTURE_VERSION, fingerprint });
        Ok(Self { settings, label })
    }

    #[getter]
    fn fingerprint(&self) -> &str {
        &self.label.fingerprint
    }

    fn chunk(&self, py: Python<'_>, value: &Bound<'_, PyAny>, document_id: Option<String>) -> PyResult<Vec<Py<Chunk>>> {
        let input = document(value, document_id, None)?;
        let name = input.document_id.clone();
        let source = self.run_here(py, input)?.map_err(|failure| failure.error(py, name.as_deref()))?;
        Chunk::of(&source).map(|chunk| Py::new(py, chunk)).collect()
    }

    /// One entry a document, in order: a list of chunks, or the exception that says why there is none.
    fn chunk_many(
        &self,
        py: Python<'_>,
        documents: &Bound<'_, PyAny>,
        document_ids: Option<Vec<String>>,
        threads: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<Py<PyAny>>> {
        let threads = threads_of(threads).map_err(|error| errors::setting(py, &error))?;
        batch::chunk_many(py, self, documents, document_ids, threads)
    }
}

fn threads_of(threads: &Bound<'_, PyAny>) -> Result<usize, SettingError> {
    match optional(threads, |value| integer("threads", value))? {
        Some(0) => Err(SettingError { setting: "threads", value: "0".into(), allowed: "None or at least 1".into() }),
        Some(threads) => Ok(threads as usize),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

fn optional<T>(
    value: &Bound<'_, PyAny>,
    read: impl FnOnce(&Bound<'_, PyAny>) -> Result<T, SettingError>,
) -> Result<Option<T>, SettingError> {
    if value.is_none() { Ok(None) } else { read(value).map(Some) }
}

fn shown(value: &Bound<'_, PyAny>) -> String {
    value.repr().map_or_else(|_| "a value without a repr".into(), |repr| repr.to_string())
}

/// A whole number from 0 to 2^31 - 1. A bool is none.
fn integer(setting: &'static str, value: &Bound<'_, PyAny>) -> Result<u32, SettingError> {
    let number = value.extract::<i64>().ok().filter(|_| !value.is_instance_of::<PyBool>());
    number.and_then(|number| u32::try_from(number).ok()).filter(|number| *number < 1 << 31).ok_or_else(|| {
        SettingError { setting, value: shown(value), allowed: "a whole number from 0 to 2147483647".into() }
    })
}

fn string(setting: &'static str, value: &Bound<'_, PyAny>) -> Result<String, SettingError> {
    let text = value.cast::<PyString>().ok().and_then(|text| text.extract::<String>().ok());
    text.ok_or_else(|| SettingError { setting, value: shown(value), allowed: "a str without lone surrogates".into() })
}
