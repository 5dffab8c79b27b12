//! Generated Markdown: every kind of block, nested, in English and Chinese, with hostile white space.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Runs of text, from plain to nasty.
fn words() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "The pump starts. ",
        "Dr. Smith paid $3.14 for v1.2. ",
        "e.g. this; then: that, ",
        "水泵启动。",
        "请检查轴承，然后记录：结果；",
        "“引用。”（见图）",
        "为什么？",
        "Why?",
        "Q: what",
        "As follows:",
        "longwordwithoutanyblankinitatall",
        "没有标点的很长的一句话一直写下去",
        "`code span` ",
        "``a ` b`` ",
        "[a link](http://example.com/a_b \"title\") ",
        "![an image](pic.png \"a title\") ",
        "[![badge](b.svg)](c) ",
        "$x^2 + y$ ",
        "$$\\int_0^1 f$$ ",
        "<b>bold</b> ",
        "<!-- note --> ",
        "<http://auto.link/> ",
        "https://example.org/a/b?c=d&e=f#g ",
        "note[^1] ",
        "**strong *both* text** ",
        "~~gone~~ ",
        "a\\|b | c ",
        "| x ",
        "👩‍🚀🇩🇪👍🏽",
        "e\u{301}\u{323}o\u{308}",
        "\u{200d}",
        "<|endoftext|>",
        "日本語のテキスト。",
        "한국어 문장. ",
        "AGVsbG8gd29ybGQhIQ==",
        "0123456789",
        "....",
        "```",
        "~~~ ",
        "**",
        "[(",
        "](",
        "$$",
        "\\",
        "&amp; ",
    ];
    vec(select(WORDS), 1..8).prop_map(|words| words.concat())
}

/// What may stand where a blank or a line end is expected.
fn white() -> impl Strategy<Value = &'static str> {
    select(vec![
        "\n", "\n\n", "\r\n", "\r", "\x0c", "\n \n", "\u{3000}", "\u{a0}\n", "\u{2028}", "\u{85}", "\x0b", "\t\n",
    ])
}

fn heading() -> impl Strategy<Value = String> {
    (1..7usize, words(), 0..4u8).prop_map(|(level, words, form)| match form {
        0 => format!("{words}\n==="),
        1 => format!("{} {words} {{#id}}", "#".repeat(level)),
        2 => format!("{} {words} ##", "#".repeat(level)),
        _ => format!("{} {words}", "#".repeat(level)),
    })
}

fn paragraph() -> impl Strategy<Value = String> {
    vec((words(), select(vec!["\n", "  \n", "\\\n", "\r\n", "\r", " "])), 1..6)
        .prop_map(|lines| lines.into_iter().map(|(words, end)| words + end).collect())
}

fn code() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        words(),
        Just(String::new()),
        Just("    indented = 1".into()),
        Just("}".into()),
        Just("# no heading".into())
    ];
    let fence = select(vec!["```", "~~~", "````", "  ```", "``````"]);
    (fence, select(vec!["", "py", "{.rust .x}", "c++ title=\"a b\"", "  "]), vec(line, 0..9), 0..6u8).prop_map(
        |(fence, info, lines, form)| match form {
            0 => lines.iter().map(|line| format!("    {line}\n")).collect(),
            1 => format!("{fence}{info}\n{}", lines.join("\n")),
            2 => format!("{fence}{info}\r\n{}\r\n{fence}", lines.join("\r\n")),
            _ => format!("{fence}{info}\n{}\n{fence}", lines.join("\n")),
        },
    )
}

