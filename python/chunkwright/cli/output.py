"""What the command writes: a whole file or none, or standard output."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

if TYPE_CHECKING:
    from types import TracebackType

    from chunkwright.cli.sources import Inputs

BUFFER = 1024 * 1024
STDOUT = "-"
SUFFIX = ".jsonl"


class OutputError(click.ClickException):
    """The output cannot be written (a full disk, a folder without the right to write)."""

    exit_code = 1

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(f"cannot write {path}: {error.strerror or error}")


def check_target(name: str, inputs: Inputs) -> Path | None:
    """The file that ``--output`` names, None for standard output.

    Raises
    ------
    click.UsageError
        It cannot be an output.
    """
    if name == STDOUT:
        return None
    path = Path(name)
    if path.is_dir():
        raise click.UsageError(f"--output: {name} is a folder; give a file that ends in {SUFFIX}, or -")
    if path.suffix.lower() != SUFFIX:
        raise click.UsageError(f"--output: {name} must end in {SUFFIX}, or be - for standard output")
    if not path.parent.is_dir():
        raise click.UsageError(f"--output: the folder {path.parent} does not exist")
    if inputs.holds(path):
        raise click.UsageError(f"--output: {name} is one of the inputs")
    return path


class WholeFile:
    """A file that appears under its name when it is complete, or not at all.

    It is written beside its place under a temporary name. ``commit`` renames it; leaving the ``with`` block without a
    commit removes it.
    """

    def __init__(self, path: Path) -> None:
        self._path = Path(os.path.realpath(path))
        self._temporary = self._path.with_name(f".{self._path.name}.{os.getpid()}.tmp")
        self._stack = ExitStack()
        self._file: IO[bytes] | None = None

    def __enter__(self) -> WholeFile:
        return self

    def write(self, data: bytes) -> None:
        """Append ``data``; the file is opened by the first call."""
        try:
            if self._file is None:
                self._file = self._stack.enter_context(self._temporary.open("wb", buffering=BUFFER))
            self._file.write(data)
        except OSError as error:
            raise OutputError(self._path, error) from error

    def flush(self) -> None:
        """Nothing has to be seen before ``commit``."""

    def commit(self) -> None:
        """Give the file its name. With nothing written, an empty ``write`` before makes an empty file."""
        try:
            if self._file is not None:
                self._file.flush()
                os.fsync(self._file.fileno())
                self._stack.close()
                self._temporary.replace(self._path)
                self._file = None
        except OSError as error:
            raise OutputError(self._path, error) from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self._stack.close()
        except OSError:
            if error is None:
                raise
        finally:
            self._temporary.unlink(missing_ok=True)


class StandardOutput:
    """Standard output, with the same shape as ``WholeFile``."""

    def __enter__(self) -> StandardOutput:
        return self

    def write(self, data: bytes) -> None:
        """Send ``data``, at the latest with the next ``flush``."""
        sys.stdout.buffer.write(data)

    def flush(self) -> None:
        """Let the reader see what was written."""
        sys.stdout.buffer.flush()

    def commit(self) -> None:
        """Nothing is left to do."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Nothing is left to do."""


def hush_standard_output() -> None:
    """After its reader has gone: let what is still buffered go nowhere, without a message at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
