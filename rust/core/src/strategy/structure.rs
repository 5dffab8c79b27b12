//! Blocks, sections, token-budgeted chunks, each with its heading path in front.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{Prepared, Strategy};
use crate::block::Document;
use crate::chunk::{Chunks, SizeUnit};
use crate::engine;
use crate::error::ChunkError;
use crate::lex::lex;
use crate::settings::{STRUCTURE, STRUCTURE_VERSION, Settings};

impl Strategy for Settings {
    fn name(&self) -> &'static str {
        STRUCTURE
    }

    fn version(&self) -> &'static str {
        STRUCTURE_VERSION
    }

    fn fingerprint(&self) -> String {
        Self::fingerprint(self)
    }

    fn unit(&self) -> SizeUnit {
        SizeUnit::Tokens
    }

    fn has_blocks(&self) -> bool {
        true
    }

    fn lex(&self, text: &str) -> Prepared {
        Prepared { document: Arc::new(lex(text)), types: Vec::new() }
    }

    fn adapt(&self, _text: &str, document: Arc<Document>) -> Prepared {
        Prepared { document, types: Vec::new() }
    }

    fn chunk(&self, text: &str, prepared: &Prepared, cancel: &AtomicBool) -> Result<Chunks, ChunkError> {
        engine::chunk(text, &prepared.document, self, cancel)
    }
}
