"""The command line itself: commands, options, exit codes."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import click

import chunkwright
from chunkwright.cli import bulk, listing, output
from chunkwright.cli.progress import plural
from chunkwright.cli.settings import make_chunker, settings_options, tokenizer_option
from chunkwright.cli.sources import Inputs, UnreadableError
from chunkwright.cli.verifying import check

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

EXIT_OK = 0
EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 128 + signal.SIGINT
EXIT_TERMINATED = 128 + signal.SIGTERM

DEBUG_VARIABLE = "CHUNKWRIGHT_DEBUG"


class TerminatedError(BaseException):
    """The process was asked to end (SIGTERM)."""


class _Cli(click.Group):
    """A command group in which no ending shows a traceback."""

    def invoke(self, context: click.Context) -> Any:
        """Run the command; turn what ends it early into a sentence and an exit code."""
        try:
            return super().invoke(context)
        except BrokenPipeError:
            output.hush_standard_output()
            raise click.exceptions.Exit(EXIT_OK) from None
        except KeyboardInterrupt:
            click.echo("\ninterrupted; no output file was written or changed", err=True)
            raise click.exceptions.Exit(EXIT_INTERRUPTED) from None
        except TerminatedError:
            click.echo("terminated; no output file was written or changed", err=True)
            raise click.exceptions.Exit(EXIT_TERMINATED) from None
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if os.environ.get(DEBUG_VARIABLE):
                raise
            message = f"{type(error).__name__}: {error} (set {DEBUG_VARIABLE}=1 to see where)"
            raise click.ClickException(message) from error


@click.group(cls=_Cli, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(chunkwright.__version__, prog_name="chunkwright", message="%(prog)s %(version)s")
def cli() -> None:
    """Cut documents into chunks for retrieval: whole structures, exact sizes, nothing lost.

    Exit codes: 0 all went well, 1 some documents failed, 2 the command was wrong.
    """


@cli.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", "target", default="-", metavar="OUT", help="A .jsonl file, or - for standard output.")
@settings_options
@click.option("--threads", type=click.IntRange(min=1), default=None, metavar="N", help="Default: one for each core.")
@click.option(
    "--on-error",
    type=click.Choice(["skip", "fail"]),
    default="skip",
    show_default=True,
    help="What a bad document does: it is skipped and listed in OUT.errors.jsonl, or the run stops and writes nothing.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress and no summary; failed documents are still named.")
def chunk(
    inputs: tuple[str, ...], target: str, threads: int | None, on_error: str, *, quiet: bool, **settings: Any
) -> int:
    """Chunk documents into JSON lines, one chunk a line.

    INPUT is a file, a folder (searched for .md, .markdown, .mdx and .txt; hidden files are left out), a pattern such
    as 'docs/**/*.md', or - for standard input. Each line holds the chunk's fields and its document_id: the path
    relative to the folder given, the path as given for a file, - for standard input. Chunks come in the order of the
    inputs.
    """
    chunker = make_chunker(**settings)
    sources = Inputs(inputs)
    path = output.check_target(target, sources)
    sources.require_any()
    run = bulk.Run(sources, chunker, path, threads, stop_at_error=on_error == "fail", quiet=quiet)
    try:
        tally, failed = run()
    except bulk.StoppedError as error:
        end = "stopped there" if path is None else "stopped there, nothing was written"
        raise click.ClickException(f"{error}; {end}") from error
    if not quiet:
        click.echo(tally.sentence() + ("" if path is None else f" -> {path}"), err=True)
    if failed:
        click.echo(failed, err=True)
    return EXIT_FAILED if failed else EXIT_OK


@cli.command()
@click.argument("file", metavar="FILE")
@settings_options
@click.option("--full", is_flag=True, help="Show the whole content of each chunk.")
def inspect(file: str, *, full: bool, **settings: Any) -> int:
    """Show the chunks of one document: size, kind, heading path, first words, and why each chunk ends.

    FILE is a file, or - for standard input. Colours only on a terminal, and not if NO_COLOR is set.
    """
    from chunkwright.cli import table  # noqa: PLC0415 - rich is slow to load, and the other commands can do without

    chunker = make_chunker(**settings)
    sources = list(itertools.islice(Inputs([file]), 2))
    if len(sources) != 1 or (sources[0].path is not None and sources[0].path.is_dir()):
        raise click.UsageError(f"inspect shows one document; {file} is not a file")
    try:
        text = sources[0].read_text()
        chunks = chunker.chunk(text, document_id=sources[0].document_id)
    except UnreadableError as error:
        raise click.ClickException(str(error)) from error
    except chunkwright.DocumentError as error:
        raise click.ClickException(f"{sources[0].name}: {error.what}") from error
    violation = chunkwright.verify(text, chunks).violation
    console = table.console_for_output()
    parts = table.full(chunks, console) if full else table.overview(chunks, console.width)
    last = table.summary(chunks, getattr(chunker, "settings", {}).get("max_tokens"), violation)
    click.echo(table.rendered(console, [*parts, last]), nl=False, color=True)
    return EXIT_OK if violation is None else EXIT_FAILED


@cli.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@tokenizer_option
def count(inputs: tuple[str, ...], tokenizer_name: str) -> int:
    """Count the tokens of documents: one line for each, and the total.

    INPUT is what `chunkwright chunk` takes. A byte order mark is not counted.
    """
    if tokenizer_name not in chunkwright.tokenizer_names():
        known = ", ".join(chunkwright.tokenizer_names())
        raise click.UsageError(f"--tokenizer: {tokenizer_name!r} is none of {known}")
    sources = Inputs(inputs)
    sources.require_any()
    total = documents = failed = 0
    for source in sources:
        try:
            tokens = chunkwright.count_tokens(source.read_text().removeprefix("\ufeff"), tokenizer_name)
        except UnreadableError as error:
            click.echo(f"error: {error}", err=True)
            failed += 1
            continue
        documents += 1
        total += tokens
        click.echo(f"{tokens:>10}  {source.document_id}")
    if documents + failed > 1:
        click.echo(f"{total:>10}  total of {plural(documents, 'document')}")
    if failed:
        click.echo(f"{plural(failed, 'document')} failed", err=True)
    return EXIT_FAILED if failed else EXIT_OK


@cli.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.argument("out", metavar="OUT")
def verify(inputs: tuple[str, ...], out: str) -> int:
    """Prove that OUT holds the chunks of the inputs: nothing lost, every range exact.

    Give the same INPUTs as for `chunkwright chunk`, and the file that it wrote. The first violation is printed.
    """
    path = Path(out)
    if not path.is_file():
        raise click.UsageError(f"no such file: {out!r}")
    sources = Inputs(inputs)
    sources.require_any()
    result = check(sources, path)
    if result.violation is not None:
        click.echo(f"violation: {result.violation}", err=True)
        return EXIT_FAILED
    click.echo(f"ok: {plural(result.documents, 'document')}, {plural(result.chunks, 'chunk')}: {result.claim}")
    if result.skipped:
        click.echo(f"{plural(result.skipped, 'document')} failed when chunked and could not be verified", err=True)
    return EXIT_FAILED if result.skipped else EXIT_OK


@cli.command()
def strategies() -> int:
    """List the strategies: what each does, its parameters and their defaults."""
    width = min(shutil.get_terminal_size((listing.WIDTH, 24)).columns, listing.WIDTH)
    click.echo("\n".join(listing.lines(width)).rstrip("\n"))
    return EXIT_OK


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command with ``arguments`` (default: the process's own) and return its exit code."""
    try:
        result = cli.main(args=arguments, prog_name="chunkwright", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return EXIT_INTERRUPTED
    return result if isinstance(result, int) else EXIT_OK


def main() -> NoReturn:
    """Run the command as a process."""
    signal.signal(signal.SIGTERM, _terminate)
    warnings.showwarning = _show_warning
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    code = run()
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        output.hush_standard_output()
    sys.exit(code)


def _show_warning(
    message: Warning | str,
    category: type[Warning],  # noqa: ARG001 - what it is about is in the message
    filename: str,  # noqa: ARG001
    lineno: int,  # noqa: ARG001
    file: TextIO | None = None,  # noqa: ARG001
    line: str | None = None,  # noqa: ARG001
) -> None:
    click.echo(f"warning: {message}", err=True)


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    raise TerminatedError
