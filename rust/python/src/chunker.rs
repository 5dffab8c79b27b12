//! Chunkers: a strategy with its settings.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use chunkwright_core::error::{ChunkError, SettingError};
use chunkwright_core::settings::{HeadingTemplate, Settings};
use chunkwright_core::strategy::{FixedSize, Paragraph, Recursive, Semantic, Sentence, Strategy, Structured};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::batch;
use crate::chunk::Chunk;
use crate::errors;
use crate::input::{BadInput, Input, document};
use crate::interrupt::interruptibly;
use crate::settings::{Sizes, boolean, integer, number, optional, string, strings, take_failure, threads_of};
use crate::view::{Label, Source};

/// Documents from here on are cut on a thread of their own, so that the caller's can look for Ctrl-C.
pub(crate) const LARGE: usize = 1 << 20;

/// Documents of less are cut before another thread could make use of the GIL.
const SMALL: usize = 1 << 10;

#[pyclass(frozen, module = "chunkwright._native")]
pub(crate) struct Chunker {
    pub(crate) strategy: Arc<dyn Strategy>,
    pub(crate) label: Arc<Label>,
    /// The same strategy, where it can do more than others.
    semantic: Option<Arc<Semantic>>,
    fixed_size: Option<Arc<FixedSize>>,
}

/// Why one document of a run has no chunks.
pub(crate) enum Failure {
    Input(BadInput),
    Chunk(ChunkError),
    /// A function of the user's failed.
    Python(PyErr),
    /// A bug of ours.
    Panic,
}

impl Failure {
    pub(crate) fn error(self, py: Python<'_>, name: Option<&str>) -> PyErr {
        match self {
            Self::Input(bad) => bad.error(py, name),
            Self::Chunk(error) => errors::chunk(py, name, &error),
            Self::Python(error) => error,
            Self::Panic => {
                let what = "chunkwright failed on it: this is a bug in chunkwright, please report the document";
                errors::document(py, name, what, None)
            }
        }
    }
}

impl Chunker {
    fn new(strategy: Arc<dyn Strategy>) -> Self {
        let label = Arc::new(Label::of(&*strategy));
        Self { strategy, label, semantic: None, fixed_size: None }
    }

    fn make<S: Strategy + 'static>(py: Python<'_>, made: Result<S, SettingError>) -> PyResult<Self> {
        made.map(|strategy| Self::new(Arc::new(strategy))).map_err(|error| errors::setting(py, &error))
    }

    /// Cuts one document for the calling thread, with the GIL released unless it is a small one; Ctrl-C ends a large one.
    pub(crate) fn run_here(&self, py: Python<'_>, input: Input) -> PyResult<Result<Arc<Source>, Failure>> {
        self.run_by(py, input, None)
    }

    fn run_by(
        &self,
        py: Python<'_>,
        input: Input,
        similarities: Option<&[f64]>,
    ) -> PyResult<Result<Arc<Source>, Failure>> {
        if input.body.len() < SMALL {
            return Ok(self.run_with(input, similarities, &AtomicBool::new(false)));
        }
        if input.body.len() < LARGE {
            return Ok(py.detach(|| self.run_with(input, similarities, &AtomicBool::new(false))));
        }
        interruptibly(py, |cancel| self.run_with(input, similarities, cancel))
    }

    /// Cuts one document; needs no GIL.
    pub(crate) fn run(&self, input: Input, cancel: &AtomicBool) -> Result<Arc<Source>, Failure> {
        self.run_with(input, None, cancel)
    }

    fn run_with(
        &self,
        input: Input,
        similarities: Option<&[f64]>,
        cancel: &AtomicBool,
    ) -> Result<Arc<Source>, Failure> {
        // Nothing that a panic leaves half done outlives the call.
        let run = AssertUnwindSafe(|| self.run_unguarded(input, similarities, cancel));
        catch_unwind(run).unwrap_or(Err(Failure::Panic))
    }

    fn run_unguarded(
        &self,
        input: Input,
        similarities: Option<&[f64]>,
        cancel: &AtomicBool,
    ) -> Result<Arc<Source>, Failure> {
        let (text, prepared) = input.body.prepare(&*self.strategy).map_err(Failure::Input)?;
        let chunks = match (&self.semantic, similarities) {
            (Some(semantic), Some(similarities)) => semantic.chunk_by(&text, &prepared, similarities, cancel),
            _ => self.strategy.chunk(&text, &prepared, cancel),
        };
        if let Some(error) = take_failure() {
            return Err(Failure::Python(error));
        }
        let chunks = chunks.map_err(Failure::Chunk)?;
        let label = Arc::clone(&self.label);
        Ok(Arc::new(Source::new((text, prepared), chunks, label, input.document_id, input.metadata)))
    }

    fn chunks<'py>(
        &self,
        py: Python<'py>,
        value: &Bound<'_, PyAny>,
        document_id: Option<String>,
        metadata: Option<&Bound<'_, PyDict>>,
        similarities: Option<&[f64]>,
    ) -> PyResult<Bound<'py, PyList>> {
        let input = document(value, document_id, None)?.with_metadata(py, metadata)?;
        let name = input.document_id.clone();
        let source = self.run_by(py, input, similarities)?.map_err(|failure| failure.error(py, name.as_deref()))?;
        Chunk::list(py, &source)
    }
}

