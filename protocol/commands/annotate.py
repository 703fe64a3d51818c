"""`standstill annotate`: symbols for games, from an engine or from the evaluations that they bring along."""

import signal
import sys
from dataclasses import asdict
from pathlib import Path

import click

from engine import VERSION
from engine.annotate import relevance as model
from engine.annotate.judging import Position, Style, positions_of_comments
from engine.annotate.run import annotated, read
from engine.annotate.source import Game
from engine.annotate.symbols import LAST_COMMON_NAG
from engine.errors import MovetextError
from engine.pgn.files import check_output, display_name, open_input, open_output
from engine.pgn.games import read_games

from .engines import engine_options, progress_bar, setup_of
from .relevance import x05_option

OFF = "off"


@click.command()
@click.argument("source", metavar="IN.pgn")
@click.option("-o", "--output", required=True, metavar="OUT.pgn", help="The annotated games; - is standard output.")
@click.option("--from-comments", is_flag=True, help="Use evaluations that are in the file; no engine.")
@engine_options
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
@click.option("--report", metavar="OUT.html", help="Write a page with boards, curves and figures as well.")
@click.option("--title", help="Of the report; otherwise the name of the input.")
@click.option("--copy-damaged", is_flag=True, help="Copy games that cannot be read instead of giving up.")
def command(source: str, output: str, **options) -> int:
    """Write the games of IN.pgn to OUT.pgn with symbols for moves and positions.

    A run that was interrupted goes on where it was when the same command is given again. Names may end in .gz, .bz2
    or .zst.
    """
    style = style_of(options)
    check_files({"IN.pgn": source, "OUT.pgn": output, "OUT.html": options["report"]})
    if options["from_comments"]:
        return from_comments(source, output, style, options)
    return with_engine(source, output, style, options)


def check_files(paths: dict[str, str | None]) -> None:
    """What is written must not replace what is read, and must be possible before hours are spent on it."""
    known: dict[Path, str] = {}
    for name, path in paths.items():
        if path in {None, "-"}:
            continue
        other = known.setdefault(Path(path).resolve(), name)
        if other != name:
            raise click.UsageError(f"{other} and {name} are the same file")
        if name != "IN.pgn":
            check_output(path)


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


class Report:
    """Annotates games, and keeps what the page about them needs if there is to be one."""

    def __init__(self, path: str | None, title: str, style: Style):
        self._path = path
        self._title = title
        self._style = style
        self._games: list[tuple] = []

    def take(self, game: Game, positions: list[Position]) -> str:
        """The annotated text of the game."""
        text, found, notes = annotated(game, positions, self._style)
        if self._path is not None:
            self._games.append((game, found, notes))
        return text

    def write(self) -> None:
        if self._path is None:
            return
        from engine.annotate.report import Annotated, page

        text = page(self._title, [Annotated(*found) for found in self._games], self._style)
        with open_output(self._path) as out:
            out.write(text.encode("utf-8"))


def from_comments(source: str, output: str, style: Style, options: dict) -> int:
    faults = Faults(source, options["copy_damaged"])
    pages = Report(options["report"], options["title"] or Path(display_name(source)).name, style)
    with open_input(source) as stream, open_output(output) as out:
        for game in read(read_games(stream)):
            faults.look_at(game)
            text = game.text
            if game.plies:
                text = pages.take(game, positions_of_comments(game.movetext))
            out.write(text.encode("latin-1"))
        pages.write()
    return faults.status()


def with_engine(source: str, output: str, style: Style, options: dict) -> int:
    from engine.annotate.crew import analyse
    from engine.annotate.journal import Journal, identity

    if output == "-":
        raise click.UsageError("an engine's work needs a file to go on with after an interruption: expected -o OUT.pgn")
    faults = Faults(source, options["copy_damaged"])
    pages = Report(options["report"], options["title"] or Path(display_name(source)).name, style)
    with open_input(source) as stream:
        games = list(read(read_games(stream)))
    for game in games:
        faults.look_at(game)
    setup = setup_of(options)
    # What the findings depend on; symbols and what else is written can be changed between two runs.
    scope = (style.move_scheme is None, style.skip_book, style.skip_forced)
    engine = (VERSION, asdict(setup))
    journal = Journal(Path(f"{output}.progress"), identity([game.text for game in games], engine, scope))
    if journal.foreign:
        raise click.UsageError(f"{journal.path} belongs to another run: give its command again, or remove the file")
    # The terminal and the engines have to be put in order when somebody interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    journal.start()
    try:
        found = analyse(games, setup, style, journal, options["workers"], lambda: progress_bar(games, journal))
    except KeyboardInterrupt:
        print("interrupted: the same command goes on from here", file=sys.stderr)
        return 130
    finally:
        journal.close()
    with open_output(output) as out:
        for game in games:
            text = game.text
            if game.plies:
                text = pages.take(game, found[game.number])
            out.write(text.encode("latin-1"))
        pages.write()
    journal.remove()
    return faults.status()
