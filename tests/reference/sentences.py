"""Sentence ends by the rules of docs/sentences.md: slow, obvious, standard library only.

A second implementation to compare the Rust one with. It shares no code with it: the marks are found by regular
expressions, the rules are applied to the match, and positions are code points.
"""

from __future__ import annotations

import re

WHITE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3041-\u3096\u309d-\u30fa\u30fc-\u312f"
    "\u3131-\u318e\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff"
    "\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f\U00020000-\U0003fffd"
)
CJK_OPEN = "“‘「『（《〈【〔［"
OPEN = CJK_OPEN + r"(\[{<\"'«„‚¿¡"
CLOSE = r")\]}）］】〕》〉」』”’»›｝〗"
EMPHASIS = "*_~"
BULLET = "•‣⁃◦▪■□●○◆◇"
MARK = (
    "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u200d\u20d0-\u20ff\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f\uff9e\uff9f"
    "\U0001f3fb-\U0001f3ff\U000e0100-\U000e01ef"
)
HIRAGANA = "\u3041-\u3096\u309d-\u309f"
NUMERAL = "一二三四五六七八九十百"

REACH, DEPTH, WORD = 512, 8, 24


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


NEVER = words(
    "adm atty brig c.f capt cdr cf cmdr cpl dr e.g eg gov hon i.e ie lt maj messrs mlle mme mr mrs ms msgr mt n.b"
    " pfc pres prof pvt rev sen sgt supt viz vs"
)
BEFORE_NUMBER = words(
    "abbrev app art bk coll conf cont div elev etc ex exec ext hist ident max min no n° nº obs op par prev proc"
    " pron pt pts ref refs spec specs tab tel temp trans transl ver №"
)
BEFORE_STARTER = words(
    "abbr al approx apr apt assn assoc asst aug ave avg bldg blvd bros ca calif ch chap chs cit co col corp cos"
    " ct dec dept dist ed eds eq eqs est feb fig figs fla fr fri ft gen hrs hwy ibid illus inc incl intl jan jr"
    " jul jun ltd mfg mgr misc mon mtg natl nos nov nr oct orig para paras ph.d pl pp prob pty publ rd rep reps"
    " resp rt sec sect sep sept sq sr st ste supp thu thurs tue tues univ vol vols"
)
STARTERS = words(
    "A After All Also Although Always An And Another Any Are As At Avoid Be Because Before Being Both But By Can"
    " Check Choose Click Consider Could Despite Did Do Does During Each Either Even Every Few Finally First For"
    " From Generally Given Has Have He Hence Her Here His How However I If Imagine In Indeed Instead Is It Its"
    " Just Last Later Let Like Make Many Maybe Meanwhile More Moreover Most Much My Neither Never Next No None Nor"
    " Not Note Nothing Now Of Often On Once One Only Open Or Other Others Our Over Perhaps Please Run Second See"
    " Several She Should Similarly Since So Some Someone Something Sometimes Soon Still Such Suppose Than Thank"
    " Thanks That The Their Them Then There Therefore These They Third This Those Though Through Thus To Today Too"
    " Try Two Under Unless Unlike Until Up Upon Use Using Usually Was We Well Were What When Where Whether Which"
    " While Who Whose Why With Within Without Would Yes Yet You Your"
)
AFTER_TIME = words(
    "BST CDT CEST CET CST Central EDT EST ET Eastern Friday GMT JST MDT MST Monday PDT PST PT Pacific Saturday"
    " Sunday Thursday Tuesday UTC Wednesday"
)
EXCLAIMED = words("Jeopardy Panic Wham Yahoo Yum")

PAIRS = {
    "(": "round", "（": "round", "[": "square", "［": "square", "【": "lens", "〔": "shell",
    "《": "title", "〈": "angle", "「": "corner", "『": "white corner", "“": "curly",
}  # fmt: skip
CLOSES = {
    ")": "round", "）": "round", "]": "square", "］": "square", "】": "lens", "〕": "shell",
    "》": "title", "〉": "angle", "」": "corner", "』": "white corner", "”": "curly",
}  # fmt: skip
BRACKETS = {"round", "square", "lens", "shell"}

