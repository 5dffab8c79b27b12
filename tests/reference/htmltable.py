"""Head and rows of a table written in HTML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .nodes import Node
    from .pieces import Context
    from .tables import Table

_TAG = re.compile(r"<(/?)(table|thead|tbody|tr|th)(?=[\s/>]|$)", re.IGNORECASE)


def _tags(text: str, start: int, end: int) -> list[tuple[int, str]]:
    """The tags that belong to the outer table."""
    found, depth = [], 0
    for match in _TAG.finditer(text, start, end):
        name = match[1] + match[2].lower()
        if name == "table":
            depth += 1
        if depth <= 1:
            found.append((match.start(), name))
        if name == "/table":
            depth -= 1
    return found


def _head_end(tags: list[tuple[int, str]], rows: list[int], end: int) -> int:
    """Where the first row begins that is not of the head."""
    closes = [at for at, name in tags if name == "/thead"]
    if closes:
        return next((row for row in rows if row > closes[0]), end)
    if not rows:
        return end
    titled = len(rows) > 1 and any(name == "th" and rows[0] < at < rows[1] for at, name in tags)
    return rows[1] if titled else rows[0]


def read_html_table(ctx: Context, node: Node) -> Table | None:
    """Takes a table of tags apart; None if it has no rows behind its head."""
    from .tables import Table

    source, text = ctx.source, ctx.source.text
    tags = _tags(text, node.start, node.end)
    row_tags = [at for at, name in tags if name == "tr"]
    head_end = _head_end(tags, row_tags, node.end)
    starts = [at for at in row_tags if at >= head_end]
    if not starts:
        return None
    rows = [(a, source.trim_end(a, b)) for a, b in zip(starts, [*starts[1:], node.end], strict=False)]
    bodies = [name for at, name in tags if name in ("tbody", "/tbody") and at < head_end]
    tail = "\n" + ("</tbody>" if bodies and bodies[-1] == "tbody" else "") + "</table>"
    return Table((node.start, source.trim_end(node.start, head_end)), [(node.start, head_end)], rows, tail, cells=False)
