"""Every invariant as a law, for every strategy, on generated documents, samples and real ones. The checks are the reference's: they share no code with chunkwright."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import chunkwright
from reference import generate, laws
from reference.runs import run
from shared import CORPORA, corpus, needs_shared


def checked(text: str, settings: dict[str, Any]) -> int:
    """Checks all laws on the chunks of a text; returns their number."""
    chunks = chunkwright.chunk(text, **settings)
    verified = chunkwright.verify(
        text, chunks, tokenizer_name=settings["tokenizer_name"], max_tokens=settings["max_tokens"]
    )
    assert verified, verified.violation
    shown = [c.to_dict() for c in chunks]
    assert not laws.check(text, shown, settings["max_tokens"], settings["overlap_tokens"], settings["tokenizer_name"])
    return len(shown)


def test_generated_documents() -> None:
    chunks = 0

    @run(30)
    @given(generate.documents(), generate.settings())
    def one(text: str, settings: dict[str, Any]) -> None:
        nonlocal chunks
        chunks += checked(text, settings)

    one()
    assert chunks >= 200


def test_hostile_texts() -> None:
    chunks = 0

    @run(30)
    @given(generate.hostile(), generate.settings())
    def one(text: str, settings: dict[str, Any]) -> None:
        nonlocal chunks
        chunks += checked(text, settings)

    one()
    assert chunks >= 20


@run(30)
@given(generate.documents(), generate.settings())
def test_a_batch_is_its_documents(text: str, settings: dict[str, Any]) -> None:
    chunker = chunkwright.StructureAwareChunker(**settings)
    once = chunker.chunk(text)
    assert list(chunker.chunk_many([text, "", text], threads=2)) == [once, [], once]
    assert chunker.chunk(chunkwright.parse_markdown(text)) == once


@run(30)
@given(generate.documents(), generate.documents())
def test_an_edit_elsewhere_changes_nothing_here(text: str, other: str) -> None:
    """Chunks of a part under its own top heading do not depend on the part in front of it (links aside)."""
    part = "\n\n# Last part\n\nSome words. " + "More words follow here. " * 30 + "\n\n- a\n- b\n"
    chunker = chunkwright.StructureAwareChunker(64, 16)

    def tail(front: str) -> list[str]:
        found = chunker.chunk(front + part)
        return [c.content_hash for c in found if c.heading_path == ("Last part",)]

    def ends_with_part(front: str) -> bool:
        """Whether nothing in front (a fence left open, say) takes the part in."""
        return chunkwright.parse_markdown(front + part).blocks[-1].kind == "list"

    if ends_with_part(text) and ends_with_part(other):
        assert tail(text) == tail(other)


SETTINGS = (
    {"max_tokens": 512, "overlap_tokens": 64, "tokenizer_name": "cl100k_base"},
    {"max_tokens": 64, "overlap_tokens": 16, "tokenizer_name": "o200k_base"},
)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_samples(samples: Path, settings: dict[str, Any]) -> None:
    for file in sorted(samples.rglob("*.md")):
        assert checked(file.read_text("utf-8"), settings), file


@needs_shared
@pytest.mark.parametrize("name", CORPORA)
def test_corpora(name: str) -> None:
    documents = [(place, text) for place, text in corpus(name) if len(text) < 60_000]
    for place, text in random.Random(name).sample(documents, 10):
        for settings in SETTINGS:
            assert checked(text, settings), place
