"""Hypothesis strategies for Markdown documents and settings: every kind of block, nested, in Chinese and English.

`documents()` gives texts, `settings()` keyword arguments of a chunker, `hostile()` texts made of marks and odd white space.
A block is a list of lines; containers put their marks in front of the lines of what they hold.
"""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

Lines = list[str]

ENGLISH = [
    "pump",
    "valve",
    "pressure",
    "the",
    "a",
    "of",
    "runs",
    "slowly",
    "when",
    "every",
    "sensor",
    "v1.2",
    "e.g.",
    "Dr.",
    "Smith",
    "3.14",
    "U.S.",
    "is-open",
    "time-out",
    "README.md",
    "f(x)",
    "A/B",
    "24/7",
    "don't",
    "config_key",
    "well,",
    "then;",
    "note:",
    "however",
]
CHINESE = [
    "系统",
    "数据库",
    "检查",
    "温度",
    "的",
    "启动水泵",
    "记录",
    "日志",
    "第三章",
    "用户",
    "配置文件",
    "不能",
    "例如",
    "（见图）",
    "《手册》",
    "“安全”",
]
STOPS = [". ", "? ", "! ", "; ", ": ", ", ", "... ", '." ', "。", "！", "？", "；", "，", "、", "……", "。”", "）。"]
ODD = [
    "\u00a0", "\u3000", "\u200b", "\u2028", "e\u0301", "n\u0303o", "👨‍👩‍👧", "🚀", "🇩🇪", "𠮷", "한국", "かな", "\u0928\u093f", "\ufe0f", "ﬁ", "\x0b",
    "ä", "<|endoftext|>", "\0", "\u202e",
]  # fmt: skip
LONG = [
    "x" * 90,
    "donaudampfschifffahrt" * 6,
    "https://files.example.com/a/b?c=1;d=2#e" * 2,
    "永远" * 60,
    "a.b.c." * 30,
    "🚀" * 25,
    "-_" * 40,
]
MARKS = [
    *"`~*_[]()!<>|#-+=.:;$\\{}&\"' \t\n",
    "```",
    "~~~",
    "$$",
    "<!--",
    "-->",
    "\r\n",
    "\f",
    "\r",
    "| a |",
    "|--|",
    "> ",
    "- ",
    "1. ",
    "    ",
]
INFO = ["", "python", 'sh title="a b"', "{.yaml}", "c++", "x" * 60]


def _pick(draw: DrawFn, options: list[Any]) -> Any:
    return draw(st.sampled_from(options))


@st.composite
def words(draw: DrawFn, most: int = 14) -> str:
    """A run of words with stops, now and then with something odd or long in it."""
    chinese = draw(st.booleans())
    parts = []
    for _ in range(draw(st.integers(1, most))):
        dice = draw(st.integers(0, 39))
        if dice == 0:
            parts.append(_pick(draw, ODD))
        elif dice == 1:
            parts.append(_pick(draw, LONG))
        elif dice < 7:
            parts.append(draw(inlines()))
        else:
            parts.append(_pick(draw, CHINESE if chinese else ENGLISH))
        if not chinese:
            parts.append(" ")
        if draw(st.integers(0, 4)) == 0:
            parts.append(_pick(draw, STOPS))
    return "".join(parts).strip(" ") or "word"


@st.composite
def inlines(draw: DrawFn) -> str:
    """One inline unit."""
    name, number = _pick(draw, [*ENGLISH[:12], *CHINESE[:6]]), draw(st.integers(0, 99))
    forms = [
        f"[{name}](https://example.com/{name}/{number})",
        f'[{name} {number}](<a b.md> "title {number}")',
        f"![{name}](img/{number}.png)",
        f"[![{name}](b{number}.svg)](https://ci.example.com/{number})",
        f"`{name} {number}`",
        f"``a ` {name}``",
        f"$x_{{{number}}} + y$",
        f"$$a|b_{number}$$",
        f"<https://example.com/{number}>",
        f"<mail{number}@example.com>",
        f"https://example.com/{name}?q={number};r=2",
        f"[^{number % 4}]",
        f"[{name}][ref{number % 3}]",
        f"**{name} {number}**",
        f"*{name}*",
        f"~~{name}~~",
        f"<b>{name}</b>",
        f"&amp; {name} \\* \\| \\$",
        f"a \\\n{name}",
        f"{number} < {name} > {number}",
    ]
    return str(_pick(draw, forms))


