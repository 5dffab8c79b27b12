"""What is measured on: the repository's sample documents, and the corpora of ``../shared`` where they are."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
SHARED = ROOT.parent / "shared"

CORPORA = ("en_ps", "zh_docs", "en_book", "en_fastapi", "tldr")


def has_corpora() -> bool:
    """Whether the corpora are there."""
    return (SHARED / "corpora").is_dir()


@cache
def documents(name: str) -> tuple[str, ...]:
    """All documents of a corpus, or of ``samples``."""
    if name == "samples":
        files = sorted(path for path in SAMPLES.rglob("*") if path.suffix in {".md", ".txt"})
        return tuple(path.read_bytes().decode() for path in files)
    with gzip.open(SHARED / "corpora" / f"{name}.jsonl.gz", "rt", encoding="utf-8", newline="\n") as lines:
        return tuple(json.loads(line)["text"] for line in lines)


def size(texts: tuple[str, ...] | list[str]) -> int:
    """Bytes of UTF-8."""
    return sum(len(text.encode()) for text in texts)


@cache
def part(name: str, most: int) -> tuple[str, ...]:
    """Documents from all over a corpus, evenly, of at most about so many bytes together."""
    texts = documents(name)
    step = max(1, -(-size(texts) // most))
    return texts[::step]


def one_document(name: str, length: int) -> bytes:
    """The documents of a corpus, again and again, as one document of exactly so many bytes."""
    whole = "\n\n".join(documents(name)).encode() + b"\n\n"
    copies = whole * (length // len(whole) + 1)
    # A cut character at the end is dropped; blanks take its place.
    text = copies[:length].decode(errors="ignore").encode()
    return text + b" " * (length - len(text))
