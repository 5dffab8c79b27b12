//! A table of texts with the blocks that they are.

use super::check::difference;
use super::lex;
use crate::block::{Document, PartKind};

fn shown(text: &str) -> Vec<(&'static str, &str)> {
    let document = lex(text);
    document.blocks.iter().map(|block| (block.kind.name(), &text[block.span.range()])).collect()
}

fn paths(text: &str) -> Vec<String> {
    let document: Document = lex(text);
    document.blocks.iter().map(|block| document.path(block.path).join("/")).collect()
}

#[test]
fn kinds_and_spans() {
    let table: &[(&str, &[(&str, &str)])] = &[
        ("", &[]),
        (" \n\t\n", &[]),
        ("a\nb\n\nc", &[("paragraph", "a\nb"), ("paragraph", "c")]),
        ("# A\nS\n---\n", &[("heading", "# A"), ("heading", "S\n---")]),
        ("  ```py\n  x\n  ```\n", &[("code", "  ```py\n  x\n  ```")]),
        ("    a\n\n    b\n", &[("code", "    a\n\n    b")]),
        ("```\na\n\nb", &[("code", "```\na\n\nb")]),
        ("- a\n- b\n\n1. c", &[("list", "- a\n- b"), ("list", "1. c")]),
        ("> a\nb\n", &[("quote", "> a\nb")]),
        ("---\nt: 1\n---\nx", &[("front_matter", "---\nt: 1\n---"), ("paragraph", "x")]),
        ("\u{feff}---\nt: 1\n...\nx", &[("front_matter", "---\nt: 1\n..."), ("paragraph", "x")]),
        ("a\n\n---\n\nb", &[("paragraph", "a"), ("thematic_break", "---"), ("paragraph", "b")]),
        ("a\n\n---\nb: 1\n---\n", &[("paragraph", "a"), ("thematic_break", "---"), ("heading", "b: 1\n---")]),
        ("cap\n| a |\n|---|\n| 1 |\n", &[("table", "cap\n| a |\n|---|\n| 1 |")]),
        ("x\ncap\n| a |\n|---|\n", &[("paragraph", "x\ncap"), ("table", "| a |\n|---|")]),
        (
            "x\ny\na | b\n--|--\n1 | 2\n\nz",
            &[("paragraph", "x\ny"), ("table", "a | b\n--|--\n1 | 2"), ("paragraph", "z")],
        ),
        ("x\na | b\n--|--\n1 | 2", &[("table", "x\na | b\n--|--\n1 | 2")]),
        ("cap\n\n| a |\n|---|\n", &[("paragraph", "cap"), ("table", "| a |\n|---|")]),
        ("![a](b) [![c](d)](e)\n", &[("image", "![a](b) [![c](d)](e)")]),
        ("![a](b) x\n", &[("paragraph", "![a](b) x")]),
        ("t\n$$\na\n=\nb\n$$\nu", &[("paragraph", "t"), ("math", "$$\na\n=\nb\n$$"), ("paragraph", "u")]),
        ("$$x$$\n", &[("math", "$$x$$")]),
        ("$$\na\n# H\n", &[("paragraph", "$$\na"), ("heading", "# H")]),
        ("```\n$$\n```\na\n\n$$\nb\n", &[("code", "```\n$$\n```"), ("paragraph", "a"), ("paragraph", "$$\nb")]),
        ("<div>\nx\n</div>\n", &[("html", "<div>\nx\n</div>")]),
        ("<table>\n<tr>\n\n</tr>\n</table>\n\ny", &[("table", "<table>\n<tr>\n\n</tr>\n</table>"), ("paragraph", "y")]),
        ("<table>\n<tr>\n\n# H\n</table>", &[("table", "<table>\n<tr>"), ("heading", "# H"), ("html", "</table>")]),
        ("a\n\n<!-- page: 3 -->\nb", &[("paragraph", "a"), ("page_marker", "<!-- page: 3 -->"), ("paragraph", "b")]),
        ("a\u{c}b", &[("paragraph", "a"), ("paragraph", "b")]),
        ("\u{c}# H\nx", &[("heading", "# H"), ("paragraph", "x")]),
        ("[a]: b\n\nx [a]\n", &[("paragraph", "[a]: b"), ("paragraph", "x [a]")]),
        ("x[^1]\n\n[^1]: note\n    more\n", &[("paragraph", "x[^1]"), ("paragraph", "[^1]: note\n    more")]),
        (
            "- a\n\n  <!-- page 2 -->\n\n  b\n",
            &[("list", "- a"), ("page_marker", "  <!-- page 2 -->"), ("list", "  b")],
        ),
        ("> <!-- page: 12 -->\r\n", &[("quote", ">"), ("page_marker", "<!-- page: 12 -->")]),
        ("    \u{3000}", &[]),
        ("- a\n\n  \u{3000}", &[("list", "- a")]),
    ];
    for (text, expected) in table {
        assert_eq!(shown(text), *expected, "{text:?}");
    }
}

