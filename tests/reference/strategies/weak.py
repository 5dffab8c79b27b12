"""What a line of text is by itself: numbered, a title, a question, a list line (sections 4.1 and 4.3)."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass

from reference.text import CLOSING, OPENING, WHITE

W = "".join(sorted(WHITE))
N = "[〇零一二三四五六七八九十百千两]{1,9}"
D = "[0-9０-９]{1,9}"
S = "[、.．]"
NO_DIGIT = "(?![0-9０-９])"
FINAL = frozenset("。．.！!？?；;…，,、")
FINAL_OR_COLON = frozenset("。．.！!？?；;…：:")
COLONS = (":", "：")
CLOSES_BEHIND = "\"'”’」』）)》〉】]"
MOST = 40
LEAD_INS = ("如下", "例如", "比如", "as follows", "following", "for example")

NUMERAL = re.compile(rf"({N}){S}")
BRACKETED = re.compile(rf"（({N})）|\(({N})\)")
CHAPTER = re.compile(rf"第[{W}]*({N}|{D})[{W}]*(章|部分|节|条)")
ARABIC = re.compile(rf"({D})(?:、|[.．]{NO_DIGIT})")
DOTTED = re.compile(rf"({D}(?:[.．]{D}){{1,8}})(?:、|[.．]?[{W}]+)")
LENTICULAR = re.compile(r"【([^【】]*)】")

_NOT_BEHIND_CHAPTER = (*"的所中内至和及与或以第", "规定")
_CHAPTER_LEVELS = {"章": 1, "部分": 1, "节": 2, "条": 3}
_DIGITS = dict(zip("〇零一二三四五六七八九两", (0, *range(10), 2), strict=True))
_TENS = {"十": 10, "百": 100, "千": 1000}


@dataclass(frozen=True)
class Numbered:
    """How a line is numbered. Forms are equal if their names are; dotted ones have their dots in it."""

    form: str
    level: int
    numbers: tuple[int, ...]
    # Where the text begins; its line's length if the marker is all.
    behind: int
    text: str


@dataclass(frozen=True)
class Title:
    """A line that could be a heading."""

    form: str
    level: int
    text: str
    marker: str


def number_of(text: str) -> int:
    """The value of a Chinese or Arabic number."""
    if text[0] not in _DIGITS and text[0] not in _TENS:
        return int(text)
    total, digits = 0, 0
    for char in text:
        if char in _TENS:
            total += (digits or 1) * _TENS[char]
            digits = 0
        else:
            digits = digits * 10 + _DIGITS[char]
    return total + digits


def numbered(line: str) -> Numbered | None:
    """The first numbered form with which a line begins."""
    if m := NUMERAL.match(line):
        return _numbered("numeral", 1, m[1], m.end(), line)
    if m := BRACKETED.match(line):
        return _numbered("bracketed", 2, m[1] or m[2], m.end(), line)
    if m := CHAPTER.match(line):
        rest = line[m.end() :]
        if not rest.startswith(_NOT_BEHIND_CHAPTER):
            text = re.sub(rf"\A[{W}]*[、.．：:]?[{W}]*", "", rest)
            found = _numbered(m[2], _CHAPTER_LEVELS[m[2]], m[1], len(line) - len(text), line)
            return found if text.strip(W) else Numbered(m[2], found.level, found.numbers, len(line), m[0])
    if m := ARABIC.match(line):
        return _numbered("arabic", 3, m[1], m.end(), line)
    if m := DOTTED.match(line):
        numbers = tuple(int(number) for number in re.split("[.．]", m[1]))
        text = line[m.end() :].strip(W)
        return Numbered(f"dotted {len(numbers)}", 2 + len(numbers), numbers, m.end(), text)
    return None


def _numbered(form: str, level: int, number: str, behind: int, line: str) -> Numbered:
    return Numbered(form, level, (number_of(number),), behind, line[behind:].strip(W))


def follows(a: Numbered, b: Numbered) -> bool:
    """Whether `b` has the number behind that of `a`."""
    return a.form == b.form and a.numbers[:-1] == b.numbers[:-1] and a.numbers[-1] + 1 == b.numbers[-1]


def ends_in(line: str, characters: frozenset[str]) -> bool:
    """Whether a line ends in one of the characters, closing marks aside."""
    return line.rstrip(CLOSES_BEHIND)[-1:] in characters


def _says_something(text: str) -> bool:
    return any(c not in WHITE and c not in string.punctuation and c not in CLOSING and c not in OPENING for c in text)


def _is_title(line: str, text: str) -> bool:
    return _says_something(text) and len(line) <= MOST


def title(line: str) -> Title | None:
    """What a line would be as a heading."""
    found = numbered(line)
    if found:
        marker = found.text if found.behind == len(line) else line[: found.behind].rstrip(W)
        wanted = _is_title(line, found.text) and not ends_in(line, FINAL)
        return Title(found.form, found.level, found.text, marker) if wanted else None
    inside = LENTICULAR.fullmatch(line)
    if inside:
        text = inside[1].strip(W)
        wanted = text not in ("问", "答") and _is_title(line, text) and not ends_in(line, FINAL)
        return Title("lenticular", 4, text, line) if wanted else None
    if line.endswith(COLONS) and _is_title(line, line[:-1]) and _may_end_in_colon(line):
        return Title("colon", 5, line, "")
    return None


def _may_end_in_colon(line: str) -> bool:
    front = line[:-1]
    definition = line.startswith("[") and line.endswith("]:")
    sentence = re.search(rf"[。！？!?；;]|\.[{W}]", front)
    leads_in = ascii_small(front.rstrip(W)).endswith(LEAD_INS)
    asked = question_mark(line) and not bare(line)
    return not (definition or sentence or leads_in or asked or list_mark(line) or answer_mark(line))


def ascii_small(text: str) -> str:
    """ASCII capitals made small."""
    return re.sub("[A-Z]", lambda capital: capital[0].lower(), text)


# Marks of questions and answers; what stands behind the match tells whether a line is bare.
_EMPHASIS = "[*_]*"
_LETTER_TAIL = rf"(?:{_EMPHASIS}[{W}]*{D})?{_EMPHASIS}(?P<last>[:：、]|[.．]{NO_DIGIT})"
_WORD_TAIL = rf"(?:{_EMPHASIS}[{W}]*(?:{D}|{N}))?{_EMPHASIS}[:：]"
_QUESTION = re.compile(rf"[*_]{{0,3}}(?:(?P<letter>[Qq]){_LETTER_TAIL}|问题?{_WORD_TAIL}|【问{_EMPHASIS}】)")
_ANSWER = re.compile(rf"[*_]{{0,3}}(?:(?P<letter>[Aa]){_LETTER_TAIL}|(?:回答|答){_WORD_TAIL}|【答{_EMPHASIS}】)")
_OWN_ANSWER = re.compile(rf"(?:[{W}]A|答)[:：]")


def question_mark(line: str) -> re.Match[str] | None:
    return _QUESTION.match(line)


def answer_mark(line: str) -> re.Match[str] | None:
    return _ANSWER.match(line)


def answers(line: str, question: str) -> bool:
    """Whether a line is an answer line to a question (an unmarked one, or one with its mark)."""
    mark, asked = answer_mark(line), question_mark(question)
    if mark and mark["last"] in (".", "．", "、"):
        return bool(asked and asked["letter"])
    return bool(mark)


def bare(line: str) -> bool:
    """Whether nothing stands behind a line's mark."""
    mark = question_mark(line) or answer_mark(line)
    return bool(mark) and not line[mark.end() if mark else 0 :].strip(W + "*_")


def has_own_answer(line: str) -> bool:
    mark = question_mark(line)
    return bool(mark and _OWN_ANSWER.search(line, mark.end()))


def asks(line: str) -> bool:
    return line.rstrip("*_").endswith(("?", "？"))


_BULLET = re.compile(rf"[-*+](?:[{W}]|\Z)|[•·●○▪◦‣]")
_LIST_NUMBER = re.compile(rf"{D}[)）]|（{D}）|\({D}\)|[①-⑳]")


def list_mark(line: str) -> str | None:
    """`bullet` or `number`, if the line is a list line by itself."""
    if _BULLET.match(line):
        return "bullet"
    found = numbered(line)
    if _LIST_NUMBER.match(line) or (found and found.form in ("numeral", "bracketed", "arabic")):
        return "number"
    return None
