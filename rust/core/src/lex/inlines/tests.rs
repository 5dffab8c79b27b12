//! Leaves as the parser reads them, against [`Scanner`].

mod random;

use std::collections::BTreeMap;

use pulldown_cmark::{Options, Parser};

use super::{Doubt, Labels, Leaf, Scanner};
use crate::block::{BlockKind, Part, PartKind};
use crate::lex::Raw;
use crate::lex::events::{self, Nodes};
use crate::lex::mask::Mask;
use crate::span::Span;
use crate::text::trim_end;

/// What came of some leaves.
#[derive(Default)]
struct Tally {
    leaves: usize,
    bytes: usize,
    atoms: usize,
    doubts: BTreeMap<Doubt, (usize, usize)>,
}

impl Tally {
    fn count<T>(&mut self, leaf: Span, found: &Result<T, Doubt>, atoms: usize) {
        self.leaves += 1;
        self.bytes += leaf.len();
        match found {
            Ok(_) => self.atoms += atoms,
            Err(doubt) => {
                let (leaves, bytes) = self.doubts.entry(*doubt).or_default();
                *leaves += 1;
                *bytes += leaf.len();
            }
        }
    }

    fn show(&self, name: &str) {
        let share = |part: usize, whole: usize| part as u64 * 100_000 / whole.max(1) as u64;
        println!("{name}: {} leaves, {} bytes, {} atoms", self.leaves, self.bytes, self.atoms);
        for (doubt, (leaves, bytes)) in &self.doubts {
            println!(
                "  {doubt:?}: {} leaves, {} bytes of 100000",
                share(*leaves, self.leaves),
                share(*bytes, self.bytes)
            );
        }
        let (leaves, bytes) = self.doubts.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        println!("  all: {} leaves, {} bytes of 100000", share(leaves, self.leaves), share(bytes, self.bytes));
    }
}

/// The leaves of a text, and what the scanner is asked about them.
struct Reading<'t> {
    text: &'t str,
    mask: Mask<'t>,
    nodes: Nodes,
    labels: Labels,
}

impl<'t> Reading<'t> {
    fn of(text: &'t str) -> Self {
        let mask = Mask::of(text);
        let nodes = events::read(text, &mask);
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_MATH
            | Options::ENABLE_HEADING_ATTRIBUTES;
        let mut labels = Labels::new(text.len());
        for (label, link) in Parser::new_ext(&mask.text[mask.start..], options).reference_definitions().iter() {
            labels.insert(label, link.dest.len() + link.title.as_deref().map_or(0, str::len));
        }
        Self { text, mask, nodes, labels }
    }

    /// Compares each leaf of which the scanner is sure.
    fn compare(&self, scanner: &mut Scanner, tally: &mut Tally) {
        if !self.mask.formulas.is_empty() || self.text.contains('\0') {
            return;
        }
        for raw in &self.nodes.raws {
            match raw.kind {
                BlockKind::Heading => self.heading(raw, scanner, tally),
                BlockKind::Paragraph | BlockKind::Image | BlockKind::Math if self.is_plain(raw) => {
                    self.leaf(raw.span, raw.parts, Some(raw.kind), false, scanner, tally);
                }
                BlockKind::List | BlockKind::Quote | BlockKind::Paragraph => self.nested(raw, scanner, tally),
                _ => {}
            }
        }
    }

    fn is_plain(&self, raw: &Raw) -> bool {
        self.nodes.parts[raw.parts.range()].iter().all(|part| part.kind == PartKind::Atom)
            && !self.text[raw.span.range()].starts_with("[^")
    }

    fn nested(&self, raw: &Raw, scanner: &mut Scanner, tally: &mut Tally) {
        let mut quoted_to = if raw.kind == BlockKind::List { 0 } else { raw.parts.end };
        for at in raw.parts.start..raw.parts.end {
            let part = self.nodes.parts[at as usize];
            match part.kind {
                PartKind::Quote => quoted_to = quoted_to.max(part.next),
                PartKind::Paragraph | PartKind::Math => {
                    let atoms = Span { start: at + 1, end: part.next };
                    // Where the text of a tight item begins with an escape, the part begins behind the backslash.
                    let escaped = self.text[..part.span.start as usize].ends_with('\\');
                    let start = part.span.start - u32::from(escaped);
                    self.leaf(Span { start, ..part.span }, atoms, None, at < quoted_to, scanner, tally);
                }
                _ => {}
            }
        }
    }

