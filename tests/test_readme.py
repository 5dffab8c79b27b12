"""README.md shows what really comes out, and names only what there is."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def tool(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"tools_{name}", ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(sys.platform == "win32", reason="README.md shows a POSIX shell")
def test_every_block_shows_its_real_output() -> None:
    blocks = list(tool("readme").blocks(TEXT))
    assert {block.language for block in blocks} == {"console", "python"}
    for block in blocks:
        assert block.right, f"README.md, line {block.line}: the output is now\n{block.real}"


def test_the_picture_shows_the_real_output() -> None:
    picture = tool("picture")
    shown = (ROOT / "docs" / "inspect.svg").read_text(encoding="utf-8")
    assert picture.words(shown) == picture.words(picture.draw())
    assert "http" not in shown.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.skipif(sys.platform == "win32", reason="make is not part of Windows")
def test_the_make_targets_named_exist() -> None:
    commands = tool("readme").shell_commands(TEXT)
    targets = {target for command in commands if command.startswith("make ") for target in command.split()[1:]}
    assert {"demo", "test"} <= targets
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_files_linked_exist() -> None:
    for document in ("README.md", "DEVELOP.md", "CHANGELOG.md"):
        text = (ROOT / document).read_text(encoding="utf-8")
        links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text) + re.findall(r'src="([^":]+)"', text)
        for link in links:
            assert (ROOT / link).exists(), f"{document} links to {link}"


def test_ci_runs_the_test_command_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.search(r"^make test$", script, re.MULTILINE)
    assert re.search(r"^make test\b", TEXT, re.MULTILINE)


@pytest.mark.skipif(sys.platform == "win32", reason="the script is for a POSIX shell")
def test_the_ci_script_is_sound_shell() -> None:
    subprocess.run(["bash", "-n", str(ROOT / ".ci" / "run")], check=True)
