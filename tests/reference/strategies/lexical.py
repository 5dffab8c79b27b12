"""The lexical embedder, and the cosine of what another one gives (section 3)."""

from __future__ import annotations

import math
import re
import struct
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from reference.text import CJK, WHITE

BUCKETS = 4096
BASE, REST = 0.65, 0.35

Counts = Mapping[int, float]
Terms = Mapping[int, int]

_NO_CJK_LETTER = re.compile(
    "[\u3000-\u3004\u3008-\u3030\u30fb\ufe30-\ufe4f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffef]"
)
_NO_LETTER = re.compile(
    "[×÷،؛؟۔।॥\u2000-\u2bff\u2e00-\u2e7f\ue000-\uf8ff\ufe00-\ufe6f\ufeff\ufff0-\uffff\U0001f000-\U0001faff]"
)


def _kind(char: str) -> str:
    """`c` for a CJK letter, `w` for another letter."""
    if CJK.match(char):
        return " " if _NO_CJK_LETTER.match(char) else "c"
    if char.isascii():
        return "w" if char.isalnum() else " "
    letter = "\u00c0" <= char <= "\U000dffff" and char not in WHITE and not _NO_LETTER.match(char)
    return "w" if letter else " "


def _small(char: str) -> str:
    made_small = char.isascii() or "\u00c0" <= char <= "\u058f" or "\u1e00" <= char <= "\u1fff"
    return char.lower() if made_small else char


def features(text: str) -> Iterator[tuple[str, float]]:
    """Each feature (with its kind's letter in front) where it occurs, with its weight."""
    kinds = "".join(map(_kind, text))
    for run in re.finditer("w+", kinds):
        word = "".join(map(_small, text[slice(*run.span())]))
        yield "w" + word, 1.0
        if len(word) >= 4:
            framed = f"^{word}$"
            yield from (("t" + framed[i : i + 3], 0.5) for i in range(len(framed) - 2))
    for run in re.finditer("c+", kinds):
        letters = text[slice(*run.span())]
        yield from (("c" + letter, 0.5) for letter in letters)
        yield from (("c" + letters[i : i + 2], 1.0) for i in range(len(letters) - 1))


def bucket(feature: str) -> int:
    """FNV-1a, 64 bit."""
    value = 0xCBF29CE484222325
    for byte in feature.encode():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return value % BUCKETS


def counts(text: str) -> Counts:
    """The sum of the weights in each bucket."""
    found: dict[int, float] = defaultdict(float)
    for feature, weight in features(text):
        found[bucket(feature)] += weight
    return found


class Lexical:
    """Knows in how many of some texts each bucket occurs."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.counts = [counts(text) for text in texts]
        self.df = Counter(b for count in self.counts for b in count)

    def idf(self, b: int) -> float:
        full = math.log(1 + len(self.counts) / self.df[b])
        return full / 2 if self.df[b] == 1 else full

    def terms(self, first: int, last: int) -> Terms:
        """The terms of some of the texts together, whole numbers."""
        total: dict[int, float] = defaultdict(float)
        for count in self.counts[first : last + 1]:
            for b, weight in count.items():
                total[b] += weight
        return {b: math.floor(4096 * math.log(1 + weight) * self.idf(b) + 0.5) for b, weight in total.items()}

    def vector(self, index: int) -> list[float]:
        """The vector of one text."""
        x = self.terms(index, index)
        q = sum(value * value for value in x.values())
        scaled = {b: value * math.sqrt(REST / q) for b, value in x.items() if q}
        return [as_f32(number) for number in (math.sqrt(BASE), *(scaled.get(b, 0.0) for b in range(BUCKETS)))]


def similarity(x: Terms, y: Terms) -> float:
    """How much alike two windows are by their terms."""
    p, q = sum(value * value for value in x.values()), sum(value * value for value in y.values())
    if not p or not q:
        return 1.0 if p == q else math.sqrt(BASE)
    d = sum(value * y[b] for b, value in x.items() if b in y)
    return BASE + REST * (float(d) / math.sqrt(float(p) * float(q)))


def _sum(numbers: Iterator[float]) -> float:
    """One behind the other, each sum rounded: Python's own `sum` does better than that."""
    total = 0.0
    for number in numbers:
        total += number
    return total


def as_f32(number: float) -> float:
    """The nearest number of 32 bits; 0 for what is not finite."""
    if not math.isfinite(number):
        return 0.0
    return float(struct.unpack("f", struct.pack("f", number))[0])


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """The cosine of two vectors that an embedder gave."""
    length = max(len(a), len(b))
    x, y = ([*map(as_f32, v), *[0.0] * (length - len(v))] for v in (a, b))
    p, q = _sum(n * n for n in x), _sum(n * n for n in y)
    return _sum(m * n for m, n in zip(x, y, strict=True)) / math.sqrt(p * q) if p and q else 0.0
