"""Strategies by name, what all of them have in common, and each one's own rules, by the examples that users know."""

from __future__ import annotations

import itertools
import json
import pickle
import re
import time
from typing import Any

import pytest
from hypothesis import given

import chunkwright
from chunkwright import (
    BaseChunkingStrategy,
    Block,
    Chunk,
    FixedSizeChunkingStrategy,
    ParagraphChunkingStrategy,
    ParsedDocument,
    RecursiveChunkingStrategy,
    SemanticChunkingStrategy,
    SentenceChunkingStrategy,
    SettingsError,
    get_chunking_strategy,
)
from chunkwright.base import NativeStrategy
from reference import generate
from reference.runs import run
from shared import CORPORA, corpus, needs_shared

BUILT_IN = ("fixed_size", "paragraph", "recursive", "semantic", "sentence", "structure", "structured")
PLAIN = ("fixed_size", "paragraph", "recursive", "semantic", "sentence")
SIZED = (*PLAIN, "structured")

ENGLISH = "The pump starts at eight. Dr. Smith checks the gauge twice a day! Is it green? Then all is well.\n\n" * 20
CHINESE = (
    "设备每天早上八点开机。开机前请检查电源，确认指示灯亮起！若灯不亮怎么办？请联系维修人员；不要自行拆机。\n\n" * 20
)
MIXED = ENGLISH + "# 标题\n\n" + CHINESE + "- one 🚀\n- two\n\n```sh\npump --status\n```\n"


def make(name: str, **params: Any) -> NativeStrategy:
    """A strategy of this package, for the type checker too."""
    strategy = get_chunking_strategy(name, params)
    assert isinstance(strategy, NativeStrategy)
    return strategy


# Names


def test_names() -> None:
    assert chunkwright.strategy_names() == BUILT_IN
    for name in BUILT_IN:
        strategy = get_chunking_strategy(name)
        assert isinstance(strategy, BaseChunkingStrategy)
        assert strategy.strategy_name == name
        assert {c.strategy for c in strategy.chunk(MIXED)} == {name}


def test_unknown_names() -> None:
    name: Any
    for name in ("nope", "", 5, None, []):
        with pytest.raises(
            ValueError, match=f"^Unknown chunking strategy {re.escape(repr(name))}: known are {', '.join(BUILT_IN)}$"
        ):
            get_chunking_strategy(name)
    with pytest.raises(ValueError, match="Unknown chunking strategy 'nope'"):
        chunkwright.chunk("text", strategy="nope")
    params: Any
    for params in (["chunk_size"], "chunk_size", 7):
        with pytest.raises(SettingsError, match="params = "):
            get_chunking_strategy("fixed_size", params)


@pytest.mark.parametrize("name", BUILT_IN)
def test_unknown_parameters(name: str) -> None:
    with pytest.raises(
        ValueError, match=f"colour = 'red' is not allowed: it must be left out: {name} has .*max_tokens"
    ):
        get_chunking_strategy(name, {"colour": "red"})


