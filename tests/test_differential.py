"""Rust against the pure-Python reference, on samples, generated documents and real ones: blocks, sentences, chunks.

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
from differential import (
    blocks,
    difference,
    first_difference,
    ours,
    ours_of_blocks,
    reference_blocks,
    theirs,
    theirs_of_blocks,
)
from reference import generate
from reference.runs import LONG, run
from reference.sentences import sentence_ends
from shared import CORPORA, corpus, needs_shared

SETTINGS: tuple[dict[str, Any], ...] = (
    {"max_tokens": 512, "overlap_tokens": 64},
    {"max_tokens": 128, "overlap_tokens": 32},
    {"max_tokens": 64, "overlap_tokens": 0, "tokenizer_name": "o200k_base"},
    {"max_tokens": 48, "overlap_tokens": 12, "heading_template": None},
    {"max_tokens": 200, "overlap_tokens": 20, "target_tokens": 120},
    {"max_tokens": 24, "overlap_tokens": 4},
)

# Below this budget a fence, a margin and one character may fill a chunk; what is left then is not told apart by the design.
LEAST = 24


def compared(text: str, settings: dict[str, Any]) -> int:
    """Compares everything; returns the number of chunks."""
    assert blocks(text) == reference_blocks(text)
    mine = ours(text, settings)
    assert first_difference(mine, theirs(text, settings)) is None
    return len(mine)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_samples(samples: Path, settings: dict[str, Any]) -> None:
    files = sorted(samples.rglob("*.md"))
    assert len(files) >= 4
    assert sum(compared(file.read_text("utf-8"), settings) for file in files) > len(files)


def test_generated_documents() -> None:
    seen = Counter[str]()

    @run(180)
    @given(generate.documents(), generate.settings(LEAST))
    def one(text: str, settings: dict[str, Any]) -> None:
        seen["chunks"] += compared(text, settings)
        seen.update(b[0] for b in blocks(text))

    one()
    assert seen["chunks"] >= 300, seen
    kinds = {"heading", "paragraph", "list", "quote", "code"}
    assert all(seen[kind] >= 1 for kind in kinds), seen


def test_hostile_texts() -> None:
    seen = Counter[str]()

    @run(90)
    @given(generate.hostile(), generate.settings(LEAST))
    def one(text: str, settings: dict[str, Any]) -> None:
        seen["chunks"] += compared(text, settings)

    one()
    assert seen["chunks"] >= 40, seen


def test_ready_made_documents() -> None:
    seen = Counter[str]()

    @run(40)
    @given(generate.ready(), generate.settings(LEAST))
    def one(document: tuple[list[dict[str, Any]], str | None], settings: dict[str, Any]) -> None:
        mine = ours_of_blocks(*document, settings)
        assert first_difference(mine, theirs_of_blocks(*document, settings)) is None
        seen["chunks"] += len(mine)
        seen.update(kind for chunk in mine for kind in chunk["kinds"])

    one()
    assert seen["chunks"] >= 300, seen
    kinds = {"heading", "paragraph", "list", "quote", "table", "code", "math", "image", "html"}
    assert all(seen[kind] >= 1 for kind in kinds), seen


def test_sentences() -> None:
    @run(150)
    @given(generate.hostile())
    def one(text: str) -> None:
        ends, at = [], 0
        for sentence in chunkwright.split_sentences(text):
            at += len(sentence)
            ends.append(at)
        assert ends == sentence_ends(text, soft=True)

    one()


def test_a_difference_is_seen() -> None:
    """The comparison is not blind: chunks under other settings differ, in each of these ways."""
    text = (
        "# A\n\n"
        + "One sentence of some words here. " * 30
        + "\n\n| a | b |\n|---|---|\n"
        + "| cell one | cell two |\n" * 20
    )
    base = {"max_tokens": 48, "overlap_tokens": 12}
    mine = ours(text, base)
    assert len(mine) > 6
    assert first_difference(mine, theirs(text, base)) is None
    for other in (
        {"max_tokens": 60},
        {"overlap_tokens": 0},
        {"target_tokens": 30},
        {"heading_template": "x {path}"},
        {"document_id": "other"},
    ):
        assert first_difference(mine, theirs(text, {**base, **other})) is not None, other
    assert first_difference(mine, theirs(text, base)[:-1]) is not None


@needs_shared
@pytest.mark.parametrize("name", CORPORA)
def test_corpora(name: str) -> None:
    documents = [(place, text) for place, text in corpus(name) if len(text) < (60_000 if LONG else 12_000)]
    chunks = 0
    for place, text in random.Random(name).sample(documents, min(len(documents), 200 if LONG else 6)):
        settings = SETTINGS[sum(place.encode()) % len(SETTINGS)]
        assert difference(text, settings) is None, place
        chunks += len(ours(text, settings))
    assert chunks >= 6, chunks
