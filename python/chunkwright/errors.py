"""Exceptions. All derive from `ChunkwrightError`; each says what to do."""

from __future__ import annotations

__all__ = ["BudgetError", "ChunkwrightError", "DocumentError", "MissingExtraError", "SettingsError"]


class ChunkwrightError(Exception):
    """Base of all errors of this package."""


class SettingsError(ChunkwrightError, ValueError):
    """A setting with a value that makes no sense.

    Attributes
    ----------
    setting, value, allowed : str
        Name of the setting, the value as given, and what is allowed, in words.
    """

    def __init__(self, setting: str, value: str, allowed: str) -> None:
        super().__init__(setting, value, allowed)
        self.setting = setting
        self.value = value
        self.allowed = allowed

    def __str__(self) -> str:
        return f"{self.setting} = {self.value} is not allowed: it must be {self.allowed}"


class DocumentError(ChunkwrightError, ValueError):
    """A document that cannot be cut: not UTF-8, half a surrogate pair, not text at all, or blocks that do not fit its text.

    Attributes
    ----------
    document : str or None
        Id of the document, or its place in a batch.
    what : str
        What is wrong.
    position : int or None
        Where: a byte for `bytes`, a code point for `str`.
    """

    def __init__(self, document: str | None, what: str, position: int | None = None) -> None:
        super().__init__(document, what, position)
        self.document = document
        self.what = what
        self.position = position

    def __str__(self) -> str:
        name = "the document" if self.document is None else f"document {self.document}"
        return f"{name}: {self.what}"


class BudgetError(ChunkwrightError, RuntimeError):
    """A chunk came out over its budget: a bug of chunkwright, raised rather than passed on."""


class MissingExtraError(ChunkwrightError, ImportError):
    """A library that is only installed on request.

    Attributes
    ----------
    what, library, extra : str
        What needs it, its name, and the extra of this package that installs it.
    """

    def __init__(self, what: str, library: str, extra: str) -> None:
        super().__init__(what, library, extra)
        self.what = what
        self.library = library
        self.extra = extra

    def __str__(self) -> str:
        return f"{self.what} needs {self.library}, which is not installed: pip install 'chunkwright[{self.extra}]'"
