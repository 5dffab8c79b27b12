"""The examples that the users of the services chunkwright replaces have in their manuals, with chunkwright's import name."""

from __future__ import annotations

import pytest

from chunkwright import (
    ChunkingService,
    ChunkResult,
    FixedSizeChunkingStrategy,
    KnowledgeChunk,
    ParagraphChunkingStrategy,
    RecursiveChunkingStrategy,
    SemanticChunkingStrategy,
    SentenceChunkingStrategy,
    SourceDocument,
    build_structured_chunks,
    get_chunking_service,
    get_chunking_strategy,
)

TEXT = "Your long document text here. It has sentences.\n\nAnd paragraphs, some of them long. " * 40


def test_a_strategy_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    strategy = get_chunking_strategy(
        strategy_type="sentence", params={"target_size": 512, "max_sentences_per_chunk": 10}
    )
    chunks = strategy.chunk_text(TEXT, document_id="doc-123", document_name="example.txt", source_id="source-456")
    for chunk in chunks:
        print(f"Chunk {chunk.chunk_index}: {len(chunk.content)} chars")
        print(f"Strategy: {strategy.strategy_name}")
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [f"Chunk 0: {len(chunks[0].content)} chars", "Strategy: sentence"]
    assert all(isinstance(chunk, ChunkResult) for chunk in chunks)
    assert all(TEXT[chunk.start_char : chunk.end_char] == chunk.content for chunk in chunks)


@pytest.mark.parametrize(
    "strategy",
    [
        FixedSizeChunkingStrategy(chunk_size=512, chunk_overlap=50),
        SentenceChunkingStrategy(target_size=512, max_sentences_per_chunk=10),
        ParagraphChunkingStrategy(target_size=1024, max_paragraphs_per_chunk=5),
        RecursiveChunkingStrategy(chunk_size=512, chunk_overlap=50),
        RecursiveChunkingStrategy(chunk_size=512, chunk_overlap=50, separators=["\n\n", "\n", ". ", " ", ""]),
        SemanticChunkingStrategy(similarity_threshold=0.7, min_chunk_size=200, max_chunk_size=1000),
    ],
    ids=repr,
)
def test_a_strategy_by_its_class(strategy: SentenceChunkingStrategy) -> None:
    chunks = strategy.chunk_text(text=TEXT, document_id="doc-123", document_name="example.txt", source_id="source-456")
    assert [chunk.chunk_index for chunk in chunks] == list(range(len(chunks)))
    assert all(0 < len(chunk.content) <= 1024 for chunk in chunks)
    assert chunks[0].start_char == 0
    assert chunks[-1].end_char == len(TEXT.rstrip())
    assert strategy.chunk_text("", "", "", "") == []
    assert strategy.chunk_text("   ", "", "", "") == []


def test_the_service(capsys: pytest.CaptureFixture[str]) -> None:
    chunking_service = get_chunking_service()
    chunks = chunking_service.chunk_text(
        TEXT, document_id="doc-123", document_name="example.txt", source_id="source-456"
    )
    assert chunks[0].metadata["strategy"] == "fixed_size"
    chunking_service = ChunkingService(chunk_size=500, chunk_overlap=100)
    chunks = chunking_service.chunk_text("Your text here...")
    assert [chunk.content for chunk in chunks] == ["Your text here..."]
    chunks = chunking_service.chunk_text(
        TEXT,
        document_id="doc-123",
        source_id="source-456",
        extra_metadata={"author": "John Doe", "category": "technical", "language": "en"},
    )
    print(chunks[0].metadata)
    assert "'author': 'John Doe', 'category': 'technical', 'language': 'en'" in capsys.readouterr().out
    text_length = len(TEXT)
    estimated_chunks = chunking_service.estimate_chunk_count(text_length)
    assert abs(estimated_chunks - len(chunks)) <= 1


def test_a_window_ends_between_words() -> None:
    chunks = FixedSizeChunkingStrategy(chunk_size=20, chunk_overlap=0).chunk_text("The quick brown fox jumps")
    assert chunks[0].content == "The quick brown fox"


def test_an_unknown_strategy() -> None:
    with pytest.raises(ValueError, match="Unknown chunking strategy") as caught:
        get_chunking_strategy("sentences")
    assert all(name in str(caught.value) for name in ("fixed_size", "sentence", "paragraph", "semantic", "recursive"))


def test_structured_chunks() -> None:
    text = "## 无法充电\n\n可能原因：\n1. 充电器功率不匹配\n2. 数据线损坏\n3. 手机接口进灰\n\n处理步骤：\n1. 更换原装充电器\n2. 清理接口\n3. 重启设备后再次测试\n"
    result = build_structured_chunks(SourceDocument(doc_id="faq-1", text=text))
    assert all(isinstance(chunk, KnowledgeChunk) for chunk in result.chunks)
    assert [chunk.chunk_id for chunk in result.chunks] == ["faq-1::chunk::0000", "faq-1::chunk::0001"]
    assert [(chunk.metadata["block_type"], " > ".join(chunk.metadata["title_path"])) for chunk in result.chunks] == [
        ("list", "无法充电 > 可能原因："),
        ("steps", "无法充电 > 处理步骤："),
    ]
    assert "3. 手机接口进灰" in result.chunks[0].content
    assert "3. 重启设备后再次测试" in result.chunks[1].content
