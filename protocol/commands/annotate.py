"""`standstill annotate`: symbols for games, from an engine or from the evaluations that they bring along."""

import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console

from engine.annotate import relevance as model
from engine.annotate.judging import Style, positions_of_comments
from engine.annotate.run import annotated, read
from engine.annotate.source import Game
from engine.annotate.symbols import LAST_COMMON_NAG
from engine.errors import MovetextError, StandstillError
from engine.pgn.files import display_name, open_input, open_output
from engine.pgn.games import read_games

from .relevance import x05_option

OFF = "off"
DEFAULT_NODES = 200_000


@click.command()
@click.argument("source", metavar="IN.pgn")
@click.option("-o", "--output", required=True, metavar="OUT.pgn", help="The annotated games; - is standard output.")
@click.option("--from-comments", is_flag=True, help="Use evaluations that are in the file; no engine.")
@click.option("--engine", "engine_command", metavar="COMMAND", help="Another engine than this one.")
@click.option("--protocol", type=click.Choice(["uci", "xboard"]), default="uci", show_default=True)
@click.option("--option", "engine_options", multiple=True, metavar="NAME=VALUE", help="Set an option of the engine.")
@click.option("--nodes", type=click.IntRange(1), help="Nodes for each search; 200000 without any limit.")
@click.option("--depth", type=click.IntRange(1, 245), help="Depth of each search.")
@click.option("--time", "seconds", type=click.FloatRange(0.001), help="Seconds for each search.")
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Games at a time.")
@x05_option
@click.option(
    "--position-scheme",
    type=click.Choice([*model.POSITION_SCHEMES, OFF]),
    default=model.DEFAULT_POSITION_SCHEME,
    show_default=True,
)
@click.option(
    "--move-scheme", type=click.Choice([*model.MOVE_SCHEMES, OFF]), default=model.DEFAULT_MOVE_SCHEME, show_default=True
)
@click.option("--only-moves", is_flag=True, help="No symbols of positions.")
@click.option("--only-positions", is_flag=True, help="No symbols of moves.")
@click.option(
    "--position-on",
    type=click.Choice(["change", "every", "end"]),
    default="change",
    show_default=True,
    help="Which moves get the symbol of a position.",
)
@click.option("--max-nag", type=click.Choice([str(LAST_COMMON_NAG), "21"]), default="21", show_default=True,
              help="19 for programs that know no $20 and $21.")  # fmt: skip
@click.option("--eval", "write_eval", is_flag=True, help="Write [%eval] behind each move.")
@click.option("--rm", "write_goals", is_flag=True, help="Write [%rm] where a move sets an R-Mobility record.")
@click.option(
    "--skip-book", type=click.IntRange(0), metavar="N", help="No symbols in N moves and on moves marked book."
)
@click.option("--skip-forced", is_flag=True, help="No symbols for recaptures.")
@click.option("--variation", type=click.IntRange(0, 24), default=0, metavar="N", help="N plies of what was better.")
@click.option("--strip/--keep", default=False, help="Remove the comments, symbols and variations that are there.")
@click.option("--copy-damaged", is_flag=True, help="Copy games that cannot be read instead of giving up.")
def command(source: str, output: str, **options) -> int:
    """Write the games of IN.pgn to OUT.pgn with symbols for moves and positions.

    A run that was interrupted goes on where it was when the same command is given again. Names may end in .gz, .bz2
    or .zst.
    """
    style = style_of(options)
    if source != "-" and output != "-" and Path(source).resolve() == Path(output).resolve():
        raise click.UsageError("IN.pgn and OUT.pgn are the same file")
    if options["from_comments"]:
        return from_comments(source, output, style, options)
    return with_engine(source, output, style, options)


