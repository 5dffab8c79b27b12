"""The seam between Python and Rust: threads, processes, pickling, signals, batches."""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import cloudpickle
import pytest

import chunkwright
from chunkwright import Block, ParsedDocument, StructureAwareChunker

DOCUMENTS = [f"# Part {i}\n\n" + f"Sentence {i} of the part. 第{i}部分的句子。" * (i % 17 + 1) for i in range(60)] + [
    "",
    "x",
]


def ids(batch: list[list[chunkwright.Chunk]]) -> list[list[str]]:
    """What a batch comes down to."""
    return [[c.chunk_id for c in chunks] for chunks in batch]


def test_any_number_of_threads_gives_the_same() -> None:
    chunker = StructureAwareChunker(40, 8)
    single = [chunker.chunk(d) for d in DOCUMENTS]
    for threads in (1, 2, 3, 8, None):
        assert list(chunker.chunk_many(DOCUMENTS, threads=threads)) == single
    assert list(chunker.chunk_many(iter(DOCUMENTS))) == single


def test_a_bad_document_costs_only_itself() -> None:
    chunker = StructureAwareChunker()
    documents: list[Any] = ["good", b"\xff", 3, "\ud800", ParsedDocument("p", [Block("paragraph", "a")], "b"), "fine"]
    for threads in (1, 2):
        with pytest.warns(UserWarning, match="4 documents could not be cut .*not UTF-8 at byte 0"):
            batch = chunker.chunk_many(documents, threads=threads)
        assert [len(chunks) for chunks in batch] == [1, 0, 0, 0, 0, 1]
        assert sorted(batch.errors) == [1, 2, 3, 4]
        assert all(isinstance(e, chunkwright.DocumentError) for e in batch.errors.values())
        assert "document p" in str(batch.errors[4])
        assert "number 2" in str(batch.errors[2])
        again = pickle.loads(pickle.dumps(batch))
        assert (list(again), sorted(again.errors)) == (list(batch), [1, 2, 3, 4])


def test_threads_share_large_small_and_bad_documents() -> None:
    """Enough text that other threads are called, documents that the caller cuts on a thread of their own, and errors of both."""
    chunker = StructureAwareChunker(256, 16)
    large = "# Large\n\n" + "Some plain words make up this paragraph of text. " * 25_000
    documents: list[Any] = []
    for place in range(8):
        wrong = ParsedDocument(f"p{place}", [Block("paragraph", "a")], "b" * 40_000)
        documents += [text * 40 for text in DOCUMENTS] + [b"\xff", wrong, 3] + ([large] if place % 3 == 0 else [])
    batches = []
    for threads in (1, 2, 3):
        with pytest.warns(UserWarning, match="24 documents could not be cut"):
            batches.append(chunker.chunk_many(iter(documents), threads=threads))
    first = batches[0]
    assert len(first) == len(documents)
    assert first[len(DOCUMENTS) + 3] == chunker.chunk(large)
    for batch in batches[1:]:
        assert ids(batch) == ids(first)
        assert {place: str(error) for place, error in batch.errors.items()} == {
            place: str(error) for place, error in first.errors.items()
        }


def test_the_collector_need_not_look_at_chunks() -> None:
    chunker = StructureAwareChunker(40, 8)
    chunks = [*chunker.chunk(DOCUMENTS[16]), *chunker.chunk_many(DOCUMENTS[10:20])[0]]
    assert not any(gc.is_tracked(chunk) for chunk in chunks)
    gc.collect()
    kept = chunks.pop()
    del chunks
    gc.collect()
    assert kept.content
    assert kept.metadata == {}


def test_ids_of_a_batch() -> None:
    chunker = StructureAwareChunker()
    batch = chunker.chunk_many(["a", "b"], document_ids=["one", "two"])
    assert ids(batch) == ids([chunker.chunk("a", document_id="one"), chunker.chunk("b", document_id="two")])
    for wrong in (["one"], ["one", "two", "three"]):
        for threads in (1, 2):
            with pytest.raises(ValueError, match="one id for each document"):
                chunker.chunk_many(["a", "b"], document_ids=wrong, threads=threads)
    for value in (0, -1, "2"):
        with pytest.raises(chunkwright.SettingsError, match="threads = "):
            chunker.chunk_many(["a"], threads=value)  # type: ignore[arg-type]


