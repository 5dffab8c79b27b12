"""The ``chunkwright`` command: ``chunk``, ``inspect``, ``count``, ``verify`` and ``strategies``."""

from chunkwright.cli.app import main

__all__ = ["main"]
