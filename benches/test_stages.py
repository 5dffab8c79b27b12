"""Benchmarks by stage and corpus. Each checks what the timed code gave; MB/s (10^6 bytes of UTF-8 read) is in extra_info.

Times are CPU seconds of the process (``--benchmark-timer=time.process_time``) except where two threads work.

What Python can time: lexing alone, counting alone, everything behind lexing (a document that was parsed before: token
index, packing and Chunk objects in one), everything, and reading the results. Token index and packing have no call of
their own; the index costs about what counting does, so packing is near the difference.
"""

from __future__ import annotations

import gc
import time
from functools import cache
from typing import TYPE_CHECKING, Any

import oracle
import pytest
import texts

import chunkwright
from chunkwright import Chunk, ParsedDocument, _native
from conftest import YARDSTICK, chunker

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_benchmark.fixture import BenchmarkFixture

BUDGET = 512
# So many chunks of a corpus are counted by tiktoken.
SAMPLE = 400
ROUNDS = 5


@cache
def tokens(corpus: str) -> list[int]:
    """What tiktoken counts, document by document."""
    return [oracle.count(text) for text in texts.documents(corpus)]


@cache
def parsed(corpus: str) -> list[ParsedDocument]:
    return [chunkwright.parse_markdown(text) for text in texts.documents(corpus)]


def measure(
    benchmark: BenchmarkFixture,
    corpus: str,
    size: int,
    work: Callable[..., Any],
    setup: Callable[[], Any] | None = None,
) -> Any:
    """Times work that reads so many bytes: one round to warm up, then some, as many passes a round as make a few milliseconds."""
    gc.collect()
    gc.freeze()
    passes = 1 if setup or size > 500_000 else 500_000 // size
    warmups = 0 if setup else 1
    result = benchmark.pedantic(work, setup=setup, rounds=ROUNDS, warmup_rounds=warmups, iterations=passes)
    benchmark.extra_info["corpus"] = corpus
    benchmark.extra_info["bytes"] = size
    benchmark.extra_info["MB/s"] = round(size / 1e6 / benchmark.stats.stats.median, 1)
    gc.unfreeze()
    return result


def flatten(chunks: list[list[Chunk]]) -> list[Chunk]:
    return [chunk for one in chunks for chunk in one]


