"""`chunkwright count` and `chunkwright verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import chunkwright
from chunkwright.cli import bulk
from chunkwright.cli.app import run
from cli_support import DOCUMENT, IDS, rows

# count


@pytest.mark.usefixtures("folder")
def test_count_says_the_tokens_of_each_document_and_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["count", "docs", "--tokenizer", "o200k_base"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=1)[1] for line in lines] == [*IDS, "total of 4 documents"]
    numbers = [int(line.split()[0]) for line in lines]
    assert numbers[1] == chunkwright.count_tokens(DOCUMENT, "o200k_base")
    assert numbers[2] == chunkwright.count_tokens("# With a mark\r\n\r\nText behind it.\r\n", "o200k_base")
    assert numbers[-1] == sum(numbers[:-1])


@pytest.mark.usefixtures("folder")
def test_count_goes_on_behind_a_bad_document(capsys: pytest.CaptureFixture[str]) -> None:
    Path("docs/a.markdown").write_bytes(b"\xff")
    assert run(["count", "docs"]) == 1
    captured = capsys.readouterr()
    assert "total of 3 documents" in captured.out
    assert "not UTF-8" in captured.err


# verify


@pytest.mark.usefixtures("folder")
def test_verify_accepts_what_chunk_wrote(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["chunk", "docs", "-o", "out.jsonl", "-q", "--max-tokens", "16", "--overlap-tokens", "4"]) == 0
    assert run(["verify", "docs", "out.jsonl"]) == 0
    assert capsys.readouterr().out.startswith("ok: 4 documents, ")


def _drop_a_line(lines: list[dict[str, Any]]) -> None:
    del lines[1]


def _change_a_word(lines: list[dict[str, Any]]) -> None:
    for segment in lines[1]["segments"]:
        segment["text"] = segment["text"].replace("Two", "Six")
    lines[1]["content"] = lines[1]["content"].replace("Two", "Six")


def _move_a_range(lines: list[dict[str, Any]]) -> None:
    lines[1]["start_char"] += 1


def _drop_a_document(lines: list[dict[str, Any]]) -> None:
    lines[:] = [line for line in lines if line["document_id"] != "b.md"]


def _drop_a_field(lines: list[dict[str, Any]]) -> None:
    del lines[1]["content"]


def _spoil_a_field(lines: list[dict[str, Any]]) -> None:
    lines[1]["segments"] = 5


def _add_a_stranger(lines: list[dict[str, Any]]) -> None:
    lines.append({**lines[0], "document_id": "stranger.md"})


def _lose_an_id(lines: list[dict[str, Any]]) -> None:
    del lines[1]["document_id"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (_drop_a_line, "b.md"),
        (_change_a_word, "b.md"),
        (_move_a_range, "b.md"),
        (_drop_a_document, "b.md"),
        (_drop_a_field, "line 2 of the output is not a chunk"),
        (_spoil_a_field, "line 2 of the output is not a chunk"),
        (_add_a_stranger, "'stranger.md'"),
        (_lose_an_id, "line 2: not a line that chunkwright wrote"),
    ],
)
def test_verify_finds_what_is_wrong(capsys: pytest.CaptureFixture[str], damage: Any, words: str) -> None:
    assert run(["chunk", "docs", "-o", "out.jsonl", "-q"]) == 0
    lines = rows("out.jsonl")
    damage(lines)
    Path("out.jsonl").write_bytes(b"".join(bulk.json_line(line) for line in lines))
    assert run(["verify", "docs", "out.jsonl"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("violation: ")
    assert words in captured.err


@pytest.mark.usefixtures("folder")
def test_verify_says_which_documents_it_could_not_verify(capsys: pytest.CaptureFixture[str]) -> None:
    Path("docs/b.md").write_bytes(b"\xff")
    assert run(["chunk", "docs", "-o", "out.jsonl", "-q"]) == 1
    assert run(["verify", "docs", "out.jsonl"]) == 1
    captured = capsys.readouterr()
    assert captured.out.startswith("ok: 3 documents")
    assert "1 document failed when chunked" in captured.err
