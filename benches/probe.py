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


# Turns before any is timed: what pieces the second thread remembers grows by half of the rest with each, as documents go to either.
WARM = 10


def threads(corpus: str, rounds: str) -> dict[str, Any]:
    import texts  # noqa: PLC0415

    from chunkwright import StructureAwareChunker  # noqa: PLC0415

    many = StructureAwareChunker().chunk_many
    documents = texts.documents(corpus)
    gc.collect()
    gc.freeze()
    clock: dict[int, list[float]] = {1: [], 2: []}
    cpu: dict[int, list[float]] = {1: [], 2: []}
    free: list[float] = []
    for turn in range(WARM + int(rounds)):
        for number in (1, 2):
            wall, spent, caller = time.perf_counter(), time.process_time(), time.thread_time()
            result = many(documents, threads=number)
            wall, spent = time.perf_counter() - wall, time.process_time() - spent
            caller = time.thread_time() - caller
            if turn >= WARM:
                clock[number].append(wall)
                cpu[number].append(spent)
                if number == 2:
                    # As if cores were free: two threads, the caller and another, end when the one with more work does.
                    free.append(cpu[1][-1] / max(caller, spent - caller))
            del result
    pairs = [one / two for one, two in zip(clock[1], clock[2], strict=True)]
    return {
        "ratio": statistics.median(pairs),
        "best": min(clock[1]) / min(clock[2]),
        "free": statistics.median(free),
        "cpu": statistics.median(cpu[2]) / statistics.median(cpu[1]),
        # How much of a core one thread got: below 1, others were using the machine.
        "share": min(1.0, statistics.median(cpu[1]) / statistics.median(clock[1])),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


if __name__ == "__main__":
    commands = {"count": count, "bare": bare, "memory": resident, "large": large, "threads": threads}
    print(json.dumps(commands[sys.argv[1]](*sys.argv[2:])))
