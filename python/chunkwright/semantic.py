"""`semantic`: a chunk ends where the subject changes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from chunkwright import _native
from chunkwright.base import BaseChunkingStrategy, Batch, LengthFunction, NativeStrategy
from chunkwright.document import Document
from chunkwright.embedders import Embedder, as_embedder, name_of, vectors_of
from chunkwright.errors import DocumentError

__all__ = ["NAME", "SemanticChunkingStrategy"]

NAME = "semantic"

FALLBACK = {"embedder": "lexical", "embedder_fallback": True}
"""In the metadata of chunks whose embedder failed."""


class SemanticChunkingStrategy(NativeStrategy):
    """Cuts any text between sentences where what stands before and behind is not similar.

    Three sentences on each side of a place are compared. A chunk ends at a place below the threshold if at least `min_chunk_size` stand in it
    and behind it, and at `max_chunk_size` in any case.

    Without an embedder similarity is lexical: shared words and characters, weighted by rarity in the text. That is fast, needs no download,
    works in any language and always gives the same; but it knows no synonyms (*car* and *automobile* have nothing in common), no
    translations, and no word order. Where a subject is carried by other words from sentence to sentence it sees a change that is none.

    With an embedder that fails (it raises, or gives the wrong number of vectors, or numbers that are not finite) a document is cut
    with the lexical one, its chunks say so in their metadata (`embedder_fallback`), and the strategy warns once.

    Parameters
    ----------
    similarity_threshold : float
        From 0 to 1. The lexical embedder gives 0.65 to texts without a common word, and 1 to equal ones; in running text most places are between
        0.67 and 0.8. Models have a scale of their own.
    min_chunk_size : int
        Soft: no chunk is closed for a change of subject before it has so many characters (code points).
    max_chunk_size : int
        Hard size of a chunk in characters; at least 1 and at least `min_chunk_size`.
    embedder : Embedder, callable, str or None
        Anything with `embed(list[str])` that gives a float32 array (n, d), such a function, or a name: `wordllama`,
        `model2vec:MODEL`, `sentence-transformers:MODEL`. None: the lexical one. Its `name` is part of the fingerprint.
    max_tokens : int or None
        The hard size in tokens, in place of `max_chunk_size`; `min_chunk_size` then counts tokens too, and is at most a fifth of it.
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
    MissingExtraError
        The library of a named embedder is not installed.
    """

    __slots__ = ("_embedder", "_warned")

    strategy_name = NAME

    def __init__(
        self,
        similarity_threshold: float = 0.7,
        min_chunk_size: int = 200,
        max_chunk_size: int = 1000,
        embedder: Embedder | Callable[[list[str]], Any] | str | None = None,
        *,
        max_tokens: int | None = None,
        overlap_tokens: int | None = None,
        tokenizer_name: str | None = None,
        length_function: LengthFunction | None = None,
    ) -> None:
        settings = {
            "similarity_threshold": similarity_threshold,
            "min_chunk_size": min_chunk_size,
            "max_chunk_size": max_chunk_size,
            "max_tokens": max_tokens,
            "overlap_tokens": overlap_tokens,
            "tokenizer_name": tokenizer_name,
            "length_function": length_function,
        }
        self._embedder = as_embedder(embedder)
        self._warned = False
        name = None if self._embedder is None else name_of(self._embedder)
        super().__init__(_native.Chunker.semantic, {**settings, "embedder": name})
        self._settings = {**settings, "embedder": embedder}

    def chunk(
        self, document: Document, *, document_id: str | None = None, metadata: dict[str, Any] | None = None
    ) -> list[_native.Chunk]:
        """Cut one document.

        Parameters
        ----------
        document : str, bytes or ParsedDocument
            A text, as `str` or in UTF-8, or blocks.
        document_id : str or None
            Ids of chunks are made from it; by default that of the parsed document, else a UUID of the text.
        metadata : dict or None
            Stands at the front of every chunk's metadata.

        Raises
        ------
        DocumentError
            If the document is not text, or its blocks do not fit its text.
        """
        if self._embedder is None:
            return self._native.chunk(document, document_id, metadata)
        try:
            windows = self._native.windows(document)
        except DocumentError:
            return self._native.chunk(document, document_id, metadata)  # says the same, with the document's name
        try:
            similarities = _similarities(self._embedder, windows)
        except Exception as error:  # noqa: BLE001 - whatever a model's library raises, the corpus goes on
            self._warn(error)
            return self._native.chunk(document, document_id, {**(metadata or {}), **FALLBACK})
        return self._native.chunk_by(document, document_id, metadata, similarities)

    def chunk_many(
        self,
        documents: Iterable[Document],
        *,
        document_ids: Sequence[str] | None = None,
        threads: int | None = None,
    ) -> Batch:
        """Cut many documents, in parallel if no embedder was given, else one by one.

        A document that cannot be cut costs only itself: its entry is empty, `Batch.errors` has the reason, and one warning says how many there are.

        Parameters
        ----------
        documents : iterable of str, bytes or ParsedDocument
            Read one by one as threads become free.
        document_ids : sequence of str or None
            One a document.
        threads : int or None
            None: one for each core.
        """
        if self._embedder is None:
            return super().chunk_many(documents, document_ids=document_ids, threads=threads)
        return BaseChunkingStrategy.chunk_many(self, documents, document_ids=document_ids)

    def _warn(self, error: Exception) -> None:
        if not self._warned:
            self._warned = True
            message = f"the embedder failed, so the lexical one cut instead: {type(error).__name__}: {error}"
            warnings.warn(message, RuntimeWarning, stacklevel=3)


def _similarities(embedder: Embedder, windows: list[str]) -> list[float]:
    """The similarity of each left window and the right one behind it; equal texts are embedded once."""
    if not windows:
        return []
    texts = list(dict.fromkeys(windows))
    vectors = dict(zip(texts, vectors_of(embedder, texts), strict=True))
    pairs = zip(windows[::2], windows[1::2], strict=True)
    return [_native.cosine(vectors[left], vectors[right]) for left, right in pairs]