#[test]
fn heading_paths() {
    let table: &[(&str, &[&str])] = &[
        ("# A\n\n### B\nx\n\n## C\n# D", &["A", "A/B", "A/B", "A/C", "D"]),
        ("# `a` *b* [c](d) ![e](f) $g$ {#id}\n", &["a b c e $g$"]),
        ("# A\n- # no\n\n> # no\n\nx", &["A", "A", "A", "A"]),
        ("# <b>\n", &["<b>"]),
        ("# A ##\n## C#\n## \nx\n", &["A", "A/C#", "A", "A"]),
        ("A\nB\n===\n", &["A B"]),
        ("# &amp; \\* a\n", &["& * a"]),
    ];
    for (text, expected) in table {
        assert_eq!(paths(text), *expected, "{text:?}");
    }
}

#[test]
fn pages() {
    let pages = |text: &str| -> Vec<Option<u32>> {
        let document = lex(text);
        document.blocks.iter().map(|block| document.places[block.place as usize].page).collect()
    };
    assert_eq!(pages("a"), [None]);
    assert_eq!(pages("a\u{c}b\n\n\u{c}c"), [Some(1), Some(2), Some(3)]);
    assert_eq!(pages("a\n\n<!-- page 7 -->\n\nb\u{c}c"), [Some(6), Some(6), Some(7), Some(8)]);
    assert_eq!(pages("```\nx\u{c}y\n```\nz"), [Some(1), Some(2)]);
}

#[test]
fn unclosed_fences() {
    for (text, count) in [
        ("```\na\n```", 0),
        ("```\na", 1),
        ("```", 1),
        ("```\n```", 0),
        ("- ```\n  a\n  ```\n- ~~~\n  b\n\nc", 1),
        ("> ```\n> a\n\nb", 1),
        ("> ```\n> a\n> ```\n", 0),
        ("```\na\n    ```", 1),
    ] {
        assert_eq!(lex(text).unclosed.len(), count, "{text:?}");
    }
}

#[test]
fn what_is_beyond_limits_is_text() {
    let blanks = " ".repeat(130);
    let table = format!("{}|\n{}|\n{}", "| a ".repeat(600), "| - ".repeat(600), "| `x` |\n".repeat(500));
    for (text, expected) in [
        (format!("{}> a\n\nb", ">".repeat(300)), vec!["quote", "paragraph"]),
        (format!("A\n{blanks}> b\n---\n\nc"), vec!["heading", "paragraph"]),
        (format!("```\n{blanks}> $\n{blanks}- ```\n```\nc"), vec!["code", "paragraph"]),
        (format!("{table}\n# H\n\ntext"), vec!["table", "heading", "paragraph"]),
        (table.replace("| a", "a |") + "\n# H\n", vec!["paragraph", "heading"]),
    ] {
        let document = lex(&text);
        assert_eq!(document.blocks.iter().map(|block| block.kind.name()).collect::<Vec<_>>(), expected, "{text:?}");
        assert_eq!(difference(&text), None, "{text:?}");
        assert!(document.unclosed.is_empty(), "{text:?}");
    }
    assert_eq!(paths(&format!("A\n{blanks}> b\n---\n")), ["A > b"]);
    let head_and_rows = lex(&table).parts.iter().filter(|part| part.kind != PartKind::Atom).count();
    assert_eq!(head_and_rows, 501);
}

mod certainty;
