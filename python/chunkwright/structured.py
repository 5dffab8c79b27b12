"""`structured`: knowledge-base text whose headings are not marked up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from chunkwright import _native
from chunkwright._native import parse_markdown_heading, parse_weak_heading
from chunkwright.base import LengthFunction, NativeStrategy, with_extra
from chunkwright.config import ChunkingSettings

__all__ = [
    "NAME",
    "STRUCTURED_CHUNK_STRATEGY",
    "ChunkingConfig",
    "ChunkingResult",
    "SourceDocument",
    "StructuredBlock",
    "StructuredChunkingStrategy",
    "build_structured_chunks",
    "classify_block",
    "parse_markdown_heading",
    "parse_structured_blocks",
    "parse_weak_heading",
]

NAME = "structured"

STRUCTURED_CHUNK_STRATEGY = "structured_markdown_v1"
"""The `strategy_version` of these chunks."""

CHUNK_KEYS = (
    "doc_id",
    "document_version_id",
    "title_path",
    "block_type",
    "block_types",
    "heading_level",
    "section_index",
    "block_start_index",
    "block_end_index",
    "chunk_char_count",
    "split_reason",
    "chunk_strategy_version",
)
"""What a chunk's metadata says of itself."""


class StructuredChunkingStrategy(NativeStrategy):
    """Cuts knowledge-base text by its Markdown headings and by lines that only look like headings.

    Such a *weak* heading begins with `一、`, `（一）`, `第三章` or `2.1`, or stands in `【…】`, or is a short line that ends in a colon; support
    articles, manuals and terms are full of them. Question and answer, lists and steps stay whole while they fit. A chunk's id is `{document_id}::chunk::{index:04d}`; its metadata holds
    `title_path`, `block_type` (`qa`, `steps`, `list` or `paragraph`) and where it stands in the document.

    Parameters
    ----------
    max_chunk_chars : int
        Hard size of a chunk in characters (code points), at least 1. A longer block is cut at lines, then sentences, then characters;
        its pieces have the `split_reason` `block_too_large`.
    min_chunk_chars : int
        Soft: a shorter chunk is joined to the one before it in its section if both fit together. From 0 to `max_chunk_chars`.
    weak_headings : bool
        Whether lines that only look like headings are headings.
    overlap_chars : int
        How much of the chunk before, in whole units, a chunk begins with at most. From 0 to `max_chunk_chars` - 1.
    max_tokens : int or None
        The hard size in tokens, in place of `max_chunk_chars`.
    overlap_tokens : int or None
        The overlap in tokens, in place of `overlap_chars`; needs `max_tokens` and is less. None: no overlap.
    tokenizer_name : str or None
        One of `tokenizer_names()`. None: cl100k_base where tokens are asked for, else no `token_count`.
    length_function : callable or None
        Measures a `str` instead of counting characters, with the GIL held: the one slow way. Not together with `max_tokens`.

    Raises
    ------
    SettingsError
        Names the setting, the value and the allowed range.
    """

    __slots__ = ()

    strategy_name = NAME

    def __init__(
        self,
        max_chunk_chars: int = 800,
        min_chunk_chars: int = 0,
        weak_headings: bool = True,  # noqa: FBT001, FBT002 - the same order as in ChunkingConfig
        overlap_chars: int = 0,
        *,
        max_tokens: int | None = None,
        overlap_tokens: int | None = None,
        tokenizer_name: str | None = None,
        length_function: LengthFunction | None = None,
    ) -> None:
        settings = {
            "max_chunk_chars": max_chunk_chars,
            "min_chunk_chars": min_chunk_chars,
            "weak_headings": weak_headings,
            "overlap_chars": overlap_chars,
            "max_tokens": max_tokens,
            "overlap_tokens": overlap_tokens,
            "tokenizer_name": tokenizer_name,
            "length_function": length_function,
        }
        super().__init__(_native.Chunker.structured, settings)

    def chunk_metadata(
        self, document_id: str, document_name: str, source_id: str, extra_metadata: dict[str, Any] | None
    ) -> dict[str, Any]:
        """The metadata of other strategies; here `extra_metadata` may not have the keys that these chunks describe themselves with, either."""
        _refuse_own_keys(extra_metadata, "extra_metadata")
        return super().chunk_metadata(document_id, document_name, source_id, extra_metadata)


