"""How a long run shows what it does: a bar on a terminal, plain lines elsewhere, a summary at the end."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import click

if TYPE_CHECKING:
    from rich.progress import Progress

MEGABYTE = 1_000_000
ERRORS_SHOWN = 10
SECONDS_BETWEEN_LINES = 10.0


@dataclass(slots=True)
class Tally:
    """What a run has done so far."""

    documents: int = 0
    size: int = 0
    chunks: int = 0
    tokens: int = 0
    characters: int = 0
    counted: bool = True
    errors: int = 0
    started: float = field(default_factory=time.monotonic)

    def add(self, tokens: int | None, characters: int) -> None:
        """One more chunk. If the tokens of one are not known, characters are what is told."""
        self.chunks += 1
        self.tokens += tokens or 0
        self.characters += characters
        self.counted = self.counted and tokens is not None

    @property
    def seconds(self) -> float:
        """Time since the run began."""
        return max(time.monotonic() - self.started, 1e-9)

    @property
    def rate(self) -> str:
        """Megabytes a second so far."""
        return f"{self.size / MEGABYTE / self.seconds:.1f} MB/s"

    def sentence(self) -> str:
        """All of it in one line."""
        parts = [
            plural(self.documents, "document"),
            megabytes(self.size),
            plural(self.chunks, "chunk"),
            plural(self.tokens, "token") if self.counted else plural(self.characters, "character"),
            plural(self.errors, "error"),
        ]
        return f"{', '.join(parts)} in {self.seconds:.2f} s ({self.rate})"


def plural(number: int, noun: str) -> str:
    """``1 chunk``, ``2 chunks``, ``12,345 chunks``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def megabytes(size: int) -> str:
    """A size for people; small ones in kilobytes."""
    return f"{size / 1000:.1f} kB" if size < MEGABYTE else f"{size / MEGABYTE:,.1f} MB"


class Reporter(Protocol):
    """Tells the person at the terminal how the run goes."""

    def update(self, tally: Tally) -> None:
        """The run has come this far."""

    def error(self, message: str) -> None:
        """A document failed."""

    def close(self) -> None:
        """The run is over; nothing of the display stays open."""


class LineReporter:
    """Plain lines on standard error: errors as they come, the state every ten seconds unless ``quiet``."""

    def __init__(self, *, quiet: bool, show_all_errors: bool) -> None:
        self._quiet = quiet
        self._last = time.monotonic()
        self._errors = ErrorLines(show_all=show_all_errors)

    def update(self, tally: Tally) -> None:
        """The run has come this far."""
        now = time.monotonic()
        if not self._quiet and now - self._last >= SECONDS_BETWEEN_LINES:
            self._last = now
            click.echo(f"so far {tally.sentence()}", err=True)

    def error(self, message: str) -> None:
        """A document failed."""
        line = self._errors.line(message)
        if line is not None:
            click.echo(line, err=True)

    def close(self) -> None:
        """Nothing is open."""


class BarReporter:
    """A progress bar on standard error."""

    def __init__(self, documents: int, size: int, *, show_all_errors: bool) -> None:
        self._documents = documents
        self._bar = _bar()
        self._task = self._bar.add_task("", total=max(size, 1), state="")
        self._errors = ErrorLines(show_all=show_all_errors)
        self._bar.start()

    def update(self, tally: Tally) -> None:
        """The run has come this far."""
        state = (
            f"{tally.documents:,}/{self._documents:,} documents  {megabytes(tally.size)}  {tally.rate}  "
            f"{plural(tally.chunks, 'chunk')}  {plural(tally.errors, 'error')}"
        )
        self._bar.update(self._task, completed=tally.size, state=state)

    def error(self, message: str) -> None:
        """A document failed."""
        line = self._errors.line(message)
        if line is not None:
            self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def close(self) -> None:
        """Take the bar off the screen."""
        self._bar.stop()


class ErrorLines:
    """The lines for failed documents: the first ten, then one that says where the rest is."""

    def __init__(self, *, show_all: bool) -> None:
        self._show_all = show_all
        self._count = 0

    def line(self, message: str) -> str | None:
        """What to print for this failure, if anything."""
        self._count += 1
        if self._show_all or self._count <= ERRORS_SHOWN:
            return f"error: {message}"
        if self._count == ERRORS_SHOWN + 1:
            return "error: more documents failed; the list is written beside the output"
        return None


def _bar() -> Progress:
    # Imported here: only a run on a terminal needs it.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    return Progress(
        BarColumn(bar_width=24),
        TaskProgressColumn(),
        TextColumn("{task.fields[state]}", markup=False),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True),
        transient=True,
    )


def wants_bar(*, quiet: bool, to_standard_output: bool) -> bool:
    """Whether a bar can be shown: standard error is a terminal that nothing else writes to."""
    return not quiet and sys.stderr.isatty() and not (to_standard_output and sys.stdout.isatty())
