"""From a text and a strategy's name to chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from reference.text import Source

from .cutting import RecursiveCutter
from .fixed_size import Slider, collapsed
from .packing import Piece, Plan
from .plain import Section, sections_of, sections_of_blocks
from .semantic import semantic
from .simple import PARAGRAPH, SENTENCE, by_units, recursive
from .sizes import Characters, Function, Size, Tokens
from .structured import Section as TitledSection
from .structured import structured

STRUCTURED = "structured_markdown_v1"

Chunk = dict[str, Any]
Settings = dict[str, Any]
# Role, text, start, end.
Segment = tuple[str, str, int | None, int | None]

# The name of the size, its default, and the names of the other numbers with theirs.
DEFAULTS: dict[str, Settings] = {
    "fixed_size": {"chunk_size": 512, "chunk_overlap": 50},
    "sentence": {"target_size": 512, "max_sentences_per_chunk": 10},
    "paragraph": {"target_size": 1024, "max_paragraphs_per_chunk": 5},
    "recursive": {"chunk_size": 512, "chunk_overlap": 50, "separators": None},
    "structured": {"max_chunk_chars": 800, "min_chunk_chars": 0, "weak_headings": True, "overlap_chars": 0},
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
    found: list[Segment] = [("body", source.text[piece.start : piece.end], piece.start, piece.end)]
    if piece.overlap_start is not None:
        found.insert(0, ("overlap", source.text[piece.overlap_start : piece.start], piece.overlap_start, piece.start))
    return found


def _fixed(source: Source, section: Section, plan: Plan) -> list[tuple[list[Segment], str]]:
    text, places = collapsed(source, section)
    if not text:
        return []
    found: list[tuple[list[Segment], str]] = []
    for window in Slider(text, plan).windows():
        body: Segment = ("body", text[window.body : window.cut], places[window.body], places[window.cut - 1] + 1)
        overlap: Segment = ("overlap", text[window.start : window.body], places[window.start], places[window.body])
        at_blank = text.startswith(" ", window.cut)
        reason = plan.size.most_reason if at_blank else f"{plan.size.unit}_window"
        found.append(([overlap, body] if window.start < window.body else [body], reason))
    return found


def chunk(
    name: str,
    text: str,
    params: Settings | None = None,
    document_id: str | None = None,
    blocks: Sequence[Mapping[str, Any]] | None = None,
) -> list[Chunk]:
    """The chunks of a text by the strategy of that name; `blocks` (plain text only) if another parser took it apart."""
    settings = {**SHARED, **DEFAULTS[name], **(params or {})}
    plan, source = plan_of(name, settings), Source(text)
    if name == "structured":
        return _structured(source, plan, settings, document_id)
    encoding = encoding_of(plan, settings)
    done: list[Chunk] = []
    for section in sections_of(source) if blocks is None else sections_of_blocks(source, blocks):
        if name == "fixed_size":
            made = _fixed(source, section, plan)
        else:
            pieces = _pieces(name, source, section, plan, settings)
            made = [(_sliced(source, piece), piece.reason) for piece in pieces]
        for number, (segments, reason) in enumerate(made):
            last = number == len(made) - 1 and reason != "whole_unit"
            reason = "section_end" if last else reason
            done.append(finished(source, segments, reason, encoding, hull_of_all=name == "fixed_size"))
            done[-1].update(page=section.page, metadata={**_page(section.page), **dict(section.place)})
    return numbered(done, text if document_id is None else None, document_id)


def encoding_of(plan: Plan, settings: Settings) -> str | None:
    """What tokens are counted with, if at all."""
    return settings["tokenizer_name"] or ("cl100k_base" if isinstance(plan.size, Tokens) else None)


def finished(
    source: Source, segments: list[Segment], reason: str, encoding: str | None, hull_of_all: bool = False
) -> Chunk:
    """A chunk with its positions: those of its body, or of all its segments."""
    content = "".join(segment[1] for segment in segments)
    ranges = [
        (a, b) for role, _, a, b in segments if a is not None and b is not None and (role == "body" or hull_of_all)
    ]
    start, end = ranges[0][0], ranges[-1][1]
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


def _structured(source: Source, plan: Plan, settings: Settings, document_id: str | None) -> list[Chunk]:
    document = str(uuid5(NAMESPACE_URL, source.text)) if document_id is None else document_id
    encoding = encoding_of(plan, settings)
    done: list[Chunk] = []
    made = structured(source, plan, settings["min_chunk_chars"], settings["weak_headings"])
    for number, (section, pieces) in enumerate(made):
        for piece in pieces:
            last = piece is pieces[-1] and piece.reason != "block_too_large"
            one = finished(source, piece.segments, "section_end" if last else piece.reason, encoding)
            one.update(_section_fields(section, one, number))
            done.append(one)
    for index, one in enumerate(done):
        if index == len(done) - 1 and one["split_reason"] != "block_too_large":
            one["split_reason"] = "document_end"
        one["chunk_index"] = index
        one["chunk_id"] = f"{document}::chunk::{index:04d}"
        one["metadata"] = {
            **_page(one["page"]),
            "doc_id": document,
            "document_version_id": None,
            **one["metadata"],
            "split_reason": one["split_reason"],
            "chunk_strategy_version": STRUCTURED,
        }
    return done


def _page(page: int | None) -> dict[str, Any]:
    return {} if page is None else {"page": page}


def _section_fields(section: TitledSection, chunk: Chunk, number: int) -> Chunk:
    """What a chunk says of its section and blocks."""
    bodies = [(start, end) for role, _, start, end in chunk["segments"] if role == "body"]
    touched = [i for i in section.items if any(i.start < end and start < i.end for start, end in bodies)]
    touched = [item for item in touched if not item.is_heading] or touched
    path = tuple(heading.text for heading in section.under)
    types = list(dict.fromkeys(item.block_type for item in touched))
    metadata = {
        "title_path": list(path),
        "block_type": types[0],
        "block_types": types,
        "heading_level": section.under[-1].level if section.under else 0,
        "section_index": number,
        "block_start_index": touched[0].index,
        "block_end_index": touched[-1].index,
        "chunk_char_count": chunk["char_count"],
    }
    kinds = tuple(dict.fromkeys(item.kind for item in touched))
    return {"heading_path": path, "page": section.page, "kinds": kinds, "metadata": metadata}


def numbered(chunks: list[Chunk], text: str | None, document_id: str | None) -> list[Chunk]:
    """The chunks of a document with their ids; the last one ends it."""
    document = str(uuid5(NAMESPACE_URL, text)) if text is not None else document_id
    for index, chunk in enumerate(chunks):
        chunk["chunk_index"] = index
        chunk["chunk_id"] = str(uuid5(NAMESPACE_URL, f"{document}:chunk:{index}:{chunk['content']}"))
    if chunks and chunks[-1]["split_reason"] not in ("whole_unit", "block_too_large"):
        chunks[-1]["split_reason"] = "document_end"
    return chunks
