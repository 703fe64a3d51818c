"""Shared parts of commands in which an engine evaluates games: its options, its setup, the progress bar."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypedDict

import click
from rich.console import Console
from rich.markup import escape

from standstill.engine.annotate.source import SourceGame
from standstill.engine.common.text import shown, visible
from standstill.engine.system.consoles import words_of

from .. import completion_values
from .options import DEPTHS, Function, jobs_option, name_and_value, scheduler_option
from .renamed import Duration

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from standstill.engine.annotate.engines import Setup
    from standstill.engine.annotate.journal import Journal
    from standstill.engine.annotate.workers import Progress

DEFAULT_NODES = 200_000


class EngineOptions(TypedDict):
    """Values of the options that ``engine_options`` adds to a command."""

    engine_command: str | None
    protocol: str
    engine_options: tuple[str, ...]
    nodes: int | None
    depth: int | None
    time_ms: int | None
    patience_ms: int | None
    jobs: int
    scheduler: str | None


_OPTIONS = (
    click.option("--engine", "engine_command", metavar="COMMAND", help="Use this engine instead of Standstill."),
    click.option(
        "--protocol",
        type=click.Choice(["uci", "xboard"]),
        default="uci",
        show_default=True,
        help="Protocol of --engine.",
    ),
    click.option(
        "--option",
        "engine_options",
        multiple=True,
        metavar="NAME=VALUE",
        shell_complete=completion_values.engine_options,
        help="Set an option of the engine; may be given more than once.",
    ),
    click.option(
        "--nodes", type=click.IntRange(1), help=f"Nodes for each search; default without any limit: {DEFAULT_NODES}."
    ),
    click.option("--depth", type=DEPTHS, help="Depth of each search."),
    click.option("--time", "time_ms", type=Duration("s"), help="Time for each search: 500ms, 10s."),
    click.option(
        "--patience",
        "patience_ms",
        type=Duration("s", least=1000),
        help="Time beyond --time after which a search by another engine counts as hanging. Default: 30s; without "
        "--time 30s for its first line and 5m for all.",
    ),
    jobs_option("engines", old="--workers"),
    scheduler_option,
)


def engine_options(command: Function) -> Function:
    """Decorate a command with all of these options."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def refuse_engine(options: EngineOptions, instead: str) -> None:
    """Raise UsageError for options that need an engine. instead: the source of evaluations that replaces the engine."""
    named = {
        "--engine": options["engine_command"],
        "--option": options["engine_options"],
        "--nodes": options["nodes"],
        "--depth": options["depth"],
        "--time": options["time_ms"],
        "--scheduler": options["scheduler"],
    }
    for name, given in named.items():
        if given:
            raise click.UsageError(f"{name} needs an engine: {instead}")


def setup_of(options: EngineOptions) -> Setup:
    from standstill.engine.annotate.engines import Setup

    command = options["engine_command"]
    own = command is None
    settings = {"Relevance_Position": "off"} if own else {}  # the engine's own lines about relevance are ignored here
    for text in options["engine_options"]:
        name, value = name_and_value(text)
        settings[name] = value
    try:
        words = [] if command is None else words_of(command)
    except ValueError as error:
        raise click.UsageError(f"expected --engine with a command, found {shown(command or '')}: {error}") from None
    if not words and not own:
        raise click.UsageError("expected --engine with a command, found an empty string")
    nodes, depth = options["nodes"], options["depth"]
    seconds = None if options["time_ms"] is None else options["time_ms"] / 1000
    if not (nodes or depth or seconds):
        nodes = DEFAULT_NODES
    patience = None if options["patience_ms"] is None else options["patience_ms"] / 1000
    return Setup(tuple(words), "uci" if own else options["protocol"], settings, nodes, depth, seconds, patience)


class _Unseen:
    """The display of the progress if standard error is not a terminal."""

    def advance(self) -> None:
        pass

    def waits(self, text: str) -> None:
        pass


class _Bar:
    """A progress bar. While an engine keeps the run waiting, a line above the bar names it."""

    def __init__(self, bar: RichProgress, task: TaskID):
        self._bar, self._task = bar, task

    def advance(self) -> None:
        self._bar.update(self._task, advance=1, description="positions")

    def waits(self, text: str) -> None:
        self._bar.update(self._task, description=escape(visible(text)))


@contextmanager
def progress_bar(games: list[SourceGame], journal: Journal) -> Iterator[Progress]:
    """Yield the display of the progress: on a terminal a bar."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Unseen()
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
    )
    with Progress(*columns, TimeRemainingColumn(), console=console) as bar:
        done = sum(len(positions) for positions in journal.found.values())
        task = bar.add_task("positions", total=sum(game.plies + 1 for game in games if game.plies), completed=done)
        yield _Bar(bar, task)
