"""`standstill match`: engines against one another under the rules of R-Mobility."""

from __future__ import annotations

import random
import signal
import sys

import click
from rich.console import Console
from rich.live import Live

from engine.errors import MatchError
from engine.match.by_definition import kind_named
from engine.match.openings import read_openings
from engine.match.referee import Rules
from engine.match.runner import Match, Plan, Record, check_engines, run
from engine.match.setup import TimeControl, named_apart, parse_clock, parse_engine
from engine.match.statistics import Sprt, elo, estimate, signed
from engine.rmobility.archive import Rules as ScoringRules
from engine.rmobility.goals import FIFTY_RULES
from engine.rmobility.standings import DEFAULT_ORDER

from ..definitions import definitions
from .standings import picture, show

SCORES = ("classical", "points", "record")


@click.command()
@click.option("--engine", "engines", multiple=True, required=True, metavar="SPEC", help="See above; twice or more.")
@click.option("--pgn", "path", required=True, metavar="FILE", help="Games go here; a match in it is continued.")
@click.option("--variant", default="chess", help="A game of `standstill variants list`.")
@definitions
@click.option("--openings", metavar="FILE", help="EPD, FEN or PGN; else the start position.")
@click.option("--opening-plies", type=click.IntRange(0), metavar="N", help="No more than so many moves of a PGN.")
@click.option("--shuffle", type=int, metavar="SEED", help="Take the openings in random order.")
@click.option("--rounds", type=click.IntRange(1, 10**6), default=1, show_default=True, help="Openings a pair plays.")
@click.option("--gauntlet", is_flag=True, help="The first engine against all others, instead of all against all.")
@click.option("--nodes", type=click.IntRange(1), help="Nodes a move.")
@click.option("--depth", type=click.IntRange(1, 245), help="Depth of a move.")
@click.option("--movetime", type=click.IntRange(1, 10**7), help="Milliseconds a move.")
@click.option("--clock", metavar="S+INC", help="A clock, in seconds: 2+0.02.")
@click.option("--concurrency", type=click.IntRange(1, 512), default=1, show_default=True, help="Games at a time.")
@click.option("--fifty", type=click.Choice(FIFTY_RULES), default="fide", show_default=True, help="The 50-move rule.")
@click.option("--dead-draw", is_flag=True, help="Insufficient material ends games, as in classical chess.")
@click.option("--patience", type=click.FloatRange(1), default=60.0, show_default=True, help="Seconds before it hangs.")
@click.option("--margin", type=click.IntRange(0), default=100, show_default=True, help="Milliseconds of overrun.")
@click.option("--sprt", metavar="ELO0,ELO1", help="Stop when one is accepted (two engines; errors 5 % each).")
@click.option("--sprt-score", type=click.Choice(SCORES), default="classical", show_default=True, help="What counts.")
@click.option("--order", default=",".join(DEFAULT_ORDER), show_default=True, help="Of the table, as in standings.")
@click.option("--table", "every", type=click.IntRange(1), metavar="N", help="Show the table after every N games, too.")
@click.option("--event", default="R-Mobility match", show_default=True)
def command(  # noqa: PLR0917
    engines: tuple[str, ...],
    path: str,
    variant: str,
    openings: str | None,
    opening_plies: int | None,
    shuffle: int | None,
    rounds: int,
    gauntlet: bool,
    nodes: int | None,
    depth: int | None,
    movetime: int | None,
    clock: str | None,
    concurrency: int,
    fifty: str,
    dead_draw: bool,
    patience: float,
    margin: int,
    sprt: str | None,
    sprt_score: str,
    order: str,
    every: int | None,
    event: str,
) -> int:
    """Let engines play under the rules of R-Mobility: with kings alone the game goes on, and records are kept.

    SPEC is a command (its words split as by a shell), or words such as

        cmd=./standstill name=Ours proto=uci arg=-x option.RMobility=Decisive nodes=1000

    Each opening is played twice, colours reversed. Engines that crash, hang or move illegally lose the game and are
    started again. The file of games says how far the match has come: the same command continues it.

    Exit status: 0 done, 1 an engine has failed in some game, 2 bad input.
    """
    specs = named_apart([parse_engine(text) for text in engines])
    if len(specs) < 2:
        raise click.UsageError("expected two engines or more")
    if sprt and len(specs) != 2:
        raise click.UsageError("a test is of two engines")
    kind = kind_named(variant)
    lines = read_openings(openings, opening_plies, kind) if openings else [kind.start]
    if shuffle is not None:
        random.Random(shuffle).shuffle(lines)
    plan = Plan(
        engines=tuple(specs),
        control=time_control(nodes, depth, movetime, clock),
        openings=tuple(lines),
        rounds=rounds,
        gauntlet=gauntlet,
        rules=Rules(plays_on=not dead_draw, fifty=fifty, patience_s=patience, start_s=patience, margin_s=margin / 1000),
        scoring=ScoringRules(fifty=fifty),
        event=event,
        kind=kind,
    )
    test = parse_sprt(sprt) if sprt else None
    names = tuple(name.strip() for name in order.split(",") if name.strip())
    signal.signal(signal.SIGINT, signal.default_int_handler)  # engines have to be stopped
    with Match(plan, path) as match:
        match.standings(names)  # a wrong name is said before anything is played
        check_engines(plan)
        if match.done:
            click.echo(f"{len(match.done)} games are there already, {len(match.left)} left")
        with Display(match, names, every) as display:
            verdict = run(match, concurrency, display.tell, test, sprt_score)
        summary(match, names, test, sprt_score, verdict)
        for name, number in match.faults.items():
            print(f"standstill: {name} failed in {counted(number)}", file=sys.stderr)
    sys.stdout.flush()
    return 1 if match.faults else 0


