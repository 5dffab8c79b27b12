"""Options and shared results of the stage benchmarks."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import texts

import chunkwright

if TYPE_CHECKING:
    from collections.abc import Callable

EXPECTED = Path(__file__).with_name("expected.json")
# The stage that the others are compared with.
YARDSTICK = "0 tiktoken's bare encoding"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--samples-only", action="store_true", help="measure on the repository's sample documents alone")
    parser.addoption("--record-expected", action="store_true", help="write the totals of this run into expected.json")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "corpus" not in metafunc.fixturenames:
        return
    names = ["samples"]
    if not metafunc.config.getoption("--samples-only") and texts.has_corpora():
        names += texts.CORPORA
    metafunc.parametrize("corpus", names, scope="session")


def pytest_report_header(config: pytest.Config) -> str:
    if config.getoption("--samples-only"):
        return "benchmarks: samples only (asked for)"
    if not texts.has_corpora():
        return f"benchmarks: samples only, as there are no corpora in {texts.SHARED}"
    return f"benchmarks: samples and the corpora of {texts.SHARED}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """MB/s by stage and corpus, with the ratio to what tiktoken's encoding reaches on the corpus in the same run."""
    session = getattr(config, "_benchmarksession", None)
    done = [bench for bench in session.benchmarks if "MB/s" in bench.extra_info] if session else []
    if not done:
        return
    rates = {(bench.group, bench.extra_info["corpus"]): bench.extra_info["MB/s"] for bench in done}
    stages = sorted({stage for stage, _ in rates})
    corpora = [name for name in ("samples", *texts.CORPORA) if any(corpus == name for _, corpus in rates)]
    width = max(map(len, stages))
    write = terminalreporter.write_line
    terminalreporter.section("MB/s, medians (times tiktoken's bare encoding)")
    write(" " * width + "".join(f"{name:>18}" for name in corpora))
    for stage in stages:
        cells = []
        for name in corpora:
            rate, yardstick = rates.get((stage, name)), rates.get((YARDSTICK, name))
            ratio = f" ({rate / yardstick:5.1f}x)" if rate and yardstick else ""
            cells.append(f"{rate:.1f}{ratio}" if rate else "-")
        write(f"{stage:<{width}}" + "".join(f"{cell:>18}" for cell in cells))


@cache
def chunker() -> chunkwright.StructureAwareChunker:
    """The chunker that is measured, at its defaults: 512 tokens, 64 of them overlap."""
    return chunkwright.StructureAwareChunker(max_tokens=512, overlap_tokens=64)


@pytest.fixture(scope="session")
def record(request: pytest.FixtureRequest) -> Callable[[str, dict[str, Any]], None]:
    """Compares totals of a corpus with those on record, or puts them there when asked to."""
    known: dict[str, Any] = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
    writes = request.config.getoption("--record-expected")

    def check(name: str, totals: dict[str, Any]) -> None:
        if writes:
            known.setdefault(name, {}).update(totals)
            EXPECTED.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")
            return
        wanted = {key: known.get(name, {}).get(key) for key in totals}
        hint = "if the output was meant to change, run: make bench-stages ARGS=--record-expected"
        assert totals == wanted, f"{name}: {totals}, on record are {wanted}; {hint}"

    return check
