//! Documents in: strings, bytes, parsed documents.

use std::ops::Deref;
use std::sync::Arc;

use chunkwright_core::block::{BlockKind, BoundingBox, Document, Place};
use chunkwright_core::error::ChunkError;
use chunkwright_core::lex;
use chunkwright_core::lex::ready::{ReadyBlock, joined, read};
use chunkwright_core::strategy::{Prepared, Strategy};
use pyo3::exceptions::PyUnicodeEncodeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::document::Lexed;
use crate::errors;

/// A text that lives as long as anything refers to it: a Python string's own bytes, or ours.
pub(crate) enum Text {
    Python(PyBackedStr),
    Own(String),
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Python(text) => text,
            Self::Own(text) => text,
        }
    }
}

/// A document as it was given, with what is needed to cut it without the GIL.
pub(crate) struct Input {
    pub(crate) document_id: Option<String>,
    pub(crate) metadata: Option<Py<PyDict>>,
    pub(crate) body: Body,
}

impl Input {
    /// With more metadata for its chunks, which comes first.
    pub(crate) fn with_metadata(mut self, py: Python<'_>, more: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        if let Some(more) = more.filter(|more| !more.is_empty()) {
            let joined = more.copy()?;
            if let Some(own) = &self.metadata {
                joined.update(own.bind(py).as_mapping())?;
            }
            self.metadata = Some(joined.unbind());
        }
        Ok(self)
    }
}

pub(crate) enum Body {
    /// Markdown text.
    Markdown(Arc<Text>),
    /// A document that was lexed before.
    Lexed(Arc<Text>, Arc<Document>),
    /// Ready-made blocks, with the text they are from.
    Ready(Option<Text>, Vec<ReadyBlock>),
}

/// Why a document cannot be cut, in words.
pub(crate) enum BadInput {
    Blocks(String),
    TooLong,
}

impl Body {
    /// The text and what a strategy packs of it.
    pub(crate) fn prepare(self, strategy: &dyn Strategy) -> Result<(Arc<Text>, Prepared), BadInput> {
        if let Self::Markdown(text) = self {
            check_length(&text)?;
            let prepared = strategy.lex(&text);
            return Ok((text, prepared));
        }
        let (text, document) = self.document()?;
        let prepared = strategy.adapt(&text, document);
        Ok((text, prepared))
    }

    /// The text and its blocks.
    pub(crate) fn document(self) -> Result<(Arc<Text>, Arc<Document>), BadInput> {
        let (text, document) = match self {
            Self::Lexed(text, document) => return Ok((text, document)),
            Self::Markdown(text) => {
                check_length(&text)?;
                let document = lex::lex(&text);
                (text, document)
            }
            Self::Ready(given, mut blocks) => {
                let text = given.unwrap_or_else(|| Text::Own(own_text(&mut blocks)));
                check_length(&text)?;
                let document = read(&text, &blocks).map_err(|error| BadInput::Blocks(error.to_string()))?;
                (Arc::new(text), document)
            }
        };
        Ok((text, Arc::new(document)))
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Markdown(text) | Self::Lexed(text, _) => text.len(),
            Self::Ready(text, blocks) => {
                text.as_ref().map_or_else(|| blocks.iter().map(|b| b.text.len()).sum(), |text| text.len())
            }
        }
    }
}

fn check_length(text: &str) -> Result<(), BadInput> {
    if u32::try_from(text.len()).is_ok_and(|length| length < u32::MAX) { Ok(()) } else { Err(BadInput::TooLong) }
}

/// The text of blocks that come without one; what an image shows is part of it.
fn own_text(blocks: &mut [ReadyBlock]) -> String {
    for block in blocks.iter_mut() {
        if block.kind == BlockKind::Image
            && let Some(words) = block.description.take()
            && !block.text.contains(&words)
        {
            let glue = if block.text.is_empty() { "" } else { "\n" };
            block.text = format!("{}{glue}{words}", block.text);
        }
    }
    joined(blocks)
}

