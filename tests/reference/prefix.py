"""The heading line in front of a chunk."""

from __future__ import annotations

import regex

from .tokens import count


def heading_prefix(path: tuple[str, ...], template: str | None, separator: str, budget: int, encoding: str) -> str:
    """The template's line for the path and a blank line; long paths lose their left part."""
    if template is None or not path:
        return ""
    limit = min(max(16, budget // 4), budget // 2)

    def line(text: str) -> str:
        return template.replace("{path}", text) + "\n\n"

    def ok(text: str) -> bool:
        return count(line(text), encoding) <= limit

    joined = separator.join(path)
    marks = [0, *(m.end() for m in regex.finditer(r"\X", joined))]
    size = len(joined.encode())
    kept = [m for m in marks if size - len(joined[:m].encode()) <= limit * 128]
    if len(kept) == len(marks) and ok(joined):
        return line(joined)
    low, high = 0 if len(kept) < len(marks) else 1, len(kept) - 1
    while low < high:
        middle = (low + high) // 2
        if ok("…" + joined[kept[middle] :]):
            high = middle
        else:
            low = middle + 1
    cut = "…" + joined[kept[low] :]
    return line(cut) if ok(cut) else ""
