"""tiktoken with its vocabularies, without a network: the yardstick of all ratios, and the judge of all counts."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

from texts import ROOT

if TYPE_CHECKING:
    import tiktoken

# The tests' reference knows where vocabularies lie; it never imports chunkwright.
sys.path.append(str(ROOT / "tests"))


@cache
def encoding() -> tiktoken.Encoding:
    """cl100k_base. From here on, whoever asks tiktoken for it in this process or a child gets it too."""
    import tiktoken  # noqa: PLC0415

    from reference.tokens import cache_folder  # noqa: PLC0415 - only where tiktoken is installed

    os.environ["TIKTOKEN_CACHE_DIR"] = cache_folder()
    return tiktoken.get_encoding("cl100k_base")


def count(text: str) -> int:
    """Tokens of a text by tiktoken."""
    return len(encoding().encode_ordinary(text))
