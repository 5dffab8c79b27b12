"""Rust against the reference: one document, every field of every chunk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import chunkwright
from reference import chunker as reference
from reference.blocks import lex as reference_lex

FIELDS = (
    "content", "token_count", "start_char", "end_char", "start_byte", "end_byte", "start_line", "end_line", "heading_path",
    "kinds", "language", "page", "split_reason", "chunk_id", "chunk_index",
)  # fmt: skip
Shown = dict[str, Any]


def ours(text: str, settings: dict[str, Any]) -> list[Shown]:
    """Chunks of chunkwright as the reference shows them."""
    return [as_dict(c) for c in chunkwright.StructureAwareChunker(**settings).chunk(text)]


def as_dict(chunk: chunkwright.Chunk) -> Shown:
    shown: Shown = {name: getattr(chunk, name) for name in FIELDS}
    shown["segments"] = _merged([(s.role, s.text, s.start_char, s.end_char) for s in chunk.segments])
    return shown


def _merged(segments: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Neighbouring synthetic segments as one: how text that is not in the source is divided says nothing."""
    merged: list[tuple[Any, ...]] = []
    for segment in segments:
        if merged and merged[-1][0] == segment[0] == "synthetic":
            merged[-1] = ("synthetic", merged[-1][1] + segment[1], None, None)
        else:
            merged.append(segment)
    return merged


def theirs(text: str, settings: dict[str, Any]) -> list[Shown]:
    """Chunks of the reference."""
    return _shown(reference.chunk(text, **settings))


def _shown(chunks: list[dict[str, Any]]) -> list[Shown]:
    shown = []
    for chunk in chunks:
        one = {name: chunk[name] for name in FIELDS}
        for name in ("heading_path", "kinds"):
            one[name] = tuple(one[name])
        one["segments"] = _merged([(s["role"], s["text"], s["start_char"], s["end_char"]) for s in chunk["segments"]])
        shown.append(one)
    return shown


def ours_of_blocks(blocks: Sequence[dict[str, Any]], text: str | None, settings: dict[str, Any]) -> list[Shown]:
    """Chunks of chunkwright for a ready-made document."""
    document = chunkwright.ParsedDocument("doc", [chunkwright.Block(**b) for b in blocks], text)
    return [as_dict(c) for c in chunkwright.StructureAwareChunker(**settings).chunk(document)]


def theirs_of_blocks(blocks: Sequence[dict[str, Any]], text: str | None, settings: dict[str, Any]) -> list[Shown]:
    """Chunks of the reference for a ready-made document."""
    return _shown(reference.chunk_blocks("doc", blocks, text, **settings))


def first_difference(mine: list[Shown], other: list[Shown]) -> str | None:
    """The first field that differs, in words."""
    for place, (a, b) in enumerate(zip(mine, other, strict=False)):
        for name in (*FIELDS, "segments"):
            if a[name] != b[name]:
                return f"chunk {place}, {name}: chunkwright {a[name]!r}, reference {b[name]!r}"
    if len(mine) != len(other):
        return f"chunkwright has {len(mine)} chunks, the reference {len(other)}"
    return None


def difference(text: str, settings: dict[str, Any]) -> str | None:
    """The first field of the chunks of a text that differs, in words."""
    return first_difference(ours(text, settings), theirs(text, settings))


def blocks(text: str) -> list[tuple[Any, ...]]:
    """Blocks of chunkwright (a heading's own path is left out: the reference has it without the heading itself)."""
    found = chunkwright.parse_markdown(text).blocks
    return [(b.kind, b.start_char, b.end_char, b.kind == "heading" or b.heading_path, b.page) for b in found]


def reference_blocks(text: str) -> list[tuple[Any, ...]]:
    """Blocks of the reference."""
    found = reference_lex(text)
    return [(b.kind, b.start, b.end, b.kind == "heading" or tuple(b.heading_path), b.page) for b in found]
