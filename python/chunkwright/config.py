"""Settings from the environment and from TOML files. Nothing is read before it is asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from chunkwright.errors import SettingsError

if TYPE_CHECKING:
    from chunkwright.base import BaseChunkingStrategy

__all__ = ["ChunkingSettings"]

PREFIX = "CHUNK_"
TABLE = "chunking"

PARAMETERS: dict[str, dict[str, str]] = {
    "fixed_size": {"chunk_size": "size", "chunk_overlap": "overlap"},
    "recursive": {"chunk_size": "size", "chunk_overlap": "overlap"},
    "sentence": {
        "target_size": "sentence_target_size",
        "max_sentences_per_chunk": "sentence_max_per_chunk",
    },
    "paragraph": {
        "target_size": "paragraph_target_size",
        "max_paragraphs_per_chunk": "paragraph_max_per_chunk",
    },
    "semantic": {
        "similarity_threshold": "semantic_similarity_threshold",
        "min_chunk_size": "semantic_min_chunk_size",
        "max_chunk_size": "semantic_max_chunk_size",
    },
    "structured": {
        "max_chunk_chars": "structured_max_chunk_chars",
        "min_chunk_chars": "structured_min_chunk_chars",
        "weak_headings": "structured_weak_headings",
        "overlap_chars": "structured_overlap_chars",
    },
}
"""Which setting a strategy's parameter is."""

_BOOLEANS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
_READERS: dict[str, Callable[[str], Any]] = {
    "int": int,
    "float": float,
    "bool": lambda text: _BOOLEANS[text.lower()],
    "str": str,
}


@dataclass(frozen=True)
class ChunkingSettings:
    """The defaults of an installation, from the environment and perhaps a TOML file.

    Each setting can be a variable of the environment, `CHUNK_` and its name in capitals (`CHUNK_SENTENCE_TARGET_SIZE`), and a key
    of the table `[chunking]` in a file, which wins. A file may also have a table for each strategy with any of its parameters
    (`[structure]`, `max_tokens = 256`), which wins over both. Ranges are those of the strategies' parameters.
    """

    size: int = 512
    overlap: int = 50
    default_strategy: str = "fixed_size"
    sentence_target_size: int = 512
    sentence_max_per_chunk: int = 10
    paragraph_target_size: int = 1024
    paragraph_max_per_chunk: int = 5
    semantic_similarity_threshold: float = 0.7
    semantic_min_chunk_size: int = 200
    semantic_max_chunk_size: int = 1000
    structured_max_chunk_chars: int = 800
    structured_min_chunk_chars: int = 0
    structured_weak_headings: bool = True
    structured_overlap_chars: int = 0
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, hash=False)
    origins: Mapping[str, str] = field(default_factory=dict, hash=False, repr=False, compare=False)

    @classmethod
    def read(
        cls, file: str | os.PathLike[str] | None = None, *, environ: Mapping[str, str] | None = None
    ) -> ChunkingSettings:
        """Read the environment, and a TOML file if one is named.

        Raises
        ------
        SettingsError
            A bad value (names the variable, or the file and the key, with value and allowed range), or a file that is not TOML.
        """
        values, origins = _from_environment(os.environ if environ is None else environ)
        tables: dict[str, Mapping[str, Any]] = {}
        if file is not None:
            tables = _toml(file)
            given = tables.pop(TABLE, {})
            origins |= {name: f"{file}: {TABLE}.{name}" for name in given}
            origins |= {f"{table}.{name}": f"{file}: {table}.{name}" for table in tables for name in tables[table]}
            origins |= {f"{table}.": f"{file}: {table}" for table in tables}
            values |= _known(given, origins)
        settings = cls(**values, tables=tables, origins=origins)
        settings.check()
        return settings

    def parameters(self, strategy: str) -> dict[str, Any]:
        """What these settings say about the parameters of a strategy."""
        own = {parameter: getattr(self, name) for parameter, name in PARAMETERS.get(strategy, {}).items()}
        return {**own, **self.tables.get(strategy, {})}

    def strategy(self, name: str | None = None) -> BaseChunkingStrategy:
        """The strategy of a name (None: the default one) with these settings.

        Raises
        ------
        ValueError
            Unknown name.
        SettingsError
            A bad value; see `read`.
        """
        from chunkwright.strategy import get_chunking_strategy  # noqa: PLC0415 - it needs this module

        name = self.default_strategy if name is None else name
        try:
            return get_chunking_strategy(name, self.parameters(name))
        except SettingsError as error:
            raise SettingsError(self.origin(name, error.setting), error.value, error.allowed) from error

    def check(self) -> None:
        """Try every setting.

        Raises
        ------
        SettingsError
            Names the variable, or the file and the key, with the value and the allowed range.
        """
        from chunkwright.strategy import is_known, strategy_names  # noqa: PLC0415 - it needs this module

        for name in self.tables:
            if not is_known(name):
                allowed = f"left out: tables are {TABLE}, {', '.join(strategy_names())}"
                raise SettingsError(self.origin(name, ""), "a table", allowed)
        if not is_known(self.default_strategy):
            allowed = f"one of {', '.join(strategy_names())}"
            raise SettingsError(self.origin("", "default_strategy"), repr(self.default_strategy), allowed)
        for name in dict.fromkeys([*PARAMETERS, *self.tables]):
            self.strategy(name)

    def origin(self, strategy: str, parameter: str) -> str:
        """Where the value of a strategy's parameter is from, or could be set: a variable, or a file and a key."""
        name = PARAMETERS.get(strategy, {}).get(parameter)
        own = self.origins.get(f"{strategy}.{parameter}")
        if own is not None or (name is None and parameter not in _KINDS):
            return own or parameter
        name = name or parameter
        return self.origins.get(name, PREFIX + name.upper())


_KINDS = {each.name: str(each.type) for each in fields(ChunkingSettings) if each.name not in {"tables", "origins"}}


def _from_environment(environ: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Values, and the variables that they are from. What cannot be read stays a text: the strategy that gets it says what is wrong."""
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for name, kind in _KINDS.items():
        text = environ.get(PREFIX + name.upper())
        if text is not None:
            values[name] = text
            origins[name] = PREFIX + name.upper()
            with suppress(ValueError, KeyError):
                values[name] = _READERS[kind](text.strip())
    return values, origins


def _toml(file: str | os.PathLike[str]) -> dict[str, Mapping[str, Any]]:
    # Only a configuration file needs these, and they are slow to load.
    from pathlib import Path  # noqa: PLC0415

    if sys.version_info >= (3, 11):
        import tomllib  # noqa: PLC0415
    else:
        import tomli as tomllib  # noqa: PLC0415

    try:
        tables: dict[str, Any] = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError("the configuration", str(file), f"a file that can be read: {error.strerror}") from error
    except ValueError as error:  # not UTF-8, or not TOML
        raise SettingsError("the configuration", str(file), f"TOML: {error}") from error
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise SettingsError(f"{file}: {name}", repr(table), f"in a table, such as [{TABLE}]")
    return tables


def _known(table: Mapping[str, Any], origins: Mapping[str, str]) -> dict[str, Any]:
    for name, value in table.items():
        if name not in _KINDS:
            raise SettingsError(origins[name], repr(value), f"left out: [{TABLE}] has {', '.join(_KINDS)}")
    return dict(table)