impl BadInput {
    pub(crate) fn error(&self, py: Python<'_>, name: Option<&str>) -> PyErr {
        match self {
            Self::Blocks(what) => errors::document(py, name, what, None),
            Self::TooLong => errors::chunk(py, name, &ChunkError::TooLong),
        }
    }
}

/// A string, or bytes in UTF-8.
pub(crate) fn text(value: &Bound<'_, PyAny>, name: Option<&str>) -> PyResult<Text> {
    let py = value.py();
    if let Ok(string) = value.cast::<PyString>() {
        return match PyBackedStr::try_from(string.clone()) {
            Ok(text) => Ok(Text::Python(text)),
            Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(py) => {
                let position: usize = error.value(py).getattr("start")?.extract()?;
                let what = format!(
                    "it has half a surrogate pair at character {position}; repair it, for example with text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace')"
                );
                Err(errors::document(py, name, &what, Some(position)))
            }
            Err(error) => Err(error),
        };
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return match std::str::from_utf8(bytes.as_bytes()) {
            Ok(text) => Ok(Text::Own(text.into())),
            Err(error) => {
                let position = error.valid_up_to();
                Err(errors::document(py, name, &format!("it is not UTF-8 at byte {position}"), Some(position)))
            }
        };
    }
    let kind = value.get_type().name()?;
    Err(errors::document(py, name, &format!("it is a {kind}, not a str, bytes or ParsedDocument"), None))
}

/// A document of any accepted kind.
pub(crate) fn document(value: &Bound<'_, PyAny>, document_id: Option<String>, name: Option<&str>) -> PyResult<Input> {
    let is_text = value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>();
    if is_text || !value.hasattr("blocks")? {
        let text = Arc::new(text(value, document_id.as_deref().or(name))?);
        return Ok(Input { document_id, metadata: None, body: Body::Markdown(text) });
    }
    let own_id: Option<String> = value.getattr("document_id")?.extract()?;
    let document_id = document_id.or(own_id);
    let metadata = value.getattr("metadata")?;
    let metadata = metadata.cast::<PyDict>().ok().filter(|dict| !dict.is_empty()).map(|dict| dict.clone().unbind());
    if let Ok(lexed) = value.getattr("_lexed")?.cast::<Lexed>() {
        let lexed = lexed.get();
        let body = Body::Lexed(Arc::clone(&lexed.text), Arc::clone(&lexed.document));
        return Ok(Input { document_id, metadata, body });
    }
    let name = document_id.as_deref().or(name);
    let given = value.getattr("text")?;
    let given = if given.is_none() { None } else { Some(text(&given, name)?) };
    let mut blocks = Vec::new();
    for (index, block) in value.getattr("blocks")?.try_iter()?.enumerate() {
        let block = block?;
        let ready = ready_block(&block).map_err(|error| {
            let what = format!("its block {index} cannot be read: {error}");
            errors::document(value.py(), name, &what, None)
        })?;
        blocks.push(ready);
    }
    Ok(Input { document_id, metadata, body: Body::Ready(given, blocks) })
}

fn ready_block(block: &Bound<'_, PyAny>) -> PyResult<ReadyBlock> {
    let field = |name: &str| block.getattr(name);
    let kind: String = field("kind")?.extract()?;
    let kind = BlockKind::by_name(&kind).ok_or_else(|| {
        let names = BlockKind::ALL.map(|(_, name)| name).join(", ");
        pyo3::exceptions::PyValueError::new_err(format!("its kind is {kind:?}, not one of {names}"))
    })?;
    let bbox: Option<(u32, f64, f64, f64, f64)> = field("bbox")?.extract()?;
    Ok(ReadyBlock {
        kind,
        text: text(&field("text")?, None)?.to_string(),
        level: field("level")?.extract()?,
        heading_path: field("heading_path")?.extract()?,
        place: Place {
            page: field("page")?.extract()?,
            sheet: field("sheet")?.extract()?,
            cell_range: field("cell_range")?.extract()?,
            slide: field("slide")?.extract()?,
        },
        bbox: bbox.map(|(page, x0, y0, x1, y1)| BoundingBox { page, corners: [x0, y0, x1, y1] }),
        description: field("description")?.extract()?,
        language: field("language")?.extract()?,
    })
}
