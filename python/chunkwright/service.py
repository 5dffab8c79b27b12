"""`ChunkingService`: `fixed_size` for callers of an older interface."""

from __future__ import annotations

import threading
from typing import Any

from chunkwright import _native
from chunkwright.config import ChunkingSettings
from chunkwright.fixed_size import FixedSizeChunkingStrategy

__all__ = ["ChunkingService", "get_chunking_service"]


class ChunkingService:
    """Cuts texts into windows with overlap. New code should use a strategy.

    Parameters
    ----------
    chunk_size : int or None
        Characters of a chunk. None: `CHUNK_SIZE` in the environment, else 512.
    chunk_overlap : int or None
        Characters that a chunk shares with the next; less than `chunk_size`. None: `CHUNK_OVERLAP` in the environment, else 50.

    Raises
    ------
    SettingsError
        Names the setting or the variable, the value and the allowed range.
    """

    def __init__(self, *, chunk_size: int | None = None, chunk_overlap: int | None = None) -> None:
        if chunk_size is None or chunk_overlap is None:
            settings = ChunkingSettings.read()
            chunk_size = settings.size if chunk_size is None else chunk_size
            chunk_overlap = settings.overlap if chunk_overlap is None else chunk_overlap
        self._strategy = FixedSizeChunkingStrategy(chunk_size, chunk_overlap)

    @property
    def chunk_size(self) -> int:
        """Characters of a chunk."""
        return int(self._strategy.settings["chunk_size"])

    @property
    def chunk_overlap(self) -> int:
        """Characters that a chunk shares with the next."""
        return int(self._strategy.settings["chunk_overlap"])

    def chunk_text(
        self,
        text: str,
        document_id: str = "",
        document_name: str = "",
        source_id: str = "",
        extra_metadata: dict[str, Any] | None = None,
    ) -> list[_native.Chunk]:
        """Cut a text, and say in each chunk's metadata where it is from; see `BaseChunkingStrategy.chunk_text`."""
        return self._strategy.chunk_text(text, document_id, document_name, source_id, extra_metadata)

    def estimate_chunk_count(self, text_length: int) -> int:
        """How many chunks a text of so many characters without white space has; 0 for 0."""
        return self._strategy.estimate_chunk_count(text_length)

    def __repr__(self) -> str:
        return f"ChunkingService(chunk_size={self.chunk_size}, chunk_overlap={self.chunk_overlap})"


_lock = threading.Lock()
_services: list[ChunkingService] = []


def get_chunking_service() -> ChunkingService:
    """The service of this process, with what the environment said when it was first asked for. Any thread may ask and use it.

    Raises
    ------
    SettingsError
        The environment has a bad value; the message names the variable.
    """
    with _lock:
        if not _services:
            _services.append(ChunkingService())
        return _services[0]
