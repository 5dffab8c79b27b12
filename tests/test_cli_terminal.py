"""The command on a terminal: signals, pipes, progress, and `chunkwright inspect`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import chunkwright
from chunkwright.cli import bulk
from chunkwright.cli.app import run
from cli_support import COMMAND, DOCUMENT, POSIX, process

if TYPE_CHECKING:
    from collections.abc import Sequence

# signals and pipes


def endless_input(arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """The command, waiting for more standard input."""
    running = subprocess.Popen(
        [*COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert running.stdin is not None
    running.stdin.write(b"a line\n")
    running.stdin.flush()
    time.sleep(1.0)
    return running


@POSIX
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_in_a_sentence_without_a_half_file(number: signal.Signals, code: int) -> None:
    Path("out.jsonl").write_text("old\n")
    running = endless_input(["chunk", "docs", "-", "-o", "out.jsonl"])
    running.send_signal(number)
    out, err = running.communicate(timeout=10)
    assert running.returncode == code
    assert out == b""
    assert len(err.decode().strip().splitlines()) == 1
    assert b"no output file was written or changed" in err
    assert sorted(path.name for path in Path().iterdir()) == ["docs", "out.jsonl"]
    assert Path("out.jsonl").read_text() == "old\n"


@POSIX
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", ["chunk -q", "inspect --full --max-tokens 16 --overlap-tokens 0", "count"])
def test_a_closed_pipe_is_silent(command: str) -> None:
    Path("docs/long.md").write_text("".join(f"# Part {number}\n\n{DOCUMENT}\n" for number in range(3000)))
    inputs = "docs/long.md" if command.startswith("inspect") else "docs/long.md docs"
    script = f"'{sys.executable}' -m chunkwright {command} {inputs} | head -n 1 >first; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, check=False)
    assert done.stderr == b""
    assert done.stdout == b"0\n"
    assert Path("first").stat().st_size > 0


@POSIX
@pytest.mark.usefixtures("folder")
def test_a_terminal_shows_a_bar_and_a_summary() -> None:
    import pty

    for number in range(20):
        Path(f"docs/n{number}.md").write_text(DOCUMENT * 20)
    ours, theirs = pty.openpty()
    done = subprocess.Popen(
        [*COMMAND, "chunk", "docs", "-o", "out.jsonl"],
        stderr=theirs, stdout=theirs, stdin=subprocess.DEVNULL, env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    try:
        while data := os.read(ours, 65536):
            shown += data
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert done.wait(timeout=10) == 0
    assert b"24/24 documents" in shown
    assert b"MB/s" in shown
    assert b"24 documents, " in shown.rstrip().splitlines()[-1]


@pytest.mark.usefixtures("folder")
def test_long_runs_say_where_they_are_in_plain_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from chunkwright.cli import progress

    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    monkeypatch.setattr(bulk, "BATCH_DOCUMENTS", 1)
    assert run(["chunk", "docs", "-o", "out.jsonl"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(",")[0] for line in lines[:-1]] == [
        "so far 1 document", "so far 2 documents", "so far 3 documents", "so far 4 documents",
    ]  # fmt: skip
    assert lines[-1].startswith("4 documents, ")


# inspect


@pytest.mark.usefixtures("folder")
def test_inspect_shows_each_chunk_on_a_line() -> None:
    done = process("inspect", "docs/b.md", env={**os.environ, "COLUMNS": "100"})
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    chunks = chunkwright.StructureAwareChunker().chunk(DOCUMENT, document_id="docs/b.md")
    assert lines[0].split()[:4] == ["#", "tokens", "kind", "path"]
    for line, chunk in zip(lines[1:], chunks, strict=False):
        assert line.split()[:2] == [str(chunk.chunk_index), str(chunk.token_count)]
        assert line.endswith(chunk.split_reason)
    assert lines[-1].startswith(f"{len(chunks)} chunks, ")
    assert lines[-1].endswith("verified: nothing lost, every position exact")
    assert "\x1b" not in done.stdout.decode()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("width", [60, 80, 100, 140])
def test_inspect_aligns_wide_text(samples: Path, width: int) -> None:
    from rich.cells import cell_len

    done = process(
        "inspect", samples / "zh/server-room.md", "--max-tokens", "128", env={**os.environ, "COLUMNS": str(width)}
    )
    lines = done.stdout.decode().splitlines()[:-2]
    column = lines[0].index("ends at")
    reasons = ("section_end", "document_end", "max_tokens", "token_window", "target_tokens")
    for line in lines[1:]:
        reason = line.split()[-1]
        assert reason in reasons
        assert cell_len(line[: -len(reason)]) == column
        assert cell_len(line) <= width


@POSIX
@pytest.mark.usefixtures("folder")
def test_inspect_is_coloured_on_a_terminal_unless_told_not_to() -> None:
    import pty

    for extra, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        ours, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "xterm-256color", **extra}
        environment.pop("NO_COLOR", None) if coloured else None
        done = subprocess.Popen([*COMMAND, "inspect", "docs/a.markdown"], stdout=theirs, env=environment)
        assert done.wait(timeout=20) == 0
        os.close(theirs)
        shown = os.read(ours, 65536)
        os.close(ours)
        assert b"Only a line." in shown
        assert (b"\x1b[32m" in shown) is coloured


@pytest.mark.usefixtures("folder")
def test_inspect_full_shows_whole_chunks_and_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    Path("docs/b.md").write_text("Clear \x1b[2J the screen.\n\n" + "A long line of words. " * 30)
    assert run(["inspect", "--full", "docs/b.md"]) == 0
    shown = capsys.readouterr().out
    assert ("A long line of words. " * 30).strip() in shown
    assert "\x1b" not in shown
    assert run(["inspect", "docs/b.md"]) == 0
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.usefixtures("folder")
def test_inspect_reads_standard_input_and_refuses_bad_text() -> None:
    done = process("inspect", "-", stdin=DOCUMENT.encode())
    assert done.returncode == 0
    bad = process("inspect", "-", stdin=b"ab\xff")
    assert bad.returncode == 1
    assert bad.stderr.decode().strip() == "Error: standard input: not UTF-8: byte 0xff at offset 2 (line 1)"
