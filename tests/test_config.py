"""Settings from the environment and from TOML files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chunkwright import ChunkingSettings, RecursiveChunkingStrategy, SentenceChunkingStrategy, SettingsError
from chunkwright.config import PARAMETERS
from chunkwright.strategy import built_in_strategies, parameters

# Variable, setting, a value in the environment, and what it means.
TABLE = [
    ("CHUNK_SIZE", "size", "300", 300),
    ("CHUNK_OVERLAP", "overlap", "30", 30),
    ("CHUNK_DEFAULT_STRATEGY", "default_strategy", "recursive", "recursive"),
    ("CHUNK_SENTENCE_TARGET_SIZE", "sentence_target_size", "301", 301),
    ("CHUNK_SENTENCE_MAX_PER_CHUNK", "sentence_max_per_chunk", "3", 3),
    ("CHUNK_PARAGRAPH_TARGET_SIZE", "paragraph_target_size", "302", 302),
    ("CHUNK_PARAGRAPH_MAX_PER_CHUNK", "paragraph_max_per_chunk", "4", 4),
    ("CHUNK_SEMANTIC_SIMILARITY_THRESHOLD", "semantic_similarity_threshold", "0.6", 0.6),
    ("CHUNK_SEMANTIC_MIN_CHUNK_SIZE", "semantic_min_chunk_size", "100", 100),
    ("CHUNK_SEMANTIC_MAX_CHUNK_SIZE", "semantic_max_chunk_size", "900", 900),
    ("CHUNK_STRUCTURED_MAX_CHUNK_CHARS", "structured_max_chunk_chars", "400", 400),
    ("CHUNK_STRUCTURED_MIN_CHUNK_CHARS", "structured_min_chunk_chars", "40", 40),
    ("CHUNK_STRUCTURED_WEAK_HEADINGS", "structured_weak_headings", "No", False),
    ("CHUNK_STRUCTURED_OVERLAP_CHARS", "structured_overlap_chars", "4", 4),
]


def write(folder: Path, text: str) -> Path:
    file = folder / "chunkwright.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_defaults_are_those_of_the_strategies() -> None:
    settings = ChunkingSettings.read(environ={})
    assert settings == ChunkingSettings()
    assert (settings.size, settings.overlap, settings.default_strategy) == (512, 50, "fixed_size")
    for strategy, names in PARAMETERS.items():
        defaults = parameters(built_in_strategies()[strategy])
        for parameter, name in names.items():
            assert defaults[parameter].default == getattr(settings, name)


@pytest.mark.parametrize(("variable", "name", "text", "value"), TABLE)
def test_each_setting_is_a_variable_and_a_key(
    tmp_path: Path, variable: str, name: str, text: str, value: object
) -> None:
    assert getattr(ChunkingSettings.read(environ={variable: f" {text} "}), name) == value
    shown = f'"{value}"' if isinstance(value, str) else str(value).lower()
    file = write(tmp_path, f"[chunking]\n{name} = {shown}\n")
    assert getattr(ChunkingSettings.read(file, environ={}), name) == value


@pytest.mark.parametrize(
    ("variable", "text", "words"),
    [
        ("CHUNK_SIZE", "many", "CHUNK_SIZE = 'many' is not allowed: it must be a whole number"),
        ("CHUNK_SIZE", "", "CHUNK_SIZE = '' is not allowed"),
        ("CHUNK_SIZE", "0", "CHUNK_SIZE = 0 is not allowed"),
        ("CHUNK_SIZE", "-3", "CHUNK_SIZE = -3 is not allowed"),
        ("CHUNK_SIZE", "1.5", "CHUNK_SIZE = '1.5' is not allowed"),
        ("CHUNK_OVERLAP", "512", "CHUNK_OVERLAP = 512 is not allowed: it must be from 0 to 511"),
        ("CHUNK_DEFAULT_STRATEGY", "magic", "CHUNK_DEFAULT_STRATEGY = 'magic' .*fixed_size.*structured"),
        ("CHUNK_SENTENCE_TARGET_SIZE", "0", "CHUNK_SENTENCE_TARGET_SIZE = 0"),
        ("CHUNK_SENTENCE_MAX_PER_CHUNK", "ten", "CHUNK_SENTENCE_MAX_PER_CHUNK = 'ten'"),
        ("CHUNK_PARAGRAPH_TARGET_SIZE", "0", "CHUNK_PARAGRAPH_TARGET_SIZE = 0"),
        ("CHUNK_PARAGRAPH_MAX_PER_CHUNK", "-1", "CHUNK_PARAGRAPH_MAX_PER_CHUNK = -1"),
        ("CHUNK_SEMANTIC_SIMILARITY_THRESHOLD", "high", "CHUNK_SEMANTIC_SIMILARITY_THRESHOLD = 'high'"),
        ("CHUNK_SEMANTIC_SIMILARITY_THRESHOLD", "7", "CHUNK_SEMANTIC_SIMILARITY_THRESHOLD = 7"),
        ("CHUNK_SEMANTIC_SIMILARITY_THRESHOLD", "nan", "CHUNK_SEMANTIC_SIMILARITY_THRESHOLD = "),
        ("CHUNK_SEMANTIC_MIN_CHUNK_SIZE", "1001", "CHUNK_SEMANTIC_M.._CHUNK_SIZE = "),
        ("CHUNK_SEMANTIC_MAX_CHUNK_SIZE", "0", "CHUNK_SEMANTIC_MAX_CHUNK_SIZE = 0"),
        ("CHUNK_STRUCTURED_WEAK_HEADINGS", "maybe", "CHUNK_STRUCTURED_WEAK_HEADINGS = 'maybe'"),
        ("CHUNK_STRUCTURED_OVERLAP_CHARS", "800", "CHUNK_STRUCTURED_OVERLAP_CHARS = 800"),
    ],
)
def test_a_bad_value_names_the_variable(variable: str, text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        ChunkingSettings.read(environ={variable: text})
    assert isinstance(caught.value, SettingsError)


def test_a_file_wins_over_the_environment_and_a_table_of_a_strategy_over_both(tmp_path: Path) -> None:
    file = write(
        tmp_path, '[chunking]\nsize = 100\noverlap = 10\n[recursive]\nchunk_size = 50\nseparators = ["|", ""]\n'
    )
    settings = ChunkingSettings.read(file, environ={"CHUNK_SIZE": "200", "CHUNK_SENTENCE_TARGET_SIZE": "99"})
    assert (settings.size, settings.overlap, settings.sentence_target_size) == (100, 10, 99)
    assert settings.strategy("recursive") == RecursiveChunkingStrategy(50, 10, ["|", ""])
    assert settings.strategy("sentence") == SentenceChunkingStrategy(99)
    assert settings.strategy().strategy_name == "fixed_size"
    with pytest.raises(ValueError, match="Unknown chunking strategy"):
        settings.strategy("nope")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[chunking]\nsize = 'x'", r"chunkwright.toml: chunking.size = 'x' .*whole number"),
        ("[chunking]\nsize = 0", "chunkwright.toml: chunking.size = 0"),
        ("[chunking]\nsiez = 1", "chunkwright.toml: chunking.siez = 1 .*left out: .*size, overlap"),
        ("[chunking]\ndefault_strategy = 5", "chunkwright.toml: chunking.default_strategy = 5"),
        ("[chunking]\ndefault_strategy = []", r"chunkwright.toml: chunking.default_strategy = \[\]"),
        ("[chunking]\ndefault_strategy = 'magic'", "chunkwright.toml: chunking.default_strategy = 'magic'"),
        ("[chunking]\nstructured_weak_headings = 1", "chunkwright.toml: chunking.structured_weak_headings = 1"),
        ("chunking = 5", "chunkwright.toml: chunking = 5 .*in a table"),
        ("[magic]\nx = 1", "chunkwright.toml: magic = a table .*chunking, fixed_size"),
        ("[structure]\nmax_tokens = 3", "chunkwright.toml: structure.max_tokens = 3 .*at least 16"),
        ("[structure]\ncolour = 'red'", "chunkwright.toml: structure.colour = 'red' .*left out"),
        ("[fixed_size]\nchunk_size = 40", "CHUNK_OVERLAP = 50 .*0 to 39"),
        ("[semantic]\nembedder = 'magic'", "chunkwright.toml: semantic.embedder = 'magic'"),
        ("[chunking", r"chunkwright.toml is not allowed: it must be TOML: Expected"),
        ("a = '\udcff'", r"chunkwright.toml is not allowed: it must be TOML: .*utf-8"),
    ],
)
def test_a_bad_file_names_itself_and_the_key(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "chunkwright.toml"
    file.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(ValueError, match=words):
        ChunkingSettings.read(file, environ={})


def test_the_documented_table_is_the_real_one() -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "settings.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\| `(\w+)` \| `?([\w.]+)`? \| `(\w+)` \|", page, re.MULTILINE)
    defaults = ChunkingSettings()
    assert [(variable, name) for name, _, variable in documented] == [(row[0], row[1]) for row in TABLE]
    assert [default for _, default, _ in documented] == [
        str(getattr(defaults, row[1])).replace("True", "true") for row in TABLE
    ]


def test_the_documented_file_is_right(tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "settings.md").read_text(encoding="utf-8")
    found = re.search(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert found is not None
    settings = ChunkingSettings.read(write(tmp_path, found[1]), environ={})
    assert settings.strategy() == RecursiveChunkingStrategy(800, 50, ["\n\n", "\n", "。", ". ", " ", ""])


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"nowhere.toml is not allowed: .*No such file"):
        ChunkingSettings.read(tmp_path / "nowhere.toml", environ={})
