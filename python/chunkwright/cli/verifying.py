"""``chunkwright verify``: an output against the documents that it was made from."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import chunkwright
from chunkwright.cli.bulk import errors_file
from chunkwright.cli.sources import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from chunkwright.cli.sources import Inputs, Source


@dataclass(slots=True)
class Result:
    """What was proved, or the first thing that is wrong."""

    documents: int = 0
    chunks: int = 0
    skipped: int = 0
    violation: str | None = None
    claim: str = "nothing lost, every range exact"


class BadOutputError(Exception):
    """A line of the output that is not a chunk; the message says which."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the output."""

    line: int
    document_id: str
    fields: dict[str, Any]


def check(inputs: Inputs, out: Path) -> Result:
    """Go through inputs and output side by side (both are in the same order) and stop at the first violation."""
    result = Result()
    try:
        failed = {row.document_id for row in _rows(errors_file(out))} if errors_file(out).is_file() else set()
        groups = itertools.groupby(_rows(out), key=lambda row: row.document_id)
        group = next(groups, None)
        for source in inputs:
            if source.document_id in failed:
                result.skipped += 1
                continue
            rows: list[Row] = []
            if group is not None and group[0] == source.document_id:
                rows = list(group[1])
                group = next(groups, None)
            result.violation = _violation(source, rows)
            if result.violation is not None:
                if not rows and group is not None:
                    result.violation += f" ({_here(out, group)})"
                return result
            result.documents += 1
            result.chunks += len(rows)
        if group is not None:
            result.violation = f"{_here(out, group)}, which is none of the inputs or was there before"
    except BadOutputError as error:
        result.violation = str(error)
    return result


def _here(out: Path, group: tuple[str, Iterator[Row]]) -> str:
    return f"{out}, line {next(group[1]).line}: a chunk of {group[0]!r}"


def _violation(source: Source, rows: list[Row]) -> str | None:
    try:
        text = source.read_text()
    except UnreadableError as error:
        return str(error)
    chunks = []
    for row in rows:
        try:
            chunks.append(chunkwright.Chunk.from_dict(row.fields))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            return f"{source.name}: line {row.line} of the output is not a chunk: {type(error).__name__}: {error}"
    violation = chunkwright.verify(text, chunks).violation
    return None if violation is None else f"{source.name}: {violation}"


def _rows(path: Path) -> Iterator[Row]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                fields = json.loads(line)
                document_id = fields.pop("document_id")
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise BadOutputError(f"{path}, line {number}: not a line that chunkwright wrote: {error}") from error
            yield Row(number, str(document_id), fields)
