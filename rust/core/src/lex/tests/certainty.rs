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
    // None of the nodes is the parser's.
    for text in [
        "# A `b` #\n\ntext *with* [link](u)\nand more\n\n---\n",
        "a\n- b\n- c\n\n  d\n\n  1. e\n  2. f\n\n- g\n  ```\n  code\n\n  ```\n  h\n\ni",
        "> quote\n> more\n>\n> end <http://a.b>\n\n```sh\n- x\n\n```\n<!-- c\n\n-->\n",
        "see [a] and [B][b]\n\n[a]: /u\n[b]: /v \"t\"\n",
        "\r\n# A\r\n\r\n- b\r\n\r\n- c\r\n",
        "<div>\n# a\n\n<X a=\"b\" c/> \n- d\n\n</x-y>\n\n<H1>e</H1>\n\n# b\n",
        "t\n| a | b |\n|:--|--|\n| `c` | d | e\nf\n\n| a\n-|\n# B\n",
        // Backslashes and blanks around rows.
        "| a \\* |b|\n  |---|-|\n  `c\\|d` \\\\| | e\n|\\|\n- f\n",
        // Quotes, tables and HTML in lists.
        "- a\n  > b\n  >\n  >    c\n\n  - > d\n\n  e\n- f\n",
        "1. a\n\n   | b | c |\n   |---|---|\n   | `d` |\n   e\n2. | f |\n   |:-:|\n",
        "- a\n\n  <div>\n\n  b\n  </div>\n   \n  <!-- page: 3 -->\n- <br/>\n  c\n",
        // What quotes may hold.
        "> - a\n>\n>   b\n> - c\n>\n> ```\n> d\n>\n> ```\n>\n> | e |\n> |---|\n>\n> <p>\n> f\n>  \n> > g\n\nh\n",
        // Lines that go on with a paragraph from outside of its container.
        "- a\nb\n<i>c</i>\n      d\n\n> e\nf <http:g>\n\n1. > h\ni\n",
        // Text that begins with a tag, and tags that do not end it.
        "<b>a</b>\n<c>\n\n<d\n>\n\n<kbd>e</kbd> f\n<div>\n- <i>g</i>\n",
        // Blanks in front of blocks.
        " # a\n  b\n   c\n ```\n d\n   ```\n  - e\n > f\n\n   <br>\n\n  | g |\n  |---|\n ---\n  [h]: u\n",
    ] {
        check(text);
        let mask = mask::Mask::of(text);
        assert_eq!(certain::regions(&mask), Some(vec![]), "{text:?}");
    }
}

#[test]
fn what_is_in_doubt_is_left_to_the_parser() {
    for (text, regions) in [
        ("a\n\nS\n---\n\n# B\n", vec![(3, 10)]),
        ("- a\n===\n\nc", vec![(0, 9)]),
        ("- a\n\n      code\n\n# B\n", vec![(0, 17)]),
        ("    code\n\nb\n", vec![(0, 10)]),
        ("- [ ] a\n\nb\n", vec![(0, 9)]),
        ("- <pre>\n  a\n\nb\n", vec![(0, 13)]),
        ("- <!-- a\n  -->\n\nb\n", vec![(0, 16)]),
        ("> ```\n> a\n\nb\n", vec![(0, 11)]),
        ("a\n<?b\n# b\n\n# c\n", vec![(0, 15)]),
        ("<pre>\n# a\n\n# b\n", vec![(0, 15)]),
        ("|-\n--|\t\n", vec![(0, 8)]),
        ("| a \\| |\n|---|\n\nc\n", vec![(0, 16)]),
        ("-\n  > a\n", vec![(0, 8)]),
    ] {
        check(text);
        let found = certain::regions(&mask::Mask::of(text)).unwrap_or_default();
        assert_eq!(found.iter().map(|span| (span.start, span.end)).collect::<Vec<_>>(), regions, "{text:?}");
    }
}

#[test]
fn what_follows_a_region_may_tell_how_an_empty_item_in_a_quote_is_read() {
    check("2. >2.\n   >\n   >2.\n   >\n\ny");
    check("* >0)\n  >\n  >0)\n\n  <pre\n\ny");
    check("- >1.\n  >\n  >1.\n\n  ```\n\n)");
}

/// Blocks nested in containers, with the marks in front of all their lines, and now and then without.
#[test]
fn nested_lines_are_what_the_parser_reads() {
    let mut random = Random(7);
    let mut by_lines = 0;
    for _ in 0..20_000 {
        let mut lines = random.blocks(0);
        for _ in 0..random.below(3) {
            random.disturb(&mut lines);
        }
        let text = lines.join("\n") + if random.below(10) > 0 { "\n" } else { "" };
        check(&text);
        by_lines += usize::from(certain::regions(&mask::Mask::of(&text)).is_some_and(|regions| regions.is_empty()));
    }
    assert!(by_lines > 5_000, "{by_lines}");
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn blocks(&mut self, depth: usize) -> Vec<String> {
        let mut lines = Vec::new();
        for at in 0..=self.below(3) {
            if at > 0 && self.below(3) > 0 {
                lines.push(String::new());
            }
            match self.below(if depth < 4 { 3 } else { 2 }) {
                2 => lines.extend(self.container(depth + 1)),
                _ => lines.extend(BLOCKS[self.below(BLOCKS.len())].split('\n').map(str::to_owned)),
            }
        }
        lines
    }

    /// The lines of blocks in a list item or quote.
    fn container(&mut self, depth: usize) -> Vec<String> {
        let mark = ["> ", ">", "- ", "-   ", "* ", "+ ", "1. ", "10) "][self.below(8)];
        let next = if mark.starts_with('>') { mark.to_owned() } else { " ".repeat(mark.len()) };
        let mut lines = self.blocks(depth);
        for (at, line) in lines.iter_mut().enumerate() {
            let is_bare = at > 0 && line.is_empty() && self.below(2) == 0;
            line.insert_str(
                0,
                if at == 0 {
                    mark
                } else if is_bare {
                    next.trim_end()
                } else {
                    &next
                },
            );
        }
        lines
    }

    fn disturb(&mut self, lines: &mut Vec<String>) {
        let at = self.below(lines.len());
        match self.below(4) {
            0 => lines.insert(at, String::new()),
            1 => lines[at] = lines[at].trim_start().to_owned(),
            2 => lines[at].insert_str(0, ["  ", "> ", "- ", "\t"][self.below(4)]),
            _ => lines.swap(at, 0),
        }
    }
}

/// What may be nested.
const BLOCKS: [&str; 28] = [
    "a",
    "b c\n`d` e",
    "[x](y) |\n*f* <b>g</b>",
    "<kbd>h</kbd> i  \nj\\",
    "```\ncode\n\n  x\n```",
    "~~~~ py\n\ty\n```\n~~~~",
    "```\nopen",
    "| a | b |\n|---|---|\n| `c\\|d` |\ne",
    "| a |\n|:-:|\n\\ | <br/> | f\n|",
    "x | y\n-|-",
    "| a |\n|---|---|",
    "<div>\nb\n</div>",
    "<Tab x=\"y\">",
    "</y>\n- z",
    "<!-- c -->",
    "<!-- page: 3 -->",
    "<!-- a\nb -->",
    "<pre>\na\n</pre>",
    "$$\n=\n$$",
    "a\n$$\nb\n$$\nc",
    "---",
    "===",
    "# h\ni",
    "    code\n\n    more",
    "[a]: /u",
    "[x] y",
    "-\n",
    "-",
];
