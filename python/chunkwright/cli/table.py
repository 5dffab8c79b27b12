"""``chunkwright inspect``: the chunks of one document, for the eye."""

from __future__ import annotations

import io
import re
import shutil
import sys
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table
from rich.text import Text

from chunkwright.cli.progress import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType

    from chunkwright import Chunk

WIDTH_WITHOUT_TERMINAL = 100
NARROWEST = 60

ROLE_STYLES = {"body": "", "overlap": "dim", "repeat": "cyan", "synthetic": "italic magenta"}
REASON_STYLES = {"max_tokens": "yellow", "target_tokens": "yellow", "token_window": "red"}
KIND_STYLES = {"table": "cyan", "code": "green", "math": "magenta", "image": "blue", "heading": "bold"}

# C0 and C1 controls could move the cursor, and bidirectional controls reorder the row.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_LINE_BREAKS = re.compile(r"\r\n?|\n")
_SPACES = re.compile(r"\s+")


def console_for_output() -> Console:
    """A console that renders into memory the way standard output would show it: its width, its colours or none."""
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size((WIDTH_WITHOUT_TERMINAL, 24)).columns if terminal else _columns()
    return Console(
        file=io.StringIO(), force_terminal=terminal or None, width=max(width, NARROWEST), highlight=False, emoji=False
    )


def _columns() -> int:
    return shutil.get_terminal_size((WIDTH_WITHOUT_TERMINAL, 24)).columns


def rendered(console: Console, parts: Iterable[RenderableType]) -> str:
    """The parts as the text that ``console`` makes of them, without white space at the ends of lines."""
    with console.capture() as capture:
        for part in parts:
            console.print(part, soft_wrap=not isinstance(part, Table))
    return "".join(f"{line.rstrip(' ')}\n" for line in capture.get().split("\n")[:-1])


def overview(chunks: Sequence[Chunk], width: int) -> list[RenderableType]:
    """One row for each chunk: number, size, kinds, heading path, first words, and why it ends there."""
    kinds = ["+".join(chunk.kinds) for chunk in chunks]
    number_width = max(len(str(len(chunks))), 1)
    unit = "tokens" if _counted(chunks) else "chars"
    sizes = [str(size) for size in _sizes(chunks)]
    size_width = max([len(unit), *map(len, sizes)])
    kind_width = min(max([len("kind"), *map(len, kinds)]), 16)
    reason_width = max([len("ends at"), *(len(chunk.split_reason) for chunk in chunks)])
    room = width - number_width - size_width - kind_width - reason_width - 2 * 5 - 1
    paths = [" > ".join(_one_line(heading) for heading in chunk.heading_path) for chunk in chunks]
    path_width = max(min(max([len("path"), *map(cell_len, paths)]), room * 2 // 5), 8)
    words_width = max(room - path_width, 8)

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("#", justify="right", width=number_width, no_wrap=True)
    table.add_column(unit, justify="right", width=size_width, no_wrap=True)
    table.add_column("kind", width=kind_width, no_wrap=True)
    table.add_column("path", width=path_width, no_wrap=True)
    table.add_column("first words", width=words_width, no_wrap=True)
    table.add_column("ends at", width=reason_width, no_wrap=True)
    for chunk, size, kind, path in zip(chunks, sizes, kinds, paths, strict=True):
        table.add_row(
            Text(str(chunk.chunk_index), style="dim"),
            Text(size, style="bold"),
            Text(_keep_start(kind, kind_width), style=KIND_STYLES.get(chunk.kinds[0] if chunk.kinds else "", "")),
            Text(_keep_end(path, path_width), style="dim"),
            Text(_keep_start(_one_line(chunk.body[: 4 * width]), words_width)),
            Text(chunk.split_reason, style=REASON_STYLES.get(chunk.split_reason, "dim")),
        )
    return [table, Text()]


def full(chunks: Sequence[Chunk], console: Console) -> list[RenderableType]:
    """The chunks with their whole content; on a console with colours, what is not plain source text has one."""
    parts = [part for chunk in chunks for part in _whole(chunk)]
    if console.color_system is not None:
        parts.append(_legend())
    return parts


def _whole(chunk: Chunk) -> list[RenderableType]:
    first, last = chunk.start_line, chunk.end_line
    lines = f"line {first}" if first == last else f"lines {first}-{last}"
    size = plural(chunk.char_count, "character") if chunk.token_count is None else plural(chunk.token_count, "token")
    facts = [f"chunk {chunk.chunk_index}", size, *(["+".join(chunk.kinds)] if chunk.kinds else []), lines]
    if chunk.page is not None:
        facts.append(f"page {chunk.page}")
    facts.append(f"ends at {chunk.split_reason}")
    content = Text()
    for segment in chunk.segments:
        content.append(_safe(segment.text), style=ROLE_STYLES.get(segment.role, ""))
    return [Text(" · ".join(facts), style="bold reverse"), content, Text()]


def _legend() -> Text:
    text = Text("source text")
    for role, meaning in (("overlap", "overlap"), ("repeat", "repeated"), ("synthetic", "added")):
        text.append(" · ", style="dim").append(meaning, style=ROLE_STYLES[role])
    return text


def summary(chunks: Sequence[Chunk], max_tokens: int | None, violation: str | None) -> Text:
    """The last line: how many chunks, their sizes, and whether they say the whole document."""
    sizes = _sizes(chunks)
    unit = "token" if _counted(chunks) else "character"
    text = Text(f"{plural(len(chunks), 'chunk')}, {plural(sum(sizes), unit)}, ")
    text.append(f"largest {max(sizes, default=0)}{'' if max_tokens is None else f' of {max_tokens}'}; ")
    if violation is None:
        return text.append("verified: nothing lost, every position exact", style="green")
    return text.append(f"NOT VERIFIED: {violation}", style="bold red")


def _counted(chunks: Sequence[Chunk]) -> bool:
    return all(chunk.token_count is not None for chunk in chunks)


def _sizes(chunks: Sequence[Chunk]) -> list[int]:
    """Tokens of the chunks, or characters if those of one are not known."""
    if _counted(chunks):
        return [chunk.token_count or 0 for chunk in chunks]
    return [chunk.char_count for chunk in chunks]


def _safe(text: str) -> str:
    return _UNSAFE.sub("\ufffd", _LINE_BREAKS.sub("\n", text)).expandtabs(4)


def _one_line(text: str) -> str:
    return _UNSAFE.sub("\ufffd", _SPACES.sub(" ", text)).strip()


def _keep_start(text: str, width: int) -> str:
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


def _keep_end(text: str, width: int) -> str:
    """The end of a path: its deepest headings tell most."""
    if cell_len(text) <= width:
        return text
    kept = len(text)
    room = width - 1
    while kept > 0 and cell_len(text[kept - 1]) <= room:
        kept -= 1
        room -= cell_len(text[kept])
    return "…" + text[kept:].lstrip()
