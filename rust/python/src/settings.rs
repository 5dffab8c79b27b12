//! Settings in: Python values, each checked on its own; what belongs together is checked by the core.

use std::cell::RefCell;
use std::sync::Arc;

use chunkwright_core::engine::LengthFunction;
use chunkwright_core::error::SettingError;
use chunkwright_core::settings::Settings;
use chunkwright_core::strategy::{Sizing, Unit};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBoolMethods, PyFloat, PyInt, PyString};

pub(crate) fn threads_of(threads: &Bound<'_, PyAny>) -> Result<usize, SettingError> {
    match optional(threads, |value| integer("threads", value))? {
        Some(0) => Err(SettingError { setting: "threads", value: "0".into(), allowed: "None or at least 1".into() }),
        Some(threads) => Ok(threads as usize),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

pub(crate) fn optional<T>(
    value: &Bound<'_, PyAny>,
    read: impl FnOnce(&Bound<'_, PyAny>) -> Result<T, SettingError>,
) -> Result<Option<T>, SettingError> {
    if value.is_none() { Ok(None) } else { read(value).map(Some) }
}

fn shown(value: &Bound<'_, PyAny>) -> String {
    value.repr().map_or_else(|_| "a value without a repr".into(), |repr| repr.to_string())
}

/// A whole number from 0 to 2^31 - 1. A bool is none.
pub(crate) fn integer(setting: &'static str, value: &Bound<'_, PyAny>) -> Result<u32, SettingError> {
    let number = value.extract::<i64>().ok().filter(|_| !value.is_instance_of::<PyBool>());
    number.and_then(|number| u32::try_from(number).ok()).filter(|number| *number < 1 << 31).ok_or_else(|| {
        SettingError { setting, value: shown(value), allowed: "a whole number from 0 to 2147483647".into() }
    })
}

pub(crate) fn string(setting: &'static str, value: &Bound<'_, PyAny>) -> Result<String, SettingError> {
    let text = value.cast::<PyString>().ok().and_then(|text| text.extract::<String>().ok());
    text.ok_or_else(|| SettingError { setting, value: shown(value), allowed: "a str without lone surrogates".into() })
}

pub(crate) fn boolean(setting: &'static str, value: &Bound<'_, PyAny>) -> Result<bool, SettingError> {
    let given = value.cast::<PyBool>().map(PyBoolMethods::is_true);
    given.map_err(|_| SettingError { setting, value: shown(value), allowed: "True or False".into() })
}

/// A number; NaN is none.
pub(crate) fn number(setting: &'static str, value: &Bound<'_, PyAny>) -> Result<f64, SettingError> {
    let is_number = value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>();
    let given = value.extract::<f64>().ok().filter(|n| is_number && !value.is_instance_of::<PyBool>() && !n.is_nan());
    given.ok_or_else(|| SettingError { setting, value: shown(value), allowed: "a number".into() })
}

pub(crate) fn strings(setting: &'static str, value: &Bound<'_, PyAny>) -> Result<Vec<String>, SettingError> {
    let is_string = value.is_instance_of::<PyString>();
    value.extract::<Vec<String>>().ok().filter(|_| !is_string).ok_or_else(|| SettingError {
        setting,
        value: shown(value),
        allowed: "a list of str without lone surrogates".into(),
    })
}

/// The settings of size that all strategies but `structure` have.
pub(crate) struct Sizes<'a, 'py> {
    /// Names of size and overlap in characters.
    pub(crate) names: (&'static str, Option<&'static str>),
    /// Size and overlap in characters.
    pub(crate) chars: (&'a Bound<'py, PyAny>, Option<&'a Bound<'py, PyAny>>),
    pub(crate) max_tokens: &'a Bound<'py, PyAny>,
    pub(crate) overlap_tokens: &'a Bound<'py, PyAny>,
    pub(crate) tokenizer_name: &'a Bound<'py, PyAny>,
    pub(crate) length_function: &'a Bound<'py, PyAny>,
}

const DEFAULT_TOKENIZER: &str = "cl100k_base";

impl Sizes<'_, '_> {
    pub(crate) fn read(&self) -> Result<Sizing, SettingError> {
        let name = optional(self.tokenizer_name, |value| string("tokenizer_name", value))?;
        let tokenizer = |name: &str| Settings::tokenizer(name);
        let function = optional(self.length_function, length_function)?;
        let max_tokens = optional(self.max_tokens, |value| integer("max_tokens", value))?;
        let overlap_tokens = optional(self.overlap_tokens, |value| integer("overlap_tokens", value))?;
        if let Some(budget) = max_tokens {
            if function.is_some() {
                return Err(left_out("length_function", self.length_function, "left out where max_tokens is given"));
            }
            let unit = Unit::Tokens(tokenizer(name.as_deref().unwrap_or(DEFAULT_TOKENIZER))?);
            let sizing = Sizing { unit, budget, overlap: overlap_tokens.unwrap_or(0) };
            return sizing.check("max_tokens", "overlap_tokens");
        }
        if overlap_tokens.is_some() {
            return Err(left_out("overlap_tokens", self.overlap_tokens, "left out where max_tokens is not given"));
        }
        let unit = match function {
            Some((function, name)) => Unit::Function(function, name),
            None => Unit::Chars(name.as_deref().map(tokenizer).transpose()?),
        };
        let budget = integer(self.names.0, self.chars.0)?;
        let (overlap_name, overlap) = match (self.names.1, self.chars.1) {
            (Some(name), Some(value)) => (name, integer(name, value)?),
            _ => ("overlap", 0),
        };
        Sizing { unit, budget, overlap }.check(self.names.0, overlap_name)
    }
}

fn left_out(setting: &'static str, value: &Bound<'_, PyAny>, allowed: &str) -> SettingError {
    SettingError { setting, value: shown(value), allowed: allowed.into() }
}

thread_local! {
    /// Why a length function failed on this thread, until somebody takes it.
    static FAILURE: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// The exception of a length function that was called on this thread.
pub(crate) fn take_failure() -> Option<PyErr> {
    FAILURE.take()
}

/// A Python function from a text to its size, with the name that stands for it in fingerprints. Once it fails, all text is empty, so that the run ends soon.
fn length_function(value: &Bound<'_, PyAny>) -> Result<(LengthFunction, String), SettingError> {
    if !value.is_callable() {
        return Err(left_out("length_function", value, "None or a function from a str to its size"));
    }
    let part = |name: &str| value.getattr(name).ok().and_then(|part| part.extract::<String>().ok());
    let class = || value.get_type().fully_qualified_name().map_or_else(|_| String::new(), |name| name.to_string());
    let name =
        part("__qualname__").map_or_else(class, |name| format!("{}.{name}", part("__module__").unwrap_or_default()));
    let function = value.clone().unbind();
    let call = move |text: &str| {
        if FAILURE.with_borrow(Option::is_some) {
            return 0;
        }
        let size = Python::attach(|py| function.bind(py).call1((text,)).and_then(|size| size.extract::<usize>()));
        size.unwrap_or_else(|error| {
            FAILURE.set(Some(error));
            0
        })
    };
    Ok((LengthFunction(Arc::new(call)), name))
}
