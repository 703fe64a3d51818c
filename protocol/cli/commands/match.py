"""`standstill match` plays engine matches under the rules of R-Mobility."""

from __future__ import annotations

import random
from itertools import combinations
from math import inf
from typing import TypedDict, Unpack

import click
from rich.cells import cell_len
from rich.console import Console, Group
from rich.live import Live

from standstill.engine.archive.scoring_rules import ScoringRules
from standstill.engine.archive.standings import DEFAULT_ORDER
from standstill.engine.common.errors import MatchError
from standstill.engine.common.signals import unwind_on_signals
from standstill.engine.common.text import plural, visible
from standstill.engine.external.process import START_S
from standstill.engine.match.by_definition import kind_named
from standstill.engine.match.openings import read_openings
from standstill.engine.match.orthodox import CHESS
from standstill.engine.match.random_openings import begun_with, random_openings, recorded, scheme_of, seed_of
from standstill.engine.match.referee import MOVE_S, MatchRules
from standstill.engine.match.runner import Match, Plan, Record, check_engines, run
from standstill.engine.match.setup import EngineSpec, Opening, TimeControl, named_apart, parse_clock, parse_engine
from standstill.engine.match.statistics import Sprt, elo, estimate, signed
from standstill.engine.rmobility.goals import FIFTY_RULES
from standstill.engine.rmobility.scoring import komi_sentence

from ..completion_values import criteria, engine_spec
from ..output import flush_output
from ..painting import writable
from .messages import counting, passing, warn
from .options import DEPTHS, TABLES_HELP, cluster, game_options, jobs_option, listed, scheduler_option
from .renamed import Duration, Renamed
from .standings import pictures, show
from .tag import terms_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.archive.syzygy import Tables
    from standstill.engine.match.referee import Kind
    from standstill.engine.tablebases.adjudication import Adjudicator

RANDOM, FROM_START = "random:", "start"  # values of --openings that are not files
SCORES = ("classical", "points", "record")


class Judges(TypedDict, total=False):
    """Fields of ``MatchRules``."""

    adjudicator: Adjudicator
    dead_adjudicator: Adjudicator


class PlanOptions(TypedDict):
    """Values of the options that decide how games are played."""

    variant: str
    openings: str | None
    opening_plies: int | None
    shuffle: int | None
    rounds: int
    gauntlet: bool
    nodes: int | None
    depth: int | None
    time_ms: int | None
    clock: str | None
    fifty: str
    syzygy: tuple[str, ...]
    tables: tuple[str, ...]
    dead_draw: bool
    patience_ms: int | None
    margin_ms: int
    event: str
    komi: str | None
    cut_off: str | None
    dead_outcome: bool
    syzygy_wins: bool
    comments: bool


