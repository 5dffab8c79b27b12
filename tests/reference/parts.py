"""The tree of a Markdown text's block parts with their source ranges, and the atoms in their text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from markdown_it.token import Token

from . import markdown
from .mask import Span, masked
from .text import Source

CONTAINERS = {
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "blockquote_open": "quote",
    "footnote_open": "footnote",
}
LEAVES = {"fence": "code", "code_block": "code", "html_block": "html", "hr": "rule", "table_open": "table"}

_EMPTY_ITEM = re.compile(r"(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(?:[-*+]|\d{1,9}[.)])[ \t]*")


@dataclass
class Part:
    """A node of the block structure. `start` is where its first line starts unless it begins inside a line."""

    kind: str
    start: int
    end: int
    children: list[Part] = field(default_factory=list)
    atoms: list[Span] = field(default_factory=list)
    level: int = 0
    text: str = ""
    info: str = ""
    # Code: what stands in the source. A table: the header row's line; `html` for one of tags.
    opening: str = ""
    closed: bool = False
    header: int | None = None
    html: bool = False
    marker: bool = False


class Lexer:
    """Turns one text into parts."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.masked, self.front, self.formulas = masked(self.text)
        self.base = 1 if self.text.startswith("\ufeff") else 0
        self.lines: list[Span] = []
        at = self.base
        for line in self.masked[self.base :].split("\n"):
            # A line feed has been made of `\r\n` with a blank in front of it, which no line holds.
            stop = at + len(line) - (self.text[at + len(line) - 1 : at + len(line) + 1] == "\r\n")
            self.lines.append((at, max(at, stop)))
            at += len(line) + 1
        self.drop_blank_lines()
        self.env: dict[str, Any] = {}

    def drop_blank_lines(self) -> None:
        """Of several blank lines behind an empty list item the parser is shown one: markdown-it-py ends the list at a second one."""
        kept: list[Span] = []
        self.stops: list[int] = []
        blanks = 0
        for span in self.lines:
            line = self.masked[slice(*span)]
            if _EMPTY_ITEM.fullmatch(line):
                blanks = 1
            elif line.strip(" \t>"):
                blanks = 0
            elif blanks == 1:
                blanks = 2
            elif blanks == 2 and line.count(">") == self.masked[slice(*kept[-1])].count(">"):
                self.stops[-1] = span[1]
                continue
            kept.append(span)
            self.stops.append(span[1])
        self.lines = kept

    def parts(self) -> list[Part]:
        tokens = markdown.blocks_of("\n".join(self.masked[slice(*line)] for line in self.lines), self.env)
        root = Part("root", 0, len(self.text))
        stack = [root]
        for index, token in enumerate(tokens):
            if token.type in CONTAINERS:
                part = self.part(CONTAINERS[token.type], token)
                stack[-1].children.append(part)
                stack.append(part)
            elif token.type.endswith("_close") and token.type.replace("close", "open") in CONTAINERS:
                stack.pop()
            elif token.type in LEAVES:
                stack[-1].children.append(self.leaf(token))
            elif token.type in ("paragraph_open", "heading_open"):
                stack[-1].children.extend(self.inline_parts(token, tokens[index + 1]))
        return root.children

    def part(self, kind: str, token: Token) -> Part:
        assert token.map is not None
        first, last = token.map
        start = self.lines[first][0]
        return Part(kind, start, self.source.trim_end(start, self.stops[max(first, last - 1)]))

    def leaf(self, token: Token) -> Part:
        part = self.part(LEAVES[token.type], token)
        assert token.map is not None
        first, last = token.map
        if token.type == "fence":
            line = self.text[slice(*self.lines[first])]
            part.opening, part.info = token.markup, line[line.index(token.markup) + len(token.markup) :].strip()
            content = token.content.count("\n") + bool(token.content and not token.content.endswith("\n"))
            part.closed = last - first - 1 > content
        elif token.type == "table_open":
            part.header = self.lines[first][0]
            for row in range(first, last):
                if row != first + 1:
                    part.atoms += self.cell_atoms(*self.lines[row])
        return part

    def cell_atoms(self, start: int, end: int) -> list[Span]:
        """Atoms in the cells of a row; a cell ends at a pipe, whatever stands around it."""
        line, found, at = self.masked[start:end], [], 0
        for stop in [*(m.start() for m in re.finditer(r"(?<!\\)\|", line)), len(line)]:
            atoms = markdown.inlines_of(line[at:stop], self.env)[1]
            found += [(start + at + a, start + at + b) for a, b in atoms]
            at = stop + 1
        return found

    def inline_parts(self, token: Token, inline: Token) -> list[Part]:
        """A heading or paragraph, or what a paragraph is cut into by the formulas in it."""
        kind = token.type.removesuffix("_open")
        part = self.part(kind, token)
        content = markdown.without_attributes(inline.content) if kind == "heading" else inline.content
        assert token.map is not None
        places = self.places(inline.content, *token.map)
        tokens, atoms = markdown.inlines_of(content, self.env)
        part.atoms = [(places[a], places[b - 1] + 1) for a, b in atoms]
        if kind == "heading":
            part.level = int(token.tag[1:])
            plain = " ".join(markdown.plain_text(tokens).split())
            part.text = plain or " ".join((content.strip() or inline.content).split())
            for start, end in self.formulas:
                if part.start <= start and end <= part.end:
                    if not any(a <= start and end <= b for a, b in part.atoms):
                        part.atoms = sorted([*part.atoms, (start, end)])
                    part.text = part.text.replace("x" * (end - start), " ".join(self.text[start:end].split()), 1)
            return [part]
        if [t.type for t in tokens if not _white(t)] == ["math_display"]:
            part.kind = "math"
            return [part]
        inside = [f for f in self.formulas if part.start <= f[0] < part.end]
        if inside:
            return self.cut_at_formulas(part, inside)
        if _only_images(tokens):
            part.kind = "image"
        return [part]

    def cut_at_formulas(self, part: Part, formulas: list[Span]) -> list[Part]:
        pieces, at = [], part.start
        for start, end in [*formulas, (part.end, part.end)]:
            first = self.source.skip_white(at, start)
            stop = self.source.trim_end(first, start)
            # In a quote the formula's line begins with the quote's marks: they go with the formula.
            mark = self.source.first_place(start, ">") if start < end else start
            stop = min(stop, self.source.trim_end(first, mark)) if mark > first else first
            if first < stop and self.text[first:stop].strip(" \t\r\n>"):
                begin = part.start if first < part.start else max(part.start, self.source.first_place(first, ">"))
                inner = [a for a in part.atoms if first <= a[0] and a[1] <= stop]
                pieces.append(replace(part, start=begin, end=stop, atoms=inner))
            if start < end:
                pieces.append(Part("math", max(mark, part.start), end))
            at = end
        return pieces

    def places(self, content: str, first: int, last: int) -> list[int]:
        """The source position of each character of a block's inline content (and of its end)."""
        rows = content.split("\n")
        # Python's strip takes lines of white space that Markdown does not know off the front of a paragraph.
        while last - first > len(rows) and not self.masked[slice(*self.lines[first])].strip(" \t>").strip():
            first += 1
        places: list[int] = []
        for row, (start, end) in zip(rows, self.lines[first:last], strict=False):
            line, core = self.masked[start:end], row.strip()
            at = len(line.rstrip()) - len(core)
            if line[at : at + len(core)] != core or at < 0:
                at = max(line.find(core), 0)
            lead = len(row) - len(row.lstrip())
            places += [min(max(start, start + at + i - lead), end) for i in range(len(row))]
            places.append(end)
        return places


def _white(token: Token) -> bool:
    return token.type in ("softbreak", "hardbreak") or (token.type == "text" and not token.content.strip())


def _only_images(tokens: list[Token]) -> bool:
    """Whether there are only images, links around images, and white space."""
    images, in_link = 0, -1
    for token in tokens:
        if token.type == "image":
            images += 1
        elif token.type == "link_open":
            in_link = images
        elif token.type == "link_close":
            if images == in_link:
                return False
        elif not _white(token):
            return False
    return images > 0
