//! Inputs, and tiktoken-rs as the oracle.

use std::fs;
use std::path::{Path, PathBuf};

use chunkwright_core::span::Span;
use tiktoken_rs::CoreBPE;

/// Whether the long versions are wanted.
pub(crate) fn long() -> bool {
    std::env::var_os("CHUNKWRIGHT_LONG").is_some()
}

/// The encoding as tiktoken-rs has it.
pub(crate) fn oracle(name: &str) -> &'static CoreBPE {
    match name {
        "cl100k_base" => tiktoken_rs::cl100k_base_singleton(),
        "o200k_base" => tiktoken_rs::o200k_base_singleton(),
        "o200k_harmony" => tiktoken_rs::o200k_harmony_singleton(),
        "p50k_base" => tiktoken_rs::p50k_base_singleton(),
        "p50k_edit" => tiktoken_rs::p50k_edit_singleton(),
        _ => tiktoken_rs::r50k_base_singleton(),
    }
}

/// A small generator of numbers that look random.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Less than `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A span of at most `len` bytes of a text.
    pub(crate) fn span(&mut self, text: &str, len: usize) -> Span {
        let start = text.floor_char_boundary(self.below(text.len() + 1));
        let end = text.floor_char_boundary((start + self.below(len)).min(text.len()));
        Span::new(start, end.max(start))
    }
}

const PARTS: [&str; 64] = [
    "a",
    "the",
    "don",
    "'s",
    "'T",
    "'re",
    "'LL",
    "'ſ",
    "'",
    "’",
    "Hello",
    "HTTPServer",
    "camelCase",
    "ABC",
    "x",
    "é",
    "ñ",
    "ß",
    "ſ",
    "İ",
    "漢",
    "中国",
    "的",
    "。",
    "，",
    "！",
    "ひらがな",
    "カタカナ",
    "한국어",
    "Привет",
    "ДОМ",
    "ǅ",
    "ʰ",
    "ª",
    "\u{301}",
    "\u{20dd}",
    "\u{200d}",
    "🙂",
    "👩‍💻",
    "1",
    "12",
    "123456",
    "½",
    "Ⅻ",
    "٣",
    "𝟘",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\u{b}",
    "\u{85}",
    "\u{a0}",
    "\u{3000}",
    "\u{2028}",
    ".",
    "!?",
    "/",
    "---",
    "|",
    "\0",
    "<|endoftext|>",
];

/// Words, marks and oddities in a random order.
pub(crate) fn random_text(random: &mut Random, parts: usize) -> String {
    let mut text = String::new();
    let bias = random.below(4);
    for _ in 0..parts {
        let kind = random.below(8);
        if kind == 0 {
            text.push(char::from_u32(random.below(0x3_1000) as u32).unwrap_or('?'));
        } else if kind <= bias {
            text.push_str(PARTS[46 + random.below(18)]);
        } else {
            text.push_str(PARTS[random.below(PARTS.len())]);
        }
        if random.below(24) == 0 {
            let unit = PARTS[random.below(PARTS.len())];
            text.push_str(&unit.repeat(random.below(40)));
        }
    }
    text
}

/// Documents of the shared corpora and of the Python standard library, up to so many bytes of each; none where there are none.
pub(crate) fn corpora(bytes: usize) -> Vec<String> {
    let mut documents = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .map(|folder| folder.join("../shared/corpora"))
        .find(|folder| folder.is_dir());
    let names = ["en_book", "en_fastapi", "en_ps", "tldr", "zh_docs"];
    for name in names {
        if let Some(root) = &root {
            take_documents(unpacked(root, name), bytes, &mut documents);
        }
    }
    take_documents(python_sources(), bytes, &mut documents);
    documents
}

fn take_documents(all: Vec<String>, bytes: usize, documents: &mut Vec<String>) {
    let mut sum = 0;
    let step = (all.iter().map(String::len).sum::<usize>() / bytes.max(1)).max(1);
    for document in all.into_iter().step_by(step) {
        sum += document.len();
        documents.push(document);
        if sum > bytes {
            break;
        }
    }
}

fn unpacked(root: &Path, name: &str) -> Vec<String> {
    let target = std::env::temp_dir().join("chunkwright-corpora");
    if !target.join(name).is_dir() {
        let script = root.join("unpack.py");
        let status = std::process::Command::new("python3").arg(script).arg(&target).arg(name).output();
        if status.is_err() {
            return Vec::new();
        }
    }
    files(&target.join(name), &[])
}

fn python_sources() -> Vec<String> {
    let command =
        std::process::Command::new("python3").args(["-c", "import os; print(os.path.dirname(os.__file__))"]).output();
    let folder = command.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    if folder.is_empty() { Vec::new() } else { files(&PathBuf::from(folder), &["py"]) }
}

fn files(root: &Path, endings: &[&str]) -> Vec<String> {
    let mut texts = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() && !path.ends_with("site-packages") {
                folders.push(path);
            } else if endings.is_empty() || path.extension().is_some_and(|ending| endings.iter().any(|e| ending == *e))
            {
                texts.extend(fs::read_to_string(&path));
            }
        }
    }
    texts
}
