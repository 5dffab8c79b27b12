"""The structure-aware chunker from a text, or from ready blocks, to chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from .blocks import Block, lex, set_heading_paths
from .fences import whole_code
from .nodes import node_of
from .parts import Part
from .pieces import Context, Piece, Segment, content_of, merged, source_of
from .prefix import HeadingLine
from .prose import Packer, split_prose, whole_or_split
from .sections import Section, sections_of
from .tokens import NAMES

Chunk = dict[str, Any]
LOCATION = ("page", "sheet", "cell_range", "slide")


def _check_settings(max_tokens: int, overlap_tokens: int, target_tokens: int | None, tokenizer_name: str) -> None:
    if tokenizer_name not in NAMES:
        raise ValueError(f"tokenizer_name={tokenizer_name!r}: must be one of {', '.join(NAMES)}")
    if max_tokens < 16:
        raise ValueError(f"max_tokens={max_tokens}: must be at least 16")
    if not 0 <= overlap_tokens < max_tokens:
        raise ValueError(f"overlap_tokens={overlap_tokens}: must be in 0..{max_tokens - 1}")
    if target_tokens is not None and not 1 <= target_tokens <= max_tokens:
        raise ValueError(f"target_tokens={target_tokens}: must be in 1..{max_tokens}")


def chunk(
    text: str,
    max_tokens: int = 512,
    overlap_tokens: int = 64,
    target_tokens: int | None = None,
    tokenizer_name: str = "cl100k_base",
    heading_template: str | None = "章节：{path}",
    path_separator: str = " > ",
    document_id: str | None = None,
) -> list[Chunk]:
    """The chunks of a Markdown text."""
    return _chunks(
        text,
        lex(text),
        document_id,
        (max_tokens, overlap_tokens, target_tokens, tokenizer_name),
        heading_template,
        path_separator,
    )


def chunk_blocks(
    document_id: str | None,
    blocks: Sequence[dict[str, Any]],
    text: str | None = None,
    max_tokens: int = 512,
    overlap_tokens: int = 64,
    target_tokens: int | None = None,
    tokenizer_name: str = "cl100k_base",
    heading_template: str | None = "章节：{path}",
    path_separator: str = " > ",
) -> list[Chunk]:
    """The chunks of a document that another parser took apart."""
    if text is None:
        blocks = [_with_description(b) for b in blocks]
        text = "\n\n".join(b.get("text") or "" for b in blocks)
    made, at = [], 0
    for given in blocks:
        block = _ready_block(text, given, at)
        at = block.start + len(given.get("text") or "")
        if block.start < block.end:
            made.append(block)
    set_heading_paths(made)
    settings = (max_tokens, overlap_tokens, target_tokens, tokenizer_name)
    return _chunks(text, made, document_id, settings, heading_template, path_separator)


def _with_description(given: dict[str, Any]) -> dict[str, Any]:
    """An image's description as part of its text."""
    if given["kind"] != "image" or not given.get("description"):
        return given
    if given["description"] in (given.get("text") or ""):
        return {**given, "description": None}
    text = "\n".join(t for t in (given.get("text"), given["description"]) if t)
    return {**given, "text": text, "description": None}


def _moved(part: Part, by: int) -> Part:
    part.start += by
    part.end += by
    part.header = None if part.header is None else part.header + by
    part.atoms = [(a + by, b + by) for a, b in part.atoms]
    for child in part.children:
        _moved(child, by)
    return part


def _ready_block(text: str, given: dict[str, Any], at: int) -> Block:
    own = given.get("text") or ""
    start = given["start"] if given.get("start") is not None else text.find(own, at)
    if start < 0:
        raise ValueError(f"a block's text is not in the document's text: {own[:40]!r}")
    source = source_of(text)
    end = source.trim_end(start, start + len(own))
    kind = given["kind"]
    inner = lex(own)
    part = _ready_part(kind, start, end, inner)
    block = Block(kind, start, end, part, description=given.get("description"))
    if block.description and block.description in own:
        block.description = None
    path = given.get("heading_path")
    if kind == "heading":
        is_heading = len(inner) == 1 and inner[0].kind == "heading"
        block.heading_level = given.get("level") or (inner[0].heading_level if is_heading else 1)
        block.heading_text = inner[0].heading_text if is_heading else " ".join(own.split())
        if path is not None:
            # The path that is given may end with the heading's own text.
            above = tuple(path[:-1]) if path and path[-1] == block.heading_text else tuple(path)
            block.heading_path, block.own_path, block.heading_level = above, True, len(above) + 1
    elif path is not None:
        block.heading_path, block.own_path = tuple(path), True
    for name in (*LOCATION, "bbox"):
        setattr(block, name, given.get(name))
    block.language = given.get("language") or (inner[0].language if len(inner) == 1 and part.opening else None)
    part.info = given.get("language") or ""
    return block


