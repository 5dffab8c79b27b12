"""What tests of every kind share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chunkwright import strategy
from cli_support import DOCUMENT

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting in the environment, and no strategy that another test registered."""
    for name in os.environ:
        if name.startswith("CHUNK_"):
            monkeypatch.delenv(name)
    monkeypatch.setattr(strategy, "_registered", {})


@pytest.fixture(scope="session")
def samples() -> Path:
    """The sample documents of the repository."""
    return ROOT / "samples"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with ``docs`` in it: documents in two languages, one in a subfolder, and files to leave out."""
    docs = tmp_path / "docs"
    (docs / "sub").mkdir(parents=True)
    (docs / ".hidden").mkdir()
    (docs / "b.md").write_text(DOCUMENT, encoding="utf-8")
    (docs / "a.markdown").write_text("Only a line.\n", encoding="utf-8")
    (docs / "sub" / "说明.txt").write_text("一段说明。\n", encoding="utf-8")
    (docs / "sub" / "c.mdx").write_bytes(b"\xef\xbb\xbf# With a mark\r\n\r\nText behind it.\r\n")
    (docs / ".hidden" / "d.md").write_text("hidden\n", encoding="utf-8")
    (docs / "e.rst").write_text("another format\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path