def within_budget(chunks: list[list[Chunk]]) -> bool:
    """Whether tiktoken finds chunks from all over the corpus within budget, and their counts right."""
    flat = flatten(chunks)
    some = flat[:: max(1, len(flat) // SAMPLE)]
    return all(chunk.token_count == oracle.count(chunk.content) <= BUDGET for chunk in some)


def totals(chunks: list[list[Chunk]]) -> dict[str, int]:
    return {
        "chunks": sum(len(one) for one in chunks),
        "chunk_tokens": sum(chunk.token_count or 0 for one in chunks for chunk in one),
    }


@pytest.mark.benchmark(group="1 lexing")
def test_lex(benchmark: BenchmarkFixture, corpus: str, record: Callable[..., None]) -> None:
    documents = texts.documents(corpus)
    measure(benchmark, corpus, texts.size(documents), lambda: [_native.lex(text) for text in documents])
    record(corpus, {"documents": len(documents), "blocks": sum(len(document.blocks) for document in parsed(corpus))})


@pytest.mark.benchmark(group="2 blocks as Python objects")
def test_parse_markdown(benchmark: BenchmarkFixture, corpus: str) -> None:
    documents = texts.part(corpus, 1_000_000)
    parse = chunkwright.parse_markdown
    result = measure(benchmark, corpus, texts.size(documents), lambda: [parse(text) for text in documents])
    assert all(one.text == text for one, text in zip(result, documents, strict=True))


@pytest.mark.benchmark(group="3 counting")
def test_count(benchmark: BenchmarkFixture, corpus: str) -> None:
    documents = texts.documents(corpus)
    count = chunkwright.count_tokens
    result = measure(benchmark, corpus, texts.size(documents), lambda: [count(text) for text in documents])
    assert result == tokens(corpus)


@pytest.mark.benchmark(group=YARDSTICK)
def test_count_tiktoken(benchmark: BenchmarkFixture, corpus: str) -> None:
    """The yardstick, in the same run."""
    documents = texts.part(corpus, 2_000_000)
    encode = oracle.encoding().encode_ordinary
    measure(benchmark, corpus, texts.size(documents), lambda: [len(encode(text)) for text in documents])


@pytest.mark.benchmark(group="4 behind lexing: token index, packing, objects")
def test_chunk_parsed(benchmark: BenchmarkFixture, corpus: str, record: Callable[..., None]) -> None:
    documents = parsed(corpus)
    chunk = chunker().chunk
    result = measure(
        benchmark, corpus, texts.size(texts.documents(corpus)), lambda: [chunk(document) for document in documents]
    )
    record(corpus, totals(result))


@pytest.mark.benchmark(group="5 end to end, a call a document")
def test_chunk(benchmark: BenchmarkFixture, corpus: str, record: Callable[..., None]) -> None:
    documents = texts.documents(corpus)
    chunk = chunker().chunk
    result = measure(benchmark, corpus, texts.size(documents), lambda: [chunk(text) for text in documents])
    record(corpus, totals(result))
    assert within_budget(result)


@pytest.mark.benchmark(group="6 end to end, one batch")
def test_chunk_many(benchmark: BenchmarkFixture, corpus: str, record: Callable[..., None]) -> None:
    documents = texts.documents(corpus)
    many = chunker().chunk_many
    result = measure(benchmark, corpus, texts.size(documents), lambda: many(documents, threads=1))
    assert not result.errors
    record(corpus, totals(result))


def by_the_clock(benchmark: BenchmarkFixture, corpus: str, threads: int) -> dict[str, int]:
    documents = texts.documents(corpus)
    many = chunker().chunk_many
    return totals(measure(benchmark, corpus, texts.size(documents), lambda: many(documents, threads=threads)))


@pytest.mark.benchmark(group="7 one batch, 1 thread, by the clock", timer=time.perf_counter)
def test_one_thread(benchmark: BenchmarkFixture, corpus: str, record: Callable[..., None]) -> None:
    record(corpus, by_the_clock(benchmark, corpus, 1))


@pytest.mark.benchmark(group="7 one batch, 2 threads, by the clock", timer=time.perf_counter)
def test_two_threads(benchmark: BenchmarkFixture, corpus: str, record: Callable[..., None]) -> None:
    record(corpus, by_the_clock(benchmark, corpus, 2))


# The size in characters of each strategy that has one.
SIZES = {
    "fixed_size": "chunk_size", "paragraph": "target_size", "recursive": "chunk_size", "semantic": "max_chunk_size",
    "sentence": "target_size", "structured": "max_chunk_chars",
}  # fmt: skip
# A sentence or paragraph that is longer stays whole.
SOFT = {"paragraph", "sentence"}
TOKENS = {"max_tokens": BUDGET, "overlap_tokens": 64}


def strategies() -> list[Any]:
    """Each at its defaults, which are characters, and by tokens."""
    return [
        pytest.param(name, settings, id=f"{name}-{unit}", marks=pytest.mark.benchmark(group=f"{name}, {unit}"))
        for name in SIZES
        for unit, settings in (("characters", {}), ("tokens", TOKENS))
    ]


def within_size(chunks: list[list[Chunk]], size: int, *, soft: bool) -> bool:
    """Whether `len` finds all chunks within a size, but for what may be over it, and their lengths right."""
    return all(
        chunk.char_count == len(chunk.content)
        and (len(chunk.content) <= size or (soft and chunk.split_reason == "whole_unit"))
        for chunk in flatten(chunks)
    )


def squeezed(text: str) -> str:
    return "".join(text.split())


def is_lossless(name: str, text: str, chunks: list[Chunk]) -> bool:
    """Whether the bodies are the text, white space aside. What `structured` may leave out, headings, `verify` knows."""
    if name == "structured":
        return bool(chunkwright.verify(text, chunks).ok)
    return squeezed("".join(chunk.body for chunk in chunks)) == squeezed(text.removeprefix("\ufeff"))


@pytest.mark.parametrize(("name", "settings"), strategies())
def test_strategy(
    benchmark: BenchmarkFixture, corpus: str, record: Callable[..., None], name: str, settings: dict[str, int]
) -> None:
    documents = texts.documents(corpus)
    strategy = chunkwright.get_chunking_strategy(name, settings)
    chunk = strategy.chunk
    result = measure(benchmark, corpus, texts.size(documents), lambda: [chunk(text) for text in documents])
    if settings:
        assert within_budget(result)
    else:
        assert within_size(result, strategy.settings[SIZES[name]], soft=name in SOFT)
    assert all(is_lossless(name, text, chunks) for text, chunks in zip(documents, result, strict=True))
    sizes = [(one.token_count if settings else one.char_count) or 0 for one in flatten(result)]
    record(corpus, {f"{name}, {'tokens' if settings else 'characters'}": {"chunks": len(sizes), "size": sum(sizes)}})


def fresh(corpus: str) -> Callable[[], tuple[tuple[list[Chunk]], dict[str, Any]]]:
    """A setup that gives chunks that nobody has read yet."""
    documents = texts.part(corpus, 1_000_000)
    chunk = chunker().chunk
    return lambda: (([one for text in documents for one in chunk(text)],), {})


@pytest.mark.benchmark(group="8 reading: content, token count, positions")
def test_read_attributes(benchmark: BenchmarkFixture, corpus: str) -> None:
    def read(chunks: list[Chunk]) -> list[tuple[str, int | None, int, int, int]]:
        return [(one.content, one.token_count, one.start_char, one.end_char, one.start_line) for one in chunks]

    result = measure(benchmark, corpus, texts.size(texts.part(corpus, 1_000_000)), read, fresh(corpus))
    assert all(content and start < end and line for content, _, start, end, line in result)


@pytest.mark.benchmark(group="9 reading: to_dict")
def test_to_dict(benchmark: BenchmarkFixture, corpus: str) -> None:
    def read(chunks: list[Chunk]) -> list[dict[str, Any]]:
        return [one.to_dict() for one in chunks]

    result = measure(benchmark, corpus, texts.size(texts.part(corpus, 1_000_000)), read, fresh(corpus))
    assert all(Chunk.from_dict(one).to_dict() == one for one in result[:SAMPLE])