MARKS = re.compile("[.!?…。！？｡．]+")
SPACED = re.compile(r"\.(?:[ \xa0]\.){2,}")
WHITE_RUN = re.compile(f"[{WHITE}]*")
LINE_END = re.compile(r"\r\n|\r|\n")
NOTE = re.compile(r"</[A-Za-z0-9]{1,16}>|\[(?:\^[A-Za-z0-9-]{1,16}|[0-9]{1,3})\](?![(\[:])")  # or an end tag
BLANK_OR_END = rf"(?=[{WHITE}]|\Z)"
CLOSED_AFTER = re.compile(rf"\Z|[{WHITE}{CLOSE}{EMPHASIS}\"']")
BLOCKED = re.compile(
    rf"</|[{MARK}{CLOSE}]|[.:?](?![A-Za-z0-9])|!(?![\[A-Za-z0-9])|[\"'{EMPHASIS}](?:[{WHITE}]|\Z)|[，、。：；！？｡､．…,;·・]"
)
PAST = re.compile(rf"(?:(?:[-–—] ?)|(?!<)[{OPEN}{EMPHASIS}]){{0,8}}")
LEAD = re.compile(rf"[{WHITE}\ufeff{OPEN}{BULLET}{EMPHASIS}#>\-+|]{{0,16}}")
WORD_END = re.compile(
    rf"[^{WHITE}{OPEN}{EMPHASIS}{BULLET}{CJK}–—，、。：；！？｡､．…·・）］】〕》〉」』”»›｝〗]{{0,{WORD}}}\Z"
)
NUMBER = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3})*|[ivx]{1,4}|[IVX]{1,4}|[A-Za-z]")
VERSION = re.compile(r"[vV][0-9][0-9.]*")
ENTITY = re.compile(r"&[A-Za-z0-9#]{1,9}\Z")
MARKER = re.compile(rf"([0-9]{{1,3}}|[A-Za-z])(\.\)|\.|\))(?=[{WHITE}])")
MARK_OF_ITEM = re.compile(rf"(?:\.\)|\.|\))(?=[{WHITE}])")
ANEW = re.compile(
    rf"#{{1,6}}{BLANK_OR_END}|[-*+](?=[{WHITE}])|\+-|[|\r\n]|\Z|```|~~~|[{BULLET}※①-⑳]"
    rf"|[(（](?:[0-9]{{1,3}}|[{NUMERAL}]{{1,3}})[)）]|[0-9]{{1,3}}(?:[、．）]|\.）|(?:\.\)|\.|\)){BLANK_OR_END})"
    rf"|[A-Za-z]\)(?=[{WHITE}])|[{NUMERAL}]{{1,3}}、"
)
WHOLE = re.compile(rf"[|\r\n]|\Z|\+-|---|===|#{{1,6}}{BLANK_OR_END}|```|~~~")
QUOTE = re.compile(r"(?:>[> \t]*)?")
ENGLISH = re.compile("[A-Za-z]{0,12}")
LABEL = re.compile(r"[A-Z][A-Za-z]*")
FINAL = re.compile(rf"[.!?…。！？｡．:：;；][{CLOSE}{EMPHASIS}\"']{{0,8}}\Z")
POLITE = re.compile(rf"(?:です|ます|でした|ました|ません|である|だった|ください)[{CLOSE}{EMPHASIS}\"']{{0,8}}\Z")
WRAPPED = re.compile(r"[,，、\-–—(（&/のをにはがとへもでや]\Z")


def run_of(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str]:
    """The match of a pattern that matches everywhere (or is known to match here)."""
    found = pattern.match(text, at)
    assert found is not None
    return found


def is_white(c: str) -> bool:
    """Whether `c` is one white space character."""
    return bool(c) and WHITE_RUN.fullmatch(c) is not None


def has_case(c: str) -> bool:
    """Whether `c` is a small or capital letter."""
    return c.islower() or c.isupper()


