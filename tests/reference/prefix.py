"""The heading line in front of a chunk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import regex

from .tokens import count


@dataclass(frozen=True)
class HeadingLine:
    """What the prefix of a section is made from."""

    path: tuple[str, ...]
    template: str | None
    separator: str
    budget: int
    encoding: str

    def _line(self, text: str) -> str:
        return (self.template or "").replace("{path}", text) + "\n\n"

    def full(self) -> str:
        """The line for the path and a blank line, within its limit."""
        limit = min(max(16, self.budget // 4), self.budget // 2)

        def ok(prefix: str) -> bool:
            return count(prefix, self.encoding) <= limit

        whole = self._line(self.separator.join(self.path))
        joined = self.separator.join(self.path)
        if self.template is not None and self.path and len(joined.encode()) <= limit * 128 and ok(whole):
            return whole
        return self.cut(limit, ok)

    def cut(self, room: int, ok: Callable[[str], bool]) -> str:
        """The line with the left part of the path cut off; only the last `room * 128` bytes of it are looked at."""
        if self.template is None or not self.path:
            return ""
        joined = self.separator.join(self.path)
        marks = [0, *(m.end() for m in regex.finditer(r"\X", joined))]
        size = len(joined.encode())
        kept = [m for m in marks if size - len(joined[:m].encode()) <= room * 128]
        low, high = 0 if len(kept) < len(marks) else 1, len(kept) - 1
        while low < high:
            middle = (low + high) // 2
            if ok(self._line("…" + joined[kept[middle] :])):
                high = middle
            else:
                low = middle + 1
        line = self._line("…" + joined[kept[low] :]) if low < len(kept) else ""
        return line if ok(line) else ""
