"""Hypothesis strategies for plain and Markdown-like texts, and for the settings of each strategy."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from reference import generate

UNITS = [
    "joe.d@example.org",
    "<mailto:a@b.org>",
    "http://a.b/c?d=e,f.",
    "(https://x.org/(y))",
    "www.example.com/路径",
    "[a [b] c](http://x.y/z 'one, two')",
    "![fig. 1](img/1.png)",
    "`a, b. C`",
    "``x ` y``",
    "$a, b$",
    "$$x; y$$",
    "$5, or $6",
    "e.g. this",
    "Dr. Wu",
    "3.14",
    "x" * 45,
    "永远" * 25,
    "e\u0301" * 20,
    "👨‍👩‍👧" * 6,
    "🇩🇪🇫🇷",
    "……",
    "”。）",
    " ,",
    " )",
    "(",
    "“",
    "…",
    "\u3000",
    "\x1c",
    "-----",
    "```",
]
GAPS = [" ", " ", " ", "  ", "\t", "", "", "\n", "\n", "\n  ", "\r\n", "\r", "\u00a0", "\u2028", "\n\n", "\r\n\r\n"]
BREAKS = [
    *["\n\n"] * 6,
    *["\n", "\r\n\r\n", "\r\n"] * 2,
    "\n \t\n    ",
    "\n\n\n",
    "\r\r",
    "\f",
    "\n\f\n",
    "\n<!-- page: 7 -->\n",
    "\n  <!-- PAGE 12 -->  \n",
    "\n\n- ",
    "\n> ",
    "\n1. ",
]
STARTS = ["", "", "", "", "\ufeff", "  ", "\n\n   ", "\f", "<!-- page: 3 -->\n", "。", "　　"]


@st.composite
def run(draw: DrawFn) -> str:
    """Some words in one language, with stops, odd units and gaps."""
    words = draw(st.sampled_from([generate.ENGLISH, generate.CHINESE, [*generate.ENGLISH[:9], *generate.CHINESE[:9]]]))
    gap = "" if words is generate.CHINESE else " "
    parts = []
    for _ in range(draw(st.integers(1, 12))):
        dice = draw(st.integers(0, 15))
        if dice == 0:
            parts.append(draw(st.sampled_from(UNITS)))
        elif dice == 1:
            parts.append(draw(st.sampled_from([*generate.ODD, *generate.LONG])))
        elif dice == 2:
            parts.append(draw(generate.inlines()))
        else:
            parts.append(draw(st.sampled_from(words)))
        if draw(st.integers(0, 3)) == 0:
            parts.append(draw(st.sampled_from(generate.STOPS)))
        parts.append(draw(st.sampled_from([*[gap] * 24, *GAPS])))
    return "".join(parts)


@st.composite
def texts(draw: DrawFn, most: int = 9) -> str:
    """Runs with breaks of all kinds between."""
    parts = [draw(st.sampled_from(STARTS))]
    for _ in range(draw(st.integers(0, most))):
        parts += [draw(run()), draw(st.sampled_from(BREAKS))]
    return "".join(parts)


def any_texts() -> SearchStrategy[str]:
    """Plain texts above all, Markdown documents, marks in any order."""
    return st.one_of(texts(), texts(), generate.documents(4), generate.hostile())


HEADINGS = [
    "一、甲", "二、总则", "十二、附则：", "（一）范围", "(二) 例外", "(三)补", "第一章 总则", "第 2 章", "第三节：方法", "第4条 责任", "第三部分", "第五条的规定", "1. 排查",
    "2、设计", "3．接口", "2.1 目标", "2.1.1 日志", "2.2、限制", "3.1.2. 告警", "【参数】", "【问】", "注意事项：", "步骤:", "可能原因：", "# 大", "## 小", "### 第一章", "#",
    "中\n---", "**说明：**", "[a]: b:", "一二三", "五、" + "长" * 40, "六、有句号。", "1.5 倍", "１．全角", "　　三、缩进", "  四、缩进",
]  # fmt: skip
ROWS = [
    "- 甲", "- 乙：", "* c", "+ d", "• e", "1. 一", "2. 二", "3. 三", "1) a", "2）b", "（1）项", "(2) 项", "① 项", "②项", "   续行", "  - 内", "\t缩进的", "一、项目", "二、项目",
    "2.1 项", "2.2 项", "第一条 内容在此。", "第二条 内容在此。", "- [ ] 任务", "1. ```py\n   x = 1\n\n   y\n   ```", "- > 引文", "- | a | b |\n  |---|---|\n  | 1 | 2 |", "10. 操作",
]  # fmt: skip
ANSWERED = [
    "Q: 为什么？", "A: 因为。", "Q1. What is it?", "A1. It is.", "问：如何排查？", "答：重启。", "问题：怎样", "回答：这样", "【问】可以吗", "【答】可以。", "**Q:** bold?", "**A:** yes", "Q:",
    "A:", "答：", "How to step?", "真的吗？", "Q: 一行 A: 完", "q、小写", "问题2：还有", "* Is it?",
]  # fmt: skip
PLAIN = [
    "正文在此。", "这是一个较长的句子，里面有逗号，也有句号。第二句！", "A plain line of text here.", "说明如下：", "如下", "见下。", "`code`，$x$。", "[链\n接](u)", "Dr. Wu came. He left.",
    "> 引文\n> 二行", "```py\nx = 1\n\ny = 2\n```", "```\nopen", "    indented code\n    more", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "![图](a.png)", "$$\nx\n$$", "<div>\nx\n</div>",
    "---", "***", "<!-- page: 5 -->", "\f", "[^1]: 注解：\n", "\n<table><tr><td>1</td></tr>\n<tr><td>2</td></tr></table>",
]  # fmt: skip


@st.composite
def weak_documents(draw: DrawFn, most: int = 16) -> str:
    """Lines that are headings, lists, questions or text, with or without blank lines between."""
    kinds = st.sampled_from([HEADINGS, HEADINGS, ROWS, ROWS, ANSWERED, PLAIN, PLAIN, PLAIN])
    parts = [draw(st.sampled_from(["", "", "", "\ufeff", "---\na: b\n---\n", "\n  "]))]
    for _ in range(draw(st.integers(0, most))):
        parts.append(draw(st.sampled_from(draw(kinds))) if draw(st.integers(0, 9)) else draw(run()))
        parts.append(draw(st.sampled_from(["\n", "\n", "\n", "\n\n", "\n\n", "\n\n", "\n\n\n", "\r\n", "\n\n　　"])))
    text = "".join(parts)
    return text.replace("\n", "\r\n").replace("\r\r", "\r") if draw(st.integers(0, 9)) == 0 else text


def utf8_length(text: str) -> int:
    """A size that is not the number of characters."""
    return len(text.encode())


NAMES = {
    "fixed_size": ("chunk_size", "chunk_overlap"),
    "sentence": ("target_size", None),
    "paragraph": ("target_size", None),
    "recursive": ("chunk_size", "chunk_overlap"),
    "semantic": ("max_chunk_size", None),
    "structured": ("max_chunk_chars", "overlap_chars"),
}
MOST_UNITS = {"sentence": "max_sentences_per_chunk", "paragraph": "max_paragraphs_per_chunk"}
SEPARATORS = [
    None,
    None,
    None,
    ["\n\n", "\n", ". ", " ", ""],
    ["\n\n"],
    ["。", "", "x"],
    ["e", "\n\n\n"],
    ["\n", " ", ", "],
    [],
]


@st.composite
def settings(draw: DrawFn, name: str, unit: str) -> dict[str, Any]:
    """Parameters of a strategy; `unit` is char, token or size."""
    size, overlap = NAMES[name]
    params: dict[str, Any] = {}
    if unit == "token":
        # A fence, a margin and a character may fill a smaller budget: the design does not tell apart what is left then.
        budget = draw(st.sampled_from([24, 32, 48, 96, 200, 24 if name == "structured" else 16]))
        params["max_tokens"] = budget
        params["overlap_tokens"] = draw(_overlap(budget))
        params["tokenizer_name"] = draw(st.sampled_from(["cl100k_base", "cl100k_base", "o200k_base", None]))
    else:
        small = [60, 48] if name == "structured" else [5, 12, 20, 31]
        budget = draw(st.sampled_from([64, 100, 250] if unit == "size" else [*small, 48, 80, 150, 400]))
        params[size] = budget
        if overlap:
            params[overlap] = draw(_overlap(budget))
        if unit == "size":
            params["length_function"] = utf8_length
        else:
            params["tokenizer_name"] = draw(st.sampled_from([None, None, None, "cl100k_base"]))
    if name in MOST_UNITS:
        params[MOST_UNITS[name]] = draw(st.sampled_from([1, 2, 3, 5, 50]))
    if name == "recursive":
        params["separators"] = draw(st.sampled_from(SEPARATORS))
    if name == "semantic":
        params["min_chunk_size"] = draw(st.sampled_from([1, budget // 4 + 1, budget // 2 + 1]))
        params["similarity_threshold"] = draw(st.sampled_from([0.66, 0.7, 0.75, 0.9]))
    if name == "structured":
        params["min_chunk_chars"] = draw(st.sampled_from([0, 0, budget // 4, budget]))
        params["weak_headings"] = draw(st.sampled_from([True, True, True, False]))
    return params


def _overlap(budget: int) -> SearchStrategy[int]:
    return st.one_of(st.just(0), st.integers(0, budget // 2), st.just(budget - 1))
