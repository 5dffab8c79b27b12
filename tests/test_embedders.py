"""Models behind `SemanticChunkingStrategy`: what they may be, and what happens when they fail."""

from __future__ import annotations

import builtins
import importlib.util
import math
import pickle
import sys
import types
import warnings
from typing import Any

import pytest

import chunkwright
from chunkwright import (
    CallableEmbedder,
    Embedder,
    LexicalEmbedder,
    MissingExtraError,
    Model2VecEmbedder,
    SemanticChunkingStrategy,
    SentenceTransformerEmbedder,
    SettingsError,
    WordLlamaEmbedder,
)

TOPICS = {
    "pump": "The pump lifts water. It starts at eight. The engine hums. A valve opens slowly. The pressure rises. ",
    "bread": "Bread wants flour. Yeast makes it rise. The oven is hot. A crust forms. It smells good. ",
    "stars": "Stars are far away. The telescope shows them. Night comes early. The sky is clear. A comet passes. ",
}
TEXT = "".join(TOPICS.values())


def topic_vectors(texts: list[str]) -> list[list[float]]:
    """How many sentences of each topic a text has: what a good model would say."""
    sentences = [{s.strip() for s in chunkwright.split_sentences(topic)} for topic in TOPICS.values()]
    return [
        [float(sum(s.strip() in known for s in chunkwright.split_sentences(text))) for known in sentences]
        for text in texts
    ]


