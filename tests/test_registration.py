"""Strategies of others: registered in the process, or announced by an installed package."""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import chunkwright
from chunkwright import (
    BaseChunkingStrategy,
    Chunk,
    SentenceChunkingStrategy,
    SettingsError,
    get_chunking_strategy,
    register_strategy,
)
from chunkwright.strategy import built_in_strategies

BUILT_IN = tuple(sorted(built_in_strategies()))


class Shout(BaseChunkingStrategy):
    """Cuts at exclamation marks."""

    def __init__(self, loud: bool = False, *, mark: str = "!") -> None:
        self.loud = loud
        self.mark = mark

    def chunk_text(
        self,
        text: str,
        document_id: str = "",
        document_name: str = "",
        source_id: str = "",
        extra_metadata: Any = None,
    ) -> list[Chunk]:
        metadata = self.chunk_metadata(document_id, document_name, source_id, extra_metadata)
        parts = [part for part in text.split(self.mark) if part.strip()]
        return [
            Chunk(part.upper() if self.loud else part, chunk_index=n, chunk_id=f"{document_id}-{n}", metadata=metadata)
            for n, part in enumerate(parts)
        ]


@pytest.fixture
def _registered() -> None:
    register_strategy("shout", Shout)


@pytest.mark.usefixtures("_registered")
def test_a_registered_strategy_is_one_like_others() -> None:
    assert chunkwright.strategy_names() == tuple(sorted([*BUILT_IN, "shout"]))
    assert [c.content for c in chunkwright.chunk("a!b!", "shout", loud=True)] == ["A", "B"]
    strategy = get_chunking_strategy("shout", {"mark": "?"})
    assert strategy.strategy_name == "Shout"
    assert [c.content for c in strategy.chunk(b"a?b!")] == ["a", "b!"]
    assert strategy.chunk("a", document_id="d")[0].metadata["document_id"] == "d"
    parsed = chunkwright.ParsedDocument("p", [chunkwright.Block("paragraph", "a?b")])
    assert [c.chunk_id for c in strategy.chunk(parsed)] == ["p-0", "p-1"]
    again = pickle.loads(pickle.dumps(strategy))
    assert again.chunk("a?b") == strategy.chunk("a?b")
    with pytest.warns(UserWarning, match="2 documents could not be cut .*document x: it is not UTF-8 at byte 1"):
        batch = strategy.chunk_many(["a?b", b"a\xff", 7], document_ids=["w", "x", "y"])  # type: ignore[list-item]
    assert [len(chunks) for chunks in batch] == [2, 0, 0]
    for ids in (["one"], ["one", "two", "three"]):
        with pytest.raises(ValueError, match="one id for each document"):
            strategy.chunk_many(["a", "b"], document_ids=ids)


@pytest.mark.usefixtures("_registered")
def test_wrong_parameters_of_a_registered_strategy() -> None:
    with pytest.raises(ValueError, match="colour = 1 is not allowed: it must be left out: shout has loud, mark"):
        get_chunking_strategy("shout", {"colour": 1})

    class Needs(Shout):
        def __init__(self, words: int) -> None:
            super().__init__(mark="!" * words)

    register_strategy("needs", Needs)
    with pytest.raises(ValueError, match="words = nothing is not allowed"):
        get_chunking_strategy("needs")


@pytest.mark.usefixtures("_registered")
def test_what_cannot_be_registered() -> None:
    for name in ("structure", "", 5):
        with pytest.raises(SettingsError, match="name = "):
            register_strategy(name, Shout)  # type: ignore[arg-type]
    for cls in (int, Shout(), None, "Shout"):
        with pytest.raises(SettingsError, match=r"a subclass of chunkwright\.BaseChunkingStrategy"):
            register_strategy("mine", cls)  # type: ignore[arg-type]

    class Louder(Shout):
        pass

    register_strategy("shout", Louder)
    assert isinstance(get_chunking_strategy("shout"), Louder)


