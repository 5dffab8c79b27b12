"""The tree along which prose is split."""

from __future__ import annotations

from dataclasses import dataclass, field

from .blocks import Block
from .parts import Part
from .sentences import sentence_ends
from .text import Source, inside_any

CODE_OR_TABLE = ("code", "table")
TEXT = ("paragraph", "heading", "html", "image", "rule", "text")


@dataclass
class Node:
    """A piece of the source that packing places as a whole if it can."""

    kind: str
    start: int
    end: int
    part: Part
    children: list[Node] = field(default_factory=list)
    atoms: list[tuple[int, int]] = field(default_factory=list)


def node_of(source: Source, block: Block) -> Node:
    """The tree of a block."""
    return _build(source, block.part, block.start, block.end, block.kind)


def _build(source: Source, part: Part, start: int, end: int, kind: str | None = None) -> Node:
    node = Node(part.kind if kind is None or part.kind == "footnote" else kind, start, end, part)
    node.atoms = all_atoms(part)
    if node.kind in CODE_OR_TABLE:
        return node
    if part.children:
        node.children = _tiles(source, part, start, end)
        if len(node.children) == 1:
            return node.children[0]
    elif node.kind == "math":
        lines = [(a, source.trim_end(a, b)) for a, b in source.lines(start, end)]
        node.children = [Node("line", a, b, part) for a, b in lines if a < b]
    else:
        node.children = sentences(source, node)
    return node


def _tiles(source: Source, part: Part, start: int, end: int) -> list[Node]:
    begins = [start, *(source.first_place(max(c.start, start), ">") for c in part.children[1:])]
    nodes: list[Node] = []
    for child, begin, stop in zip(part.children, begins, [*begins[1:], end], strict=True):
        stop = source.trim_end(begin, stop)
        if source.all_white(begin, stop):
            continue
        if child.kind in CODE_OR_TABLE and not source.all_white(min(child.end, stop), stop):
            nodes.append(_build(source, child, begin, child.end))
            behind = source.first_place(source.skip_white(child.end, stop))
            text = Node("text", max(child.end, behind), stop, child)
            text.children = sentences(source, text)
            nodes.append(text)
        else:
            nodes.append(_build(source, child, begin, stop))
    return nodes


def all_atoms(part: Part) -> list[tuple[int, int]]:
    """The atoms of a part and of all parts in it, in order."""
    return sorted([*part.atoms, *(atom for child in part.children for atom in all_atoms(child))])


def sentence_spans(source: Source, start: int, end: int, atoms: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The sentences of a range, trimmed; blanks and tabs that begin a line stay."""
    spans, at = [], start
    for stop in sentence_ends(source.text[start:end], False):
        stop += start
        if stop < end:
            behind = source.skip_white(stop, end)
            begins_atom = any(a == behind for a, _ in atoms)
            closing = source.closes_at(behind) and not begins_atom
            if inside_any(stop, atoms) or closing or source.fence_at(behind):
                continue
        first = source.skip_white(at, stop)
        if first < stop:
            spans.append((max(at, source.first_place(first)), source.trim_end(first, stop)))
        at = stop
    return spans


def sentences(source: Source, node: Node) -> list[Node]:
    """The sentences of a text leaf as nodes."""
    return [
        Node("sentence", a, b, node.part, atoms=node.atoms)
        for a, b in sentence_spans(source, node.start, node.end, node.atoms)
    ]


def leaf_starts(nodes: list[Node], begin: int) -> list[int]:
    """Where behind `begin` an overlap may start in a chunk of these nodes: at sentences, and at whole code blocks, tables and formulas."""
    starts: list[int] = []
    for node in nodes:
        if node.kind == "line":
            # The line of a formula that had to be cut: nothing in front of it is taken either.
            starts = []
        elif node.children and node.kind != "math":
            starts += leaf_starts(node.children, begin)
        elif node.start > begin:
            starts.append(node.start)
    return starts
