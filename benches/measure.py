"""Timing that holds on a shared machine: CPU time, one core, interleaved rounds, medians; and fresh processes."""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PROBE = Path(__file__).with_name("probe.py")


def pin(core: int | None) -> None:
    """Keeps this process and its children on one core, where the system can."""
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})


def seconds(work: Callable[[], Any]) -> float:
    """CPU time of one call, what it leaves behind not counted."""
    start = time.process_time()
    result = work()
    spent = time.process_time() - start
    del result
    return spent


def interleaved(
    works: dict[str, Callable[[], Any]], rounds: int, before: dict[str, Callable[[], None]] | None = None
) -> dict[str, float]:
    """Median CPU seconds of each work; every round runs all of them, one after the other, after one round to warm up."""
    spent: dict[str, list[float]] = {name: [] for name in works}
    names = list(works)
    gc.collect()
    gc.freeze()
    for turn in range(rounds + 1):
        # Nobody always comes behind the same neighbour.
        order = names[turn % len(names) :] + names[: turn % len(names)]
        for name in order:
            if before and name in before:
                before[name]()
            taken = seconds(works[name])
            if turn:
                spent[name].append(taken)
    gc.unfreeze()
    return {name: statistics.median(values) for name, values in spent.items()}


def probe(*arguments: str, core: int | None = None) -> dict[str, Any]:
    """Runs `probe.py` in a new process and returns the JSON it prints; raises RuntimeError with its last words."""
    limit = None if core is None else lambda: pin(core)
    command = [sys.executable, str(PROBE), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit)  # noqa: S603
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise RuntimeError(last)
    return json.loads(done.stdout.splitlines()[-1])


def process_cost(code: str, core: int | None) -> tuple[float, float]:
    """Seconds by the clock and of the CPU that a new interpreter takes to run some code."""
    limit = None if core is None else lambda: pin(core)
    start = time.perf_counter()
    child = subprocess.Popen([sys.executable, "-c", code], preexec_fn=limit)  # noqa: S603, PLW1509
    _, status, usage = os.wait4(child.pid, 0)
    clock = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"exit code {child.returncode} of: {code}")
    return clock, usage.ru_utime + usage.ru_stime


def memory(field: str = "VmRSS") -> int | None:
    """Bytes that the process holds (`VmRSS`), or held at most (`VmHWM`); None where the system does not tell."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith(field)), None)


def forget_peak() -> None:
    """Lets `VmHWM` begin anew."""
    Path("/proc/self/clear_refs").write_text("5")
