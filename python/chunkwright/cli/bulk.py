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
    chunker: chunkwright.StructureAwareChunker
    target: Path | None
    threads: int | None
    stop_at_error: bool
    quiet: bool

    def __call__(self) -> tuple[Tally, str]:
        """Do it; the tally, and a sentence about failed documents for the person who asked (empty if there is none).

        Raises
        ------
        StoppedError
            A document failed and ``stop_at_error`` is set. Nothing was written.
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
            lines, failures = self._chunk_batch(batch, tally)
            for source, problem in failures:
                if self.stop_at_error:
                    raise StoppedError(problem)
                tally.errors += 1
                reporter.error(problem)
                if errors is not None:
                    path = None if source.path is None else str(source.path)
                    errors.write(json_line({"document_id": source.document_id, "path": path, "error": problem}))
            out.write(b"".join(lines))
            tally.documents += len(batch)
            tally.size += sum(len(document.data) for document in batch)
            reporter.update(tally)

    def _chunk_batch(self, batch: list[Document], tally: Tally) -> tuple[list[bytes], list[tuple[Source, str]]]:
        readable = [document for document in batch if document.problem is None]
        with warnings.catch_warnings():
            # What the warning is about, failed documents, is told below, each by its file.
            warnings.simplefilter("ignore", UserWarning)
            results = self.chunker.chunk_many(
                [document.data for document in readable],
                document_ids=[document.source.document_id for document in readable],
                threads=self.threads,
            )
        failed = {readable[index].source: describe(readable[index], error) for index, error in results.errors.items()}
        failed.update((document.source, document.problem) for document in batch if document.problem is not None)
        lines: list[bytes] = []
        for document, chunks in zip(readable, results, strict=True):
            for chunk in chunks:
                tally.chunks += 1
                tally.tokens += chunk.token_count or 0
                lines.append(json_line({"document_id": document.source.document_id, **chunk.to_dict()}))
        return lines, [(document.source, failed[document.source]) for document in batch if document.source in failed]


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
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
