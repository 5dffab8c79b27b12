"""Rust against the reference: one document, every field of every chunk."""

from __future__ import annotations

from typing import Any

import chunkwright
from reference.chunker import chunk as reference_chunk

FIELDS = (
    "content", "token_count", "start_char", "end_char", "start_byte", "end_byte", "start_line", "end_line", "heading_path",
    "kinds", "language", "page", "split_reason", "chunk_id", "chunk_index",
)  # fmt: skip


def ours(text: str, settings: dict[str, Any]) -> list[dict[str, Any]]:
    """Chunks of chunkwright as the reference shows them."""
    return [as_dict(c) for c in chunkwright.StructureAwareChunker(**settings).chunk(text)]


def as_dict(chunk: chunkwright.Chunk) -> dict[str, Any]:
    shown: dict[str, Any] = {name: getattr(chunk, name) for name in FIELDS}
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


def theirs(text: str, settings: dict[str, Any]) -> list[dict[str, Any]]:
    """Chunks of the reference."""
    shown = []
    for chunk in reference_chunk(text, **settings):
        one = {name: chunk[name] for name in FIELDS}
        for name in ("heading_path", "kinds"):
            one[name] = tuple(one[name])
        one["segments"] = _merged([(s["role"], s["text"], s["start_char"], s["end_char"]) for s in chunk["segments"]])
        shown.append(one)
    return shown


def difference(text: str, settings: dict[str, Any]) -> str | None:
    """The first field that differs, in words."""
    mine, other = ours(text, settings), theirs(text, settings)
    for place, (a, b) in enumerate(zip(mine, other, strict=False)):
        for name in (*FIELDS, "segments"):
            if a[name] != b[name]:
                return f"chunk {place}, {name}: chunkwright {a[name]!r}, reference {b[name]!r}"
    if len(mine) != len(other):
        return f"chunkwright has {len(mine)} chunks, the reference {len(other)}"
    return None
