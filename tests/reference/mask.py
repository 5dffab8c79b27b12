"""The copy of a text that is lexed: same length, with form feeds, front matter, display formulas and what goes beyond limits masked."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

_PREFIX = r"[ \t>]*"
_FORMULA_MARK = re.compile(_PREFIX + r"\$\$[ \t]*")
_ATX = re.compile(_PREFIX + r"#{1,6}(?:[ \t]|$)")
_FENCE = re.compile(r"(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})(.*)")
_FENCE_END = re.compile(_PREFIX + r"(`{3,}|~{3,})[ \t]*")
_FRONT_OPEN = re.compile(r"---[ \t]*")
_FRONT_CLOSE = re.compile(r"(?:---|\.\.\.)[ \t]*")
_CONTAINER = re.compile(r"[ \t\v]*(>|(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]|\Z)|\[\^(?:\\.|[^\[\]\\])*\]:)")
_DELIMITERS = re.compile(r"\|? *[:-][ :-]*(?:\| *[:-][ :-]*)*\|?")

# The byte of a line from which on container marks are masked, and what stands for the first of them.
REACH = 128
SUBSTITUTE = "\x1a"
# How many cells the rows of all tables may lack, and how many for each byte.
MOST_LACKING = 1 << 18
LACKING_PER_BYTE = 4


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
    begin = 1 if text.startswith("\ufeff") else 0
    most = min(MOST_LACKING, LACKING_PER_BYTE * len(text.encode()))
    lines = _narrowed(plain[begin:].split("\n"), most)
    for index, line in enumerate(lines):
        mark = _deep_mark(line)
        if mark is not None:
            lines[index] = line[:mark] + SUBSTITUTE + line[mark + 1 :]
    return plain[:begin] + "\n".join(lines), front, display


def _containers(line: str) -> Iterator[Span]:
    """The marks of quotes, list items and footnotes that a line begins with."""
    at = 0
    while match := _CONTAINER.match(line, at):
        yield match.span(1)
        at = match.end()


def _deep_mark(line: str) -> int | None:
    """Where the first container mark beyond the limit begins, unless it belongs to a thematic break."""
    for at, _ in _containers(line):
        if len(line[:at].encode()) >= REACH:
            of_rule = line[at] + " \t" if line[at] in "-*" else ""
            rule = line[len(line[:at].rstrip(of_rule)) :] if of_rule else ""
            return None if rule and not rule.strip(of_rule) and rule.count(line[at]) >= 3 else at
    return None


def _row(line: str) -> str:
    return line.rstrip(" \t\v").lstrip(" \t\v>")


def _cells(row: str) -> int:
    """How many cells a row has, at least: a backslash in front of a pipe hides it."""
    return 1 + sum(row[i] == "|" and row[i - 1] != "\\" for i in range(1, len(row) - 1))


def _is_delimiter(row: str) -> bool:
    return _DELIMITERS.fullmatch(row) is not None and _cells(row) > 1


def _narrowed(lines: list[str], most: int) -> list[str]:
    """The lines; tables whose rows lack too many cells have one column, or are none."""
    result, lacking, index = list(lines), 0, 0
    while index < len(lines):
        if not _is_delimiter(_row(lines[index])):
            index += 1
            continue
        begin, missing, widest = index, 0, 0
        while index < len(lines) and (row := _row(lines[index])):
            widest = max(widest, _cells(row)) if _is_delimiter(row) else widest
            missing += max(0, widest - _cells(row))
            index += 1
        if lacking + missing <= most:
            lacking += missing
            continue
        for at in range(begin, index):
            if _is_delimiter(_row(lines[at])):
                _narrow(lines, result, at)
    return result


def _narrow(lines: list[str], result: list[str], at: int) -> None:
    row, above = _row(lines[at]), lines[at - 1] if at else ""
    header = _row(above[max([end for _, end in _containers(above)], default=0) :])
    if header.startswith("|") and _cells(header) == _cells(row):
        if result[at - 1] == above:
            result[at - 1] = _covered(above, header, "|" + "x" * (len(header) - 1))
        result[at] = _covered(lines[at], row, "|" + "-" * (len(row) - 1))
    else:
        result[at] = _covered(lines[at], row, SUBSTITUTE + row[1:])


def _covered(line: str, row: str, cover: str) -> str:
    """The line with another row in place of the one at its end."""
    start = len(line.rstrip(" \t\v")) - len(row)
    return line[:start] + cover + line[start + len(row) :]
