"""Cutting a text that has no structure left."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from .text import CJK, WHITE, Source, inside_any
from .tokens import count, token_lengths

_WIDE_CLAUSE = frozenset("，；：、。！？")
_ASCII_CLAUSE = frozenset(",;:.!?")


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
    # Where the first window's or the last one's surroundings differ, they have to fit as well.
    other_before: str | None = None
    other_after: str | None = None

    def __post_init__(self) -> None:
        text = self.source.text
        whole = [a for a in self.atoms if a[0] < self.end and a[1] > self.start]
        self.kept = [a for a in whole if self.count(self.before + text[a[0] : a[1]] + self.after) <= self.budget]
        marks = self.source.graphemes_in(self.start, self.end)
        self.positions = [p for p in marks if p < self.end and self._allowed(p)]
        self.clauses = [p for p in self.positions if self._is_clause(p)]
        self.words = [p for p in self.positions if self._is_word(p)]
        self.both = sorted({*self.clauses, *self.words})
        room = self.budget - self.count(self.before + self.after)
        self.overlap = min(self.overlap, room // 2)

    def count(self, text: str) -> int:
        return count(text, self.encoding)

    def _allowed(self, p: int) -> bool:
        source = self.source
        if inside_any(p, self.kept) or source.fence_at(p) or source.opens_before(p):
            return False
        return not source.closes_at(p) or any(a == p for a, _ in self.kept)

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

    def windows(self) -> list[Window]:
        done: list[Window] = []
        text, a = self.source.text, self.start
        overlap_start: int | None = None
        while a < self.end:
            carried = "" if overlap_start is None else text[overlap_start:a]
            w = self._window_end(a, carried)
            trimmed = self.source.trim_end(a, w)
            following = self.source.skip_white(w, self.end)
            if a < trimmed:
                done.append(Window(overlap_start, a, trimmed, following))
            previous, a = a, following
            if a < self.end:
                overlap_start = self._overlap_start(previous, a)
        return done

    def _window_end(self, a: int, carried: str) -> int:
        text = self.source.text
        k = self.budget - self.count(self.before + carried + self.after)
        while True:
            w = self._token_end(a, k)
            if w < self.end:
                w = self._cut(a, w, k)
            if w <= a + 1 or self._fits(carried, a, w):
                if not self._fits(carried, a, w):
                    raise RuntimeError(f"one character at {a} does not fit: {text[a:w]!r}")
                return w
            k -= 1

    def _fits(self, carried: str, a: int, w: int) -> bool:
        body = self.source.text[a:w]
        trimmed = self.source.text[a : self.source.trim_end(a, w)]
        befores = {self.before, self.before if self.other_before is None else self.other_before}
        afters = {self.after, self.after if self.other_after is None else self.other_after}
        return all(
            self.count(before + carried + piece + after) <= self.budget
            for before in befores
            for after in afters
            for piece in (body, trimmed)
        )

    def _token_end(self, a: int, k: int) -> int:
        lengths = token_lengths(self.source.text[a : self.end], self.encoding)
        byte = self.source.byte(a) + sum(lengths[: max(k, 0)])
        return min(self.end, max(a + 1, self.source.from_byte(byte)))

    def _cut(self, a: int, w: int, k: int) -> int:
        source = self.source
        begin, size = source.byte(a), source.byte(w) - source.byte(a)

        def last(positions: list[int]) -> int | None:
            at = bisect_right(positions, w) - 1
            return positions[at] if at >= 0 and positions[at] > a else None

        clause, word, other = last(self.clauses), last(self.words), last(self.positions)
        if clause is not None and source.byte(clause) > begin + size // 2:
            return clause
        if word is not None:
            if source.byte(word) > begin + size // 4:
                return word
            at = bisect_right(self.both, word)
            run_end = self.both[at] if at < len(self.both) else self.end
            if self.count(source.text[word:run_end]) <= k:
                return word
        return w if other is None else other

    def _overlap_start(self, previous: int, a: int) -> int | None:
        if self.overlap <= 0:
            return None
        source = self.source
        floor = source.byte(a) - 128 * self.overlap
        places = [p for p in self.both if previous < p < a and source.byte(p) > floor]
        if not places:
            return None
        low, high = 0, len(places) - 1
        while low < high:
            middle = (low + high) // 2
            if self.count(source.text[places[middle] : a]) <= self.overlap:
                high = middle
            else:
                low = middle + 1
        return places[low] if self.count(source.text[places[low] : a]) <= self.overlap else None
