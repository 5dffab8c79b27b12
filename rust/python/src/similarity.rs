//! Vectors of texts, and how alike they are.

use chunkwright_core::similarity;
use pyo3::prelude::*;

use crate::input::text;

/// The built-in embedder.
#[pyclass(frozen, module = "chunkwright")]
pub(crate) struct LexicalEmbedder;

#[pymethods]
#[expect(clippy::unused_self, clippy::needless_pass_by_value, reason = "as Python calls it")]
impl LexicalEmbedder {
    #[new]
    fn new() -> Self {
        Self
    }

    fn embed(&self, py: Python<'_>, texts: Vec<Bound<'_, PyAny>>) -> PyResult<Vec<Vec<f32>>> {
        let texts = texts.iter().map(|value| text(value, None)).collect::<PyResult<Vec<_>>>()?;
        Ok(py.detach(|| {
            let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
            similarity::LexicalEmbedder.embed(&texts)
        }))
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<pyo3::types::PyType>, ()) {
        (slf.get_type().unbind(), ())
    }
}

#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "as Python gives it")]
pub(crate) fn cosine(a: Vec<f32>, b: Vec<f32>) -> f64 {
    similarity::cosine(&a, &b)
}
