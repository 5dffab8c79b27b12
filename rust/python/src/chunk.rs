//! Chunks out: lazy views of the columns that the core made, or chunks made by hand.

use std::sync::Arc;

use chunkwright_core::chunk::Role;
use chunkwright_core::ident;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};

use crate::mapping;
use crate::segment::Segment;
use crate::untracked::Untracked;
use crate::view::{Source, View, last_char};

/// The fields of a chunk (its metadata is kept beside them).
#[derive(Clone, PartialEq)]
pub(crate) struct Fields {
    pub(crate) chunk_id: String,
    pub(crate) chunk_index: usize,
    pub(crate) content: String,
    pub(crate) token_count: Option<usize>,
    pub(crate) chars: (usize, usize),
    pub(crate) bytes: (usize, usize),
    pub(crate) lines: (usize, usize),
    pub(crate) heading_path: Vec<String>,
    pub(crate) kinds: Vec<String>,
    pub(crate) language: Option<String>,
    pub(crate) page: Option<u32>,
    pub(crate) segments: Vec<Segment>,
    pub(crate) content_hash: Option<String>,
    pub(crate) strategy: String,
    pub(crate) strategy_version: String,
    pub(crate) fingerprint: String,
    pub(crate) split_reason: String,
}

enum Inner {
    View(View),
    Own(Box<Fields>),
}

#[pyclass(frozen, subclass, module = "chunkwright")]
pub(crate) struct Chunk {
    inner: Inner,
    metadata: PyOnceLock<Py<PyDict>>,
}

impl Chunk {
    /// All chunks of a source.
    pub(crate) fn list<'py>(py: Python<'py>, source: &Arc<Source>) -> PyResult<Bound<'py, PyList>> {
        let view = |row| Inner::View(View { source: Arc::clone(source), row });
        let rows = (0..source.chunks.rows.len()).map(view);
        PyList::new(py, rows.map(|inner| Untracked(Self { inner, metadata: PyOnceLock::new() })))
    }

    pub(crate) fn fields(&self) -> Fields {
        match &self.inner {
            Inner::View(view) => view.fields(),
            Inner::Own(fields) => (**fields).clone(),
        }
    }

    fn range(&self) -> (usize, usize) {
        match &self.inner {
            Inner::View(view) => view.range(),
            Inner::Own(fields) => fields.bytes,
        }
    }

    fn chars(&self) -> (usize, usize) {
        match &self.inner {
            Inner::View(view) => {
                let (start, end) = self.range();
                let positions = view.source.positions();
                (positions.char_at(&view.source.text, start), positions.char_at(&view.source.text, end))
            }
            Inner::Own(fields) => fields.chars,
        }
    }
}

