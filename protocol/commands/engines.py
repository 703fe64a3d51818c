"""What commands share that let an engine look at games: its options, its start, the bar that shows how far it is."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console

from engine.annotate.source import Game

DEFAULT_NODES = 200_000

_OPTIONS = (
    click.option("--engine", "engine_command", metavar="COMMAND", help="Another engine than this one."),
    click.option("--protocol", type=click.Choice(["uci", "xboard"]), default="uci", show_default=True),
    click.option(
        "--option", "engine_options", multiple=True, metavar="NAME=VALUE", help="Set an option of the engine."
    ),
    click.option("--nodes", type=click.IntRange(1), help=f"Nodes for each search; {DEFAULT_NODES} without any limit."),
    click.option("--depth", type=click.IntRange(1, 245), help="Depth of each search."),
    click.option("--time", "seconds", type=click.FloatRange(0.001), help="Seconds for each search."),
    click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Engines at a time."),
)


def engine_options(command):
    """All of them, as a decorator."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def setup_of(options: dict):
    from engine.annotate.engines import Setup

    own = options["engine_command"] is None
    settings = {"Relevance_Position": "off"} if own else {}  # nobody reads its own lines here
    for text in options["engine_options"]:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise click.UsageError(f"expected --option NAME=VALUE, found {text!r}")
        settings[name.strip()] = value.strip()
    try:
        words = [] if own else shlex.split(options["engine_command"])
    except ValueError as error:
        raise click.UsageError(
            f"expected --engine with a command, found {options['engine_command']!r}: {error}"
        ) from None
    if not words and not own:
        raise click.UsageError("expected --engine with a command, found nothing")
    limits = {name: options[name] for name in ("nodes", "depth", "seconds")}
    if not any(limits.values()):
        limits["nodes"] = DEFAULT_NODES
    return Setup(tuple(words), "uci" if own else options["protocol"], settings, **limits)


@contextmanager
def progress_bar(games: list[Game], journal) -> Iterator[Callable[[], None]]:
    """A function to call after each position; it moves a bar if somebody sits at a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda: None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("positions"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left:"))
    with Progress(*columns, TimeRemainingColumn(), console=console) as bar:
        done = sum(len(positions) for positions in journal.found.values())
        task = bar.add_task("positions", total=sum(game.plies + 1 for game in games if game.plies), completed=done)
        yield lambda: bar.advance(task)
