//! Labels of link reference definitions.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

/// Bytes of a label beyond which the parser's limit of 1000 (of what, depends) may matter.
pub(super) const MOST_LABEL: usize = 900;

/// What the parser lets references expand to in any text.
const LEAST_LIMIT: usize = 100_000;

/// Labels of the definitions of a document, and what references to them have expanded to.
pub(in crate::lex) struct Labels {
    /// Expansion lengths by label, in lower case.
    known: HashMap<String, usize>,
    /// Some label has letters whose case is no plain matter, so that it may be equal to what looks different.
    has_odd: bool,
    limit: usize,
    spent: Cell<usize>,
    longest: usize,
}

impl Labels {
    /// `length`: of the text that the parser would get.
    pub(in crate::lex) fn new(length: usize) -> Self {
        Self { known: HashMap::new(), has_odd: false, limit: length.max(LEAST_LIMIT), spent: Cell::new(0), longest: 0 }
    }

    /// A definition, whose destination and title have so many bytes in sum (or fewer).
    pub(in crate::lex) fn insert(&mut self, label: &str, expansion: usize) {
        self.has_odd |= !is_plain(label) || has_odd_white(label);
        self.longest = self.longest.max(expansion);
        let longest = self.known.entry(key(label).into_owned()).or_default();
        *longest = expansion.max(*longest);
    }

    pub(in crate::lex) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Whether there is a definition with this label; none: not sure. One that there is counts for what it expands to.
    pub(in crate::lex) fn lookup(&self, label: &str) -> Option<bool> {
        if self.is_empty() {
            return Some(false);
        }
        if has_odd_white(label) {
            return None;
        }
        if let Some(expansion) = self.known.get(&*key(label)) {
            self.spend(*expansion);
            return Some(true);
        }
        (!self.has_odd && is_plain(label)).then_some(false)
    }

    /// Counts references that the parser itself may find in a region of the text.
    pub(in crate::lex) fn spend_region(&self, region: &str) {
        if !self.is_empty() {
            self.spend(self.longest * memchr::memchr_iter(b']', region.as_bytes()).count());
        }
    }

    fn spend(&self, expansion: usize) {
        self.spent.set(self.spent.get().saturating_add(expansion));
    }

    /// Whether so much has been expanded that the parser, which finds no more references beyond a limit, might come near to it.
    pub(in crate::lex) fn is_exhausted(&self) -> bool {
        self.spent.get() > self.limit / 2
    }
}

/// White space that the parser takes for such in some places only.
fn has_odd_white(label: &str) -> bool {
    label.contains(['\x0b', '\x0c'])
}

/// White space is one blank or none, as the parser has it; letters in lower case.
fn key(label: &str) -> Cow<'_, str> {
    if !label.bytes().any(|b| b.is_ascii_uppercase() || b.is_ascii_whitespace()) {
        return Cow::Borrowed(label);
    }
    let mut key = String::with_capacity(label.len());
    for word in label.split(|c: char| c.is_ascii_whitespace()).filter(|word| !word.is_empty()) {
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(word);
    }
    key.make_ascii_lowercase();
    Cow::Owned(key)
}

/// Whether no character but ASCII letters has case, nor is equal to any other without regard to case.
fn is_plain(label: &str) -> bool {
    label.chars().all(|c| matches!(c, '\0'..='\x7f' | '\u{2010}'..='\u{2027}' | '\u{3000}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{ff01}'..='\u{ff20}'))
}
