"""`verify`: proof that a result keeps its promises."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chunkwright import _native
from chunkwright.document import Document

__all__ = ["Verification", "verify"]


@dataclass(frozen=True)
class Verification:
    """What a check found: true if nothing is wrong.

    Attributes
    ----------
    violation : str or None
        The first broken promise, in words.
    """

    violation: str | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return self.violation is None

    def __bool__(self) -> bool:
        return self.ok

    def raise_if_failed(self) -> None:
        """Raise `AssertionError` with the violation, if there is one."""
        if self.violation is not None:
            raise AssertionError(self.violation)


def verify(
    document: Document,
    chunks: Iterable[_native.Chunk],
    *,
    tokenizer_name: str | None = None,
    max_tokens: int | None = None,
) -> Verification:
    """Check chunks against their source.

    Content is the concatenation of the segments; every range is exact in bytes, code points and lines; body segments follow each other without sharing a
    character; every character that is not white space is in one of them, but for front matter, thematic breaks, page markers and headings
    that some path names; ids differ; indices run from 0.

    Parameters
    ----------
    document : str, bytes or ParsedDocument
        What the chunks are from.
    tokenizer_name : str or None
        If given, every chunk is counted again and compared with its `token_count`.
    max_tokens : int or None
        If given, no chunk may claim more.
    """
    return Verification(_native.verify(document, list(chunks), tokenizer_name, max_tokens))
