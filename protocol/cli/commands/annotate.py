"""`standstill annotate` adds symbols to games, from an engine or from evaluations in their comments."""

import contextlib
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Unpack

import click

from standstill.engine import VERSION
from standstill.engine.annotate.attribution import Attribution, of_comments, of_engine
from standstill.engine.annotate.run import annotated, read
from standstill.engine.annotate.source import SourceGame
from standstill.engine.annotate.summary import Summary
from standstill.engine.annotate.verdicts import ALL_MOVE_SCHEMES, JudgedPosition, Style, positions_of_comments
from standstill.engine.archive.pgn import read_games
from standstill.engine.archive.streams import check_apart, check_output, is_converted, open_input, open_output
from standstill.engine.common.atomic_files import descriptor, is_device
from standstill.engine.common.errors import MovetextError
from standstill.engine.common.signals import unwind_on_signals
from standstill.engine.relevance import model, trainer
from standstill.engine.relevance.nags import LAST_COMMON_NAG
from standstill.engine.relevance.presets import OWN, PEOPLE, STOCKFISH, UNKNOWN

from .engine_options import EngineOptions, engine_options, progress_bar, refuse_engine, setup_of
from .messages import converted, in_game, warn
from .options import cluster
from .relevance import Parameter

OFF = "off"


class AnnotateOptions(EngineOptions):
    """Values of the command's options."""

    from_comments: bool
    x05: float | None
    position_scheme: str
    move_scheme: str
    only_moves: bool
    only_positions: bool
    position_on: str
    max_nag: str
    write_eval: bool
    write_goals: bool
    skip_book: int | None
    skip_forced: bool
    variation: int
    strip: bool
    copy_damaged: bool


@click.command()
@click.argument("source", metavar="IN.pgn")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUT.pgn",
    help="File for the annotated games; - is standard output, allowed only with --from-comments.",
)
@click.option("--from-comments", is_flag=True, help="Use the evaluations in the comments instead of an engine.")
@engine_options
@click.option(
    "--x05",
    type=Parameter(),
    help="Evaluation at which half of all games are won and half drawn; default: the engine's value"
    f" ({OWN.x05:.2f} for Standstill, {STOCKFISH.x05:.2f} for Stockfish since 15.1, {UNKNOWN.x05:.2f} for others;"
    f" {PEOPLE.x05:.2f} for games of people that another program has evaluated).",
)
@click.option(
    "--position-scheme",
    type=click.Choice([*model.POSITION_SCHEMES, OFF]),
    default=model.DEFAULT_POSITION_SCHEME,
    show_default=True,
    help="Scheme of the symbols for positions.",
)
@click.option(
    "--move-scheme",
    type=click.Choice([*ALL_MOVE_SCHEMES, OFF]),
    default=trainer.NAME,
    show_default=True,
    help="Scheme of the symbols for moves: trainer gives good ones only to moves that were hard to find; the others "
    "only compare evaluations.",
)
@click.option("--only-moves", is_flag=True, help="Write no symbols for positions.")
@click.option("--only-positions", is_flag=True, help="Write no symbols for moves.")
@click.option(
    "--position-on",
    type=click.Choice(["change", "every", "end"]),
    default="change",
    show_default=True,
    help="Where to write the symbols of positions: at changes, after every move, or at the end.",
)
@click.option("--max-nag", type=click.Choice([str(LAST_COMMON_NAG), "21"]), default="21", show_default=True,
              help="Highest NAG; 19 for programs that do not know $20 and $21.")  # fmt: skip
@click.option("--eval", "write_eval", is_flag=True, help="Write [%eval] after each move.")
@click.option("--rm", "write_goals", is_flag=True, help="Write [%rm] after moves that set an R-Mobility record.")
@click.option(
    "--skip-book",
    type=click.IntRange(0),
    metavar="N",
    help="Write no symbols in the first N moves or on moves marked as book.",
)
@click.option("--skip-forced", is_flag=True, help="Write no symbols for recaptures.")
@click.option(
    "--variation",
    type=click.IntRange(0, 24),
    default=0,
    metavar="N",
    help="Add N plies of the better line after each bad move.",
)
@click.option("--strip/--keep", default=False, help="Remove all comments, symbols and variations first.")
@click.option(
    "--copy-damaged/--no-damaged",
    default=True,
    help="Copy unreadable games unchanged (default), or stop at the first one.",
)
def command(source: str, output: str, **options: Unpack[AnnotateOptions]) -> int:
    """Add symbols for moves and positions to the games in a file.

    The games of IN.pgn are copied to OUT.pgn with their symbols. The tag Annotator names the engine, its limit, the day
    and x05. A summary goes to standard error.

    To continue an interrupted run, give the same command again. Files whose names end in .gz, .bz2, .zst or .xz are
    compressed.

    Exit status: 0 all games were read, 1 some games could not be read and were copied unchanged, 2 bad input.
    """
    if options["from_comments"]:
        refuse_engine(options, "--from-comments uses the evaluations in the file")
        if options["variation"]:
            raise click.UsageError("--variation needs an engine, which --from-comments does not use")
    unwind_on_signals()  # so that an interruption removes temporary files, stops engines and restores the terminal
    style = style_of(options)
    journal = None if options["from_comments"] or is_device(output) else progress_file(output)
    check_apart((source,), {"-o": output, "the file of its progress": journal})
    check_output(output)  # checked first, so that an invalid option does not waste hours of search
    if options["from_comments"]:
        return from_comments(source, output, style, options)
    with kept_progress(output) as progress:
        return with_engine(source, output, style, options, progress)


