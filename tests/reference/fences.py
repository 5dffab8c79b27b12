"""Splitting code between its lines; every piece has its own fence."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from .nodes import Node
from .pieces import Context, Piece, Segment, joined_lines, merged, synthetic
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


def _lead(before: str) -> str:
    """What stands in front of a fence, list markers as blanks. A `>` takes one blank behind it for its own, so a marker directly behind it becomes two."""
    lead, previous = "", ""
    for c in before:
        if previous == ">" and c not in " \t>":
            lead += " "
        lead += c if c in " \t>" else " "
        previous = c
    return lead


def read_code(ctx: Context, node: Node) -> Code:
    """Takes a code node apart."""
    source = ctx.source
    lines = source.lines(node.start, node.end)
    part = node.part
    if not part.opening:
        runs = [len(run) for run in re.findall(r"`+", source.text[node.start : node.end])]
        fence = "`" * max(3, max(runs, default=0) + 1)
        margin = re.match(r"[ \t>]*", source.text[slice(*lines[0])])
        return Code(lines, fence + part.info, fence, None, None, margin[0] if margin else "")
    # A first child begins where its container does, which may be some lines (of quote marks) in front of the fence.
    at = source.text.index(part.opening, max(node.start, part.start))
    row = next(i for i, (_, stop) in enumerate(lines) if at < stop)
    start, end = lines[row]
    lead = _lead(source.text[start:at])
    closing = lines[-1] if part.closed and len(lines) > row + 1 else None
    content = lines[row + 1 : -1] if closing else lines[row + 1 :]
    head = lead + source.text[at:end].rstrip()
    return Code(content, head, lead + part.opening, (node.start, end), closing, lead)


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
                if last or not all(self.white(line) for line in range(start, stop)):
                    self.emit(self.segments(start, stop), "max_tokens")
            start = stop
        if not self.pieces or (not total and (self.code.closing or self.first)):
            self.emit(self.segments(0, 0), "max_tokens")
        return self.pieces

    def emit(self, segments: list[Segment], reason: str) -> None:
        self.pieces.append(Piece(segments, reason, self.ctx.prefix))
        self.first = False

    def shorten(self) -> None:
        """Leaves out the info string, the prefix, or the fence if there would be too little room beside them."""
        code, bare = self.code, replace(self.ctx, prefix="")
        fence = code.close
        own = self.ctx.source.text[code.lines[-1][1] : code.closing[1]] if code.closing and code.lines else ""
        behind = max("\n" + fence, own, key=self.ctx.count)
        for ctx, opening in [(self.ctx, code.open), (self.ctx, fence), (bare, code.open), (bare, fence)]:
            if self.narrow(ctx.prefix + opening + "\n" + code.margin + behind):
                self.ctx, code.open = ctx, opening
                break
        else:
            self.ctx, code.open, code.close = bare, "", ""
        if not code.opening:
            return
        if not code.close or not self.narrow(self.ctx.prefix + self.text_of(code.opening) + "\n" + fence):
            self.give_out_opening(code.opening, fence)

    def text_of(self, line: Span | None) -> str:
        return self.ctx.source.text[slice(*line)] if line else ""

    def narrow(self, text: str) -> bool:
        return self.ctx.count(text) <= 3 * self.ctx.budget // 4

    def give_out_opening(self, opening: Span, close: str) -> None:
        ctx = self.ctx
        behind = "\n" + close if self.narrow(ctx.prefix + close) else ""
        cutter = Cutter(ctx.source, *opening, ctx.budget, ctx.encoding, [], before=ctx.prefix, first_after=behind)
        windows = cutter.windows()
        for window in windows:
            tail = synthetic(behind) if window is windows[0] else []
            reason = "max_tokens" if window is windows[-1] else "token_window"
            self.emit([*ctx.body(window.start, window.end), *tail], reason)

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
        """The piece with the lines `[start, stop)`: no white lines at its front, nor at its end unless the source's closing line follows."""
        code, source = self.code, self.ctx.source
        own_opening = code.opening if self.first else None
        last = stop == len(code.lines) and bool(code.closing)
        while not own_opening and start < stop and self.white(start):
            start += 1
        begins = [own_opening, *code.lines[start:stop], code.closing if last else None]
        ends = [line for line in begins if line]
        if not ends:
            return joined_lines(source, [self.opening(), self.closing(last)])
        body = self.ctx.body(ends[0][0], source.trim_end(ends[0][0], ends[-1][1]))
        front = [] if own_opening else self.opening()
        return joined_lines(source, [front, body, [] if last else self.closing(False)])

    def most(self, start: int) -> int:
        stop = start
        while stop < len(self.code.lines) and self.ctx.fits(self.segments(start, stop + 1)):
            stop += 1
            if self.ctx.reaches_target(self.segments(start, stop)):
                break
        return stop

    def content(self, line: int) -> str:
        """The line behind the fence's indentation."""
        start, end = self.code.lines[line]
        text, taken = self.ctx.source.text[start:end], 0
        while taken < min(len(self.code.margin), len(text)) and text[taken] in " \t>":
            taken += 1
        return text[taken:]

    def blank(self, line: int) -> bool:
        return all(c in WHITE or c == ">" for c in self.ctx.source.text[slice(*self.code.lines[line])])

    def white(self, line: int) -> bool:
        """Whether nothing at all stands in the line, a quote's mark neither: such a mark must not get lost."""
        return self.ctx.source.all_white(*self.code.lines[line])

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
            if (
                not self.blank(cut)
                and not self.indented(cut)
                and head not in ("}", ")", "]")
                and self.indented(cut - 1)
            ):
                return cut
        return stop

    def cut_line(self, line: int) -> None:
        """Windows for a line that does not fit alone."""
        ctx, code = self.ctx, self.code
        last = line == len(code.lines) - 1
        if self.white(line):
            if last and code.closing:
                self.emit(joined_lines(ctx.source, [self.opening(), self.closing(True)]), "max_tokens")
            return
        start, end = code.lines[line]
        ends = ["\n" + code.close if code.close else ""]
        if last and code.closing:
            ends += ["\n" + self.text_of(code.closing), ctx.source.text[end : code.closing[1]]]
        after = max(ends, key=ctx.count)
        # All but the first window of a line get the margin that its container asks for.
        later = code.open + "\n" + code.margin if code.open else code.margin
        first = ctx.prefix + (code.open and code.open + "\n")
        text_start = ctx.source.skip_white(start, end)
        own_opening = self.first and code.opening is not None
        if own_opening and code.opening:
            start, first = code.opening[0], ctx.prefix
        cutter = Cutter(ctx.source, start, end, ctx.budget, ctx.encoding, [], ctx.prefix + later, after)
        cutter.first_before = first
        cutter.other_afters = tuple(ends)
        if own_opening:
            cutter.limit_to(text_start)
        windows = cutter.windows()
        for window in windows:
            final = window is windows[-1]
            front = [*synthetic(later), *ctx.body(window.start, window.end)]
            parts = [front, self.closing(last and final)]
            if window is windows[0]:
                parts = [[] if own_opening else self.opening(), ctx.body(window.start, window.end), parts[1]]
            self.emit(merged(joined_lines(ctx.source, parts)), "max_tokens" if final else "token_window")


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
