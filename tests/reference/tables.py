"""Splitting tables between rows; every piece says its header again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from .htmltable import read_html_table
from .markdown import delimiter_columns
from .nodes import Node
from .pieces import Context, Piece, Segment, merged, synthetic
from .text import Source
from .windows import Cutter

Span = tuple[int, int]
MOST_SECOND_LEVEL = 3


@dataclass
class Table:
    """Head and rows of a table; `forms` are the ranges that may be repeated, longest first."""

    head: Span | None
    forms: list[Span]
    rows: list[Span]
    # What has to follow every piece with a head but the last.
    tail: str = ""
    cells: bool = True


def _bare(line: str) -> str:
    return line.strip(" \t>")


def _is_delimiter(line: str) -> bool:
    return delimiter_columns(_bare(line)) > 0


def row_pipes(line: str) -> list[int]:
    """Positions of the pipes that separate cells."""
    return [m.end() - 1 for m in re.finditer(r"\\.|\|", line) if m[0] == "|"]


def _second_level(line: str) -> bool:
    """Whether the row's first cell is empty and another one is not."""
    bare = _bare(line)
    pipes = row_pipes(bare)
    return len(pipes) > 1 and pipes[0] == 0 and not bare[1 : pipes[1]].strip() and bool(bare[pipes[1] :].strip(" \t|"))


def read_table(ctx: Context, node: Node) -> Table:
    """Takes a table node apart by its lines."""
    source, part = ctx.source, node.part
    tagged = read_html_table(ctx, node) if part.html else None
    if tagged:
        return tagged
    lines = source.lines(node.start, node.end)
    texts = [source.text[a:b] for a, b in lines]
    if part.header is not None:
        header = next(i for i, (_, stop) in enumerate(lines) if stop >= part.header)
    else:
        found = next((i for i in range(1, len(texts)) if _is_delimiter(texts[i])), None)
        if found is None:
            # Nothing is repeated: one form, which is empty.
            return Table(None, [(node.start, node.start)], _rows(source, lines))
        header = found - 1
    second = header + 2
    while second < len(lines) and _second_level(texts[second]):
        second += 1
    if second == len(lines) or second - header - 2 > MOST_SECOND_LEVEL:
        second = header + 2
    starts = [start for start, _ in lines] + [node.end]
    forms = [(node.start, starts[second]), (starts[header], starts[second]), (starts[header], starts[header + 2])]
    return Table((node.start, source.trim_end(*lines[second - 1])), forms, _rows(source, lines[second:]))


def _rows(source: Source, lines: list[Span]) -> list[Span]:
    """The lines that hold something, trimmed."""
    return [(start, source.trim_end(start, end)) for start, end in lines if not source.all_white(start, end)]


