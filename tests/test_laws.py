"""Every invariant as a law, for every strategy, on generated documents, samples and real ones. The checks are the reference's: they share no code with chunkwright."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from reference import generate, laws
from reference.runs import run
from shared import CORPORA, corpus, needs_shared

import chunkwright


def broken(text: str, settings: dict[str, Any]) -> dict[str, list[str]]:
    """Laws that the chunks of a text break."""
    chunks = chunkwright.chunk(text, **settings)
    verified = chunkwright.verify(
        text, chunks, tokenizer_name=settings["tokenizer_name"], max_tokens=settings["max_tokens"]
    )
    assert verified, verified.violation
    shown = [c.to_dict() for c in chunks]
    return laws.check(text, shown, settings["max_tokens"], settings["overlap_tokens"], settings["tokenizer_name"])


@run(60)
@given(generate.documents(), generate.settings())
def test_generated_documents(text: str, settings: dict[str, Any]) -> None:
    assert not broken(text, settings)


@run(60)
@given(generate.hostile(), generate.settings())
def test_hostile_texts(text: str, settings: dict[str, Any]) -> None:
    assert not broken(text, settings)


@run(60)
@given(generate.documents(), generate.settings())
def test_a_batch_is_its_documents(text: str, settings: dict[str, Any]) -> None:
    chunker = chunkwright.StructureAwareChunker(**settings)
    once = chunker.chunk(text)
    assert list(chunker.chunk_many([text, "", text], threads=2)) == [once, [], once]
    assert chunker.chunk(chunkwright.parse_markdown(text)) == once


@run(60)
@given(generate.documents(), generate.documents())
def test_an_edit_elsewhere_changes_nothing_here(text: str, other: str) -> None:
    """Chunks of a part under its own top heading do not depend on the part in front of it (links aside)."""
    part = "\n\n# Last part\n\nSome words. " + "More words follow here. " * 30 + "\n\n- a\n- b\n"
    chunker = chunkwright.StructureAwareChunker(64, 16)

    def tail(front: str) -> list[str]:
        found = chunker.chunk(front + part)
        return [c.content_hash for c in found if c.heading_path == ("Last part",)]

    if chunkwright.parse_markdown(text + part).blocks[-1].kind == "list":
        if chunkwright.parse_markdown(other + part).blocks[-1].kind == "list":
            assert tail(text) == tail(other)


SETTINGS = (
    {"max_tokens": 512, "overlap_tokens": 64, "tokenizer_name": "cl100k_base"},
    {"max_tokens": 64, "overlap_tokens": 16, "tokenizer_name": "o200k_base"},
)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_samples(samples: Path, settings: dict[str, Any]) -> None:
    for file in sorted(samples.rglob("*.md")):
        assert not broken(file.read_text("utf-8"), settings), file


@needs_shared
@pytest.mark.parametrize("name", CORPORA)
def test_corpora(name: str) -> None:
    documents = [(place, text) for place, text in corpus(name) if len(text) < 60_000]
    for place, text in random.Random(name).sample(documents, 20):
        for settings in SETTINGS:
            assert not broken(text, settings), place
