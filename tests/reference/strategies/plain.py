"""Plain text: sections by page, and the pieces that cuts leave (section 2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from reference.text import Source, inside_any

Span = tuple[int, int]

PLACE = ("page", "sheet", "cell_range", "slide")

_MARKER = re.compile(r"<!--[ \t]*page(?:[ \t]*:[ \t]*|[ \t]+)([0-9]{1,9})[ \t]*-->", re.IGNORECASE)
_LINE = re.compile(r"[^\r\n\f]+")


@dataclass(frozen=True)
class Section:
    """A trimmed part of the text that chunks do not cross."""

    start: int
    end: int
    page: int | None
    # The other names of its place in a document that another parser took apart, with what they are.
    place: tuple[tuple[str, Any], ...] = ()


def _breaks(source: Source) -> list[tuple[int, int | None]]:
    """Where pages begin: behind form feeds (None) and at lines that are markers (their number)."""
    text = source.text
    found: list[tuple[int, int | None]] = [(m.end(), None) for m in re.finditer("\f", text)]
    for line in _LINE.finditer(text):
        start = 1 if line.start() == 0 and text[0] == "\ufeff" else line.start()
        first, end = source.skip_white(start, line.end()), source.trim_end(start, line.end())
        marker = _MARKER.fullmatch(text, min(first, end), end)
        if marker:
            found.append((start, int(marker[1])))
    # At one place the form feed comes before the marker.
    return sorted(found, key=lambda place: (place[0], place[1] is not None))


def sections_of(source: Source) -> list[Section]:
    """The sections of a text, blank ones left out."""
    breaks = _breaks(source)
    page: int | None = None
    if breaks:
        number = breaks[0][1]
        page = 1 if number is None else max(1, number - 1)
    sections = []
    for (start, number), (end, _) in pairwise([(0, page), *breaks, (len(source.text), None)]):
        if start or number is not None:
            page = (page or 1) + 1 if number is None else number
        first = source.skip_white(start, end)
        if first < end:
            sections.append(Section(source.first_place(first), source.trim_end(first, end), page))
    return sections


def sections_of_blocks(source: Source, blocks: Sequence[Mapping[str, Any]]) -> list[Section]:
    """The sections of a document that another parser took apart: one for each new place, whatever form feeds and markers say."""
    bounds: list[tuple[int, tuple[Any, ...]]] = []
    at = 0
    for block in blocks:
        own = block.get("text") or ""
        start = source.text.index(own, at)
        at = start + len(own)
        place = tuple(block.get(name) for name in PLACE)
        if own.strip() and (not bounds or bounds[-1][1] != place):
            bounds.append((start if bounds else 0, place))
    sections = []
    for (start, place), end in zip(bounds, [*(start for start, _ in bounds[1:]), len(source.text)], strict=True):
        first = source.skip_white(start, end)
        if first < end:
            known = tuple(pair for pair in zip(PLACE[1:], place[1:], strict=True) if pair[1] is not None)
            sections.append(Section(source.first_place(first), source.trim_end(first, end), place[0], known))
    return sections


def piece_start(source: Source, span_start: int, first: int) -> int:
    """The start of the line (or of the span), if only blanks and tabs stand in front of the character, else the character."""
    line = source.line_start(first)
    if line == 0 and source.text.startswith("\ufeff"):
        line = 1
    start = max(line, span_start)
    return start if not source.text[start:first].strip(" \t") else first


def pieces_of(source: Source, span: Span, places: Iterable[int], kept: list[Span]) -> list[Span]:
    """A span cut at those of the places that count; `kept` are the atoms that must stay whole."""
    start, end = span

    def counts(place: int) -> bool:
        if not start < place < end or inside_any(place, kept) or place not in source.graphemes_in(place - 1, place):
            return False
        behind = source.skip_white(place, end)
        return behind == end or not source.closes_at(behind)

    bounds = [start, *sorted({place for place in places if counts(place)}), end]
    pieces = []
    for a, b in pairwise(bounds):
        first = source.skip_white(a, b)
        if first < b:
            pieces.append((piece_start(source, start, first), source.trim_end(first, b)))
    return pieces
