"""Ends chunks where neighbouring windows of sentences are unlike (section 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reference.text import Source

from .lexical import Lexical, cosine, similarity
from .nodes import Node
from .packing import Packer, Piece, Plan
from .plain import Section
from .simple import SENTENCE, tree_of

REACH = 3

# Vectors of texts; None is the lexical embedder.
Embed = Callable[[list[str]], Sequence[Sequence[float]]] | None


def falls(source: Source, units: list[Node], threshold: float, embed: Embed) -> list[bool]:
    """For each sentence but the last whether the similarity behind it is below the threshold."""

    def text(first: int, last: int) -> str:
        return source.text[units[max(first, 0)].start : units[min(last, len(units) - 1)].end]

    lexical = Lexical([text(i, i) for i in range(len(units))])
    found = []
    for place in range(len(units) - 1):
        front, behind = (max(place - REACH + 1, 0), place), (place + 1, place + REACH)
        if embed is None:
            alike = similarity(lexical.terms(*front), lexical.terms(*behind))
        else:
            alike = cosine(*embed([text(*front), text(*behind)]))
        found.append(alike < threshold)
    return found


def semantic(source: Source, section: Section, plan: Plan, least: int, threshold: float, embed: Embed) -> list[Piece]:
    """The chunks of a section."""
    tree = tree_of(source, section, plan, SENTENCE)
    units = tree.units((section.start, section.end))
    packer = Packer(source, plan, tree)
    for unit, following, fall in zip(
        units, [*units[1:], None], [*falls(source, units, threshold, embed), False], strict=True
    ):
        packer.place(unit)
        now = packer.open
        if (
            fall
            and following
            and now
            and packer.n(now.start, now.end) >= least <= packer.n(following.start, section.end)
        ):
            packer.close("similarity")
    packer.close()
    return packer.pieces
