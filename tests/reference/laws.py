"""The invariants, checked on any list of chunks (plain dicts) against the text they come from.

Each law gives a list of violations in words; an empty list means that it holds.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import regex

from . import markdown
from .blocks import DROPPED, Block, lex
from .mask import masked
from .parts import Part
from .text import CLOSING, Source
from .tokens import count

Chunk = dict[str, Any]
Law = Callable[..., list[str]]
SOURCE_ROLES = ("body", "overlap", "repeat")


def _name(chunk: Chunk) -> str:
    return f"chunk {chunk['chunk_index']} {chunk['content'][:60]!r}"


def _bodies(chunk: Chunk) -> list[Chunk]:
    return [s for s in chunk["segments"] if s["role"] == "body"]


def _collapsed(text: str) -> str:
    return " ".join(text.split())


def hard_budget(text: str, chunks: list[Chunk], max_tokens: int, tokenizer_name: str = "cl100k_base") -> list[str]:
    """No chunk is over the budget, and each says its exact size."""
    wrong = []
    for chunk in chunks:
        size = count(chunk["content"], tokenizer_name)
        if size > max_tokens:
            wrong.append(f"{_name(chunk)}: {size} tokens, over {max_tokens}")
        if chunk["token_count"] != size:
            wrong.append(f"{_name(chunk)}: token_count {chunk['token_count']}, counted {size}")
    return wrong


def content_is_segments(text: str, chunks: list[Chunk]) -> list[str]:
    """Content is the segments joined, and there is some body in it."""
    wrong = []
    for chunk in chunks:
        if chunk["content"] != "".join(s["text"] for s in chunk["segments"]):
            wrong.append(f"{_name(chunk)}: content is not its segments")
        if not any(s["text"].strip() for s in _bodies(chunk)):
            wrong.append(f"{_name(chunk)}: no body")
        if any(not s["text"] for s in chunk["segments"]):
            wrong.append(f"{_name(chunk)}: empty segment")
    return wrong


def provenance(text: str, chunks: list[Chunk]) -> list[str]:
    """Ranges give the segments' text; synthetic text has no range."""
    wrong = []
    for chunk in chunks:
        for s in chunk["segments"]:
            if s["role"] in SOURCE_ROLES:
                if s["start_char"] is None or text[s["start_char"] : s["end_char"]] != s["text"]:
                    wrong.append(f"{_name(chunk)}: {s['role']} is not the source at {s['start_char']}..{s['end_char']}")
            elif s["role"] != "synthetic" or s["start_char"] is not None or s["end_char"] is not None:
                wrong.append(f"{_name(chunk)}: bad segment {s['role']} {s['text'][:40]!r}")
    return wrong


def body_in_order(text: str, chunks: list[Chunk]) -> list[str]:
    """Body segments are disjoint and in order over all chunks; overlap comes from what stands before."""
    wrong, at = [], 0
    for index, chunk in enumerate(chunks):
        if chunk["chunk_index"] != index:
            wrong.append(f"{_name(chunk)}: index should be {index}")
        for s in _bodies(chunk):
            if s["start_char"] < at:
                wrong.append(f"{_name(chunk)}: body at {s['start_char']} begins before {at}")
            at = max(at, s["end_char"])
        first = next((s["start_char"] for s in _bodies(chunk)), len(text))
        if any(s["role"] == "overlap" and s["end_char"] > first for s in chunk["segments"]):
            wrong.append(f"{_name(chunk)}: overlap runs into the body")
    return wrong


def _dropped_ranges(text: str, blocks: list[Block], chunks: list[Chunk]) -> list[tuple[int, int]]:
    """What need not be in any body: front matter, rules, page markers, headings that are in a path."""
    in_paths = {_collapsed(p) for c in chunks for p in c["heading_path"]}
    found = []
    for block in blocks:
        named = block.kind == "heading" and (not block.heading_text or _collapsed(block.heading_text) in in_paths)
        if block.kind in DROPPED or named:
            found.append((block.start, block.end))
    found += [(m.start(), m.end()) for m in re.finditer(r"<!--[ \t]*page[ \t:]*\d+[ \t]*-->", text, re.IGNORECASE)]
    return found


def lossless(text: str, chunks: list[Chunk], blocks: list[Block] | None = None) -> list[str]:
    """Each character that is not white space is in one body segment, unless it is of what is dropped."""
    covered = bytearray(len(text))
    for chunk in chunks:
        for s in _bodies(chunk):
            for i in range(s["start_char"], s["end_char"]):
                covered[i] += covered[i] < 2
    for start, end in _dropped_ranges(text, lex(text) if blocks is None else blocks, chunks):
        for i in range(start, end):
            covered[i] = covered[i] or 1
    source = Source(text)
    missing = [i for i in range(len(text)) if not covered[i] and not source.is_white(i)]
    twice = [i for i in range(len(text)) if covered[i] > 1]
    wrong = [f"lost at {i}: {text[i : i + 40]!r}" for i in missing[:3]]
    return wrong + [f"twice at {i}: {text[i : i + 40]!r}" for i in twice[:3]]


