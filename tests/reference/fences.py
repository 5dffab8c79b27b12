"""Splitting code between its lines; every piece has its own fence."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from .nodes import Node
from .pieces import Context, Piece, Segment, content_of, joined_lines, merged, synthetic
from .text import WHITE
from .windows import Cutter

Span = tuple[int, int]


@dataclass
class Code:
    """The lines of a code block and the fences of its pieces."""

    lines: list[Span]
    open: str
    close: str
    # The source's own fence lines.
    opening: Span | None
    closing: Span | None
    # What stands in front of the fence (or of an indented block's first line), without list marks.
    margin: str


def read_code(ctx: Context, node: Node) -> Code:
    """Takes a code node apart."""
    source = ctx.source
    lines = source.lines(node.start, node.end)
    part = node.part
    if not part.opening:
        runs = [len(run) for run in re.findall(r"`+", source.text[node.start : node.end])]
        fence = "`" * max(3, max(runs, default=0) + 1)
        margin = re.match(r"[ \t>]*", source.text[slice(*lines[0])])
        return Code(lines, fence, fence, None, None, margin[0] if margin else "")
    start, end = lines[0]
    at = source.text.index(part.opening, start)
    lead = "".join(c if c in " \t>" else " " for c in source.text[start:at])
    closing = lines[-1] if part.closed and len(lines) > 1 else None
    content = lines[1:-1] if closing else lines[1:]
    head = lead + source.text[at:end].rstrip()
    return Code(content, head, lead + part.opening, lines[0], closing, lead)


def whole_code(ctx: Context, node: Node) -> list[Segment]:
    """All of the code in one piece, with fences where the source has none."""
    code, body = read_code(ctx, node), ctx.body(node.start, node.end)
    opening = [] if code.opening else synthetic(code.open)
    closing = [] if code.closing else synthetic(code.close)
    return joined_lines(ctx.source, [opening, body, closing])


class _Splitter:
    def __init__(self, ctx: Context, node: Node) -> None:
        self.ctx = ctx
        self.node = node
        self.code = read_code(ctx, node)
        self.pieces: list[Piece] = []
        self.first = True

    def run(self) -> list[Piece]:
        self.shorten()
        start, total = 0, len(self.code.lines)
        while start < total:
            stop = self.most(start)
            if stop == start:
                self.cut_line(start)
                stop = start + 1
            else:
                if stop < total:
                    stop = self.moved_back(start, stop)
                last = stop == total and self.code.closing
                if last or not all(self.blank(line) for line in range(start, stop)):
                    self.emit(self.segments(start, stop), "max_tokens")
            start = stop
        if not total and (self.code.closing or self.first) or not self.pieces:
            self.emit(self.segments(0, 0), "max_tokens")
        return self.pieces

    def emit(self, segments: list[Segment], reason: str) -> None:
        self.pieces.append(Piece(segments, reason, self.ctx.prefix))
        self.first = False

    def shorten(self) -> None:
        """Leaves out the info string, the prefix, or the fence if there would be too little room beside them."""
        code, bare = self.code, replace(self.ctx, prefix="")
        for ctx, opening in [(self.ctx, code.open), (self.ctx, code.close), (bare, code.open), (bare, code.close)]:
            if self.narrow(ctx.prefix + opening + "\n" + code.close):
                self.ctx, code.open = ctx, opening
                break
        else:
            self.ctx, code.open, code.close = bare, "", ""
        if code.opening:
            opening = self.ctx.source.text[slice(*code.opening)]
            if not self.narrow(self.ctx.prefix + opening + ("\n" + code.close if code.close else "")):
                self.give_out_opening(code.opening, code.margin + self.node.part.opening)

    def narrow(self, text: str) -> bool:
        return self.ctx.count(text) <= 3 * self.ctx.budget // 4

    def give_out_opening(self, opening: Span, close: str) -> None:
        ctx = self.ctx
        behind = "\n" + close if self.narrow(ctx.prefix + close) else ""
        cutter = Cutter(ctx.source, *opening, ctx.budget, ctx.encoding, [], before=ctx.prefix, first_after=behind)
        windows = cutter.windows()
        for window in windows:
            tail = synthetic(behind) if window is windows[0] else []
            self.emit([*ctx.body(window.start, window.end), *tail], "token_window")

    def opening(self) -> list[Segment]:
        code = self.code
        if self.first and code.opening:
            return self.ctx.body(*code.opening)
        return synthetic(code.open)

    def closing(self, last: bool) -> list[Segment]:
        code = self.code
        if last and code.closing:
            return self.ctx.body(*code.closing)
        return synthetic(code.close)

    def segments(self, start: int, stop: int) -> list[Segment]:
        """The piece with the lines `[start, stop)`, without blank lines at its ends."""
        code = self.code
        last = stop == len(code.lines)
        low, high = start, stop
        while low < high and self.blank(low):
            low += 1
        while low < high and self.blank(high - 1):
            high -= 1
        if low == high:
            low, high = start, stop
        lines = self.ctx.body(code.lines[low][0], code.lines[high - 1][1]) if low < high else []
        return joined_lines(self.ctx.source, [self.opening(), lines, self.closing(last)])

    def most(self, start: int) -> int:
        stop = start
        while stop < len(self.code.lines) and self.ctx.fits(self.segments(start, stop + 1)):
            stop += 1
        return stop

    def content(self, line: int) -> str:
        """The line behind the fence's indentation."""
        start, end = self.code.lines[line]
        text, taken = self.ctx.source.text[start:end], 0
        while taken < min(len(self.code.margin), len(text)) and text[taken] in " \t>":
            taken += 1
        return text[taken:]

    def blank(self, line: int) -> bool:
        return all(c in WHITE for c in self.content(line))

    def indented(self, line: int) -> bool:
        text = self.ctx.source.text[slice(*self.code.lines[line])]
        return len(text) - len(text.lstrip(" \t>")) > len(self.code.margin)

    def moved_back(self, start: int, stop: int) -> int:
        lowest = start + max(1, (stop - start + 1) // 2)
        for cut in range(stop, lowest - 1, -1):
            if self.blank(cut - 1):
                return cut
        for cut in range(stop, lowest - 1, -1):
            head = self.content(cut).lstrip(" \t>")[:1]
            if not self.blank(cut) and not self.indented(cut) and head not in ("}", ")", "]") and self.indented(cut - 1):
                return cut
        return stop

    def cut_line(self, line: int) -> None:
        """Windows for a line that does not fit alone."""
        ctx, code = self.ctx, self.code
        last = line == len(code.lines) - 1
        if self.blank(line):
            if last and code.closing:
                self.emit(joined_lines(ctx.source, [self.opening(), self.closing(True)]), "max_tokens")
            return
        start, end = code.lines[line]
        opening = self.opening()
        before = content_of(opening)
        ends = {content_of(self.closing(False)), content_of(self.closing(last))}
        # All but the first window of a line get the margin that its container asks for.
        later = code.open + "\n" + code.margin if code.open else code.margin
        cutter = Cutter(
            ctx.source,
            start,
            end,
            ctx.budget,
            ctx.encoding,
            [],
            before=ctx.prefix + later,
            first_before=ctx.prefix + (before and before + "\n"),
            after=max(("\n" + text if text else "" for text in ends), key=len),
        )
        windows = cutter.windows()
        for window in windows:
            final = window is windows[-1]
            body = ctx.body(window.start, window.end)
            front = [self.opening(), body] if window is windows[0] else [[*synthetic(later), *body]]
            segments = joined_lines(ctx.source, [*front, self.closing(last and final)])
            self.emit(merged(segments), "max_tokens" if final else "token_window")


def open_fences(ctx: Context, nodes: list[Node]) -> dict[int, str]:
    """Where fenced code ends that the source leaves open, and what closes it."""
    found: dict[int, str] = {}
    for node in nodes:
        if node.kind == "code" and node.part.opening and not node.part.closed:
            found[node.end] = "\n" + read_code(ctx, node).close
        found.update(open_fences(ctx, node.children))
    return found


def split_code(ctx: Context, node: Node) -> list[Piece]:
    """The chunks of a code block that is too long for one."""
    return _Splitter(ctx, node).run()
