"""The reference of the strategies against what a reader of `docs/strategies.md` would write down by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from .strategies import chunk, weak
from .strategies.atoms import atoms_in_line
from .strategies.lexical import Lexical, bucket, cosine, counts, features, similarity
from .strategies.outline import items_of
from .strategies.plain import sections_of
from .text import Source


def contents(name: str, text: str, **params: Any) -> list[str]:
    return [c["content"] for c in chunk(name, text, params)]


def shown(name: str, text: str, **params: Any) -> list[tuple[str, str, str]]:
    """Overlap, body and reason of each chunk."""
    made = []
    for c in chunk(name, text, params):
        parts = {role: words for role, words, _, _ in c["segments"]}
        made.append((parts.get("overlap", ""), parts["body"], c["split_reason"]))
    return made


@pytest.mark.parametrize("name", ["fixed_size", "sentence", "paragraph", "recursive", "semantic"])
def test_nothing_gives_nothing(name: str) -> None:
    assert chunk(name, "") == []
    assert chunk(name, " \n\t\u3000\f\r\n ") == []
    assert contents(name, "  One.  ") == (["One."] if name == "fixed_size" else ["  One."])


def test_pages() -> None:
    text = "one\ftwo\n<!-- page: 7 -->\nseven\n  <!-- PAGE 9 --> \ften"
    sections = sections_of(Source(text))
    assert [(text[s.start : s.end], s.page) for s in sections] == [
        ("one", 1),
        ("two", 2),
        ("<!-- page: 7 -->\nseven", 7),
        ("  <!-- PAGE 9 -->", 9),
        ("ten", 10),
    ]


def test_pages_in_front_of_a_marker() -> None:
    text = "\ufeffcover\r\n<!-- page 3 -->\r\nx <!-- page 4 -->\f<!-- page: 8 -->"
    found = [(text[s.start : s.end], s.page) for s in sections_of(Source(text))]
    assert found == [("cover", 2), ("<!-- page 3 -->\r\nx <!-- page 4 -->", 3), ("<!-- page: 8 -->", 8)]
    assert [s.page for s in sections_of(Source("no page"))] == [None]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a `b, c` d", ["`b, c`"]),
        ("``a ` b`` ```x``` `open", ["``a ` b``"]),
        ("see [a [b] c](u(v)w 'q, r') or ![i](j)", ["[a [b] c](u(v)w 'q, r')", "![i](j)"]),
        ("[a](b c) [d] (e)", []),
        ("<mailto:x@y.org> a < b > c <b>", ["<mailto:x@y.org>"]),
        ("(http://a.b/c).", ["http://a.b/c"]),
        ("见http://a.b/(c)，www.x.org/路径 xhttp://no.no ftp://", ["http://a.b/(c)", "www.x.org/"]),
        ("mail joe.d+x@mail.example.org. or @x.y or a@b", ["joe.d+x@mail.example.org"]),
        ("$a, b$ costs $5, or $6, and $$x; y$$ not $c$1", ["$a, b$", "$$x; y$$"]),
        ("http://" + "x" * 1018 + " http://" + "x" * 1017, ["http://" + "x" * 1017]),
        ("[`a](b)`", ["[`a](b)"]),
    ],
)
def test_atoms(line: str, expected: list[str]) -> None:
    assert [line[a:b] for a, b in atoms_in_line(line)] == expected


def test_fixed_size_at_blanks() -> None:
    assert shown("fixed_size", "The quick brown fox jumps", chunk_size=20, chunk_overlap=0) == [
        ("", "The quick brown fox", "max_chars"),
        ("", "jumps", "document_end"),
    ]
    # The window that begins 12 characters on: `brown fox jumps`.
    assert shown("fixed_size", "The quick  \nbrown fox jumps", chunk_size=20, chunk_overlap=8) == [
        ("", "The quick  \nbrown fox".replace("  \n", " "), "max_chars"),
        ("own fox ", "jumps", "document_end"),
    ]


def test_fixed_size_without_blanks() -> None:
    assert shown("fixed_size", "abcdefghij", chunk_size=4, chunk_overlap=1) == [
        ("", "abcd", "char_window"),
        ("d", "efg", "char_window"),
        ("g", "hij", "document_end"),
    ]
    assert contents("fixed_size", "系统，数据库。", chunk_size=2, chunk_overlap=0) == ["系", "统，", "数据", "库。"]
    flag, family = "🇩🇪", "👨‍👩‍👧"
    assert contents("fixed_size", flag * 3 + family, chunk_size=5, chunk_overlap=0) == [flag * 2, flag, family]


def test_fixed_size_positions() -> None:
    text = "\ufeff  a\r\n\r\n\tb\u3000c\x1cd  "
    found = chunk("fixed_size", text, {"chunk_size": 3, "chunk_overlap": 0})
    assert [c["content"] for c in found] == ["a b", "c d"]
    assert [text[c["start_char"] : c["end_char"]] for c in found] == ["a\r\n\r\n\tb", "c\x1cd"]
    assert [(c["start_line"], c["end_line"]) for c in found] == [(1, 3), (3, 3)]


@pytest.mark.parametrize(("length", "chunks"), [(1, 1), (10, 1), (11, 2), (16, 2), (17, 3), (22, 3), (23, 4)])
def test_fixed_size_count(length: int, chunks: int) -> None:
    """`1 + ceil((length - 10) / (10 - 4))`."""
    assert len(chunk("fixed_size", "x" * length, {"chunk_size": 10, "chunk_overlap": 4})) == chunks


def test_fixed_size_in_tokens() -> None:
    words = [f"w{i}" for i in range(1, 61)]
    found = chunk("fixed_size", " ".join(words), {"max_tokens": 32, "overlap_tokens": 8})
    assert all(c["token_count"] <= 32 for c in found)
    assert " ".join(words) == " ".join(c["segments"][-1][1] for c in found)
    # A word is two tokens, its blank included: `w12 w13 w14 w15` are eight.
    assert found[1]["content"].split()[0] in {"w8", "w9", "w12", "w13"}
    assert found[0]["token_count"] >= 30


def test_sentences() -> None:
    text = "Dr. Wu came. She left!  Then e.g. nothing happened at all here. End."
    assert shown("sentence", text, target_size=24) == [
        ("", "Dr. Wu came. She left!", "max_chars"),
        ("", "Then e.g. nothing happened at all here.", "whole_unit"),
        ("", "End.", "document_end"),
    ]
    assert shown("sentence", text, max_sentences_per_chunk=3) == [
        ("", "Dr. Wu came. She left!  Then e.g. nothing happened at all here.", "max_units"),
        ("", "End.", "document_end"),
    ]


def test_sentences_in_tokens_are_cut_at_clauses() -> None:
    text = "One two three four five, six seven eight nine ten; eleven twelve thirteen, fourteen. Last words."
    found = shown("sentence", text, max_tokens=16, overlap_tokens=4)
    assert [body for _, body, _ in found] == [
        "One two three four five, six seven eight nine ten; eleven twelve thirteen,",
        "fourteen. Last words.",
    ]
    chinese = "一二三四五六七八，九十一二三四五六七八。"
    bodies = [body for _, body, _ in shown("sentence", chinese, max_tokens=16)]
    assert bodies == ["一二三四五六七八，", "九十一二三四五六七八。"]


def test_whole_sentences_are_carried_over() -> None:
    text = "Aa bb. Cc dd ee. Ff gg hh ii jj. Kk."
    found = shown("sentence", text, max_tokens=16, overlap_tokens=8)
    assert found[0][0] == ""
    assert all(o in ("", "Cc dd ee. ", "Ff gg hh ii jj. ") for o, _, _ in found)
    assert any(o for o, _, _ in found)


def test_paragraphs() -> None:
    text = "one one\n\n two two\r\n \r\nthree\nthree\n\n\nfour, a long one."
    assert shown("paragraph", text, target_size=18) == [
        ("", "one one\n\n two two", "max_chars"),
        ("", "three\nthree", "max_chars"),
        ("", "four, a long one.", "document_end"),
    ]
    assert shown("paragraph", text, max_paragraphs_per_chunk=3) == [
        ("", "one one\n\n two two\r\n \r\nthree\nthree", "max_units"),
        ("", "four, a long one.", "document_end"),
    ]
    assert shown("paragraph", text, target_size=10)[1:3] == [
        ("", " two two", "max_chars"),
        ("", "three\nthree", "whole_unit"),
    ]


def test_recursive() -> None:
    text = "aa bb\ncc dd ee\n\nff. gg hh ii"
    assert shown("recursive", text, chunk_size=14, chunk_overlap=0) == [
        ("", "aa bb\ncc dd ee", "max_chars"),
        ("", "ff. gg hh ii", "document_end"),
    ]
    assert shown("recursive", text, chunk_size=9, chunk_overlap=4) == [
        ("", "aa bb", "max_chars"),
        ("", "cc dd ee", "max_chars"),
        ("", "ff.", "max_chars"),
        ("", "gg hh ii", "document_end"),
    ]
    assert shown("recursive", "aa bb. cc dd ee", chunk_size=8, chunk_overlap=4)[1:] == [
        ("", "cc dd ee", "document_end")
    ]
    assert shown("recursive", "aa bb cc dd ee", chunk_size=8, chunk_overlap=3) == [
        ("", "aa bb cc", "max_chars"),
        ("cc ", "dd ee", "document_end"),
    ]
    assert contents("recursive", "一二。三四”五。）六七，八九", chunk_size=5, chunk_overlap=0) == [
        "一二。",
        "三四”",
        "五。）",
        "六七，八九",
    ]


def test_recursive_windows() -> None:
    assert shown("recursive", "abcdefghij", chunk_size=4, chunk_overlap=1) == [
        ("", "abcd", "char_window"),
        ("d", "efg", "char_window"),
        ("g", "hij", "document_end"),
    ]
    assert contents("recursive", "a. b. c", chunk_size=3, chunk_overlap=0, separators=["b"]) == ["a.", "b.", "c"]
    assert contents("recursive", "x y [a b](c d) `e f g` z", chunk_size=9, chunk_overlap=0) == [
        "x y [a",
        "b](c d)",
        "`e f g` z",
    ]


def test_a_length_function() -> None:
    assert shown(
        "recursive", "水泵启动 ok", chunk_size=9, chunk_overlap=0, length_function=lambda s: len(s.encode())
    ) == [
        ("", "水泵启", "size_window"),
        ("", "动 ok", "document_end"),
    ]
    assert shown("sentence", "水泵。启动。", target_size=9, length_function=lambda s: len(s.encode())) == [
        ("", "水泵。", "max_size"),
        ("", "启动。", "document_end"),
    ]


def test_features() -> None:
    assert sorted(features("Pump PUMP, it. 水泵，ÄB")) == sorted(
        [("wpump", 1.0), ("t^pu", 0.5), ("tpum", 0.5), ("tump", 0.5), ("tmp$", 0.5)] * 2
        + [("wit", 1.0), ("c水", 0.5), ("c泵", 0.5), ("c水泵", 1.0), ("wäb", 1.0)]
    )
    # FNV-1a's published test value of `a`.
    assert bucket("a") == 0xAF63DC4C8601EC8C % 4096
    assert counts("a a b") == {bucket("wa"): 2, bucket("wb"): 1}


def test_similarity() -> None:
    """Words of less than four letters are one feature each. Of three texts, `red` is in two, the others in one."""
    known = Lexical(["red fox", "red sea", "ice"])
    red, fox = math.log(2) * math.log(1 + 3 / 2), math.log(2) * math.log(1 + 3) / 2
    assert known.terms(0, 0) == {bucket("wred"): round(4096 * red), bucket("wfox"): round(4096 * fox)}
    assert known.terms(0, 1)[bucket("wred")] == round(4096 * math.log(3) * math.log(2.5))
    expected = 0.65 + 0.35 * red * red / (red * red + fox * fox)
    assert similarity(known.terms(0, 0), known.terms(1, 1)) == pytest.approx(expected, abs=1e-4)
    assert similarity(known.terms(0, 0), known.terms(2, 2)) == pytest.approx(0.65)
    assert similarity(known.terms(1, 1), known.terms(1, 1)) == pytest.approx(1)
    assert similarity({}, {}) == 1
    assert similarity({}, known.terms(0, 0)) == pytest.approx(math.sqrt(0.65))
    vector = known.vector(0)
    assert len(vector) == 4097
    assert vector[0] == pytest.approx(math.sqrt(0.65))
    assert sum(x * x for x in vector) == pytest.approx(1)
    assert cosine(vector, known.vector(1)) == pytest.approx(expected, abs=1e-4)
    assert cosine([1, 0], [1, 1, float("nan")]) == pytest.approx(math.sqrt(0.5))
    assert cosine([0], [1]) == 0


class Topics:
    """Pumps and trees have nothing in common."""

    def embed(self, texts: list[str]) -> list[list[float]]:
        return [[text.count("pump"), text.count("tree"), 0.1] for text in texts]


def test_semantic() -> None:
    text = "A pump runs. The pump stops. One pump more. A tree grows. The tree falls. A tree burns."
    params: dict[str, Any] = {
        "embedder": Topics(),
        "min_chunk_size": 20,
        "max_chunk_size": 90,
        "similarity_threshold": 0.2,
    }
    assert shown("semantic", text, **params) == [
        ("", "A pump runs. The pump stops. One pump more.", "similarity"),
        ("", "A tree grows. The tree falls. A tree burns.", "document_end"),
    ]
    assert len(contents("semantic", text, **{**params, "min_chunk_size": 44})) == 1
    assert shown("semantic", text, **{**params, "max_chunk_size": 30})[0] == (
        "",
        "A pump runs. The pump stops.",
        "max_chars",
    )


@pytest.mark.parametrize(
    ("line", "level", "text", "marker"),
    [
        ("一、售后政策", 1, "售后政策", "一、"),
        ("十二、附则", 1, "附则", "十二、"),
        ("（一）适用范围", 2, "适用范围", "（一）"),
        ("(二) 例外", 2, "例外", "(二)"),
        ("第三章 保修", 1, "保修", "第三章"),
        ("第 2 章", 1, "第 2 章", "第 2 章"),
        ("第二节：方法", 2, "方法", "第二节："),
        ("第十条、责任：", 3, "责任：", "第十条、"),
        ("第三部分", 1, "第三部分", "第三部分"),
        ("1. 故障排查", 3, "故障排查", "1."),
        ("2、2024 年", 3, "2024 年", "2、"),
        ("２．全角", 3, "全角", "２．"),
        ("2.1 设计目标", 4, "设计目标", "2.1"),
        ("2.1.3. 日志", 5, "日志", "2.1.3."),
        ("【核心参数】", 4, "核心参数", "【核心参数】"),
        ("注意事项：", 5, "注意事项：", ""),
    ],
)
def test_titles(line: str, level: int, text: str, marker: str) -> None:
    assert weak.title(line) == weak.Title(weak.title(line).form, level, text, marker)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "line",
    [
        "一、",
        "一、售后政策。",
        "1. " + "长" * 38,
        "1.5倍",
        "7.3.2.2的检查",
        "第五条的规定",
        "第一条第二款",
        "【问】",
        "见【参数】",
        "【一】【二】",
        "他说。注意：",
        "说明如下：",
        "For Example:",
        "- 注意：",
        "答：",
        "Q: 还有：",
        "[a]:",
        "…：",
        "1234567890. x",
    ],
)
def test_no_titles(line: str) -> None:
    assert weak.title(line) is None


def test_numbers() -> None:
    numbers = {"二〇二四": 2024, "一百零五": 105, "十": 10, "二十一": 21, "两千": 2000, "12": 12, "３": 3}
    assert {text: weak.number_of(text) for text in numbers} == numbers


def blocks(text: str, weak_headings: bool = True) -> list[tuple[str, str]]:
    source = Source(text)
    return [(item.block_type, text[item.start : item.end]) for item in items_of(source, weak_headings)]


def paths(text: str) -> list[tuple[str, ...]]:
    return [item.path for item in items_of(Source(text), weak_headings=True) if item.block_type != "heading"]


def test_a_numbered_line_among_others_is_a_list() -> None:
    assert blocks("1. 故障排查\n\n先看灯。") == [("heading", "1. 故障排查"), ("paragraph", "先看灯。")]
    assert blocks("1. 甲\n\n2. 乙\n\n尾") == [("list", "1. 甲\n\n2. 乙"), ("paragraph", "尾")]
    assert [kind for kind, _ in blocks("一、甲\n\n文。\n\n二、乙\n\n文。")] == ["heading", "paragraph"] * 2
    assert [kind for kind, _ in blocks("一、甲\n\n三、乙\n\n文。")] == ["heading", "heading", "paragraph"]
    assert blocks("文。\n\n1. 末尾") == [("paragraph", "文。"), ("list", "1. 末尾")]
    assert blocks("1. 故障排查\n\n文", weak_headings=False)[0][0] == "steps"


def test_groups() -> None:
    text = "可能原因：\n1. 充电器\n   坏了\n\n2. 接口\n\nQ: 怎么办\n先等等\nA:\n\n重启。\n真的？\n答：对。\n\n尾"
    assert blocks(text) == [
        ("heading", "可能原因："),
        ("list", "1. 充电器\n   坏了\n\n2. 接口"),
        ("qa", "Q: 怎么办\n先等等\nA:\n\n重启。"),
        ("qa", "真的？\n答：对。"),
        ("paragraph", "尾"),
    ]
    assert blocks("步骤：\n- 甲\n1. 乙")[1] == ("steps", "- 甲\n1. 乙")
    assert blocks("# 故障\n\n- 甲\n- 乙")[1] == ("list", "- 甲\n- 乙")
    assert blocks("---\na: b\n---\n> q\n\n```\n1. x\n```\n\n***\n")[1:3] == [
        ("paragraph", "> q"),
        ("paragraph", "```\n1. x\n```"),
    ]
    assert blocks("- 甲\n\n  ```\n  一、乙\n  ```\n- 丙") == [("list", "- 甲\n\n  ```\n  一、乙\n  ```\n- 丙")]


def test_title_paths() -> None:
    assert paths("# 大\n\n一、甲\n\n（一）乙\n\n文\n\n注意：\n\n文\n\n二、丙\n\n文\n\n## 小\n\n文") == [
        ("大", "甲", "乙"),
        ("大", "甲", "乙", "注意："),
        ("大", "丙"),
        ("大", "小"),
    ]
    # The form that is used first is the outer one; dotted numbers go by their dots, articles are below sections.
    assert paths("1. 甲\n\n文\n\n一、乙\n\n文\n\n2. 丙\n\n文") == [("甲",), ("甲", "乙"), ("丙",)]
    assert paths("2.1.1 甲\n\n文\n\n2.2 乙\n\n文\n\n第3条 丙\n\n文\n\n第二节 丁\n\n文") == [
        ("甲",),
        ("乙",),
        ("乙", "丙"),
        ("乙", "丁"),
    ]


def structured(text: str, **params: Any) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(c["content"], c["split_reason"], c["heading_path"]) for c in chunk("structured", text, params)]


def test_the_example_of_the_source() -> None:
    text = "## 无法充电\n\n可能原因：\n1. 充电器功率不匹配\n2. 数据线损坏\n\n处理步骤：\n1. 更换充电器\n2. 清理接口\n"
    found = chunk("structured", text, document_id="d")
    assert [(c["content"], c["heading_path"], c["metadata"]["block_type"]) for c in found] == [
        ("1. 充电器功率不匹配\n2. 数据线损坏", ("无法充电", "可能原因："), "list"),
        ("1. 更换充电器\n2. 清理接口", ("无法充电", "处理步骤："), "steps"),
    ]
    assert [c["chunk_id"] for c in found] == ["d::chunk::0000", "d::chunk::0001"]
    assert found[1]["metadata"] == {
        "doc_id": "d",
        "document_version_id": None,
        "title_path": ["无法充电", "处理步骤："],
        "block_type": "steps",
        "block_types": ["steps"],
        "heading_level": 5,
        "section_index": 1,
        "block_start_index": 4,
        "block_end_index": 4,
        "chunk_char_count": 16,
        "split_reason": "document_end",
        "chunk_strategy_version": "structured_markdown_v1",
    }


def test_shown_lines_and_headings_alone() -> None:
    assert structured("一、甲\n\n文。\n\n二、乙\n\n# 大\n\n## 小\n\n# 末") == [
        ("一、甲\n\n文。", "section_end", ("甲",)),
        ("二、乙", "section_end", ()),
        ("## 小", "section_end", ("大",)),
        ("# 末", "document_end", ()),
    ]
    assert structured("一、甲甲\n\n文文文文。很好。", max_chunk_chars=11) == [
        ("一、甲甲\n\n文文文文。", "max_chars", ("甲甲",)),
        ("很好。", "document_end", ("甲甲",)),
    ]
    assert structured("一、甲\n\nQ: aaa\nA: bbb", max_chunk_chars=13) == [
        ("一、甲", "max_chars", ("甲",)),
        ("Q: aaa\nA: bbb", "document_end", ("甲",)),
    ]


def test_blocks_that_are_too_large() -> None:
    text = "短。\n\n文文，文文文，文文文文。文\n\n尾"
    assert structured(text, max_chunk_chars=8) == [
        ("短。", "max_chars", ()),
        ("文文，文文文，", "block_too_large", ()),
        ("文文文文。文", "block_too_large", ()),
        ("尾", "document_end", ()),
    ]
    assert structured(text, max_chunk_chars=9, min_chunk_chars=7)[2:] == [("文文文文。文\n\n尾", "document_end", ())]
    assert structured("```py\naaaa\nbbbb\n```\n\n尾", max_chunk_chars=16)[0][:2] == (
        "```py\naaaa\n```",
        "block_too_large",
    )
    assert [c for c, _, _ in structured("- a\n  ```\n  x\n  y\n  z\n  ```\n- b", max_chunk_chars=24)] == [
        "- a",
        "  ```\n  x\n  y\n  z\n  ```",
        "- b",
    ]


def test_a_lead_in_stays_with_its_list() -> None:
    assert structured("文文文文文文。\n\n说明如下：\n\n- 甲\n- 乙", max_chunk_chars=20) == [
        ("文文文文文文。", "max_chars", ()),
        ("说明如下：\n\n- 甲\n- 乙", "document_end", ()),
    ]