def positions(text: str, chunks: list[Chunk]) -> list[str]:
    """Characters, bytes and lines of a chunk are the hull of its body."""
    wrong = []
    starts = [0, *(m.end() for m in re.finditer(r"\r\n|\r|\n", text))]
    for chunk in chunks:
        bodies = _bodies(chunk)
        if not bodies:
            continue
        start, end = bodies[0]["start_char"], bodies[-1]["end_char"]
        expected = {
            "start_char": start,
            "end_char": end,
            "start_byte": len(text[:start].encode()),
            "end_byte": len(text[:end].encode()),
            "start_line": bisect_right(starts, start),
            "end_line": bisect_right(starts, max(start, end - 1)),
        }
        wrong += [f"{_name(chunk)}: {k} is {chunk[k]}, not {v}" for k, v in expected.items() if chunk[k] != v]
    return wrong


def _open_at_end(content: str) -> bool:
    """Whether a fence of the content's own level is open at its end, as CommonMark reads it."""
    tokens = markdown.blocks_of(masked(content)[0], {})
    lines = content.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n").split("\n")
    for token in tokens:
        if token.type == "fence" and token.map:
            inner = token.content.count("\n") + bool(token.content and not token.content.endswith("\n"))
            if token.map[1] - token.map[0] - 1 <= inner and not any(
                line.strip(" \t>") for line in lines[token.map[1] :]
            ):
                return True
    return False


def fences_balanced(text: str, chunks: list[Chunk]) -> list[str]:
    """No chunk, read alone, ends in an open fenced block."""
    return [f"{_name(c)}: fence left open: {c['content'][-80:]!r}" for c in chunks if _open_at_end(c["content"])]


def boundaries(text: str, chunks: list[Chunk], blocks: list[Block] | None = None) -> list[str]:
    """A chunk's body stays in blocks of its own heading path, page and other locations."""
    blocks = lex(text) if blocks is None else blocks
    return [
        f"{_name(chunk)}: {s['role']} in block at {b.start} of {b.heading_path} page {b.page}"
        for chunk in chunks
        for s in chunk["segments"]
        if s["role"] in ("body", "overlap")
        for b in blocks
        if b.start < s["end_char"] and s["start_char"] < b.end
        if tuple(chunk["heading_path"]) != b.heading_path or chunk["page"] != b.page
    ]


def _allowed_cut(text: str, position: int) -> bool:
    return text[position] not in CLOSING


def closing_punctuation(text: str, chunks: list[Chunk], blocks: list[Block] | None = None) -> list[str]:
    """No body begins with closing punctuation unless the source's block or line does (or an image)."""
    blocks = lex(text) if blocks is None else blocks
    # Behind a unit that must stay whole there may be no other cut.
    starts = {b.start for b in blocks} | {end for _, end in _atoms(b.part for b in blocks)}
    wrong = []
    for before, chunk in zip([None, *chunks], chunks, strict=False):
        # One character that fills a chunk leaves no other cut.
        if before and before["end_char"] - _bodies(before)[-1]["start_char"] <= 2:
            continue
        for s in _bodies(chunk)[:1]:
            at = s["start_char"]
            while at < s["end_char"] and text[at].isspace():
                at += 1
            line_begins = not text[:at].rpartition("\n")[2].rpartition("\r")[2].replace(">", "").strip().strip("\ufeff")
            behind = len(text[:at].rstrip())
            if _allowed_cut(text, at) or {at, behind} & starts or line_begins or text.startswith("![", at):
                continue
            if at and any(c not in CLOSING and not c.isspace() for c in text[max(0, at - 8) : at]):
                wrong.append(f"{_name(chunk)}: begins with closing punctuation behind {text[max(0, at - 20) : at]!r}")
    return wrong


def _atoms(parts: Iterable[Part]) -> list[tuple[int, int]]:
    return [a for p in parts for a in [*p.atoms, *_atoms(p.children)]]


def inline_units_whole(
    text: str,
    chunks: list[Chunk],
    max_tokens: int,
    tokenizer_name: str = "cl100k_base",
    blocks: list[Block] | None = None,
) -> list[str]:
    """Links, images, code spans and formulas that fit with room for a prefix and fences are in one body segment."""
    cuts = {s[k] for c in chunks for s in _bodies(c) for k in ("start_char", "end_char")}
    wrong = []
    for start, end in _atoms(b.part for b in (lex(text) if blocks is None else blocks)):
        inside = [cut for cut in cuts if start < cut < end]
        if inside and count(text[start:end], tokenizer_name) <= max_tokens // 2 - 2:
            wrong.append(f"{text[start:end][:80]!r} at {start} is cut at {inside[0]}")
    return wrong


def graphemes_whole(text: str, chunks: list[Chunk], tokenizer_name: str = "cl100k_base") -> list[str]:
    """No cut inside a grapheme cluster of at most a handful of tokens."""
    cuts = {s[k] for c in chunks for s in _bodies(c) for k in ("start_char", "end_char")}
    wrong = []
    for match in regex.finditer(r"\X", text):
        if match.end() - match.start() > 1 and match[0] != "\r\n":
            inside = [p for p in range(match.start() + 1, match.end()) if p in cuts]
            if inside and count(match[0], tokenizer_name) <= 4 and not match[0][0].isspace():
                wrong.append(f"grapheme {match[0]!r} at {match.start()} is cut")
    return wrong