def test_an_iterator_that_fails_fails_the_batch() -> None:
    def documents() -> Any:
        yield "good"
        raise KeyError("gone")

    for threads in (1, 2):
        with pytest.raises(KeyError, match="gone"):
            StructureAwareChunker().chunk_many(documents(), threads=threads)


@pytest.mark.parametrize("pickler", [pickle, cloudpickle])
def test_pickling(pickler: Any) -> None:
    chunker = StructureAwareChunker(99, 9, heading_template=None)
    again = pickle.loads(pickler.dumps(chunker))
    assert (again, hash(again), again.settings) == (chunker, hash(chunker), chunker.settings)
    assert again != StructureAwareChunker(99, 8, heading_template=None)
    assert chunker != "chunker"
    chunks = chunker.chunk("# A\n\ntext 🚀", document_id="d")
    assert pickle.loads(pickler.dumps(chunks)) == chunks
    for document in (chunkwright.parse_markdown("# A\n\ntext"), ParsedDocument("d", [Block("paragraph", "a")])):
        assert chunker.chunk(pickle.loads(pickler.dumps(document))) == chunker.chunk(document)
    for error in (chunkwright.SettingsError("a", "b", "c"), chunkwright.DocumentError("a", "b", 3)):
        assert str(pickle.loads(pickler.dumps(error))) == str(error)


def test_fingerprints_tell_settings_apart() -> None:
    variants: list[dict[str, Any]] = [
        {},
        {"max_tokens": 511},
        {"overlap_tokens": 63},
        {"tokenizer_name": "o200k_base"},
        {"heading_template": None},
        {"heading_template": "{path}"},
        {"path_separator": "/"},
        {"target_tokens": 512},
    ]
    prints = [StructureAwareChunker(**settings).fingerprint for settings in variants]
    assert len(set(prints)) == len(variants)
    assert chunkwright.chunk("a")[0].fingerprint == prints[0]


def work(chunker: StructureAwareChunker) -> list[list[str]]:
    """What a process does with a chunker that was sent to it."""
    return ids(chunker.chunk_many(DOCUMENTS, threads=2))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} on this system")
    chunker = StructureAwareChunker(64, 8)
    expected = work(chunker)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking a process with threads is what is tested
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
            assert list(pool.map(work, [chunker] * 3)) == [expected] * 3


def test_many_threads_share_a_chunker() -> None:
    chunker = StructureAwareChunker(64, 8)
    expected = work(chunker)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, [chunker] * 16)) == [expected] * 16


def test_chunks_are_read_from_many_threads() -> None:
    chunks = StructureAwareChunker(64, 8).chunk(DOCUMENTS[16])
    expected = [c.to_dict() for c in chunks]
    with ThreadPoolExecutor(8) as pool:
        assert all(got == expected for got in pool.map(lambda _: [c.to_dict() for c in chunks], range(32)))


INTERRUPTED = """
import sys, time
import chunkwright
text = "## Section\\n\\n" + "Some plain words make up this paragraph of text. " * 1_500_000
chunker = chunkwright.StructureAwareChunker(max_tokens=64, overlap_tokens=0)
print("ready", flush=True)
try:
    while True:
        {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


CALLS = (
    "chunker.chunk(text)",
    "chunker.chunk_many([text] * 3, threads=2)",
    "chunker.chunk_many([text] * 3, threads=1)",
)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent another way there")
@pytest.mark.parametrize("call", CALLS)
def test_ctrl_c_is_answered_within_a_second(call: str) -> None:
    command = [sys.executable, "-c", INTERRUPTED.format(call=call)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.3)
            begin = time.perf_counter()
            process.send_signal(signal.SIGINT)
            timer = threading.Timer(20, process.kill)
            timer.start()
            assert process.stdout.readline() == "interrupted\n"
            assert time.perf_counter() - begin < 1.5
            assert process.wait(10) == 0
            timer.cancel()
        finally:
            process.kill()


def test_other_threads_go_on() -> None:
    text = "Some plain words make up this paragraph of text. " * 200_000
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    chunkwright.chunk(text)
    done.set()
    thread.join()
    gaps = [b - a for a, b in itertools.pairwise(ticks)]
    assert len(gaps) > 3
    assert max(gaps) < 0.25
