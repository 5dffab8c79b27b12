"""The copy of a text that is lexed: same length, with form feeds, front matter and display formulas masked."""

from __future__ import annotations

import re

Span = tuple[int, int]

_PREFIX = r"[ \t>]*"
_FORMULA_MARK = re.compile(_PREFIX + r"\$\$[ \t]*")
_ATX = re.compile(_PREFIX + r"#{1,6}(?:[ \t]|$)")
_FENCE = re.compile(r"(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})(.*)")
_FENCE_END = re.compile(_PREFIX + r"(`{3,}|~{3,})[ \t]*")
_FRONT_OPEN = re.compile(r"---[ \t]*")
_FRONT_CLOSE = re.compile(r"(?:---|\.\.\.)[ \t]*")


def split_lines(text: str) -> list[Span]:
    """Spans of the lines of a text that is to be lexed, line ends left out. A form feed ends a line here."""
    spans, at = [], 0
    for match in re.finditer(r"\r\n|\r|\n|\f", text):
        spans.append((at, match.start()))
        at = match.end()
    return [*spans, (at, len(text))]


def front_matter(text: str) -> Span | None:
    """Front matter from its first mark to the end of the line of its closing mark."""
    begin = 1 if text.startswith("\ufeff") else 0
    lines = split_lines(text)
    if len(lines) < 3 or not _FRONT_OPEN.fullmatch(text, begin, lines[0][1]) or not text[slice(*lines[1])].strip():
        return None
    for start, end in lines[1:]:
        if _FRONT_CLOSE.fullmatch(text, start, end):
            return begin, end
    return None


class _Fences:
    """Whether a line stands inside a fenced code block or an HTML comment, told line by line."""

    def __init__(self) -> None:
        self.fence = ""
        self.comment = False

    def busy(self, line: str) -> bool:
        """Takes the next line; true if it belongs to a fence or comment."""
        if self.comment:
            self.comment = "-->" not in line
            return True
        match = _FENCE.fullmatch(line)
        if self.fence:
            end = _FENCE_END.fullmatch(line)
            if end and end[1].startswith(self.fence):
                self.fence = ""
            return True
        if match and not (match[1][0] == "`" and "`" in match[2]):
            self.fence = match[1]
            return True
        begin = line.lstrip(" \t>")
        if begin.startswith("<!--") and "-->" not in begin[4:]:
            self.comment = True
            return True
        return False


def _formula_end(text: str, lines: list[Span], at: int, quotes: int) -> int | None:
    """Index of the line that closes the formula opened by line `at`."""
    for index in range(at + 1, len(lines)):
        line = text[slice(*lines[index])]
        if _FORMULA_MARK.fullmatch(line):
            if line.count(">") == quotes:
                return index
        elif _ATX.match(line) or ((fence := _FENCE.fullmatch(line)) and not (fence[1][0] == "`" and "`" in fence[2])):
            return None
    return None


def formulas(text: str, begin: int = 0) -> list[Span]:
    """Display formulas opened by a line that holds `$$` alone, from mark to mark."""
    lines, found, state = split_lines(text), [], _Fences()
    if text.startswith("\ufeff"):
        lines[0] = (1, lines[0][1])
    index = next((i for i, line in enumerate(lines) if line[0] >= begin), len(lines))
    while index < len(lines):
        start, end = lines[index]
        line = text[start:end]
        if not state.busy(line) and _FORMULA_MARK.fullmatch(line):
            last = _formula_end(text, lines, index, line.count(">"))
            if last is not None:
                stop = lines[last][0] + text[slice(*lines[last])].rindex("$$") + 2
                found.append((start + line.index("$$"), stop))
                index = last
        index += 1
    return found


def masked(text: str) -> tuple[str, Span | None, list[Span]]:
    """The copy to lex (line ends become line feeds), the front matter and the formulas."""
    front = front_matter(text)
    chars = list(text)
    if front:
        for i in range(*front):
            if chars[i] not in "\r\n\f":
                chars[i] = " "
    display = formulas(text, front[1] if front else 0)
    for start, end in display:
        chars[start:end] = "x" * (end - start)
    plain = "".join(chars).replace("\r\n", " \n").replace("\r", "\n").replace("\f", "\n")
    return plain, front, display
