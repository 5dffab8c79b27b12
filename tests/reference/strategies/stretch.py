"""The lines of running text, and what they make together (sections 4.1 and 4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from reference.text import LINE_END, Source

from . import weak
from .plain import Span, piece_start
from .weak import Numbered, Title

TAB = 4


@dataclass
class Line:
    """A line, with those that belong to it."""

    start: int
    end: int
    seen: str
    indentation: int
    numbered: Numbered | None = None
    title: Title | None = None
    marked: bool = False
    is_list: bool = False
    is_numbered_item: bool = False
    inside_list: bool = False
    heading: bool = False

    @property
    def blank(self) -> bool:
        return not self.seen


@dataclass(frozen=True)
class Group:
    """Lines that make a block: qa, heading, list or paragraph."""

    kind: str
    start: int
    end: int
    title: Title | None = None
    numbered: bool = False


def indentation(front: str) -> int:
    """The columns that blanks and tabs take; 0 if other white space is among them."""
    if front.strip(" \t"):
        return 0
    columns = 0
    for char in front:
        columns = columns + 1 if char == " " else (columns // TAB + 1) * TAB
    return columns


def lines_of(source: Source, span: Span, atoms: Sequence[Span], parts: Sequence[Span]) -> list[Line]:
    """The lines of a stretch; `parts` are code, tables, formulas, HTML in it."""
    bounds = [span[0], *(m.end() for m in LINE_END.finditer(source.text, *span)), span[1]]
    # Each with whether more than one line has been joined, and whether it begins in a part.
    lines: list[tuple[int, int, bool, bool]] = []
    for start, end in pairwise(bounds):
        first = source.skip_white(start, end)
        goes_on = any(a < start < b for a, b in (*atoms, *parts))
        in_part = first < end and any(a <= first < b for a, b in parts)
        if lines and (goes_on or in_part):
            while in_part and source.all_white(*lines[-1][:2]):
                lines.pop()
            lines[-1] = (lines[-1][0], end, True, lines[-1][3])
        else:
            lines.append((start, end, False, in_part))
    return [_line(source, *line) for line in lines]


def _line(source: Source, start: int, end: int, joined: bool, in_part: bool) -> Line:
    first = source.skip_white(start, end)
    line = Line(start, end, source.text[first : source.trim_end(first, end)], indentation(source.text[start:first]))
    if line.blank:
        return Line(start, end, "", 0)
    line.numbered = weak.numbered(line.seen)
    line.title = None if joined or in_part else weak.title(line.seen)
    line.marked = not in_part and weak.question_mark(line.seen) is not None
    mark = None if in_part else weak.list_mark(line.seen)
    line.is_list, line.is_numbered_item = mark is not None, mark == "number"
    return line


class Stretch:
    """Finds the groups of some lines. `followed` says whether the document goes on with something but a heading."""

    def __init__(self, lines: list[Line], headings: bool, followed: bool) -> None:
        self.lines = lines
        self.followed = followed
        self.mark_numbered_lists()
        self.mark_inside_lists(headings)
        self.questions = self.find_questions()
        if headings:
            self.mark_colon_headings()

    def mark_numbered_lists(self) -> None:
        """Lines of any numbered form one directly under the other are list lines."""
        for a, b in pairwise(self.lines):
            if a.numbered and b.numbered and a.numbered.form == b.numbered.form:
                for line in (a, b):
                    line.is_list = line.is_numbered_item = True

    def mark_inside_lists(self, headings: bool) -> None:
        """Which lines are inside a list, and which titles of other forms than colon are headings."""
        for index, line in enumerate(self.lines):
            least = self.least_indented(index)
            line.inside_list = not line.blank and least is not None and line.indentation > least
            if headings and line.title and line.title.form != "colon":
                needs_more = line.title.form == "arabic" and not self.stands_above(index)
                line.heading = not (line.inside_list or self.has_neighbour(index) or needs_more)

    def least_indented(self, index: int) -> int | None:
        found: list[int] = []
        for line in reversed(self.lines[:index]):
            if line.heading or not (line.blank or line.is_list or line.inside_list):
                break
            if line.is_list:
                found.append(line.indentation)
        return min(found, default=None)

    def has_neighbour(self, index: int) -> bool:
        return any(self.neighbours(min(index, j), max(index, j)) for j in range(len(self.lines)) if j != index)

    def neighbours(self, i: int, j: int) -> bool:
        first, second = self.lines[i], self.lines[j]
        a, b = first.numbered, second.numbered
        if not a or not b or a.form != b.form:
            return False
        if j == i + 1:
            return True
        between = [line for line in self.lines[i + 1 : j] if not line.blank]
        if not between and weak.follows(a, b):
            return True
        below = all(line.indentation > first.indentation for line in between)
        near = a.form == "arabic" and below and second.indentation <= first.indentation
        return near and (weak.follows(a, b) or a.numbers == b.numbers)

    # Questions with answers.

    def next_line(self, index: int) -> int | None:
        """The next line behind one that is not blank."""
        return next((i for i in range(index + 1, len(self.lines)) if not self.lines[i].blank), None)

    def blank_at(self, index: int) -> bool:
        return index < len(self.lines) and self.lines[index].blank

    def ends_question(self, index: int) -> bool:
        """Whether a line is marked or a heading that is not of the colon form."""
        return self.lines[index].marked or self.lines[index].heading

    def answered_next(self, index: int) -> int | None:
        """The answer line behind one that asks without a mark."""
        line = self.lines[index]
        following = self.next_line(index)
        if line.marked or not weak.asks(line.seen) or following is None:
            return None
        return following if weak.answers(self.lines[following].seen, line.seen) else None

    def answer_of(self, index: int) -> int | None:
        """Where the answer begins to what is asked in a line, if that is a question with an answer."""
        line = self.lines[index]
        if not line.marked:
            return self.answered_next(index)
        bare = weak.bare(line.seen)
        at = index + 1
        while bare and self.blank_at(at):
            at += 1
        while at < len(self.lines) and not self.lines[at].blank and not self.ends_question(at):
            if weak.answers(self.lines[at].seen, line.seen):
                return at
            at += 1
        behind = self.next_line(at - 1)
        if behind is not None and not self.ends_question(behind) and weak.answers(self.lines[behind].seen, line.seen):
            return behind
        if bare:
            return None
        if weak.has_own_answer(line.seen):
            return index
        directly = index + 1 < len(self.lines) and not self.lines[index + 1].blank
        return index + 1 if directly and not self.ends_question(index + 1) else None

    def ends_answer(self, index: int) -> bool:
        return self.ends_question(index) or self.answered_next(index) is not None

    def end_of_answer(self, start: int, question: int) -> int:
        """The line behind an answer."""
        at = start + 1
        line = self.lines[start].seen
        bare = weak.answers(line, self.lines[question].seen) and weak.bare(line)
        following = self.next_line(start)
        if bare and following is not None and not self.ends_answer(following):
            at = following
        while at < len(self.lines) and not self.lines[at].blank and not self.ends_answer(at):
            at += 1
        return at

    def find_questions(self) -> dict[int, int]:
        """From the first line of each question to the line behind its answer."""
        found: dict[int, int] = {}
        at = 0
        while at < len(self.lines):
            answer = None if self.lines[at].blank else self.answer_of(at)
            if answer is not None:
                found[at] = self.end_of_answer(answer, at)
            at = found.get(at, at + 1)
        return found

    # Headings of the colon form.

    def mark_colon_headings(self) -> None:
        asked = {i for start, end in self.questions.items() for i in range(start, end)}
        for index, line in enumerate(self.lines):
            if line.title and line.title.form == "colon" and index not in asked:
                line.heading = self.stands_above(index) and not line.inside_list and self.stands_free(index)

    def stands_above(self, index: int) -> bool:
        return self.next_line(index) is not None or self.followed

    def stands_free(self, index: int) -> bool:
        line, before = self.lines[index], self.lines[index - 1] if index else None
        if before is None or before.blank or before.heading or before.is_list:
            return True
        return before.indentation > line.indentation or weak.ends_in(before.seen, weak.FINAL_OR_COLON)

    # Blocks.

    def groups(self, source: Source) -> list[Group]:
        done: list[Group] = []
        at = 0
        while at < len(self.lines):
            line = self.lines[at]
            if line.blank:
                at += 1
                continue
            kind, end = self.group_at(at)
            lines = self.lines[at:end]
            first = source.skip_white(line.start, line.end)
            start = piece_start(source, self.lines[0].start, first)
            items = any(one.is_numbered_item for one in lines)
            title = line.title if kind == "heading" else None
            done.append(Group(kind, start, source.trim_end(start, lines[-1].end), title, items))
            at = end
        return done

    def group_at(self, at: int) -> tuple[str, int]:
        line = self.lines[at]
        if at in self.questions:
            return "qa", self.questions[at]
        if line.heading:
            return "heading", at + 1
        return ("list", self.list_end(at)) if line.is_list else ("paragraph", self.paragraph_end(at))

    def list_end(self, start: int) -> int:
        end = start + 1
        for index in range(start + 1, len(self.lines)):
            line = self.lines[index]
            if line.blank:
                continue
            if line.heading or index in self.questions or not (line.is_list or line.inside_list):
                break
            end = index + 1
        return end

    def paragraph_end(self, start: int) -> int:
        index = start + 1
        while index < len(self.lines):
            line = self.lines[index]
            if line.blank or line.heading or line.is_list or index in self.questions:
                break
            index += 1
        return index
