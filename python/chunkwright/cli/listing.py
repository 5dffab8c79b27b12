"""``chunkwright strategies``: what there is."""

from __future__ import annotations

import inspect
import textwrap
from typing import TYPE_CHECKING

from chunkwright.strategy import parameters, strategy_class, strategy_names

if TYPE_CHECKING:
    from collections.abc import Iterator

INDENT = "    "
WIDTH = 100


def lines(width: int) -> Iterator[str]:
    """A paragraph for each strategy: its name, what it does, its parameters with their defaults."""
    for name in strategy_names():
        try:
            cls = strategy_class(name)
        except ValueError as error:
            yield from (name, f"{INDENT}{error}", "")
            continue
        meaning = (inspect.getdoc(cls) or "").partition("\n")[0]
        known = [
            parameter if each.default is each.empty else f"{parameter}={each.default!r}"
            for parameter, each in parameters(cls).items()
        ]
        yield name
        for text in (meaning, ", ".join(known)):
            yield from textwrap.wrap(
                text, width, initial_indent=INDENT, subsequent_indent=INDENT, break_long_words=False
            )
        yield ""
