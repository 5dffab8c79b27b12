"""The settings that every command which chunks has in common: options over a configuration file over the environment over defaults."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from chunkwright.config import ChunkingSettings
from chunkwright.errors import MissingExtraError, SettingsError
from chunkwright.strategy import built_in_strategies, get_chunking_strategy, parameters, strategy_class

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwright import BaseChunkingStrategy

    Command = TypeVar("Command", bound=Callable[..., Any])

DEFAULT_STRATEGY = "structure"
"""What the command does if neither an option, nor a file, nor the environment names a strategy."""

DEFAULT_TOKENIZER = "cl100k_base"

_ESCAPES = {"\\n": "\n", "\\r": "\r", "\\t": "\t", "\\\\": "\\"}


@dataclass(frozen=True)
class Setting:
    """A parameter of strategies as an option."""

    parameter: str
    flag: str
    kind: Any
    metavar: str
    meaning: str

    def option(self) -> Callable[[Command], Command]:
        """The option; its help says which strategies have it, and their defaults."""
        help_text = f"{self.meaning}  [{_defaults(self.parameter)}]"
        if self.kind is bool:
            return click.option(self.flag, self.parameter, default=None, help=help_text)
        many = self.parameter == "separators"
        return click.option(
            self.flag, self.parameter, type=self.kind, multiple=many,
            default=None, metavar=self.metavar, help=help_text,
        )  # fmt: skip


SETTINGS = (
    Setting("max_tokens", "--max-tokens", int, "N", "The hard budget: no chunk has more tokens."),
    Setting("overlap_tokens", "--overlap-tokens", int, "N",
            "How much of a chunk is said again at the start of the next one, at most."),
    Setting("tokenizer_name", "--tokenizer", str, "NAME",
            "The encoding that tokens are counted in, for example o200k_base."),
    Setting("target_tokens", "--target-tokens", int, "N",
            "A soft size below the budget: a chunk is closed once it has this many tokens."),
    Setting("heading_template", "--heading-template", str, "TEXT",
            "The line in front of each chunk; {path} stands for its headings."),
    Setting("path_separator", "--path-separator", str, "TEXT", "What stands between the headings in {path}."),
    Setting("chunk_size", "--chunk-size", int, "N", "The hard size in characters."),
    Setting("chunk_overlap", "--chunk-overlap", int, "N", "The overlap in characters."),
    Setting("separators", "--separator", str, "TEXT",
            r"What to cut behind; once for each, from large to small. \n, \r and \t are control characters."),
    Setting("target_size", "--target-size", int, "N", "The soft size in characters."),
    Setting("max_sentences_per_chunk", "--max-sentences-per-chunk", int, "N", "Most sentences in a chunk."),
    Setting("max_paragraphs_per_chunk", "--max-paragraphs-per-chunk", int, "N", "Most paragraphs in a chunk."),
    Setting("similarity_threshold", "--similarity-threshold", float, "X", "Below it the subject has changed."),
    Setting("min_chunk_size", "--min-chunk-size", int, "N", "The soft smallest size in characters."),
    Setting("max_chunk_size", "--max-chunk-size", int, "N", "The hard size in characters."),
    Setting("embedder", "--embedder", str, "NAME",
            "The model that tells what is similar: wordllama, model2vec:MODEL or sentence-transformers:MODEL."),
    Setting("max_chunk_chars", "--max-chunk-chars", int, "N", "The hard size in characters."),
    Setting("min_chunk_chars", "--min-chunk-chars", int, "N", "The soft smallest size in characters."),
    Setting("overlap_chars", "--overlap-chars", int, "N", "The overlap in characters."),
    Setting("weak_headings", "--weak-headings/--no-weak-headings", bool, "",
            "Whether lines that only look like headings are headings."),
)  # fmt: skip


def tokenizer_option(command: Command) -> Command:
    """Give a command ``--tokenizer``."""
    return click.option(
        "--tokenizer", "tokenizer_name", metavar="NAME", default=DEFAULT_TOKENIZER, show_default=True,
        help="The encoding that tokens are counted in, for example o200k_base.",
    )(command)  # fmt: skip


def settings_options(command: Command) -> Command:
    """Give a command the settings of all strategies as options."""
    options = [
        click.option("--strategy", default=None, metavar="NAME",
                     help=f"How documents are cut; `chunkwright strategies` lists them.  [default: {DEFAULT_STRATEGY}]"),
        click.option("--config", default=None, metavar="FILE", help="A TOML file with settings; options win over it."),
        *[setting.option() for setting in SETTINGS],
        click.option("--no-heading-prefix", is_flag=True,
                     help="No line with the headings in front of the chunks.  [structure]"),
        click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE",
                     help="Any parameter of the strategy, as JSON or text: for strategies of other packages."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def make_chunker(
    *,
    strategy: str | None,
    config: str | None,
    no_heading_prefix: bool,
    assignments: tuple[str, ...],
    **options: Any,
) -> BaseChunkingStrategy:
    """The strategy that options, configuration file and environment ask for.

    Raises
    ------
    click.UsageError
        An unknown strategy, an option that the strategy does not have, or a setting out of its range; the message names it.
    """
    try:
        settings = ChunkingSettings.read(config)
    except (ValueError, MissingExtraError) as error:
        raise click.UsageError(str(error)) from error
    name = strategy or (settings.default_strategy if "default_strategy" in settings.origins else DEFAULT_STRATEGY)
    given = {parameter: value for parameter, value in options.items() if value not in {None, ()}}
    if "separators" in given:
        given["separators"] = [
            re.sub(r"\\[nrt\\]", lambda found: _ESCAPES[found.group()], each) for each in given["separators"]
        ]
    if no_heading_prefix:
        if "heading_template" in given:
            raise click.UsageError("--heading-template and --no-heading-prefix exclude each other")
        given["heading_template"] = None
    _refuse_others(name, given)
    given |= dict(_assignment(each) for each in assignments)
    try:
        return get_chunking_strategy(name, {**settings.parameters(name), **given})
    except SettingsError as error:
        if error.setting not in given:
            error = SettingsError(settings.origin(name, error.setting), error.value, error.allowed)
        raise click.UsageError(str(error)) from error
    except (ValueError, OverflowError, MissingExtraError) as error:
        raise click.UsageError(str(error)) from error


def _refuse_others(name: str, given: dict[str, Any]) -> None:
    """Refuse options that the strategy does not have."""
    try:
        known = parameters(strategy_class(name))
    except ValueError as error:
        raise click.UsageError(f"--strategy: {error}") from error
    flags = {setting.parameter: setting.flag.partition("/")[0] for setting in SETTINGS}
    for parameter in given:
        if parameter not in known:
            has = ", ".join(flags[each] for each in known if each in flags) or "none of these options"
            raise click.UsageError(f"{flags[parameter]} is no option of the strategy {name}, which has {has}")


def _assignment(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.UsageError(f"--set: {text!r} is not NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _defaults(parameter: str) -> str:
    """Which strategies have a parameter, and their defaults: `default: 512 (sentence), 1024 (paragraph)`."""
    by_default: dict[Any, list[str]] = {}
    for name, cls in built_in_strategies().items():
        found = parameters(cls).get(parameter)
        if found is not None:
            by_default.setdefault(found.default, []).append(name)
    shown = [f"{_shown(default)} ({', '.join(names)})" for default, names in by_default.items() if default is not None]
    if shown:
        return f"default: {', '.join(shown)}"
    return ", ".join(name for names in by_default.values() for name in names)


def _shown(default: object) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return json.dumps(default) if isinstance(default, str) and default.strip() != default else str(default)