#[pymethods]
impl Chunker {
    #[staticmethod]
    fn structure(
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
        Self::make(py, made())
    }

    #[staticmethod]
    fn fixed_size(
        py: Python<'_>,
        chunk_size: &Bound<'_, PyAny>,
        chunk_overlap: &Bound<'_, PyAny>,
        max_tokens: &Bound<'_, PyAny>,
        overlap_tokens: &Bound<'_, PyAny>,
        tokenizer_name: &Bound<'_, PyAny>,
        length_function: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let names = ("chunk_size", Some("chunk_overlap"));
        let chars = (chunk_size, Some(chunk_overlap));
        let sizing = Sizes { names, chars, max_tokens, overlap_tokens, tokenizer_name, length_function }.read();
        let strategy = Arc::new(FixedSize::new(sizing.map_err(|error| errors::setting(py, &error))?));
        let made = Self::new(Arc::<FixedSize>::clone(&strategy));
        Ok(Self { fixed_size: Some(strategy), ..made })
    }

    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "one for each setting, as Python gives it")]
    fn recursive(
        py: Python<'_>,
        chunk_size: &Bound<'_, PyAny>,
        chunk_overlap: &Bound<'_, PyAny>,
        separators: &Bound<'_, PyAny>,
        max_tokens: &Bound<'_, PyAny>,
        overlap_tokens: &Bound<'_, PyAny>,
        tokenizer_name: &Bound<'_, PyAny>,
        length_function: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let names = ("chunk_size", Some("chunk_overlap"));
        let chars = (chunk_size, Some(chunk_overlap));
        let made = || {
            let sizing = Sizes { names, chars, max_tokens, overlap_tokens, tokenizer_name, length_function }.read()?;
            let separators = optional(separators, |value| strings("separators", value))?;
            Ok(Recursive::new(sizing, separators.as_deref()))
        };
        Self::make(py, made())
    }

    #[staticmethod]
    fn sentence(
        py: Python<'_>,
        target_size: &Bound<'_, PyAny>,
        max_sentences_per_chunk: &Bound<'_, PyAny>,
        max_tokens: &Bound<'_, PyAny>,
        overlap_tokens: &Bound<'_, PyAny>,
        tokenizer_name: &Bound<'_, PyAny>,
        length_function: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (names, chars) = (("target_size", None), (target_size, None));
        let made = || {
            let sizing = Sizes { names, chars, max_tokens, overlap_tokens, tokenizer_name, length_function }.read()?;
            Sentence::new(sizing, integer("max_sentences_per_chunk", max_sentences_per_chunk)?)
        };
        Self::make(py, made())
    }

    #[staticmethod]
    fn paragraph(
        py: Python<'_>,
        target_size: &Bound<'_, PyAny>,
        max_paragraphs_per_chunk: &Bound<'_, PyAny>,
        max_tokens: &Bound<'_, PyAny>,
        overlap_tokens: &Bound<'_, PyAny>,
        tokenizer_name: &Bound<'_, PyAny>,
        length_function: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (names, chars) = (("target_size", None), (target_size, None));
        let made = || {
            let sizing = Sizes { names, chars, max_tokens, overlap_tokens, tokenizer_name, length_function }.read()?;
            Paragraph::new(sizing, integer("max_paragraphs_per_chunk", max_paragraphs_per_chunk)?)
        };
        Self::make(py, made())
    }

    #[staticmethod]
    #[pyo3(signature = (
        similarity_threshold, min_chunk_size, max_chunk_size, max_tokens, overlap_tokens, tokenizer_name, length_function,
        embedder = None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "one for each setting, as Python gives it")]
    fn semantic(
        py: Python<'_>,
        similarity_threshold: &Bound<'_, PyAny>,
        min_chunk_size: &Bound<'_, PyAny>,
        max_chunk_size: &Bound<'_, PyAny>,
        max_tokens: &Bound<'_, PyAny>,
        overlap_tokens: &Bound<'_, PyAny>,
        tokenizer_name: &Bound<'_, PyAny>,
        length_function: &Bound<'_, PyAny>,
        embedder: Option<String>,
    ) -> PyResult<Self> {
        let (names, chars) = (("max_chunk_size", None), (max_chunk_size, None));
        let made = || {
            let sizing = Sizes { names, chars, max_tokens, overlap_tokens, tokenizer_name, length_function }.read()?;
            let threshold = number("similarity_threshold", similarity_threshold)?;
            Semantic::new(sizing, threshold, integer("min_chunk_size", min_chunk_size)?, embedder.unwrap_or_default())
        };
        let strategy = Arc::new(made().map_err(|error| errors::setting(py, &error))?);
        let made = Self::new(Arc::<Semantic>::clone(&strategy));
        Ok(Self { semantic: Some(strategy), ..made })
    }

    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "one for each setting, as Python gives it")]
    fn structured(
        py: Python<'_>,
        max_chunk_chars: &Bound<'_, PyAny>,
        min_chunk_chars: &Bound<'_, PyAny>,
        weak_headings: &Bound<'_, PyAny>,
        overlap_chars: &Bound<'_, PyAny>,
        max_tokens: &Bound<'_, PyAny>,
        overlap_tokens: &Bound<'_, PyAny>,
        tokenizer_name: &Bound<'_, PyAny>,
        length_function: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let names = ("max_chunk_chars", Some("overlap_chars"));
        let chars = (max_chunk_chars, Some(overlap_chars));
        let made = || {
            let sizing = Sizes { names, chars, max_tokens, overlap_tokens, tokenizer_name, length_function }.read()?;
            let least = integer("min_chunk_chars", min_chunk_chars)?;
            Structured::new(sizing, least, boolean("weak_headings", weak_headings)?)
        };
        Self::make(py, made())
    }

    #[getter]
    fn fingerprint(&self) -> &str {
        &self.label.fingerprint
    }

    #[getter]
    fn strategy(&self) -> &str {
        self.label.strategy
    }

    #[getter]
    fn strategy_version(&self) -> &str {
        self.label.version
    }

    fn chunk<'py>(
        &self,
        py: Python<'py>,
        document: &Bound<'_, PyAny>,
        document_id: Option<String>,
        metadata: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyList>> {
        self.chunks(py, document, document_id, metadata, None)
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

    /// The texts in front of and behind each place between two sentences, one after the other.
    fn windows(&self, py: Python<'_>, document: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let input = crate::input::document(document, None, None)?;
        let name = input.document_id.clone();
        let semantic = self.semantic.as_ref().ok_or_else(|| not_for(self.label.strategy, "windows"))?;
        let windows = py.detach(|| {
            let (text, prepared) = input.body.prepare(&**semantic)?;
            let windows = semantic.windows(&text, &prepared).into_iter();
            Ok(windows.flat_map(|(a, b)| [text[a.range()].to_string(), text[b.range()].to_string()]).collect())
        });
        windows.map_err(|bad: BadInput| bad.error(py, name.as_deref()))
    }

    /// As `chunk`, with the similarities of the two texts of each place as somebody else sees them.
    #[expect(clippy::needless_pass_by_value, reason = "as Python gives it")]
    fn chunk_by<'py>(
        &self,
        py: Python<'py>,
        document: &Bound<'_, PyAny>,
        document_id: Option<String>,
        metadata: Option<&Bound<'_, PyDict>>,
        similarities: Vec<f64>,
    ) -> PyResult<Bound<'py, PyList>> {
        if self.semantic.is_none() {
            return Err(not_for(self.label.strategy, "chunk_by"));
        }
        self.chunks(py, document, document_id, metadata, Some(&similarities))
    }

    fn estimate_chunk_count(&self, py: Python<'_>, text_length: &Bound<'_, PyAny>) -> PyResult<usize> {
        let length = integer("text_length", text_length).map_err(|error| errors::setting(py, &error))?;
        let fixed_size = self.fixed_size.as_ref();
        fixed_size
            .map(|strategy| strategy.estimate(length as usize))
            .ok_or_else(|| not_for(self.label.strategy, "estimate_chunk_count"))
    }
}

fn not_for(strategy: &str, method: &str) -> PyErr {
    pyo3::exceptions::PyTypeError::new_err(format!("{strategy} has no {method}"))
}
