"""`recursive`: large separators first, smaller ones where a piece is still too large."""

from __future__ import annotations

from collections.abc import Sequence

from chunkwright import _native
from chunkwright.base import LengthFunction, NativeStrategy

__all__ = ["DEFAULT_SEPARATORS", "NAME", "RecursiveChunkingStrategy"]

NAME = "recursive"

DEFAULT_SEPARATORS = _native.DEFAULT_SEPARATORS
"""What is tried without `separators`."""


class RecursiveChunkingStrategy(NativeStrategy):
    r"""Cuts any text at the largest separator that does: paragraph, line, sentence, word, character.

    Pieces that are too large are cut by the next separator; then neighbours are merged up to `chunk_size`. Separators stay in the text, at the
    end of the piece in front of them. Links, formulas, code spans, URLs and e-mail addresses are not cut while they fit.

    Parameters
    ----------
    chunk_size : int
        Hard size of a chunk in characters (code points), at least 1.
    chunk_overlap : int
        How much of the chunk before, in whole pieces, a chunk begins with at most. From 0 to `chunk_size` - 1.
    separators : sequence of str or None
        From large to small; `""` cuts between grapheme clusters. None: `"\n\n"`, `"\n"`, Chinese sentence ends and commas, `". "`, `" "`, `""`.
    max_tokens : int or None
        The hard size in tokens, in place of `chunk_size`.
    overlap_tokens : int or None
        The overlap in tokens, in place of `chunk_overlap`; needs `max_tokens` and is less. None: no overlap.
    tokenizer_name : str or None
        One of `tokenizer_names()`. None: cl100k_base where tokens are asked for, else no `token_count`.
    length_function : callable or None
        Measures a `str` instead of counting characters, with the GIL held: the one slow way. Not together with `max_tokens`.

    Raises
    ------
    SettingsError
        Names the setting, the value and the allowed range.
    """

    __slots__ = ()

    strategy_name = NAME

    def __init__(
        self,
        chunk_size: int = 512,
        chunk_overlap: int = 50,
        separators: Sequence[str] | None = None,
        *,
        max_tokens: int | None = None,
        overlap_tokens: int | None = None,
        tokenizer_name: str | None = None,
        length_function: LengthFunction | None = None,
    ) -> None:
        settings = {
            "chunk_size": chunk_size,
            "chunk_overlap": chunk_overlap,
            "separators": tuple(separators) if isinstance(separators, list) else separators,
            "max_tokens": max_tokens,
            "overlap_tokens": overlap_tokens,
            "tokenizer_name": tokenizer_name,
            "length_function": length_function,
        }
        super().__init__(_native.Chunker.recursive, settings)
