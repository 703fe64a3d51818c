"""`standstill variants values`: what the pieces of a variant are worth, by the engine's own games."""

from __future__ import annotations

import json

import click

from standstill.engine.common.text import as_file_name, plural, shown

from ...completion_values import games as known_games
from ..messages import counting, warn
from ..options import FILE_HELP, jobs_option, json_option
from ..sessions import own_program
from .measuring import Progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.match.runner import Match, Record
    from standstill.engine.match.values import Values
    from standstill.engine.match.valuing import Measurement


@click.command()
@click.argument("name", shell_complete=known_games)
@click.option("--file", "path", default="", metavar="DEFINITIONS", help=FILE_HELP)
@click.option(
    "--pieces", default="", metavar="LETTERS", help="Measure only these pieces; the others keep their values."
)
@click.option("--unit", default="", metavar="LETTER", help="The piece that serves as the unit, in place of the pawn.")
@click.option("--games", type=click.IntRange(1, 10**6), default=500, show_default=True, help="Number of games.")
@click.option("--nodes", type=click.IntRange(1), default=5000, show_default=True, help="Nodes for each move.")
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    help="PGN file for the games, which is continued; default: NAME-values.pgn.",
)
@jobs_option("games", default=0)
@click.option("--write", is_flag=True, help="Put the values into DEFINITIONS. The rest of the file stays as it is.")
@click.option("--html", metavar="FILE", help="Also write the report as a web page to this file.")
@json_option("Print JSON: an object in a line for each game, and one with the values.")
def values(  # noqa: PLR0917 (click passes them by name)
    name: str,
    path: str,
    pieces: str,
    unit: str,
    games: int,
    nodes: int,
    target: str | None,
    jobs: int,
    write: bool,
    html: str | None,
    as_json: bool,
) -> int:
    """Measure what the pieces of NAME are worth.

    The engine plays itself from arrays in which one side lacks the piece, and the other side lacks pieces or pawns of
    about the same value. A pawn is the unit. The same command continues an interrupted measurement; with more
    --games it extends a finished one.

    Exit status: 0 done, 1 an engine failed in some game, or --write found no value, 2 bad input, 130 interrupted.
    """
    from standstill.engine.archive.streams import check_apart, check_output
    from standstill.engine.common.errors import MatchError
    from standstill.engine.common.signals import unwind_on_signals
    from standstill.engine.match.by_definition import kind_named
    from standstill.engine.match.runner import Match, check_engines, run
    from standstill.engine.match.valuing import Measurement
    from standstill.engine.variants.catalog import OWN_FILE, use_file

    if path:
        use_file(path)
    if write:
        check_own(name, path)
    target = target or f"{as_file_name(name)}-values.pgn"
    check_apart((path, target), {"--html": html})
    if html is not None:
        check_output(html)
    if not (program := own_program()):
        raise MatchError("expected the program standstill in a folder of PATH")
    measurement = Measurement(kind_named(name), pieces, unit)
    with counting("preparing openings", games) as tell:
        plan = measurement.plan(games, nodes, program, path or OWN_FILE, target, tell=tell)
    unwind_on_signals()  # so that an interruption stops the engines
    with Match(plan, target) as match:
        try:
            check_engines(match.plan)
            progress = ValuesProgress(measurement, match, as_json)
            progress.begin()
            run(match, jobs, progress.tell)
        except KeyboardInterrupt:
            click.echo("interrupted: give the same command again to continue", err=True)
            return 130
        found = measurement.values(match)
        if html is not None:
            write_page(measurement, found, html, nodes)
        written = write_values(measurement, found, path) if write else {}
        report(measurement, found, match.repeated, written if write else None, as_json)
        if write and not as_json:
            tell_written(measurement, written, path)
        return 1 if match.faults or (write and not written) else 0


def check_own(name: str, path: str) -> None:
    """Raise UsageError or MatchError unless the game stands in the user's file."""
    from standstill.engine.common.errors import MatchError
    from standstill.engine.common.text import shown_path
    from standstill.engine.match.by_definition import kind_named
    from standstill.engine.variants.catalog import load
    from standstill.engine.variants.definition import Definition

    if not path:
        raise click.UsageError("--write needs --file, because the built-in games are not changed")
    game = kind_named(name).game
    if not isinstance(game, Definition) or game not in load(path).games:
        raise MatchError(f"expected a game of {shown_path(path)}, found {shown(name, 40)}, which is built in")


