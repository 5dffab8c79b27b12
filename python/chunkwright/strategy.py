"""Strategies by name: those of this package, those registered, and those that other packages announce."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, overload

from chunkwright import _native
from chunkwright.base import BaseChunkingStrategy, NativeStrategy
from chunkwright.document import Document
from chunkwright.errors import SettingsError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["chunk", "get_chunking_strategy", "register_strategy", "strategy_class", "strategy_names"]

ENTRY_POINTS = "chunkwright.strategies"
"""The entry-point group in which a package announces its strategies: name = module:class."""

BuiltIn = Literal["fixed_size", "paragraph", "recursive", "semantic", "sentence", "structure", "structured"]

# Each is the class of this name in the module that is named like the strategy.
_BUILT_IN = {
    "fixed_size": "FixedSizeChunkingStrategy",
    "paragraph": "ParagraphChunkingStrategy",
    "recursive": "RecursiveChunkingStrategy",
    "semantic": "SemanticChunkingStrategy",
    "sentence": "SentenceChunkingStrategy",
    "structure": "StructureAwareChunker",
    "structured": "StructuredChunkingStrategy",
}
_registered: dict[str, type[BaseChunkingStrategy]] = {}


def register_strategy(name: str, cls: type[BaseChunkingStrategy]) -> None:
    """Make a strategy known by a name, in this process. A name that was registered before means the new class from now on.

    A package that is to be known wherever it is installed announces its classes in the entry-point group `chunkwright.strategies` instead.

    Raises
    ------
    SettingsError
        The name is one of this package's own, or the class is no `BaseChunkingStrategy`.
    """
    _registered[_free(name)] = _checked(cls, "cls")


def built_in_strategies() -> dict[str, type[NativeStrategy]]:
    """The strategies of this package, by name."""
    return {name: _built_in(name) for name in _BUILT_IN}


def _built_in(name: str) -> type[NativeStrategy]:
    """Modules are loaded when their strategy is asked for."""
    found: type[NativeStrategy] = getattr(import_module(f"chunkwright.{name}"), _BUILT_IN[name])
    return found


def strategy_names() -> tuple[str, ...]:
    """Names that `chunk` and `get_chunking_strategy` know."""
    return tuple(sorted({*_BUILT_IN, *_registered, *_announced()}))


def is_known(name: object) -> bool:
    """Whether a strategy has this name; other packages are only asked if none of this package has."""
    return isinstance(name, str) and (name in _BUILT_IN or name in _registered or name in _announced())


def strategy_class(name: str) -> type[BaseChunkingStrategy]:
    """The class of a strategy.

    Raises
    ------
    ValueError
        Unknown name (the message lists the known ones), or another package's class that cannot be loaded.
    """
    if not is_known(name):
        known = ", ".join(strategy_names())
        raise ValueError(f"Unknown chunking strategy {name!r}: known are {known}")
    found = _built_in(name) if name in _BUILT_IN else _registered.get(name)
    if found is not None:
        return found
    entry = _announced()[name]
    try:
        loaded = entry.load()
    except Exception as error:
        raise ValueError(f"Chunking strategy {name!r} ({entry.value}) cannot be loaded: {error}") from error
    return _registered.setdefault(name, _checked(loaded, f"the entry point {name} = {entry.value}"))


@overload
def get_chunking_strategy(strategy_type: BuiltIn, params: Mapping[str, Any] | None = None) -> NativeStrategy: ...


@overload
def get_chunking_strategy(strategy_type: str, params: Mapping[str, Any] | None = None) -> BaseChunkingStrategy: ...


def get_chunking_strategy(strategy_type: str, params: Mapping[str, Any] | None = None) -> BaseChunkingStrategy:
    """Make the strategy of a name.

    Raises
    ------
    ValueError
        Unknown name (the message lists the known ones).
    SettingsError
        A parameter that the strategy does not have, or a bad value.
    """
    make = strategy_class(strategy_type)
    settings = _mapping(params)
    known = parameters(make)
    takes_any = any(each.kind is each.VAR_KEYWORD for each in known.values())
    for name, value in settings.items():
        if name not in known and not takes_any:
            has = ", ".join(known) or "no parameters"
            raise SettingsError(name, repr(value), f"left out: {strategy_type} has {has}")
    for name, each in known.items():
        needed = each.default is each.empty and each.kind not in {each.VAR_KEYWORD, each.VAR_POSITIONAL}
        if needed and name not in settings:
            raise SettingsError(name, "nothing", f"given: {strategy_type} has no default for it")
    return make(**settings)


def parameters(cls: type[BaseChunkingStrategy]) -> dict[str, inspect.Parameter]:
    """What a strategy's class takes, by name."""
    return dict(inspect.signature(cls).parameters)


def chunk(
    text: Document, strategy: str = "structure", *, document_id: str | None = None, **settings: Any
) -> list[_native.Chunk]:
    """Cut one document by a strategy's name: `chunk(text, max_tokens=256)`, `chunk(text, "sentence", target_size=300)`.

    For many documents make the strategy once (`get_chunking_strategy`, or its class) and use its `chunk_many`.

    Raises
    ------
    ValueError
        Unknown name (the message lists the known ones).
    SettingsError
        A parameter that the strategy does not have, or a bad value.
    DocumentError
        If the document is not text.
    """
    return get_chunking_strategy(strategy, settings).chunk(text, document_id=document_id)


def _announced() -> dict[str, EntryPoint]:
    """What installed packages announce. This package's own names stay its own."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow to load, and seldom needed

    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=ENTRY_POINTS):
        if entry.name in _BUILT_IN:
            message = (
                f"the entry point {entry.name} = {entry.value} is passed over: chunkwright has a strategy of that name"
            )
            warnings.warn(message, RuntimeWarning, stacklevel=3)
        else:
            found.setdefault(entry.name, entry)
    return found


def _mapping(params: Any) -> dict[str, Any]:
    if params is not None and not isinstance(params, Mapping):
        raise SettingsError("params", repr(params), "a mapping from names of parameters to values, or None")
    return dict(params or {})


def _free(name: Any) -> str:
    if not isinstance(name, str) or not name or name in _BUILT_IN:
        raise SettingsError("name", repr(name), f"a name other than {', '.join(_BUILT_IN)}")
    return name


def _checked(cls: Any, what: str) -> type[BaseChunkingStrategy]:
    if not (isinstance(cls, type) and issubclass(cls, BaseChunkingStrategy)):
        raise SettingsError(what, repr(cls), "a subclass of chunkwright.BaseChunkingStrategy")
    return cls
