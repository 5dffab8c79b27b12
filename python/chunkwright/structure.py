"""`StructureAwareChunker`: blocks, sections, token-budgeted chunks."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from chunkwright import _native
from chunkwright.document import ParsedDocument

__all__ = ["Batch", "StructureAwareChunker", "StructureAwareMarkdownChunker"]

Document = str | bytes | ParsedDocument


class Batch(list[list[_native.Chunk]]):
    """One list of chunks a document, in order. A document that could not be cut has an empty list here and its error in `errors`.

    Attributes
    ----------
    errors : dict of int to Exception
        By the document's place in the batch; almost always `DocumentError`.
    """

    def __init__(self, entries: Iterable[list[_native.Chunk] | Exception] = ()) -> None:
        super().__init__()
        self.errors: dict[int, Exception] = {}
        for place, entry in enumerate(entries):
            if isinstance(entry, Exception):
                self.errors[place] = entry
                self.append([])
            else:
                self.append(entry)

    def __reduce__(self) -> tuple[Any, ...]:
        return Batch, ([self.errors.get(place, chunks) for place, chunks in enumerate(self)],)


class StructureAwareChunker:
    """Cuts Markdown and ready-parsed documents along their structure into chunks of at most `max_tokens` tokens.

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

    __slots__ = ("_native", "_settings")

    strategy_name = "structure"

    def __init__(
        self,
        max_tokens: int = 512,
        overlap_tokens: int = 64,
        tokenizer_name: str = "cl100k_base",
        heading_template: str | None = "章节：{path}",
        path_separator: str = " > ",
        target_tokens: int | None = None,
    ) -> None:
        self._native = _native.Chunker(
            max_tokens, overlap_tokens, target_tokens, tokenizer_name, heading_template, path_separator
        )
        self._settings: dict[str, Any] = {
            "max_tokens": max_tokens,
            "overlap_tokens": overlap_tokens,
            "tokenizer_name": tokenizer_name,
            "heading_template": heading_template,
            "path_separator": path_separator,
            "target_tokens": target_tokens,
        }

    @property
    def settings(self) -> dict[str, Any]:
        """A copy of the settings, by name."""
        return dict(self._settings)

    @property
    def fingerprint(self) -> str:
        """Digest of everything that the output depends on besides the document. Chunkers with equal ones compare equal."""
        return self._native.fingerprint

    def chunk(self, document: Document, *, document_id: str | None = None) -> list[_native.Chunk]:
        """Cut one document.

        Parameters
        ----------
        document : str, bytes or ParsedDocument
            Markdown, as text or in UTF-8, or blocks.
        document_id : str or None
            Ids of chunks are made from it; by default that of the parsed document, else a UUID of the text.

        Raises
        ------
        DocumentError
            If the document is not text, or its blocks do not fit its text.
        """
        return self._native.chunk(document, document_id)

    def chunk_many(
        self,
        documents: Iterable[Document],
        *,
        document_ids: Sequence[str] | None = None,
        threads: int | None = None,
    ) -> Batch:
        """Cut many documents in parallel, with the GIL released; the output is the same for any number of threads.

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
        ids = None if document_ids is None else list(document_ids)
        batch = Batch(self._native.chunk_many(documents, ids, threads))
        if batch.errors:
            first = next(iter(batch.errors.values()))
            kind = "document" if len(batch.errors) == 1 else "documents"
            message = f"{len(batch.errors)} {kind} could not be cut (see Batch.errors); the first: {first}"
            warnings.warn(message, stacklevel=2)
        return batch

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={value!r}" for name, value in self._settings.items())
        return f"{type(self).__name__}({settings})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StructureAwareChunker):
            return NotImplemented
        return self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self._settings)


def _restore(kind: type[StructureAwareChunker], settings: dict[str, Any]) -> StructureAwareChunker:
    return kind(**settings)


StructureAwareMarkdownChunker = StructureAwareChunker