def write_values(measurement: Measurement, found: Values, path: str) -> dict[int, int]:
    """Put the values into the definition file; return the written values by the numbers of their pieces."""
    import os

    from standstill.engine.common.atomic_files import write_whole
    from standstill.engine.common.regular_files import open_regular
    from standstill.engine.variants.workshop.stating import with_values

    numbers = measurement.numbers(found)
    if not numbers:
        return {}
    with open_regular(path) as file:
        data = file.read()
    changed, written = with_values(data, measurement.arrays.game, numbers, os.path.basename(path))
    write_whole(path, changed)
    return written


def tell_written(measurement: Measurement, written: dict[int, int], path: str) -> None:
    game = measurement.arrays.game
    words = ", ".join(f"{game.piece(number).letter}:{value}" for number, value in sorted(written.items()))
    if written:
        click.echo(f"\n{path} now has {words}. Measure again with another -o: the engine plays with these values now.")
    else:
        warn(
            f"nothing written: these games do not show what {measurement.arrays.unit_words} is worth; play more --games"
        )


def write_page(measurement: Measurement, found: Values, path: str, nodes: int) -> None:
    """Write the report as a web page."""
    from standstill.engine.common.atomic_files import write_whole
    from standstill.engine.web.workshop.values_report import values_page

    limit = f"{nodes:,} {plural(nodes, 'node')} for each move"
    write_whole(path, values_page(measurement.kind.game, found, measurement.arrays.order, limit))


class ValuesProgress(Progress):
    """Prints the values so far with every game."""

    def __init__(self, measurement: Measurement, match: Match, as_json: bool = False):
        super().__init__(match, as_json)
        self._measurement = measurement

    def words(self, record: Record) -> str:
        so_far = ", ".join(map(str, self._measurement.values(self._match).worths))
        return f"{self._measurement.words(record, self._match)}, {record.outcome.result}; {so_far}"


def report(
    measurement: Measurement, found: Values, repeated: int, written: dict[int, int] | None, as_json: bool
) -> None:
    """Print the values. written: the values that the file now has; None without --write."""
    order = measurement.arrays.order
    if as_json:
        game = measurement.arrays.game
        line: dict[str, object] = {"values": found.view(order), "repeated": repeated}
        if written is not None:
            line["written"] = {game.piece(number).letter: value for number, value in written.items()}
        click.echo(json.dumps(line))
    else:
        show(found, order)
    if repeated:
        what = f"{repeated} of {found.games} games repeat others move by move"
        warn(f"{what}: the intervals assume different games")


def show(found: Values, order: list[str]) -> None:
    """Print the values and the scores of the imbalances. order: as in ``words_of``."""
    from standstill.engine.match.values import words_of

    won, drawn, lost = found.results
    click.echo(f"\n{found.games} {plural(found.games, 'game')}: White {won}, drawn {drawn}, Black {lost}")
    click.echo(f"A side that is {found.unit} ahead scores {100 * found.pawn_score:.0f} %.")
    click.echo(
        f"\nPiece  value in centipawns ({found.unit} is {found.pawn}), 95 % interval; stated in the definition; games"
    )
    for each in found.worths:
        value = f"{'?':>14}" if each.value is None else f"{each.value:6.0f} +- {each.error:4.0f}"
        click.echo(f"  {each.label:<7}  {value}   {each.stated:5}  {each.games:5}")
        for doubt in each.doubts:
            click.echo(f"           {doubt}")
    click.echo("\nGames won, drawn and lost by the first side; its score, and the score that the values give")
    for trial in found.trials:
        won, drawn, lost = trial.results
        figures = f"{100 * trial.score:5.1f} %  {100 * trial.expected:5.1f} %"
        loud = "  contradicts the others" if trial.contradicts else ""
        click.echo(f"  {won:4} {drawn:4} {lost:4}  {figures}  {words_of(trial.imbalance, order)}{loud}")
