"""The strategies over plain text and over weak headings: Rust against the reference, every field of every chunk.

The generated examples are the same on each run; with CHUNKWRIGHT_LONG=1 they are other ones each time, and thirty times as many.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import chunkwright
from reference import generate
from reference import strategies as reference
from reference.runs import LONG, run
from reference.strategies import texts
from shared import CORPORA, corpus, needs_shared

Shown = dict[str, Any]
Settings = dict[str, Any]

FIELDS = (
    "content", "token_count", "char_count", "start_char", "end_char", "start_byte", "end_byte", "start_line", "end_line", "heading_path",
    "kinds", "page", "metadata", "split_reason", "chunk_id", "chunk_index",
)  # fmt: skip

STRATEGIES = ("fixed_size", "sentence", "paragraph", "recursive", "semantic", "structured")
UNITS = ("char", "token", "size")
EXAMPLES = {"char": 60, "token": 40, "size": 15}

each = pytest.mark.parametrize("name", STRATEGIES)


def merged(segments: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Neighbouring synthetic segments as one: how text that is not in the source is divided says nothing."""
    done: list[tuple[Any, ...]] = []
    for segment in segments:
        if done and done[-1][0] == segment[0] == "synthetic":
            done[-1] = ("synthetic", done[-1][1] + segment[1], None, None)
        else:
            done.append(segment)
    return done


def ours(name: str, document: str | chunkwright.ParsedDocument, params: Settings) -> list[Shown]:
    """Chunks of chunkwright as the reference shows them."""
    shown = []
    for chunk in chunkwright.get_chunking_strategy(name, params).chunk(document):
        one: Shown = {field: getattr(chunk, field) for field in FIELDS}
        one["segments"] = merged([(s.role, s.text, s.start_char, s.end_char) for s in chunk.segments])
        shown.append(one)
    return shown


def theirs(name: str, text: str, params: Settings, **more: Any) -> list[Shown]:
    """Chunks of the reference."""
    shown = []
    for chunk in reference.chunk(name, text, params, **more):
        shown.append({field: chunk[field] for field in FIELDS})
        shown[-1]["segments"] = merged(chunk["segments"])
    return shown


def difference(name: str, text: str, params: Settings) -> str | None:
    """The first field of the chunks of a text that differs, in words."""
    return first_difference(ours(name, text, params), theirs(name, text, params))


def first_difference(mine: list[Shown], other: list[Shown]) -> str | None:
    """The first field that differs, in words."""
    for place, (a, b) in enumerate(zip(mine, other, strict=False)):
        for field in a:
            if a[field] != b[field]:
                return f"chunk {place}, {field}: chunkwright {a[field]!r}, reference {b[field]!r}"
    return None if len(mine) == len(other) else f"chunkwright has {len(mine)} chunks, the reference {len(other)}"


@pytest.mark.parametrize("unit", UNITS)
@each
def test_generated_texts(name: str, unit: str) -> None:
    seen = Counter[str]()
    documents = texts.weak_documents() if name == "structured" else texts.any_texts()

    @run(EXAMPLES[unit])
    @given(documents, texts.settings(name, unit))
    def one(text: str, params: Settings) -> None:
        assert difference(name, text, params) is None
        seen["chunks"] += len(theirs(name, text, params))

    one()
    assert seen["chunks"] > EXAMPLES[unit] // 2


@pytest.mark.parametrize("name", STRATEGIES[:-1])
def test_ready_made_documents(name: str) -> None:
    """Plain text of other parsers: a section for each page, sheet, cell range or slide."""
    pages = Counter[Any]()

    @run(15)
    @given(generate.ready(), texts.settings(name, "char"))
    def one(document: tuple[list[dict[str, Any]], str | None], params: Settings) -> None:
        blocks = [block for block in document[0] if not block.get("description")]
        text = document[1] if blocks == document[0] else None
        text = "\n\n".join(block["text"] for block in blocks) if text is None else text
        parsed = chunkwright.ParsedDocument("d", [chunkwright.Block(**block) for block in blocks], text)
        other = theirs(name, text, params, document_id="d", blocks=blocks)
        assert first_difference(ours(name, parsed, params), other) is None
        pages.update(chunk["page"] for chunk in other)

    one()
    assert len(pages) > 2, pages


@pytest.mark.parametrize(
    ("text", "params", "overlap"),
    [
        # The place behind an address was asked for before those inside it.
        ("aaa www.example.org bbbb ccc ddd", {"chunk_size": 20, "chunk_overlap": 8, "separators": [""]}, None),
        # White space beyond ASCII, closing punctuation between a separator and the place behind it.
        ("aaaa bbbb\n\n\u2028a\n\nccccc ddddd eeee", {"chunk_size": 20, "chunk_overlap": 1}, "a"),
        ("aaaa bbbb？」c\n\nddddd eeeee ffff", {"chunk_size": 20, "chunk_overlap": 1}, "c"),
    ],
)
def test_where_overlap_may_begin(text: str, params: Settings, overlap: str | None) -> None:
    segments = [segment for chunk in ours("recursive", text, params) for segment in chunk["segments"]]
    assert [words.rstrip() for role, words, *_ in segments if role == "overlap"] == ([overlap] if overlap else [])
    assert difference("recursive", text, params) is None


SETTINGS: dict[str, tuple[Settings, ...]] = {
    "fixed_size": ({}, {"chunk_size": 100, "chunk_overlap": 30}, {"max_tokens": 64, "overlap_tokens": 16}),
    "sentence": ({}, {"target_size": 120, "max_sentences_per_chunk": 3}, {"max_tokens": 48, "overlap_tokens": 20}),
    "paragraph": ({}, {"target_size": 200, "max_paragraphs_per_chunk": 2}, {"max_tokens": 64, "overlap_tokens": 20}),
    "recursive": ({}, {"chunk_size": 90, "chunk_overlap": 30}, {"max_tokens": 64, "overlap_tokens": 16}),
    "semantic": ({}, {"max_chunk_size": 300, "min_chunk_size": 60, "similarity_threshold": 0.6}),
    "structured": ({}, {"max_chunk_chars": 120, "overlap_chars": 30}, {"max_tokens": 64, "overlap_tokens": 16}),
}


@each
def test_samples(samples: Path, name: str) -> None:
    files = sorted(file for file in samples.rglob("*") if file.suffix in {".md", ".txt"})
    assert len(files) >= 6
    for file in files:
        text = file.read_text("utf-8")
        for params in SETTINGS[name]:
            assert difference(name, text, params) is None, (file, params)


@needs_shared
@each
def test_corpora(name: str) -> None:
    for place in CORPORA:
        documents = [(key, text) for key, text in corpus(place) if len(text) < (40_000 if LONG else 5_000)]
        for key, text in random.Random(place + name).sample(documents, min(len(documents), 100 if LONG else 2)):
            params = SETTINGS[name][sum(key.encode()) % len(SETTINGS[name])]
            assert difference(name, text, params) is None, (key, params)


@each
def test_a_difference_is_seen(name: str) -> None:
    """The comparison is not blind: the reference's chunks under other settings differ."""
    text = "Pumps run slowly. Valves open! 水泵启动。\n\n" * 8
    size = texts.NAMES[name][0]
    base = {size: 60, **({"min_chunk_size": 20} if name == "semantic" else {})}
    assert difference(name, text, base) is None
    mine = ours(name, text, base)
    assert len(mine) > 3
    for other in ({size: 90}, {"max_tokens": 16, "min_chunk_size": 4}, {size: 60, "tokenizer_name": "o200k_base"}):
        assert theirs(name, text, other) != mine, other
