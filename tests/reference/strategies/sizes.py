"""What a size is: characters, tokens, or what a function says (section 1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from reference import tokens


@dataclass(frozen=True)
class Characters:
    """Code points."""

    unit = "char"
    most_reason = "max_chars"

    def n(self, text: str) -> int:
        """The size of a string."""
        return len(text)

    def take(self, text: str, k: int) -> int:
        """Where the first `k` units of a string end."""
        return min(max(k, 0), len(text))


@dataclass(frozen=True)
class Tokens:
    """Tokens of an encoding."""

    encoding: str
    unit = "token"
    most_reason = "max_tokens"

    def n(self, text: str) -> int:
        return tokens.count(text, self.encoding)

    def take(self, text: str, k: int) -> int:
        """The end of the first tokens, down to a character boundary."""
        length = sum(tokens.token_lengths(text, self.encoding)[: max(k, 0)])
        return len(text.encode()[:length].decode(errors="ignore"))


class Function:
    """What a function says; asked once for each string."""

    unit = "size"
    most_reason = "max_size"

    def __init__(self, function: Callable[[str], int]) -> None:
        self.function = function

    @cached_property
    def known(self) -> dict[str, int]:
        return {}

    def n(self, text: str) -> int:
        if text not in self.known:
            self.known[text] = self.function(text)
        return self.known[text]

    def take(self, text: str, k: int) -> int:
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if self.n(text[:middle]) <= k:
                low = middle
            else:
                high = middle - 1
        return low


Size = Characters | Tokens | Function