    fn leaf(
        &self,
        span: Span,
        atoms: Span,
        kind: Option<BlockKind>,
        quoted: bool,
        scanner: &mut Scanner,
        tally: &mut Tally,
    ) {
        let span = trimmed(self.text, span);
        let is_task =
            kind.is_none() && ["[ ]", "[x]", "[X]"].iter().any(|mark| self.text[span.range()].starts_with(mark));
        if span.is_empty() || is_task {
            return;
        }
        let mut parts = filler();
        let found = scanner.scan(&self.mask, span, &self.labels, quoted, &mut parts);
        tally.count(span, &found, parts.len() - 1);
        let Ok(leaf) = found else { return assert_eq!(parts, filler()) };
        let whole = &self.text[span.range()];
        assert_eq!(parts[1..], self.expected(atoms), "{whole:?} in {:?}", self.text);
        if let Some(kind) = kind {
            let is_image = matches!(leaf, Leaf { images: 1.., others: false });
            let found = if is_image { BlockKind::Image } else { BlockKind::Paragraph };
            assert_eq!(found, kind, "{whole:?} in {:?}", self.text);
        }
    }

    fn heading(&self, raw: &Raw, scanner: &mut Scanner, tally: &mut Tally) {
        let Some(span) = heading_content(&self.mask.text, raw.span) else { return };
        let mut parts = filler();
        let words = scanner.scan_heading(&self.mask, span.start as usize, &self.labels, &mut parts);
        tally.count(span, &words, parts.len() - 1);
        let Ok(words) = words else { return assert_eq!(parts, filler()) };
        assert_eq!(parts[1..], self.expected(raw.parts), "{:?} in {:?}", &self.text[span.range()], self.text);
        assert_eq!(
            words.trim(),
            self.nodes.titles[raw.words.range()].trim(),
            "{:?} in {:?}",
            &self.text[span.range()],
            self.text
        );
    }

    /// Atoms as they are where one part is in front of them.
    fn expected(&self, atoms: Span) -> Vec<Part> {
        let atoms = self.nodes.parts[atoms.range()].iter();
        atoms.enumerate().map(|(at, part)| Part { next: at as u32 + 2, ..*part }).collect()
    }
}

/// What parts a scan finds before it begins.
fn filler() -> Vec<Part> {
    vec![Part { kind: PartKind::Paragraph, span: Span::default(), next: 1 }]
}

fn trimmed(text: &str, span: Span) -> Span {
    let whole = &text[span.range()];
    let start = span.start + (whole.len() - whole.trim_start().len()) as u32;
    trim_end(text, Span { start, end: span.end.max(start) })
}

/// The content of an ATX heading with all that may stand behind it on its line.
fn heading_content(text: &str, span: Span) -> Option<Span> {
    let line = &text[span.range()];
    let content = line.trim_start().trim_start_matches('#');
    let is_heading = line.trim_start().starts_with('#') && content.starts_with([' ', '\t']);
    let start = span.end as usize - content.trim_start_matches([' ', '\t']).len();
    is_heading.then(|| trim_end(text, Span::new(start, span.end as usize))).filter(|span| !span.is_empty())
}

/// Atoms of the first paragraph; its doubt.
fn atoms(text: &str) -> Result<Vec<&str>, Doubt> {
    let reading = Reading::of(text);
    reading.compare(&mut Scanner::default(), &mut Tally::default());
    let leaf = &reading.nodes.raws[0];
    let mut parts = Vec::new();
    Scanner::default().scan(&reading.mask, trimmed(text, leaf.span), &reading.labels, false, &mut parts)?;
    Ok(parts.iter().map(|part| &text[part.span.range()]).collect())
}

#[test]
fn atoms_are_found() {
    let none: &[&str] = &[];
    for (text, expected) in [
        ("a *b* _c_ ~d~ ^e^ **f** \\* & ! | >", none),
        ("a `b` ``c ` d`` `e\nf` g", &["`b`", "``c ` d``", "`e\nf`"]),
        ("a ``b` c\\` d` `", &["` c\\`", "` `"]),
        ("\\``a` \\\\`b`", &["`a`", "`b`"]),
        (
            "[a](b) ![c](<d e> \"f\") [`g](h)` [i](j(k) 'l)')",
            &["[a](b)", "![c](<d e> \"f\")", "`g](h)`", "[i](j(k) 'l)')"],
        ),
        ("[![a](b)](c) [d [e](f) g](h) \\![i](j)", &["[![a](b)](c)", "[e](f)", "[i](j)"]),
        ("[a](b\n'c\nd') [e] [f][g] [h][] [](i", &["[a](b\n'c\nd')"]),
        ("[A][f] [F] [f ] [f][] [x][g] [g]\n\n[f]: u", &["[A][f]", "[F]", "[f ]", "[f]"]),
        (
            "<https://a> <a@b.c> <br> <br/> </b > <a href=\"b>\nc\" d> < e > <f\\> <\\g>",
            &["<https://a>", "<a@b.c>", "<br>", "<br/>", "</b >", "<a href=\"b>\nc\" d>"],
        ),
        ("$a$ b $ c $d $e$", &["$a$", "$e$"]),
        ("${a} $b} $c {$} d$", &["$c {$} d$"]),
        ("a <!-- b --> <!--> --> <!---> <!--c@d> <!-", &["<!-- b -->", "<!-->", "<!--->", "<!--c@d>"]),
        ("it costs $5 or $ 6", none),
    ] {
        assert_eq!(atoms(text), Ok(expected.to_vec()), "{text:?}");
    }
}

