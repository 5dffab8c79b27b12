"""Cutting a text that has no structure left."""

from __future__ import annotations

import string
from bisect import bisect_right
from dataclasses import dataclass

from .text import CJK, WHITE, Source, inside_any
from .tokens import count, token_lengths

_WIDE_CLAUSE = frozenset("，；：、。！？")
_ASCII_CLAUSE = frozenset(",;:.!?")
_ASCII_MARKS = frozenset(string.punctuation)


@dataclass(frozen=True)
class Window:
    """A piece `[start, end)` (trimmed) that takes the source up to `next_start`, with its overlap's start."""

    overlap_start: int | None
    start: int
    end: int
    next_start: int


@dataclass
class Cutter:
    """Cuts one span. `before` and `after` stand around every window."""

    source: Source
    start: int
    end: int
    budget: int
    encoding: str
    atoms: list[tuple[int, int]]
    before: str = ""
    after: str = ""
    overlap: int = 0
    # No cut lies in front of this position (a code block's opening line belongs to the first window of its first line).
    floor: int = 0
    # What stands around the first window, where that differs.
    first_before: str | None = None
    first_after: str | None = None
    # What may stand behind a window instead, and has to fit as well.
    other_afters: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        text = self.source.text
        # Whether there is a window yet; those of white space alone are none.
        self.begun = False
        whole = [a for a in self.atoms if a[0] < self.end and a[1] > self.start]
        self.kept = [a for a in whole if self.count(self.before + text[a[0] : a[1]] + self.after) <= self.budget]
        marks = self.source.graphemes_in(self.start, self.end)
        self.positions = [p for p in marks if p < self.end and self._allowed(p)]
        self.last_resorts = [
            p for p in marks if p < self.end and not inside_any(p, self.kept) and not self.source.fence_at(p)
        ]
        self.clauses = [p for p in self.positions if self._is_clause(p)]
        self.words = [p for p in self.positions if self._is_word(p)]
        self.words = sorted({*self.clauses, *self.words})
        self.parts = [p for p in self.positions if self._is_part(p)]
        room = self.budget - self.count(self.before + self.after)
        self.overlap = min(self.overlap, room // 2)

    def limit_to(self, floor: int) -> None:
        """Lets no cut lie in front of or at this position."""
        self.floor = floor
        places = (self.positions, self.clauses, self.words, self.parts, self.last_resorts)
        self.positions, self.clauses, self.words, self.parts, self.last_resorts = (
            [p for p in some if p > floor] for some in places
        )

    def count(self, text: str) -> int:
        return count(text, self.encoding)

    def _allowed(self, p: int) -> bool:
        source = self.source
        if inside_any(p, self.kept) or source.fence_at(p) or source.opens_before(p):
            return False
        return not source.closes_at(p) and source.text[p] not in WHITE

    def _is_clause(self, p: int) -> bool:
        text, at = self.source.text, p
        while at > self.start and text[at - 1] in WHITE:
            at -= 1
        if at == self.start or text[p] in WHITE:
            return False
        return text[at - 1] in _WIDE_CLAUSE or (text[at - 1] in _ASCII_CLAUSE and at < p)

    def _is_word(self, p: int) -> bool:
        before, behind = self.source.text[p - 1], self.source.text[p]
        if before in WHITE:
            return behind not in WHITE
        return bool(CJK.match(before) or CJK.match(behind))

    def _is_part(self, p: int) -> bool:
        before, behind = self.source.text[p - 1], self.source.text[p]
        return before in _ASCII_MARKS and behind.isascii() and behind.isalnum()

    def windows(self) -> list[Window]:
        done: list[Window] = []
        a = self.start
        overlap_start: int | None = None
        while a < self.end:
            w, overlap_start = self._window_end(a, overlap_start)
            trimmed = self.source.trim_end(a, w)
            following = self.source.skip_white(w, self.end)
            if a < trimmed:
                self.begun = True
                done.append(Window(overlap_start, a, trimmed, following))
            previous, a = a, following
            if a < self.end:
                overlap_start = self._overlap_start(previous, a)
        return done

    def _around(self) -> tuple[str, str]:
        before, after = self.before, self.after
        if not self.begun:
            before = before if self.first_before is None else self.first_before
            after = after if self.first_after is None else self.first_after
        return before, after

    def _window_end(self, a: int, overlap_start: int | None) -> tuple[int, int | None]:
        """Where the window ends, and what is left of its overlap."""
        text = self.source.text
        before, after = self._around()
        carried = "" if overlap_start is None else text[overlap_start:a]
        k = self.budget - self.count(before + carried + after)
        while True:
            w, good = self._token_end(a, k), True
            if w < self.end:
                w, good = self._cut(a, w, k)
            if carried and not good:
                carried, overlap_start = "", None
                k = self.budget - self.count(before + after)
                continue
            body = text[a : self.source.trim_end(a, w)]
            least = len(body) <= max(1, self.floor + 1 - a) or k < 0
            sizes = (self.count(before + carried + body + tail) for tail in (after, *self.other_afters))
            if least or max(sizes) <= self.budget:
                return w, overlap_start
            k -= 1

    def _token_end(self, a: int, k: int) -> int:
        lengths = token_lengths(self.source.text[a : self.end], self.encoding)
        byte = self.source.byte(a) + sum(lengths[: max(k, 0)])
        return min(self.end, max(a + 1, self.floor + 1, self.source.from_byte(byte)))

    def _cut(self, a: int, w: int, k: int) -> tuple[int, bool]:
        """The best cut in `(a, w]`, and whether it is behind a clause or a word."""
        source = self.source
        begin, size = source.byte(a), source.byte(w) - source.byte(a)
        limit = source.skip_white(w, self.end)
        if limit == self.end:
            return self.end, True

        def last(positions: list[int], beyond: int) -> int | None:
            at = bisect_right(positions, limit) - 1
            found = positions[at] if at >= 0 and positions[at] > a else None
            return found if found is not None and source.byte(found) > beyond else None

        clause = last(self.clauses, begin + size // 2)
        if clause is not None:
            return clause, True
        word = last(self.words, begin + size // 4)
        if word is not None:
            return word, True
        word = last(self.words, begin)
        if word is not None:
            at = bisect_right(self.words, word)
            run_end = self.words[at] if at < len(self.words) else self.end
            if self.count(source.text[word : source.trim_end(word, run_end)]) <= k:
                return word, True
        part = last(self.parts, begin + size // 4)
        if part is not None:
            return part, False
        other = last(self.positions, begin)
        if other is None:
            limit = w
            other = last(self.last_resorts, begin)
        return (w if other is None else other), False

    def _overlap_start(self, previous: int, a: int) -> int | None:
        if self.overlap <= 0:
            return None
        source = self.source
        floor = source.byte(a) - 128 * self.overlap
        places = [p for p in self.words if previous < p < a and source.byte(p) > floor]
        low, high = 0, len(places)
        while low < high:
            middle = (low + high) // 2
            if self.count(source.text[places[middle] : a]) <= self.overlap:
                high = middle
            else:
                low = middle + 1
        return places[low] if low < len(places) else None
