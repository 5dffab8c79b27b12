"""Fails when chunkwright got slower than its record in baseline.json. ``--record`` writes the record anew.

Counting, lexing and every strategy on the repository's sample documents, two ways, each of them blind to how busy the machine is:

- by instructions, where valgrind is installed and they are on record: what one pass of a stage executes. This decides.
- by ratios otherwise: how many times faster than tiktoken's ``encode_ordinary`` a stage is, pass beside pass, as the
  median of many short ones. What looks slower is measured again, up to five times, and only the best counts.

Ratios depend on the kind of processor, so each kind has a record of its own; without one, nothing can be said.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import measure
import oracle
import texts

import chunkwright
from chunkwright import _native, strategy

BASELINE = Path(__file__).with_name("baseline.json")
# What a ratio, or a number of instructions, may lose.
RATIO_LOSS, MORE_INSTRUCTIONS = 0.15, 0.05
TRIES, ROUNDS, ROUND_SECONDS = 5, 25, 0.004
EXTRA_PASSES = 20
# A name that is not on record is measured, and guarded from the next --record on.
STRATEGIES = sorted(set(strategy.built_in_strategies()) - {"structure"})
UNITS: dict[str, dict[str, int]] = {"characters": {}, "tokens": {"max_tokens": 512, "overlap_tokens": 64}}


def say(line: str) -> None:
    """Prints a line."""
    sys.stdout.write(line + "\n")


def stages() -> dict[str, Callable[[], Any]]:
    """One pass of each stage over the samples."""
    documents = texts.documents("samples")
    chunker = chunkwright.StructureAwareChunker(512, 64)
    small = chunkwright.StructureAwareChunker(64, 16)
    return {
        "count": lambda: [chunkwright.count_tokens(text) for text in documents],
        "lex": lambda: [_native.lex(text) for text in documents],
        "chunk": lambda: [chunker.chunk(text) for text in documents],
        "chunk, 64 tokens": lambda: [small.chunk(text) for text in documents],
        "chunk and to_dict": lambda: [[one.to_dict() for one in chunker.chunk(text)] for text in documents],
        **strategy_stages(documents),
    }


def strategy_stages(documents: tuple[str, ...]) -> dict[str, Callable[[], Any]]:
    """One pass of each other strategy, by characters and by tokens."""

    def work(chunk: Callable[[str], Any]) -> Callable[[], Any]:
        return lambda: [chunk(text) for text in documents]

    return {
        f"{name}, {unit}": work(chunkwright.get_chunking_strategy(name, settings).chunk)
        for name in STRATEGIES
        for unit, settings in UNITS.items()
    }


# -------------------------------------------------------------------------------------------- ratios


def processor() -> str:
    """The kind of processor, as far as it decides which instructions are used."""
    try:
        flags = set(Path("/proc/cpuinfo").read_text().split())
    except OSError:
        flags = set()
    return " ".join([platform.machine(), *sorted(flags & {"avx2", "avx512bw", "avx512vbmi2"})])


def passes_of(work: Callable[[], Any]) -> int:
    """So many passes take a few milliseconds."""
    work()
    start = time.perf_counter()
    work()
    return max(1, int(ROUND_SECONDS / max(time.perf_counter() - start, 1e-6)))


def timed(work: Callable[[], Any], passes: int) -> float:
    """CPU seconds of one pass."""
    start = time.process_time()
    for _ in range(passes):
        work()
    return (time.process_time() - start) / passes


def ratios(works: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """How many times faster than tiktoken's bare encoding each is: medians of neighbouring rounds."""
    measure.pin(0)
    documents, encode = texts.documents("samples"), oracle.encoding().encode_ordinary
    yardstick = lambda: [encode(text) for text in documents]  # noqa: E731 - of the same shape as the others
    everyone = {"yardstick": yardstick, **works}
    passes = {name: passes_of(work) for name, work in everyone.items()}
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        taken = {name: timed(work, passes[name]) for name, work in everyone.items()}
        for name in works:
            found[name].append(taken["yardstick"] / taken[name])
    return {name: statistics.median(values) for name, values in found.items()}


def best_ratios(wanted: dict[str, float]) -> dict[str, float]:
    """The best ratio of several tries, which end once all are good enough."""
    best: dict[str, float] = {}
    for _ in range(TRIES):
        for name, ratio in ratios(stages()).items():
            best[name] = max(ratio, best.get(name, 0.0))
        if all(best[name] >= wanted.get(name, 0) * (1 - RATIO_LOSS) for name in best):
            break
    return best


# -------------------------------------------------------------------------------------------- instructions


def executed(extra: str | None) -> int:
    """Instructions of a process that makes one pass of each stage, and some more of one of them."""
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    command += [sys.executable, __file__, "--passes", extra or ""]
    settled = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=settled)  # noqa: S603
    found = re.search(r"I +refs: +([\d,]+)", done.stderr)
    if done.returncode or not found:
        raise RuntimeError(f"valgrind failed: {done.stderr[-500:]}")
    return int(found[1].replace(",", ""))


def instructions() -> dict[str, int]:
    """Instructions of one pass of each stage."""
    names = list(stages())
    # What a process executes does not depend on what runs beside it.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        alone, *found = pool.map(executed, [None, *names])
    return {name: (one - alone) // EXTRA_PASSES for name, one in zip(names, found, strict=True)}


def run_passes(extra: str) -> None:
    """What valgrind watches."""
    for name, work in stages().items():
        for _ in range(1 + EXTRA_PASSES * (name == extra)):
            work()


# -------------------------------------------------------------------------------------------- the record


def compare(
    unit: str, wanted: dict[str, float], found: dict[str, float], allowed: float, *, more_is_worse: bool
) -> bool:
    """Prints each stage beside its record; whether all keep to it."""
    good = True
    for name, value in found.items():
        if name not in wanted:
            say(f"  {name:<24} {value:>14,.1f} {unit}; not on record")
            continue
        change = value / wanted[name] - 1
        worse = (change if more_is_worse else -change) > allowed
        good = good and not worse
        say(
            f"  {name:<24} {value:>14,.1f} {unit}, on record {wanted[name]:>14,.1f} ({change:+.1%})"
            + "  SLOWER" * worse
        )
    return good


def record(known: dict[str, Any]) -> None:
    """Writes what is measured now."""
    if shutil.which("valgrind"):
        known["instructions"] = instructions()
    tries = [ratios(stages()) for _ in range(3)]
    middle = {name: round(statistics.median(one[name] for one in tries), 2) for name in tries[0]}
    known.setdefault("ratios", {})[processor()] = middle
    BASELINE.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")
    say(f"written: {BASELINE}")


def main() -> int:
    """Compares, or records."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--passes", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.passes is not None:
        run_passes(options.passes)
        return 0
    known = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    if options.record:
        record(known)
        return 0
    if shutil.which("valgrind") and "instructions" in known:
        say(f"instructions of one pass over the samples (at most {MORE_INSTRUCTIONS:.0%} more):")
        good = compare("instructions", known["instructions"], instructions(), MORE_INSTRUCTIONS, more_is_worse=True)
    elif wanted := known.get("ratios", {}).get(processor()):
        say(f"times tiktoken's encode_ordinary on the samples (at most {RATIO_LOSS:.0%} less):")
        good = compare("times", wanted, best_ratios(wanted), RATIO_LOSS, more_is_worse=False)
    else:
        say(f"skipped: no valgrind here, and no record for a processor of the kind {processor()!r}; see --record")
        return 0
    say("as fast as on record" if good else "slower than on record")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