class _Splitter:
    def __init__(self, ctx: Context, node: Node) -> None:
        self.ctx = ctx
        self.node = node
        self.table = read_table(ctx, node)
        self.pieces: list[Piece] = []

    def run(self) -> list[Piece]:
        row = self.first_piece()
        rows = self.table.rows
        while row < len(rows):
            form = next((i for i, f in enumerate(self.table.forms) if self.fits(f, row, row + 1)), None)
            if form is None:
                given = (
                    self.ctx.give_way(self.segments(self.table.forms[-1], row, row + 1)) if self.table.forms else None
                )
                if given:
                    self.pieces.append(given)
                elif self.fits(None, row, row + 1):
                    self.emit(self.segments(None, row, row + 1))
                else:
                    self.cut_row(rows[row])
                row += 1
                continue
            stop = row + 1
            whole = self.table.forms[form] == self.table.forms[0]
            while whole and stop < len(rows) and self.fits(self.table.forms[0], row, stop + 1):
                if self.ctx.reaches_target(self.segments(self.table.forms[0], row, stop)):
                    break
                stop += 1
            self.emit(self.segments(self.table.forms[form], row, stop))
            row = stop
        return self.pieces

    def emit(self, segments: list[Segment], reason: str = "max_tokens") -> None:
        self.pieces.append(Piece(merged(segments), reason))

    def first_piece(self) -> int:
        """The piece that begins with the table's own head; returns the first row that is left."""
        ctx, table = self.ctx, self.table
        if table.head is None:
            return 0
        stop = 0
        while stop < len(table.rows) and ctx.fits(self.first_segments(stop + 1)):
            stop += 1
            if ctx.reaches_target(self.first_segments(stop)):
                break
        given = ctx.give_way(self.first_segments(1)) if table.rows and not stop else None
        if given:
            self.pieces.append(given)
            return 1
        if stop or ctx.fits(self.first_segments(0)):
            self.emit(self.first_segments(stop))
        else:
            self.as_text(*table.head)
        return stop

    def first_segments(self, stop: int) -> list[Segment]:
        table = self.table
        assert table.head is not None
        end = table.rows[stop - 1][1] if stop else table.head[1]
        body = self.ctx.body(self.node.start, end)
        return [*body, *synthetic(table.tail if stop < len(table.rows) else "")]

    def segments(self, form: Span | None, row: int, stop: int) -> list[Segment]:
        ctx, table = self.ctx, self.table
        rows = (table.rows[row][0], table.rows[stop - 1][1])
        body = ctx.body(*rows)
        if form is None:
            return body
        head = [Segment("repeat", ctx.source.text[form[0] : form[1]], *form)]
        return [*head, *body, *synthetic(table.tail if stop < len(table.rows) else "")]

    def fits(self, form: Span | None, row: int, stop: int) -> bool:
        return self.ctx.fits(self.segments(form, row, stop))

    def as_text(self, start: int, end: int, reason: str = "max_tokens") -> None:
        """Lines packed greedily, and windows for a line that is too long."""
        self.pack([line for line in self.ctx.source.lines(start, end) if not self.ctx.source.all_white(*line)], reason)

    def pack(self, units: list[Span], reason: str) -> None:
        """Units packed like prose; one that is too long is cut by windows, the last of which stays open."""
        ctx = self.ctx
        current: Span | None = None
        for start, end in units:
            stop = ctx.source.trim_end(start, end)
            if current and ctx.fits(ctx.body(current[0], stop)):
                current = (current[0], stop)
            else:
                if current:
                    self.emit(ctx.body(*current), reason)
                current = (start, stop)
                if not ctx.fits(ctx.body(start, stop)):
                    current = self.windows(start, stop)
            if ctx.reaches_target(ctx.body(*current)):
                self.emit(ctx.body(*current), "target_tokens")
                current = None
        if current:
            self.emit(ctx.body(*current))

    def windows(self, start: int, end: int) -> Span:
        """Emits all windows but the last."""
        ctx = self.ctx
        cutter = Cutter(ctx.source, start, end, ctx.budget, ctx.encoding, self.node.atoms, before=ctx.prefix)
        *before, last = cutter.windows()
        for window in before:
            self.emit(ctx.body(window.start, window.end), "token_window")
        return last.start, last.end

    def cut_row(self, row: Span) -> None:
        """A row that is too wide by itself: cells (or lines of tags) packed greedily, or windows."""
        if self.table.cells:
            self.pack(self.cells(*row), "token_window")
        else:
            self.as_text(*row, "token_window")

    def cells(self, start: int, end: int) -> list[Span]:
        """The row cut in front of its pipes, the outer ones left aside."""
        text = self.ctx.source.text[start:end]
        outer = {len(text) - len(text.lstrip(" \t>")), len(text.rstrip()) - 1}
        cuts = [start, *(start + p for p in row_pipes(text) if p not in outer), end]
        return list(pairwise(cuts))


def split_table(ctx: Context, node: Node) -> list[Piece]:
    """The chunks of a table that is too long for one."""
    return _Splitter(ctx, node).run()
