//! Whether a numbered list tells what to do.

use crate::block::Document;

const CHINESE: [&[u8]; 6] = [
    "故障".as_bytes(),
    "排查".as_bytes(),
    "步骤".as_bytes(),
    "解决方法".as_bytes(),
    "操作".as_bytes(),
    "流程".as_bytes(),
];

/// Whether a text has one of the words that steps have.
pub(super) fn is_instructive(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(at, byte)| match byte {
        // The Chinese words begin with one of these, the English ones are looked for at their rarest letter.
        0xe6 | 0xe8 => CHINESE.iter().any(|word| bytes[at..].starts_with(word)),
        b'p' | b'P' => at >= 3 && bytes[at - 3..at].eq_ignore_ascii_case(b"ste"),
        b'b' | b'B' => {
            at >= 4 && bytes.get(at - 4..at + 8).is_some_and(|word| word.eq_ignore_ascii_case(b"troubleshoot"))
        }
        _ => false,
    })
}

/// Which heading paths have such a word in one of their titles, each title read at most once.
#[derive(Default)]
pub(super) struct Titles {
    known: Vec<Option<bool>>,
}

impl Titles {
    pub(super) fn are_instructive(&mut self, document: &Document, path: u32) -> bool {
        self.known.resize(document.paths.len(), None);
        self.known[0] = Some(false);
        let mut top = path as usize;
        let found = loop {
            match self.known[top] {
                Some(known) => break known,
                None if is_instructive(document.title(top as u32)) => break true,
                None => top = document.paths[top].parent as usize,
            }
        };
        let mut at = path as usize;
        while at != top {
            self.known[at] = Some(found);
            at = document.paths[at].parent as usize;
        }
        self.known[top] = Some(found);
        found
    }
}
