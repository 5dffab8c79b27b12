//! Chunks as dictionaries, and back.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyType};

use crate::segment::Segment;

/// The fields that `Chunk` is made of; what else a dictionary holds is not of the chunk.
const FIELDS: [&str; 19] = [
    "chunk_id",
    "chunk_index",
    "token_count",
    "start_char",
    "end_char",
    "start_byte",
    "end_byte",
    "start_line",
    "end_line",
    "heading_path",
    "kinds",
    "language",
    "page",
    "content_hash",
    "strategy",
    "strategy_version",
    "fingerprint",
    "split_reason",
    "metadata",
];

/// A chunk of class `class` from what `to_dict` gave (perhaps by way of JSON).
pub(crate) fn from_dict<'py>(class: &Bound<'py, PyType>, data: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    let content = data.get_item("content")?.ok_or_else(|| {
        pyo3::exceptions::PyValueError::new_err("the dictionary has no content: give one that Chunk.to_dict made")
    })?;
    let fields = PyDict::new(py);
    for name in FIELDS {
        if let Some(value) = data.get_item(name)? {
            fields.set_item(name, value)?;
        }
    }
    let segments = PyList::empty(py);
    if let Some(given) = data.get_item("segments")? {
        for segment in given.try_iter()? {
            segments.append(py.get_type::<Segment>().call((), Some(segment?.cast::<PyDict>()?))?)?;
        }
    }
    fields.set_item("segments", segments)?;
    class.call((content,), Some(&fields))
}

/// Scalars only, as vector stores want them: no nulls, lists joined, metadata beside the fields (other values in it as JSON).
pub(crate) fn flat<'py>(fields: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyDict>> {
    let py = fields.py();
    let flat = PyDict::new(py);
    for (name, value) in fields {
        match name.extract::<&str>()? {
            "content" | "segments" | "metadata" => {}
            "heading_path" => flat.set_item(name, joined(&value, " > ")?)?,
            "kinds" => flat.set_item(name, joined(&value, ",")?)?,
            _ if value.is_none() => {}
            _ => flat.set_item(name, value)?,
        }
    }
    let metadata = fields.get_item("metadata")?;
    let metadata = metadata.as_ref().and_then(|value| value.cast::<PyDict>().ok());
    for (name, value) in metadata.into_iter().flat_map(PyDictMethods::iter) {
        if flat.contains(&name)? || value.is_none() {
            continue;
        }
        let scalar = value.is_instance_of::<PyBool>()
            || value.is_instance_of::<PyInt>()
            || value.is_instance_of::<PyFloat>()
            || value.is_instance_of::<PyString>();
        let value = if scalar { value } else { json(&value)?.into_bound_py_any(py)? };
        flat.set_item(name, value)?;
    }
    Ok(flat)
}

fn joined(values: &Bound<'_, PyAny>, separator: &str) -> PyResult<String> {
    Ok(values.extract::<Vec<String>>()?.join(separator))
}

fn json(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let options = PyDict::new(value.py());
    options.set_item("ensure_ascii", false)?;
    value.py().import("json")?.call_method("dumps", (value,), Some(&options))?.extract()
}
