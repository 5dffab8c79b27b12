"""Sections of blocks under one title, and how they are packed (section 4.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from unittest import mock

from reference import fences, tables
from reference.nodes import Node as BlockNode
from reference.nodes import all_atoms, node_of
from reference.parts import Part
from reference.pieces import Context
from reference.pieces import Segment as BuiltSegment
from reference.prefix import HeadingLine
from reference.text import Source

from .cutting import SizedCutter
from .nodes import CLAUSES, LINES, SENTENCES, Node, Tree
from .outline import Item, items_of, parts_in
from .packing import WINDOW_LEVEL, Open, Packer, Plan
from .plain import Span, pieces_of
from .sizes import Size

LEVELS = (LINES, SENTENCES, CLAUSES)
# Role, text, start, end (None where it is not in the source).
Segment = tuple[str, str, int | None, int | None]

_QUESTION = re.compile(r"[ \t]*(?:Q|问)[:：]", re.IGNORECASE)


@dataclass
class Section:
    """Blocks of one title path and page; `head` are the headings shown in front of them, or the one that is alone."""

    head: list[Item]
    blocks: list[Item]
    under: list[Item]
    page: int | None

    @property
    def items(self) -> list[Item]:
        return [*self.head, *self.blocks]


def sections_of(items: list[Item]) -> list[Section]:
    """The sections with blocks in them, and the headings that are left alone."""
    sections: list[Section] = []
    run: list[Item] = []
    goes_on = False
    for item in items:
        if item.is_heading:
            run.append(item)
            goes_on = False
        elif item.dropped:
            run, goes_on = [], False
        else:
            last = sections[-1] if goes_on else None
            if last and last.page == item.page and last.under == item.under:
                last.blocks.append(item)
            else:
                sections.append(Section(_shown(run, item), [item], item.under, item.page))
            run, goes_on = [], True
    sections += _alone(items, sections)
    return sorted(sections, key=lambda section: section.items[0].start)


def _shown(run: list[Item], block: Item) -> list[Item]:
    """The headings directly in front of a block, from the first one on whose line is to be seen and which it is under."""
    near: list[Item] = []
    for heading in reversed(run):
        if heading.page != block.page:
            break
        near.insert(0, heading)
    first = next((i for i, heading in enumerate(near) if heading.shown and heading in block.under), len(near))
    return near[first:]


def _alone(items: list[Item], sections: list[Section]) -> list[Section]:
    inside = [heading for section in sections for heading in section.head]
    named = [heading for section in sections for heading in section.under]
    found: list[Section] = []
    for heading in reversed([item for item in items if item.is_heading]):
        if heading in inside or not heading.text:
            continue
        if heading.shown or heading not in named:
            above = [other for other in heading.under if other is not heading]
            found.append(Section([heading], [], above, heading.page))
            named += above
    return found


@dataclass(frozen=True)
class Made:
    """A chunk to be."""

    segments: list[Segment]
    reason: str


@dataclass
class SizedContext(Context):
    """What splitting code and tables needs, measured by another size."""

    size_of: Size | None = None

    def count(self, text: str) -> int:
        return self.size_of.n(text) if self.size_of else super().count(text)


@contextmanager
def _measured_by(size: Size) -> Iterator[None]:
    """Lets code and tables be cut by another size than tokens of an encoding."""
    cutter = partial(SizedCutter, size=size)
    with mock.patch.object(fences, "Cutter", cutter), mock.patch.object(tables, "Cutter", cutter):
        yield


class StructuredPacker(Packer):
    """Places the blocks of one section."""

    def __init__(self, source: Source, plan: Plan, least: int, section: Section) -> None:
        atoms = sorted({atom for item in section.items for atom in item.atoms})
        kept = [(a, b) for a, b in atoms if plan.size.n(source.text[a:b]) <= plan.budget]
        super().__init__(source, plan, Tree(source, LEVELS, kept))
        self.least = least
        self.section = section
        self.made: list[Made] = []
        # The chunk made last, unless it is of code or a table.
        self.before: Open | None = None
        # Whether the open chunk is made of pieces of a block that does not fit, and whether more of them may follow.
        self.large = self.cutting = False
        heading = HeadingLine((), None, "", plan.budget, "")
        self.ctx = SizedContext(source, plan.budget, None, 0, "", heading, "", plan.size)
        self.closings = self.open_fences()
        # Code and tables, nested or not, by where their node begins and ends.
        self.whole: dict[Span, BlockNode] = {}
        self.nested: list[Node] = []

    def open_fences(self) -> dict[int, str]:
        """Where code ends, nested or not, that has no closing fence."""
        blocks = {block.start: block for item in self.section.blocks for block in item.made_of}
        found = fences.open_fences(self.ctx, [node_of(self.source, block) for block in blocks.values()])
        return {place: text for place, text in found.items() if self.ctx.count(text) <= 3 * self.plan.budget // 4}

    # Content.

    def slices(self, role: str, start: int, end: int) -> list[Segment]:
        found: list[Segment] = []
        for place, closing in sorted(self.closings.items()):
            if start < place <= end:
                found += [(role, self.source.text[start:place], start, place), ("synthetic", closing, None, None)]
                start = place
        return [*found, (role, self.source.text[start:end], start, end)] if start < end else found

    def segments(self, overlap_start: int | None, start: int, end: int) -> list[Segment]:
        overlap = [] if overlap_start is None else self.slices("overlap", overlap_start, start)
        return [*overlap, *self.slices("body", start, end)]

    def n(self, start: int, end: int) -> int:
        return self.plan.size.n("".join(text for _, text, _, _ in self.slices("body", start, end)))

    # Placing.

    def run(self) -> list[Made]:
        head = self.section.head
        if head:
            self.place_head(Node(head[0].start, head[-1].end, 0))
        for item in self.section.blocks:
            self.place_block(item)
        self.close()
        return self.made

    def place_head(self, node: Node) -> None:
        """The shown lines, or a heading alone. Of an overlap they are one leaf."""
        self.large = self.cutting = not self.fits(node.start, node.end)
        self.place_piece(node)
        self.cutting = False
        if self.open and self.section.blocks:
            self.open.nodes = [Node(self.open.start, self.open.end, WINDOW_LEVEL)]
            self.large = False

    def holds_only_shown(self) -> bool:
        """Whether nothing of a block has been placed in the open chunk."""
        return bool(self.open and self.section.blocks and self.open.end <= self.section.blocks[0].start)

    def extend(self, node: Node) -> bool:
        now = self.open
        if not now or not self.fits(now.start, node.end):
            return False
        now.end = node.end
        now.nodes.append(node)
        return True

    def place_block(self, item: Item) -> None:
        is_text = item.block_type == "paragraph" and item.block.kind in ("paragraph", "list")
        node = Node(item.start, item.end, 0, unit=is_text)
        if item.block.kind in ("code", "table"):
            node = self.in_one(item.start, item.end, item.block.part)
        self.nested += self.nested_in(item)
        if self.extend(node):
            self.large = False
        elif self.fits(node.start, node.end):
            self.large = False
            if self.holds_only_shown() and is_text:
                self.place_piece(node)
            else:
                self.open_block(item, node)
        else:
            self.place_large(node)

    def in_one(self, start: int, end: int, part: Part) -> Node:
        """Code or a table: it has no children, and is cut in its own way."""
        self.whole[start, end] = BlockNode(part.kind, start, end, part, atoms=all_atoms(part))
        return Node(start, end, WINDOW_LEVEL)

    def nested_in(self, item: Item) -> list[Node]:
        """The code and tables in a block, each from its line's start."""
        blocks = [block for block in item.made_of if block.kind not in ("code", "table")]
        found = [pair for block in blocks for pair in parts_in(self.source, block.part)]
        return [
            self.in_one(max(item.start, self.source.first_place(start, ">")), end, part)
            for (start, end), part in found
            if part.kind in ("code", "table") and item.start <= start < item.end
        ]

    def children(self, node: Node) -> tuple[list[Node], bool]:
        """The lines of a block, code and tables in it as one each; of what is smaller what it is cut into. And whether an overlap may begin at these."""
        if (node.start, node.end) in self.whole:
            return [], False
        inside = [part for part in self.nested if node.start <= part.start and part.end <= node.end]
        if not inside:
            found = self.tree.children(node)
            return (found[0], found[1].carried) if found else ([], False)
        made: list[Node] = []
        at = node.start
        for part in [*inside, Node(node.end, node.end, 0)]:
            pieces = pieces_of(
                self.source, (at, part.start), LINES.places(self.source, (at, part.start)), self.tree.kept
            )
            made += [Node(start, end, 1) for start, end in pieces]
            made += [part] if part.start < part.end else []
            at = part.end
        return made, True

    def leaf_starts(self, nodes: list[Node]) -> list[int]:
        starts: list[int] = []
        for node in nodes:
            children, carried = self.children(node)
            starts += self.leaf_starts(children) if children and carried else [node.start]
        return starts

    def open_block(self, item: Item, node: Node) -> None:
        lead = self.lead_in(node) if item.block_type in ("list", "steps") else None
        now, nodes = self.open, [node]
        if now and lead:
            nodes = [lead, node]
            now.nodes.pop()
            now.end = now.nodes[-1].end
        self.close()
        first = Node(nodes[0].start, node.end, 0)
        self.open = Open(first.start, node.end, nodes, self.overlap_start(first))

    def lead_in(self, node: Node) -> Node | None:
        """The paragraph placed last, if it has to stand with the list and can."""
        now = self.open
        if not now or len(now.nodes) < 2 or not now.nodes[-1].unit:
            return None
        last = now.nodes[-1]
        if last.start == self.section.blocks[0].start:
            return None
        text = self.source.text[last.start : last.end]
        asks = text.endswith(("?", "？")) and not re.search(r"[\r\n]", text)
        if not (text.endswith((":", "：")) or _QUESTION.match(text) or asks):
            return None
        return last if self.fits(last.start, node.end) else None

    def place_large(self, node: Node) -> None:
        """A block that does not fit."""
        if not self.holds_only_shown() or (node.start, node.end) in self.whole:
            self.close()
            self.previous = None
        self.large = self.cutting = True
        for child in self.children(node)[0] or [node]:
            self.place_piece(child)
        self.cutting = False
        now = self.open
        if not now or self.n(now.start, now.end) >= self.least:
            self.close()
            self.previous, self.large = None, False

    def place_piece(self, node: Node) -> None:
        if self.extend(node):
            return
        children, _ = self.children(node)
        fits = self.fits(node.start, node.end)
        if fits and not (self.holds_only_shown() and children):
            self.close()
            self.open = Open(node.start, node.end, [node], self.overlap_start(node))
        elif children:
            for child in children:
                self.place_piece(child)
        elif (node.start, node.end) in self.whole:
            self.close()
            self.split(self.whole[node.start, node.end])
        else:
            self.close()
            self.cut(node)

    def split(self, node: BlockNode) -> None:
        """Code or a table that does not fit."""
        with _measured_by(self.plan.size):
            cut = fences.split_code if node.kind == "code" else tables.split_table
            for piece in cut(self.ctx, node):
                self.made.append(Made([_plain(segment) for segment in piece.segments], "block_too_large"))
        self.previous = self.before = None

    # Closing.

    def close(self, reason: str | None = None) -> None:
        now = self.open
        if not now:
            return
        reason = "block_too_large" if self.large else (reason or self.plan.size.most_reason)
        if self.n(now.start, now.end) < self.least and self.joins(now):
            assert self.before is not None
            now = Open(self.before.body_start, now.end, [*self.before.nodes, *now.nodes], self.before.overlap_start)
            self.made.pop()
        self.made.append(Made(self.segments(now.overlap_start, now.body_start, now.end), reason))
        self.before = now
        self.previous, self.open = (None if self.large and not self.cutting else now), None

    def joins(self, now: Open) -> bool:
        """Whether the chunk before can take this one in."""
        before = self.before
        if not before or self.made[-1].reason == "block_too_large":
            return False
        return self.fits(before.start, now.end)


def _plain(segment: BuiltSegment) -> Segment:
    return segment.role, segment.text, segment.start, segment.end


def structured(source: Source, plan: Plan, least: int, weak_headings: bool) -> list[tuple[Section, list[Made]]]:
    """The sections of a document with their chunks."""
    sections = sections_of(items_of(source, weak_headings))
    return [(section, StructuredPacker(source, plan, least, section).run()) for section in sections]
