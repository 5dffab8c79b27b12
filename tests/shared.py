"""The material beside the repository: handed cases and real corpora. Tests that need it skip where it is absent."""

from __future__ import annotations

import gzip
import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="no ../shared here")


def module(path: str) -> Any:
    """A Python file of the shared folder, as a module."""
    file = SHARED / path
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def cases() -> list[dict[str, Any]]:
    """The handed cases."""
    file = SHARED / "cases" / "public-reports.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.is_file() else []


def corpus(name: str) -> Iterator[tuple[str, str]]:
    """Ids and texts of a corpus."""
    with gzip.open(SHARED / "corpora" / f"{name}.jsonl.gz", "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            record = json.loads(line)
            yield record["id"], record["text"]


CORPORA = ("en_book", "en_fastapi", "en_ps", "tldr", "zh_docs")
