"""What the command reads: files, folders, patterns and standard input, as documents with ids."""

from __future__ import annotations

import glob
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SUFFIXES = (".md", ".markdown", ".mdx", ".txt")
"""The endings of the files that a folder is searched for."""

STDIN = "-"


class UnreadableError(Exception):
    """A document that cannot be read; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Source:
    """One document: its id and where its bytes are (``path`` is None for standard input)."""

    document_id: str
    path: Path | None
    problem: str | None = None

    @property
    def name(self) -> str:
        """What messages call the document."""
        return "standard input" if self.path is None else _printable(str(self.path))

    def size(self) -> int:
        """The bytes it will have, or 0 where only reading tells."""
        try:
            return 0 if self.path is None else self.path.stat().st_size
        except OSError:
            return 0

    def read(self) -> bytes:
        """The document's bytes.

        Raises
        ------
        UnreadableError
            The file cannot be read.
        """
        if self.problem is not None:
            raise UnreadableError(self.problem)
        try:
            if self.path is None:
                return sys.stdin.buffer.read()
            return self.path.read_bytes()
        except OSError as error:
            raise UnreadableError(f"{self.name}: {error.strerror or error}") from error

    def read_text(self) -> str:
        """The document's text, a byte order mark included.

        Raises
        ------
        UnreadableError
            The file cannot be read, or is not UTF-8.
        """
        data = self.read()
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UnreadableError(not_utf8(self.name, data, error)) from error


def not_utf8(name: str, data: bytes, error: UnicodeDecodeError) -> str:
    """The sentence that names the document, the byte and, where it can be told, the encoding that it has instead."""
    line = data.count(b"\n", 0, error.start) + 1
    hint = ""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        hint = "; it begins like UTF-16"
    return f"{name}: not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start} (line {line}){hint}"


class Inputs:
    """The documents behind the command's arguments, in order, found anew on each iteration and never held in memory.

    A document's id is its path relative to the folder that was given, the path as given for a file, and ``-`` for
    standard input. Folders are walked in name order; hidden files and folders are left out, and links to folders are
    not followed.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        self._roots: list[Path | None] = list(dict.fromkeys(_roots(arguments)))
        self._refuse_equal_ids()

    def __iter__(self) -> Iterator[Source]:
        for root in self._roots:
            yield from _sources(root)

    def measure(self) -> tuple[int, int]:
        """How many documents there are, and their bytes together."""
        documents = size = 0
        for source in self:
            documents += 1
            size += source.size()
        return documents, size

    def require_any(self) -> None:
        """Refuse to go on if no document was found.

        Raises
        ------
        click.UsageError
            There is none.
        """
        if next(iter(self), None) is None:
            places = ", ".join(_printable(str(root)) for root in self._roots)
            raise click.UsageError(f"no document in {places} (looked for {', '.join(SUFFIXES)})")

    def holds(self, path: Path) -> bool:
        """Whether ``path`` is one of the files given by name."""
        return any(root is not None and _same_file(root, path) for root in self._roots)

    def _refuse_equal_ids(self) -> None:
        folders = [root for root in self._roots if root is not None and root.is_dir()]
        for folder in folders:
            for other in self._roots:
                if other is folder or other is None:
                    continue
                for source in _sources(other):
                    relative = Path(source.document_id)
                    twin = folder / relative
                    if not relative.is_absolute() and twin.name.lower().endswith(SUFFIXES) and twin.is_file():
                        raise click.UsageError(
                            f"two documents would have the id {source.document_id!r}: {source.name} and "
                            f"{_printable(str(twin))}; give the folder that holds both, or chunk them one by one"
                        )


def _roots(arguments: Sequence[str]) -> Iterator[Path | None]:
    for argument in arguments:
        path = Path(argument)
        if argument == STDIN:
            yield None
        elif path.exists():
            yield path
        elif any(mark in argument for mark in "*?["):
            found = sorted(name for name in glob.glob(argument, recursive=True) if not Path(name).is_dir())  # noqa: PTH207
            if not found:
                raise click.UsageError(f"no file matches the pattern {argument!r}")
            yield from map(Path, found)
        else:
            raise click.UsageError(f"no such file or folder: {_printable(argument)!r}")


def _sources(root: Path | None) -> Iterator[Source]:
    if root is None:
        yield Source(STDIN, None)
    elif root.is_dir():
        yield from _walk(root)
    else:
        yield Source(_document_id(root), root)


def _walk(folder: Path) -> Iterator[Source]:
    pending: list[Iterator[os.DirEntry[str]]] = [iter(())]
    opening: Path | None = folder
    while pending:
        if opening is not None:
            try:
                pending.append(iter(_entries(opening)))
            except OSError as error:
                problem = f"{_printable(str(opening))}: {error.strerror or error}"
                yield Source(_document_id(opening.relative_to(folder)), opening, problem)
            opening = None
        entry = next(pending[-1], None)
        if entry is None:
            pending.pop()
        elif entry.is_dir(follow_symlinks=False):
            opening = Path(entry.path)
        elif entry.name.lower().endswith(SUFFIXES) and (entry.is_file() or (entry.is_symlink() and not entry.is_dir())):
            path = Path(entry.path)
            yield Source(_document_id(path.relative_to(folder)), path)


def _entries(folder: Path) -> Iterable[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted((entry for entry in entries if not entry.name.startswith(".")), key=lambda entry: entry.name)


def _document_id(path: Path) -> str:
    return _printable(path.as_posix())


def _printable(name: str) -> str:
    """``name`` with bytes that are not UTF-8 written as escapes, so that it can stand in JSON and on a terminal."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _same_file(left: Path, right: Path) -> bool:
    try:
        return left.samefile(right)
    except OSError:
        return False