def _ready_part(kind: str, start: int, end: int, inner: list[Block]) -> Part:
    """What is nested in a ready block: its text is lexed alone."""
    parts = [_moved(b.part, start) for b in inner]
    if kind == "code":
        fenced = len(parts) == 1 and parts[0].kind == "code" and bool(parts[0].opening)
        return parts[0] if fenced else Part(kind, start, end)
    if kind == "table":
        tables = [part for part in parts if part.kind == "table"]
        return replace(tables[0], start=start, end=end) if tables else Part(kind, start, end)
    return parts[0] if len(parts) == 1 else Part(kind, start, end, parts)


def _chunks(
    text: str,
    blocks: list[Block],
    document_id: str | None,
    settings: tuple[int, int, int | None, str],
    template: str | None,
    separator: str,
) -> list[Chunk]:
    _check_settings(*settings)
    budget, overlap, target, encoding = settings
    if document_id is None:
        document_id = str(uuid5(NAMESPACE_URL, text))
    done: list[Chunk] = []
    for section in sections_of(source_of(text), blocks):
        path = section.blocks[0].heading_path
        heading = HeadingLine(path, template, separator, budget, encoding)
        ctx = Context(source_of(text), budget, target, overlap, encoding, heading, heading.full())
        pieces = _split(ctx, section)
        pieces[-1].reason = "section_end"
        for piece in pieces:
            done.append(_finished(ctx, section, piece, document_id, len(done)))
    if done:
        done[-1]["split_reason"] = "document_end"
    return done


def _split(ctx: Context, section: Section) -> list[Piece]:
    nodes = [node_of(ctx.source, block) for block in section.blocks]
    block = section.blocks[0]
    if section.kind == "code":
        whole = whole_code(ctx, nodes[0])
        return [Piece(whole)] if ctx.fits(whole) else whole_or_split(ctx, nodes[0])
    whole = Packer(ctx, nodes).segments(None, section.start, section.end)
    description: list[Segment] = []
    if block.description and section.kind == "image":
        description = _as_far_as_it_fits(ctx, whole, block.description)
    limit = ctx.soft if section.kind == "prose" else ctx.budget
    if ctx.size([*whole, *description]) <= limit:
        return [Piece([*whole, *description])]
    if section.kind == "table":
        return whole_or_split(ctx, nodes[0])
    return split_prose(ctx, nodes)


def _as_far_as_it_fits(ctx: Context, whole: list[Segment], description: str) -> list[Segment]:
    """The description behind the image, halved (in bytes) until it fits."""
    words = ("\n" + description).encode()
    while words:
        segment = Segment("synthetic", words.decode())
        if ctx.fits([*whole, segment]):
            return [segment]
        words = words[: len(words) // 2].decode(errors="ignore").encode()
    return []


def _finished(ctx: Context, section: Section, piece: Piece, document_id: str, index: int) -> Chunk:
    prefix = ctx.prefix if piece.prefix is None else piece.prefix
    segments = merged([Segment("synthetic", prefix), *piece.segments])
    if ctx.count(content_of(segments)) > ctx.budget:
        # Joints may cost a token more than the parts.
        segments = merged(piece.segments)
    content = content_of(segments)
    tokens = ctx.count(content)
    if tokens > ctx.budget:
        raise RuntimeError(f"chunk {index} has {tokens} tokens, over the budget of {ctx.budget}: {content!r}")
    body = [(s.start, s.end) for s in segments if s.role == "body" and s.start is not None and s.end is not None]
    start, end = body[0][0], body[-1][1]
    touched = [b for b in section.blocks if any(b.start < e and s < b.end for s, e in body)]
    source, first = ctx.source, section.blocks[0]
    return {
        "content": content,
        "token_count": tokens,
        "segments": [{"role": s.role, "text": s.text, "start_char": s.start, "end_char": s.end} for s in segments],
        "start_char": start,
        "end_char": end,
        "start_byte": source.byte(start),
        "end_byte": source.byte(end),
        "start_line": source.line_number(start),
        "end_line": source.line_number(max(start, end - 1)),
        "heading_path": list(first.heading_path),
        "kinds": list(dict.fromkeys(b.kind for b in touched)),
        "language": next((b.language for b in touched if b.kind == "code"), None),
        "page": first.page,
        "sheet": first.sheet,
        "cell_range": first.cell_range,
        "slide": first.slide,
        "split_reason": piece.reason,
        "chunk_id": str(uuid5(NAMESPACE_URL, f"{document_id}:chunk:{index}:{content}")),
        "chunk_index": index,
    }
