//! Growth guards: hostile inputs, each twice as long as before. Time must grow no more than that, and a megabyte takes less than a
//! second in a release build.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::format_collect, reason = "a test")]

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use chunkwright_core::engine;
use chunkwright_core::lex::lex;
use chunkwright_core::settings::{HeadingTemplate, Settings};
use chunkwright_core::strategy::{
    FixedSize, Paragraph, Recursive, Semantic, Sentence, Sizing, Strategy, Structured, Unit,
};

/// Measured one after the other, whatever the test runner does.
static CLOCK: Mutex<()> = Mutex::new(());

/// Bytes of the larger input.
const SIZE: usize = if cfg!(debug_assertions) { 128 << 10 } else { 1 << 20 };
/// Twice the input may take this much longer.
const MOST_GROWTH: f64 = 2.5;
/// What is faster than this is not measured well.
const LEAST: Duration = Duration::from_millis(20);
/// The same where the C library gives large blocks back to the system: fresh pages alone make twice the input cost up to 2.8 times as much there.
/// `make growth` asks it not to, by environment variables that are read when a process starts.
const LEAST_WITH_FRESH_PAGES: Duration = Duration::from_millis(200);
/// What a megabyte may take in a release build.
const LIMIT: Duration = Duration::from_secs(1);
const TRIES: usize = 3;

fn settings() -> Settings {
    let heading_template = Some(HeadingTemplate::parse("章节：{path}").unwrap());
    let tokenizer = Settings::tokenizer("cl100k_base").unwrap();
    let (max_tokens, overlap_tokens) = (128, 32);
    Settings {
        max_tokens,
        overlap_tokens,
        target_tokens: None,
        tokenizer,
        heading_template,
        path_separator: " > ".into(),
    }
}

/// The time of one run from text to chunks, which must have seen something.
fn run(name: &str, text: &str) -> Duration {
    let settings = settings();
    let start = Instant::now();
    let document = lex(text);
    let chunks = engine::chunk(text, &document, &settings, &AtomicBool::new(false))
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let time = start.elapsed();
    assert!(
        text.trim().is_empty() || document.blocks.iter().all(|b| b.kind.is_dropped()) || !chunks.rows.is_empty(),
        "{name}: nothing was chunked"
    );
    assert!(chunks.rows.iter().all(|row| row.size <= settings.max_tokens));
    time
}

fn best(name: &str, text: &str) -> Duration {
    let first = run(name, text);
    // Noise matters only where little time passes.
    let more = if first < Duration::from_millis(100) { 4 } else { 1 };
    (0..more).map(|_| run(name, text)).fold(first, Duration::min)
}

/// Checks one input, told by a function from a size in bytes to a text.
fn guard(name: &str, make: &dyn Fn(usize) -> String) -> Result<String, String> {
    let keeps_pages = std::env::var_os("MALLOC_TRIM_THRESHOLD_").is_some();
    let least = if keeps_pages { LEAST } else { LEAST_WITH_FRESH_PAGES };
    guard_by(name, make, least, &|text| best(name, text))
}

fn guard_by(
    name: &str,
    make: &dyn Fn(usize) -> String,
    least: Duration,
    best: &dyn Fn(&str) -> Duration,
) -> Result<String, String> {
    let (half, whole) = (make(SIZE / 2), make(SIZE));
    let mut told = String::new();
    for _ in 0..TRIES {
        let (short, long) = (best(&half), best(&whole));
        let growth = long.as_secs_f64() / short.as_secs_f64();
        told =
            format!("{name}: {} bytes {short:.1?}, {} bytes {long:.1?}, growth {growth:.2}", half.len(), whole.len());
        let slow = !cfg!(debug_assertions) && long > LIMIT;
        if !slow && (long < least || growth <= MOST_GROWTH) {
            return Ok(told);
        }
    }
    Err(told)
}

fn repeat(unit: &str, size: usize) -> String {
    unit.repeat(size / unit.len())
}