@st.composite
def paragraph(draw: DrawFn) -> Lines:
    """One to four lines of text."""
    lines = [draw(words()) for _ in range(draw(st.integers(1, 4)))]
    if draw(st.integers(0, 9)) == 0:
        lines[-1] += _pick(draw, [":", "：", "?", "？", "  ", "\\"])
    if draw(st.integers(0, 19)) == 0:
        lines[0] = _pick(draw, ["Q: ", "问：", "A: ", "　　"]) + lines[0]
    return "\n".join(lines).split("\n")


@st.composite
def heading(draw: DrawFn) -> Lines:
    """An ATX or setext heading."""
    text = draw(words(5)).split("\n")[0]
    if draw(st.integers(0, 5)) == 0:
        return [text, _pick(draw, ["===", "---", "-"])]
    level = draw(st.integers(1, 4))
    tail = _pick(draw, ["", "", "", " ##", " {#id-1}", " {#a .b}", "#"])
    return ["#" * level + " " + _pick(draw, [text, text, text, ""]) + tail]


@st.composite
def code(draw: DrawFn) -> Lines:
    """A fenced or indented code block, now and then without its end."""
    lines = []
    for _ in range(draw(st.integers(0, 9))):
        indent = "    " * draw(st.integers(0, 2))
        options = [
            "",
            "}",
            "# not a heading",
            "| a | b |",
            "``` inner",
            "\tx = 1",
            f"call({draw(st.integers(0, 999))})",
        ]
        lines.append(indent + _pick(draw, [*options, draw(words(6)).split("\n")[0]]))
    if draw(st.integers(0, 4)) == 0:
        return ["    " + (line or "x") for line in lines or ["x"]]
    fence = _pick(draw, ["```", "````", "~~~", "~~~~~"])
    info = _pick(draw, INFO)
    end = [] if draw(st.integers(0, 7)) == 0 else [fence + _pick(draw, ["", "", "~" if fence[0] == "~" else "`", "  "])]
    return [fence + info, *lines, *end]


@st.composite
def table(draw: DrawFn) -> Lines:
    """A GFM table, perhaps with a caption line, escaped pipes, second level headers and ragged rows."""
    columns = draw(st.integers(1, 4))
    outer = columns == 1 or draw(st.integers(0, 3)) > 0

    def row(cells: list[str]) -> str:
        return "| " + " | ".join(cells) + " |" if outer else " | ".join(cells)

    def cell() -> str:
        options = ["", "1", "`a \\| b`", "x \\| y", draw(words(3)).split("\n")[0], _pick(draw, CHINESE)]
        # A row that ends in a backslash: see KNOWN_DIFFERENCES.
        return str(_pick(draw, options)).rstrip("\\ ")

    lines = [draw(words(5)).split("\n")[0]] if draw(st.integers(0, 4)) == 0 else []
    lines.append(row([cell() or "h" for _ in range(columns)]))
    lines.append(row([_pick(draw, ["---", ":--", "--:", ":-:", "-"]) for _ in range(columns)]))
    for index in range(draw(st.integers(0, 7))):
        cells = [cell() for _ in range(columns + (draw(st.integers(0, 9)) == 0))]
        if index == 0 and draw(st.integers(0, 3)) == 0:
            cells[0] = ""
        lines.append(row(cells))
    return lines


@st.composite
def html(draw: DrawFn) -> Lines:
    """HTML of several kinds, tables among them."""
    word = draw(words(6)).split("\n")[0]
    kind = draw(st.integers(0, 6))
    if kind == 0:
        return ["<!--", "# hidden", "", word, "-->"]
    if kind == 1:
        return ["<pre>", word, "", "# x", "</pre>"]
    if kind == 2:
        return ["<div>", word, "</div>"]
    rows = [f"<tr><td>{draw(words(4)).splitlines()[0]}</td><td>{i}</td></tr>" for i in range(draw(st.integers(0, 5)))]
    head = _pick(
        draw, [[], ["<tr><th>A</th><th>B</th></tr>"], ["<thead>", "<tr><th>A</th></tr>", "</thead>", "<tbody>"]]
    )
    end = _pick(draw, [["</table>"], ["</tbody>", "</table>"], [], ["</TABLE>"]])
    lines = ["<table>", *head, *rows, *end]
    if draw(st.integers(0, 4)) == 0:
        lines.insert(draw(st.integers(1, len(lines))), "")
    return lines


