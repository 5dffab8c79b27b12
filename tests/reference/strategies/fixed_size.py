"""Windows over collapsed text (section 2.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import regex

from reference.text import CLOSING, WHITE, Source

from .packing import Plan
from .plain import Section
from .sizes import Characters

# What Python's `str.split` takes for white space.
SPLITS = WHITE | set("\x1c\x1d\x1e\x1f")


@dataclass(frozen=True)
class Window:
    """A window `[start, cut)` of collapsed text, whose body begins at `body`."""

    start: int
    body: int
    cut: int


def collapsed(source: Source, section: Section) -> tuple[str, list[int]]:
    """The section's text with each run of white space as one blank, and where in the source each character is."""
    text, places = "", []
    for place in range(section.start, section.end):
        char = source.text[place]
        if char in SPLITS or source.is_white(place):
            if text and not text.endswith(" "):
                text += " "
                places.append(place)
        else:
            text += char
            places.append(place)
    if text.endswith(" "):
        text, places = text[:-1], places[:-1]
    return text, places


class Slider:
    """Slides over one section's collapsed text."""

    def __init__(self, text: str, plan: Plan) -> None:
        self.text = text
        self.plan = plan
        self.clusters = {m.end() for m in regex.finditer(r"\X", text)}

    def allowed(self, place: int) -> bool:
        """A cluster boundary that is not in front of closing punctuation, a blank aside."""
        behind = place + self.text.startswith(" ", place)
        image = self.text.startswith("![", behind)
        return place in self.clusters and (self.text[behind : behind + 1] not in CLOSING or image)

    def past_blank(self, place: int) -> int:
        return place + self.text.startswith(" ", place)

    def windows(self) -> list[Window]:
        done: list[Window] = []
        start = previous = 0
        while True:
            window = self.window(start, previous)
            done.append(window)
            if window.cut == len(self.text):
                return done
            previous = self.past_blank(window.cut)
            start = self.past_blank(self.next_start(window.start, window.cut))

    def window(self, start: int, previous: int) -> Window:
        """The window that begins at `start`, or at `previous` if it would hold nothing behind that."""
        size, budget = self.plan.size, self.plan.budget
        k = budget
        while True:
            end = start + max(1, size.take(self.text[start:], k))
            if end <= previous:
                start, k = previous, budget
                continue
            cut = end if end == len(self.text) else self.cut(previous, end)
            fits = size.n(self.text[start:cut]) <= budget
            if fits or end == start + 1:
                return Window(start, max(start, previous), cut)
            k -= 1

    def cut(self, previous: int, end: int) -> int:
        places = range(end, previous, -1)
        for good in (lambda p: self.text[p] == " ", self.allowed, self.clusters.__contains__):
            found = next((p for p in places if good(p)), None)
            if found is not None:
                return found
        return end

    def next_start(self, start: int, cut: int) -> int:
        overlap = self.plan.overlap
        if overlap == 0:
            return cut
        if isinstance(self.plan.size, Characters):
            place = start + self.plan.budget - overlap
            if place >= cut:
                return cut
            return next((p for p in [*range(place, start, -1), *range(place + 1, cut)] if self.allowed(p)), cut)
        allowed = [p for p in range(start + 1, cut) if self.allowed(p) and self.text[p] != " "]
        for places in ([p for p in allowed if self.text[p - 1] == " "], allowed):
            found = first_by_bisection(places, lambda p: self.plan.size.n(self.text[p:cut]) <= overlap)
            if found is not None:
                return found
        return cut


def first_by_bisection(places: list[int], good: Callable[[int], bool]) -> int | None:
    """The first place that is good, if all behind a good one are."""
    low, high = 0, len(places)
    while low < high:
        middle = (low + high) // 2
        if good(places[middle]):
            high = middle
        else:
            low = middle + 1
    return places[low] if low < len(places) else None