#[test]
fn words_of_headings() {
    for (text, expected) in [
        ("# a  b #", "a  b"),
        ("# a#", "a#"),
        ("# [a](b) `` c` `` <b>d</b> \\*e $f$ <gg:h> ![i](j)", "a c` d *e $f$ gg:h i"),
        ("# a_b & c {#d .e}  ", "a_b & c"),
        ("# a ## { #b }\r\n", "a"),
        ("# [a] [b][c] <!-- d -->\n\n[c]: e", "[a] b "),
    ] {
        let labels = Reading::of(text).labels;
        let mask = Mask::of(text);
        let words = Scanner::default().scan_heading(&mask, 2, &labels, &mut Vec::new());
        assert_eq!(words.as_deref(), Ok(expected), "{text:?}");
    }
    for text in ["# *a*", "# a &amp;", "# #", "# a\t", "# \\{a}", "# a {b)}", "# {a}"] {
        let labels = Labels::new(0);
        let mask = Mask::of(text);
        let words = Scanner::default().scan_heading(&mask, 2, &labels, &mut Vec::new());
        assert_eq!(words, Err(Doubt::Heading), "{text:?}");
    }
}

#[test]
fn doubts_are_told() {
    for (text, expected) in [
        ("a[^b]", Doubt::Footnote),
        ("a $$b$$ c", Doubt::Display),
        ("a <?b?> c", Doubt::Markup),
        ("[a](b '\n\\'')", Doubt::Tokens),
        ("![a](b) &nbsp;", Doubt::Marks),
        ("*![a](b)*", Doubt::Marks),
    ] {
        assert_eq!(atoms(text), Err(expected), "{text:?}");
    }
}

/// Leaves on which a search from each token would go far: each byte is looked at a few times, or the leaf is left to the parser.
#[test]
fn hostile_leaves_are_no_work() {
    const LENGTH: usize = 1 << 20;
    let mut labels = Labels::new(LENGTH);
    labels.insert("foo", 3);
    let growing: String = (1..1400).map(|length| "`".repeat(length) + " ").collect();
    let units = [
        "[",
        "![",
        "[a",
        "]",
        "<",
        "](",
        "[](",
        "[](a \"",
        "[](a (",
        "[](<",
        "![a](",
        "[a]",
        "[a][",
        "[[a]",
        "<a b=\"",
        "<a b='\" ",
        "<a b=\"'<a c='\"",
        "<a ",
        "<a@",
        "<a:",
        "<!--",
        "$a ",
        "a$ {",
        "{$ ",
        "}$a",
        "$a {$b}",
        "\\",
        "\\`",
        "` `` ",
        "a&",
        "*_",
        "[a](b) ",
        "![[a](b)](c)",
    ];
    let long = units.map(|unit| unit.repeat(LENGTH / unit.len()));
    for text in long.iter().chain([&growing]) {
        let mask = Mask::of(text);
        for labels in [&Labels::new(LENGTH), &labels] {
            let span = trim_end(text, Span::new(0, text.len()));
            let _ = Scanner::default().scan(&mask, span, labels, false, &mut Vec::new());
            let _ = Scanner::default().scan_heading(&mask, span.start as usize, labels, &mut Vec::new());
        }
    }
}

#[test]
fn labels_are_looked_up() {
    let mut labels = Labels::new(0);
    assert_eq!(labels.lookup("É"), Some(false));
    labels.insert(" Foo\n  bar", 3);
    labels.insert("中", 30_000);
    let found = ["fOO bar", "foo\tBAR ", "foobar", "中", "文", "É", "é", "\u{212a}"].map(|label| labels.lookup(label));
    assert_eq!(found, [Some(true), Some(true), Some(false), Some(true), Some(false), None, None, None]);
    labels.insert("\u{212a}", 3);
    assert_eq!(["k", "\u{212a}", "foo bar"].map(|label| labels.lookup(label)), [None, Some(true), Some(true)]);
    assert!(!labels.is_exhausted());
    labels.spend_region("[中] [a](b)");
    assert!(labels.is_exhausted());
}

/// Files of documents with three NUL between them.
fn files() -> Vec<(String, String)> {
    let names = std::env::var("DOCS").unwrap_or_default();
    names.split_whitespace().map(|name| (name.to_owned(), std::fs::read_to_string(name).unwrap_or_default())).collect()
}

/// `DOCS="a b" cargo test --release -- --ignored documents_are --nocapture`
#[test]
#[ignore = "reads files that are not part of the project"]
fn documents_are_read_alike() {
    for (name, all) in files() {
        let (mut tally, mut scanner) = (Tally::default(), Scanner::default());
        for text in all.split("\0\0\0") {
            Reading::of(text).compare(&mut scanner, &mut tally);
        }
        tally.show(&name);
    }
}
