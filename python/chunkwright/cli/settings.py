"""The settings that every command which chunks has in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

import chunkwright

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = TypeVar("Command", bound=Callable[..., Any])

STRATEGIES = ("structure",)
DEFAULT_TOKENIZER = "cl100k_base"


def tokenizer_option(command: Command) -> Command:
    """Give a command ``--tokenizer``."""
    return click.option(
        "--tokenizer", "tokenizer_name", metavar="NAME", default=DEFAULT_TOKENIZER, show_default=True,
        help="The encoding that tokens are counted in, for example o200k_base.",
    )(command)  # fmt: skip


def settings_options(command: Command) -> Command:
    """Give a command the chunker's settings as options."""
    options = [
        click.option("--strategy", type=click.Choice(STRATEGIES), default="structure", show_default=True,
                     help="How documents are cut."),
        click.option("--max-tokens", type=int, default=512, show_default=True, metavar="N",
                     help="The hard budget: no chunk has more tokens."),
        click.option("--overlap-tokens", type=int, default=64, show_default=True, metavar="N",
                     help="How much of a chunk of prose is said again at the start of the next one, at most."),
        click.option("--target-tokens", type=int, default=None, metavar="N",
                     help="A soft size below the budget: a chunk is closed once it has this many tokens."),
        tokenizer_option,
        click.option("--heading-template", default=None, metavar="TEXT",
                     help="The line in front of each chunk; {path} stands for its headings.  [default: 章节：{path}]"),
        click.option("--no-heading-prefix", is_flag=True, help="No line with the headings in front of the chunks."),
        click.option("--path-separator", default=" > ", show_default=True, metavar="TEXT",
                     help="What stands between the headings in {path}."),
    ]  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


def make_chunker(
    *,
    strategy: str,
    max_tokens: int,
    overlap_tokens: int,
    target_tokens: int | None,
    tokenizer_name: str,
    heading_template: str | None,
    no_heading_prefix: bool,
    path_separator: str,
) -> chunkwright.StructureAwareChunker:
    """The chunker that the options ask for.

    Raises
    ------
    click.UsageError
        A setting is out of its range; the message names setting, value and range.
    """
    if strategy not in STRATEGIES:
        raise click.UsageError(f"--strategy: {strategy!r} is none of {', '.join(STRATEGIES)}")
    if no_heading_prefix and heading_template is not None:
        raise click.UsageError("--heading-template and --no-heading-prefix exclude each other")
    settings: dict[str, Any] = {
        "max_tokens": max_tokens,
        "overlap_tokens": overlap_tokens,
        "target_tokens": target_tokens,
        "tokenizer_name": tokenizer_name,
        "path_separator": path_separator,
    }
    if no_heading_prefix:
        settings["heading_template"] = None
    elif heading_template is not None:
        settings["heading_template"] = heading_template
    try:
        return chunkwright.StructureAwareChunker(**settings)
    except (chunkwright.SettingsError, OverflowError) as error:
        raise click.UsageError(str(error)) from error
