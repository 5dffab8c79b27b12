"""Handed cases: inputs on which other splitters failed, with properties of a right result."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

import chunkwright
from reference.tokens import count
from shared import cases, module, needs_shared

STRATEGIES = set(chunkwright.strategy_names())

# Properties that cannot hold, with the reason.
EXCEPT = {
    (
        "page-marker-inside-sentence",
        "lossless",
    ): "the checker wants page markers in a chunk's range; they are declared dropped",
}


def _settings(case: dict[str, Any]) -> dict[str, Any]:
    return {name: case["params"][name] for name in ("max_tokens", "overlap_tokens") if name in case["params"]}


def _as_checked(chunk: chunkwright.Chunk) -> dict[str, Any]:
    """A chunk as the checker reads it: its range runs from its first overlap or body segment to its last."""
    starts = [s.start_char for s in chunk.segments if s.role in ("overlap", "body") and s.start_char is not None]
    return {
        "text": chunk.content,
        "start": min(starts),
        "end": chunk.end_char,
        "path": list(chunk.heading_path),
        "id": chunk.chunk_id,
        "pages": [chunk.page] if chunk.page is not None else [],
    }


def _run(text: str, case: dict[str, Any]) -> list[dict[str, Any]]:
    strategy = case["params"].get("strategy", "structure")
    return [_as_checked(c) for c in chunkwright.chunk(text, strategy=strategy, **_settings(case))]


def _ours() -> list[dict[str, Any]]:
    return [case for case in cases() if case["params"].get("strategy", "structure") in STRATEGIES]


@needs_shared
@pytest.mark.parametrize("case", _ours(), ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    checker = module("cases/check.py")
    chunkwright.chunk("x" * 10)  # loads the vocabulary, which the time limits leave out
    text = checker.case_input(case)
    chunks: list[dict[str, Any]] | None = None
    error: Exception | None = None
    begin = time.perf_counter()
    try:
        chunks = _run(text, case) if isinstance(text, str) else None
    except Exception as caught:  # noqa: BLE001 - the checker says which are right
        error = caught
    seconds = time.perf_counter() - begin
    results = checker.check(case, chunks, count, error, seconds)
    wrong = [(prop, case["why_right"]) for prop, held in results if held is False and (case["id"], prop) not in EXCEPT]
    assert not wrong
    if any(prop == "ids_stable" for prop, _ in results):
        _assert_ids_are_stable(text, case)


@needs_shared
def test_cases_were_checked() -> None:
    checker = module("cases/check.py")
    ours = _ours()
    held = [checker.check(c, _run(checker.case_input(c), c), count, None, 0.0) for c in ours]
    assert len(ours) >= 50
    assert sum(result is True for case in held for _, result in case) >= 150


def _assert_ids_are_stable(text: str, case: dict[str, Any]) -> None:
    chunker = chunkwright.StructureAwareChunker(**_settings(case))
    ids = [c.chunk_id for c in chunker.chunk(text)]
    (again,) = chunker.chunk_many([text])
    assert [c.chunk_id for c in again] == ids
    program = "import sys, chunkwright as c; print([k.chunk_id for k in c.chunk(sys.argv[1], **eval(sys.argv[2]))])"
    command = [sys.executable, "-c", program, text, repr(_settings(case))]
    other = subprocess.run(
        command, capture_output=True, check=True, encoding="utf-8", env={**os.environ, "PYTHONUTF8": "1"}
    )
    assert other.stdout.strip() == repr(ids)


@needs_shared
def test_the_lock_is_released() -> None:
    """The case `concurrency-lock-released`: another thread ticks on while a large document is cut."""
    case = next(c for c in cases() if c["id"] == "concurrency-lock-released")
    text = module("cases/check.py").case_input(case)
    gaps: list[float] = []
    done = threading.Event()

    def tick() -> None:
        last = time.perf_counter()
        while not done.is_set():
            time.sleep(0.02)
            now = time.perf_counter()
            gaps.append(now - last)
            last = now

    thread = threading.Thread(target=tick)
    thread.start()
    for _ in range(3):
        chunkwright.chunk(text, **_settings(case))
    done.set()
    thread.join()
    assert len(gaps) > 5
    assert max(gaps) < 0.25
