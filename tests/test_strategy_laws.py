"""The invariants that every strategy keeps, on generated texts and the samples. The checks share no code with chunkwright."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import regex
from hypothesis import given
from hypothesis.strategies import SearchStrategy

import chunkwright
from reference import laws, tokens
from reference.blocks import Block, lex
from reference.nodes import all_atoms
from reference.parts import Part
from reference.runs import run
from reference.strategies import texts
from reference.strategies.atoms import atoms_of
from reference.strategies.plain import sections_of
from reference.text import Source

Settings = dict[str, Any]
Chunks = list[chunkwright.Chunk]

STRATEGIES = chunkwright.strategy_names()
PLAIN = ("fixed_size", "sentence", "paragraph", "recursive", "semantic")
# What `str.split` takes for white space besides Unicode's.
SEPARATORS = "\x1c\x1d\x1e\x1f"

TOKENS = {"max_tokens": 40, "overlap_tokens": 12}
CASES: dict[str, tuple[Settings, ...]] = {
    "structure": (TOKENS, {"max_tokens": 96}),
    "fixed_size": ({"chunk_size": 40, "chunk_overlap": 12}, TOKENS),
    "sentence": ({"target_size": 60, "max_sentences_per_chunk": 3}, TOKENS),
    "paragraph": ({"target_size": 80, "max_paragraphs_per_chunk": 2}, TOKENS),
    "recursive": ({"chunk_size": 40, "chunk_overlap": 12}, TOKENS),
    "semantic": ({"max_chunk_size": 80, "min_chunk_size": 20}, {**TOKENS, "min_chunk_size": 8}),
    "structured": ({"max_chunk_chars": 60, "overlap_chars": 15}, {**TOKENS, "min_chunk_chars": 10}),
}
EACH = [(name, params) for name in STRATEGIES for params in CASES.get(name, ({},))]
each = pytest.mark.parametrize(("name", "params"), EACH, ids=[f"{n}-{'-'.join(p) or 'default'}" for n, p in EACH])


def documents(name: str) -> SearchStrategy[str]:
    return texts.weak_documents() if name == "structured" else texts.any_texts()


def bodies(chunk: chunkwright.Chunk) -> list[tuple[int, int]]:
    return [(s.start_char, s.end_char) for s in chunk.segments if s.role == "body"]  # type: ignore[misc]


def body_starts(chunks: Chunks) -> set[int]:
    return {start for chunk in chunks for start, _ in bodies(chunk)}


def cuts(chunks: Chunks) -> set[int]:
    return {place for chunk in chunks for span in bodies(chunk) for place in span}


def over_budget(name: str, params: Settings, chunks: Chunks) -> list[str]:
    if "max_tokens" in params:
        encoding = params.get("tokenizer_name", "cl100k_base")
        counts = [(c, tokens.count(c.content, encoding)) for c in chunks]
        return [f"{c!r} has {n} tokens" for c, n in counts if n > params["max_tokens"] or c.token_count != n]
    most = params.get(texts.NAMES[name][0], 10**9) if name in texts.NAMES else 10**9
    return [repr(c) for c in chunks if len(c.content) > most and c.split_reason != "whole_unit"]


def wrong_ranges(name: str, text: str, chunks: Chunks) -> list[str]:
    """Content is the segments; each range gives its text; bodies are in order and share nothing; none is empty."""
    wrong, at = [], 0
    for chunk in chunks:
        if chunk.content != "".join(s.text for s in chunk.segments) or not chunk.body.strip():
            wrong.append(f"{chunk!r}: content")
        for s in chunk.segments:
            source = text[s.start_char : s.end_char] if s.start_char is not None else None
            if source is not None and name == "fixed_size":
                source = collapsed(source)
            if (source is None) != (s.role == "synthetic") or (source is not None and source != s.text):
                wrong.append(f"{chunk!r}: {s.role} {s.text!r}")
        for start, end in bodies(chunk):
            if not at <= start < end:
                wrong.append(f"{chunk!r}: body at {start} in front of {at}")
            at = end
    return wrong


def collapsed(text: str) -> str:
    return regex.sub(rf"[\s{SEPARATORS}]+", " ", text)


def lost(name: str, text: str, chunks: Chunks) -> list[str]:
    """What stands in no body."""
    if name not in PLAIN:
        # Headings live in the paths: those of Markdown, and the lines that are their own text.
        titles = {title for chunk in chunks for title in chunk.heading_path}
        lines = [line for line in Source(text).lines(0, len(text)) if text[slice(*line)].strip() in titles]
        dropped = [Block("thematic_break", a, b, Part("rule", a, b)) for a, b in lines]
        return laws.lossless(text, [c.to_dict() for c in chunks], [*lex(text), *dropped])
    covered = {i for chunk in chunks for span in bodies(chunk) for i in range(*span)}
    white = SEPARATORS if name == "fixed_size" else ""
    source = Source(text)
    return [f"{i}: {c!r}" for i, c in enumerate(text) if i not in covered and not source.is_white(i) and c not in white]


def across_pages(name: str, text: str, chunks: Chunks) -> list[str]:
    """Bodies that are not in one page, the chunk's own."""
    if name not in PLAIN:
        parts = [(block.start, block.end, block.page) for block in lex(text)]
    else:
        parts = [(section.start, section.end, section.page) for section in sections_of(Source(text))]
    return [
        f"{chunk!r} of page {chunk.page} touches {page}"
        for chunk in chunks
        for start, end, page in parts
        if page != chunk.page and any(start < b and a < end for a, b in bodies(chunk))
    ]