def among(c: str, characters: str) -> bool:
    """Whether `c` is one character of the class."""
    return bool(c) and re.fullmatch(f"[{characters}]", c) is not None


def strip_end(s: str) -> str:
    """`s` without white space at its end."""
    return re.sub(rf"(?<![{WHITE}])[{WHITE}]+\Z", "", s) if not re.fullmatch(f"[{WHITE}]*", s) else ""


class Pass:
    """One pass over a text."""

    def __init__(self, text: str, soft: bool) -> None:
        self.text, self.soft = text, soft
        self.ends: list[int] = []
        self.open: list[tuple[str, int, int]] = []  # sort, position, number of ends then
        self.emphasis = False
        self.bytes = [0]
        for c in text:
            self.bytes.append(self.bytes[-1] + len(c.encode()))
        self.running: dict[int, bool] = {}  # by the end of the run of lines
        first = 1 if text.startswith("\ufeff") else 0
        self.new_line(0, self.space(first)[1])

    # What stands where

    def char(self, at: int) -> str:
        return self.text[at] if 0 <= at < len(self.text) else ""

    def space(self, at: int) -> tuple[int, int, int]:
        """Where a sentence behind white space begins, its first visible character, the number of line ends between."""
        run = run_of(WHITE_RUN, self.text, at)
        line_ends = list(LINE_END.finditer(self.text, at, run.end()))
        cut = line_ends[-1].end() if line_ends and run.end() < len(self.text) else run.end()
        return cut, run.end(), len(line_ends)

    def last(self) -> int:
        return self.ends[-1] if self.ends else 0

    def leads(self, at: int) -> bool:
        return at >= self.last() and LEAD.fullmatch(self.text, self.last(), at) is not None

    def word(self, end: int) -> str:
        found = WORD_END.search(self.text[max(0, end - WORD) : end])
        return found.group() if found else ""

    def attached(self, at: int) -> bool:
        before = self.char(at - 1)
        return bool(before) and not is_white(before) and not among(before, OPEN)

    def blocked(self, at: int) -> bool:
        return BLOCKED.match(self.text, at) is not None

    def kind(self, at: int) -> tuple[str, int]:
        """What sort of letter comes first at `at`, past marks, and where."""
        at_letter = run_of(PAST, self.text, at).end()
        c = self.char(at_letter)
        if not c:
            return ("end" if at_letter == at else "other"), at_letter
        if c.islower():
            return ("upper" if self.char(at_letter + 1).isupper() else "lower"), at_letter
        if c.isupper():
            return "upper", at_letter
        if among(c, "0-9０-９"):
            return "digit", at_letter
        return ("cjk" if among(c, CJK) else "other"), at_letter

    # Changes

    def push(self, at: int) -> None:
        if at > self.last():
            self.ends.append(at)

    def push_hard(self, at: int) -> None:
        self.push(at)
        self.open, self.emphasis = [], False

    def opens(self, sort: str, at: int) -> None:
        if len(self.open) < DEPTH:
            self.open.append((sort, at, len(self.ends)))

    def is_open(self, sort: str) -> bool:
        return any(pair[0] == sort for pair in self.open)

    def closes(self, sort: str, at: int, *, keep: bool = False) -> int | None:
        """Closes a pair; gives where it was opened."""
        if not self.is_open(sort):
            return None
        while True:
            name, opened, count = self.open.pop()
            if name == sort:
                break
        if not keep and self.bytes[at] - self.bytes[opened] <= REACH:
            del self.ends[count:]
        return opened

    def new_line(self, start: int, first: int) -> None:
        self.start, self.first = start, first
        self.bullet = self.char(first) if among(self.char(first), BULLET) else ""
        marker = MARKER.match(self.text, first)
        self.marker = self.successor(marker.group(1), marker.group(2)) if marker else None

    @staticmethod
    def successor(number: str, style: str) -> tuple[str, str]:
        return (str(int(number) + 1) if number.isdigit() else chr(ord(number) + 1)), style

    # The pass

    def run(self) -> list[int]:
        if not self.text:
            return []
        marks = r"\r\n.!?()\[\]\"…。！？｡．（［【〔《〈「『“）］】〕》〉」』”" + BULLET + ("" if self.soft else ";；")
        event = re.compile(f"[{marks}]|`+|\\*+")
        at = 0
        while found := event.search(self.text, at):
            at = self.event(found)
        self.push(len(self.text))
        return self.ends

    def event(self, found: re.Match[str]) -> int:
        at, mark = found.start(), found.group()
        if mark in "\r\n":
            return self.line_end(at)
        if mark in ".)" and (item := self.item(at)):
            return item
        if mark in ".!?…。！？｡．":
            return self.stop(at)
        if mark in ";；":
            return self.semicolon(at)
        if mark in BULLET:
            if mark == self.bullet and at > self.first and is_white(self.char(at - 1)):
                self.push_hard(at)
        else:
            self.pair(mark, at, found.end())
        return found.end()

    def pair(self, mark: str, at: int, end: int) -> None:
        if mark == '"':
            self.straight(at)
        elif mark[0] == "`":
            if len(mark) < 3 and self.closes(mark, at) is None:
                self.opens(mark, at)
        elif mark[0] == "*":
            self.star(self.char(at - 1), self.char(end))
        elif mark in PAIRS:
            self.opens(PAIRS[mark], at)
        else:
            self.closes(CLOSES[mark], at)

    def star(self, before: str, behind: str) -> None:
        blank_before, blank_behind = not before or is_white(before), not behind or is_white(behind)
        if blank_before != blank_behind:
            self.emphasis = blank_before
        elif not blank_before:
            self.emphasis = not self.emphasis

    def straight(self, at: int) -> None:
        before, behind = self.char(at - 1), self.char(at + 1)
        if self.is_open('"') and before and not is_white(before) and not among(before, OPEN):
            self.closes('"', at)
        elif behind and not is_white(behind):
            self.closes('"', at, keep=True)
            self.opens('"', at)

    # Marks that end sentences

    def closers(self, at: int) -> tuple[int, bool, bool]:
        """Past closing marks at `at`.

        Gives the place behind, whether there are quotation marks or brackets, whether they close something that was
        opened in the middle of the sentence.
        """
        some = inside = False
        while c := self.char(at):
            either = c in "'“‘\"" and (CLOSED_AFTER.match(self.text, at + 1) or (c == '"' and self.is_open(c)))
            if among(c, CLOSE) or either:
                some = True
                inside |= self.closes_inside(c, at)
                at += 1
                continue
            end = self.emphasis_end(c, at) if c in EMPHASIS else at
            if found := NOTE.match(self.text, at):
                end = found.end()
            if end == at:
                break
            at = end
        return at, some, inside

    def closes_inside(self, c: str, at: int) -> bool:
        sort = '"' if c == '"' else CLOSES.get(c, "")
        opened = self.closes(sort, at)
        title = sort in ("title", "angle")
        return title or (sort in BRACKETS and opened is not None and not self.leads(opened))

    def emphasis_end(self, c: str, at: int) -> int:
        """The end of the marks of emphasis at `at`, if they close; else `at`."""
        end = run_of(re.compile(re.escape(c) + "+"), self.text, at).end()
        if not CLOSED_AFTER.match(self.text, end) and not (c == "*" and self.emphasis):
            return at
        if c == "*":
            self.emphasis = False
        return end

    def finish(self, ends: bool, behind: int) -> int:
        cut, _, line_ends = self.space(behind)
        if ends:
            self.push(cut)
            if not line_ends:
                return cut
        return behind

    def stop(self, at: int) -> int:
        if spaced := SPACED.match(self.text, at):
            return self.spaced(at, spaced)
        run = run_of(MARKS, self.text, at)
        marks = run.group()
        if marks[0] == "．" and not among(self.char(at - 1), HIRAGANA):
            return run.end()
        behind, some, inside = self.closers(run.end())
        c = self.char(behind)
        wide = re.search("[。！？｡．]", marks) is not None
        before_cjk = re.search("[!?]", marks) and among(c, CJK + CJK_OPEN)
        if wide:
            ends = self.wide(behind, some, inside)
        elif before_cjk:
            ends = "/" not in self.word(at) and self.wide(behind, some, inside)
        else:
            ends = (not c or is_white(c)) and self.narrow(at, marks, behind, some)
        return self.finish(ends, behind)

    def semicolon(self, at: int) -> int:
        c = self.text[at]
        if c == ";" and ENTITY.search(self.text[max(0, at - 10) : at]):
            return at + 1
        behind, some, inside = self.closers(at + 1)
        following = self.char(behind)
        if c == "；" or among(following, CJK + CJK_OPEN):
            ends = self.wide(behind, some, inside)
        else:
            ends = (not following or is_white(following)) and not self.blocked(self.space(behind)[1])
        return self.finish(ends, behind)

    def wide(self, behind: int, some: bool, inside: bool) -> bool:
        c = self.char(behind)
        goes_on = among(c, MARK) or (some and among(c, HIRAGANA + "的"))
        return not goes_on and not inside and not self.blocked(self.space(behind)[1])

    def narrow(self, at: int, marks: str, behind: int, some: bool) -> bool:
        following = self.space(behind)[1]
        kind, letter = self.kind(following)
        if kind == "end" or self.blocked(following):
            return kind == "end"
        if marks == ".":
            return self.dot(at, kind, letter, some)
        if "!" in marks or "?" in marks:
            alone = self.attached(at) and not some
            return kind != "lower" or (alone and ("?" in marks or not self.exclaimed(at)))
        if "…" in marks or marks == "...":
            return self.attached(at) and kind in ("upper", "cjk")
        return kind not in (("lower", "digit") if len(marks) == 2 else ("lower",))

    def spaced(self, at: int, spaced: re.Match[str]) -> int:
        behind, _, _ = self.closers(spaced.end())
        c, following = self.char(behind), self.space(behind)[1]
        four = spaced.group().count(".") >= 4
        if (
            not four
            or (c and not is_white(c))
            or self.blocked(following)
            or self.kind(following)[0] in ("lower", "end")
        ):
            return behind
        if self.attached(at) and behind == spaced.end():
            self.push(at + 2)
            return behind
        return self.finish(True, behind)

    def exclaimed(self, at: int) -> bool:
        word = self.word(at)
        return word in EXCLAIMED or (word[:1].isupper() and not self.leads(at - len(word)))

    # The word before a full stop

    def dot(self, at: int, kind: str, letter: int, some: bool) -> bool:
        word = self.word(at)
        start = at - len(word)
        if not word:
            return kind != "lower" or (self.attached(at) and not some)
        if VERSION.fullmatch(word) or (NUMBER.fullmatch(word) and (self.leads(start) or self.label(word, start))):
            return False
        if len(word) == 1 and has_case(word):
            return self.initial(word, start, kind, letter)
        meaning = self.meaning(re.sub("[A-Z]", lambda c: c.group().lower(), re.split("[-/]", word)[-1]))
        if meaning == "word":
            ordinary = (re.fullmatch("[a-z]{4,}", word) and re.search("[aeiouy]", word)) or word[-1] in "`)"
            return kind != "lower" or (not some and bool(ordinary))
        if kind in ("lower", "digit") or meaning == "never":
            return False
        return kind != "upper" or self.before_capital(meaning, start, letter)

    def before_capital(self, meaning: str, start: int, letter: int) -> bool:
        if meaning == "time":
            return self.time(start, letter)
        return meaning == "before number" or self.starter(letter)

    @staticmethod
    def meaning(small: str) -> str:
        """What sort of abbreviation it is."""
        if small in NEVER:
            return "never"
        if small in BEFORE_NUMBER:
            return "before number"
        if small in ("a.m", "p.m"):
            return "time"
        parts = small.split(".")
        letters = len(parts) > 1 and all(1 <= len(part) <= 2 and all(map(has_case, part)) for part in parts)
        if small in BEFORE_STARTER or letters:
            return "before starter"
        return "before number" if small[-1:] in ("°", "º") else "word"

    def label(self, word: str, start: int) -> bool:
        name = self.word(start - 1) if word[0].isdigit() and self.char(start - 1) == " " else ""
        return LABEL.fullmatch(name) is not None and self.leads(start - 1 - len(name))

    def time(self, start: int, letter: int) -> bool:
        """Whether the sentence has enough words before the time at `start`, and no day or zone follows."""
        start = max(start, self.last())  # a sentence may have ended within the word
        count = len(re.findall(f"[^{WHITE}]+", self.text[self.last() : start]))
        enough = count >= 3 or self.bytes[start] - self.bytes[self.last()] > 48
        return enough and run_of(ENGLISH, self.text, letter).group() not in AFTER_TIME

    def initial(self, word: str, start: int, kind: str, letter: int) -> bool:
        if kind in ("lower", "digit") or self.leads(start):
            return False
        if kind != "upper":
            return True
        if word == "I" and self.char(start - 1) == " " and self.char(start - 1 - len(self.word(start - 1))).islower():
            return True
        return self.starter(letter)

    def starter(self, letter: int) -> bool:
        word = run_of(ENGLISH, self.text, letter)
        return word.group() in STARTERS and self.char(word.end()) != "."

    # Lines

    def line_end(self, at: int) -> int:
        cut, following, line_ends = self.space(at)
        if not self.soft or line_ends > 1 or following == len(self.text) or self.over(at, cut, following):
            self.push_hard(cut)
        self.new_line(cut, following)
        return cut

    def over(self, at: int, cut: int, following: int) -> bool:
        line = strip_end(self.text[self.start : at])
        c, letter = self.char(following), self.char(self.content(following))
        if self.anew(self.first, following) or WHOLE.match(self.text, self.content(self.first)):
            return True
        if self.blocked(following):
            return False
        if POLITE.search(line) and c not in "がねよかのけしと":
            return True
        if self.is_running(at):
            return False
        indented, long = following > cut, len(line.encode()) >= 48
        return not (WRAPPED.search(line) or (letter.islower() and (indented or long)))

    def anew(self, first: int, following: int) -> bool:
        if self.char(following) == ">" and self.char(first) != ">":
            return True
        return ANEW.match(self.text, self.content(following)) is not None

    def content(self, first: int) -> int:
        """Where the line that begins with the visible character at `first` begins behind marks of quotes."""
        return run_of(QUOTE, self.text, first).end()

    def is_running(self, at: int) -> bool:
        """Whether the lines up to the next blank line, or line that begins anew, end with a final mark."""
        end, first = at, self.first
        while True:
            _, following, line_ends = self.space(end)
            if line_ends != 1 or following == len(self.text) or self.anew(first, following):
                break
            first = following
            next_end = LINE_END.search(self.text, following)
            end = next_end.start() if next_end else len(self.text)
        return FINAL.search(strip_end(self.text[self.start : end])) is not None

    def item(self, at: int) -> int | None:
        """The place behind the number of the next item in a line, if `at` is its mark."""
        number, style = self.marker or ("", "")
        start = at - len(number)
        found = MARK_OF_ITEM.match(self.text, at)
        here = found and found.group() == style and start > self.first and self.text.startswith(number, start)
        if not here or self.last() > start or not is_white(self.char(start - 1)):
            return None
        if (style != "." and self.is_open("round")) or (style == "." and self.last() < start and self.no_list(at)):
            return None
        self.push_hard(start)
        self.marker = self.successor(number, style)
        return at + len(style)

    def no_list(self, at: int) -> bool:
        """Whether the full stop at `at` rather belongs to text: a small letter follows, or the line has an end mark."""
        found = LINE_END.search(self.text, at)
        line = self.text[self.start : found.start() if found else len(self.text)]
        return self.kind(self.space(at + 1)[1])[0] == "lower" or FINAL.search(strip_end(line)) is not None


def sentence_ends(text: str, soft: bool) -> list[int]:
    """The end offsets (code points) of the sentences of `text`; `soft` where line ends may stand within sentences."""
    return Pass(text, soft).run()
