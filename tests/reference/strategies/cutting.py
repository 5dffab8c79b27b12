"""Cutting what has no children, by any size (section 2.3; the ways of design.md 3.5)."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from reference.windows import Cutter

from .sizes import Characters, Size

CHARACTERS = Characters()


@dataclass
class SizedCutter(Cutter):
    """Windows as the structure strategy has them, measured otherwise."""

    size: Size = CHARACTERS

    def count(self, text: str) -> int:
        return self.size.n(text)

    def _token_end(self, a: int, k: int) -> int:
        taken = self.size.take(self.source.text[a : self.end], k)
        return min(self.end, max(a + 1, self.floor + 1, a + taken))


@dataclass
class RecursiveCutter(SizedCutter):
    """Windows that end at the last allowed place, whatever stands there, and overlap from any."""

    def _cut(self, a: int, w: int, k: int) -> tuple[int, bool]:  # noqa: ARG002 - as the overridden one
        limit = self.source.skip_white(w, self.end)
        if limit == self.end:
            return self.end, True
        for places, most, good in ((self.positions, limit, True), (self.last_resorts, w, False)):
            at = bisect_right(places, most) - 1
            if at >= 0 and places[at] > a:
                return places[at], good
        return w, False

    def _overlap_start(self, previous: int, a: int) -> int | None:
        self.words = self.positions
        return super()._overlap_start(previous, a)
