"""The reference keeps its own laws, on generated documents."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from . import generate, laws
from .chunker import chunk
from .runs import run

RUN = run(40)


def _broken(text: str, settings: dict[str, Any]) -> dict[str, list[str]]:
    chunks = chunk(text, **settings)
    return laws.check(text, chunks, settings["max_tokens"], settings["overlap_tokens"], settings["tokenizer_name"])


@RUN
@given(generate.documents(), generate.settings())
def test_laws_on_documents(text: str, settings: dict[str, Any]) -> None:
    assert not _broken(text, settings)


@RUN
@given(generate.hostile(), generate.settings())
def test_laws_on_hostile_texts(text: str, settings: dict[str, Any]) -> None:
    assert not _broken(text, settings)
