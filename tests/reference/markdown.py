"""markdown-it-py with the extensions that pulldown-cmark has, told where its inlines begin and end."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

Span = tuple[int, int]
InlineRule = Callable[[StateInline, bool], bool]

FOOTNOTE_LABEL = re.compile(r"\[\^((?:\\[!-/:-@\[-`{-~]|[^\[\]\\\n]|\\(?![!-/:-@\[-`{-~]))+)\]")
_ATTRIBUTES = re.compile(r"\{[^{}<>\\\n]*\}[ \t\n]*\Z")
_DELIMITER_ROW = re.compile(r" *\|?( *:?-+:? *\|)* *(:?-+:? *)?")
_ATOMS = {"link", "image", "backticks", "autolink", "math", "footnote_ref", "html_inline"}
_MATH_DEPTH = 25


def _footnote_label(text: str) -> str:
    return " ".join(text.split()).casefold()


def footnote_definition(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """`[^label]: text`, a container that goes on as long as lines are indented by four columns."""
    if state.is_code_block(line):
        return False
    start, stop = state.bMarks[line] + state.tShift[line], state.eMarks[line]
    match = FOOTNOTE_LABEL.match(state.src, start, stop)
    if not match or not match[1].strip() or len(match[1]) >= 1000 or state.src[match.end() : match.end() + 1] != ":":
        return False
    if silent:
        return True
    state.env.setdefault("footnotes", set()).add(_footnote_label(match[1]))
    saved = (state.bMarks[line], state.tShift[line], state.sCount[line], state.parentType, state.blkIndent)
    begin = match.end() + 1
    column = state.sCount[line] + begin - start
    text_start = begin
    while text_start < stop and state.src[text_start] in " \t":
        text_start += 1
    token = state.push("footnote_open", "", 1)
    token.map = lines = [line, 0]
    # The first line's content may be anything, also at a small indentation: it is taken as if it stood four columns in.
    state.bMarks[line], state.tShift[line] = begin, text_start - begin
    state.sCount[line] = state.blkIndent + 4
    state.bsCount[line], saved_bs = column, state.bsCount[line]
    state.blkIndent += 4
    state.parentType = "footnote"
    if text_start < stop or line + 1 < end_line:
        state.md.block.tokenize(state, line, end_line)
    if state.line <= line:
        state.line = line + 1
    state.bMarks[line], state.tShift[line], state.sCount[line], state.parentType, state.blkIndent = saved
    state.bsCount[line] = saved_bs
    lines[1] = state.line
    state.push("footnote_close", "", -1)
    return True


def _unescaped_pipes(line: str) -> list[int]:
    return [m.end() - 1 for m in re.finditer(r"\\.|\|", line) if m[0] == "|"]


def _columns(line: str) -> int:
    """Number of cells of a row."""
    pipes = _unescaped_pipes(line)
    number = len(pipes) + 1
    number -= bool(pipes) and not line[: pipes[0]].strip(" \t\x0b\x0c")
    return number - (bool(pipes) and not line[pipes[-1] + 1 :].strip(" \t\x0b\x0c"))


def delimiter_columns(line: str) -> int:
    """Number of columns of a delimiter row, 0 if the line is none."""
    if "|" not in line or "-" not in line or not _DELIMITER_ROW.fullmatch(line):
        return 0
    return len([cell for cell in line.split("|") if cell.strip()])


def _line_text(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def table(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
    """A GFM table as pulldown-cmark reads it: the delimiter row has a pipe, rows may be indented."""
    if line + 2 > end_line or state.is_code_block(line) or state.is_code_block(line + 1):
        return False
    if state.sCount[line + 1] < state.blkIndent or state.sCount[line] < state.blkIndent:
        return False
    header = _line_text(state, line)
    columns = delimiter_columns(_line_text(state, line + 1).rstrip(" "))
    if not columns or not _unescaped_pipes(header) or _columns(header) != columns:
        return False
    if silent:
        if state.level:
            return header.startswith("|")
        # Without a pipe at its front the delimiter row is read as a line of the paragraph first, and may be a list item.
        return header.startswith("|") or _line_text(state, line + 1)[:2] not in ("- ", "-\t")
    token = state.push("table_open", "table", 1)
    rules = state.md.block.ruler.getRules("blockquote")
    before, state.parentType = state.parentType, "table"
    row = line + 2
    while row < end_line and not state.isEmpty(row) and state.sCount[row] >= state.blkIndent:
        # A row's indentation is of no account, but markdown-it takes four columns for code, which interrupts nothing.
        if not state.is_code_block(row) and any(rule(state, row, end_line, True) for rule in rules):
            break
        row += 1
    token.map = [line, row]
    state.parentType = before
    state.push("table_close", "table", -1)
    state.line = row
    return True


def _math_contexts(text: str) -> dict[int, int]:
    """The brace context of each `$` that no backslash escapes."""
    contexts: dict[int, int] = {}
    stack: list[int] = []
    following, position = 0, 0
    while position < len(text):
        char = text[position]
        if char == "\\" and position + 1 < len(text) and re.match(r"[!-/:-@\[-`{-~]", text[position + 1]):
            position += 2
            continue
        if char == "$":
            if not stack:
                stack.append(-1)
            contexts[position] = stack[-1] if len(stack) <= _MATH_DEPTH else following
        elif char == "{" and stack:
            stack.append(following)
            following += 1
        elif char == "}" and len(stack) == 1:
            stack[0] -= 1
        elif char == "}" and stack:
            stack.pop()
        position += 1
    return contexts


def _formula(text: str, start: int, contexts: dict[int, int]) -> int | None:
    """End of the formula that begins at this `$`."""
    if start + 1 >= len(text) or text[start + 1] in " \t\n\x0c\x0b":
        return None
    display = start + 1 in contexts
    position = start + (2 if display else 1)
    while position < len(text):
        if contexts.get(position) == contexts[start]:
            doubled = position + 1 in contexts
            if display:
                return position + 2 if doubled else None
            return position + 1 if text[position - 1] not in " \t\n\x0c\x0b" and position > start + 1 else None
        position += 1
    return None


def math(state: StateInline, silent: bool) -> bool:
    """`$a$` and `$$a$$`, as pulldown-cmark reads dollars."""
    if state.src[state.pos] != "$":
        return False
    contexts = state.env.setdefault("math", {}).setdefault(state.src, None) or _math_contexts(state.src)
    state.env["math"][state.src] = contexts
    end = _formula(state.src, state.pos, contexts) if state.pos in contexts else None
    if end is None or end > state.posMax:
        return False
    if not silent:
        display = state.pos + 1 in contexts
        width = 2 if display else 1
        token = state.push("math_display" if display else "math_inline", "", 0)
        token.content = state.src[state.pos + width : end - width]
    state.pos = end
    return True


def footnote_reference(state: StateInline, silent: bool) -> bool:
    """`[^label]` of a footnote that is defined anywhere in the text."""
    match = FOOTNOTE_LABEL.match(state.src, state.pos, state.posMax)
    if not match or _footnote_label(match[1]) not in state.env.get("footnotes", ()):
        return False
    if not silent:
        state.push("footnote_ref", "", 0)
    state.pos = match.end()
    return True


def _recorded(name: str, rule: InlineRule) -> InlineRule:
    """The rule, noting the span of what it finds in `env["atoms"]`; what stands inside an atom is not noted."""

    def run(state: StateInline, silent: bool) -> bool:
        atoms: list[Span] = state.env.setdefault("atoms", [])
        before, start = len(atoms), state.pos
        count = len(state.tokens)
        done = rule(state, silent)
        if silent or not done:
            del atoms[before:]
        elif name != "backticks" or any(token.type == "code_inline" for token in state.tokens[count:]):
            atoms[before:] = [(start, state.pos)]
        return done

    return run


def _skip_reference_footnotes(rule: Callable[..., bool]) -> Callable[..., bool]:
    def run(state: StateBlock, line: int, end_line: int, silent: bool) -> bool:
        if state.src.startswith("[^", state.bMarks[line] + state.tShift[line]):
            match = FOOTNOTE_LABEL.match(state.src, state.bMarks[line] + state.tShift[line])
            if match and state.src[match.end() : match.end() + 1] == ":":
                return False
        return rule(state, line, end_line, silent)

    return run


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """The parser with all extensions."""
    md = MarkdownIt("commonmark", {"maxNesting": 1000}).enable(["strikethrough"])
    interrupts = ["paragraph", "reference", "blockquote", "list"]
    md.block.ruler.before("reference", "footnote", footnote_definition, {"alt": interrupts})
    md.block.ruler.before("lheading", "gfm_table", table, {"alt": ["paragraph", "reference"]})
    for rule in md.block.ruler.__rules__:
        if rule.name == "reference":
            rule.fn = _skip_reference_footnotes(rule.fn)
    md.inline.ruler.before("escape", "math", math)
    md.inline.ruler.after("image", "footnote_ref", footnote_reference)
    for inline in md.inline.ruler.__rules__:
        if inline.name in _ATOMS:
            inline.fn = _recorded(inline.name, inline.fn)
    md.block.ruler.__compile__()
    md.inline.ruler.__compile__()
    return md


def blocks_of(text: str, env: dict[str, Any]) -> list[Token]:
    """The block tokens of a text whose lines end in line feeds; inline tokens are left unparsed."""
    tokens: list[Token] = []
    if text:
        # markdown-it-py stumbles over a last line of blanks without a line end.
        text = text if text.endswith("\n") else text + "\n"
        parser().block.parse(text, parser(), env, tokens)
    return tokens


def inlines_of(text: str, env: dict[str, Any]) -> tuple[list[Token], list[Span]]:
    """The inline tokens of a text and the spans of its atoms."""
    tokens: list[Token] = []
    here = {**env, "atoms": [], "math": {}}
    parser().inline.parse(text, parser(), here, tokens)
    return tokens, sorted(here["atoms"])


def without_attributes(heading: str) -> str:
    """A heading's source without a `{#id .class}` at its end."""
    return _ATTRIBUTES.sub("", heading)


def plain_text(tokens: list[Token]) -> str:
    """The text of inlines: no emphasis, no link or code marks, images as their alternative text."""
    parts = []
    for token in tokens:
        if token.type in ("text", "text_special", "code_inline"):
            parts.append(token.content)
        elif token.type in ("math_inline", "math_display"):
            marks = "$" if token.type == "math_inline" else "$$"
            parts.append(marks + token.content + marks)
        elif token.type == "image":
            parts.append(plain_text(token.children or []))
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
    return "".join(parts)
