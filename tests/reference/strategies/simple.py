"""The strategies that pack units: sentence, paragraph, recursive."""

from __future__ import annotations

from collections.abc import Sequence

from reference.text import Source

from .atoms import atoms_of
from .nodes import CLAUSES, LINES, PARAGRAPHS, SENTENCES, Level, Node, Tree, separators
from .packing import Packer, Piece, Plan
from .plain import Section

SENTENCE = (SENTENCES, CLAUSES)
PARAGRAPH = (PARAGRAPHS, LINES, SENTENCES, CLAUSES)
SEPARATORS = ("\n\n", "\n", "。", "！", "？", "；", "，", ". ", " ", "")


def tree_of(source: Source, section: Section, plan: Plan, levels: tuple[Level, ...]) -> Tree:
    """The levels with the section's atoms that fit."""
    atoms = atoms_of(source, section.start, section.end)
    kept = [(a, b) for a, b in atoms if plan.size.n(source.text[a:b]) <= plan.budget]
    return Tree(source, levels, kept)


def by_units(source: Source, section: Section, plan: Plan, levels: tuple[Level, ...]) -> list[Piece]:
    """Sentences or paragraphs, so many of them at most."""
    tree = tree_of(source, section, plan, levels)
    packer = Packer(source, plan, tree)
    for unit in tree.units((section.start, section.end)):
        packer.place(unit)
    packer.close()
    return packer.pieces


def recursive(source: Source, section: Section, plan: Plan, given: Sequence[str] | None) -> list[Piece]:
    """Pieces between separators; a section that fits is whole."""
    levels = separators(SEPARATORS if given is None else given)
    packer = Packer(source, plan, tree_of(source, section, plan, levels))
    packer.place(Node(section.start, section.end, 0))
    packer.close()
    return packer.pieces
