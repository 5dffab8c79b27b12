"""Rust against the pure-Python reference, on samples, generated documents and real ones: blocks, sentences, chunks."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from differential import difference
from hypothesis import HealthCheck, given
from hypothesis import settings as run_with
from reference import generate
from reference.blocks import lex as reference_lex
from reference.sentences import sentence_ends
from shared import CORPORA, corpus, needs_shared

import chunkwright

SETTINGS: tuple[dict[str, Any], ...] = (
    {"max_tokens": 512, "overlap_tokens": 64},
    {"max_tokens": 128, "overlap_tokens": 32},
    {"max_tokens": 64, "overlap_tokens": 0, "tokenizer_name": "o200k_base"},
    {"max_tokens": 48, "overlap_tokens": 12, "heading_template": None},
    {"max_tokens": 200, "overlap_tokens": 20, "target_tokens": 120},
    {"max_tokens": 20, "overlap_tokens": 4},
)

RUN = run_with(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def blocks(text: str) -> list[tuple[Any, ...]]:
    """Blocks of chunkwright (a heading's own path is left out: the reference has it without the heading itself)."""
    found = chunkwright.parse_markdown(text).blocks
    return [(b.kind, b.start_char, b.end_char, b.kind == "heading" or b.heading_path, b.page) for b in found]


def reference_blocks(text: str) -> list[tuple[Any, ...]]:
    """Blocks of the reference."""
    found = reference_lex(text)
    return [(b.kind, b.start, b.end, b.kind == "heading" or tuple(b.heading_path), b.page) for b in found]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_samples(samples: Path, settings: dict[str, Any]) -> None:
    files = sorted(samples.rglob("*.md"))
    assert len(files) >= 4
    for file in files:
        text = file.read_text("utf-8")
        assert blocks(text) == reference_blocks(text), file
        assert difference(text, settings) is None, file


@RUN
@given(generate.documents(), generate.settings())
def test_generated_documents(text: str, settings: dict[str, Any]) -> None:
    assert blocks(text) == reference_blocks(text)
    assert difference(text, settings) is None


@RUN
@given(generate.hostile(), generate.settings())
def test_hostile_texts(text: str, settings: dict[str, Any]) -> None:
    assert difference(text, settings) is None


@RUN
@given(generate.hostile())
def test_sentences(text: str) -> None:
    ends, at = [], 0
    for sentence in chunkwright.split_sentences(text):
        at += len(sentence)
        ends.append(at)
    assert ends == sentence_ends(text, soft=True)


@needs_shared
@pytest.mark.parametrize("name", CORPORA)
def test_corpora(name: str) -> None:
    documents = [(place, text) for place, text in corpus(name) if len(text) < 40_000]
    for place, text in random.Random(name).sample(documents, 25):
        settings = SETTINGS[sum(place.encode()) % len(SETTINGS)]
        assert difference(text, settings) is None, place
