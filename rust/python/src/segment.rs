//! Segments out.

use chunkwright_core::chunk::Role;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

#[pyclass(frozen, module = "chunkwright")]
#[derive(Clone, PartialEq)]
pub(crate) struct Segment {
    pub(crate) role: Role,
    #[pyo3(get)]
    pub(crate) text: String,
    pub(crate) bytes: Option<(usize, usize)>,
    pub(crate) chars: Option<(usize, usize)>,
}

#[pymethods]
impl Segment {
    #[new]
    #[pyo3(signature = (role, text, start_char = None, end_char = None, start_byte = None, end_byte = None))]
    fn new(
        role: &str,
        text: String,
        start_char: Option<usize>,
        end_char: Option<usize>,
        start_byte: Option<usize>,
        end_byte: Option<usize>,
    ) -> PyResult<Self> {
        let role = Role::by_name(role).ok_or_else(|| {
            PyValueError::new_err(format!("role = {role:?} is not one of body, overlap, repeat, synthetic"))
        })?;
        Ok(Self { role, text, bytes: start_byte.zip(end_byte), chars: start_char.zip(end_char) })
    }

    #[getter]
    fn role(&self) -> &'static str {
        self.role.name()
    }

    #[getter]
    fn start_char(&self) -> Option<usize> {
        self.chars.map(|c| c.0)
    }

    #[getter]
    fn end_char(&self) -> Option<usize> {
        self.chars.map(|c| c.1)
    }

    #[getter]
    fn start_byte(&self) -> Option<usize> {
        self.bytes.map(|b| b.0)
    }

    #[getter]
    fn end_byte(&self) -> Option<usize> {
        self.bytes.map(|b| b.1)
    }

    pub(crate) fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("role", self.role.name())?;
        dict.set_item("text", &self.text)?;
        dict.set_item("start_char", self.start_char())?;
        dict.set_item("end_char", self.end_char())?;
        dict.set_item("start_byte", self.start_byte())?;
        dict.set_item("end_byte", self.end_byte())?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("Segment(role={:?}, text={:?})", self.role.name(), self.text)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self == other
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.role, &self.text, self.bytes).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let this = slf.get();
        let arguments = (
            this.role.name(),
            this.text.as_str(),
            this.start_char(),
            this.end_char(),
            this.start_byte(),
            this.end_byte(),
        );
        (slf.get_type(), arguments).into_pyobject(slf.py())
    }
}
