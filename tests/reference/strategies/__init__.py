"""The strategies of `docs/strategies.md`, slow and obvious."""

from __future__ import annotations

from .api import chunk

__all__ = ["chunk"]
