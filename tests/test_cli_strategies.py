"""The command with every strategy: options, configuration, listing, proof."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import chunkwright
from chunkwright.cli import bulk
from chunkwright.cli.app import run
from cli_support import DOCUMENT, process, refused, rows

if TYPE_CHECKING:
    from collections.abc import Sequence

TEXT = DOCUMENT + "\n\n" + "One sentence stands here. Another one follows it! 第三句在这里。\n\n" * 30

PLUGIN = """
from chunkwright import BaseChunkingStrategy, Chunk, Segment

class Lines(BaseChunkingStrategy):
    '''Cuts after every few lines.'''

    strategy_name = "lines"

    def __init__(self, lines=1, note="none"):
        self.lines = lines
        self.note = note

    def chunk_text(self, text, document_id="", document_name="", source_id="", extra_metadata=None):
        metadata = self.chunk_metadata(document_id, document_name, source_id, {"note": self.note})
        rows = text.splitlines()
        parts = [rows[n : n + self.lines] for n in range(0, len(rows), self.lines)]
        return [Chunk("\\n".join(part), chunk_index=n, metadata=metadata) for n, part in enumerate(parts)]
"""


@pytest.fixture
def doc(folder: Path) -> Path:
    """A working folder with one document that all strategies cut into several chunks."""
    (folder / "doc.md").write_text(TEXT, encoding="utf-8")
    return folder


@pytest.mark.usefixtures("doc")
@pytest.mark.parametrize("name", chunkwright.strategy_names())
@pytest.mark.parametrize(
    "sizes", [[], ["--max-tokens", "32", "--overlap-tokens", "0"], ["--max-tokens", "32", "--overlap-tokens", "8"]]
)
def test_what_any_strategy_wrote_can_be_proved(capsys: pytest.CaptureFixture[str], name: str, sizes: list[str]) -> None:
    assert run(["chunk", "docs", "doc.md", "--strategy", name, "-o", "out.jsonl", *sizes]) == 0
    assert {row["strategy"] for row in rows("out.jsonl")} == {name}
    unit = "tokens" if sizes or name == "structure" else "characters"
    assert f" {unit}, 0 errors" in capsys.readouterr().err
    assert run(["verify", "docs", "doc.md", "out.jsonl"]) == 0
    lines = rows("out.jsonl")
    last = [place for place, row in enumerate(lines) if row["document_id"] == "doc.md"][-1]
    del lines[last]
    Path("out.jsonl").write_bytes(b"".join(bulk.json_line(line) for line in lines))
    assert run(["verify", "docs", "doc.md", "out.jsonl"]) == 1
    assert "violation: doc.md" in capsys.readouterr().err


@pytest.mark.usefixtures("doc")
@pytest.mark.parametrize(
    ("name", "options", "params"),
    [
        ("fixed_size", ["--chunk-size", "40", "--chunk-overlap", "5"], {"chunk_size": 40, "chunk_overlap": 5}),
        ("fixed_size", ["--max-tokens", "9", "--tokenizer", "gpt2"], {"max_tokens": 9, "tokenizer_name": "gpt2"}),
        ("sentence", ["--target-size", "60", "--max-sentences-per-chunk", "2"],
         {"target_size": 60, "max_sentences_per_chunk": 2}),
        ("paragraph", ["--max-paragraphs-per-chunk", "1"], {"max_paragraphs_per_chunk": 1}),
        ("recursive", ["--chunk-size", "60", "--chunk-overlap", "0", "--separator", r"\n", "--separator", "。"],
         {"chunk_size": 60, "chunk_overlap": 0, "separators": ["\n", "。"]}),
        ("semantic", ["--similarity-threshold", "0.9", "--min-chunk-size", "10", "--max-chunk-size", "90"],
         {"similarity_threshold": 0.9, "min_chunk_size": 10, "max_chunk_size": 90}),
        ("structured", ["--max-chunk-chars", "90", "--overlap-chars", "10", "--no-weak-headings"],
         {"max_chunk_chars": 90, "overlap_chars": 10, "weak_headings": False}),
        ("structured", ["--min-chunk-chars", "9", "--weak-headings"], {"min_chunk_chars": 9, "weak_headings": True}),
        ("recursive", ["--set", "chunk_size=77", "--set", 'separators=["|", " "]'],
         {"chunk_size": 77, "separators": ["|", " "]}),
    ],
)  # fmt: skip
def test_the_options_arrive(name: str, options: Sequence[str], params: dict[str, object]) -> None:
    assert run(["chunk", "doc.md", "--strategy", name, "-o", "out.jsonl", "-q", *options]) == 0
    chunks = chunkwright.get_chunking_strategy(name, params).chunk(TEXT, document_id="doc.md")
    assert rows("out.jsonl") == [json.loads(json.dumps({"document_id": "doc.md", **c.to_dict()})) for c in chunks]


@pytest.mark.usefixtures("doc")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--strategy", "magic"], ["Unknown chunking strategy 'magic'", "fixed_size", "structured"]),
        (["--chunk-size", "9"], ["--chunk-size is no option of the strategy structure", "--max-tokens"]),
        (["--strategy", "sentence", "--chunk-size", "9"], ["--chunk-size", "sentence", "--target-size"]),
        (["--strategy", "fixed_size", "--target-tokens", "9"], ["--target-tokens", "fixed_size", "--chunk-size"]),
        (["--strategy", "fixed_size", "--no-heading-prefix"], ["--heading-template", "fixed_size"]),
        (["--strategy", "paragraph", "--no-weak-headings"], ["--weak-headings", "paragraph"]),
        (["--strategy", "fixed_size", "--chunk-size", "0"], ["chunk_size = 0"]),
        (["--strategy", "fixed_size", "--chunk-overlap", "512"], ["chunk_overlap = 512", "0 to 511"]),
        (["--strategy", "fixed_size", "--overlap-tokens", "5"], ["overlap_tokens = 5", "max_tokens"]),
        (["--strategy", "semantic", "--embedder", "magic"], ["embedder = 'magic'", "wordllama"]),
        (["--strategy", "sentence", "--set", "target_size"], ["--set", "NAME=VALUE"]),
        (["--strategy", "sentence", "--set", "colour=red"], ["colour = 'red'", "target_size"]),
        (["--config", "nowhere.toml"], ["nowhere.toml", "No such file"]),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(
    capsys: pytest.CaptureFixture[str], arguments: Sequence[str], words: Sequence[str]
) -> None:
    for command in ("chunk", "inspect"):
        message = refused(capsys, command, "doc.md", *arguments)
        for word in words:
            assert word in message


def sizes(*arguments: str) -> int:
    """The largest chunk in characters that `chunk` gives."""
    assert run(["chunk", "doc.md", "-o", "out.jsonl", "-q", *arguments]) == 0
    return max(int(row["char_count"]) for row in rows("out.jsonl"))


@pytest.mark.usefixtures("doc")
def test_options_over_file_over_environment_over_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    fixed = ("--strategy", "fixed_size")
    assert 400 < sizes(*fixed) <= 512
    monkeypatch.setenv("CHUNK_SIZE", "300")
    assert 200 < sizes(*fixed) <= 300
    Path("settings.toml").write_text("[chunking]\nsize = 200\n", encoding="utf-8")
    assert 120 < sizes(*fixed, "--config", "settings.toml") <= 200
    assert 60 < sizes(*fixed, "--config", "settings.toml", "--chunk-size", "100") <= 100
    Path("chunkwright.toml").write_text("[chunking]\nsize = 60\n", encoding="utf-8")
    assert 200 < sizes(*fixed) <= 300


@pytest.mark.usefixtures("doc")
def test_the_default_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    def used(*arguments: str) -> str:
        sizes(*arguments)
        return str(rows("out.jsonl")[0]["strategy"])

    Path("settings.toml").write_text(
        '[chunking]\ndefault_strategy = "sentence"\n[structure]\nmax_tokens = 20\noverlap_tokens = 0\n',
        encoding="utf-8",
    )
    assert used() == "structure"
    monkeypatch.setenv("CHUNK_DEFAULT_STRATEGY", "recursive")
    assert used() == "recursive"
    assert used("--config", "settings.toml") == "sentence"
    assert used("--config", "settings.toml", "--strategy", "structure") == "structure"
    assert max(row["token_count"] for row in rows("out.jsonl")) <= 20


@pytest.mark.usefixtures("doc")
def test_a_bad_setting_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    Path("settings.toml").write_text("[paragraph]\ntarget_size = 'x'\n", encoding="utf-8")
    assert "settings.toml: paragraph.target_size = 'x'" in refused(
        capsys, "chunk", "doc.md", "--config", "settings.toml"
    )
    monkeypatch.setenv("CHUNK_OVERLAP", "50")
    message = refused(capsys, "chunk", "doc.md", "--strategy", "fixed_size", "--chunk-size", "20")
    assert "CHUNK_OVERLAP = 50 is not allowed" in message
    monkeypatch.setenv("CHUNK_OVERLAP", "no")
    assert "CHUNK_OVERLAP = 'no' is not allowed" in refused(capsys, "inspect", "doc.md")


def test_strategies_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["strategies"]) == 0
    shown = capsys.readouterr().out
    paragraphs = shown.strip().split("\n\n")
    assert [each.splitlines()[0] for each in paragraphs] == list(chunkwright.strategy_names())
    assert "chunk_size=512, chunk_overlap=50" in shown
    assert all(len(each.splitlines()) >= 3 for each in paragraphs)


@pytest.mark.usefixtures("doc")
@pytest.mark.parametrize("name", ["fixed_size", "sentence", "structured"])
def test_inspect_shows_characters_where_no_tokens_are_counted(name: str) -> None:
    done = process("inspect", "doc.md", "--strategy", name, env={**os.environ, "COLUMNS": "100"})
    lines = done.stdout.decode().splitlines()
    chunks = chunkwright.chunk(TEXT, name, document_id="doc.md")
    assert lines[0].split()[:2] == ["#", "chars"]
    for line, chunk in zip(lines[1:], chunks, strict=False):
        assert line.split()[:2] == [str(chunk.chunk_index), str(chunk.char_count)]
    assert (
        f"{sum(c.char_count for c in chunks):,} characters, largest {max(c.char_count for c in chunks)};" in lines[-1]
    )
    assert "verified: nothing lost" in lines[-1]
    full = process("inspect", "doc.md", "--strategy", name, "--full").stdout.decode()
    assert f"chunk 0 · {chunks[0].char_count} characters" in full
    counted = process("inspect", "doc.md", "--strategy", name, "--max-tokens", "50").stdout.decode()
    assert counted.splitlines()[0].split()[1] == "tokens"
    assert " of 50; " in counted.splitlines()[-1]


@pytest.mark.usefixtures("doc")
def test_a_strategy_of_another_package(doc: Path) -> None:
    site = doc / "site"
    info = site / "line_cutter-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "line_cutter.py").write_text(PLUGIN, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: line-cutter\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[chunkwright.strategies]\nlines = line_cutter:Lines\n", encoding="utf-8")
    (doc / "lines.toml").write_text('[lines]\nnote = "from the file"\n', encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(site), "PYTHONUTF8": "1"}
    shown = process("strategies", env=env).stdout.decode()
    assert "lines\n    Cuts after every few lines.\n    lines=1, note='none'\n" in shown
    arguments = ["chunk", "doc.md", "--strategy", "lines", "--config", "lines.toml", "--set", "lines=4", "-q"]
    done = process(*arguments, env=env)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert found[0]["content"] == "\n".join(TEXT.splitlines()[:4])
    assert found[0]["metadata"] == {
        "document_id": "doc.md", "document_name": "", "source_id": "", "strategy": "lines", "note": "from the file",
    }  # fmt: skip
    wrong = process("chunk", "doc.md", "--strategy", "lines", "--max-tokens", "9", env=env)
    assert wrong.returncode == 2
    assert "--max-tokens is no option of the strategy lines" in wrong.stderr.decode()


@pytest.mark.usefixtures("doc")
def test_a_failing_embedder_is_a_warning_of_one_line(doc: Path) -> None:
    site = doc / "site" / "wordllama"
    site.mkdir(parents=True)
    (site / "__init__.py").write_text("class WordLlama:\n    pass\n", encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(site.parent)}
    done = process("chunk", "docs", "doc.md", "--strategy", "semantic", "--embedder", "wordllama", "-q", env=env)
    assert done.returncode == 0
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("warning: the embedder failed, so the lexical one cut instead: AttributeError")
