"""``chunkwright chunk``: documents in, JSON lines out, in batches of bounded size."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chunkwright.cli.output import OutputError, StandardOutput, WholeFile
from chunkwright.cli.progress import BarReporter, LineReporter, Tally, plural, wants_bar
from chunkwright.cli.sources import UnreadableError, not_utf8

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import chunkwright
    from chunkwright.cli.progress import Reporter
    from chunkwright.cli.sources import Inputs, Source

BATCH_BYTES = 8 * 1024 * 1024
BATCH_DOCUMENTS = 2048

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False)


class StoppedError(Exception):
    """A document failed and the run was to stop there."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document that was read, or the reason why it was not."""

    source: Source
    data: bytes
    problem: str | None = None


def batches(sources: Iterable[Source]) -> Iterator[list[Document]]:
    """The documents, read in order, in batches that end after 8 MiB or 2048 documents."""
    batch: list[Document] = []
    size = 0
    for source in sources:
        try:
            document = Document(source, source.read())
        except UnreadableError as error:
            document = Document(source, b"", str(error))
        batch.append(document)
        size += len(document.data)
        if size >= BATCH_BYTES or len(batch) >= BATCH_DOCUMENTS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


@dataclass(slots=True)
class Run:
    """One run of ``chunkwright chunk``."""

    inputs: Inputs
    chunker: chunkwright.BaseChunkingStrategy
    target: Path | None
    threads: int | None
    stop_at_error: bool
    quiet: bool

    def __call__(self) -> tuple[Tally, str]:
        """Do it; the tally, and a sentence about failed documents for the person who asked (empty if there is none).

        Raises
        ------
        StoppedError
            A document failed and ``stop_at_error`` is set. No file was written.
        """
        tally = Tally()
        reporter = self._reporter()
        try:
            return tally, self._chunk(tally, reporter)
        finally:
            reporter.close()

    def _reporter(self) -> Reporter:
        show_all = self.target is None
        if not wants_bar(quiet=self.quiet, to_standard_output=self.target is None):
            return LineReporter(quiet=self.quiet, show_all_errors=show_all)
        documents, size = self.inputs.measure()
        return BarReporter(documents, size, show_all_errors=show_all)

    def _chunk(self, tally: Tally, reporter: Reporter) -> str:
        if self.target is None:
            with StandardOutput() as out:
                self._write(out, None, tally, reporter)
            return f"{plural(tally.errors, 'document')} failed" if tally.errors else ""
        errors_path = errors_file(self.target)
        with WholeFile(self.target) as out, WholeFile(errors_path) as errors:
            out.write(b"")
            self._write(out, errors, tally, reporter)
            errors.commit()
            out.commit()
        if tally.errors:
            return f"{plural(tally.errors, 'document')} failed; see {errors_path}"
        try:
            errors_path.unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(errors_path, error) from error
        return ""

    def _write(
        self, out: WholeFile | StandardOutput, errors: WholeFile | None, tally: Tally, reporter: Reporter
    ) -> None:
        for batch in batches(self.inputs):
            for document, chunks in self._chunked(batch):
                if isinstance(chunks, str):
                    self._failed(document.source, chunks, errors, tally, reporter)
                    continue
                for chunk in chunks:
                    tally.add(chunk.token_count, chunk.char_count)
                    out.write(json_line({"document_id": document.source.document_id, **chunk.to_dict()}))
            out.flush()
            tally.documents += len(batch)
            tally.size += sum(len(document.data) for document in batch)
            reporter.update(tally)

    def _failed(self, source: Source, problem: str, errors: WholeFile | None, tally: Tally, reporter: Reporter) -> None:
        if self.stop_at_error:
            raise StoppedError(problem)
        tally.errors += 1
        reporter.error(problem)
        if errors is not None:
            path = None if source.path is None else str(source.path)
            errors.write(json_line({"document_id": source.document_id, "path": path, "error": problem}))

    def _chunked(self, batch: list[Document]) -> Iterator[tuple[Document, list[chunkwright.Chunk] | str]]:
        """Each document of the batch, in order, with its chunks or with what is wrong with it."""
        readable = [document for document in batch if document.problem is None]
        with warnings.catch_warnings():
            # What the warning is about, failed documents, is told by the caller, each by its file.
            warnings.simplefilter("ignore", UserWarning)
            results = self.chunker.chunk_many(
                [document.data for document in readable],
                document_ids=[document.source.document_id for document in readable],
                threads=self.threads,
            )
        place = 0
        for document in batch:
            if document.problem is not None:
                yield document, document.problem
                continue
            error = results.errors.get(place)
            yield document, results[place] if error is None else describe(document, error)
            results[place] = []
            place += 1


def describe(document: Document, error: Exception) -> str:
    """What is wrong with a document that the chunker refused: its file, and the byte if it is not UTF-8."""
    try:
        document.data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        return not_utf8(document.source.name, document.data, wrong)
    return f"{document.source.name}: {getattr(error, 'what', error)}"


def errors_file(target: Path) -> Path:
    """Where the failed documents of an output are listed."""
    return target.with_name(f"{target.name}.errors.jsonl")


def json_line(row: dict[str, object]) -> bytes:
    """One line of JSON, UTF-8."""
    return _JSON.encode(row).encode() + b"\n"
