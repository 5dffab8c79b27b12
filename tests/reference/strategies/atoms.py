"""What is not cut inside a line of plain text: code spans, links, addresses, formulas (section 2)."""

from __future__ import annotations

import re
from collections.abc import Callable

from reference.text import CJK, WHITE, Source

Span = tuple[int, int]
LONGEST = 1024

_W = "".join(sorted(WHITE))
_LINK = re.compile(
    rf"""!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\((?:[^(){_W}]|\([^(){_W}]*\))*(?:[{_W}]+(?:"[^"]*"|'[^']*'))?\)"""
)
_AUTOLINK = re.compile(rf"<[A-Za-z][^<>{_W}]*>")
_SCHEME = re.compile(r"(?<![A-Za-z0-9])(?:https?://|ftp://|www\.)")
_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+\-/=?^_{|}~]+\Z")
_DOMAIN = re.compile(r"[A-Za-z0-9.\-]+")


def _code(line: str, at: int) -> int | None:
    run = re.compile(r"(?<!`)(`{1,2})(?!`)").match(line, at)
    closing = re.compile(rf"(?<!`){run[1]}(?!`)").search(line, run.end()) if run else None
    return closing.end() if closing else None


def _link(line: str, at: int) -> int | None:
    match = _LINK.match(line, at)
    return match.end() if match else None


def _autolink(line: str, at: int) -> int | None:
    match = _AUTOLINK.match(line, at)
    return match.end() if match and re.search("[:@]", match[0]) else None


def _url(line: str, at: int) -> int | None:
    scheme = _SCHEME.match(line, at)
    if not scheme:
        return None
    end = scheme.end()
    while end < len(line) and line[end] not in WHITE and line[end] not in '<>"`' and not CJK.match(line[end]):
        end += 1
    if not _short(line, (at, end)):
        return None
    while line[end - 1] in ".,;:!?'*_~" or (
        line[end - 1] == ")" and line.count(")", at, end) > line.count("(", at, end)
    ):
        end -= 1
    return end if end > scheme.end() else None


def _formula(line: str, at: int) -> int | None:
    mark = "$$" if line.startswith("$$", at) else "$"
    start = at + len(mark)
    if not line.startswith("$", at) or line[start : start + 1] in ("", "$", *WHITE):
        return None
    end = line.find("$", start)
    if end < 0 or "`" in line[start:end] or line[end - 1] in WHITE or line[end - 1] == "\\":
        return None
    if ("$$" if line.startswith("$$", end) else "$") != mark:
        return None
    end += len(mark)
    return None if re.match("[0-9]", line[end:]) else end


_FORMS: tuple[Callable[[str, int], int | None], ...] = (_code, _link, _autolink, _url, _formula)


def _short(line: str, span: Span) -> bool:
    return len(line[slice(*span)].encode()) <= LONGEST


def _email(line: str, at: int, least: int) -> Span | None:
    """The address around an `@`, not beginning before `least`."""
    if line[at] != "@":
        return None
    local, domain = _LOCAL.search(line[least:at]), _DOMAIN.match(line, at + 1)
    if not local or not domain:
        return None
    host = domain[0].rstrip(".-")
    return (least + local.start(), at + 1 + len(host)) if "." in host else None


def _atom_at(line: str, at: int, least: int) -> Span | None:
    """What begins at a place, or around an `@` there; at most one form does."""
    ends = [end for form in _FORMS if (end := form(line, at))]
    atom = (at, ends[0]) if ends else _email(line, at, least)
    return atom if atom and _short(line, atom) else None


def atoms_in_line(line: str) -> list[Span]:
    """The atoms of one line, in order."""
    found: list[Span] = []
    at = 0
    while at < len(line):
        atom = _atom_at(line, at, found[-1][1] if found else 0)
        if atom:
            found.append(atom)
        at = atom[1] if atom else at + 1
    return found


def atoms_of(source: Source, start: int, end: int) -> list[Span]:
    """The atoms of a section."""
    return [
        (a + line_start, b + line_start)
        for line_start, line_end in source.lines(start, end)
        for a, b in atoms_in_line(source.text[line_start:line_end])
    ]
