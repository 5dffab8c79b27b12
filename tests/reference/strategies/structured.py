"""The structured strategy: blocks with title paths, sections, packing (sections 4.2 to 4.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..blocks import DROPPED, Block, lex
from ..nodes import all_atoms
from ..parts import Part
from ..text import Source
from .plain import Span
from .stretch import Group, Stretch, lines_of
from .weak import Title

KEYWORDS = ("step", "troubleshoot", "故障", "排查", "步骤", "解决方法", "操作", "流程")
_MARKER = re.compile(r"[ \t>]*(?:[-*+]|[0-9]{1,9}[.)]|\[\^[^\]]*\]:)")


@dataclass
class Item:
    """A block of the document: a heading, or what stands between."""

    block_type: str
    start: int
    end: int
    page: int | None
    # The Markdown block it comes from; its parts and atoms.
    block: Block
    level: int | None = None
    marker: str | None = None
    text: str = ""
    path: tuple[str, ...] = ()
    # A weak heading's form; a Markdown heading has none.
    form: str | None = None
    dropped: bool = False
    # Whether a heading's line says more than its text.
    shown: bool = False
    index: int = 0
    atoms: list[Span] = field(default_factory=list)


def parts_in(source: Source, part: Part, at: int = 0) -> list[Span]:
    """The outermost code, tables, formulas and HTML in a block, from their first character on."""
    found: list[Span] = []
    start = max(part.start, at)
    if part.kind in ("item", "footnote"):
        marker = _MARKER.match(source.text, start)
        start = marker.end() if marker else start
    for child in part.children:
        begin = max(child.start, start)
        if child.kind in ("code", "table", "math", "html"):
            while begin < child.end and (source.is_white(begin) or source.text[begin] == ">"):
                begin += 1
            found.append((begin, source.trim_end(begin, child.end)))
        else:
            found += parts_in(source, child, start)
    return found


def _runs(source: Source, blocks: list[Block]) -> Iterator[list[Block]]:
    """Stretches of paragraphs and lists, and each other block by itself."""
    run: list[Block] = []
    for block in blocks:
        goes_on = run and run[-1].location == block.location and source.all_white(run[-1].end, block.start)
        if block.kind in ("paragraph", "list") and goes_on:
            run.append(block)
            continue
        if run:
            yield run
            run = []
        if block.kind in ("paragraph", "list"):
            run = [block]
        else:
            yield [block]
    if run:
        yield run


def items_of(source: Source, weak_headings: bool) -> list[Item]:
    """The blocks of a document in order, with title paths and types."""
    blocks = lex(source.text)
    items: list[Item] = []
    for run in _runs(source, blocks):
        first = run[0]
        if first.kind not in ("paragraph", "list"):
            items.append(_as_it_is(first))
            continue
        span = (first.start, run[-1].end)
        atoms = sorted(atom for block in run for atom in all_atoms(block.part))
        parts = [part for block in run for part in parts_in(source, block.part)]
        behind = [block for block in blocks if block.start >= span[1] and block.kind not in DROPPED]
        followed = bool(behind) and behind[0].kind != "heading"
        stretch = Stretch(lines_of(source, span, atoms, parts), weak_headings, followed)
        for group in stretch.groups(source):
            items.append(_grouped(source, group, run))
            items[-1].atoms = atoms
    _set_paths(items)
    for item in items:
        if item.block_type == "steps?":
            words = [source.text[item.start : item.end], *item.path]
            found = any(word in _small(text) for word in KEYWORDS for text in words)
            item.block_type = "steps" if found else "list"
    for index, item in enumerate(item for item in items if not item.dropped):
        item.index = index
    return items


def _small(text: str) -> str:
    return re.sub("[A-Z]", lambda capital: capital[0].lower(), text)


def _as_it_is(block: Block) -> Item:
    item = Item("paragraph", block.start, block.end, block.page, block, atoms=all_atoms(block.part))
    item.dropped = block.kind in DROPPED
    if block.kind == "heading":
        item.block_type, item.level, item.text = "heading", block.heading_level, block.heading_text or ""
    return item


def _grouped(source: Source, group: Group, run: list[Block]) -> Item:
    block = next(block for block in run if group.start < block.end)
    kind = "steps?" if group.kind == "list" and group.numbered else group.kind
    item = Item(kind, group.start, group.end, block.page, block, text=source.text[group.start : group.end])
    if isinstance(group.title, Title):
        title = group.title
        item.level, item.marker, item.text, item.form = title.level, title.marker, title.text, title.form
        item.shown = title.form != "colon"
    return item


def _set_paths(items: list[Item]) -> None:
    """Title paths; a heading's own ends with its text."""
    markdown: list[tuple[int, str]] = []
    weak: list[tuple[tuple[float, int], str]] = []
    ranks: dict[str, float] = {"colon": float("inf")}
    for item in items:
        if item.block_type == "heading" and item.form is None:
            level = item.level or 1
            markdown = [entry for entry in markdown if entry[0] < level]
            weak = []
            if item.text:
                markdown.append((level, item.text))
        elif item.block_type == "heading" and item.form:
            family, _, dots = item.form.partition(" ")
            rank = (ranks.setdefault(family, len(ranks)), int(dots or 0))
            weak = [entry for entry in weak if entry[0] < rank]
            weak.append((rank, item.text))
        item.path = tuple(text for _, text in [*markdown, *weak])
