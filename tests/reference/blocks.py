"""A text's blocks: what the document is made of, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from .mask import SUBSTITUTE, Span
from .parts import Lexer, Part
from .text import Source

# What the two parsers read differently, and why it is left so.
KNOWN_DIFFERENCES = [
    "U+000B and U+000C count as blanks in some of pulldown-cmark's scanners; CommonMark knows blank and tab only"
    " (form feeds are masked here, vertical tabs are not)",
    "a table without outer pipes behind a lazy line of a quote or list item: pulldown-cmark reads the lines as text of the"
    " container's paragraph (and a program that looks for tables in paragraphs finds it there), markdown-it-py does not",
    "~one tilde~ is struck through in pulldown-cmark, here only ~~two~~ are: matters for the text of a heading only",
    "lists nested deeper than 200 levels (tabs in front of list items reach 256): markdown-it-py recurses, Python's stack ends",
    "what stands behind the last column of a table has no atoms in pulldown-cmark (nor what stands behind the first one of a table that is masked)",
    "a table whose rows lack too many cells, behind a line of text: the program finds it in the paragraph, as it is found there without its mask",
    "a header row that ends in a backslash is no table in pulldown-cmark",
    "the last item of a loose list in a quote in an item is empty, and a blank line without `>` follows: pulldown-cmark ends the outer"
    " list there, against CommonMark",
    "a line that is indented by four columns or more for the outer container and too little for the inner one: CommonMark"
    " (and pulldown-cmark) go on with the paragraph, markdown-it-py begins a block (generated where tabs stand behind a `>`)",
    "a lazy line behind a link definition in a quote belongs to the quote, markdown-it-py begins a paragraph",
    "a task list's `[x]` is a link here if a definition of `x` exists: the span of an atom only",
]

PROSE = frozenset(("paragraph", "list", "quote", "html", "math"))
ALONE = frozenset(("table", "code", "image"))
DROPPED = frozenset(("front_matter", "thematic_break", "page_marker"))

_PAGE = re.compile(r"<!--[ \t]*page(?:[ \t]*:[ \t]*|[ \t]+)([0-9]{1,9})[ \t]*-->", re.IGNORECASE)
_TABLE_END = re.compile(r"</table", re.IGNORECASE)


@dataclass
class Block:
    """One structural unit with its source range, heading path and source location."""

    kind: str
    start: int
    end: int
    part: Part
    heading_level: int | None = None
    heading_text: str | None = None
    heading_path: tuple[str, ...] = ()
    page: int | None = None
    language: str | None = None
    sheet: str | None = None
    cell_range: str | None = None
    slide: int | None = None
    bbox: tuple[float, ...] | None = None
    description: str | None = None
    own_path: bool = False
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def location(self) -> tuple[Any, ...]:
        return (self.page, self.sheet, self.cell_range, self.slide)


@dataclass(frozen=True)
class PageMark:
    """A form feed (number None) or a page marker, with the range that belongs to no block."""

    start: int
    end: int
    number: int | None


def lex(text: str) -> list[Block]:
    """All blocks of a Markdown text."""
    source = Source(text)
    lexer = Lexer(source)
    parts = lexer.parts()
    for part in parts:
        part.text = _unmasked(lexer, part)
    blocks = [_block(source, part) for part in parts]
    blocks = [b for b in blocks if b.start < b.end]
    blocks = _with_captions(source, blocks)
    blocks = _html_tables(source, blocks)
    marks = _page_marks(source, parts)
    blocks = list(_with_gaps(source, blocks, lexer.front))
    blocks = [piece for block in blocks for piece in _cut_at_pages(source, block, marks)]
    _set_pages(blocks, marks)
    set_heading_paths(blocks)
    return blocks


def _unmasked(lexer: Lexer, part: Part) -> str:
    """A heading's text with the source's characters in place of those that stand for container marks."""
    hidden = (lexer.text[at] for at in range(part.start, part.end) if lexer.masked[at] == SUBSTITUTE)
    return re.sub(SUBSTITUTE, lambda _: next(hidden, SUBSTITUTE), part.text) if SUBSTITUTE in part.text else part.text


def _block(source: Source, part: Part) -> Block:
    start = source.first_place(source.skip_white(part.start, part.end))
    kind = {"footnote": "paragraph", "rule": "thematic_break"}.get(part.kind, part.kind)
    if kind == "html":
        if _PAGE.fullmatch(source.text[part.start : part.end].strip()):
            kind = "page_marker"
        elif re.match(r"\s*<table", source.text[part.start : part.end], re.IGNORECASE):
            kind, part.kind, part.html = "table", "table", True
    block = Block(kind, start, part.end, part)
    if kind == "heading":
        block.heading_level, block.heading_text = part.level, part.text
    if kind == "code":
        block.language = language_of(part.info)
    return block


def language_of(info: str) -> str | None:
    """The first word of an info string, with the braces of `{.python}` taken off."""
    return re.split(r"[\s,{}]", info.lstrip("{."), maxsplit=1)[0] or None


def _with_captions(source: Source, blocks: list[Block]) -> list[Block]:
    """Tables take in the one line paragraph that stands directly above."""
    done: list[Block] = []
    for block in blocks:
        above = done[-1] if done else None
        if block.part.header is not None and above and above.part.kind == "paragraph" and above.kind == "paragraph":
            between = source.text[above.end : block.start]
            if len(source.lines(above.start, above.end)) == 1 and len(re.findall(r"\r\n|[\r\n\f]", between)) == 1:
                done.pop()
                block = replace(block, start=above.start)
                block.part.start = above.start
                block.part.atoms[:0] = above.part.atoms
        done.append(block)
    return done


def _html_tables(source: Source, blocks: list[Block]) -> list[Block]:
    """A `<table` without its end goes on up to the block that holds it."""
    done: list[Block] = []
    index = 0
    while index < len(blocks):
        block = blocks[index]
        last = index
        if block.part.html and not _TABLE_END.search(source.text, block.start, block.end):
            for other in range(index + 1, len(blocks)):
                if blocks[other].kind == "heading":
                    break
                if _TABLE_END.search(source.text, blocks[other].start, blocks[other].end):
                    last = other
                    break
        if last > index:
            block = replace(block, end=blocks[last].end, part=replace(block.part, end=blocks[last].end))
        done.append(block)
        index = last + 1
    return done


def _with_gaps(source: Source, blocks: list[Block], front: Span | None) -> Iterator[Block]:
    """The blocks with front matter, and a paragraph for each text that the parser reports no block for."""
    at = 0
    if front:
        at = source.trim_end(*front)
        yield Block("front_matter", front[0], at, Part("front_matter", front[0], at))
    for block in [*blocks, Block("end", len(source.text), len(source.text), Part("end", 0, 0))]:
        first = source.skip_white(at, block.start)
        if first < block.start:
            start, end = max(at, source.first_place(first)), source.trim_end(first, block.start)
            yield Block("paragraph", start, end, Part("paragraph", start, end))
        if block.kind != "end":
            yield block
        at = block.end


def _page_marks(source: Source, parts: list[Part]) -> list[PageMark]:
    marks = [PageMark(m.start(), m.end(), None) for m in re.finditer("\f", source.text)]

    def walk(part: Part) -> None:
        if part.kind == "html" or part.html:
            found = _PAGE.search(source.text, part.start, part.end)
            if (
                found
                and not source.text[part.start : found.start()].strip(" \t>-+*.)0123456789")
                and (found.end() == part.end)
            ):
                marks.append(PageMark(found.start(), found.end(), int(found[1])))
                part.marker = True
        for child in part.children:
            walk(child)

    for part in parts:
        walk(part)
    return sorted(marks, key=lambda mark: mark.start)


def _inside_whole(part: Part, position: int) -> bool:
    """Whether the position lies in a nested part, or an atom, that no page break cuts."""
    if any(a < position < b for a, b in part.atoms):
        return True
    for child in part.children:
        inside = child.start <= position < child.end and not child.marker
        if inside and (child.kind in ("code", "table", "html") or _inside_whole(child, position)):
            return True
    return False


def _cut_at_pages(source: Source, block: Block, marks: list[PageMark]) -> Iterator[Block]:
    inner = [m for m in marks if block.start <= m.start < block.end and not _inside_whole(block.part, m.start)]
    if block.kind not in ("paragraph", "list", "quote", "image") or not inner:
        yield block
        return
    at = block.start
    for mark in [*inner, PageMark(block.end, block.end, None)]:
        first = source.skip_white(at, mark.start)
        if first < mark.start:
            start, end = max(at, source.first_place(first)), source.trim_end(first, mark.start)
            yield replace(block, start=start, end=end, part=clip(block.part, start, end))
        if mark.number is not None:
            begin = max(at, source.first_place(mark.start))
            yield Block("page_marker", begin, mark.end, Part("page_marker", begin, mark.end))
        at = mark.end


def clip(part: Part, start: int, end: int) -> Part:
    """What of the part lies in the range."""
    children = [clip(c, start, end) for c in part.children if c.start < end and c.end > start and not c.marker]
    return replace(
        part,
        start=max(part.start, start),
        end=min(part.end, end),
        children=children,
        atoms=[a for a in part.atoms if start <= a[0] and a[1] <= end],
        opening=part.opening if part.start >= start else "",
        closed=part.closed and part.end <= end,
        header=part.header if part.header is not None and part.header >= start else None,
    )


def _set_pages(blocks: list[Block], marks: list[PageMark]) -> None:
    if not marks:
        return
    first = marks[0].number
    page, at = (1 if first is None else max(1, first - 1)), 0
    for block in blocks:
        while at < len(marks) and marks[at].start < block.start:
            number = marks[at].number
            page = page + 1 if number is None else number
            at += 1
        block.page = page


def set_heading_paths(blocks: list[Block]) -> None:
    """Gives each block the texts of the headings it stands under (a heading: those above it)."""
    path: list[tuple[int, str]] = []
    for block in blocks:
        if block.kind == "heading":
            level = block.heading_level or 1
            while path and path[-1][0] >= level:
                path.pop()
            if block.own_path:
                path = list(enumerate(block.heading_path, 1))
            block.heading_path = tuple(text for _, text in path)
            if block.heading_text:
                path.append((level, block.heading_text))
        elif not block.own_path:
            block.heading_path = tuple(text for _, text in path)