def ids(text: str, chunks: list[Chunk], document_id: str | None = None) -> list[str]:
    """Ids are unique and as specified."""
    document = str(uuid5(NAMESPACE_URL, text)) if document_id is None else document_id
    wrong = [] if len({c["chunk_id"] for c in chunks}) == len(chunks) else ["ids are not unique"]
    return wrong + [
        f"{_name(c)}: id is not the specified uuid5"
        for c in chunks
        if c["chunk_id"] != str(uuid5(NAMESPACE_URL, f"{document}:chunk:{c['chunk_index']}:{c['content']}"))
    ]


def fitting_blocks_whole(
    text: str,
    chunks: list[Chunk],
    max_tokens: int,
    tokenizer_name: str = "cl100k_base",
    blocks: list[Block] | None = None,
) -> list[str]:
    """Top-level tables, code blocks, images and formulas that fit with a prefix are not cut."""
    wrong = []
    for b in lex(text) if blocks is None else blocks:
        if b.kind not in ("table", "code", "image", "math"):
            continue
        size = count(text[b.start : b.end], tokenizer_name) + min(max(16, max_tokens // 4), max_tokens // 2) + 4
        holding = [c for c in chunks if c["start_char"] < b.end and b.start < c["end_char"]]
        if size <= max_tokens and len(holding) != 1:
            wrong.append(f"{b.kind} at {b.start} fits but is in {len(holding)} chunks")
    return wrong


def table_headers(
    text: str,
    chunks: list[Chunk],
    max_tokens: int,
    tokenizer_name: str = "cl100k_base",
    blocks: list[Block] | None = None,
) -> list[str]:
    """A continued piece of a GFM table begins with header and delimiter row where they fit with its first row."""
    wrong = []
    for b in lex(text) if blocks is None else blocks:
        if b.kind != "table" or b.part.html or b.part.header is None:
            continue
        lines = text[b.part.header : b.end].splitlines()
        head = "\n".join(lines[:2])
        for c in chunks:
            begin = c["start_char"]
            if not (b.part.header < begin < b.end) or begin < b.part.header + len(head):
                continue
            first = text[begin : b.end].splitlines()[0]
            whole_row = not text[:begin].rpartition("\n")[2].strip(" \t>")
            prefix = next((s["text"] for s in c["segments"][:1] if s["role"] == "synthetic"), "")
            room = count(prefix + head + "\n" + first, tokenizer_name) <= max_tokens
            if whole_row and room and not any(s["role"] == "repeat" for s in c["segments"]):
                wrong.append(f"{_name(c)}: a table goes on without its header")
    return wrong


def overlap_within(
    text: str, chunks: list[Chunk], overlap_tokens: int, tokenizer_name: str = "cl100k_base"
) -> list[str]:
    """Overlap is at most as long as asked for, and never the whole of the previous chunk."""
    wrong = []
    for before, c in zip([None, *chunks], chunks, strict=False):
        for s in c["segments"]:
            if s["role"] != "overlap":
                continue
            if count(s["text"].rstrip(), tokenizer_name) > overlap_tokens + 1:
                wrong.append(f"{_name(c)}: overlap of {count(s['text'], tokenizer_name)} tokens, over {overlap_tokens}")
            if before is None or s["start_char"] <= before["start_char"] or s["start_char"] >= before["end_char"]:
                wrong.append(f"{_name(c)}: overlap is not the end of the chunk before")
    return wrong


def check(
    text: str,
    chunks: list[Chunk],
    max_tokens: int = 512,
    overlap_tokens: int = 64,
    tokenizer_name: str = "cl100k_base",
    document_id: str | None = None,
) -> dict[str, list[str]]:
    """All laws on the chunks of a Markdown text; only the broken ones are in the result."""
    blocks = lex(text)
    found = {
        "hard_budget": hard_budget(text, chunks, max_tokens, tokenizer_name),
        "content_is_segments": content_is_segments(text, chunks),
        "provenance": provenance(text, chunks),
        "body_in_order": body_in_order(text, chunks),
        "lossless": lossless(text, chunks, blocks),
        "positions": positions(text, chunks),
        "fences_balanced": fences_balanced(text, chunks),
        "boundaries": boundaries(text, chunks, blocks),
        "closing_punctuation": closing_punctuation(text, chunks, blocks),
        "inline_units_whole": inline_units_whole(text, chunks, max_tokens, tokenizer_name, blocks),
        "graphemes_whole": graphemes_whole(text, chunks, tokenizer_name),
        "ids": ids(text, chunks, document_id),
        "fitting_blocks_whole": fitting_blocks_whole(text, chunks, max_tokens, tokenizer_name, blocks),
        "table_headers": table_headers(text, chunks, max_tokens, tokenizer_name, blocks),
        "overlap_within": overlap_within(text, chunks, overlap_tokens, tokenizer_name),
    }
    return {law: wrong for law, wrong in found.items() if wrong}