#[pymethods]
impl Chunk {
    #[new]
    #[pyo3(signature = (
        content, *, chunk_id = String::new(), chunk_index = 0, token_count = None, start_char = 0, end_char = 0,
        start_byte = 0, end_byte = 0, start_line = 0, end_line = 0, heading_path = Vec::new(), kinds = Vec::new(),
        language = None, page = None, segments = Vec::new(), content_hash = None, strategy = String::new(),
        strategy_version = String::new(), fingerprint = String::new(), split_reason = String::new(), metadata = None,
    ))]
    #[expect(
        clippy::too_many_arguments,
        clippy::needless_pass_by_value,
        reason = "one for each field, as Python gives it"
    )]
    fn new(
        content: String,
        chunk_id: String,
        chunk_index: usize,
        token_count: Option<usize>,
        start_char: usize,
        end_char: usize,
        start_byte: usize,
        end_byte: usize,
        start_line: usize,
        end_line: usize,
        heading_path: Vec<String>,
        kinds: Vec<String>,
        language: Option<String>,
        page: Option<u32>,
        segments: Vec<Bound<'_, Segment>>,
        content_hash: Option<String>,
        strategy: String,
        strategy_version: String,
        fingerprint: String,
        split_reason: String,
        metadata: Option<Py<PyDict>>,
    ) -> Self {
        let fields = Fields {
            chunk_id,
            chunk_index,
            content,
            token_count,
            chars: (start_char, end_char),
            bytes: (start_byte, end_byte),
            lines: (start_line, end_line),
            heading_path,
            kinds,
            language,
            page,
            segments: segments.iter().map(|segment| segment.get().clone()).collect(),
            content_hash,
            strategy,
            strategy_version,
            fingerprint,
            split_reason,
        };
        let cell = PyOnceLock::new();
        if let Some(metadata) = metadata {
            Python::attach(|py| {
                // The cell is new, so setting it cannot fail.
                let _ = cell.set(py, metadata);
            });
        }
        Self { inner: Inner::Own(Box::new(fields)), metadata: cell }
    }

    #[getter]
    fn chunk_id(&self) -> String {
        match &self.inner {
            Inner::View(view) => view.id(&view.content()),
            Inner::Own(fields) => fields.chunk_id.clone(),
        }
    }

    #[getter]
    fn chunk_index(&self) -> usize {
        match &self.inner {
            Inner::View(view) => view.row,
            Inner::Own(fields) => fields.chunk_index,
        }
    }

    #[getter]
    fn content(&self) -> String {
        match &self.inner {
            Inner::View(view) => view.content(),
            Inner::Own(fields) => fields.content.clone(),
        }
    }

    #[getter]
    fn token_count(&self) -> Option<usize> {
        match &self.inner {
            Inner::View(view) => view.token_count(),
            Inner::Own(fields) => fields.token_count,
        }
    }

    #[getter]
    fn char_count(&self) -> usize {
        self.content().chars().count()
    }

    #[getter]
    fn start_char(&self) -> usize {
        self.chars().0
    }

    #[getter]
    fn end_char(&self) -> usize {
        self.chars().1
    }

    #[getter]
    fn start_byte(&self) -> usize {
        self.range().0
    }

    #[getter]
    fn end_byte(&self) -> usize {
        self.range().1
    }

    #[getter]
    fn start_line(&self) -> usize {
        match &self.inner {
            Inner::View(view) => view.source.positions().line_at(&view.source.text, self.range().0),
            Inner::Own(fields) => fields.lines.0,
        }
    }

    #[getter]
    fn end_line(&self) -> usize {
        match &self.inner {
            Inner::View(view) => {
                let last = last_char(&view.source.text, self.range().1);
                view.source.positions().line_at(&view.source.text, last)
            }
            Inner::Own(fields) => fields.lines.1,
        }
    }

    #[getter]
    fn heading_path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        match &self.inner {
            Inner::View(view) => PyTuple::new(py, view.source.document.path(view.row().path)),
            Inner::Own(fields) => PyTuple::new(py, &fields.heading_path),
        }
    }

    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        match &self.inner {
            Inner::View(view) => PyTuple::new(py, view.kinds()),
            Inner::Own(fields) => PyTuple::new(py, &fields.kinds),
        }
    }

    #[getter]
    fn language(&self) -> Option<String> {
        match &self.inner {
            Inner::View(view) => view.language(),
            Inner::Own(fields) => fields.language.clone(),
        }
    }

    #[getter]
    fn page(&self) -> Option<u32> {
        match &self.inner {
            Inner::View(view) => view.place().page,
            Inner::Own(fields) => fields.page,
        }
    }

    #[getter]
    fn segments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        match &self.inner {
            Inner::View(view) => PyTuple::new(py, view.segments()),
            Inner::Own(fields) => PyTuple::new(py, fields.segments.iter().cloned()),
        }
    }

    #[getter]
    fn body(&self) -> String {
        match &self.inner {
            Inner::View(view) => {
                let (chunks, text) = (&view.source.chunks, &view.source.text);
                let own = chunks.segments_of(view.row()).iter().filter(|segment| segment.role == Role::Body);
                own.map(|segment| chunks.segment_text(text, *segment)).collect()
            }
            Inner::Own(fields) => {
                let own = fields.segments.iter().filter(|segment| segment.role == Role::Body);
                own.map(|segment| segment.text.as_str()).collect()
            }
        }
    }

    #[getter]
    fn content_hash(&self) -> String {
        match &self.inner {
            Inner::Own(fields) if fields.content_hash.is_some() => fields.content_hash.clone().unwrap_or_default(),
            _ => ident::content_hash(&self.content()),
        }
    }

    #[getter]
    fn strategy(&self) -> String {
        match &self.inner {
            Inner::View(view) => view.source.label.strategy.into(),
            Inner::Own(fields) => fields.strategy.clone(),
        }
    }

    #[getter]
    fn strategy_version(&self) -> String {
        match &self.inner {
            Inner::View(view) => view.source.label.version.into(),
            Inner::Own(fields) => fields.strategy_version.clone(),
        }
    }

    #[getter]
    fn fingerprint(&self) -> String {
        match &self.inner {
            Inner::View(view) => view.source.label.fingerprint.clone(),
            Inner::Own(fields) => fields.fingerprint.clone(),
        }
    }

    #[getter]
    fn split_reason(&self) -> String {
        match &self.inner {
            Inner::View(view) => view.reason().into(),
            Inner::Own(fields) => fields.split_reason.clone(),
        }
    }

    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = self.metadata.get_or_try_init(py, || match &self.inner {
            Inner::View(view) => view.metadata(py).map(Bound::unbind),
            Inner::Own(_) => Ok(PyDict::new(py).unbind()),
        })?;
        Ok(dict.bind(py).clone())
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = self.fields();
        let dict = PyDict::new(py);
        dict.set_item("chunk_id", fields.chunk_id)?;
        dict.set_item("chunk_index", fields.chunk_index)?;
        dict.set_item("char_count", fields.content.chars().count())?;
        let hash = fields.content_hash.unwrap_or_else(|| ident::content_hash(&fields.content));
        dict.set_item("content", fields.content)?;
        dict.set_item("token_count", fields.token_count)?;
        dict.set_item("start_char", fields.chars.0)?;
        dict.set_item("end_char", fields.chars.1)?;
        dict.set_item("start_byte", fields.bytes.0)?;
        dict.set_item("end_byte", fields.bytes.1)?;
        dict.set_item("start_line", fields.lines.0)?;
        dict.set_item("end_line", fields.lines.1)?;
        dict.set_item("heading_path", fields.heading_path)?;
        dict.set_item("kinds", fields.kinds)?;
        dict.set_item("language", fields.language)?;
        dict.set_item("page", fields.page)?;
        let segments: PyResult<Vec<_>> = fields.segments.iter().map(|segment| segment.to_dict(py)).collect();
        dict.set_item("segments", segments?)?;
        dict.set_item("content_hash", hash)?;
        dict.set_item("strategy", fields.strategy)?;
        dict.set_item("strategy_version", fields.strategy_version)?;
        dict.set_item("fingerprint", fields.fingerprint)?;
        dict.set_item("split_reason", fields.split_reason)?;
        dict.set_item("metadata", self.metadata(py)?.copy()?)?;
        Ok(dict)
    }

    #[classmethod]
    fn from_dict<'py>(class: &Bound<'py, PyType>, data: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
        mapping::from_dict(class, data)
    }

    fn flat_metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        mapping::flat(&self.to_dict(py)?)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let make = slf.get_type().getattr("from_dict")?;
        (make, (slf.get().to_dict(slf.py())?,)).into_pyobject(slf.py())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let content = self.content();
        let mut start: String = content.chars().take(60).collect();
        if start.len() < content.len() {
            start.push('…');
        }
        let path = self.heading_path(py)?.repr()?;
        let tokens = self.token_count().map_or_else(|| "None".into(), |tokens| tokens.to_string());
        Ok(format!(
            "Chunk(chunk_index={}, token_count={tokens}, heading_path={path}, content={start:?})",
            self.chunk_index()
        ))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.fields() == other.fields() && self.metadata(py)?.eq(other.metadata(py)?)?)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.chunk_index(), self.content()).hash(&mut hasher);
        hasher.finish()
    }
}