fn table() -> impl Strategy<Value = String> {
    (1..5usize, vec(vec(words(), 1..5), 0..8), 0..5u8, words()).prop_map(|(columns, rows, form, caption)| {
        let row = |cells: &[String]| {
            let cells: Vec<&str> = (0..columns).map(|at| cells.get(at).map_or("", |cell| cell.as_str())).collect();
            if form == 1 { cells.join(" | ") } else { format!("| {} |", cells.join(" | ")) }
        };
        let mut lines = Vec::new();
        if form == 2 {
            lines.push(caption);
        }
        lines.push(row(&["Name".into(), "值".into(), "C".into()]));
        lines.push(row(&vec!["---".to_string(); columns]));
        if form == 3 {
            lines.push(row(&[String::new(), "EN-DE".into(), "EN-FR".into()]));
        }
        lines.extend(rows.iter().map(|cells| row(cells)));
        lines.join("\n")
    })
}

fn html() -> impl Strategy<Value = String> {
    let row = words().prop_map(|words| format!("<tr><td>{words}</td><td>x</td></tr>\n"));
    let head = select(vec!["", "<thead><tr><th>A</th></tr></thead>\n<tbody>\n", "<tr><th>A</th></tr>\n", "\n"]);
    let table = (head, vec(row, 0..6), select(vec!["</table>", "</tbody></table>", ""]))
        .prop_map(|(head, rows, end)| format!("<table>\n{head}{}{end}", rows.concat()));
    let other = (select(vec!["<div>", "<!--", "<details><summary>s</summary>", "<pre>", "<?x"]), words())
        .prop_map(|(tag, words)| format!("{tag}\n{words}\n# hidden\n</div> -->"));
    prop_oneof![table, other]
}

fn math() -> impl Strategy<Value = String> {
    vec(select(vec!["a = b", "=", "-", "# x", "\\frac{a}{b}", "", "> c", "```"]), 0..5)
        .prop_map(|lines| format!("$$\n{}\n$$", lines.join("\n")))
}

fn other() -> impl Strategy<Value = String> {
    const OTHERS: &[&str] = &[
        "---",
        "***",
        "<!-- page: 12 -->",
        "<!-- page 3 -->",
        "\x0c",
        "\x0c\x0c",
        "[ref]: http://x.y 'title'",
        "[^1]: a note\n    and more",
        "![only](image.png)",
        "Term\n: what it is",
        "- [ ] to do\n- [x] done",
        "---\nkey: value\n---",
        "#",
        "##  ##",
        "===",
        "|",
        "|-|",
        ":-:",
        ">",
        "-",
        "1.",
    ];
    select(OTHERS).prop_map(String::from)
}

/// A block in front of each line of which something stands.
fn inside(first: &str, rest: &str, block: &str) -> String {
    let lines: Vec<&str> = block.split('\n').collect();
    lines
        .iter()
        .enumerate()
        .map(|(at, line)| format!("{}{line}", if at == 0 { first } else { rest }))
        .collect::<Vec<_>>()
        .join("\n")
}

fn block() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![4 => paragraph(), 2 => heading(), 2 => code(), 2 => table(), 1 => html(), 1 => math(), 2 => other()];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let marker = select(vec![
            ("> ", "> "),
            (">", ">"),
            ("- ", "  "),
            ("* ", "  "),
            ("12. ", "    "),
            ("- ", ""),
            ("> ", ""),
            ("[^n]: ", "    "),
        ]);
        (marker, vec(inner, 1..4), white()).prop_map(|((first, rest), blocks, between)| {
            let between = if between.contains('\n') { between } else { "\n" };
            blocks.iter().map(|block| inside(first, rest, block)).collect::<Vec<_>>().join(between)
        })
    })
}

/// A whole document.
pub(crate) fn document() -> impl Strategy<Value = String> {
    let start = select(vec!["", "", "\u{feff}", "---\ntitle: x\n---\n", "\n\n", "\x0c"]);
    (start, vec((block(), white()), 1..10), any::<u8>()).prop_map(|(start, blocks, form)| {
        let text: String = blocks.iter().map(|(block, end)| format!("{block}{end}")).collect();
        let text = match form {
            0..=20 => text.replace('\n', "\r\n"),
            21..=30 => text.replace('\n', "\r"),
            _ => text,
        };
        format!("{start}{text}")
    })
}
