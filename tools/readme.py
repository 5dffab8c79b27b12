"""Runs what README.md shows, and compares what comes out with what it says. ``--write`` puts the real output in.

Three kinds of block: ``console`` (lines with ``$`` are commands, what follows is their output), ``python`` (a ``>>>``
session) and ``sh`` (shown, not run: what builds and tests the project). All run in one folder that holds the samples.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"

BLOCK = re.compile(r"^```(?P<language>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^>>> .*\n(?:\.\.\..*\n)*", re.MULTILINE)
TIMING = re.compile(r"in [\d.]+ s \([\d.]+ MB/s\)")


@dataclass(frozen=True, slots=True)
class Block:
    """A block of README.md, and the same block with the output that really comes out."""

    line: int
    language: str
    shown: str
    real: str

    @property
    def right(self) -> bool:
        """Whether README.md shows the truth; times are not compared."""
        return TIMING.sub("", self.shown) == TIMING.sub("", self.real)


def blocks(text: str) -> Iterator[Block]:
    """Run the blocks of a README in order."""
    session: dict[str, Any] = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder, _inside(Path(folder)):
        Path("samples").symlink_to(ROOT / "samples", target_is_directory=True)
        for match in BLOCK.finditer(text):
            language, body = match["language"], match["body"]
            line = text.count("\n", 0, match.start()) + 2
            if language == "console":
                yield Block(line, language, body, "".join(_run_console(body)))
            elif language == "python":
                yield Block(line, language, body, "".join(_run_python(body, session)))
            elif language != "sh":
                raise ValueError(f"README.md, line {line}: a block in {language!r} that nothing tests")


def shell_commands(text: str) -> list[str]:
    """The commands in the ``sh`` blocks."""
    bodies = (match["body"] for match in BLOCK.finditer(text) if match["language"] == "sh")
    return [line.partition("#")[0].strip() for body in bodies for line in body.splitlines() if line.strip()]


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _run_console(body: str) -> Iterator[str]:
    environment = dict(os.environ)
    for name in ("FORCE_COLOR", "CHUNKWRIGHT_DEBUG"):
        environment.pop(name, None)
    environment["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), environment.get("PATH", "")])
    environment.update(NO_COLOR="1", COLUMNS="100", PYTHONUTF8="1")
    for line in body.splitlines():
        if line.startswith("$ "):
            done = subprocess.run(
                ["bash", "-c", line[2:]],
                check=False,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            output = done.stdout.decode()
            yield f"{line}\n{output}" + ("" if not output or output.endswith("\n") else "\n")


def _run_python(body: str, session: dict[str, Any]) -> Iterator[str]:
    for example in EXAMPLE.finditer(body):
        source = re.sub(r"^(>>>|\.\.\.) ?", "", example.group(), flags=re.MULTILINE)
        yield example.group()
        with contextlib.redirect_stdout(io.StringIO()) as output, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                exec(compile(source, "README.md", "single"), session)  # noqa: S102 - that is the purpose
            except Exception as error:  # noqa: BLE001 - shown as a session shows it
                print(f"Traceback (most recent call last):\n    ...\n{type(error).__name__}: {error}")
        yield output.getvalue()


def main(arguments: list[str]) -> int:
    """Compare, or with ``--write`` correct README.md."""
    text = README.read_text(encoding="utf-8")
    wrong = [block for block in blocks(text) if not block.right and block.language != "sh"]
    for block in wrong:
        print(f"README.md, line {block.line}: the output is now\n{block.real}")
    if "--write" in arguments:
        for block in wrong:
            text = text.replace(f"```{block.language}\n{block.shown}```", f"```{block.language}\n{block.real}```")
        README.write_text(text, encoding="utf-8")
        return 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