def test_the_base_class_is_abstract() -> None:
    with pytest.raises(TypeError, match="chunk_text"):
        BaseChunkingStrategy()  # type: ignore[abstract]


PLUGIN = """
from chunkwright import BaseChunkingStrategy, Chunk

class Lines(BaseChunkingStrategy):
    '''One chunk a line.'''

    strategy_name = "lines"

    def __init__(self, skip=0):
        self.skip = skip

    def chunk_text(self, text, document_id="", document_name="", source_id="", extra_metadata=None):
        metadata = self.chunk_metadata(document_id, document_name, source_id, extra_metadata)
        return [Chunk(line, chunk_index=n, metadata=metadata) for n, line in enumerate(text.splitlines()[self.skip:])]
"""


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path with what pip would put there for a package that announces strategies."""
    folder = tmp_path / "site"
    info = folder / "line_cutter-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "line_cutter.py").write_text(PLUGIN, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: line-cutter\nVersion: 1.0\n", encoding="utf-8")
    announced = """
        [chunkwright.strategies]
        lines = line_cutter:Lines
        gone = line_cutter:Gone
        wrong = line_cutter:Chunk
    """
    (info / "entry_points.txt").write_text(textwrap.dedent(announced), encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    importlib.invalidate_caches()
    yield folder
    sys.modules.pop("line_cutter", None)


@pytest.mark.usefixtures("plugins")
def test_an_installed_package_announces_strategies() -> None:
    assert "line_cutter" not in sys.modules
    assert {"lines", "gone", "wrong"} < set(chunkwright.strategy_names())
    assert "line_cutter" not in sys.modules
    (c,) = chunkwright.chunk("a\nb", strategy="lines", document_id="d", skip=1)
    assert (c.content, c.metadata["strategy"], c.metadata["document_id"]) == ("b", "lines", "d")
    strategy = get_chunking_strategy("lines")
    assert pickle.loads(pickle.dumps(strategy)).chunk("a\nb") == strategy.chunk("a\nb")
    with pytest.raises(ValueError, match=r"'gone' \(line_cutter:Gone\) cannot be loaded"):
        get_chunking_strategy("gone")
    with pytest.raises(ValueError, match=r"the entry point wrong = line_cutter:Chunk.*a subclass of"):
        get_chunking_strategy("wrong")


def test_no_package_takes_a_name_of_ours(plugins: Path) -> None:
    file = next(plugins.glob("*.dist-info")) / "entry_points.txt"
    file.write_text("[chunkwright.strategies]\nsentence = line_cutter:Lines\n", encoding="utf-8")
    importlib.invalidate_caches()
    assert get_chunking_strategy("sentence") == SentenceChunkingStrategy()
    with pytest.warns(RuntimeWarning, match="sentence = line_cutter:Lines is passed over"):
        chunkwright.strategy_names()


def test_each_strategy_is_in_the_module_of_its_name() -> None:
    for name, cls in built_in_strategies().items():
        module = sys.modules[cls.__module__]
        assert (module.__name__, module.NAME) == (f"chunkwright.{name}", name)


def test_modules_are_loaded_when_they_are_asked_for() -> None:
    code = """
import sys
import chunkwright
assert "chunkwright.strategy" not in sys.modules
assert chunkwright.chunk("text")
loaded = {name for name in sys.modules if name.startswith("chunkwright.")}
assert "chunkwright.structure" in loaded, loaded
assert loaded.isdisjoint(f"chunkwright.{name}" for name in ("config", "embedders", "semantic", "service", "structured")), loaded
assert set(chunkwright.__all__) <= set(dir(chunkwright))
assert all(getattr(chunkwright, name) is not None for name in chunkwright.__all__)
try:
    chunkwright.chunks
except AttributeError as error:
    assert str(error) == "module 'chunkwright' has no attribute 'chunks'"
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", code], check=True)
