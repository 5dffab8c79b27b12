"""`StructureAwareChunker`: blocks, sections, token-budgeted chunks."""

from __future__ import annotations

from chunkwright import _native
from chunkwright.base import NativeStrategy

__all__ = ["NAME", "StructureAwareChunker", "StructureAwareMarkdownChunker"]

NAME = "structure"


class StructureAwareChunker(NativeStrategy):
    """Cuts Markdown and ready-parsed documents along their structure, to a hard token budget.

    Parameters
    ----------
    max_tokens : int
        Hard budget of a chunk, at least 16: no chunk's content has more tokens, prefix, overlap, repeated headers and fences included.
    overlap_tokens : int
        How much of the chunk before, in whole units, a chunk of prose begins with at most. From 0 to `max_tokens` - 1.
    tokenizer_name : str
        One of `tokenizer_names()`.
    heading_template : str or None
        The line in front of a chunk that names its section; holds `{path}` once. None: no such line.
    path_separator : str
        Stands between the headings of a path.
    target_tokens : int or None
        Soft size: a chunk is closed at the first unit boundary from here on, while units that must stay whole may use the rest up to `max_tokens`.

    Raises
    ------
    SettingsError
        Names the setting, the value and the allowed range.
    """

    __slots__ = ()

    strategy_name = NAME

    def __init__(
        self,
        max_tokens: int = 512,
        overlap_tokens: int = 64,
        tokenizer_name: str = "cl100k_base",
        heading_template: str | None = "章节：{path}",
        path_separator: str = " > ",
        target_tokens: int | None = None,
    ) -> None:
        settings = {
            "max_tokens": max_tokens,
            "overlap_tokens": overlap_tokens,
            "tokenizer_name": tokenizer_name,
            "heading_template": heading_template,
            "path_separator": path_separator,
            "target_tokens": target_tokens,
        }
        super().__init__(_native.Chunker.structure, settings)


StructureAwareMarkdownChunker = StructureAwareChunker
