"""The reference keeps its own laws, on generated documents."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given
from hypothesis import settings as run_with

from . import generate, laws
from .chunker import chunk

RUN = run_with(max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))


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
