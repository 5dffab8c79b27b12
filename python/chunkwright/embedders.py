"""Models that tell how similar two texts are, for `SemanticChunkingStrategy`. No library is loaded before a model is used."""

from __future__ import annotations

import importlib
import importlib.util
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from chunkwright._native import LexicalEmbedder
from chunkwright.errors import MissingExtraError, SettingsError

__all__ = [
    "CallableEmbedder",
    "Embedder",
    "LexicalEmbedder",
    "Model2VecEmbedder",
    "SentenceTransformerEmbedder",
    "WordLlamaEmbedder",
]


@runtime_checkable
class Embedder(Protocol):
    """Anything with `embed`."""

    def embed(self, texts: list[str], /) -> Any:
        """One vector for each text: an array of float32 of shape (n, d), or what converts to one."""


class ModelEmbedder(ABC):
    """A model of a library that an extra installs.

    Parameters
    ----------
    model : str or object
        Name or folder of the model, or the loaded model itself.

    Raises
    ------
    MissingExtraError
        The library is not installed; the message names the extra.
    """

    library: str
    extra: str

    def __init__(self, model: Any) -> None:
        self._given = model
        self._model: Any = None if isinstance(model, str) else model
        if self._model is None and importlib.util.find_spec(self.library) is None:
            raise MissingExtraError(type(self).__name__, self.library, self.extra)

    @property
    def name(self) -> str:
        """What tells this model from others; part of the fingerprint of chunks."""
        model = self._given if isinstance(self._given, str) else _class_name(self._given)
        return f"{self.extra}:{model}"

    def embed(self, texts: list[str]) -> Any:
        """One vector for each text. The first call loads the model."""
        if self._model is None:
            self._model = self._load(importlib.import_module(self.library))
        return self._encode(texts)

    @abstractmethod
    def _load(self, library: Any) -> Any: ...

    @abstractmethod
    def _encode(self, texts: list[str]) -> Any: ...

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._given,)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._given!r})"


class SentenceTransformerEmbedder(ModelEmbedder):
    """A model of sentence-transformers: the most exact ones, and the slowest. Needs the extra `sentence-transformers`."""

    library = "sentence_transformers"
    extra = "sentence-transformers"

    def _load(self, library: Any) -> Any:
        return library.SentenceTransformer(self._given)

    def _encode(self, texts: list[str]) -> Any:
        return self._model.encode(texts, show_progress_bar=False, convert_to_numpy=True)


class Model2VecEmbedder(ModelEmbedder):
    """A static model of model2vec: small and fast, no GPU. Needs the extra `model2vec`."""

    library = "model2vec"
    extra = "model2vec"

    def _load(self, library: Any) -> Any:
        return library.StaticModel.from_pretrained(self._given)

    def _encode(self, texts: list[str]) -> Any:
        return self._model.encode(texts)


class WordLlamaEmbedder(ModelEmbedder):
    """The static model that the package wordllama carries (256 numbers, English above all): nothing is downloaded. Needs the extra `wordllama`.

    Parameters
    ----------
    model : str or object
        Name of a configuration whose files are in the package or in its cache, or the loaded model itself.
    """

    library = "wordllama"
    extra = "wordllama"

    def __init__(self, model: Any = "l2_supercat") -> None:
        super().__init__(model)

    def _load(self, library: Any) -> Any:
        # The package looks for the tokenizer in another folder than the one it carries it in, unless that is the cache.
        return library.WordLlama.load(self._given, cache_dir=library.__path__[0], disable_download=True)

    def _encode(self, texts: list[str]) -> Any:
        return self._model.embed(texts)


class CallableEmbedder:
    """A function from a list of texts to one vector for each."""

    def __init__(self, function: Callable[[list[str]], Any]) -> None:
        self._function = function

    @property
    def name(self) -> str:
        """What tells this function from others."""
        return _class_name(self._function)

    def embed(self, texts: list[str]) -> Any:
        """What the function says of the texts."""
        return self._function(texts)

    def __repr__(self) -> str:
        return f"CallableEmbedder({self._function!r})"


_BY_NAME: dict[str, type[ModelEmbedder]] = {
    kind.extra: kind for kind in (SentenceTransformerEmbedder, Model2VecEmbedder, WordLlamaEmbedder)
}


def as_embedder(value: object) -> Embedder | None:
    """The embedder that a setting means: None, one, a function, or a name such as `wordllama` or `model2vec:minishlab/potion-base-8M`.

    Raises
    ------
    SettingsError
        It means none.
    MissingExtraError
        The library is not installed.
    """
    if value is None:
        return None
    if isinstance(value, Embedder) and not isinstance(value, type):
        return value
    if isinstance(value, str):
        kind, _, model = value.partition(":")
        if kind == WordLlamaEmbedder.extra:
            return WordLlamaEmbedder(model) if model else WordLlamaEmbedder()
        if kind in _BY_NAME and model:
            return _BY_NAME[kind](model)
    elif callable(value) and not isinstance(value, type):
        return CallableEmbedder(value)
    names = ", ".join(f"{name}:MODEL" for name in _BY_NAME if name != WordLlamaEmbedder.extra)
    allowed = f"None, an object with embed(list[str]), a function, wordllama, or a name such as {names}"
    raise SettingsError("embedder", repr(value), allowed)


def name_of(embedder: Embedder) -> str:
    """What tells an embedder from others: its `name`, else that of its class."""
    name = getattr(embedder, "name", None)
    return name if isinstance(name, str) else _class_name(embedder)


def vectors_of(embedder: Embedder, texts: list[str]) -> list[list[float]]:
    """One vector of finite numbers for each text, all of one length.

    Raises
    ------
    ValueError
        The embedder gave something else; the message says what.
    """
    given = embedder.embed(texts)
    rows = given.tolist() if hasattr(given, "tolist") else [list(map(float, row)) for row in given]
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise ValueError("it gave no array of two dimensions")
    if len(rows) != len(texts):
        raise ValueError(f"it gave {len(rows)} vectors for {len(texts)} texts")
    if len({len(row) for row in rows}) > 1 or not all(rows):
        raise ValueError("its vectors are empty or differ in length")
    if not all(math.isfinite(sum(row)) for row in rows):
        raise ValueError("a vector holds a number that is not finite")
    return rows


def _class_name(value: object) -> str:
    kind = value if hasattr(value, "__qualname__") else type(value)
    return f"{kind.__module__}.{kind.__qualname__}"
