"""The project's own checks find what they are for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from test_readme import ROOT, tool

check_sizes = tool("check_sizes")
profiling = tool("profiling")

RUST = """
fn one_line<'a>(text: &'a str) -> char { '}' }

/// fn not_code() {
impl Thing {
    pub(crate) const fn long(&self, bytes: [u8; 4]) -> String {
        let brace = "} \\" }";
        let raw = r#"}"}"#; // }
        let other = b'\\''; /* }
        */ if bytes[0] == b'{' {
            fn inner() {
            }
        }
        format!("{raw}{brace}{other}")
    }
    fn declared(&self);
}
"""


def test_rust_functions_are_measured() -> None:
    functions = {name: (first, lines) for name, first, lines in check_sizes.rust_functions(RUST)}
    assert functions == {"one_line": (2, 1), "long": (6, 10), "inner": (11, 2)}


def test_python_functions_are_measured() -> None:
    text = "class A:\n    def short(self): ...\n\n    async def longer(self):\n"
    text += "        def inner():\n            pass\n        return 1\n"
    assert set(check_sizes.python_functions(text)) == {("short", 2, 1), ("longer", 4, 4), ("inner", 5, 2)}


@pytest.mark.parametrize(
    ("lines", "suffix", "complaints"), [(98, ".py", 0), (100, ".py", 1), (97, ".rs", 0), (99, ".rs", 1)]
)
def test_what_is_too_long_is_named(tmp_path: Path, lines: int, suffix: str, complaints: int) -> None:
    path = tmp_path / f"code{suffix}"
    body = "    x = 1\n" * lines
    path.write_text(f"def f():\n{body}    x = 2\n" if suffix == ".py" else f"fn f() {{\n{body}    ;\n}}\n")
    found = list(check_sizes.complaints(path))
    assert len(found) == complaints
    assert all("f has 10" in complaint for complaint in found)


def test_a_long_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "long.py"
    path.write_text("x = 1\n" * 601)
    assert list(check_sizes.complaints(path)) == [f"{path}: 601 lines, at most 600"]


def test_training_runs() -> None:
    subprocess.run([sys.executable, ROOT / "tools" / "train.py", "--alone", "--times", "1"], check=True)


def test_training_reads_both_languages_alike() -> None:
    texts = tool("train").documents()
    chinese = sum(len(text.encode()) for text in texts if sum(char > "\u2fff" for char in text) > len(text) / 4)
    assert 0.4 < chinese / sum(len(text.encode()) for text in texts) < 0.6


@pytest.mark.parametrize(
    ("variables", "flags"),
    [
        ({}, ["-Cx=a b"]),
        ({"RUSTFLAGS": " -Cy  -Cz "}, ["-Cy", "-Cz", "-Cx=a b"]),
        ({"RUSTFLAGS": "-Cy", "CARGO_ENCODED_RUSTFLAGS": "-Cv=c d"}, ["-Cv=c d", "-Cx=a b"]),
    ],
)
def test_flags_stand_behind_those_of_the_environment(variables: dict[str, str], flags: list[str]) -> None:
    assert profiling.encoded(variables, ["-Cx=a b"]).split("\x1f") == flags
