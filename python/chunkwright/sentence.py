"""`sentence`: whole sentences."""

from __future__ import annotations

from chunkwright import _native
from chunkwright.base import LengthFunction, NativeStrategy

__all__ = ["NAME", "SentenceChunkingStrategy"]

NAME = "sentence"


class SentenceChunkingStrategy(NativeStrategy):
    """Packs whole sentences of English, Chinese or Japanese text, without any data to download.

    Parameters
    ----------
    target_size : int
        Soft size of a chunk in characters (code points), at least 1: a longer sentence stays whole, in a chunk of its own
        (its `split_reason` is `whole_unit`).
    max_sentences_per_chunk : int
        Most sentences in a chunk, at least 1.
    max_tokens : int or None
        A hard size in tokens, in place of `target_size`: a longer sentence is cut at clauses, then words, then grapheme clusters.
    overlap_tokens : int or None
        How much of the chunk before, in whole sentences or clauses, a chunk begins with at most; needs `max_tokens` and is less. None: no overlap.
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
        target_size: int = 512,
        max_sentences_per_chunk: int = 10,
        *,
        max_tokens: int | None = None,
        overlap_tokens: int | None = None,
        tokenizer_name: str | None = None,
        length_function: LengthFunction | None = None,
    ) -> None:
        settings = {
            "target_size": target_size,
            "max_sentences_per_chunk": max_sentences_per_chunk,
            "max_tokens": max_tokens,
            "overlap_tokens": overlap_tokens,
            "tokenizer_name": tokenizer_name,
            "length_function": length_function,
        }
        super().__init__(_native.Chunker.sentence, settings)
