"""What a chunk is made of while it is built."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from .prefix import HeadingLine
from .text import LINE_END, Source
from .tokens import count


@dataclass(frozen=True)
class Segment:
    """A piece of content; `start` and `end` are None for text that is not in the source."""

    role: str
    text: str
    start: int | None = None
    end: int | None = None


@dataclass
class Piece:
    """One chunk to be: its segments behind the prefix and why it ends."""

    segments: list[Segment]
    reason: str = "max_tokens"
    # Where it is not the section's: the prefix that gave way.
    prefix: str | None = None


@dataclass
class Context:
    """The settings in force for a section, and its prefix."""

    source: Source
    budget: int
    target: int | None
    overlap: int
    encoding: str
    heading: HeadingLine
    prefix: str

    @property
    def soft(self) -> int:
        return self.budget if self.target is None else self.target

    def count(self, text: str) -> int:
        return count(text, self.encoding)

    def size(self, segments: list[Segment]) -> int:
        return self.count(self.prefix + content_of(segments))

    def reaches_target(self, segments: list[Segment]) -> bool:
        return self.target is not None and self.size(segments) >= self.target

    def fits(self, segments: list[Segment]) -> bool:
        return self.size(segments) <= self.budget

    def give_way(self, segments: list[Segment]) -> Piece | None:
        """What must stay whole, with as much of the prefix as there is room for; None if it does not fit at all."""
        content = content_of(segments)
        room = self.budget - self.count(content)
        if room < 0:
            return None
        prefix = self.heading.cut(room, lambda line: self.count(line + content) <= self.budget)
        return Piece(segments, prefix=prefix)

    def slice(self, role: str, start: int, end: int) -> list[Segment]:
        return [Segment(role, self.source.text[start:end], start, end)] if start < end else []

    def body(self, start: int, end: int) -> list[Segment]:
        return self.slice("body", start, end)


def content_of(segments: list[Segment]) -> str:
    return "".join(segment.text for segment in segments)


def synthetic(text: str) -> list[Segment]:
    return [Segment("synthetic", text)] if text else []


def joined_lines(source: Source, parts: list[list[Segment]]) -> list[Segment]:
    """Parts one under the other. Neighbours in the source stay one range; others get a synthetic line feed between."""
    done: list[Segment] = []
    for part in parts:
        if not part:
            continue
        if not done:
            done = list(part)
            continue
        last, first = done[-1], part[0]
        if last.role == first.role == "body" and last.end is not None and first.start is not None:
            between = source.text[last.end : first.start]
            if LINE_END.fullmatch(between) and last.start is not None:
                done[-1] = Segment("body", source.text[last.start : first.end], last.start, first.end)
                done += part[1:]
                continue
        done += [Segment("synthetic", "\n"), *part]
    return done


def merged(segments: list[Segment]) -> list[Segment]:
    """Neighbouring synthetic segments as one."""
    done: list[Segment] = []
    for segment in segments:
        if done and segment.role == done[-1].role == "synthetic":
            done[-1] = Segment("synthetic", done[-1].text + segment.text)
        elif segment.text:
            done.append(segment)
    return done


@lru_cache(maxsize=64)
def source_of(text: str) -> Source:
    return Source(text)
