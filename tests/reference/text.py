"""Positions, lines, white space and character classes of a source text."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property

import regex

WHITE = frozenset(
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
)
CLOSING = frozenset("。．｡，、！？；：）］｝】〕〗〉》」』”’…" + ".,!?;:)]}")
OPENING = frozenset("（［｛【〔〖〈《「『“‘([{")
FENCE_RUN = re.compile(r"`{3,}|~{3,}")
LINE_END = re.compile(r"\r\n|\r|\n")
CJK = re.compile(
    "[\u1100-\u11ff\u2e80-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U0001f200-\U0001f2ff\U00020000-\U0003ffff]"
)


class Source:
    """A text with its line starts, byte offsets and trimming. All positions are code points."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def line_starts(self) -> list[int]:
        return [0, *(m.end() for m in LINE_END.finditer(self.text))]

    @cached_property
    def bytes_before(self) -> list[int]:
        total, sums = 0, [0]
        for char in self.text:
            total += len(char.encode())
            sums.append(total)
        return sums

    @cached_property
    def grapheme_starts(self) -> list[int]:
        """All grapheme cluster boundaries of the text, its end included."""
        return [0, *(m.end() for m in regex.finditer(r"\X", self.text))]

    def byte(self, position: int) -> int:
        return self.bytes_before[position]

    def from_byte(self, byte: int) -> int:
        """The position of that byte, down to a character boundary."""
        return bisect_right(self.bytes_before, byte) - 1

    def line_number(self, position: int) -> int:
        return bisect_right(self.line_starts, position)

    def line_start(self, position: int) -> int:
        return self.line_starts[self.line_number(position) - 1]

    def is_white(self, position: int) -> bool:
        return self.text[position] in WHITE or (position == 0 and self.text[0] == "\ufeff")

    def trim_end(self, start: int, end: int) -> int:
        while end > start and self.is_white(end - 1):
            end -= 1
        return end

    def skip_white(self, start: int, end: int) -> int:
        while start < end and self.is_white(start):
            start += 1
        return start

    def all_white(self, start: int, end: int) -> bool:
        return self.skip_white(start, end) == end

    def first_place(self, position: int, also: str = "") -> int:
        """The line's start if only blanks and tabs (and `also`) stand between it and the position, else the position."""
        start = self.line_start(position)
        if start == 0 < position and self.text[0] == "\ufeff":
            start = 1
        return start if not self.text[start:position].strip(" \t" + also) else position

    def lines(self, start: int, end: int) -> list[tuple[int, int]]:
        """The lines between two positions, each without its line end."""
        spans, at = [], start
        for match in LINE_END.finditer(self.text, start, end):
            spans.append((at, match.start()))
            at = match.end()
        if at < end or not spans:
            spans.append((at, end))
        return spans

    def graphemes_in(self, start: int, end: int) -> list[int]:
        """Grapheme cluster boundaries in `(start, end]`."""
        marks = self.grapheme_starts
        return marks[bisect_right(marks, start) : bisect_right(marks, end)]

    def closes_at(self, position: int) -> bool:
        text = self.text
        return position < len(text) and text[position] in CLOSING and not text.startswith("![", position)

    def opens_before(self, position: int) -> bool:
        return position > 0 and self.text[position - 1] in OPENING

    def fence_at(self, position: int) -> bool:
        return FENCE_RUN.match(self.text, position) is not None


def inside_any(position: int, spans: list[tuple[int, int]]) -> bool:
    """Whether the position lies strictly inside one of the sorted, disjoint spans."""
    at = bisect_left(spans, (position, 0)) - 1
    return at >= 0 and spans[at][0] < position < spans[at][1]
