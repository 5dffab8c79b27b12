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

# The cases' name of a strategy, where ours is another.
NAMES = {"weak_heading": "structured"}

# What every result must show, whatever the strategy that a case was written for.
EVERYWHERE = {"max_tokens", "lossless", "no_empty_chunks", "offsets_exact", "no_nested_spans", "ids_unique", "no_crash"}
LARGE = 100_000

# The checker does not know the lines under setext headings, nor that fixed_size reduces white space; chunkwright.verify does.
UNKNOWN_TO_THE_CHECKER = {
    "structure": {"lossless"},
    "structured": {"lossless"},
    "fixed_size": {"offsets_exact"},
}

# Properties that cannot hold, with the reason.
EXCEPT = {
    (
        "page-marker-inside-sentence",
        "lossless",
    ): "the checker wants page markers in a chunk's range; they are declared dropped",
}


def _strategy(case: dict[str, Any]) -> str:
    name = str(case["params"].get("strategy", "structure"))
    return NAMES.get(name, name)


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


def _run(text: str, case: dict[str, Any], strategy: str | None = None) -> list[dict[str, Any]]:
    chunks = chunkwright.chunk(text, strategy=strategy or _strategy(case), **_settings(case))
    return [_as_checked(c) for c in chunks]


def _texts() -> list[dict[str, Any]]:
    return [case for case in cases() if not case["params"].get("batch")]


def _skip_unknown(case: dict[str, Any]) -> None:
    if _strategy(case) not in chunkwright.strategy_names():
        pytest.skip(f"the strategy {_strategy(case)} does not exist yet")


@needs_shared
@pytest.mark.parametrize("case", _texts(), ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    _skip_unknown(case)
    checker = module("cases/check.py")
    chunkwright.chunk("x" * 10)  # loads the vocabulary, which the time limits leave out
    text = checker.case_input(case)
    chunks: list[dict[str, Any]] | None = None
    error: Exception | None = None
    begin = time.perf_counter()
    try:
        chunks = _run(text, case)
    except Exception as caught:  # noqa: BLE001 - the checker says which are right
        error = caught
    seconds = time.perf_counter() - begin
    results = checker.check(case, chunks, count, error, seconds)
    wrong = [(prop, case["why_right"]) for prop, held in results if held is False and (case["id"], prop) not in EXCEPT]
    assert not wrong
    if any(prop == "ids_stable" for prop, _ in results):
        _assert_ids_are_stable(text, case)


@needs_shared
@pytest.mark.parametrize("case", [c for c in cases() if c["params"].get("batch")], ids=lambda case: case["id"])
def test_batch_case(case: dict[str, Any]) -> None:
    """The result of a batch is the list of single results, positions and ids included, in input order."""
    checker = module("cases/check.py")
    documents = checker.case_input(case)
    strategy = chunkwright.get_chunking_strategy(_strategy(case), _settings(case))
    batch = strategy.chunk_many(documents)
    assert list(batch) == [strategy.chunk(document) for document in documents]
    for text, chunks in zip(documents, batch, strict=True):
        single = {**case, "input": text}
        results = checker.check(single, [_as_checked(c) for c in chunks], count)
        assert all(held is not False for _, held in results), results


@needs_shared
@pytest.mark.parametrize("strategy", chunkwright.strategy_names())
def test_every_strategy_on_every_case(strategy: str) -> None:
    """What holds for any result, on the inputs that others failed on."""
    checker = module("cases/check.py")
    wanted = EVERYWHERE - UNKNOWN_TO_THE_CHECKER.get(strategy, set())
    held = 0
    for case in _texts():
        text, settings = checker.case_input(case), _settings(case)
        budget = settings.get("max_tokens", 512)
        bad = any("error" in expected or "prose" in expected for expected in case["expect"])
        if bad or len(text) > LARGE or (strategy == "structure" and budget < 16):
            continue
        expected = [{name: budget if name == "max_tokens" else True} for name in sorted(wanted)]
        chunks = chunkwright.chunk(text, strategy, **{"max_tokens": budget, **settings})
        proof = chunkwright.verify(text, chunks, tokenizer_name="cl100k_base", max_tokens=budget)
        assert proof, (case["id"], proof.violation)
        results = checker.check({**case, "expect": expected}, [_as_checked(c) for c in chunks], count)
        assert all(right is not False for _, right in results), (case["id"], results)
        held += len(results)
    assert held > 300


@needs_shared
def test_cases_were_checked() -> None:
    checker = module("cases/check.py")
    ours = [case for case in _texts() if _strategy(case) in chunkwright.strategy_names()]
    ours = [case for case in ours if not any("error" in each or "prose" in each for each in case["expect"])]
    held = [checker.check(c, _run(checker.case_input(c), c), count, None, 0.0) for c in ours]
    assert len(ours) >= 80
    assert sum(result is True for case in held for _, result in case) >= 250


def _assert_ids_are_stable(text: str, case: dict[str, Any]) -> None:
    chunker = chunkwright.get_chunking_strategy(_strategy(case), _settings(case))
    ids = [c.chunk_id for c in chunker.chunk(text)]
    (again,) = chunker.chunk_many([text])
    assert [c.chunk_id for c in again] == ids
    program = "import sys, chunkwright as c; print([k.chunk_id for k in c.chunk(*sys.argv[1:3], **eval(sys.argv[3]))])"
    command = [sys.executable, "-c", program, text, _strategy(case), repr(_settings(case))]
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
    begin, runs = time.perf_counter(), 0
    while runs < 3 or time.perf_counter() - begin < 0.5:
        assert chunkwright.chunk(text, **_settings(case))
        runs += 1
    done.set()
    thread.join()
    assert len(gaps) > 5
    assert max(gaps) < 0.25
