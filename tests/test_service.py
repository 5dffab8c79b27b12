"""`ChunkingService`, the older interface to `fixed_size`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

import chunkwright
from chunkwright import ChunkingService, FixedSizeChunkingStrategy, get_chunking_service, service

TEXT = "The quick brown fox jumps over the lazy dog. " * 60


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """No service yet."""
    monkeypatch.setattr(service, "_services", [])


def test_it_wraps_fixed_size() -> None:
    chunks = get_chunking_service().chunk_text(
        TEXT, document_id="doc-123", document_name="example.txt", source_id="source-456"
    )
    strategy = FixedSizeChunkingStrategy(512, 50)
    assert chunks == strategy.chunk_text(TEXT, "doc-123", "example.txt", "source-456")
    assert chunks[0].metadata == {
        "document_id": "doc-123",
        "document_name": "example.txt",
        "source_id": "source-456",
        "strategy": "fixed_size",
    }


def test_sizes_of_its_own() -> None:
    chunking_service = ChunkingService(chunk_size=500, chunk_overlap=100)
    assert chunking_service.chunk_text("Your long text here...")[0].content == "Your long text here..."
    assert all(c.char_count <= 500 for c in chunking_service.chunk_text(TEXT))
    assert (chunking_service.chunk_size, chunking_service.chunk_overlap) == (500, 100)
    assert repr(chunking_service) == "ChunkingService(chunk_size=500, chunk_overlap=100)"
    with pytest.raises(TypeError):
        ChunkingService(500, 100)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="chunk_overlap = 500"):
        ChunkingService(chunk_size=500, chunk_overlap=500)


def test_more_metadata() -> None:
    extra = {"author": "John Doe", "category": "technical", "language": "en"}
    chunks = get_chunking_service().chunk_text(
        TEXT, document_id="doc-123", source_id="source-456", extra_metadata=extra
    )
    assert extra.items() <= chunks[0].metadata.items()


def test_blank_texts_have_no_chunks() -> None:
    assert get_chunking_service().chunk_text("", "", "", "") == []
    assert get_chunking_service().chunk_text("   ", "", "", "") == []


def test_the_estimate() -> None:
    chunking_service = ChunkingService(chunk_size=100, chunk_overlap=20)
    assert [chunking_service.estimate_chunk_count(n) for n in (0, 1, 100, 101, 180, 181)] == [0, 1, 1, 2, 2, 3]
    for length in range(0, 700, 7):
        assert chunking_service.estimate_chunk_count(length) == len(chunking_service.chunk_text("x" * length))
    for wrong in (-1, 1.5, "9"):
        with pytest.raises(ValueError, match="is not allowed"):
            chunking_service.estimate_chunk_count(wrong)  # type: ignore[arg-type]


def test_what_is_not_said_is_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNK_SIZE", "80")
    monkeypatch.setenv("CHUNK_OVERLAP", "8")
    assert (ChunkingService().chunk_size, ChunkingService().chunk_overlap) == (80, 8)
    assert (ChunkingService(chunk_size=60).chunk_size, ChunkingService(chunk_size=60).chunk_overlap) == (60, 8)
    assert get_chunking_service().chunk_size == 80
    monkeypatch.setenv("CHUNK_SIZE", "90")
    assert get_chunking_service().chunk_size == 80
    monkeypatch.setenv("CHUNK_SIZE", "8")
    with pytest.raises(chunkwright.SettingsError, match=r"CHUNK_OVERLAP = 8 .*0 to 7"):
        ChunkingService()


def test_one_service_for_all_threads() -> None:
    threads = 16
    barrier = Barrier(threads)

    def ask(_number: int) -> ChunkingService:
        barrier.wait()
        return get_chunking_service()

    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(ask, range(threads)))
    assert len({id(each) for each in found}) == 1
    expected = found[0].chunk_text(TEXT)
    with ThreadPoolExecutor(threads) as pool:
        assert all(chunks == expected for chunks in pool.map(lambda _: found[0].chunk_text(TEXT), range(64)))