@pytest.mark.parametrize(
    ("name", "params", "words"),
    [
        ("fixed_size", {"chunk_size": 0}, ["chunk_size = 0"]),
        ("fixed_size", {"chunk_size": "512"}, ["chunk_size = '512'"]),
        ("fixed_size", {"chunk_size": True}, ["chunk_size = True"]),
        ("fixed_size", {"chunk_size": 12.5}, ["chunk_size = 12.5"]),
        ("fixed_size", {"chunk_size": None}, ["chunk_size = None"]),
        ("fixed_size", {"chunk_size": 100, "chunk_overlap": 100}, ["chunk_overlap = 100", "0 to 99"]),
        ("fixed_size", {"chunk_overlap": -1}, ["chunk_overlap = -1"]),
        ("fixed_size", {"max_tokens": 0}, ["max_tokens = 0"]),
        ("fixed_size", {"max_tokens": 32, "overlap_tokens": 32}, ["overlap_tokens = 32", "0 to 31"]),
        ("fixed_size", {"overlap_tokens": 4}, ["overlap_tokens = 4", "max_tokens"]),
        ("fixed_size", {"max_tokens": 32, "length_function": len}, ["length_function", "max_tokens"]),
        ("fixed_size", {"length_function": "len"}, ["length_function = 'len'"]),
        ("fixed_size", {"tokenizer_name": "nope"}, ["tokenizer_name", "nope", "cl100k_base"]),
        ("recursive", {"chunk_size": 50, "chunk_overlap": 50}, ["chunk_overlap = 50", "0 to 49"]),
        ("recursive", {"separators": "\n"}, ["separators = "]),
        ("recursive", {"separators": [1]}, ["separators"]),
        ("recursive", {"separators": 7}, ["separators = 7"]),
        ("sentence", {"target_size": 0}, ["target_size = 0"]),
        ("sentence", {"max_sentences_per_chunk": 0}, ["max_sentences_per_chunk = 0"]),
        ("sentence", {"max_sentences_per_chunk": "ten"}, ["max_sentences_per_chunk = 'ten'"]),
        ("paragraph", {"target_size": -5}, ["target_size = -5"]),
        ("paragraph", {"max_paragraphs_per_chunk": 0}, ["max_paragraphs_per_chunk = 0"]),
        ("semantic", {"similarity_threshold": 2.0}, ["similarity_threshold = 2"]),
        ("semantic", {"similarity_threshold": "high"}, ["similarity_threshold = 'high'"]),
        ("semantic", {"similarity_threshold": float("nan")}, ["similarity_threshold = "]),
        ("semantic", {"min_chunk_size": 2000}, ["min_chunk_size = 2000"]),
        ("semantic", {"max_chunk_size": 0}, ["max_chunk_size = 0"]),
        ("semantic", {"embedder": 7}, ["embedder = 7"]),
        ("structured", {"max_chunk_chars": 0}, ["max_chunk_chars = 0"]),
        ("structured", {"min_chunk_chars": 900}, ["min_chunk_chars = 900"]),
        ("structured", {"overlap_chars": 800}, ["overlap_chars = 800"]),
        ("structured", {"weak_headings": 1}, ["weak_headings = 1"]),
    ],
)
def test_wrong_parameters(name: str, params: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(SettingsError, match="is not allowed: it must be") as caught:
        get_chunking_strategy(name, params)
    assert isinstance(caught.value, ValueError)
    for word in words:
        assert word in str(caught.value)
    with pytest.raises(SettingsError):
        chunkwright.chunk("text", name, **params)


def test_parameters_arrive() -> None:
    strategy = get_chunking_strategy("sentence", {"target_size": 300, "max_sentences_per_chunk": 2})
    assert strategy == SentenceChunkingStrategy(300, 2)
    assert strategy.settings["target_size"] == 300
    assert chunkwright.chunk(ENGLISH, "sentence", target_size=300, max_sentences_per_chunk=2) == strategy.chunk(ENGLISH)
    assert repr(strategy) == "SentenceChunkingStrategy(target_size=300, max_sentences_per_chunk=2)"


# What all have in common


@pytest.mark.parametrize("name", BUILT_IN)
def test_blank_texts_have_no_chunks(name: str) -> None:
    for text in ("", "   ", "\n\t \u3000\r\n"):
        assert get_chunking_strategy(name).chunk_text(text, "", "", "") == []
        assert get_chunking_strategy(name).chunk(text) == []


@pytest.mark.parametrize("name", BUILT_IN)
def test_metadata_says_where_a_chunk_is_from(name: str) -> None:
    strategy = get_chunking_strategy(name)
    extra = {"author": "John Doe", "category": "technical", "language": "en", "tags": ["a", {"b": None}]}
    chunks = strategy.chunk_text(
        MIXED, document_id="doc-123", document_name="example.txt", source_id="source-456", extra_metadata=extra
    )
    own = {"document_id": "doc-123", "document_name": "example.txt", "source_id": "source-456", "strategy": name}
    for c in chunks:
        assert list(c.metadata.items())[:8] == list({**own, **extra}.items())
        assert Chunk.from_dict(json.loads(json.dumps(c.to_dict()))) == c
    assert [c.chunk_index for c in chunks] == list(range(len(chunks)))
    plain = strategy.chunk(MIXED, document_id="doc-123")
    assert [(c.chunk_id, c.content) for c in chunks] == [(c.chunk_id, c.content) for c in plain]
    assert strategy.chunk_text("a b")[0].chunk_id == strategy.chunk("a b")[0].chunk_id
    assert strategy.chunk_text("a b")[0].chunk_id != strategy.chunk_text("a c")[0].chunk_id


@pytest.mark.parametrize("name", BUILT_IN)
def test_extra_metadata_says_nothing_again(name: str) -> None:
    strategy = get_chunking_strategy(name)
    for key in ("document_id", "document_name", "source_id", "strategy"):
        with pytest.raises(ValueError, match=f"'{key}'"):
            strategy.chunk_text("text", extra_metadata={key: "mine"})
    wrong: Any
    for wrong in (["a"], "a", {1: 2}):
        with pytest.raises(SettingsError, match="extra_metadata"):
            strategy.chunk_text("text", extra_metadata=wrong)


@pytest.mark.parametrize("name", BUILT_IN)
def test_results_prove_themselves(name: str) -> None:
    for text in (MIXED, MIXED.replace("\n", "\r\n"), "\ufeff" + CHINESE, "x" * 5000, "。" * 3000, "é́🚀" * 700):
        for params in ({}, {"max_tokens": 64, "overlap_tokens": 0}, {"max_tokens": 64, "overlap_tokens": 16}):
            chunks = get_chunking_strategy(name, params).chunk(text)
            result = chunkwright.verify(text, chunks)
            assert result, result.violation
            if params:
                assert all(c.token_count == chunkwright.count_tokens(c.content) <= 64 for c in chunks)
            for c in chunks:
                for s in c.segments:
                    if s.start_char is not None:
                        source = text[s.start_char : s.end_char]
                        assert s.text == (" ".join(source.split()) if name == "fixed_size" else source) or (
                            name == "fixed_size" and s.text.split() == source.split()
                        )


@pytest.mark.parametrize("name", BUILT_IN)
def test_ready_made_documents_prove_themselves(name: str) -> None:
    strategies = [get_chunking_strategy(name), get_chunking_strategy(name, {"max_tokens": 17, "overlap_tokens": 4})]

    @run(15)
    @given(generate.ready())
    def one(document: tuple[list[dict[str, Any]], str | None]) -> None:
        blocks, text = document
        # What stands in no block is of no chunk of the strategies that cut by blocks.
        parsed = ParsedDocument("ready", [Block(**block) for block in blocks], text if name in PLAIN else None)
        for strategy in strategies:
            result = chunkwright.verify(parsed, strategy.chunk(parsed))
            assert result, result.violation

    one()


@needs_shared
@pytest.mark.parametrize("name", BUILT_IN)
def test_real_documents_prove_themselves(name: str) -> None:
    settings: list[dict[str, Any]] = [
        {},
        {"max_tokens": 100, "overlap_tokens": 20},
        {"max_tokens": 16, "overlap_tokens": 0},
    ]
    strategies = [(get_chunking_strategy(name, params), params.get("max_tokens")) for params in settings]
    documents = [document for each in CORPORA for document in itertools.islice(corpus(each), 40)]
    for strategy, budget in strategies:
        for document_id, text in documents:
            chunks = strategy.chunk(text, document_id=document_id)
            counted = None if budget is None else "cl100k_base"
            result = chunkwright.verify(text, chunks, max_tokens=budget, tokenizer_name=counted)
            assert result, (document_id, result.violation)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_batch_equals_single_calls(name: str) -> None:
    documents = [MIXED[:n] for n in range(0, len(MIXED), 97)]
    strategy = get_chunking_strategy(name)
    single = [strategy.chunk(document, document_id=str(n)) for n, document in enumerate(documents)]
    ids = [str(n) for n in range(len(documents))]
    for threads in (1, 2, None):
        assert list(strategy.chunk_many(documents, document_ids=ids, threads=threads)) == single
    with pytest.warns(UserWarning, match="1 document could not be cut"):
        batch = strategy.chunk_many(["good", b"\xff"])
    assert [len(chunks) for chunks in batch] == [1, 0]
    assert isinstance(batch.errors[1], chunkwright.DocumentError)


@pytest.mark.parametrize("name", BUILT_IN)
def test_pickles_equality_and_hashes(name: str) -> None:
    strategy = make(name, max_tokens=99)
    again = pickle.loads(pickle.dumps(strategy))
    assert (again, hash(again), repr(again)) == (strategy, hash(strategy), repr(strategy))
    assert again.settings == strategy.settings
    assert again.chunk(MIXED) == strategy.chunk(MIXED)
    assert strategy != make(name, max_tokens=98)
    assert strategy.__eq__("strategy") is NotImplemented
    assert {c.fingerprint for c in strategy.chunk(MIXED)} == {strategy.fingerprint}
    assert {c.strategy_version for c in strategy.chunk(MIXED)} == {strategy.strategy_version}
    prints = {make(each, max_tokens=99).fingerprint for each in BUILT_IN}
    assert len(prints) == len(BUILT_IN)


@pytest.mark.parametrize("name", SIZED)
def test_characters_are_counted_unless_tokens_are_asked_for(name: str) -> None:
    assert all(c.token_count is None for c in chunkwright.chunk(MIXED, name))
    for tokenizer in ("cl100k_base", "o200k_base"):
        counted = chunkwright.chunk(MIXED, name, tokenizer_name=tokenizer)
        assert [c.content for c in counted] == [c.content for c in chunkwright.chunk(MIXED, name)]
        assert [c.token_count for c in counted] == [chunkwright.count_tokens(c.content, tokenizer) for c in counted]


@pytest.mark.parametrize("name", SIZED)
def test_a_length_function_measures(name: str) -> None:
    def half(text: str) -> int:
        return (len(text) + 1) // 2

    # fixed_size looks for a blank to begin at behind anything but characters.
    params: dict[str, Any] = {"chunk_overlap": 0} if name == "fixed_size" else {}
    chunks = chunkwright.chunk(MIXED, name, length_function=len, **params)
    assert [c.content for c in chunks] == [c.content for c in chunkwright.chunk(MIXED, name, **params)]
    halved = chunkwright.chunk(MIXED, name, length_function=half)
    assert len(halved) < len(chunks) or name in {"sentence", "paragraph"}  # these limit the number of units too
    assert chunkwright.verify(MIXED, halved)

    def broken(_text: str) -> int:
        raise RuntimeError("no length today")

    with pytest.raises(RuntimeError, match="no length today"):
        chunkwright.chunk(MIXED, name, length_function=broken)


@pytest.mark.parametrize("name", SIZED)
def test_ten_thousand_characters_take_less_than_a_millisecond(name: str) -> None:
    text = (MIXED * 10)[:10_000]
    strategy = get_chunking_strategy(name)
    assert min(_seconds(strategy, text) for _ in range(50)) < 0.001


def _seconds(strategy: BaseChunkingStrategy, text: str) -> float:
    begin = time.perf_counter()
    strategy.chunk(text)
    return time.perf_counter() - begin


# fixed_size


def test_a_window_ends_at_its_last_blank() -> None:
    chunks = FixedSizeChunkingStrategy(chunk_size=20, chunk_overlap=0).chunk("The quick brown fox jumps")
    assert [c.content for c in chunks] == ["The quick brown fox", "jumps"]


def test_white_space_is_one_blank_and_positions_are_those_of_the_text() -> None:
    text = "  The\tquick \n\n brown   fox\u3000jumps over  the lazy dog  " * 9
    for size in (7, 10, 23, 64):
        strategy = FixedSizeChunkingStrategy(size, 0)
        for c in strategy.chunk(text):
            assert c.content == " ".join(text[c.start_char : c.end_char].split())
            assert len(c.content) <= size
        assert " ".join(c.content for c in strategy.chunk(text)) == " ".join(text.split())


def test_the_next_window_starts_where_the_overlap_says() -> None:
    text = "abcdefghij" * 10
    chunks = FixedSizeChunkingStrategy(chunk_size=30, chunk_overlap=10).chunk(text)
    assert [c.content for c in chunks] == [text[start : start + 30] for start in range(0, 100, 20)]
    assert [s.role for s in chunks[1].segments] == ["overlap", "body"]
    assert "".join(c.body for c in chunks) == text


@pytest.mark.parametrize(("size", "overlap"), [(512, 50), (10, 0), (10, 9), (1, 0), (100, 33)])
def test_the_estimate_is_exact_for_text_without_blanks(size: int, overlap: int) -> None:
    strategy = FixedSizeChunkingStrategy(size, overlap)
    for length in (0, 1, size - 1, size, size + 1, 2 * size, 1000):
        assert strategy.estimate_chunk_count(length) == len(strategy.chunk("x" * length))
    with pytest.raises(SettingsError):
        strategy.estimate_chunk_count(-1)


def test_clusters_are_never_cut() -> None:
    text = "é" * 50 + "👩‍👩‍👧‍👦" * 5
    chunks = FixedSizeChunkingStrategy(9, 0).chunk(text)
    assert "".join(c.content for c in chunks) == text
    assert all(c.content[0] not in "\u0301\u200d" for c in chunks)


# sentence


def test_sentences_stay_whole() -> None:
    sentences = [s.strip() for s in chunkwright.split_sentences(MIXED)]
    for c in SentenceChunkingStrategy(120, 3).chunk(ENGLISH + CHINESE):
        parts = [s.strip() for s in chunkwright.split_sentences(c.content) if s.strip()]
        assert 1 <= len(parts) <= 3
        assert all(part in sentences for part in parts)


def test_a_sentence_over_the_target_stays_whole() -> None:
    long = "It goes on " + "and on " * 100 + "to the end."
    chunks = SentenceChunkingStrategy(100).chunk(f"One. {long} Two.")
    assert [c.content.strip() for c in chunks] == ["One.", long, "Two."]
    assert chunks[1].split_reason == "whole_unit"
    assert all((c.token_count or 0) <= 32 for c in SentenceChunkingStrategy(100, max_tokens=32).chunk(long))


def test_most_sentences() -> None:
    chunks = SentenceChunkingStrategy(10_000, 4).chunk("One is here. " * 10)
    assert [c.content.count("One") for c in chunks] == [4, 4, 2]
    assert [c.split_reason for c in chunks] == ["max_units", "max_units", "document_end"]


# paragraph


def test_paragraphs_stay_whole() -> None:
    text = "\n\n".join(f"Paragraph {n} " + "has words " * n for n in range(40))
    whole = [p.strip() for p in text.split("\n\n")]
    for c in ParagraphChunkingStrategy(200, 3).chunk(text):
        parts = [p.strip() for p in c.content.split("\n\n")]
        assert 1 <= len(parts) <= 3
        assert all(part in whole for part in parts)
        assert len(c.content) <= 200 or len(parts) == 1


def test_a_blank_line_may_hold_white_space() -> None:
    chunks = ParagraphChunkingStrategy(1000, 1).chunk("one\ntwo\n \t\nthree\r\n\r\nfour\n\n\n\nfive")
    assert [c.content for c in chunks] == ["one\ntwo", "three", "four", "five"]


# recursive


def test_pieces_never_exceed_the_size() -> None:
    for size, overlap in ((512, 50), (40, 10), (7, 0), (1, 0)):
        chunks = RecursiveChunkingStrategy(chunk_size=size, chunk_overlap=overlap).chunk(MIXED)
        assert all(len(c.content) <= size for c in chunks)
        assert chunkwright.verify(MIXED, chunks)


def test_large_separators_come_first() -> None:
    text = "One two three.\nFour five.\n\nSix seven eight. Nine ten."
    contents = [c.content.strip() for c in RecursiveChunkingStrategy(28, 0).chunk(text)]
    assert contents == ["One two three.\nFour five.", "Six seven eight. Nine ten."]
    contents = [c.content.strip() for c in RecursiveChunkingStrategy(17, 0).chunk(text)]
    assert contents == ["One two three.", "Four five.", "Six seven eight.", "Nine ten."]


def test_separators_are_the_users() -> None:
    chunks = RecursiveChunkingStrategy(5, 0, separators=["|", ""]).chunk("ab|cd|efghijk")
    assert [c.content for c in chunks] == ["ab|", "cd|", "efghi", "jk"]
    strategy = RecursiveChunkingStrategy(separators=["\n\n", "\n", ". ", " ", ""])
    assert list(strategy.settings["separators"]) == ["\n\n", "\n", ". ", " ", ""]
    assert strategy != RecursiveChunkingStrategy()


def test_chinese_sentences_are_separators_by_default() -> None:
    chunks = RecursiveChunkingStrategy(40, 0).chunk(CHINESE)
    assert all(c.content.rstrip()[-1] in "。！？；，" for c in chunks)


# semantic (with models: test_embedders.py)


def test_a_change_of_subject_ends_a_chunk() -> None:
    pumps = "The pump lifts water. The pump needs oil. Oil keeps the pump cool. Water cools the pump too. "
    bread = "Bread wants flour. Flour and yeast make dough. Dough rises to bread. Yeast eats the flour. "
    chunks = SemanticChunkingStrategy(0.7, 40, 1000).chunk(pumps + bread)
    assert [c.content.strip() for c in chunks] == [pumps.strip(), bread.strip()]
    assert [c.split_reason for c in chunks] == ["similarity", "document_end"]
    assert all(40 <= len(c.content) <= 120 for c in SemanticChunkingStrategy(0.99, 40, 120).chunk(pumps + bread))