def style_of(options: dict) -> Style:
    if options["only_moves"] and options["only_positions"]:
        raise click.UsageError("--only-moves and --only-positions exclude each other")
    position_scheme = None if options["only_moves"] or options["position_scheme"] == OFF else options["position_scheme"]
    move_scheme = None if options["only_positions"] or options["move_scheme"] == OFF else options["move_scheme"]
    return Style(
        x05=options["x05"],
        position_scheme=position_scheme,
        move_scheme=move_scheme,
        positions=options["position_on"],
        max_nag=int(options["max_nag"]),
        write_eval=options["write_eval"],
        write_goals=options["write_goals"],
        strip=options["strip"],
        skip_book=options["skip_book"],
        skip_forced=options["skip_forced"],
        variation=options["variation"],
    )


class Faults:
    """What to do with games that cannot be read: give up with the first, or copy and count them."""

    def __init__(self, source: str, copy: bool):
        self._name = display_name(source)
        self._copy = copy
        self.count = 0

    def look_at(self, game: Game) -> None:
        if game.fault is None:
            return
        message = f"{self._name}: game {game.number}: {game.fault}"
        if not self._copy:
            raise MovetextError(message)
        self.count += 1
        print(message, file=sys.stderr)

    def status(self) -> int:
        return 1 if self.count else 0


def from_comments(source: str, output: str, style: Style, options: dict) -> int:
    faults = Faults(source, options["copy_damaged"])
    with open_input(source) as stream, open_output(output) as out:
        for game in read(read_games(stream)):
            faults.look_at(game)
            text = game.text
            if game.plies:
                text, _ = annotated(game, positions_of_comments(game.movetext), style)
            out.write(text.encode("latin-1"))
    return faults.status()


def with_engine(source: str, output: str, style: Style, options: dict) -> int:
    from engine.annotate.analysis import Analyst
    from engine.annotate.journal import Journal, identity
    from engine.annotate.run import analyse

    if output == "-":
        raise click.UsageError("an engine's work needs a file to go on with after an interruption: expected -o OUT.pgn")
    faults = Faults(source, options["copy_damaged"])
    with open_input(source) as stream:
        games = list(read(read_games(stream)))
    for game in games:
        faults.look_at(game)
    setup = setup_of(options)
    # What the findings depend on; symbols and what else is written can be changed between two runs.
    scope = (style.move_scheme is None, style.skip_book, style.skip_forced)
    journal = Journal(Path(f"{output}.progress"), identity([game.text for game in games], asdict(setup), scope))
    if journal.foreign:
        raise click.UsageError(f"{journal.path} belongs to another run: give its command again, or remove the file")
    # The terminal and the engines have to be put in order when somebody interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    journal.start()
    try:
        with progress_bar(games, journal) as tick:
            analyse(games, lambda: Analyst(setup), style, journal, options["workers"], tick)
    except KeyboardInterrupt:
        print("interrupted: the same command goes on from here", file=sys.stderr)
        return 130
    finally:
        journal.close()
    with open_output(output) as out:
        for game in games:
            text = game.text
            if game.plies:
                text, _ = annotated(game, journal.found[game.number], style)
            out.write(text.encode("latin-1"))
    journal.remove()
    return faults.status()


def setup_of(options: dict):
    from engine.annotate.analysis import Setup

    own = options["engine_command"] is None
    settings = {"Relevance_Position": OFF} if own else {}  # nobody reads its own lines here
    for text in options["engine_options"]:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise click.UsageError(f"expected --option NAME=VALUE, found {text!r}")
        settings[name.strip()] = value.strip()
    try:
        words = [own_command()] if own else shlex.split(options["engine_command"])
    except ValueError as error:
        raise click.UsageError(
            f"expected --engine with a command, found {options['engine_command']!r}: {error}"
        ) from None
    if not words:
        raise click.UsageError("expected --engine with a command, found nothing")
    limits = {name: options[name] for name in ("nodes", "depth", "seconds")}
    if not any(limits.values()):
        limits["nodes"] = DEFAULT_NODES
    return Setup(tuple(words), options["protocol"] if not own else "uci", settings, **limits)


def own_command() -> str:
    from .selfplay import executable

    path = executable()
    if path is None:
        raise StandstillError("cannot find the own executable: name an engine with --engine")
    return path


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
