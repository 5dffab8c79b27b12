//! Errors of the core -> exceptions of the Python package.

use chunkwright_core::error::{ChunkError, SettingError};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

static SETTINGS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static DOCUMENT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static BUDGET: PyOnceLock<Py<PyType>> = PyOnceLock::new();

const MODULE: &str = "chunkwright.errors";

fn exception<A>(py: Python<'_>, class: &PyOnceLock<Py<PyType>>, name: &str, arguments: A) -> PyErr
where
    A: for<'py> pyo3::call::PyCallArgs<'py>,
{
    match class.import(py, MODULE, name).and_then(|class| class.call1(arguments)) {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

pub(crate) fn setting(py: Python<'_>, error: &SettingError) -> PyErr {
    exception(py, &SETTINGS, "SettingsError", (error.setting, error.value.as_str(), error.allowed.as_str()))
}

/// A bad document: its name, what is wrong, and where (in the unit that `what` names), if it is at one place.
pub(crate) fn document(py: Python<'_>, name: Option<&str>, what: &str, position: Option<usize>) -> PyErr {
    exception(py, &DOCUMENT, "DocumentError", (name, what, position))
}

pub(crate) fn chunk(py: Python<'_>, name: Option<&str>, error: &ChunkError) -> PyErr {
    match error {
        ChunkError::Cancelled => PyKeyboardInterrupt::new_err(()),
        ChunkError::OverBudget { .. } => exception(py, &BUDGET, "BudgetError", (error.to_string(),)),
        ChunkError::TooLong => document(py, name, &error.to_string(), None),
    }
}
