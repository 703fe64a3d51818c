"""`standstill variants balance`: what the engine's own games say about a variant."""

from __future__ import annotations

import json
import math

import click

from standstill.engine.common.text import as_file_name, plural

from ...completion_values import games as known_games
from ...output import flush_output
from ..messages import warn
from ..options import FILE_HELP, jobs_option, json_option
from ..sessions import own_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.match.balance import Balance
    from standstill.engine.match.runner import Match, Record


@click.command()
@click.argument("name", shell_complete=known_games)
@click.option("--file", "path", default="", metavar="DEFINITIONS", help=FILE_HELP)
@click.option("--games", type=click.IntRange(1, 10**6), default=100, show_default=True, help="Number of games.")
@click.option("--nodes", type=click.IntRange(1), default=5000, show_default=True, help="Nodes for each move.")
@click.option(
    "--openings",
    metavar="FILE",
    help="EPD, FEN or PGN file, `random:SEED` or `start`, as in `match`. Default: random balanced openings.",
)
@click.option(
    "-o", "--output", "target", metavar="FILE", help="PGN file for the games, which is continued; default: NAME.pgn."
)
@jobs_option("games", default=0)
@click.option("--html", metavar="FILE", help="Also write the report as a web page to this file.")
@json_option("Print JSON: an object in a line for each game, and one with the statistics.")
def balance(  # noqa: PLR0917 (click passes them by name)
    name: str,
    path: str,
    games: int,
    nodes: int,
    openings: str | None,
    target: str | None,
    jobs: int,
    html: str | None,
    as_json: bool,
) -> int:
    """Let the engine play NAME against itself; print how games end.

    The report also says which side is better. The same command continues an interrupted measurement; with more
    --games it extends a finished one.

    Exit status: 0 done, 1 an engine failed in some game, 2 bad input, 130 interrupted.
    """
    from standstill.engine.archive.streams import check_apart, check_output
    from standstill.engine.common.errors import MatchError
    from standstill.engine.common.signals import unwind_on_signals
    from standstill.engine.match.balance import balance_of, balance_plan
    from standstill.engine.match.by_definition import kind_named
    from standstill.engine.match.runner import Match, check_engines, run
    from standstill.engine.variants.catalog import OWN_FILE, use_file

    from ..match import openings_of

    if path:
        use_file(path)
    kind = kind_named(name)
    target = target or f"{as_file_name(name)}.pgn"
    check_apart((path, target), {"--html": html})
    if html is not None:
        check_output(html)
    lines, scheme = openings_of(kind, openings, target, games)
    if not (program := own_program()):
        raise MatchError("expected the program standstill in a folder of PATH")
    plan = balance_plan(kind, lines, scheme, games, nodes, program, path or OWN_FILE)
    unwind_on_signals()  # so that an interruption stops the engines
    with Match(plan, target) as match:
        try:
            check_engines(match.plan)
            progress = Progress(match, as_json)
            progress.begin()
            run(match, jobs, progress.tell)
        except KeyboardInterrupt:
            click.echo("interrupted: give the same command again to continue", err=True)
            return 130
        report(match, balance_of(match), nodes, html, as_json)
        return 1 if match.faults else 0


def report(match: Match, found: Balance, nodes: int, html: str | None, as_json: bool) -> None:
    """Print the statistics, and write the page if one is wanted."""
    if html is not None:
        write_page(match, found, html, nodes)
    if as_json:
        click.echo(json.dumps({"balance": found.view(), "repeated": match.repeated}))
    else:
        show(found, len(match.done))
    if match.repeated:
        what = f"{match.repeated} of {len(match.done)} games repeat others move by move"
        warn(f"{what}: the intervals assume different games, so give more --openings")


def write_page(match: Match, found: Balance, path: str, nodes: int) -> None:
    """Write the report as a web page."""
    from standstill.engine.archive.standings import WHITE_SHARE
    from standstill.engine.common.atomic_files import write_whole
    from standstill.engine.web.workshop.balance_report import balance_page

    scores = [float(WHITE_SHARE[match.done[number].outcome.result]) for number in sorted(match.done)]
    limit = f"{nodes:,} {plural(nodes, 'node')} for each move"
    write_whole(path, balance_page(match.plan.kind.game, found, scores, limit, match.repeated))


class Progress:
    """Prints a line for every game. as_json: print JSON objects, the first of them before the games."""

    def __init__(self, match: Match, as_json: bool = False):
        self._match = match
        self._as_json = as_json

    def begin(self) -> None:
        if self._as_json:
            self._print_json()

    def _print_json(self) -> None:
        line = {"played": len(self._match.done), "of": len(self._match.plan.games), "tally": self._match.tally}
        click.echo(json.dumps({**line, "faults": sum(self._match.faults.values())}))
        flush_output()

    def tell(self, record: Record) -> None:
        if self._as_json:
            self._print_json()
            return
        click.echo(f"{len(self._match.done)}/{len(self._match.plan.games)}: {self.words(record)}")
        flush_output()

    def words(self, record: Record) -> str:
        """Return the game that has just ended, and what all games show so far."""
        white, drawn, black = self._match.tally
        so_far = f"White {white}, drawn {drawn}, Black {black}"
        return f"{record.outcome.result} ({record.termination}); {so_far}"


def show(found: Balance, games: int) -> None:
    """Print the statistics."""
    click.echo(f"\n{games} {plural(games, 'game')}")
    for what, share in zip(("White wins", "drawn", "Black wins"), found.results, strict=True):
        low, high = share.interval
        click.echo(f"{what:<12} {share.count:5}  {_percent(share.value)} [{_percent(low)}, {_percent(high)}]")
    error = "" if found.score.error is None else f" +- {100 * found.score.error:.1f}"
    click.echo(f"White scores {100 * found.score.mean:.1f} %{error}")
    decided = games - found.results[1].count
    click.echo(f"Decided      {decided:5}  {_percent(decided / games if games else 0)}")
    short, middle, long = found.plies
    click.echo(f"Length       {middle} half-moves (80 % of the games: {short} to {long})")
    click.echo("Endings")
    for text, count in found.endings.most_common():
        click.echo(f"  {count:5}  {_percent(count / games)}  {text}")
    click.echo("Pieces left at the end, White's and Black's")
    for letter, (white, black, _) in found.survivors.items():
        click.echo(f"  {letter}  {_percent(white)}  {_percent(black)}")


def _percent(value: float) -> str:
    return "     -" if math.isnan(value) else f"{100 * value:5.1f} %"
