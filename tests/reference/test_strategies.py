"""The reference of the strategies against what a reader of `docs/strategies.md` would write down by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from .strategies import chunk
from .strategies.atoms import atoms_in_line
from .strategies.lexical import Lexical, bucket, cosine, counts, features, similarity
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
    assert known.terms(0, 0) == pytest.approx({bucket("wred"): red, bucket("wfox"): fox})
    assert known.terms(0, 1)[bucket("wred")] == pytest.approx(math.log(3) * math.log(2.5))
    expected = 0.65 + 0.35 * red * red / (red * red + fox * fox)
    assert similarity(known.terms(0, 0), known.terms(1, 1)) == pytest.approx(expected)
    assert similarity(known.terms(0, 0), known.terms(2, 2)) == pytest.approx(0.65)
    assert similarity(known.terms(1, 1), known.terms(1, 1)) == pytest.approx(1)
    assert similarity({}, {}) == 1
    assert similarity({}, known.terms(0, 0)) == pytest.approx(math.sqrt(0.65))
    vector = known.vector(0)
    assert len(vector) == 4097
    assert vector[0] == pytest.approx(math.sqrt(0.65))
    assert sum(x * x for x in vector) == pytest.approx(1)
    assert cosine(vector, known.vector(1)) == pytest.approx(expected)
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