def progress_file(output: str) -> str:
    """Path of the file in which an interrupted run keeps its findings; a finished run removes it."""
    return f"{output}.progress"


@contextlib.contextmanager
def kept_progress(output: str) -> Iterator[Path]:
    """Path of the progress file.

    If the output is a device such as /dev/null, the file is temporary, because such a run cannot be continued.
    """
    if not is_device(output):
        yield Path(progress_file(output))
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder, "progress")


def style_of(options: AnnotateOptions) -> Style:
    if options["only_moves"] and options["only_positions"]:
        raise click.UsageError("--only-moves and --only-positions exclude each other")
    position_scheme = None if options["only_moves"] or options["position_scheme"] == OFF else options["position_scheme"]
    move_scheme = None if options["only_positions"] or options["move_scheme"] == OFF else options["move_scheme"]
    return Style(
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
    """Reports games that cannot be read and are copied unchanged, or stops at the first one."""

    def __init__(self, source: str, copy: bool):
        self._source = source
        self._copy = copy
        self.count = 0

    def look_at(self, game: SourceGame) -> None:
        if game.fault is None:
            if game.note is not None:
                warn(f"{in_game(self._source, game.number)}: {game.note}")
            return
        message = f"{in_game(self._source, game.number, game.fault_ply)}: {game.fault}"
        if not self._copy:
            raise MovetextError(message)
        self.count += 1
        warn(message)

    def status(self) -> int:
        return 1 if self.count else 0


class Annotator:
    """Annotates games, and counts the findings."""

    def __init__(self, style: Style):
        self._style = style
        self._summary = Summary()

    def take(self, game: SourceGame, positions: list[JudgedPosition], attribution: Attribution) -> str:
        """The annotated text of the game."""
        found = annotated(game, positions, attribution, self._style)
        self._summary.add(found)
        return found.text

    def tell(self) -> None:
        """Print the summary on standard error."""
        for line in self._summary.lines():
            click.echo(line, err=True)


def from_comments(source: str, output: str, style: Style, options: AnnotateOptions) -> int:
    faults = Faults(source, options["copy_damaged"])
    annotator = Annotator(style)
    with open_input(source) as stream, open_output(output) as out:
        if is_converted(stream):
            warn(converted(source))
        for game in read(read_games(stream)):
            faults.look_at(game)
            text = game.text
            if game.plies:
                attribution = of_comments(game.movetext, options["x05"])
                text = annotator.take(game, positions_of_comments(game.movetext), attribution)
            out.write(text.encode("latin-1"))
    annotator.tell()
    return faults.status()


def with_engine(source: str, output: str, style: Style, options: AnnotateOptions, progress: Path) -> int:
    from standstill.engine.annotate.journal import Journal, identity
    from standstill.engine.annotate.workers import analyse

    if output == "-" or descriptor(output) is not None:
        raise click.UsageError("expected -o OUT.pgn with a file: an interrupted run cannot continue on standard output")
    faults = Faults(source, options["copy_damaged"])
    with open_input(source) as stream:
        if is_converted(stream):
            warn(converted(source))
        games = list(read(read_games(stream)))
    setup = setup_of(options)
    for game in games:
        if setup.command:
            game.refuse_unless_chess()
        faults.look_at(game)
    # The findings in the progress file depend on these options. All other options affect only the writing, so they
    # may change when a run is continued.
    scope = (style.move_scheme is None, style.skip_book, style.skip_forced)
    engine = (VERSION, setup.findings())
    journal = Journal(progress, identity([game.text for game in games], engine, scope))
    if journal.foreign:
        raise click.UsageError(
            f"{journal.path} belongs to another run: give the command of that run again, or remove the file"
        )
    journal.start()
    try:
        with cluster(options["scheduler"], options["jobs"]) as (executor, workers):
            found = analyse(games, setup, style, journal, workers, lambda: progress_bar(games, journal), executor)
    except KeyboardInterrupt:
        print("interrupted: give the same command again to continue", file=sys.stderr)
        return 130
    finally:
        journal.close()
    annotator = Annotator(style)
    attribution = of_engine(journal.engine or "", setup.limit(), date.today().isoformat(), options["x05"])
    with open_output(output) as out:
        for game in games:
            text = annotator.take(game, found[game.number], attribution) if game.plies else game.text
            out.write(text.encode("latin-1"))
    journal.remove()
    annotator.tell()
    return faults.status()
