"""`chunkwright chunk`, and the command as such."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import chunkwright
from chunkwright.cli import bulk
from chunkwright.cli.app import run
from cli_support import DOCUMENT, IDS, POSIX, ids, process, refused, rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# chunk: what it writes


def test_chunk_writes_every_chunk_of_a_folder_in_order(folder: Path) -> None:
    assert run(["chunk", "docs", "-o", "out.jsonl", "-q"]) == 0
    assert ids("out.jsonl") == IDS
    chunker = chunkwright.StructureAwareChunker()
    expected: list[dict[str, Any]] = []
    for document_id in IDS:
        text = (folder / "docs" / document_id).read_bytes().decode()
        chunks = chunker.chunk(text, document_id=document_id)
        expected += [json.loads(json.dumps({"document_id": document_id, **chunk.to_dict()})) for chunk in chunks]
    assert rows("out.jsonl") == expected
    assert not list(folder.glob("*.errors.jsonl"))
    assert not list(folder.glob(".*.tmp"))


def test_lines_read_back_as_chunks(folder: Path) -> None:
    assert run(["chunk", "docs/b.md", "-o", "out.jsonl", "-q"]) == 0
    fields = [{key: value for key, value in row.items() if key != "document_id"} for row in rows("out.jsonl")]
    chunks = [chunkwright.Chunk.from_dict(each) for each in fields]
    assert chunkwright.verify((folder / "docs/b.md").read_text(encoding="utf-8"), chunks).ok


def test_a_file_has_the_path_as_given_for_its_id(folder: Path) -> None:
    assert run(["chunk", "docs/b.md", str(folder / "docs/a.markdown"), "docs/b.md", "-o", "out.jsonl", "-q"]) == 0
    assert ids("out.jsonl") == ["docs/b.md", (folder / "docs/a.markdown").as_posix()]


@pytest.mark.usefixtures("folder")
def test_a_pattern_is_expanded(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["chunk", "docs/**/*.m*", "-o", "out.jsonl", "-q"]) == 0
    assert ids("out.jsonl") == ["docs/a.markdown", "docs/b.md", "docs/sub/c.mdx"]
    assert "'docs/*.html'" in refused(capsys, "chunk", "docs/*.html")


def test_text_is_utf8_in_the_output(folder: Path) -> None:
    assert run(["chunk", "docs/sub", "-o", "out.jsonl", "-q"]) == 0
    assert "一段说明。".encode() in (folder / "out.jsonl").read_bytes()


@pytest.mark.usefixtures("folder")
def test_standard_input_and_output() -> None:
    done = process("chunk", "-", stdin=DOCUMENT.encode())
    assert done.returncode == 0
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert {line["document_id"] for line in lines} == {"-"}
    assert any("水位过高" in line["content"] for line in lines)
    assert b"1 document, " in done.stderr


@pytest.mark.usefixtures("folder")
def test_the_settings_arrive() -> None:
    text = "# 标题\n\n## Part\n\n" + "One more sentence stands here. " * 40
    settings = ["--max-tokens", "64", "--overlap-tokens", "8", "--tokenizer", "o200k_base", "--path-separator", " / "]
    done = process("chunk", "-", *settings, "--heading-template", "In {path}:", stdin=text.encode())
    chunker = chunkwright.StructureAwareChunker(
        max_tokens=64,
        overlap_tokens=8,
        tokenizer_name="o200k_base",
        heading_template="In {path}:",
        path_separator=" / ",
    )
    expected = [chunk.content for chunk in chunker.chunk(text, document_id="-")]
    assert [json.loads(line)["content"] for line in done.stdout.splitlines()] == expected
    assert expected[0].startswith("In 标题 / Part:")
    plain = process("chunk", "-", "--no-heading-prefix", "--target-tokens", "40", "-q", stdin=text.encode())
    assert json.loads(plain.stdout.splitlines()[0])["content"].startswith("One more")
    assert plain.stderr == b""


def test_the_output_does_not_depend_on_threads_or_batches(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(50):
        (folder / "docs" / f"n{number:02}.md").write_text(
            f"# Document {number}\n\n" + DOCUMENT * number, encoding="utf-8"
        )
    assert run(["chunk", "docs", "-o", "one.jsonl", "-q", "--threads", "1"]) == 0
    monkeypatch.setattr(bulk, "BATCH_BYTES", 1000)
    assert run(["chunk", "docs", "-o", "many.jsonl", "-q", "--threads", "4"]) == 0
    assert Path("one.jsonl").read_bytes() == Path("many.jsonl").read_bytes()


def test_batches_are_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from chunkwright.cli.sources import Inputs

    for number in range(10):
        (folder / "docs" / f"n{number}.md").write_bytes(b"x" * 300)
    monkeypatch.setattr(bulk, "BATCH_BYTES", 500)
    monkeypatch.setattr(bulk, "BATCH_DOCUMENTS", 3)
    sizes = [[len(document.data) for document in batch] for batch in bulk.batches(Inputs(["docs"]))]
    assert all(len(batch) <= 3 and sum(batch[:-1]) < 500 for batch in sizes)
    assert sum(map(len, sizes)) == 14


def test_default_settings_are_those_of_the_chunker(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["chunk", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    for default in (
        "512 (structure)",
        "64 (structure)",
        "cl100k_base (structure)",
        "章节：{path} (structure)",
        '" > "',
    ):
        assert f"[default: {default}" in text
    assert chunkwright.StructureAwareChunker() == chunkwright.StructureAwareChunker(
        max_tokens=512,
        overlap_tokens=64,
        tokenizer_name="cl100k_base",
        heading_template="章节：{path}",
        path_separator=" > ",
    )


def test_an_older_output_is_replaced_and_keeps_no_stale_errors(folder: Path) -> None:
    Path("out.jsonl").write_text("old\n")
    Path("out.jsonl.errors.jsonl").write_text("old\n")
    assert run(["chunk", "docs", "-o", "out.jsonl", "-q"]) == 0
    assert ids("out.jsonl") == IDS
    assert not (folder / "out.jsonl.errors.jsonl").exists()


@POSIX
@pytest.mark.usefixtures("folder")
def test_an_output_that_is_a_link_stays_a_link_and_has_the_usual_rights() -> None:
    Path("real.jsonl").touch()
    Path("link.jsonl").symlink_to("real.jsonl")
    assert run(["chunk", "docs", "-o", "link.jsonl", "-q"]) == 0
    assert Path("link.jsonl").is_symlink()
    assert ids("real.jsonl") == IDS
    fresh = Path("fresh")
    fresh.touch()
    assert stat.S_IMODE(Path("real.jsonl").stat().st_mode) == stat.S_IMODE(fresh.stat().st_mode)


@pytest.mark.usefixtures("folder")
def test_a_document_without_text_gives_no_line() -> None:
    Path("docs/b.md").write_bytes(b"")
    assert run(["chunk", "docs/b.md", "-o", "out.jsonl", "-q"]) == 0
    assert Path("out.jsonl").read_bytes() == b""


# chunk: what goes wrong


@pytest.mark.usefixtures("folder")
def test_bad_documents_are_named_and_the_rest_is_delivered(capsys: pytest.CaptureFixture[str]) -> None:
    Path("docs/bad.md").write_bytes(b"good\nuntil \xff here")
    Path("docs/wide.txt").write_bytes("wide".encode("utf-16"))
    assert run(["chunk", "docs", "-o", "out.jsonl"]) == 1
    assert ids("out.jsonl") == IDS
    errors = rows("out.jsonl.errors.jsonl")
    assert [error["document_id"] for error in errors] == ["bad.md", "wide.txt"]
    name = str(Path("docs/bad.md"))
    assert errors[0]["path"] == name
    assert errors[0]["error"] == f"{name}: not UTF-8: byte 0xff at offset 11 (line 2)"
    assert "UTF-16" in errors[1]["error"]
    err = capsys.readouterr().err
    assert errors[0]["error"] in err
    assert "2 documents failed; see out.jsonl.errors.jsonl" in err
    assert "6 documents" in err
    assert "2 errors" in err


@pytest.mark.usefixtures("folder")
def test_on_error_fail_stops_and_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Path("docs/b.md").write_bytes(b"\xff")
    Path("out.jsonl").write_text("old\n")
    assert run(["chunk", "docs", "-o", "out.jsonl", "--on-error", "fail"]) == 1
    assert "b.md: not UTF-8: byte 0xff at offset 0" in capsys.readouterr().err
    assert Path("out.jsonl").read_text() == "old\n"
    assert sorted(path.name for path in Path().iterdir()) == ["docs", "out.jsonl"]


@pytest.mark.usefixtures("folder")
def test_many_bad_documents_do_not_flood_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(30):
        Path(f"docs/x{number:02}.md").write_bytes(b"\xff")
    assert run(["chunk", "docs", "-o", "out.jsonl", "-q"]) == 1
    assert len(rows("out.jsonl.errors.jsonl")) == 30
    assert capsys.readouterr().err.count("not UTF-8") == 10
    assert run(["chunk", "docs", "-q"]) == 1
    assert capsys.readouterr().err.count("not UTF-8") == 30


@POSIX
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_read_is_an_error_not_a_gap() -> None:
    Path("docs/gone.md").symlink_to("nowhere.md")
    assert run(["chunk", "docs", "-o", "out.jsonl", "-q"]) == 1
    assert [error["document_id"] for error in rows("out.jsonl.errors.jsonl")] == ["gone.md"]
    assert ids("out.jsonl") == IDS


@POSIX
@pytest.mark.usefixtures("folder")
def test_names_that_are_not_utf8_are_escaped() -> None:
    try:
        Path(os.fsdecode(b"docs/\xff.md")).write_text("text\n")
    except OSError:
        pytest.skip("this file system has UTF-8 names only")
    assert run(["chunk", "docs", "-o", "out.jsonl", "-q"]) == 0
    assert "\\xff.md" in ids("out.jsonl")
    assert run(["verify", "docs", "out.jsonl"]) == 0


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chunk", "nowhere"], ["no such file or folder", "'nowhere'"]),
        (["chunk", "docs/.hidden/../sub/none"], ["no such file or folder"]),
        (["chunk"], ["INPUT"]),
        (["chunk", "docs", "--max-tokens", "3"], ["max_tokens", "3", "16"]),
        (["chunk", "docs", "--overlap-tokens", "-1"], ["overlap_tokens", "-1", "0"]),
        (["chunk", "docs", "--max-tokens", "64", "--overlap-tokens", "64"], ["overlap_tokens", "64"]),
        (["chunk", "docs", "--target-tokens", "0"], ["target_tokens", "0"]),
        (["chunk", "docs", "--max-tokens", "9" * 30], ["max_tokens", "9" * 30]),
        (["chunk", "docs", "--max-tokens", "many"], ["--max-tokens", "many"]),
        (["chunk", "docs", "--tokenizer", "none"], ["tokenizer_name", "none", "cl100k_base"]),
        (["chunk", "docs", "--threads", "0"], ["--threads", "0"]),
        (["chunk", "docs", "--strategy", "none"], ["--strategy", "none", "structure"]),
        (["chunk", "docs", "--heading-template", "{path}", "--no-heading-prefix"], ["--no-heading-prefix"]),
        (["chunk", "docs", "--no-such-option"], ["--no-such-option"]),
        (["chunk", "docs", "-o", "docs"], ["docs", "is a folder"]),
        (["chunk", "docs", "-o", "out.csv"], ["out.csv", ".jsonl"]),
        (["chunk", "docs", "-o", "no/out.jsonl"], ["the folder", "does not exist"]),
        (["inspect", "docs"], ["docs is not a file"]),
        (["inspect", "nowhere.md"], ["no such file or folder"]),
        (["count", "docs", "--tokenizer", "none"], ["none", "o200k_base"]),
        (["verify", "docs", "nowhere.jsonl"], ["no such file", "nowhere.jsonl"]),
        (["nothing"], ["nothing"]),
    ],
)
def test_a_wrong_command_is_refused_in_a_sentence(
    capsys: pytest.CaptureFixture[str], arguments: Sequence[str], words: Sequence[str]
) -> None:
    message = refused(capsys, *arguments)
    for word in words:
        assert word in message


@pytest.mark.usefixtures("folder")
def test_an_empty_folder_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty").mkdir()
    assert "no document in empty" in refused(capsys, "chunk", "empty")


@pytest.mark.usefixtures("folder")
def test_an_input_is_never_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.jsonl").write_text("text\n")
    assert "one of the inputs" in refused(capsys, "chunk", "in.jsonl", "-o", "docs/../in.jsonl")
    assert Path("in.jsonl").read_text() == "text\n"


@pytest.mark.usefixtures("folder")
def test_two_documents_never_share_an_id(capsys: pytest.CaptureFixture[str]) -> None:
    Path("more").mkdir()
    Path("more/b.md").write_text("other\n")
    assert "'b.md'" in refused(capsys, "chunk", "docs", "more")
    Path("more/b.md").rename("more/other.md")
    assert run(["chunk", "docs", "more", "docs", "-o", "out.jsonl", "-q"]) == 0
    assert ids("out.jsonl") == [*IDS, "other.md"]


@POSIX
@pytest.mark.usefixtures("folder")
def test_a_full_disk_leaves_no_half_file(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def full(_file: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    Path("out.jsonl").write_text("old\n")
    assert run(["chunk", "docs", "-o", "out.jsonl"]) == 1
    assert "No space left on device" in capsys.readouterr().err
    assert Path("out.jsonl").read_text() == "old\n"
    assert sorted(path.name for path in Path().iterdir()) == ["docs", "out.jsonl"]


def test_a_fault_of_the_program_is_a_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_inputs: object) -> Iterator[None]:
        raise RuntimeError("that should not be")

    monkeypatch.setattr(bulk, "batches", broken)
    assert run(["chunk", str(folder / "docs"), "-o", "out.jsonl"]) == 1
    assert "RuntimeError: that should not be" in capsys.readouterr().err
    monkeypatch.setenv("CHUNKWRIGHT_DEBUG", "1")
    with pytest.raises(RuntimeError):
        run(["chunk", str(folder / "docs"), "-o", "out.jsonl"])


# the command as such


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"chunkwright {chunkwright.__version__}\n"
    assert run(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(command in shown for command in ("chunk", "inspect", "count", "verify", "strategies"))


def test_the_installed_command_is_this_one() -> None:
    script = Path(sys.executable).parent / ("chunkwright.exe" if sys.platform == "win32" else "chunkwright")
    if not script.exists():
        pytest.skip("the package is not installed in this environment")
    done = subprocess.run([script, "--version"], capture_output=True, check=True)
    assert done.stdout.decode().strip() == f"chunkwright {chunkwright.__version__}"


def test_the_package_alone_loads_nothing_that_is_slow_and_seldom_needed() -> None:
    slow = {"click", "rich", "numpy", "pathlib", "importlib.metadata", "tomllib", "wordllama"}
    code = f"import sys, chunkwright; print(sorted({slow} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[]"


def test_the_package_is_loaded_in_60_ms() -> None:
    code = "import time; begin = time.process_time(); import chunkwright; print(time.process_time() - begin)"
    command = [sys.executable, "-c", code]
    assert min(float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(5)) < 0.06
