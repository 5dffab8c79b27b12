"""Training for a profile-guided build: everything that users call, on this project's own documents, English and Chinese alike.

What a run calls often is what the compiler makes fast, so the shares here are about those of real use: mostly Markdown by structure,
then the other strategies, by tokens and by characters, then counting alone. Runs in one thread, but for one batch: counters of an
instrumented build are not exact beside each other.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import chunkwright
from chunkwright import _native

ROOT = Path(__file__).resolve().parent.parent
ENGLISH = ("samples/en/*", "docs/*.md", "*.md")
CHINESE = ("samples/zh/*", "tools/training/*.md")
BUDGETS = (512, 256, 128, 64)
STRATEGIES = ("fixed_size", "recursive", "sentence", "paragraph", "semantic", "structured")


def texts(patterns: tuple[str, ...]) -> list[str]:
    """Documents under version control."""
    paths = sorted(path for pattern in patterns for path in ROOT.glob(pattern))
    return [path.read_text(encoding="utf-8") for path in paths]


def documents() -> list[str]:
    """English and Chinese of about equal size: the rarer language as often as it takes."""
    english, chinese = texts(ENGLISH), texts(CHINESE)
    times = round(sum(map(len_of, english)) / sum(map(len_of, chinese)))
    return english + chinese * max(1, times)


def len_of(text: str) -> int:
    """Bytes of UTF-8."""
    return len(text.encode())


def chunkers() -> Iterator[chunkwright.BaseChunkingStrategy]:
    """Strategies with the settings that they are used with."""
    for budget in BUDGETS:
        sizes = {"max_tokens": budget, "overlap_tokens": budget // 8}
        # As often as all the others together.
        yield from [chunkwright.get_chunking_strategy("structure", sizes)] * len(STRATEGIES)
        yield from (chunkwright.get_chunking_strategy(name, sizes) for name in STRATEGIES)
    yield from (chunkwright.get_chunking_strategy(name) for name in STRATEGIES for _ in BUDGETS)


def read(chunks: list[chunkwright.Chunk]) -> None:
    """What is done with chunks: all of their attributes."""
    for chunk in chunks:
        chunk.to_dict()
        chunk.flat_metadata()


def chunk(texts: list[str]) -> None:
    """Every strategy on every document; a part of the results is read, and some are verified."""
    for chunker in chunkers():
        for number, text in enumerate(texts):
            chunks = chunker.chunk(text)
            if number % 4 == 0:
                read(chunks)
    structure = chunkwright.StructureAwareChunker(512, 64)
    for text in texts:
        chunkwright.verify(text, structure.chunk(text)).raise_if_failed()
    structure.chunk_many(texts, threads=2)


def count(texts: list[str]) -> None:
    """Tokens by every vocabulary, sentences, blocks."""
    for name in chunkwright.tokenizer_names():
        for text in texts:
            chunkwright.count_tokens(text, name)
    for text in texts:
        chunkwright.split_sentences(text)
        _native.lex(text)


def processes() -> Iterator[str]:
    """What each process must do without: x86-64 has code for three sets of instructions (see `simd/level.rs`)."""
    yield ""
    if platform.machine() in {"x86_64", "AMD64"}:
        yield from ("avx512", "avx512 avx2")


def main() -> int:
    """Train so many times, in one process for each set of instructions."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--alone", action="store_true", help="in this process")
    options = parser.parse_args()
    if not options.alone:
        for without in processes():
            command = [sys.executable, __file__, "--alone", "--times", str(options.times)]
            subprocess.run(command, check=True, env={**os.environ, "CHUNKWRIGHT_TRAIN_WITHOUT": without})
        return 0
    found = documents()
    for _ in range(options.times):
        count(found)
        chunk(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
