"""Packing prose along its nodes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .fences import open_fences, split_code, whole_code
from .nodes import CODE_OR_TABLE, Node, leaf_starts
from .pieces import Context, Piece, Segment, synthetic
from .tables import split_table
from .windows import Cutter

_QUESTION = re.compile(r"[ \t]*(?:Q|问)[:：]", re.IGNORECASE)


@dataclass
class Open:
    """The chunk that is being filled."""

    body_start: int
    end: int
    nodes: list[Node]
    overlap_start: int | None = None

    @property
    def start(self) -> int:
        return self.body_start if self.overlap_start is None else self.overlap_start


class Packer:
    """Places the nodes of one section, in order."""

    def __init__(self, ctx: Context, nodes: list[Node]) -> None:
        self.ctx = ctx
        self.nodes = nodes
        self.unclosed = open_fences(ctx, nodes)
        self.pieces: list[Piece] = []
        self.open: Open | None = None
        # The last closed chunk, unless there is none or it was made by splitting code or a table.
        self.previous: Open | None = None

    def run(self) -> list[Piece]:
        for node in self.nodes:
            self.place(node)
        self.close()
        return self.pieces

    def segments(self, overlap_start: int | None, start: int, end: int) -> list[Segment]:
        overlap = [] if overlap_start is None else self.closed("overlap", overlap_start, start)
        return [*overlap, *self.closed("body", start, end)]

    def closed(self, role: str, start: int, end: int) -> list[Segment]:
        """The source range, with a closing fence wherever code ends in it that the source leaves open."""
        segments, at = [], start
        for place in sorted(self.unclosed):
            if start < place <= end:
                segments += [*self.ctx.slice(role, at, place), *synthetic(self.unclosed[place])]
                at = place
        return segments + self.ctx.slice(role, at, end)

    def fits(self, overlap_start: int | None, start: int, end: int) -> bool:
        return self.ctx.fits(self.segments(overlap_start, start, end))

    def place(self, node: Node) -> None:
        now = self.open
        if now and self.fits(now.overlap_start, now.body_start, node.end):
            now.end = node.end
            now.nodes.append(node)
            self.close_at_target()
        elif self.fits(None, node.start, node.end):
            self.open_with(node)
        elif node.kind in CODE_OR_TABLE:
            self.close()
            self.pieces += whole_or_split(self.ctx, node, nested=True)
            self.previous = None
        elif node.children:
            for child in node.children:
                self.place(child)
        else:
            self.close()
            self.cut(node)

    def close_at_target(self) -> None:
        now, target = self.open, self.ctx.target
        if not now or target is None:
            return
        if self.ctx.size(self.segments(now.overlap_start, now.body_start, now.end)) >= target:
            self.close("target_tokens")

    def close(self, reason: str = "max_tokens") -> None:
        now = self.open
        if now:
            self.pieces.append(Piece(self.segments(now.overlap_start, now.body_start, now.end), reason))
            self.previous, self.open = now, None

    def open_with(self, node: Node) -> None:
        """Closes the open chunk, which has no room for the node, and opens one with it."""
        now, nodes, start = self.open, [node], node.start
        lead = self.lead_in(node)
        if now and lead:
            nodes, start = [lead, node], lead.start
            now.nodes.pop()
            now.end = now.nodes[-1].end
        self.close()
        self.open = Open(start, node.end, nodes, self.overlap_start(start, node.end))
        self.close_at_target()

    def lead_in(self, node: Node) -> Node | None:
        """The paragraph placed last, if it has to stand with what follows and can."""
        now = self.open
        if not now or len(now.nodes) < 2:
            return None
        last = now.nodes[-1]
        if last.kind != "paragraph" or last.start == now.body_start:
            return None
        text = self.ctx.source.text[last.start : last.end]
        asks = text.endswith(("?", "？")) and not re.search(r"[\r\n]", text)
        if not (text.endswith((":", "：")) or _QUESTION.match(text) or asks):
            return None
        return last if self.fits(None, last.start, node.end) else None

    def overlap_start(self, start: int, end: int) -> int | None:
        """Where the overlap of a chunk that opens with `[start, end)` begins."""
        previous, ctx = self.previous, self.ctx
        if previous is None or ctx.overlap <= 0 or previous.end > start:
            return None
        places = leaf_starts(previous.nodes, previous.body_start)
        chosen = len(places)
        while chosen and ctx.count(ctx.source.text[places[chosen - 1] : previous.end]) <= ctx.overlap:
            chosen -= 1
        while chosen < len(places) and not self.fits(places[chosen], start, end):
            chosen += 1
        return places[chosen] if chosen < len(places) else None

    def cut(self, node: Node) -> None:
        """Cuts a node without children by windows; the last window stays open."""
        ctx = self.ctx
        cutter = Cutter(
            ctx.source,
            node.start,
            node.end,
            ctx.budget,
            ctx.encoding,
            node.atoms,
            before=ctx.prefix,
            overlap=ctx.overlap,
        )
        windows = cutter.windows()
        for window in windows:
            self.open = Open(window.start, window.end, [node], window.overlap_start)
            if window is not windows[-1]:
                self.close("token_window")
        self.close_at_target()


def whole_or_split(ctx: Context, node: Node, nested: bool = False) -> list[Piece]:
    """Code or a table that does not fit with the full prefix: the prefix gives way, or it is split."""
    if node.kind == "table":
        segments = ctx.body(node.start, node.end)
    elif nested:
        segments = [*ctx.body(node.start, node.end), *synthetic(open_fences(ctx, [node]).get(node.end, ""))]
    else:
        segments = whole_code(ctx, node)
    whole = ctx.give_way(segments)
    if whole:
        return [whole]
    return split_code(ctx, node) if node.kind == "code" else split_table(ctx, node)


def split_prose(ctx: Context, nodes: list[Node]) -> list[Piece]:
    """The chunks of a section of prose, of an image or of a heading alone."""
    return Packer(ctx, nodes).run()
