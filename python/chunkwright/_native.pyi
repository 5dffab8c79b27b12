"""The compiled module. `Chunk` and `Segment` are public as `chunkwright.Chunk` and `chunkwright.Segment`."""

from collections.abc import Iterable, Sequence
from typing import Any, final

from typing_extensions import Self, disjoint_base

__all__ = [
    "DEFAULT_SEPARATORS",
    "Chunk",
    "Chunker",
    "Lexed",
    "LexicalEmbedder",
    "Segment",
    "__version__",
    "classify_block",
    "cosine",
    "count_tokens",
    "lex",
    "parse_markdown_heading",
    "parse_structured_blocks",
    "parse_weak_heading",
    "split_sentences",
    "tokenizer_names",
    "verify",
]

DEFAULT_SEPARATORS: tuple[str, ...]
__version__: str

@final
class Segment:
    """A piece of a chunk's content with its origin.

    Roles: `body` (source text, in exactly one chunk), `overlap` (carried over from the chunk before), `repeat` (source text said again, such as a
    table's header), `synthetic` (not in the source: heading prefix, re-opened fence). Ranges are half open; they are None for synthetic text.
    """

    def __new__(
        cls,
        role: str,
        text: str,
        start_char: int | None = None,
        end_char: int | None = None,
        start_byte: int | None = None,
        end_byte: int | None = None,
    ) -> Self: ...
    @property
    def role(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def start_char(self) -> int | None:
        """First code point in the document's text."""

    @property
    def end_char(self) -> int | None:
        """The code point behind the last one."""

    @property
    def start_byte(self) -> int | None:
        """First byte in the document's text in UTF-8."""

    @property
    def end_byte(self) -> int | None:
        """The byte behind the last one."""

    def to_dict(self) -> dict[str, Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@disjoint_base
class Chunk:
    """A chunk: what is embedded (`content`), where it is from, and why it ends there.

    Chunkers make chunks that read their attributes from the result when asked. By hand: `Chunk("text", start_line=1, metadata={...})`.
    """

    def __new__(
        cls,
        content: str,
        *,
        chunk_id: str = ...,
        chunk_index: int = 0,
        token_count: int | None = None,
        start_char: int = 0,
        end_char: int = 0,
        start_byte: int = 0,
        end_byte: int = 0,
        start_line: int = 0,
        end_line: int = 0,
        heading_path: Sequence[str] = ...,
        kinds: Sequence[str] = ...,
        language: str | None = None,
        page: int | None = None,
        segments: Sequence[Segment] = ...,
        content_hash: str | None = None,
        strategy: str = ...,
        strategy_version: str = ...,
        fingerprint: str = ...,
        split_reason: str = ...,
        metadata: dict[str, Any] | None = None,
    ) -> Self: ...
    @property
    def chunk_id(self) -> str:
        """UUID (version 5) of document id, index and content: the same on every run."""

    @property
    def chunk_index(self) -> int:
        """Place in the document, from 0."""

    @property
    def content(self) -> str:
        """What is embedded: the texts of all segments."""

    @property
    def token_count(self) -> int | None:
        """Tokens of `content`, exactly. None where nothing was counted."""

    @property
    def char_count(self) -> int:
        """Code points of `content`."""

    @property
    def start_char(self) -> int:
        """First code point of the body in the document's text."""

    @property
    def end_char(self) -> int:
        """The code point behind the body's last one."""

    @property
    def start_byte(self) -> int:
        """First byte of the body in the document's text in UTF-8."""

    @property
    def end_byte(self) -> int:
        """The byte behind the body's last one."""

    @property
    def start_line(self) -> int:
        """The line that the body begins on, from 1."""

    @property
    def end_line(self) -> int:
        """The line that the body ends on."""

    @property
    def heading_path(self) -> tuple[str, ...]:
        """Plain texts of the headings above, outermost first."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of the blocks that the body is from, in order of first use."""

    @property
    def language(self) -> str | None:
        """Language of its first code block."""

    @property
    def page(self) -> int | None:
        """Page of the source, from 1."""

    @property
    def segments(self) -> tuple[Segment, ...]: ...
    @property
    def body(self) -> str:
        """The texts of the body segments: what a citation shows."""

    @property
    def content_hash(self) -> str:
        """BLAKE3 of `content`, in hexadecimal digits: equal for unchanged chunks, wherever they have moved."""

    @property
    def strategy(self) -> str: ...
    @property
    def strategy_version(self) -> str: ...
    @property
    def fingerprint(self) -> str:
        """Digest of strategy, version, settings and tokenizer."""

    @property
    def split_reason(self) -> str:
        """`document_end`, `section_end`, `max_tokens`, `target_tokens` or `token_window`."""

    @property
    def metadata(self) -> dict[str, Any]:
        """The document's metadata, and page, sheet, cell_range, slide, bbox where they are known."""

    def to_dict(self) -> dict[str, Any]:
        """All fields, ready for JSON."""

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The chunk that `to_dict` was called on. Other keys in the dictionary are passed over.

        Raises
        ------
        ValueError
            If there is no content.
        """

    def flat_metadata(self) -> dict[str, str | int | float | bool]:
        """All fields but content and segments as scalars, metadata among them: what vector stores accept."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Chunker:
    """Settings of one strategy, checked, and everything that it does with them."""

    @staticmethod
    def structure(
        max_tokens: object,
        overlap_tokens: object,
        target_tokens: object,
        tokenizer_name: object,
        heading_template: object,
        path_separator: object,
    ) -> Chunker: ...
    @staticmethod
    def fixed_size(
        chunk_size: object,
        chunk_overlap: object,
        max_tokens: object,
        overlap_tokens: object,
        tokenizer_name: object,
        length_function: object,
    ) -> Chunker: ...
    @staticmethod
    def recursive(
        chunk_size: object,
        chunk_overlap: object,
        separators: object,
        max_tokens: object,
        overlap_tokens: object,
        tokenizer_name: object,
        length_function: object,
    ) -> Chunker: ...
    @staticmethod
    def sentence(
        target_size: object,
        max_sentences_per_chunk: object,
        max_tokens: object,
        overlap_tokens: object,
        tokenizer_name: object,
        length_function: object,
    ) -> Chunker: ...
    @staticmethod
    def paragraph(
        target_size: object,
        max_paragraphs_per_chunk: object,
        max_tokens: object,
        overlap_tokens: object,
        tokenizer_name: object,
        length_function: object,
    ) -> Chunker: ...
    @staticmethod
    def semantic(
        similarity_threshold: object,
        min_chunk_size: object,
        max_chunk_size: object,
        max_tokens: object,
        overlap_tokens: object,
        tokenizer_name: object,
        length_function: object,
        embedder: object = None,
    ) -> Chunker: ...
    @staticmethod
    def structured(
        max_chunk_chars: object,
        min_chunk_chars: object,
        weak_headings: object,
        overlap_chars: object,
        max_tokens: object,
        overlap_tokens: object,
        tokenizer_name: object,
        length_function: object,
    ) -> Chunker: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def strategy(self) -> str: ...
    @property
    def strategy_version(self) -> str: ...
    def chunk(self, document: object, document_id: str | None, metadata: dict[str, Any] | None) -> list[Chunk]: ...
    def chunk_many(
        self, documents: Iterable[object], document_ids: list[str] | None, threads: object
    ) -> list[list[Chunk] | Exception]: ...
    def windows(self, document: object) -> list[str]: ...
    def chunk_by(
        self,
        document: object,
        document_id: str | None,
        metadata: dict[str, Any] | None,
        similarities: Sequence[float],
    ) -> list[Chunk]: ...
    def estimate_chunk_count(self, text_length: object) -> int: ...

@final
class LexicalEmbedder:
    """Vectors from shared words and characters, weighted by their rarity among the texts of one call: what `SemanticChunkingStrategy` uses without a model.

    No download, any language, always the same. It knows no synonyms, no translations and no word order: texts are similar as far as they use the
    same words (of CJK text: the same pairs of characters). Texts with nothing in common have similarity 0.65, equal ones 1. How much a word counts depends
    on the other texts of the call: vectors of different calls cannot be compared.
    """

    def __new__(cls) -> Self: ...
    def embed(self, texts: list[str]) -> list[list[float]]:
        """One vector of length 1 for each text."""

@final
class Lexed:
    def blocks(self) -> list[dict[str, Any]]: ...

def lex(markdown: object, name: str | None = None) -> Lexed: ...
def verify(
    source: object,
    chunks: Iterable[Chunk],
    tokenizer_name: str | None = None,
    max_tokens: int | None = None,
) -> str | None: ...
def count_tokens(text: str | bytes, tokenizer_name: str = "cl100k_base") -> int:
    """Tokens of a text, exactly; names of special tokens are ordinary text.

    Raises
    ------
    SettingsError
        Unknown tokenizer.
    DocumentError
        Not text.
    """

def tokenizer_names() -> tuple[str, ...]:
    """Names of all tokenizers."""

def split_sentences(text: str | bytes) -> list[str]:
    """Sentences of an English, Chinese or Japanese text, white space included: their concatenation is the text."""

def parse_markdown_heading(line: str) -> tuple[int, str] | None:
    """Level and text of a line that is a Markdown heading (`## Text`), else None."""

def parse_weak_heading(line: str) -> tuple[int, str] | None:
    """Level and text of a line that looks like a heading though Markdown does not mark it, else None.

    The line alone is looked at: in a document its neighbours may make it an item of a list. `一、` gives level 1, `（一）` 2, `第…章` 1, `第…部分` 1, `第…节` 2,
    `第…条` 3, `1.` 3, `2.1` 4, `【…】` 4, a colon at the end 5. The text is what stands behind the marker; for the colon form it is the line.
    """

def classify_block(text: str, title_path: list[str]) -> str: ...
def parse_structured_blocks(
    source: object, weak_headings: bool
) -> list[tuple[str, str, int, str, tuple[str, ...], int, int, int, int, int | None]]: ...
def cosine(a: Sequence[float], b: Sequence[float]) -> float: ...