@click.command()
@click.option(
    "--engine",
    "engines",
    multiple=True,
    required=True,
    metavar="SPEC",
    shell_complete=engine_spec,
    help="An engine, as described above; give two or more of them.",
)
@click.option(
    "-o",
    "--output",
    "path",
    cls=Renamed,
    old="--pgn",
    required=True,
    metavar="FILE",
    help="PGN file for the games; a match that it contains is continued.",
)
@game_options()
@click.option(
    "--openings",
    metavar="FILE",
    help="EPD, FEN or PGN file; `random:SEED`: six random moves that leave the game balanced; `start`: the start "
    "position. Default: random openings, or the openings with which a file of games began.",
)
@click.option(
    "--opening-plies", type=click.IntRange(0), metavar="N", help="Take at most N half-moves of each PGN game."
)
@click.option("--shuffle", type=int, metavar="SEED", help="Play the openings in a random order.")
@click.option(
    "--rounds",
    type=click.IntRange(1, 10**6),
    default=1,
    show_default=True,
    help="Number of openings for each pair of engines.",
)
@click.option("--gauntlet", is_flag=True, help="Play only the games of the first engine against the others.")
@click.option("--nodes", type=click.IntRange(1), help="Nodes for each move.")
@click.option("--depth", type=DEPTHS, help="Depth for each move.")
@click.option(
    "--time",
    "time_ms",
    cls=Renamed,
    old="--movetime",
    unit="ms",
    type=Duration("ms", most=10**7),
    help="Time for each move: 100ms, 5s.",
)
@click.option("--clock", metavar="S+INC", help="Clock in seconds: 2+0.02.")
@jobs_option("games", old="--concurrency")
@scheduler_option
@click.option("--fifty", type=click.Choice(FIFTY_RULES), default="fide", show_default=True, help="The 50-move rule.")
@click.option(
    "--syzygy",
    multiple=True,
    metavar="DIR",
    help="Folder of Syzygy tables; may be given more than once. With `--fifty iccf` cursed wins count as wins.",
)
@click.option(
    "--tables", multiple=True, metavar="DIR", help=f"{TABLES_HELP} They adjudicate games whose outcome they contain."
)
@click.option(
    "--syzygy-wins",
    is_flag=True,
    help="A side wins at once when the tables of --syzygy show a win, regardless of the 50-move rule, as at TCEC.",
)
@click.option(
    "--dead-outcome",
    is_flag=True,
    help="With --dead-draw: give such games the record of best play, if R-Mobility tables contain it.",
)
@click.option("--dead-draw", is_flag=True, help="End games by insufficient material, as in classical chess.")
@click.option(
    "--patience",
    "patience_ms",
    type=Duration("s", least=1000),
    help="Time without an answer after which an engine counts as hanging. Default: 60s for a move, 30s at the start.",
)
@click.option(
    "--margin",
    "margin_ms",
    type=Duration("ms", least=0),
    default="100ms",
    show_default=True,
    help="Time by which a clock may be overrun.",
)
@click.option(
    "--sprt",
    metavar="ELO0,ELO1",
    help="Stop when the SPRT accepts one of the two hypotheses (two engines; error rates 5 %).",
)
@click.option(
    "--sprt-score", type=click.Choice(SCORES), default="classical", show_default=True, help="Score that the SPRT tests."
)
@click.option(
    "--order",
    default=",".join(DEFAULT_ORDER),
    show_default=True,
    shell_complete=criteria,
    help="Ranking criteria of the table, as in `standings`.",
)
@click.option("--table", "every", type=click.IntRange(1), metavar="N", help="Also print the table after every N games.")
@click.option("--komi", metavar="G", help="Decide drawn games by this komi: G3.75 or -G3.75.")
@click.option("--cut-off", metavar="G", help="This goal, such as G6.0, and all weaker ones are plain draws.")
@click.option(
    "--comments/--no-comments", default=True, help="Write score, depth and time of each move into the games (default)."
)
@click.option("--event", default="R-Mobility match", show_default=True, help="Event tag of the games.")
def command(  # noqa: PLR0917
    engines: tuple[str, ...],
    path: str,
    jobs: int,
    scheduler: str | None,
    sprt: str | None,
    sprt_score: str,
    order: str,
    every: int | None,
    **chosen: Unpack[PlanOptions],
) -> int:
    """Play matches between engines under the rules of R-Mobility.

    Games continue even with bare kings. SPEC is a command (its words are split as by a shell), or words such as

        cmd=./standstill name=Ours proto=uci arg=-x option.RMobility=Decisive nodes=1000

    Each opening is played twice, with colours reversed. An engine that crashes, hangs or makes an illegal move
    loses the game and is restarted. To continue an interrupted match, give the same command again.

    Exit status: 0 done, 1 an engine failed in some game, 2 bad input.
    """
    specs = named_apart([parse_engine(text) for text in engines])
    if len(specs) < 2:
        raise click.UsageError("expected two engines or more")
    if sprt and len(specs) != 2:
        raise click.UsageError("expected exactly two engines with --sprt")
    plan = plan_of(specs, chosen, path)
    test = parse_sprt(sprt) if sprt else None
    names = listed(order)
    unwind_on_signals()  # so that an interruption stops the engines
    with Match(plan, path) as match:
        match.standings(names)  # so that a wrong name is refused before any game is played
        try:
            with passing() as show:
                check_engines(plan, show)
            warn_of_fractions(plan)
            if match.done:
                click.echo(f"{counted(len(match.done))} already played, {len(match.left)} left")
            with Display(match, names, every) as display, cluster(scheduler, jobs) as (executor, count):
                verdict = run(match, count, display.tell, test, sprt_score, executor)
        except KeyboardInterrupt:
            click.echo("interrupted: give the same command again to continue", err=True)
            return 130
        summary(match, names, test, sprt_score, verdict)
        if match.repeated:
            what = f"{match.repeated} of {counted(len(match.done))} repeat others move by move"
            warn(f"{what}: the error bars assume different games, so give more --openings")
        for name, number in match.faults.items():
            warn(f"{name} failed in {counted(number)}")
    flush_output()
    return 1 if match.faults else 0


