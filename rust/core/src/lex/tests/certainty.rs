//! What is read line by line is what the parser reads.

use crate::lex::check::difference;
use crate::lex::events::Nodes;
use crate::lex::{certain, mask};

fn check(text: &str) {
    if let Some([ours, parsers]) = difference(text) {
        panic!("{text:?}\nby lines: {ours}\nby the parser: {parsers}");
    }
}

/// Whether a text is read without the parser, all of it or in part.
fn read_by_lines(text: &str) -> bool {
    let mask = mask::Mask::of(text);
    certain::read(text, &mask).is_some_and(|nodes: Nodes| !nodes.raws.is_empty())
}

/// What may be next to anything in a document.
const PIECES: [&str; 107] = [
    "a",
    "b c",
    "word. next",
    "中文。",
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\n\n",
    "\n\n\n",
    "- ",
    "- ",
    "* ",
    "+ ",
    "1. ",
    "1. ",
    "2. ",
    "10) ",
    "01. ",
    "> ",
    "> ",
    ">",
    "# ",
    "## ",
    "###",
    "####### ",
    "```\n",
    "```\n",
    "```py\n",
    "~~~\n",
    "````\n",
    "  ",
    "  ",
    "   ",
    "    ",
    " ",
    "\t",
    "---",
    "***",
    "___",
    "* * *",
    "- - -",
    "===",
    "--",
    "=",
    "-",
    "|",
    "a | b\n",
    "--|--\n",
    "|a|\n|-|\n",
    "|-|-|\n",
    ":-:",
    "<div>",
    "</div>",
    "<!-- c -->",
    "<!--",
    "-->",
    "<pre>",
    "</pre>",
    "<script>",
    "<http://x.y>",
    "<b>",
    "<table>",
    "<X a=\"b\"/>",
    "</y>\n",
    "<P",
    "</table>",
    "[a]",
    "[a]: /u\n",
    "[A b]: <x>\n",
    "[b]: /u \"t\"\n",
    "[x](y)",
    "![i](j)",
    "[^1]",
    "[^1]: n\n",
    "`c`",
    "`",
    "``",
    "$",
    "$x$",
    "$$",
    "$$\n",
    "\\",
    "\\*",
    "*e*",
    "**s**",
    "_u_",
    "~~d~~",
    "&amp;",
    "[ ] ",
    "[x] ",
    "\r\n",
    "\r",
    "\u{c}",
    "\u{b}",
    "\u{a0}",
    "\u{3000}",
    "<!-- page: 3 -->\n",
    "{#id}",
    "#",
    "}",
    "\"t\"",
    "(",
    ")",
    "!",
    "[",
    "]:",
];

#[test]
fn lines_are_what_the_parser_reads() {
    let mut seed = 1u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut by_lines = 0;
    for round in 0..40_000 {
        // Few kinds of pieces in one text meet more often.
        let kinds: Vec<&str> = (0..3 + next(10)).map(|_| PIECES[next(PIECES.len())]).collect();
        let mut text = String::new();
        for _ in 0..=next(if round % 10 == 0 { 60 } else { 14 }) {
            text.push_str(if next(4) > 0 { kinds[next(kinds.len())] } else { PIECES[next(PIECES.len())] });
            if next(5) == 0 {
                text.push('\n');
            }
        }
        check(&text);
        by_lines += usize::from(read_by_lines(&text));
    }
    assert!(by_lines > 10_000, "{by_lines}");
}

#[test]
fn forms_are_read_by_lines() {
    // All of these are certain but for the last ones; none of the nodes is the parser's.
    for text in [
        "# A `b` #\n\ntext *with* [link](u)\nand more\n\n---\n",
        "a\n- b\n- c\n\n  d\n\n  1. e\n  2. f\n\n- g\n  ```\n  code\n\n  ```\n  h\n\ni",
        "> quote\n> more\n>\n> end <http://a.b>\n\n```sh\n- x\n\n```\n<!-- c\n\n-->\n",
        "see [a] and [B][b]\n\n[a]: /u\n[b]: /v \"t\"\n",
        "\r\n# A\r\n\r\n- b\r\n\r\n- c\r\n",
        "<div>\n# a\n\n<X a=\"b\" c/> \n- d\n\n</x-y>\n\n<H1>e</H1>\n\n# b\n",
        "t\n| a | b |\n|:--|--|\n| `c` | d | e\nf\n\n| a\n-|\n# B\n",
    ] {
        check(text);
        let mask = mask::Mask::of(text);
        assert_eq!(certain::regions(&mask), Some(vec![]), "{text:?}");
    }
    for (text, regions) in [
        ("a\n\nS\n---\n\n# B\n", vec![(3, 10)]),
        ("- a\nb\n\nc", vec![(0, 7)]),
        ("- a\n\n      code\n\n# B\n", vec![(0, 17)]),
        (" ```\na\n\nb\n", vec![(0, 10)]),
        ("a\n<div>\n# b\n\n# c\n", vec![(0, 13)]),
        ("<pre>\n# a\n\n# b\n", vec![(0, 15)]),
        ("<b>a</b>\n\n<i\n>\n", vec![(0, 10), (10, 15)]),
        ("|-\n--|\t\n", vec![(0, 8)]),
        ("| a |\n|---|\n| \\ |\n\nc\n\n\tcode\n", vec![(0, 19), (22, 28)]),
    ] {
        check(text);
        let found = certain::regions(&mask::Mask::of(text)).unwrap_or_default();
        assert_eq!(found.iter().map(|span| (span.start, span.end)).collect::<Vec<_>>(), regions, "{text:?}");
    }
}
