"""What the tests of the command share."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from chunkwright.cli.app import run

COMMAND = [sys.executable, "-m", "chunkwright"]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX only")

DOCUMENT = """# Pumps

Two pumps lift the water. One is enough in dry weather.

| Level | What happens |
| --- | --- |
| 0.40 | both stop |

## 水位

水位过高时，两台泵同时运行。
"""


IDS = ["a.markdown", "b.md", "sub/c.mdx", "sub/说明.txt"]


def rows(path: Path | str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_bytes().splitlines()]


def ids(path: Path | str) -> list[str]:
    return list(dict.fromkeys(row["document_id"] for row in rows(path)))


def process(*arguments: str | Path, stdin: bytes = b"", **more: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *map(str, arguments)], input=stdin, capture_output=True, check=False, **more)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a wrong command; the sentence on standard error."""
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err