/// Inputs that are one unit again and again.
const UNITS: &[(&str, &str)] = &[
    ("one letter", "a"),
    ("Chinese without punctuation", "水"),
    ("quote marks", ">"),
    ("spaced quote marks", "> "),
    ("list markers in a line", "- "),
    ("numbers of lists in a line", "1. "),
    ("blank lines", "\n"),
    ("spaces", " "),
    ("tabs", "\t"),
    ("ideographic spaces", "\u{3000}"),
    ("opening brackets", "["),
    ("brackets and parentheses", "[ (]("),
    ("links left open", "[a](b"),
    ("images left open", "![a]("),
    ("emphasis left open", "*a **b _c "),
    ("stars", "*"),
    ("underscores between letters", "a_"),
    ("back-ticks", "`"),
    ("back-ticks of all lengths", "`a``b```c````d"),
    ("tildes", "~"),
    ("dollars", "$"),
    ("dollars between letters", "$a"),
    ("lines of two dollars", "$$\n"),
    ("lines of two dollars in quotes", "> $$\n$$\n"),
    ("form feeds", "\x0c"),
    ("a form feed behind each line", "a line\n\x0c"),
    ("page markers", "<!-- page: 7 -->\n\n"),
    ("HTML tables left open", "<table>\n\n"),
    ("HTML tables in a line", "<table>"),
    ("HTML rows", "<table><tr><td>a</td></tr>\n"),
    ("comments left open", "<!-- a\n"),
    ("comments in a line", "a <!-- b "),
    ("tags left open", "<a "),
    ("processing instructions left open", "a <? "),
    ("CDATA left open", "a <![CDATA["),
    ("less-than signs", "<"),
    ("definitions", "[a]: b\n"),
    ("different references", "[a][b] [c] "),
    ("footnotes", "[^1]: a\n\n"),
    ("footnote marks", "[^1]"),
    ("footnote marks left open", "[^a\n"),
    ("headings", "# a\n"),
    ("headings of rising level", "# a\n## b\n### c\n\ntext\n\n"),
    ("underlines", "a\n=\n"),
    ("astronauts", "👩\u{200d}🚀"),
    ("flags", "🇩🇪"),
    ("combining marks", "\u{301}"),
    ("joiners", "\u{200d}"),
    ("digits", "0123456789"),
    ("base64", "AGVsbG8gd29ybGQhIQ"),
    ("CRLF", "a line\r\n"),
    ("lone carriage returns", "a line\r"),
    ("carriage returns alone", "\r"),
    ("atoms", "`a` "),
    ("links", "[a](b) "),
    ("formulas", "$x$ "),
    ("sentences", "It is so. "),
    ("Chinese sentences", "是的。"),
    ("question marks", "?"),
    ("ellipses", "…"),
    ("abbreviations", "e.g. "),
    ("initials", "J."),
    ("opening quotation marks", "“"),
    ("straight quotation marks", "\"a "),
    ("list items", "- a\n"),
    ("tight items with code", "- ```\n  a\n  ```\n"),
    ("items with quotes", "- > a\n"),
    ("captions", "a:\n\n"),
    ("tables", "| a |\n|---|\n\n"),
    ("thematic breaks", "---\n\n"),
    ("fences left open", "> ```\n\n"),
    ("fences of growing kinds", "```\n~~~\n"),
    ("backslashes", "\\"),
    ("entities", "&amp;"),
    ("ampersands", "&"),
    ("pipes", "|"),
    ("lines of pipes", "a|b\n"),
    ("delimiter rows", "|-|-|\n"),
    ("special tokens", "<|endoftext|>"),
    ("zero bytes", "\0"),
];