class Counting:
    """An embedder that remembers what it was asked."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def embed(self, texts: list[str]) -> list[list[float]]:
        self.asked.append(texts)
        return topic_vectors(texts)


@pytest.mark.parametrize("embedder", [topic_vectors, CallableEmbedder(topic_vectors), Counting()])
def test_chunks_end_where_the_model_says(embedder: Any) -> None:
    chunks = SemanticChunkingStrategy(0.3, 20, 1000, embedder).chunk(TEXT, document_id="d")
    assert [c.content.strip() for c in chunks] == [topic.strip() for topic in TOPICS.values()]
    assert [c.split_reason for c in chunks] == ["similarity", "similarity", "document_end"]
    assert chunkwright.verify(TEXT, chunks)
    assert all("embedder" not in c.metadata for c in chunks)


def test_equal_windows_are_embedded_once() -> None:
    embedder = Counting()
    strategy = SemanticChunkingStrategy(0.3, 20, 1000, embedder)
    strategy.chunk(TEXT)
    (asked,) = embedder.asked
    assert len(asked) == len(set(asked))
    assert all(text in TEXT for text in asked)
    assert strategy.chunk("") == []
    assert strategy.chunk("One sentence alone.")[0].content == "One sentence alone."
    assert len(embedder.asked) == 1


def test_metadata_and_batches() -> None:
    strategy = SemanticChunkingStrategy(0.3, 20, 1000, topic_vectors)
    chunks = strategy.chunk_text(TEXT, "d", "name", "source", {"a": 1})
    assert list(chunks[0].metadata) == ["document_id", "document_name", "source_id", "strategy", "a"]
    with pytest.warns(UserWarning, match="1 document could not be cut .*document x: .*UTF-8"):
        batch = strategy.chunk_many([TEXT, b"\xff", TEXT], document_ids=["d", "x", "e"])
    assert [len(each) for each in batch] == [3, 0, 3]
    assert [c.chunk_id for c in batch[0]] == [c.chunk_id for c in chunks]


def test_the_embedder_is_part_of_the_fingerprint_and_of_the_pickle() -> None:
    plain, named = SemanticChunkingStrategy(), SemanticChunkingStrategy(embedder=topic_vectors)
    assert plain != named
    assert named != SemanticChunkingStrategy(embedder=Counting())
    assert named == SemanticChunkingStrategy(embedder=CallableEmbedder(topic_vectors))
    again = pickle.loads(pickle.dumps(named))
    assert again == named
    assert again.settings["embedder"] is topic_vectors
    assert again.chunk(TEXT) == named.chunk(TEXT)
    assert {c.fingerprint for c in named.chunk(TEXT)} == {named.fingerprint}


def _raises(_texts: list[str]) -> Any:
    raise ConnectionError("no model today")


@pytest.mark.parametrize(
    ("embedder", "words"),
    [
        (_raises, "ConnectionError: no model today"),
        (lambda texts: topic_vectors(texts)[1:], "gave [0-9]+ vectors for [0-9]+ texts"),
        (lambda texts: [[math.nan, 1.0] for _ in texts], "not finite"),
        (lambda texts: [[math.inf, -math.inf] for _ in texts], "not finite"),
        (lambda texts: [[1.0] * (n + 1) for n, _ in enumerate(texts)], "differ in length"),
        (lambda texts: [[] for _ in texts], "empty"),
        (lambda texts: [1.0 for _ in texts], "TypeError"),
        (lambda _texts: None, "TypeError"),
        (lambda texts: [["a"] for _ in texts], "ValueError"),
    ],
)
def test_a_failing_embedder_warns_once_and_the_lexical_one_cuts(embedder: Any, words: str) -> None:
    strategy = SemanticChunkingStrategy(0.7, 20, 1000, embedder)
    with pytest.warns(RuntimeWarning, match=f"the embedder failed, so the lexical one cut instead: .*{words}") as told:
        batch = strategy.chunk_many([TEXT, TEXT, "Short. Text."])
    assert len(told) == 1
    assert not batch.errors
    lexical = SemanticChunkingStrategy(0.7, 20, 1000).chunk(TEXT)
    assert [c.content for c in batch[0]] == [c.content for c in lexical]
    assert all(c.metadata == {"embedder": "lexical", "embedder_fallback": True} for c in batch[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert strategy.chunk(TEXT) == batch[0]


def test_arrays_are_vectors() -> None:
    numpy = pytest.importorskip("numpy", reason="no numpy here")

    def arrays(texts: list[str]) -> Any:
        return numpy.array(topic_vectors(texts), dtype=numpy.float32)

    expected = SemanticChunkingStrategy(0.3, 20, 1000, topic_vectors).chunk(TEXT)
    assert [c.content for c in SemanticChunkingStrategy(0.3, 20, 1000, arrays).chunk(TEXT)] == [
        c.content for c in expected
    ]
    for wrong in (lambda texts: numpy.zeros(len(texts)), lambda texts: numpy.zeros((len(texts), 2, 2))):
        with pytest.warns(RuntimeWarning, match="the embedder failed"):
            SemanticChunkingStrategy(0.3, 20, 1000, wrong).chunk(TEXT)


def test_the_lexical_embedder() -> None:
    embedder = LexicalEmbedder()
    assert isinstance(embedder, Embedder)
    vectors = embedder.embed(["the red pump", "the red pump", "水位过高时", "水位过高", "bread and flour"])
    assert {len(v) for v in vectors} == {len(vectors[0])}

    def similar(a: int, b: int) -> float:
        return sum(x * y for x, y in zip(vectors[a], vectors[b], strict=True))

    assert all(math.isclose(similar(n, n), 1.0, abs_tol=1e-6) for n in range(5))
    assert math.isclose(similar(0, 1), 1.0, abs_tol=1e-6)
    assert math.isclose(similar(0, 4), 0.65, abs_tol=1e-6)
    assert similar(2, 3) > 0.7
    assert embedder.embed([]) == []
    assert LexicalEmbedder().embed(["the red pump"]) == LexicalEmbedder().embed(["the red pump"])


@pytest.mark.parametrize("value", [7, "magic", "model2vec", "model2vec:", object(), Counting])
def test_what_is_no_embedder(value: Any) -> None:
    with pytest.raises(SettingsError, match=r"embedder = .* embed\(list\[str\]\)"):
        SemanticChunkingStrategy(embedder=value)


@pytest.mark.parametrize(
    ("make", "library", "extra"),
    [
        (lambda: SentenceTransformerEmbedder("model"), "sentence_transformers", "sentence-transformers"),
        (lambda: Model2VecEmbedder("model"), "model2vec", "model2vec"),
        (lambda: WordLlamaEmbedder(), "wordllama", "wordllama"),  # noqa: PLW0108 - may be absent
        (lambda: SemanticChunkingStrategy(embedder="wordllama"), "wordllama", "wordllama"),
        (lambda: SemanticChunkingStrategy(embedder="model2vec:a/b"), "model2vec", "model2vec"),
    ],
)
def test_a_missing_library_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, make: Any, library: str, extra: str
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    words = rf"needs {library}, which is not installed: pip install 'chunkwright\[{extra}\]'"
    with pytest.raises(MissingExtraError, match=words) as caught:
        make()
    assert isinstance(caught.value, ImportError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


class FakeModel:
    """Stands for a loaded model of each library."""

    def __init__(self, name: str) -> None:
        self.name = name

    @classmethod
    def from_pretrained(cls, name: str) -> FakeModel:
        return cls(name)

    def encode(self, texts: list[str], **_settings: object) -> list[list[float]]:
        return topic_vectors(texts)

    embed = encode


@pytest.mark.parametrize(
    ("kind", "library", "classes"),
    [
        (SentenceTransformerEmbedder, "sentence_transformers", "SentenceTransformer"),
        (Model2VecEmbedder, "model2vec", "StaticModel"),
    ],
)
def test_adapters_load_their_model_when_it_is_needed(
    monkeypatch: pytest.MonkeyPatch, kind: Any, library: str, classes: str
) -> None:
    loaded: list[str] = []

    class Model(FakeModel):
        def __init__(self, name: str) -> None:
            super().__init__(name)
            loaded.append(name)

    fake = types.ModuleType(library)
    setattr(fake, classes, Model)
    fake.__spec__ = importlib.util.spec_from_loader(library, loader=None)
    monkeypatch.setitem(sys.modules, library, fake)
    embedder = kind("some/model")
    assert not loaded
    strategy = SemanticChunkingStrategy(0.3, 20, 1000, embedder)
    assert len(strategy.chunk(TEXT)) == 3
    strategy.chunk(TEXT)
    assert loaded == ["some/model"]
    again = pickle.loads(pickle.dumps(strategy))
    assert again == strategy == SemanticChunkingStrategy(0.3, 20, 1000, f"{kind.extra}:some/model")
    assert repr(embedder) == f"{kind.__name__}('some/model')"
    ready = kind(FakeModel("ready"))
    assert len(SemanticChunkingStrategy(0.3, 20, 1000, ready).chunk(TEXT)) == 3
    assert ready.name == f"{kind.extra}:test_embedders.FakeModel"


def test_no_library_is_loaded_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def guarded(name: str, *rest: Any) -> Any:
        assert name.partition(".")[0] not in {"numpy", "wordllama", "model2vec", "sentence_transformers"}
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", guarded)
    SemanticChunkingStrategy().chunk(TEXT)
    SemanticChunkingStrategy(embedder=topic_vectors).chunk(TEXT)


@pytest.mark.skipif(importlib.util.find_spec("wordllama") is None, reason="wordllama is not installed (extra: models)")
def test_a_real_model_without_a_download() -> None:
    """The weights are in the wheel. The sentences share no words, so this is more than the lexical embedder can."""
    stars = "The telescope shows distant planets. Stars shine in the night sky. Astronomers watch galaxies. The moon circles the earth. "
    bread = "Knead the dough and bake the bread. Pour milk into the flour. Stir the batter with butter. The cake needs sugar. "
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        chunks = SemanticChunkingStrategy(0.1, 40, 1000, "wordllama").chunk(stars + bread)
    assert [c.content.strip() for c in chunks] == [stars.strip(), bread.strip()]
    (kinds,) = {len(v) for v in WordLlamaEmbedder().embed(["car", "soup"]).tolist()}
    assert kinds == 256
    car, automobile, soup = WordLlamaEmbedder().embed(["car", "automobile", "soup"]).tolist()
    assert _cosine(car, automobile) > _cosine(car, soup) + 0.2


def _cosine(a: list[float], b: list[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True)) / math.hypot(*a) / math.hypot(*b)