@st.composite
def formula(draw: DrawFn) -> Lines:
    """A display formula on lines of its own, now and then broken."""
    inner = [
        _pick(draw, ["E = mc^2", "=", "-", "a & b \\\\", "", "x > y", "\\tag{7}"])
        for _ in range(draw(st.integers(0, 4)))
    ]
    close = _pick(draw, [["$$"], ["$$"], ["$$ "], [], ["# no end"], ["```"]])
    return [*draw(st.sampled_from([[], ["text before"]])), "$$", *inner, *close]


@st.composite
def small(draw: DrawFn) -> Lines:
    """Short blocks: rules, images, definitions, page markers, form feeds."""
    number = draw(st.integers(0, 20))
    options: list[Lines] = [
        ["---"],
        ["* * *"],
        [f"![{_pick(draw, CHINESE)}](p/{number}.png)"],
        [f"[![a](b.png)](c) ![d](e.png '{number}')"],
        [f"[ref{number % 3}]: https://example.com/{number} 'title'"],
        [f"[^{number % 4}]: {draw(words(8))}", "", "    " + draw(words(5)).replace("\n", " ")],
        [f"<!-- page: {number} -->"],
        [f"<!-- PAGE {number} -->"],
        [f"before\f{draw(words(4))}"],
        ["\f"],
        ["- [ ] open", "- [x] done"],
        ["$$a = b$$"],
    ]
    return list(_pick(draw, options))


def _contained(first: str, rest: str, blocks: list[Lines], blank: str) -> Lines:
    lines: Lines = []
    for index, block in enumerate(blocks):
        if index:
            lines.append(blank)
        lines += block
    return [(first if i == 0 else rest if line.strip() or rest.strip() else "") + line for i, line in enumerate(lines)]


@st.composite
def quote(draw: DrawFn, inner: SearchStrategy[Lines]) -> Lines:
    """A block quote, sometimes with a lazy line behind it."""
    mark = _pick(draw, ["> ", "> ", ">", ">  "])
    lines = _contained(mark, mark, draw(st.lists(inner, min_size=1, max_size=3)), "")
    # A lazy line behind a link definition: see KNOWN_DIFFERENCES.
    lazy = draw(st.integers(0, 7)) == 0 and "]: " not in lines[-1]
    return [*lines, "lazy " + draw(words(4))] if lazy else lines


@st.composite
def listing(draw: DrawFn, inner: SearchStrategy[Lines]) -> Lines:
    """A list whose items hold blocks."""
    ordered, loose = draw(st.booleans()), draw(st.booleans())
    mark, number = _pick(draw, ["- ", "* ", "+ ", "-   "]), draw(st.integers(0, 9))
    lines: Lines = []
    items = draw(st.integers(1, 5))
    for index in range(items):
        first = f"{number + index}. " if ordered else mark
        # An empty item at the end of a loose list: see KNOWN_DIFFERENCES.
        least = int(loose and index == items - 1)
        blocks = (
            draw(st.lists(inner, min_size=least, max_size=2)) if draw(st.integers(0, 2)) == 0 else [draw(paragraph())]
        )
        if loose and index:
            lines.append("")
        lines += _contained(first, " " * len(first), blocks, "") or [first.rstrip()]
    return lines


def blocks() -> SearchStrategy[Lines]:
    """Any block, nested some levels deep."""
    leaves = st.one_of(paragraph(), paragraph(), code(), table(), html(), formula(), small(), heading())
    return st.recursive(leaves, lambda inner: st.one_of(quote(inner), listing(inner)), max_leaves=8)