def plan_of(specs: list[EngineSpec], chosen: PlanOptions, path: str) -> Plan:
    """The rules, openings and limits that the options specify. Reads the file of openings.

    path: the file for the games; it may contain games of an earlier run with other openings.
    """
    kind = kind_named(chosen["variant"])
    if chosen["dead_outcome"] and not chosen["dead_draw"]:
        raise click.UsageError("--dead-outcome needs --dead-draw")
    patience_ms = chosen["patience_ms"]
    rules = MatchRules(
        plays_on=not chosen["dead_draw"],
        fifty=chosen["fifty"],
        tables=tables_of(chosen["syzygy"], chosen["fifty"], kind, at_once=chosen["syzygy_wins"]),
        tables_win=chosen["syzygy_wins"],
        **judges_of(chosen, kind),
        patience_s=MOVE_S if patience_ms is None else patience_ms / 1000,
        start_s=START_S if patience_ms is None else patience_ms / 1000,
        margin_s=chosen["margin_ms"] / 1000,
        terms=terms_from(chosen["komi"], chosen["cut_off"]),
    )
    scheme = scheme_wanted(chosen["openings"], path)
    lines = [kind.start]
    if scheme:
        with counting("preparing openings", chosen["rounds"]) as tell:
            lines = random_openings(kind, chosen["rounds"], seed_of(scheme), rules, tell)
        if begun_with(path):
            for at, opening in recorded(path, kind, len(specs), chosen["rounds"], chosen["gauntlet"]).items():
                lines[at] = opening
    elif chosen["openings"] and chosen["openings"] != FROM_START:
        lines = read_openings(chosen["openings"], chosen["opening_plies"], kind, rules)
    if chosen["shuffle"] is not None:
        random.Random(chosen["shuffle"]).shuffle(lines)
    return Plan(
        engines=tuple(specs),
        control=time_control(specs, chosen),
        openings=tuple(lines),
        rounds=chosen["rounds"],
        gauntlet=chosen["gauntlet"],
        rules=rules,
        scoring=ScoringRules(fifty=chosen["fifty"]),
        event=chosen["event"],
        comments=chosen["comments"],
        kind=kind,
        scheme=scheme,
    )


def openings_of(kind: Kind, openings: str | None, path: str, rounds: int) -> tuple[list[Opening], str]:
    """The openings of the games, and the name of their scheme if they are random. kind: the rules of the game."""
    scheme = scheme_wanted(openings, path)
    if scheme:
        with counting("preparing openings", rounds) as tell:
            lines = random_openings(kind, rounds, seed_of(scheme), tell=tell)
        for at, opening in (recorded(path, kind, 2, rounds, gauntlet=False) if begun_with(path) else {}).items():
            lines[at] = opening
        return lines, scheme
    return (read_openings(openings, None, kind) if openings and openings != FROM_START else [kind.start]), ""


def scheme_wanted(openings: str | None, path: str) -> str:
    """The scheme of random openings, or an empty text for a file. A match that is continued keeps its scheme."""
    begun = begun_with(path)
    if openings is None:
        return scheme_of(random.randrange(10**6)) if begun is None else begun
    if openings.startswith(RANDOM):
        seed = openings.removeprefix(RANDOM)
        if not (seed.isascii() and seed.isdigit() and len(seed) <= 9):
            raise click.UsageError(f"expected a seed of up to 9 digits, such as {RANDOM}123, found {openings!a:.40}")
        return scheme_of(int(seed))
    return ""


def tables_of(folders: tuple[str, ...], fifty: str, kind: Kind, *, at_once: bool) -> Tables | None:
    """The referee's endgame tables. at_once: whether the tables end a game as soon as they contain its position."""
    if not folders:
        if at_once:
            raise click.UsageError("--syzygy-wins needs --syzygy")
        return None
    if not (at_once or fifty == "iccf") or kind is not CHESS:
        raise click.UsageError("--syzygy needs --fifty iccf or --syzygy-wins, and orthodox chess")
    from standstill.engine.archive.syzygy import Tables

    return Tables(*folders)


def judges_of(chosen: PlanOptions, kind: Kind) -> Judges:
    """The referee's R-Mobility tables, for all games or for those that insufficient material ends."""
    folders, at_death = chosen["tables"], chosen["dead_outcome"]
    if not folders and not at_death:
        return {}
    if kind is not CHESS or (chosen["dead_draw"] and not at_death):
        need = "--dead-outcome" if at_death else "--tables"
        raise click.UsageError(f"{need} needs orthodox chess{'' if at_death else ' without --dead-draw'}")
    from standstill.engine.tablebases.adjudication import OWN, Adjudicator

    adjudicator = Adjudicator(folders or (OWN,))
    return {"dead_adjudicator": adjudicator} if at_death else {"adjudicator": adjudicator}


