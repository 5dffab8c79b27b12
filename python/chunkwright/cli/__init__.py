"""The ``chunkwright`` command: ``chunk``, ``inspect``, ``count`` and ``verify``."""

from chunkwright.cli.app import main

__all__ = ["main"]
