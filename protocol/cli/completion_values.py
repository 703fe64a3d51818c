"""Dynamic shell completions: names of games, criteria, engine options.

Each function takes context, parameter and the incomplete word, as click's ``shell_complete`` passes them. Each
function imports what it needs when a shell calls it.
"""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from standstill.engine.common.errors import DefinitionError

TYPE_CHECKING = False  # older versions of click have no CompletionItem[str]
if TYPE_CHECKING:
    Items = list[CompletionItem[str]]

_PROGRAM = "standstill"


def games(context: click.Context, parameter: click.Parameter, begun: str) -> Items:
    """Names of variants, including those in the file that precedes them on the line."""
    from standstill.engine.variants.catalog import Catalog
    from standstill.engine.variants.variant import CHESS

    try:
        catalog = Catalog(context.params.get("path") or "")
    except DefinitionError:
        catalog = Catalog()
    found = [] if context.command.name in _BY_DEFINITION else [(CHESS.name, "")]
    found += [(game.name, game.description) for game in catalog]
    return [CompletionItem(name, help=text or None) for name, text in found if name.startswith(begun)]


_BY_DEFINITION = ("show", "perft", "moves")  # subcommands of `variants`, which exclude chess


def criteria(context: click.Context, parameter: click.Parameter, begun: str) -> Items:
    """Complete the last tie-break in a list of tie-breaks; yields whole lists."""
    from standstill.engine.archive.standings_text import TITLES

    before, comma, last = begun.rpartition(",")
    taken = before.split(",")
    return [CompletionItem(f"{before}{comma}{name}") for name in TITLES if name.startswith(last) and name not in taken]


def engine_options(context: click.Context, parameter: click.Parameter, begun: str) -> Items:
    """``NAME=`` for each option of this engine, and ``NAME=VALUE`` where the possible values are known."""
    if context.params.get("engine_command"):
        return []  # the options of an engine other than Standstill are unknown
    from standstill.engine.settings.options import find
    from standstill.engine.settings.table import OPTIONS

    name, equals, value = begun.partition("=")
    if equals:
        spec = find(name)
        values = () if spec is None else ("true", "false") if spec.kind == "check" else spec.choices
        return [CompletionItem(f"{name}={choice}") for choice in values if choice.startswith(value)]
    names = [spec.name.replace(" ", "") for spec in OPTIONS if spec.kind != "button"]
    return [CompletionItem(f"{known}=") for known in names if known.lower().startswith(name.lower())]


def engine_spec(context: click.Context, parameter: click.Parameter, begun: str) -> Items:
    """The next word of an ``--engine`` of `match`; options are completed if the engine is Standstill."""
    before, blank, last = begun.rpartition(" ")
    if last.startswith("option."):
        if _PROGRAM not in before:
            return []
        found = [f"option.{item.value}" for item in engine_options(context, parameter, last.removeprefix("option."))]
    else:
        found = [
            word
            for word in ("cmd=", "arg=", "name=", "proto=uci", "proto=xboard", "nodes=", "option.")
            if word.startswith(last)
        ]
    return [CompletionItem(f"{before}{blank}{word}") for word in found]
