"""Chunks for search, retrieval and embedding: strategies for Markdown and plain text, exact sizes, nothing lost, exact provenance."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from chunkwright._native import (
    Chunk,
    Segment,
    __version__,
    count_tokens,
    split_sentences,
    tokenizer_names,
)

if TYPE_CHECKING:
    from chunkwright.base import BaseChunkingStrategy, Batch
    from chunkwright.config import ChunkingSettings
    from chunkwright.document import Block, ParsedDocument, parse_markdown
    from chunkwright.embedders import (
        CallableEmbedder,
        Embedder,
        LexicalEmbedder,
        Model2VecEmbedder,
        SentenceTransformerEmbedder,
        WordLlamaEmbedder,
    )
    from chunkwright.errors import BudgetError, ChunkwrightError, DocumentError, MissingExtraError, SettingsError
    from chunkwright.fixed_size import FixedSizeChunkingStrategy
    from chunkwright.paragraph import ParagraphChunkingStrategy
    from chunkwright.recursive import RecursiveChunkingStrategy
    from chunkwright.semantic import SemanticChunkingStrategy
    from chunkwright.sentence import SentenceChunkingStrategy
    from chunkwright.service import ChunkingService, get_chunking_service
    from chunkwright.strategy import chunk, get_chunking_strategy, register_strategy, strategy_names
    from chunkwright.structure import StructureAwareChunker, StructureAwareMarkdownChunker
    from chunkwright.structured import (
        STRUCTURED_CHUNK_STRATEGY,
        ChunkingConfig,
        ChunkingResult,
        SourceDocument,
        StructuredBlock,
        StructuredChunkingStrategy,
        build_structured_chunks,
        classify_block,
        parse_markdown_heading,
        parse_structured_blocks,
        parse_weak_heading,
    )
    from chunkwright.verification import Verification, verify

ChunkResult = Chunk
KnowledgeChunk = Chunk

# What is in which module: each is loaded when the first of its names is asked for, which keeps the start of short runs short.
_MODULES = {
    "base": (
        "BaseChunkingStrategy",
        "Batch",
    ),
    "config": ("ChunkingSettings",),
    "document": (
        "Block",
        "ParsedDocument",
        "parse_markdown",
    ),
    "embedders": (
        "CallableEmbedder",
        "Embedder",
        "LexicalEmbedder",
        "Model2VecEmbedder",
        "SentenceTransformerEmbedder",
        "WordLlamaEmbedder",
    ),
    "errors": (
        "BudgetError",
        "ChunkwrightError",
        "DocumentError",
        "MissingExtraError",
        "SettingsError",
    ),
    "fixed_size": ("FixedSizeChunkingStrategy",),
    "paragraph": ("ParagraphChunkingStrategy",),
    "recursive": ("RecursiveChunkingStrategy",),
    "semantic": ("SemanticChunkingStrategy",),
    "sentence": ("SentenceChunkingStrategy",),
    "service": (
        "ChunkingService",
        "get_chunking_service",
    ),
    "strategy": (
        "chunk",
        "get_chunking_strategy",
        "register_strategy",
        "strategy_names",
    ),
    "structure": (
        "StructureAwareChunker",
        "StructureAwareMarkdownChunker",
    ),
    "structured": (
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
    ),
    "verification": (
        "Verification",
        "verify",
    ),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'chunkwright' has no attribute {name!r}")
    value = getattr(import_module(f"chunkwright.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "STRUCTURED_CHUNK_STRATEGY",
    "BaseChunkingStrategy",
    "Batch",
    "Block",
    "BudgetError",
    "CallableEmbedder",
    "Chunk",
    "ChunkResult",
    "ChunkingConfig",
    "ChunkingResult",
    "ChunkingService",
    "ChunkingSettings",
    "ChunkwrightError",
    "DocumentError",
    "Embedder",
    "FixedSizeChunkingStrategy",
    "KnowledgeChunk",
    "LexicalEmbedder",
    "MissingExtraError",
    "Model2VecEmbedder",
    "ParagraphChunkingStrategy",
    "ParsedDocument",
    "RecursiveChunkingStrategy",
    "Segment",
    "SemanticChunkingStrategy",
    "SentenceChunkingStrategy",
    "SentenceTransformerEmbedder",
    "SettingsError",
    "SourceDocument",
    "StructureAwareChunker",
    "StructureAwareMarkdownChunker",
    "StructuredBlock",
    "StructuredChunkingStrategy",
    "Verification",
    "WordLlamaEmbedder",
    "__version__",
    "build_structured_chunks",
    "chunk",
    "classify_block",
    "count_tokens",
    "get_chunking_service",
    "get_chunking_strategy",
    "parse_markdown",
    "parse_markdown_heading",
    "parse_structured_blocks",
    "parse_weak_heading",
    "register_strategy",
    "split_sentences",
    "strategy_names",
    "tokenizer_names",
    "verify",
]
