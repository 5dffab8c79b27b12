"""Strategies by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from chunkwright import _native
from chunkwright.errors import SettingsError
from chunkwright.structure import Document, StructureAwareChunker

__all__ = ["chunk", "get_chunking_strategy", "strategy_names"]

_STRATEGIES: dict[str, Callable[..., StructureAwareChunker]] = {"structure": StructureAwareChunker}


def strategy_names() -> tuple[str, ...]:
    """Names that `chunk` and `get_chunking_strategy` know."""
    return tuple(sorted(_STRATEGIES))


def get_chunking_strategy(strategy_type: str, params: Mapping[str, Any] | None = None) -> StructureAwareChunker:
    """Make the chunker of a name.

    Raises
    ------
    ValueError
        Unknown name (the message lists the known ones).
    SettingsError
        A parameter that the strategy does not have, or a bad value.
    """
    make = _STRATEGIES.get(strategy_type)
    if make is None:
        known = ", ".join(strategy_names())
        raise ValueError(f"Unknown chunking strategy {strategy_type!r}: known are {known}")
    settings = dict(params or {})
    known_settings = inspect.signature(make).parameters
    for name, value in settings.items():
        if name not in known_settings:
            raise SettingsError(name, repr(value), f"left out: {strategy_type} has {', '.join(known_settings)}")
    return make(**settings)


def chunk(
    text: Document, strategy: str = "structure", *, document_id: str | None = None, **settings: Any
) -> list[_native.Chunk]:
    """Cut one document by a strategy's name: `chunk(text, max_tokens=256)`.

    For many documents make the chunker once (`get_chunking_strategy`, `StructureAwareChunker`) and use its `chunk_many`.
    """
    return get_chunking_strategy(strategy, settings).chunk(text, document_id=document_id)
