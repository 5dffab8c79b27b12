//! Texts of fragments that matter, in every order.

use super::{Reading, Scanner, Tally, files};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

#[rustfmt::skip]
const MARKS: &[&str] = &[
    "`", "`", "``", "```", "[", "[", "[", "]", "]", "](", "](", "][", "[]", "(", ")", ")", "!", "![", "![", "<", "<", ">", ">", "$", "$",
    "\\", "\\", "{", "}", "*", "**", "_", "~", "~~", "^", "\"", "'", "=", "/", "|", "&", ";", "#", ":", ".", "-", "@", "?", "+",
];
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "a", "b", "x", "foo", "Foo", "FOO", "bar baz", "Bar\nBaz", "bar  baz", "中", "文字", "。", "é", "K", "ſ", "1", "5", "&amp;", "&nbsp;", "&#91;",
    "&x", "a b", "href", "br", "https://a.b", "http:", "a@b.c", "n", "word word", "snake_case", "{}", "\u{3000}", "\u{a0}", "\u{b}",
];
#[rustfmt::skip]
const WHOLE: &[&str] = &[
    "[foo]", "[FOO]", "[foo][]", "[a][foo]", "[a][no]", "[no]", "[no][foo]", "[string]", "[]", "![foo]", "![i](u)", "[t](u)", "[t](<u v>)",
    "[t](u \"v\")", "[t](u 'v')", "[t](u (v))", "[![i](u)](v)", "[a [b](c) d](e)", "`code`", "``c`d``", "<br>", "<br/>", "<!-- c -->", "<!--", "-->", "<!-- c\nd -->", " {#id}", " { .c a=b } ", " #", " ## ", "</b>", "<b>",
    "<a href=\"x\">", "<a b='c' d>", "<https://a.b>", "<a@b.c>", "$x$", "$5", "${env:x}", "\\[", "\\]", "\\`", "\\`` x`", "\\$", "\\<", "\\!",
    "\\\\", "*e*", "**s**", "_e_", "[bar baz]", "[Bar\n  BAZ]", "[ foo ]", "[K]", "[中]", "[\\]]", "[x]\\[foo]", "( ", " )", " \"", "\" ",
];
const BLANKS: &[&str] = &[" ", " ", " ", "  ", "\t", "\n", "\n", "\n  ", "\r\n", "\\\n", "  \n", "\n   "];
const DEFINITIONS: &[&str] = &[
    "[foo]: /u\n",
    "[bar baz]: <x y> 'tt'\n",
    "[中]: z\n",
    "[\\]]: w\n",
    "[x]: /v \"q\"\n",
    "[`a]: /c\n",
    "[İ]: i\n",
    "[k]: i\n",
    "[s]: i\n",
];

fn content(random: &mut Random, long: bool) -> String {
    let pieces = 1 + random.below(if long { 120 } else { 14 });
    // How much of each sort differs from text to text.
    let weights = [1 + random.below(8), 1 + random.below(5), 1 + random.below(4), 1 + random.below(4)];
    let mut text = String::new();
    for _ in 0..pieces {
        let mut at = random.below(weights.iter().sum());
        for (weight, sort) in weights.iter().zip([MARKS, WORDS, WHOLE, BLANKS]) {
            if at < *weight {
                text.push_str(random.pick(sort));
                break;
            }
            at -= weight;
        }
    }
    text.trim().replace("\n\n", "\n").replace("\n\r\n", "\n")
}

fn document(random: &mut Random) -> String {
    let long = random.below(8) == 0;
    let content = content(random, long);
    let mut text = match random.below(8) {
        0 => format!("- {}", content.replace('\n', "\n  ")),
        1 => format!("> {}", content.replace('\n', "\n> ")),
        2 => format!("> - {}", content.replace('\n', "\n>   ")),
        3 => format!("> {content}"),
        4 | 5 => format!("## {}", content.replace('\n', "\n## ")),
        _ => content,
    };
    if random.below(2) == 0 {
        text.push_str("\n\n");
        for _ in 0..=random.below(3) {
            text.push_str(random.pick(DEFINITIONS));
        }
    }
    text
}

fn run(rounds: usize, seed: u64) -> Tally {
    let mut random = Random(seed);
    let (mut tally, mut scanner) = (Tally::default(), Scanner::default());
    for _ in 0..rounds {
        Reading::of(&document(&mut random)).compare(&mut scanner, &mut tally);
    }
    tally
}

#[test]
fn random_leaves_are_read_alike() {
    let tally = run(20_000, 1);
    let doubts: usize = tally.doubts.values().map(|(leaves, _)| leaves).sum();
    assert!(tally.leaves > 15_000 && doubts < tally.leaves / 2, "{} of {}", doubts, tally.leaves);
}

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// `SEED=7 ROUNDS=10000000 cargo test --release -- --ignored many_random --nocapture`
#[test]
#[ignore = "takes minutes"]
fn many_random_leaves_are_read_alike() {
    run(number("ROUNDS", 1_000_000), number("SEED", 2) as u64).show("random");
}

/// Some lines of a document, with fragments put in or bytes taken out.
fn changed(random: &mut Random, text: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let from = random.below(lines.len());
    let count = 1 + random.below(12);
    let mut text = lines[from..lines.len().min(from + count)].concat();
    for _ in 0..=random.below(5) {
        let at = text.floor_char_boundary(random.below(text.len() + 1));
        if random.below(3) == 0 {
            text.replace_range(at..text.ceil_char_boundary((at + 1).min(text.len())), "");
        } else {
            let sort = [MARKS, MARKS, WORDS, WHOLE, BLANKS][random.below(5)];
            text.insert_str(at, random.pick(sort));
        }
    }
    if random.below(2) == 0 {
        text.push_str("\n\n");
        text.push_str(random.pick(DEFINITIONS));
    }
    text
}

/// As above, with `DOCS`.
#[test]
#[ignore = "reads files that are not part of the project"]
fn changed_documents_are_read_alike() {
    let files = files();
    let texts: Vec<&str> = files.iter().flat_map(|(_, all)| all.split("\0\0\0")).filter(|t| !t.is_empty()).collect();
    let mut random = Random(number("SEED", 2) as u64);
    let (mut tally, mut scanner) = (Tally::default(), Scanner::default());
    for _ in 0..number("ROUNDS", 1_000_000) {
        let text = texts[random.below(texts.len())];
        Reading::of(&changed(&mut random, text)).compare(&mut scanner, &mut tally);
    }
    tally.show("changed");
}