#[test]
#[cfg_attr(debug_assertions, ignore = "times mean something in release builds only: make growth")]
fn repeated_units() {
    check(UNITS.iter().map(|(name, unit)| (*name, Box::new(|size| repeat(unit, size)) as Make<'_>)));
}

/// Every strategy but `structure`, in characters or in tokens.
fn strategies(in_tokens: bool) -> Vec<Box<dyn Strategy>> {
    let sizing = |overlap| {
        let tokenizer = || Settings::tokenizer("cl100k_base").unwrap();
        let unit = if in_tokens { Unit::Tokens(tokenizer()) } else { Unit::Chars(None) };
        Sizing { unit, budget: 128, overlap }
    };
    vec![
        Box::new(FixedSize::new(sizing(16))),
        Box::new(Recursive::new(sizing(16), None)),
        Box::new(Sentence::new(sizing(0), 10).unwrap()),
        Box::new(Paragraph::new(sizing(0), 5).unwrap()),
        Box::new(Semantic::new(sizing(0), 0.7, 20, String::new()).unwrap()),
        Box::new(Structured::new(sizing(16), 20, true).unwrap()),
    ]
}

fn time_of(strategy: &dyn Strategy, text: &str) -> Duration {
    let start = Instant::now();
    let prepared = strategy.lex(text);
    let chunks = strategy.chunk(text, &prepared, &AtomicBool::new(false)).unwrap();
    let time = start.elapsed();
    let is_empty = |text: &str| text.chars().all(|c| c.is_whitespace() || c.is_control());
    let is_dropped = strategy.name() == "structured";
    assert!(is_dropped || is_empty(text) || !chunks.rows.is_empty(), "{}: nothing was chunked", strategy.name());
    time
}

#[test]
#[cfg_attr(debug_assertions, ignore = "times mean something in release builds only: make growth")]
fn every_strategy_on_repeated_units() {
    let _alone = CLOCK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let only = std::env::var("GROWTH_ONLY").unwrap_or_default();
    let mut broken = Vec::new();
    for in_tokens in [false, true] {
        for strategy in strategies(in_tokens) {
            for (unit, text) in UNITS {
                let name =
                    format!("{} {} {unit}", strategy.name(), if in_tokens { "by tokens," } else { "by characters," });
                if name.contains(&only) {
                    let best = |text: &str| {
                        let first = time_of(&*strategy, text);
                        let more = if first < Duration::from_millis(100) { 2 } else { 1 };
                        (0..more).map(|_| time_of(&*strategy, text)).fold(first, Duration::min)
                    };
                    // Tables of this size outgrow caches just where these inputs are compared; 1, 2, 4 and 8 MB show no growth.
                    let result = guard_by(&name, &|size| repeat(text, size), LEAST_WITH_FRESH_PAGES, &best);
                    println!("{}", result.as_ref().unwrap_or_else(|told| told));
                    broken.extend(result.err());
                }
            }
        }
    }
    assert!(broken.is_empty(), "too slow:\n{}", broken.join("\n"));
}

type Make<'a> = Box<dyn Fn(usize) -> String + 'a>;

fn check<'a>(inputs: impl Iterator<Item = (&'a str, Make<'a>)>) {
    let _alone = CLOCK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let only = std::env::var("GROWTH_ONLY").unwrap_or_default();
    let mut broken = Vec::new();
    for (name, make) in inputs.filter(|(name, _)| name.contains(&only)) {
        let result = guard(name, &make);
        println!("{}", result.as_ref().unwrap_or_else(|told| told));
        broken.extend(result.err());
    }
    assert!(broken.is_empty(), "too slow:\n{}", broken.join("\n"));
}

/// Nested lists, one level deeper in each line, as many as fit.
fn staircase(size: usize) -> String {
    let mut text = String::new();
    for depth in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&"  ".repeat(depth));
        text.push_str("- a\n");
    }
    text
}

fn rows(head: &str, row: &str, size: usize) -> String {
    format!("{head}{}", repeat(row, size))
}

/// Lines of short text under containers that `line` opens, one line deeper each time, in half of the bytes.
fn under(size: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for depth in 0.. {
        let next = line(depth);
        if text.len() + next.len() > size / 2 {
            break;
        }
        text.push_str(&next);
    }
    text.push_str(&repeat("a\n", size / 2));
    text
}

