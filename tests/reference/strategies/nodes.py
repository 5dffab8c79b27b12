"""How each strategy takes a section apart, level by level (section 2.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reference.sentences import sentence_ends
from reference.text import LINE_END, WHITE, Source

from .plain import Span, pieces_of

# The places in a span at which a level cuts.
Places = Callable[[Source, Span], list[int]]

_WHITE_RUN = re.compile("[" + "".join(sorted(WHITE)) + "]+")
_CLAUSE = re.compile("[，；：、]|[,;:](?=[" + "".join(sorted(WHITE)) + "])")


@dataclass(frozen=True)
class Level:
    """One way to cut. `carried`: whether an overlap may begin at its pieces."""

    name: str
    places: Places
    carried: bool = True


@dataclass(frozen=True)
class Node:
    """A span that is placed; it has been cut by the levels in front of `level`."""

    start: int
    end: int
    level: int
    # Whether it is one of those that a chunk may hold so many of.
    unit: bool = False


def paragraph_places(source: Source, span: Span) -> list[int]:
    """White space with two line ends in it."""
    runs = _WHITE_RUN.finditer(source.text, *span)
    return [run.end() for run in runs if len(LINE_END.findall(run[0])) > 1]


def line_places(source: Source, span: Span) -> list[int]:
    return [end.end() for end in LINE_END.finditer(source.text, *span)]


def sentence_places(source: Source, span: Span) -> list[int]:
    return [span[0] + end for end in sentence_ends(source.text[slice(*span)], soft=True)]


def _behind_closing(source: Source, place: int, end: int) -> int:
    while place < end and source.closes_at(place):
        place += 1
    return place


def clause_places(source: Source, span: Span) -> list[int]:
    return [_behind_closing(source, mark.end(), span[1]) for mark in _CLAUSE.finditer(source.text, *span)]


def separator_places(separator: str) -> Places:
    """Behind each occurrence of a separator, and the closing punctuation that follows (in the same line)."""
    line_end = separator.endswith("\n")
    pattern = re.escape(separator)
    if len(separator) > 1 and not separator.strip("\n"):
        pattern = "\n" + "\r?\n" * (len(separator) - 1)

    def places(source: Source, span: Span) -> list[int]:
        found = [span[0] + f.end() for f in re.finditer(pattern, source.text[slice(*span)])]
        return found if line_end else [_behind_closing(source, place, span[1]) for place in found]

    return places


PARAGRAPHS = Level("paragraph", paragraph_places)
LINES = Level("line", line_places)
SENTENCES = Level("sentence", sentence_places)
CLAUSES = Level("clause", clause_places, carried=False)


def separators(of: Sequence[str]) -> tuple[Level, ...]:
    """One level for each separator, up to the empty one."""
    used = of[: of.index("")] if "" in of else of
    return tuple(Level(s, separator_places(s), carried=s != " ") for s in used)


@dataclass
class Tree:
    """The levels at work on one section."""

    source: Source
    levels: tuple[Level, ...]
    # The atoms that must stay whole.
    kept: list[Span]

    def units(self, span: Span) -> list[Node]:
        """The pieces of the first level, be it one."""
        pieces = pieces_of(self.source, span, self.levels[0].places(self.source, span), self.kept)
        return [Node(a, b, 1, unit=True) for a, b in pieces]

    def children(self, node: Node) -> tuple[list[Node], Level] | None:
        """What the first level cuts the node into that makes more than one piece of it."""
        for index in range(node.level, len(self.levels)):
            level = self.levels[index]
            pieces = pieces_of(
                self.source, (node.start, node.end), level.places(self.source, (node.start, node.end)), self.kept
            )
            if len(pieces) > 1:
                return [Node(a, b, index + 1) for a, b in pieces], level
        return None

    def leaf_starts(self, nodes: list[Node]) -> list[int]:
        """Where an overlap may begin in a chunk of these nodes."""
        starts: list[int] = []
        for node in nodes:
            found = self.children(node)
            if found and found[1].carried:
                starts += self.leaf_starts(found[0])
            else:
                starts.append(node.start)
        return starts
