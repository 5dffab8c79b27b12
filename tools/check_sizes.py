"""No function over 100 lines, no source file over 600: checks the Python and Rust files under version control."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_FUNCTION = 100
MAX_FILE = 600

# What may hold a brace or `fn` without being code, longest form first; a lifetime is no character literal.
RUST_NO_CODE = re.compile(
    r"""
      //[^\n]*
    | /\*.*?\*/
    | b?r(?P<hashes>\#*)".*?"(?P=hashes)
    | [bc]?"(?:\\.|[^"\\])*"
    | b?'(?:\\[^\n]{1,10}?|[^'\\\n])'
    """,
    re.VERBOSE | re.DOTALL,
)
RUST_FUNCTION = re.compile(r"\bfn\s+(\w+)(?:[^;{}\[]|\[[^\]]*\])*\{")


def python_functions(text: str) -> Iterator[tuple[str, int, int]]:
    """Name, first line and length of every function."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1


def rust_functions(text: str) -> Iterator[tuple[str, int, int]]:
    """Name, first line and length of every function."""
    code = RUST_NO_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    for match in RUST_FUNCTION.finditer(code):
        depth = 1
        for brace in re.finditer(r"[{}]", code[match.end() :]):
            depth += 1 if brace.group() == "{" else -1
            if depth == 0:
                first = code.count("\n", 0, match.start()) + 1
                last = code.count("\n", 0, match.end() + brace.start()) + 1
                yield match.group(1), first, last - first + 1
                break


def complaints(path: Path) -> Iterator[str]:
    """What is too long in one file."""
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    if lines > MAX_FILE:
        yield f"{path}: {lines} lines, at most {MAX_FILE}"
    functions = python_functions(text) if path.suffix in {".py", ".pyi"} else rust_functions(text)
    for name, first, length in functions:
        if length > MAX_FUNCTION:
            yield f"{path}:{first}: {name} has {length} lines, at most {MAX_FUNCTION}"


def sources() -> list[Path]:
    """The source files: those under version control, and new ones that are not ignored."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.py", "*.pyi", "*.rs"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted(path for path in map(Path, filter(None, names)) if path.is_file())


def main() -> int:
    """Print what is too long; 1 if anything is."""
    found = [complaint for path in sources() for complaint in complaints(path)]
    for complaint in found:
        print(complaint)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