/// Tables of many columns whose rows have one cell.
fn short_rows(size: usize, columns: usize) -> String {
    let table = format!("{}|\n{}|\n{}\n", "| a ".repeat(columns), "| - ".repeat(columns), "|x|\n".repeat(columns));
    repeat(&table, size)
}

#[test]
#[cfg_attr(debug_assertions, ignore = "times mean something in release builds only: make growth")]
fn structures() {
    check(structure_inputs().into_iter());
}

fn structure_inputs() -> Vec<(&'static str, Make<'static>)> {
    plain_inputs().into_iter().chain(nested_inputs()).collect()
}

/// Containers with many lines in them, and blocks with many pieces.
fn nested_inputs() -> Vec<(&'static str, Make<'static>)> {
    vec![
        (
            "lazy lines under deep quotes",
            Box::new(|size| format!("{}{}", repeat("> ", size / 64), repeat("a\n", size))),
        ),
        ("lines under deep lists", Box::new(|size| format!("{}{}", repeat("- ", size / 64), repeat("a\n", size)))),
        (
            "lazy lines under deep footnotes",
            Box::new(|size| {
                let marks: String = (0..size / 512).map(|n| format!("[^{n}]: > ")).collect();
                format!("{marks}{}", repeat("a\n", size))
            }),
        ),
        (
            "lazy lines under steep stairs of quotes",
            Box::new(|size| under(size, |n| format!("{}a\n", ">".repeat(64 * (n + 1))))),
        ),
        (
            "lazy lines under steep stairs of lists",
            Box::new(|size| under(size, |n| format!("{}{}a\n", "\t".repeat(16 * n), "- ".repeat(32)))),
        ),
        ("lazy lines under stairs of lists", Box::new(|size| under(size, |n| format!("{}- - a\n", "\t".repeat(n))))),
        (
            "blank lines under deep lists",
            Box::new(|size| format!("{}a{}", repeat("- ", size / 64), repeat("\n", size))),
        ),
        (
            "lines of quotes of falling depth",
            Box::new(|size| (0..size / 64).rev().map(|n| format!("{}a\n", ">".repeat(n % 128))).collect()),
        ),
        ("form feeds behind code spans", Box::new(|size| repeat("a `b`\x0c", size))),
        ("formulas behind code spans", Box::new(|size| repeat("a `b`\n$$\nx\n$$\n", size))),
        ("formulas behind code spans in a quote", Box::new(|size| repeat("> a `b`\n> $$\n> x\n> $$\n", size))),
        ("page markers in a list", Box::new(|size| repeat("- a\n\n  <!-- page 2 -->\n\n  b\n", size))),
    ]
}