def time_control(nodes: int | None, depth: int | None, movetime: int | None, clock: str | None) -> TimeControl:
    if sum(limit is not None for limit in (nodes, depth, movetime, clock)) != 1:
        raise click.UsageError("expected one of --nodes, --depth, --movetime and --clock")
    if clock is None:
        return TimeControl(nodes, depth, None if movetime is None else movetime / 1000)
    return TimeControl(None, None, None, *parse_clock(clock))


def parse_sprt(text: str) -> Sprt:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        low = high = 0.0
    if not low < high:
        raise MatchError(f"expected two Elo differences such as 0,10, the lower first, found {text!a}")
    return Sprt(low, high)


class Display:
    """A line a game, and on a terminal the table below them, as it stands."""

    def __init__(self, match: Match, order: tuple[str, ...], every: int | None):
        self._match = match
        self._order = order
        self._every = every
        self._total = len(match.plan.games)
        console = Console(highlight=False, markup=False, soft_wrap=True)
        self._live = None
        if console.is_terminal and not console.is_dumb_terminal:
            self._live = Live(self._table(), console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> Display:
        if self._live is not None:
            self._live.start(refresh=True)
        return self

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            self._live.stop()

    def _table(self):
        return picture(self._match.standings(self._order))

    def tell(self, record: Record) -> None:
        outcome = record.outcome
        done = len(self._match.done)
        goal = f" {outcome.goal}" if outcome.goal is not None else ""
        line = (
            f"{done}/{self._total}: game {record.pairing.number}, {outcome.white} - {outcome.black} "
            f"{outcome.result}{goal} ({record.termination})"
        )
        if self._live is not None:
            self._live.console.print(line)
            self._live.update(self._table(), refresh=True)
            return
        click.echo(line)
        if self._every is not None and done % self._every == 0 and done < self._total:
            click.echo("")
            show(self._match.standings(self._order))
            click.echo("")
        sys.stdout.flush()


def counted(games: int) -> str:
    return "1 game" if games == 1 else f"{games} games"


def summary(match: Match, order: tuple[str, ...], test: Sprt | None, score: str, verdict: str | None) -> None:
    click.echo("")
    show(match.standings(order))
    click.echo("")
    engines = match.plan.engines
    for other in range(1, len(engines)):
        pairs = match.pairs(0, other, "classical")
        if not pairs:
            continue
        value, low, high = elo(pairs)
        points = estimate([share - 0.5 for share in match.pairs(0, other, "points")])
        held = estimate(match.pairs(0, other, "record"))
        error = "" if held.error is None else f" +- {100 * held.error:.1f}"
        click.echo(
            f"{engines[0].name} - {engines[other].name}, {len(pairs)} pairs: "
            f"Elo {signed(value, 1)} [{signed(low, 1)}, {signed(high, 1)}], "
            f"R-Mobility points a game {points}, records held {100 * held.mean:.1f} %{error}"
        )
    for name, number in match.late.items():
        click.echo(f"{name} lost {counted(number)} on time")
    if test is not None:
        low, high = test.bounds
        ratio = test.ratio(match.pairs(0, 1, score))
        said = {"H1": f"{test.elo1:g} Elo accepted", "H0": f"{test.elo0:g} Elo accepted", None: "not decided"}[verdict]
        click.echo(f"SPRT on {score}: {ratio:.2f} [{low:.2f}, {high:.2f}], {said}")
