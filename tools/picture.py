"""Draws what ``chunkwright inspect`` shows of a sample document as an SVG: ``picture.py [--check] FILE``."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme

import chunkwright
from chunkwright.cli import table

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = Path("samples/zh/server-room.md")
MAX_TOKENS = 256
WIDTH = 112

THEME = TerminalTheme(
    (24, 26, 31), (220, 223, 228),
    [(24, 26, 31), (224, 108, 117), (152, 195, 121), (229, 192, 123), (97, 175, 239), (198, 120, 221), (86, 182, 194),
     (220, 223, 228)],
)  # fmt: skip


def draw() -> str:
    """The picture."""
    text = (ROOT / SAMPLE).read_text(encoding="utf-8")
    chunks = chunkwright.StructureAwareChunker(max_tokens=MAX_TOKENS).chunk(text, document_id=SAMPLE.as_posix())
    console = Console(
        record=True, file=io.StringIO(), force_terminal=True, color_system="truecolor", width=WIDTH, highlight=False
    )
    console.print(f"$ chunkwright inspect {SAMPLE.as_posix()} --max-tokens {MAX_TOKENS}", style="bold")
    console.print(*table.overview(chunks, WIDTH), sep="\n")
    console.print(table.summary(chunks, MAX_TOKENS, chunkwright.verify(text, chunks).violation))
    svg = console.export_svg(title="chunkwright", theme=THEME, unique_id="chunkwright")
    # The reader's own fixed-width font, instead of one from the network.
    svg = re.sub(r"@font-face\s*\{.*?\}\s*|<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code, monospace", "ui-monospace, monospace")


def words(svg: str) -> list[str]:
    """What the picture says; how it is drawn may differ between versions of rich."""
    return re.findall(r">([^<>]*\S[^<>]*)</text>", svg)


def main(arguments: list[str]) -> int:
    """Write the picture, or say whether the file shows what would be drawn now."""
    target = ROOT / arguments[-1]
    picture = draw()
    if "--check" in arguments:
        if target.is_file() and words(target.read_text(encoding="utf-8")) == words(picture):
            return 0
        print(f"{arguments[-1]} is out of date; `make docs` draws it anew")
        return 1
    target.write_text(picture, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