fn plain_inputs() -> Vec<(&'static str, Make<'static>)> {
    vec![
        ("a staircase of lists", Box::new(staircase)),
        (
            "a table of many columns",
            Box::new(|size| [repeat("|a", size / 3), repeat("|-", size / 3), repeat("|b", size / 3)].join("|\n")),
        ),
        ("a wide delimiter row", Box::new(|size| format!("|a|\n{}|\n", repeat("|---", size)))),
        (
            "a wide delimiter row below a wide header",
            Box::new(|size| format!("{}|\n{}|\n|x|\n", repeat("|a", size / 3), repeat("|---", size * 2 / 3))),
        ),
        ("one huge row", Box::new(|size| format!("|a|b|\n|-|-|\n|{}|x|\n", repeat("word ", size)))),
        ("rows", Box::new(|size| rows("| a | b |\n|---|---|\n", "| one | two |\n", size))),
        (
            "rows of one cell under many columns",
            Box::new(|size| {
                format!("{}|\n{}|\n{}", repeat("|a", size / 8), repeat("|-", size / 8), repeat("|x|\n", size / 2))
            }),
        ),
        ("short rows under some columns", Box::new(|size| short_rows(size, 64))),
        ("short rows under many columns", Box::new(|size| short_rows(size, 512))),
        ("secondary headers", Box::new(|size| rows("| a | b |\n|---|---|\n", "| | two |\n", size))),
        ("rows of an HTML table", Box::new(|size| rows("<table><tr><th>h</th></tr>\n", "<tr><td>a</td></tr>\n", size))),
        ("nested HTML tables", Box::new(|size| rows("<table><tr>", "<table><tr><td>", size))),
        (
            "an HTML head that is too long",
            Box::new(|size| {
                format!(
                    "<table><thead><tr>{}</tr></thead>\n{}",
                    repeat("<th>x</th>", size / 2),
                    repeat("<tr><td>a</td></tr>\n", size / 2)
                )
            }),
        ),
        ("one huge item", Box::new(|size| format!("- {}", repeat("some words, ", size)))),
        ("code of one line", Box::new(|size| format!("```\n{}\n```\n", repeat("x = y; ", size)))),
        ("code of many lines", Box::new(|size| format!("```py\n{}```\n", repeat("    x = 1\n", size)))),
        ("blank lines in code", Box::new(|size| format!("```\n{}```\n", repeat("\n", size)))),
        ("indented code", Box::new(|size| repeat("    x = 1\n", size))),
        ("a fence with a long info string", Box::new(|size| format!("```{}\na\n```\n", repeat("info ", size)))),
        ("a long fence", Box::new(|size| format!("{0}\na\n{0}\n", repeat("`", size / 2)))),
        (
            "a fence in deep quotes",
            Box::new(|size| format!("{0}```\n{1}", "> ".repeat(40), repeat(&format!("{}x\n", "> ".repeat(40)), size))),
        ),
        (
            "a long heading over many sections",
            Box::new(|size| format!("# {}\n{}", repeat("heading ", size / 2), repeat("## b\n\ntext\n\n", size / 2))),
        ),
        (
            "headings of one long path",
            Box::new(|size| {
                format!("# {0}\n## {0}\n### {0}\n{1}", "word ".repeat(2000), repeat("#### b\n\ntext\n\n", size))
            }),
        ),
        ("a formula of many lines", Box::new(|size| format!("$$\n{}$$\n", repeat("a = b\n", size)))),
        ("a formula never closed", Box::new(|size| format!("$$\n{}", repeat("a = b\n\n", size)))),
        ("a huge image", Box::new(|size| format!("![{}](b)\n", repeat("alt ", size)))),
        ("a huge link", Box::new(|size| format!("[{}](b)\n", repeat("text ", size)))),
        ("a huge code span", Box::new(|size| format!("`{}`\n", repeat("text ", size)))),
        ("a huge e-mail address", Box::new(|size| format!("<{}@b.c>\n", repeat("a.", size)))),
        ("front matter never closed", Box::new(|size| format!("---\n{}", repeat("a: b\n", size)))),
        (
            "different definitions",
            Box::new(|size| (0..size / 24).map(|n| format!("[a{n}]: b\n\n[a{n}] c\n")).collect()),
        ),
        ("different footnotes", Box::new(|size| (0..size / 24).map(|n| format!("[^{n}]: b\n\n[^{n}] c\n")).collect())),
    ]
}

/// With a budget of about twice a fence, the rest of its line fits by itself, but not with what closes it.
#[test]
fn a_fence_of_half_the_budget() {
    let _clock = CLOCK.lock().unwrap();
    let max_tokens = if cfg!(debug_assertions) { 500 } else { 4000 };
    let settings = Settings { max_tokens, overlap_tokens: 0, ..settings() };
    let text = "~".repeat(16 * max_tokens as usize);
    let start = Instant::now();
    let chunks = engine::chunk(&text, &lex(&text), &settings, &AtomicBool::new(false)).unwrap();
    assert!(start.elapsed() < LIMIT, "{:?}", start.elapsed());
    assert!(chunks.rows.len() > 1 && chunks.rows.iter().all(|row| row.size <= max_tokens));
}
