"""Every strategy between Python and Rust: processes, threads, signals, functions of the user's."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import cloudpickle
import pytest

import chunkwright
from chunkwright import FixedSizeChunkingStrategy, SemanticChunkingStrategy, SentenceChunkingStrategy

if TYPE_CHECKING:
    from chunkwright import BaseChunkingStrategy

NAMES = chunkwright.strategy_names()
DOCUMENTS = [f"# Part {i}\n\n" + f"Sentence {i} of the part. 第{i}部分的句子。" * (i % 17 + 1) for i in range(40)]


def work(strategy: BaseChunkingStrategy) -> list[list[str]]:
    """What a process does with a strategy that was sent to it."""
    return [[c.chunk_id for c in chunks] for chunks in strategy.chunk_many(DOCUMENTS, threads=2)]


def vowels(texts: list[str]) -> list[list[float]]:
    """A poor embedder, but one that pickles."""
    return [[float(text.count(vowel)) + 0.1 for vowel in "aeiou句"] for text in texts]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_strategies_are_sent_to_processes(method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} on this system")
    strategies = [chunkwright.get_chunking_strategy(name) for name in NAMES]
    strategies += [SemanticChunkingStrategy(embedder=vowels), FixedSizeChunkingStrategy(length_function=len)]
    expected = [work(strategy) for strategy in strategies]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # forking a process with threads is what is tested
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
            assert list(pool.map(work, strategies)) == expected


@pytest.mark.parametrize("name", NAMES)
def test_many_threads_share_a_strategy(name: str) -> None:
    strategy = chunkwright.get_chunking_strategy(name)
    expected = work(strategy)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, [strategy] * 16)) == [expected] * 16


def test_functions_without_a_name_pickle_with_cloudpickle() -> None:
    strategy = FixedSizeChunkingStrategy(40, 4, length_function=lambda text: len(text.encode()))
    again = pickle.loads(cloudpickle.dumps(strategy))
    assert work(again) == work(strategy)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(strategy)


def test_a_length_function_is_called_from_all_threads() -> None:
    calls = 0
    lock = threading.Lock()

    def measured(text: str) -> int:
        nonlocal calls
        with lock:
            calls += 1
        return len(text)

    strategy = SentenceChunkingStrategy(30, length_function=measured)
    expected = [strategy.chunk(document) for document in DOCUMENTS]
    assert calls > len(DOCUMENTS)
    for threads in (1, 4):
        assert list(strategy.chunk_many(DOCUMENTS, threads=threads)) == expected


def test_a_length_function_that_fails_costs_its_document_only() -> None:
    def moody(text: str) -> int:
        if "Part 7" in text:
            raise KeyError("seven")
        return len(text)

    strategy = FixedSizeChunkingStrategy(40, 4, length_function=moody)
    for threads in (1, 3):
        with pytest.warns(UserWarning, match=r"1 document could not be cut .*seven"):
            batch = strategy.chunk_many(DOCUMENTS, threads=threads)
        assert list(batch.errors) == [7]
        assert isinstance(batch.errors[7], KeyError)
        assert [bool(chunks) for chunks in batch] == [n != 7 for n in range(len(DOCUMENTS))]
    wrong: Any
    for wrong in (lambda _text: "many", lambda _text: -1, lambda _text: None, lambda _text: 1.5):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            FixedSizeChunkingStrategy(40, 4, length_function=wrong).chunk("some words " * 20)


INTERRUPTED = """
import sys
import chunkwright
text = "Some plain words make up this paragraph of text. " * 1_500_000
strategy = chunkwright.get_chunking_strategy(sys.argv[1])
print("ready", flush=True)
try:
    while True:
        strategy.chunk(text)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent another way there")
@pytest.mark.parametrize("name", [name for name in NAMES if name != "structure"])
def test_ctrl_c_is_answered_within_a_second(name: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, name], stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        timer = threading.Timer(30, process.kill)
        timer.start()
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            begin = time.perf_counter()
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "interrupted\n"
            assert time.perf_counter() - begin < 1.5
            assert process.wait(10) == 0
        finally:
            timer.cancel()
            process.kill()


@pytest.mark.parametrize("name", NAMES)
def test_other_threads_go_on(name: str) -> None:
    strategy: Any = chunkwright.get_chunking_strategy(name)
    text = "Some plain words make up this paragraph of text. " * 100_000
    last, longest = time.perf_counter(), 0.0
    done = threading.Event()

    def tick() -> None:
        nonlocal last, longest
        while not done.is_set():
            now = time.perf_counter()
            longest, last = max(longest, now - last), now
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    last = time.perf_counter()
    strategy.chunk(text)
    done.set()
    thread.join()
    assert longest < 0.25
