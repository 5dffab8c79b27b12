"""Documents as blocks: made from Markdown by `parse_markdown`, or by hand from what another parser found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from chunkwright import _native
from chunkwright.errors import DocumentError

__all__ = ["Block", "Document", "ParsedDocument", "parse_markdown"]


@dataclass(frozen=True)
class Block:
    """One structural unit of a document.

    Only `kind` and `text` are needed for a ready-made block. `kind` is one of `heading`, `paragraph`, `list`, `quote`, `table`,
    `code`, `math`, `image`, `html`, `front_matter`, `thematic_break`, `page_marker`.

    Attributes
    ----------
    level : int or None
        Level of a heading, from 1.
    heading_path : tuple of str or None
        Headings above the block, outermost first (a heading's own text comes last). None: it follows from the heading blocks in front.
    page, slide : int or None
        Page or slide in the source file, from 1.
    sheet, cell_range : str or None
        Sheet and cells of a workbook.
    bbox : tuple or None
        (page, x0, y0, x1, y1), in the parser's own unit.
    description : str or None
        What an image shows, in words.
    language : str or None
        Language of code.
    start_char, end_char, start_byte, end_byte, start_line, end_line : int or None
        Range in the document's text: code points and bytes, half open; lines from 1, inclusive. Set by `parse_markdown`; for ready-made blocks their text is looked up.
    """

    kind: str
    text: str
    level: int | None = None
    heading_path: tuple[str, ...] | None = None
    page: int | None = None
    sheet: str | None = None
    cell_range: str | None = None
    slide: int | None = None
    bbox: tuple[int, float, float, float, float] | None = None
    description: str | None = None
    language: str | None = None
    start_char: int | None = None
    end_char: int | None = None
    start_byte: int | None = None
    end_byte: int | None = None
    start_line: int | None = None
    end_line: int | None = None
    metadata: dict[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class ParsedDocument:
    """A document as a list of blocks.

    Parameters
    ----------
    document_id : str
        Name of the document; ids of its chunks are made from it.
    blocks : sequence of Block
        In order. Their texts must occur in `text` in this order, if there is one.
    text : str or None
        What offsets refer to. None: the blocks' texts joined by a blank line.
    metadata : dict
        Copied into the metadata of every chunk.
    """

    document_id: str | None
    blocks: Sequence[Block]
    text: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict, hash=False)
    _lexed: _native.Lexed | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", tuple(self.blocks))

    def __reduce__(self) -> tuple[Any, ...]:
        if self._lexed is not None:
            return _reparsed, (self.text, self.document_id, self.metadata)
        return ParsedDocument, (self.document_id, self.blocks, self.text, self.metadata)


def parse_markdown(
    text: str | bytes, *, document_id: str | None = None, metadata: dict[str, Any] | None = None
) -> ParsedDocument:
    """Cut Markdown (CommonMark with GFM tables, footnotes, math, front matter) into blocks.

    Chunking the result gives what chunking the text gives, without lexing again.

    Raises
    ------
    DocumentError
        If the text is not text: invalid UTF-8 or half a surrogate pair.
    """
    lexed = _native.lex(text, document_id)
    source = text.decode() if isinstance(text, bytes) else text
    blocks = tuple(Block(**fields) for fields in lexed.blocks())
    return ParsedDocument(document_id, blocks, source, dict(metadata or {}), lexed)


Document = str | bytes | ParsedDocument


def text_of(document: object, name: str | None = None) -> str:
    """The text that offsets in a document refer to.

    Raises
    ------
    DocumentError
        If it is not text.
    """
    if isinstance(document, ParsedDocument):
        return "\n\n".join(block.text for block in document.blocks) if document.text is None else document.text
    if isinstance(document, bytes):
        try:
            return document.decode()
        except UnicodeDecodeError as error:
            raise DocumentError(name, f"it is not UTF-8 at byte {error.start}", error.start) from error
    if not isinstance(document, str):
        raise DocumentError(name, f"it is a {type(document).__name__}, not a str, bytes or ParsedDocument")
    return document


def _reparsed(text: str, document_id: str | None, metadata: dict[str, Any]) -> ParsedDocument:
    return parse_markdown(text, document_id=document_id, metadata=metadata)