@dataclass(frozen=True)
class SourceDocument:
    """A document with its identity.

    Parameters
    ----------
    doc_id : str
        Chunk ids are made from it.
    text : str
        Markdown or plain text.
    document_version_id : str or None
        Which version of the document this is.
    metadata : mapping
        Copied into the metadata of every chunk; may not have the keys that chunks describe themselves with.
    """

    doc_id: str
    text: str
    document_version_id: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class StructuredBlock:
    """One block of a document, in order: a heading, or text between headings.

    Attributes
    ----------
    block_type : str
        `heading`, `qa`, `steps`, `list` or `paragraph`.
    text : str
        The block; for a heading its title.
    level : int or None
        Level of a heading.
    marker : str or None
        What stands in front of a weak heading's title: `一、`, `2.1`, `第三章`.
    title_path : tuple of str
        Titles above the block, outermost first; a heading's own comes last.
    start_char, end_char, start_line, end_line : int
        Where it stands: code points, half open; lines from 1, inclusive.
    page : int or None
        Page of the source, from 1.
    """

    block_type: str
    text: str
    level: int | None
    marker: str | None
    title_path: tuple[str, ...]
    start_char: int
    end_char: int
    start_line: int
    end_line: int
    page: int | None


@dataclass(frozen=True)
class ChunkingConfig:
    """The settings of `StructuredChunkingStrategy` that count characters.

    Raises
    ------
    SettingsError
        Names the setting, the value and the allowed range.
    """

    max_chunk_chars: int = 800
    min_chunk_chars: int = 0
    weak_headings: bool = True
    overlap_chars: int = 0

    def __post_init__(self) -> None:
        self.strategy()

    @classmethod
    def from_settings(cls) -> ChunkingConfig:
        """The configuration in the environment: `CHUNK_STRUCTURED_MAX_CHUNK_CHARS` and so on.

        Raises
        ------
        SettingsError
            Names the variable, its value and the allowed range.
        """
        return cls(**ChunkingSettings.read().parameters(NAME))

    def strategy(self) -> StructuredChunkingStrategy:
        """The strategy with these settings."""
        return StructuredChunkingStrategy(**asdict(self))


@dataclass(frozen=True)
class ChunkingResult:
    """What `build_structured_chunks` gives: the chunks, the blocks they are made of, and how."""

    chunks: list[_native.Chunk]
    blocks: list[StructuredBlock]
    config: ChunkingConfig
    strategy_version: str = STRUCTURED_CHUNK_STRATEGY


def build_structured_chunks(
    source_doc: SourceDocument, chunking_config: ChunkingConfig | None = None
) -> ChunkingResult:
    """Cut a document along its Markdown and weak headings.

    Parameters
    ----------
    source_doc : SourceDocument
        Its id, version and metadata are in the metadata of every chunk.
    chunking_config : ChunkingConfig or None
        None: what the environment says, else the defaults.

    Raises
    ------
    DocumentError
        If the text is not text.
    SettingsError
        If the document's metadata has a key that chunks describe themselves with; the message names it.
    """
    config = ChunkingConfig.from_settings() if chunking_config is None else chunking_config
    metadata: dict[str, Any] = {"doc_id": source_doc.doc_id, "document_version_id": source_doc.document_version_id}
    _refuse_own_keys(source_doc.metadata, "metadata")
    strategy = config.strategy()
    metadata = with_extra(metadata, source_doc.metadata, "metadata")
    chunks = strategy.chunk(source_doc.text, document_id=source_doc.doc_id, metadata=metadata)
    blocks = parse_structured_blocks(source_doc, weak_headings=config.weak_headings)
    return ChunkingResult(chunks, blocks, config, strategy.strategy_version)


def parse_structured_blocks(source_doc: SourceDocument, *, weak_headings: bool = True) -> list[StructuredBlock]:
    """The blocks of a document, in order.

    Raises
    ------
    DocumentError
        If the text is not text.
    """
    rows = _native.parse_structured_blocks(source_doc.text, weak_headings)
    return [StructuredBlock(row[0], row[1], row[2] or None, row[3] or None, *row[4:]) for row in rows]


def classify_block(text: str, title_path: Sequence[str] = ()) -> str:
    """What a block is: `qa`, `steps`, `list` or `paragraph`. Titles tell steps from other lists."""
    return _native.classify_block(text, list(title_path))


def _refuse_own_keys(metadata: Mapping[str, Any] | None, setting: str) -> None:
    if isinstance(metadata, Mapping):
        with_extra(dict.fromkeys(CHUNK_KEYS), {key: metadata[key] for key in metadata if key in CHUNK_KEYS}, setting)