def time_control(specs: list[EngineSpec], chosen: PlanOptions) -> TimeControl:
    """The limit of a move. The limit may be missing if each engine has its own."""
    nodes, depth, time_ms, clock = (chosen["nodes"], chosen["depth"], chosen["time_ms"], chosen["clock"])
    given = sum(limit is not None for limit in (nodes, depth, time_ms, clock))
    own = [spec.nodes for spec in specs if spec.nodes is not None]
    if given == 0 and len(own) == len(specs):
        return TimeControl(max(own))
    if given != 1:
        raise click.UsageError("expected one of --nodes, --depth, --time and --clock, or nodes=N for each engine")
    if clock is None:
        return TimeControl(nodes, depth, None if time_ms is None else time_ms / 1000)
    return TimeControl(None, None, None, *parse_clock(clock))


def warn_of_fractions(plan: Plan) -> None:
    """Warn that XBoard's protocol takes only whole seconds for a move.

    PolyGlot silently reads ``st 0.5`` as 0 seconds.
    """
    move_s = plan.control.move_s
    if move_s is None or move_s.is_integer():
        return
    for spec in plan.engines:
        if spec.protocol == "xboard" and spec.nodes is None:
            short = f"{spec.name} may take {move_s:g} s for {int(move_s)} s"
            warn(f"{short}: XBoard's protocol takes only whole seconds for a move")


def parse_sprt(text: str) -> Sprt:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        low = high = 0.0
    if not -inf < low < high < inf:
        raise MatchError(f"expected two Elo differences such as 0,10, the lower first, found {text!a}")
    return Sprt(low, high)


class Display:
    """Prints a line for each game; on a terminal also the current table below them."""

    def __init__(self, match: Match, order: tuple[str, ...], every: int | None):
        self._match = match
        self._order = order
        self._every = every
        self._total = len(match.plan.games)
        console = self._console = Console(highlight=False, markup=False, soft_wrap=True)
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

    def _table(self) -> Group:
        return Group(*pictures(self._match.standings(self._order), self._console.width))

    def tell(self, record: Record) -> None:
        outcome = record.outcome
        done = len(self._match.done)
        goal = f" {outcome.goal}" if outcome.goal is not None else ""
        line = visible(
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
        flush_output()


def counted(games: int) -> str:
    return f"{games} {plural(games, 'game')}"


def compare(match: Match, one: int, other: int) -> None:
    """Print the result of a match between two engines."""
    pairs = match.pairs(one, other, "classical")
    if not pairs:
        return
    value, low, high = elo(pairs)
    points = estimate([share - 0.5 for share in match.pairs(one, other, "points")])
    held = estimate(match.pairs(one, other, "record"))
    error = "" if held.error is None else f" +- {100 * held.error:.1f}"
    first, second = (match.plan.engines[at].name for at in (one, other))
    click.echo(
        f"{first} - {second}, {len(pairs)} {plural(len(pairs), 'pair')}: "
        f"Elo {signed(value, 1)} [{signed(low, 1)}, {signed(high, 1)}], "
        f"R-Mobility points a game {points}, records held {100 * held.mean:.1f} %{error}"
    )


def rating_list(match: Match) -> None:
    """Print the ratings of more than two engines, from all their games."""
    names = [writable(engine.name) for engine in match.plan.engines]
    found = sorted(zip(match.ratings(), names, strict=True), key=lambda entry: -entry[0][0])
    width = max(cell_len(name) for _, name in found)
    click.echo("\nRatings in Elo, with a mean of 0:")
    for place, ((value, error), name) in enumerate(found, 1):
        click.echo(f"{place:4}  {name}{' ' * (width - cell_len(name))} {signed(value, 1):>8} +- {error:.1f}")


def summary(match: Match, order: tuple[str, ...], test: Sprt | None, score: str, verdict: str | None) -> None:
    click.echo("")
    show(match.standings(order))
    used = {match.plan.rules.terms_of(opening) for opening in match.plan.openings}
    if said := komi_sentence(used, "tcec"):
        click.echo(f"\n{said}")
    click.echo("")
    for one, other in combinations(range(len(match.plan.engines)), 2):
        compare(match, one, other)
    if len(match.plan.engines) > 2:
        rating_list(match)
    white, drawn, black = match.tally
    if match.done:
        share = f"{100 * (white + drawn / 2) / len(match.done):.1f} %"
        click.echo(f"White {white}, drawn {drawn}, Black {black}: {share} for White")
    for name, number in match.late.items():
        click.echo(f"{name} lost {counted(number)} on time")
    if test is not None:
        low, high = test.bounds
        ratio = test.ratio(match.pairs(0, 1, score))
        said = {"H1": f"{test.elo1:g} Elo accepted", "H0": f"{test.elo0:g} Elo accepted", None: "undecided"}[verdict]
        click.echo(f"SPRT on {score}: {ratio:.2f} [{low:.2f}, {high:.2f}], {said}")