def atoms_in(name: str, text: str) -> list[tuple[int, int]]:
    if name not in PLAIN:
        return [atom for block in lex(text) for atom in all_atoms(block.part)]
    source = Source(text)
    return [atom for section in sections_of(source) for atom in atoms_of(source, section.start, section.end)]


def cut_units(name: str, params: Settings, text: str, chunks: Chunks) -> list[str]:
    """Cut grapheme clusters and (but for fixed_size) cut atoms that fit with room for an overlap's or a header's joints."""
    places = cuts(chunks)
    if "max_tokens" in params:
        small = {unit for unit in regex.findall(r"\X", text) if tokens.count(unit) <= 4}
        room = {a for a in atoms_in(name, text) if tokens.count(text[slice(*a)]) <= params["max_tokens"] // 2 - 2}
    else:
        small, room = {unit for unit in regex.findall(r"\X", text) if len(unit) <= 4}, set(atoms_in(name, text))
        room = {a for a in room if a[1] - a[0] <= params.get(texts.NAMES.get(name, ("",))[0], 0) // 2}
    clusters = {m.span() for m in regex.finditer(r"\X", text) if m[0] in small and not m[0][0].isspace()}
    units = clusters if name == "fixed_size" else clusters | room
    return [repr(text[a:b]) for a, b in units if any(a < place < b for place in places)]


def begins_badly(name: str, text: str, chunks: Chunks) -> list[str]:
    """Bodies that begin with closing punctuation though the one in front could have ended earlier."""
    source, wrong = Source(text), []
    whole = atoms_in(name, text)
    for before, chunk in pairwise(chunks):
        at = source.skip_white(bodies(chunk)[0][0], len(text))
        if not source.closes_at(at) or before.page != chunk.page or source.first_place(at, ">") != at:
            continue
        if at in source.line_starts or (name == "fixed_size" and text[at - 1].isspace()):
            continue
        places = source.graphemes_in(bodies(before)[-1][0], at - 1)
        free = [p for p in places if not any(a < p < b for a, b in whole) and not source.opens_before(p)]
        if any(not source.closes_at(source.skip_white(p, at)) and not source.is_white(p) for p in free):
            wrong.append(f"{before!r} | {chunk!r}")
    return wrong


def ids(chunks: Chunks) -> list[str]:
    return [chunk.chunk_id for chunk in chunks]


def check(name: str, params: Settings, text: str) -> Chunks:
    """All laws on the chunks of a text."""
    chunker = chunkwright.get_chunking_strategy(name, params)
    chunks = chunker.chunk(text)
    assert not over_budget(name, params, chunks)
    assert not wrong_ranges(name, text, chunks)
    assert not lost(name, text, chunks)
    assert not across_pages(name, text, chunks)
    assert not cut_units(name, params, text, chunks)
    assert not begins_badly(name, text, chunks)
    assert chunkwright.verify(text, chunks), chunkwright.verify(text, chunks).violation
    assert len(set(ids(chunks))) == len(chunks)
    if name == "fixed_size":
        assert all(" ".join(text[c.start_char : c.end_char].split()) == c.content for c in chunks)
    return chunks


@each
def test_laws_on_generated_texts(name: str, params: Settings) -> None:
    seen = 0

    @run(15)
    @given(documents(name))
    def one(text: str) -> None:
        nonlocal seen
        seen += len(check(name, params, text))

    one()
    assert seen > 15


@each
def test_laws_on_samples(samples: Path, name: str, params: Settings) -> None:
    for file in sorted(samples.rglob("*.*")):
        assert len(check(name, params, file.read_text("utf-8"))) > 3, file


@each
def test_the_same_each_time(samples: Path, name: str, params: Settings) -> None:
    one, other = ((samples / file).read_text("utf-8") for file in ("en/tide-pools.md", "zh/library-faq.txt"))
    chunker = chunkwright.get_chunking_strategy(name, params)
    first = chunker.chunk(one)
    chunker.chunk(other)
    assert chunker.chunk(one) == first
    assert chunkwright.get_chunking_strategy(name, params).chunk(one) == first
    with ThreadPoolExecutor(4) as pool:
        assert all(found == first for found in pool.map(chunker.chunk, [one] * 8))
    assert list(chunker.chunk_many([one, other, one]))[::2] == [first, first]
    assert ids(chunker.chunk(one, document_id="x")) != ids(first)


@each
def test_pickles(samples: Path, name: str, params: Settings) -> None:
    chunker = chunkwright.get_chunking_strategy(name, params)
    again = pickle.loads(pickle.dumps(chunker))
    assert again == chunker
    assert hash(again) == hash(chunker)
    chunks = chunker.chunk((samples / "zh" / "library-faq.txt").read_text("utf-8"))
    assert (
        pickle.loads(pickle.dumps(chunks))
        == chunks
        == again.chunk((samples / "zh" / "library-faq.txt").read_text("utf-8"))
    )


@each
@pytest.mark.parametrize("text", ["", " ", "\n\u3000\t\r\n \f\n", "\ufeff"])
def test_nothing_has_no_chunks(name: str, params: Settings, text: str) -> None:
    assert chunkwright.get_chunking_strategy(name, params).chunk(text) == []
