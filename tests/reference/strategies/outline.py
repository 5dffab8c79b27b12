"""The blocks of a document with their types and title paths (sections 4.1 to 4.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from reference.blocks import DROPPED, Block, lex
from reference.nodes import all_atoms
from reference.parts import Part
from reference.text import Source

from .plain import Span
from .stretch import Group, Stretch, lines_of
from .weak import Title, ascii_small

KEYWORDS = ("step", "troubleshoot", "故障", "排查", "步骤", "解决方法", "操作", "流程")
_MARKER = re.compile(r"[ \t>]*(?:[-*+]|[0-9]{1,9}[.)]|\[\^[^\]]*\]:)")


@dataclass
class Item:
    """A block of the document: a heading, or what stands between."""

    block_type: str
    start: int
    end: int
    page: int | None
    # The Markdown block it begins in, and all of its stretch.
    block: Block
    made_of: list[Block] = field(repr=False)
    level: int | None = None
    marker: str | None = None
    text: str = ""
    # The headings that it is under; a heading is under itself.
    under: list[Item] = field(default_factory=list, repr=False)
    # A weak heading's form; a Markdown heading has none.
    form: str | None = None
    dropped: bool = False
    # Whether a heading's line says more than its text.
    shown: bool = False
    index: int = 0
    atoms: list[Span] = field(default_factory=list)

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(heading.text for heading in self.under)

    @property
    def is_heading(self) -> bool:
        return self.block_type == "heading"

    @property
    def kind(self) -> str:
        """The kind of block that a chunk says it holds."""
        if self.block_type in ("list", "steps"):
            return "list"
        return (
            self.block.kind
            if self.block.kind not in ("paragraph", "list")
            else self.block_type.replace("qa", "paragraph")
        )


def parts_in(source: Source, part: Part, at: int = 0) -> list[tuple[Span, Part]]:
    """The outermost code, tables, formulas and HTML in a block, from their first character on."""
    found: list[tuple[Span, Part]] = []
    start = max(part.start, at)
    if part.kind in ("item", "footnote"):
        marker = _MARKER.match(source.text, start)
        start = marker.end() if marker else start
    for child in part.children:
        begin = max(child.start, start)
        if child.kind in ("code", "table", "math", "html"):
            while begin < child.end and (source.is_white(begin) or source.text[begin] == ">"):
                begin += 1
            found.append(((begin, source.trim_end(begin, child.end)), child))
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
        parts = [span for block in run for span, _ in parts_in(source, block.part)]
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
            found = any(word in ascii_small(text) for word in KEYWORDS for text in words)
            item.block_type = "steps" if found else "list"
    for index, item in enumerate(item for item in items if not item.dropped):
        item.index = index
    return items


def _as_it_is(block: Block) -> Item:
    item = Item("paragraph", block.start, block.end, block.page, block, [block], atoms=all_atoms(block.part))
    item.dropped = block.kind in DROPPED
    if block.kind == "heading":
        item.block_type, item.level, item.text = "heading", block.heading_level, block.heading_text or ""
    return item


def _grouped(source: Source, group: Group, run: list[Block]) -> Item:
    block = next(block for block in run if group.start < block.end)
    kind = "steps?" if group.kind == "list" and group.numbered else group.kind
    item = Item(kind, group.start, group.end, block.page, block, run, text=source.text[group.start : group.end])
    if isinstance(group.title, Title):
        title = group.title
        item.level, item.marker, item.text, item.form = title.level, title.marker, title.text, title.form
        item.shown = title.form != "colon"
    return item


_ROWS = {"章": "chapter", "部分": "chapter", "节": "chapter", "条": "chapter", "dotted": "arabic"}


def _rank(form: str, rows: list[str], chapters: list[str]) -> tuple[float, int]:
    """The place of a form's row in the order of first use, and the form's within the row."""
    name, _, dots = form.partition(" ")
    if name == "colon":
        return (float("inf"), 0)
    row = _ROWS.get(name, name)
    if row not in rows:
        rows.append(row)
    if name in ("章", "部分") and name not in chapters:
        chapters.append(name)
    within = {"节": 2, "条": 3, **{chapter: i for i, chapter in enumerate(chapters)}}
    return rows.index(row), int(dots) if dots else within.get(name, 0)


def _set_paths(items: list[Item]) -> None:
    """Title paths; a heading's own ends with it."""
    markdown: list[Item] = []
    weak: list[tuple[tuple[float, int], Item]] = []
    rows: list[str] = []
    chapters: list[str] = []
    for item in items:
        if item.block_type == "heading" and item.form is None:
            markdown = [above for above in markdown if (above.level or 1) < (item.level or 1)]
            weak = []
            if item.text:
                markdown.append(item)
        elif item.block_type == "heading" and item.form:
            rank = _rank(item.form, rows, chapters)
            weak = [(above, other) for above, other in weak if above < rank]
            weak.append((rank, item))
        item.under = [*markdown, *(heading for _, heading in weak)]
