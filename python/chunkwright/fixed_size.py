"""`fixed_size`: windows of one size."""

from __future__ import annotations

from chunkwright import _native
from chunkwright.base import LengthFunction, NativeStrategy

__all__ = ["NAME", "FixedSizeChunkingStrategy"]

NAME = "fixed_size"


class FixedSizeChunkingStrategy(NativeStrategy):
    """Cuts any text into windows of equal size, at white space where there is some.

    Runs of white space count as one blank, in sizes and in `content`; positions are those of the original text:
    `" ".join(text[c.start_char:c.end_char].split()) == c.content` for chunks without overlap. Text without blanks is cut
    between any two characters, never inside a grapheme cluster.

    Parameters
    ----------
    chunk_size : int
        Hard size of a chunk in characters (code points), at least 1.
    chunk_overlap : int
        How far the next window begins in front of where a full one would end. From 0 to `chunk_size` - 1.
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
        *,
        max_tokens: int | None = None,
        overlap_tokens: int | None = None,
        tokenizer_name: str | None = None,
        length_function: LengthFunction | None = None,
    ) -> None:
        settings = {
            "chunk_size": chunk_size,
            "chunk_overlap": chunk_overlap,
            "max_tokens": max_tokens,
            "overlap_tokens": overlap_tokens,
            "tokenizer_name": tokenizer_name,
            "length_function": length_function,
        }
        super().__init__(_native.Chunker.fixed_size, settings)

    def estimate_chunk_count(self, text_length: int) -> int:
        """How many windows a text of so many characters without white space needs; 0 for 0.

        Raises
        ------
        SettingsError
            A length below 0, or a strategy that does not count characters.
        """
        return self._native.estimate_chunk_count(text_length)
