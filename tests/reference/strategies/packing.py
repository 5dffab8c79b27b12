"""Placing the units of a section (section 2.1; design.md 3.3 and 3.4)."""

from __future__ import annotations

from dataclasses import dataclass, field

from reference.text import Source

from .cutting import SizedCutter
from .nodes import Node, Tree
from .sizes import Size

WINDOW_LEVEL = 1_000_000


@dataclass(frozen=True)
class Plan:
    """The settings in force for a strategy."""

    size: Size
    budget: int
    overlap: int = 0
    soft: bool = False
    most_units: int | None = None
    cutter: type[SizedCutter] = SizedCutter


@dataclass(frozen=True)
class Piece:
    """A chunk to be. `overlap_start` is where its overlap begins, if it has one."""

    start: int
    end: int
    reason: str
    overlap_start: int | None = None


@dataclass
class Open:
    """The chunk that is being filled."""

    body_start: int
    end: int
    nodes: list[Node] = field(default_factory=list)
    overlap_start: int | None = None

    @property
    def start(self) -> int:
        return self.body_start if self.overlap_start is None else self.overlap_start

    @property
    def units(self) -> int:
        return sum(node.unit for node in self.nodes)


class Packer:
    """Places the nodes of one section, in order."""

    def __init__(self, source: Source, plan: Plan, tree: Tree) -> None:
        self.source = source
        self.plan = plan
        self.tree = tree
        self.pieces: list[Piece] = []
        self.open: Open | None = None
        self.previous: Open | None = None

    def n(self, start: int, end: int) -> int:
        return self.plan.size.n(self.source.text[start:end])

    def fits(self, start: int, end: int) -> bool:
        return self.n(start, end) <= self.plan.budget

    def place(self, node: Node) -> None:
        now = self.open
        if now and self.fits(now.start, node.end):
            now.end = node.end
            now.nodes.append(node)
            self.close_if_full()
        elif self.fits(node.start, node.end):
            self.close()
            self.open = Open(node.start, node.end, [node], self.overlap_start(node))
            self.close_if_full()
        elif node.unit and self.plan.soft:
            self.close()
            self.open = Open(node.start, node.end, [node])
            self.close("whole_unit")
        elif found := self.tree.children(node):
            for child in found[0]:
                self.place(child)
        else:
            self.close()
            self.cut(node)

    def close_if_full(self) -> None:
        if self.open and self.plan.most_units and self.open.units >= self.plan.most_units:
            self.close("max_units")

    def close(self, reason: str | None = None) -> None:
        now = self.open
        if now:
            reason = reason or self.plan.size.most_reason
            self.pieces.append(Piece(now.body_start, now.end, reason, now.overlap_start))
            self.previous, self.open = now, None

    def overlap_start(self, node: Node) -> int | None:
        """Where the overlap of a chunk that opens with the node begins."""
        previous, most = self.previous, self.plan.overlap
        if previous is None or most <= 0 or previous.end > node.start:
            return None
        places = [p for p in self.leaf_starts(previous.nodes) if p > previous.body_start]
        chosen = len(places)
        while chosen and self.n(places[chosen - 1], previous.end) <= most:
            chosen -= 1
        while chosen < len(places) and not self.fits(places[chosen], node.end):
            chosen += 1
        return places[chosen] if chosen < len(places) else None

    def leaf_starts(self, nodes: list[Node]) -> list[int]:
        """Where an overlap may begin in a chunk of these nodes."""
        return self.tree.leaf_starts(nodes)

    def windows(self, node: Node) -> list[Open]:
        """A node without children, cut."""
        plan = self.plan
        cutter = plan.cutter(
            self.source, node.start, node.end, plan.budget, "", self.tree.kept, overlap=plan.overlap, size=plan.size
        )
        return [Open(w.start, w.end, [Node(w.start, w.end, WINDOW_LEVEL)], w.overlap_start) for w in cutter.windows()]

    def cut(self, node: Node) -> None:
        """Closes all windows but the last."""
        windows = self.windows(node)
        for window in windows:
            self.open = window
            if window is not windows[-1]:
                self.close(f"{self.plan.size.unit}_window")
