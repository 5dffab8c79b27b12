"""Structure-aware chunking of Markdown and ready-parsed documents: exact token budgets, nothing lost, exact provenance."""

from chunkwright._native import (
    Chunk,
    Segment,
    __version__,
    count_tokens,
    split_sentences,
    tokenizer_names,
)
from chunkwright.document import Block, ParsedDocument, parse_markdown
from chunkwright.errors import BudgetError, ChunkwrightError, DocumentError, SettingsError
from chunkwright.strategy import chunk, get_chunking_strategy, strategy_names
from chunkwright.structure import Batch, StructureAwareChunker, StructureAwareMarkdownChunker
from chunkwright.verification import Verification, verify

ChunkResult = Chunk
KnowledgeChunk = Chunk

__all__ = [
    "Batch",
    "Block",
    "BudgetError",
    "Chunk",
    "ChunkResult",
    "ChunkwrightError",
    "DocumentError",
    "KnowledgeChunk",
    "ParsedDocument",
    "Segment",
    "SettingsError",
    "StructureAwareChunker",
    "StructureAwareMarkdownChunker",
    "Verification",
    "__version__",
    "chunk",
    "count_tokens",
    "get_chunking_strategy",
    "parse_markdown",
    "split_sentences",
    "strategy_names",
    "tokenizer_names",
    "verify",
]