@st.composite
def documents(draw: DrawFn, most: int = 9) -> str:
    """A whole document, with any kind of line end, perhaps with a byte order mark and front matter."""
    lines: Lines = []
    if draw(st.integers(0, 7)) == 0:
        lines += [
            "---",
            f"title: {draw(words(3)).splitlines()[0]}",
            "tags: [a, b]",
            _pick(draw, ["---", "...", "--"]),
            "",
        ]
    top = st.one_of(heading(), blocks(), blocks(), blocks())
    for block in draw(st.lists(top, min_size=0, max_size=most)):
        lines += block
        lines += [""] * draw(st.sampled_from([0, 1, 1, 1, 1, 2]))
    text = "\n".join(lines)
    end = draw(st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"]))
    if end != "\n":
        text = text.replace("\n", end)
    if draw(st.integers(0, 9)) == 0:
        text = re.sub(r"(?m)^(?:    )+", lambda blanks: "\t" * (len(blanks[0]) // 4), text)
    if draw(st.integers(0, 9)) == 0:
        text = "\ufeff" + text
    return text


def hostile(most: int = 60) -> SearchStrategy[str]:
    """Marks, odd characters and words in any order."""
    pieces = st.sampled_from([*MARKS, *ODD, *CHINESE[:6], *ENGLISH[:6], "\n\n", "    ", "\t"])
    return st.lists(pieces, max_size=most).map("".join)


@st.composite
def ready_block(draw: DrawFn) -> dict[str, Any]:
    """A block as another parser gives it."""
    kind = _pick(draw, ["heading", "paragraph", "paragraph", "list", "quote", "table", "code", "math", "image", "html"])
    line = draw(words(8)).split("\n")[0].rstrip("\\ ")
    block: dict[str, Any] = {"kind": kind}
    if kind == "heading":
        level = draw(st.integers(1, 3))
        block["text"] = _pick(draw, ["Pumps", "概述", "Last one", "# Marked", "### 深"])
        block["level"] = _pick(draw, [level, level, None])
    elif kind == "list":
        block["text"] = "\n".join(draw(listing(paragraph())))
    elif kind == "quote":
        block["text"] = "\n".join(draw(quote(paragraph())))
    elif kind == "table":
        rows = [f"{draw(words(4))}".split("\n")[0].replace("|", "/") for _ in range(draw(st.integers(1, 6)))]
        plain = "\n".join(f"{row} | {index}" for index, row in enumerate(rows))
        block["text"] = _pick(draw, ["\n".join(draw(table())), plain, "\t".join(rows)])
    elif kind == "code":
        bare = "\n".join(["x = 1", *(line for line in draw(code()) if "```" not in line and "~~~" not in line), "end"])
        block["text"] = _pick(draw, [bare, bare, "\n".join(["```sh", "ls", "", *["echo a b c"] * 9, "```"])])
        block["language"] = _pick(draw, [None, "python", "c++"])
    elif kind == "math":
        block["text"] = "$$\n" + "\n".join(draw(st.lists(st.just("a & b \\\\"), min_size=1, max_size=9))) + "\n$$"
    elif kind == "image":
        block["text"] = _pick(draw, ["![pump](a.png)", "figure 7", ""])
        block["description"] = _pick(draw, [None, "figure", line])
    elif kind == "html":
        block["text"] = f"<div>\n{line.replace('<', '')}\n</div>"
    else:
        block["text"] = line
    return block


@st.composite
def ready(draw: DrawFn) -> tuple[list[dict[str, Any]], str | None]:
    """Blocks of another parser, with pages, sheets, cell ranges and slides, and the text they are from, if it is known."""
    where = _pick(draw, [(), ("page",), ("page", "sheet", "cell_range"), ("slide",)])
    number = 1
    blocks = []
    for block in draw(st.lists(ready_block(), min_size=1, max_size=12)):
        number += draw(st.integers(0, 3)) == 0
        for name in where:
            block[name] = number if name in ("page", "slide") else f"{name} {number // 2}"
        blocks.append(block)
    if draw(st.booleans()):
        return blocks, None
    between = [_pick(draw, ["\n\n", "\n\n", "\n", "\n\nnot in a block\n\n", "\r\n\r\n"]) for _ in blocks]
    return blocks, "".join(b["text"] + gap for b, gap in zip(blocks, between, strict=True))


@st.composite
def settings(draw: DrawFn, least: int = 16) -> dict[str, Any]:
    """Keyword arguments of a chunker, small budgets above all."""
    budgets = [16, 17, 20, 24, 32, 48, 64, 96, 128, 200, 512]
    budget = draw(st.sampled_from([b for b in budgets if b >= least]))
    return {
        "max_tokens": budget,
        "overlap_tokens": draw(st.one_of(st.just(0), st.integers(0, budget // 2), st.just(budget - 1))),
        "target_tokens": draw(st.one_of(st.none(), st.none(), st.integers(1, budget))),
        "tokenizer_name": draw(st.sampled_from(["cl100k_base", "cl100k_base", "o200k_base"])),
        "heading_template": draw(st.sampled_from(["章节：{path}", "章节：{path}", "Section: {path}", None])),
        "path_separator": draw(st.sampled_from([" > ", " > ", " / "])),
    }
