"""Blocks that may share a chunk."""

from __future__ import annotations

from dataclasses import dataclass

from .blocks import DROPPED, PROSE, Block
from .text import Source


@dataclass
class Section:
    """Consecutive blocks with one heading path and source location that are split in one way."""

    kind: str
    blocks: list[Block]

    @property
    def start(self) -> int:
        return self.blocks[0].start

    @property
    def end(self) -> int:
        return self.blocks[-1].end


def _stands_alone(blocks: list[Block], index: int) -> bool:
    """Whether a heading has nothing under it."""
    level = blocks[index].heading_level or 1
    if not blocks[index].heading_text:
        return False
    for block in blocks[index + 1 :]:
        deeper = (block.heading_level or 1) > level
        if block.kind == "heading" and not block.heading_text and deeper:
            continue
        if block.kind == "heading":
            return not deeper
        if block.kind not in DROPPED:
            return False
    return True


def sections_of(source: Source, blocks: list[Block]) -> list[Section]:
    """The sections of a document. Text between blocks that belongs to none parts them."""
    sections: list[Section] = []
    open_section: Section | None = None
    for index, block in enumerate(blocks):
        if block.kind == "heading":
            open_section = None
            if _stands_alone(blocks, index):
                sections.append(Section("heading", [block]))
        elif block.kind in DROPPED:
            open_section = None
        elif block.kind not in PROSE:
            open_section = None
            sections.append(Section(block.kind, [block]))
        elif (
            open_section
            and open_section.blocks[0].heading_path == block.heading_path
            and open_section.blocks[0].location == block.location
            and source.all_white(open_section.end, block.start)
        ):
            open_section.blocks.append(block)
        else:
            open_section = Section("prose", [block])
            sections.append(open_section)
    return sections
