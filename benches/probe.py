"""What has to be measured in a process of its own. Prints one line of JSON.

probe.py count NAME CORPUS first|half   a counter on a corpus it never saw, or on every second document after the others
probe.py bare                            memory of the interpreter alone
probe.py memory CORPUS                   memory after one small document, and after counting a corpus
probe.py large BYTES str|bytes           one document of that size: time, and peak memory beyond what was there
probe.py threads CORPUS ROUNDS           one batch by one thread and by two
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import sys
import time
from typing import Any

from measure import forget_peak, memory

SMALL = "# Title\n\n" + "A short paragraph of plain words, with `code` and a [link](x.md).\n\n" * 15


def count(name: str, corpus: str, how: str) -> dict[str, Any]:
    import peers  # noqa: PLC0415 - nothing is imported that a probe does not need
    import texts  # noqa: PLC0415

    call = next(peer for peer in peers.COUNTERS if peer.name == name).make()
    documents = texts.documents(corpus)
    call("warm")
    if how == "half":
        for text in documents[::2]:
            call(text)
        documents = documents[1::2]
    gc.collect()
    gc.freeze()
    start = time.process_time()
    total = sum([call(text) for text in documents])
    return {"seconds": time.process_time() - start, "bytes": texts.size(documents), "tokens": total}


def bare() -> dict[str, Any]:
    return {"rss": memory(), "anonymous": memory("RssAnon")}


def resident(corpus: str) -> dict[str, Any]:
    from chunkwright import StructureAwareChunker, count_tokens  # noqa: PLC0415

    StructureAwareChunker().chunk(SMALL)
    first = bare()
    import texts  # noqa: PLC0415

    documents = texts.documents(corpus)
    for text in documents:
        text.encode()
    before = memory()
    for text in documents:
        count_tokens(text)
    after = memory()
    return {**first, "grown": after - before if after and before else None}


def large(length: str, kind: str) -> dict[str, Any]:
    import texts  # noqa: PLC0415

    from chunkwright import StructureAwareChunker  # noqa: PLC0415

    document: str | bytes = texts.one_document("en_ps" if texts.has_corpora() else "samples", int(length))
    if kind == "str":
        document = document.decode()
    chunk = StructureAwareChunker().chunk
    chunk(SMALL)
    gc.collect()
    forget_peak()
    before = memory()
    start = time.process_time()
    chunks = chunk(document)
    seconds = time.process_time() - start
    held, peak = memory(), memory("VmHWM")
    extra = {"peak": peak - before, "held": held - before} if before and held and peak else {}
    return {"seconds": seconds, "chunks": len(chunks), **extra}


# Batches before any is timed: what pieces the second thread remembers grows by half of the rest with each, as documents go to either.
WARM = 12
# One thread, then two, so many times.
BLOCKS = 4


def threads(corpus: str, rounds: str) -> dict[str, Any]:
    """Batches by one thread, then as many by two, and so on: a core that has idled for a batch is slow in the next one, by up to a fifth."""
    import texts  # noqa: PLC0415

    from chunkwright import StructureAwareChunker  # noqa: PLC0415

    many = StructureAwareChunker().chunk_many
    documents = texts.documents(corpus)
    gc.collect()
    gc.freeze()

    def batch(number: int) -> tuple[float, float, float]:
        wall, spent, caller = time.perf_counter(), time.process_time(), time.thread_time()
        result = many(documents, threads=number)
        taken = time.perf_counter() - wall, time.process_time() - spent, time.thread_time() - caller
        del result
        return taken

    for _ in range(WARM):
        batch(2)
    taken: dict[int, list[tuple[float, float, float]]] = {1: [], 2: []}
    for _ in range(BLOCKS):
        for number, batches in taken.items():
            batch(number)
            batches += [batch(number) for _ in range(int(rounds))]
    (clock, cpu), (clock_of_two, cpu_of_two) = (
        [statistics.median(times) for times in list(zip(*taken[number], strict=True))[:2]] for number in (1, 2)
    )
    return {
        "ratio": clock / clock_of_two,
        # As if cores were free: two threads, the caller and another, end when the one with more work does.
        "free": cpu / statistics.median(max(caller, spent - caller) for _, spent, caller in taken[2]),
        "cpu": cpu_of_two / cpu,
        # How much of a core one thread got: below 1, others were using the machine.
        "share": min(1.0, cpu / clock),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


if __name__ == "__main__":
    commands = {"count": count, "bare": bare, "memory": resident, "large": large, "threads": threads}
    print(json.dumps(commands[sys.argv[1]](*sys.argv[2:])))
