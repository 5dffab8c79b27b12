"""What every strategy is: the class that others derive from, and the part that this package's own strategies share."""

from __future__ import annotations

import inspect
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from chunkwright import _native
from chunkwright.document import Document, text_of
from chunkwright.errors import SettingsError

__all__ = ["BaseChunkingStrategy", "Batch", "LengthFunction", "NativeStrategy"]

LengthFunction = Callable[[str], int]


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


class BaseChunkingStrategy(ABC):
    """A way of cutting documents. Derive from it and write `chunk_text`; the rest is there.

    `register_strategy`, or the entry-point group `chunkwright.strategies`, makes such a class known by a name.
    """

    __slots__ = ()

    @property
    def strategy_name(self) -> str:
        """The strategy's identifier; that of a class which names none is the class's own name."""
        return type(self).__name__

    @abstractmethod
    def chunk_text(
        self,
        text: str,
        document_id: str = "",
        document_name: str = "",
        source_id: str = "",
        extra_metadata: dict[str, Any] | None = None,
    ) -> list[_native.Chunk]:
        """Cut a text, and say in each chunk's metadata where it is from.

        Parameters
        ----------
        text : str
            The document. Without anything but white space it has no chunks.
        document_id, document_name, source_id : str
            Go into the metadata; chunk ids are made from `document_id`, or from the text if that is empty.
        extra_metadata : dict or None
            More metadata, ready for JSON.

        Raises
        ------
        DocumentError
            If the text is not text.
        ValueError
            If a key of `extra_metadata` is one that the strategy sets; the message names it.
        """

    def chunk_metadata(
        self, document_id: str, document_name: str, source_id: str, extra_metadata: dict[str, Any] | None
    ) -> dict[str, Any]:
        """The metadata that `chunk_text` owes each chunk: where it is from, the strategy's name, then the caller's own.

        Raises
        ------
        SettingsError
            A key of `extra_metadata` collides with one of the others, or it is no mapping with names for keys.
        """
        metadata: dict[str, Any] = {
            "document_id": document_id,
            "document_name": document_name,
            "source_id": source_id,
            "strategy": self.strategy_name,
        }
        return with_extra(metadata, extra_metadata, "extra_metadata")

    def chunk(self, document: Document, *, document_id: str | None = None) -> list[_native.Chunk]:
        """Cut one document: `str`, UTF-8 `bytes` or a `ParsedDocument`.

        Raises
        ------
        DocumentError
            If it is not text.
        """
        name = getattr(document, "document_id", None) if document_id is None else document_id
        return self.chunk_text(text_of(document, name), document_id=name or "")

    def chunk_many(
        self,
        documents: Iterable[Document],
        *,
        document_ids: Sequence[str] | None = None,
        threads: int | None = None,  # noqa: ARG002 - a strategy written in Python runs on the caller's thread
    ) -> Batch:
        """Cut many documents, in order. One that cannot be cut costs only itself: `Batch.errors` has the reason, and one warning says how many there are."""
        return told(Batch(self._one_by_one(documents, document_ids)))

    def _one_by_one(
        self, documents: Iterable[Document], document_ids: Sequence[str] | None
    ) -> Iterator[list[_native.Chunk] | Exception]:
        ids = None if document_ids is None else iter(document_ids)
        for document in documents:
            document_id = None if ids is None else next(ids, None)
            if ids is not None and document_id is None:
                raise SettingsError("document_ids", "too short", "one id for each document")
            try:
                yield self.chunk(document, document_id=document_id)
            except Exception as error:  # noqa: BLE001 - whatever it is, the other documents go on
                yield error
        if ids is not None and next(ids, None) is not None:
            raise SettingsError("document_ids", "too long", "one id for each document")


class NativeStrategy(BaseChunkingStrategy):
    """A strategy of this package: settings here, all work in Rust.

    It pickles as its settings, and equals another one if both give the same output, that is if their fingerprints are equal.
    """

    __slots__ = ("_native", "_settings")

    def __init__(self, make: Callable[..., _native.Chunker], settings: dict[str, Any]) -> None:
        self._native = make(**settings)
        self._settings = settings

    @property
    def settings(self) -> dict[str, Any]:
        """A copy of the settings, by name."""
        return dict(self._settings)

    @property
    def fingerprint(self) -> str:
        """Digest of everything that the output depends on besides the document."""
        return self._native.fingerprint

    @property
    def strategy_version(self) -> str:
        """Changes when the same settings give other chunks."""
        return self._native.strategy_version

    def chunk_text(
        self,
        text: str,
        document_id: str = "",
        document_name: str = "",
        source_id: str = "",
        extra_metadata: dict[str, Any] | None = None,
    ) -> list[_native.Chunk]:
        """Cut a text, and say in each chunk's metadata where it is from.

        Parameters
        ----------
        text : str
            The document. Without anything but white space it has no chunks.
        document_id, document_name, source_id : str
            Go into the metadata; chunk ids are made from `document_id`, or from the text if that is empty.
        extra_metadata : dict or None
            More metadata, ready for JSON.

        Raises
        ------
        DocumentError
            If the text is not text.
        SettingsError
            If a key of `extra_metadata` is `document_id`, `document_name`, `source_id` or `strategy`.
        """
        metadata = self.chunk_metadata(document_id, document_name, source_id, extra_metadata)
        return self.chunk(text, document_id=document_id or None, metadata=metadata)

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
        return self._native.chunk(document, document_id, metadata)

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
        return told(Batch(self._native.chunk_many(documents, ids, threads)))

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        shown = [
            f"{name}={value!r}"
            for name, value in self._settings.items()
            if value is not None or name not in defaults or defaults[name].default is not None
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NativeStrategy):
            return NotImplemented
        return self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self._settings)


def _restore(kind: type[NativeStrategy], settings: dict[str, Any]) -> NativeStrategy:
    return kind(**settings)


def with_extra(metadata: dict[str, Any], extra: object, setting: str) -> dict[str, Any]:
    """`metadata` with `extra` behind it, which may not say anything again.

    Raises
    ------
    SettingsError
        It does, or it is no mapping with names for keys.
    """
    if extra is None:
        return metadata
    if not isinstance(extra, Mapping) or not all(isinstance(key, str) for key in extra):
        raise SettingsError(setting, repr(extra), "a mapping whose keys are str, or None")
    for key in extra:
        if key in metadata:
            raise SettingsError(f"{setting}[{key!r}]", repr(extra[key]), f"left out, since the strategy sets {key!r}")
    return {**metadata, **extra}


def told(batch: Batch) -> Batch:
    """The batch; a warning says how many documents of it could not be cut, if any."""
    if batch.errors:
        first = next(iter(batch.errors.values()))
        kind = "document" if len(batch.errors) == 1 else "documents"
        message = f"{len(batch.errors)} {kind} could not be cut (see Batch.errors); the first: {first}"
        warnings.warn(message, stacklevel=3)
    return batch
