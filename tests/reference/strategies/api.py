"""From a text and a strategy's name to chunks."""

from __future__ import annotations

from typing import Any
from uuid import NAMESPACE_URL, uuid5

from ..text import Source
from .cutting import RecursiveCutter
from .fixed_size import Slider, collapsed
from .packing import Piece, Plan
from .plain import Section, sections_of
from .semantic import semantic
from .simple import PARAGRAPH, SENTENCE, by_units, recursive
from .sizes import Characters, Function, Size, Tokens

Chunk = dict[str, Any]
Settings = dict[str, Any]
# Role, text, start, end.
Segment = tuple[str, str, int, int]

# The name of the size, its default, and the names of the other numbers with theirs.
DEFAULTS: dict[str, Settings] = {
    "fixed_size": {"chunk_size": 512, "chunk_overlap": 50},
    "sentence": {"target_size": 512, "max_sentences_per_chunk": 10},
    "paragraph": {"target_size": 1024, "max_paragraphs_per_chunk": 5},
    "recursive": {"chunk_size": 512, "chunk_overlap": 50, "separators": None},
    "semantic": {"similarity_threshold": 0.7, "min_chunk_size": 200, "max_chunk_size": 1000, "embedder": None},
}
SHARED: Settings = {"max_tokens": None, "overlap_tokens": None, "tokenizer_name": None, "length_function": None}
SIZES = ("chunk_size", "target_size", "max_chunk_size", "max_chunk_chars")
OVERLAPS = ("chunk_overlap", "overlap_chars")
SOFT = ("sentence", "paragraph")


def _given(settings: Settings, names: tuple[str, ...], default: int) -> int:
    return next((int(settings[name]) for name in names if name in settings), default)


def size_of(settings: Settings) -> Size:
    """What sizes are counted in."""
    if settings["max_tokens"] is not None:
        return Tokens(settings["tokenizer_name"] or "cl100k_base")
    return Function(settings["length_function"]) if settings["length_function"] else Characters()


def plan_of(name: str, settings: Settings) -> Plan:
    """The settings that packing needs."""
    size = size_of(settings)
    budget, overlap = _given(settings, SIZES, 0), _given(settings, OVERLAPS, 0)
    if isinstance(size, Tokens):
        budget, overlap = settings["max_tokens"], settings["overlap_tokens"] or 0
    soft = name in SOFT and not isinstance(size, Tokens)
    most = settings.get("max_sentences_per_chunk") or settings.get("max_paragraphs_per_chunk")
    plan = Plan(size, budget, overlap, soft, most)
    return Plan(size, budget, overlap, cutter=RecursiveCutter) if name == "recursive" else plan


def _pieces(name: str, source: Source, section: Section, plan: Plan, settings: Settings) -> list[Piece]:
    if name == "sentence":
        return by_units(source, section, plan, SENTENCE)
    if name == "paragraph":
        return by_units(source, section, plan, PARAGRAPH)
    if name == "recursive":
        return recursive(source, section, plan, settings["separators"])
    threshold, embed = settings["similarity_threshold"], settings["embedder"]
    least = settings["min_chunk_size"]
    if not isinstance(plan.size, Characters):
        least = min(least, plan.budget // 5)
    return semantic(source, section, plan, least, threshold, embed and embed.embed)


def _sliced(source: Source, piece: Piece) -> list[Segment]:
    found = [("body", source.text[piece.start : piece.end], piece.start, piece.end)]
    if piece.overlap_start is not None:
        found.insert(0, ("overlap", source.text[piece.overlap_start : piece.start], piece.overlap_start, piece.start))
    return found


def _fixed(source: Source, section: Section, plan: Plan) -> list[tuple[list[Segment], str]]:
    text, places = collapsed(source, section)
    if not text:
        return []
    found = []
    for window in Slider(text, plan).windows():
        body = ("body", text[window.body : window.cut], places[window.body], places[window.cut - 1] + 1)
        overlap = ("overlap", text[window.start : window.body], places[window.start], places[window.body])
        at_blank = text.startswith(" ", window.cut)
        reason = plan.size.most_reason if at_blank else f"{plan.size.unit}_window"
        found.append(([overlap, body] if window.start < window.body else [body], reason))
    return found


def chunk(name: str, text: str, params: Settings | None = None, document_id: str | None = None) -> list[Chunk]:
    """The chunks of a text by the strategy of that name."""
    settings = {**SHARED, **DEFAULTS[name], **(params or {})}
    plan, source = plan_of(name, settings), Source(text)
    encoding = settings["tokenizer_name"] or ("cl100k_base" if isinstance(plan.size, Tokens) else None)
    done: list[Chunk] = []
    for section in sections_of(source):
        if name == "fixed_size":
            made = _fixed(source, section, plan)
        else:
            pieces = _pieces(name, source, section, plan, settings)
            made = [(_sliced(source, piece), piece.reason) for piece in pieces]
        for number, (segments, reason) in enumerate(made):
            last = number == len(made) - 1 and reason != "whole_unit"
            reason = "section_end" if last else reason
            done.append(finished(source, segments, reason, encoding, hull_of_all=name == "fixed_size"))
            done[-1]["page"] = section.page
    return numbered(done, text if document_id is None else None, document_id)


def finished(
    source: Source, segments: list[Segment], reason: str, encoding: str | None, hull_of_all: bool = False
) -> Chunk:
    """A chunk with its positions: those of its body, or of all its segments."""
    content = "".join(segment[1] for segment in segments)
    bodies = [segment for segment in segments if segment[0] == "body" or hull_of_all]
    start, end = bodies[0][2], bodies[-1][3]
    return {
        "content": content,
        "segments": segments,
        "token_count": Tokens(encoding).n(content) if encoding else None,
        "char_count": len(content),
        "start_char": start,
        "end_char": end,
        "start_byte": source.byte(start),
        "end_byte": source.byte(end),
        "start_line": source.line_number(start),
        "end_line": source.line_number(max(start, end - 1)),
        "heading_path": (),
        "kinds": (),
        "page": None,
        "split_reason": reason,
    }


def numbered(chunks: list[Chunk], text: str | None, document_id: str | None) -> list[Chunk]:
    """The chunks of a document with their ids; the last one ends it."""
    document = str(uuid5(NAMESPACE_URL, text)) if text is not None else document_id
    for index, chunk in enumerate(chunks):
        chunk["chunk_index"] = index
        chunk["chunk_id"] = str(uuid5(NAMESPACE_URL, f"{document}:chunk:{index}:{chunk['content']}"))
    if chunks and chunks[-1]["split_reason"] not in ("whole_unit", "block_too_large"):
        chunks[-1]["split_reason"] = "document_end"
    return chunks
