"""`standstill games analyse`, `compare`: long analyses of stored games."""

from __future__ import annotations

import json
import math
from typing import TypedDict, Unpack

import click

from standstill.engine.clock.instants import instant_text
from standstill.engine.clock.units import LONGEST_MS
from standstill.engine.common.errors import GameError
from standstill.engine.common.limits import Limits
from standstill.engine.common.signals import unwind_on_signals
from standstill.engine.correspondence.analysis import (
    Finding,
    Node,
    Place,
    StoredAnalyst,
    board_at,
    findings,
    line_text,
    node_at,
    nodes_of,
    place_in,
    place_text,
    white_score_text,
)
from standstill.engine.correspondence.desk import Desk
from standstill.engine.correspondence.game import CorrespondenceGame, read_line
from standstill.engine.settings.options import Settings

from ...output import flush_output
from ..messages import warn
from ..options import DEPTHS, hash_option, threads_option
from ..renamed import Duration
from ..sessions import begin
from . import json_option, open_desk, zone_of, zone_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ply_option = click.option(
    "--ply", type=click.IntRange(0), help="Position after this many plies of the game; default: the current one."
)
line_option = click.option("--line", default="", metavar="MOVES", help="Moves to play from that position first.")


@click.command()
@click.argument("name", required=False)
@click.option(
    "--all", "everything", is_flag=True, help="Analyse all running games in turn, and let the tree of each game grow."
)
@click.option("--tag", metavar="WORD", help="Analyse the games with this tag in turn.")
@click.option("--engine", metavar="CMD", help="With --all or --tag: command of a UCI engine; default: this one.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="With --engine: an option of that engine."
)
@click.option(
    "--slice", "slice_ms", type=Duration("d", most=LONGEST_MS), help="With --all or --tag: time for each position; 1m."
)
@click.option("--report", is_flag=True, help="Print what the last analysis with --all or --tag has changed.")
@ply_option
@line_option
@click.option("--moves", default="", metavar="MOVES", help="Analyse each of these moves on its own: 'Nf6 d5 h6'.")
@click.option("--depth", type=DEPTHS, help="Depth to reach.")
@click.option(
    "--time",
    "time_ms",
    type=Duration("d", most=LONGEST_MS),
    help="Time for each position, with --all or --tag for all of them: 90s, 8h; default: until Ctrl-C.",
)
@click.option(
    "--lines", type=click.IntRange(1, 256), default=1, show_default=True, help="Number of best lines to search."
)
@threads_option()
@hash_option()
@json_option
@click.pass_obj
def analyse(  # noqa: PLR0917
    path: str | None,
    name: str | None,
    ply: int | None,
    line: str,
    moves: str,
    depth: int | None,
    time_ms: int | None,
    lines: int,
    threads: int | None,
    hash_mb: int | None,
    as_json: bool,
    **over: Unpack[Over],
) -> int:
    """Analyse a position of the game NAME, or all games in turn.

    Every finished depth is stored at once, so an interruption loses only the unfinished one. To continue with the last
    run's hash table, give the same command again. The analysed positions form a tree, which `show` prints.

    With --all or --tag the time goes to the games by their deadlines and by how much the last hour has changed them,
    and in each game to the position whose analysis is expected to change its value most. A report of the changes
    follows. An interruption loses only the analysis of the current position.
    """
    unwind_on_signals()
    if over["report"] or over["everything"] or over["tag"] is not None:
        return _over_games(path, name, {"Threads": threads, "Hash": hash_mb}, time_ms, as_json, over)
    name = _one_game(name, over)
    given = {"Threads": threads, "Hash": hash_mb, "MultiPV": lines}
    session = begin({option: value for option, value in given.items() if value is not None})
    seconds = None if time_ms is None else time_ms / 1000
    limits = Limits()
    limits.depth = depth
    limits.infinite = depth is None
    desk = open_desk(path)
    # --hash or engine.ini sets the size; otherwise it depends on the machine's memory.
    chosen = hash_mb is None and session.settings["Hash"] == Settings()["Hash"]
    analyst = StoredAnalyst(desk, name, session, choose_hash=chosen)
    game = analyst.game
    root = place_in(game, ply, line)
    places = [root]
    if moves:
        places = [Place(root.ply, (*root.line, move)) for move in candidates(game, root, moves)]
    status = 0
    nodes = []
    for place in places:
        if not as_json:
            show_start(desk, game, place)
            analyst.say = teller(game, place)
        try:
            nodes.append(analyst.run(place, limits, seconds))
        except KeyboardInterrupt:
            warn("interrupted: all finished depths are stored")
            status = 130
            break
    if as_json:
        click.echo(json.dumps([node_json(game, node) for node in nodes]))
    return status


class Over(TypedDict):
    """The options for analyses of many games."""

    everything: bool
    tag: str | None
    engine: str | None
    options: tuple[str, ...]
    slice_ms: int | None
    report: bool


def _one_game(name: str | None, over: Over) -> str:
    if name is None:
        raise click.UsageError("expected NAME, --all, --tag or --report")
    if over["engine"] is not None or over["options"] or over["slice_ms"] is not None:
        raise click.UsageError("expected --engine, --option and --slice only with --all or --tag")
    return name


def _over_games(  # noqa: PLR0917
    path: str | None, name: str | None, given: dict[str, int | None], time_ms: int | None, as_json: bool, over: Over
) -> int:
    from .long_analysis import run, show_report

    if name is not None:
        raise click.UsageError("expected NAME or one of --all, --tag and --report")
    if over["report"]:
        show_report(open_desk(path, reading=True), None, as_json)
        return 0
    known = {option: value for option, value in given.items() if value is not None}
    return run(path, over["tag"], over["engine"], over["options"], time_ms, over["slice_ms"], known, as_json)


def candidates(game: CorrespondenceGame, root: Place, text: str) -> list[str]:
    """The moves of one position, in UCI notation. Raises NotationError or IllegalMoveError."""
    board = board_at(game, root)
    return [read_line(board, word)[0] for word in text.replace(",", " ").split()]


def show_start(desk: Desk, game: CorrespondenceGame, place: Place) -> None:
    node = node_at(desk, game, place)
    title = place_text(game, place) or (f"after {game.last_move}" if game.sans and place.ply == len(game.moves) else "")
    click.echo(f"{game.head.name} {title}".rstrip() + (f", record {node.record}" if node and node.record else ""))
    if node and node.best:
        click.echo(f"  known to {finding_text(game, place, node.best)}")


def teller(game: CorrespondenceGame, place: Place) -> Callable[[Finding], None]:
    def tell(found: Finding) -> None:
        click.echo(f"  {finding_text(game, place, found)}")
        flush_output()

    return tell


def finding_text(game: CorrespondenceGame, place: Place, found: Finding) -> str:
    stm = board_at(game, place).stm
    parts = [
        f"depth {found.depth}",
        white_score_text(found.score, stm),
        *([found.symbol] if found.symbol else []),
        f"{found.nodes:,} nodes",
        line_text(game, place, found.pv),
    ]
    return "  ".join(parts)


def node_json(game: CorrespondenceGame, node: Node) -> dict[str, object]:
    best = node.best
    stm = board_at(game, node.place).stm
    return {
        "ply": node.place.ply,
        "line": list(node.place.line),
        "fen": node.fen,
        "record": node.record,
        "best": None if best is None else finding_json(best, stm),
    }


def finding_json(found: Finding, stm: int) -> dict[str, object]:
    return {
        "depth": found.depth,
        "rank": found.rank,
        "score": white_score_text(found.score, stm),
        "symbol": found.symbol,
        "nodes": found.nodes,
        "time_ms": found.time_ms,
        "pv": list(found.pv),
        "at": instant_text(found.at_ms),
        "run": found.run,
        "engine": found.engine,
    }


@click.command()
@click.argument("name")
@ply_option
@line_option
@zone_option
@json_option
@click.pass_obj
def compare(  # noqa: PLR0917 (by name)
    path: str | None, name: str, ply: int | None, line: str, zone: str | None, as_json: bool
) -> None:
    """Compare the stored analyses of one position.

    The last depth of every run is printed.
    """
    where = zone_of(zone)
    desk = open_desk(path, reading=True)
    game = desk.load(name)
    place = place_in(game, ply, line)
    node = node_at(desk, game, place)
    if node is None or node.best is None:
        raise GameError(f"no analysis of that position of {game.head.name}")
    last = {(found.run, found.rank): found for found in findings(desk, node.id)}
    deepest = {run: max(found.depth for (of, _), found in last.items() if of == run) for run, _ in last}
    runs = [found for found in last.values() if found.depth == deepest[found.run]]
    stm = board_at(game, place).stm
    if as_json:
        click.echo(json.dumps([finding_json(found, stm) for found in runs]))
        return
    click.echo(
        f"{game.head.name} {place_text(game, place)}".rstrip() + (f", record {node.record}" if node.record else "")
    )
    before: tuple[str, ...] = ()
    for found in runs:
        news = "  new best move" if before and found.rank == 1 and found.pv[:1] != before else ""
        click.echo(f"{instant_text(found.at_ms, where)}  {finding_text(game, place, found)}{news}")
        if found.rank == 1:
            before = found.pv[:1]


def best_first(nodes: list[Node]) -> list[Node]:
    """The tree with the moves of each position ordered by score; moves without a score come last."""
    scores = {node.place: node.best.score for node in nodes if node.best is not None}

    def key(node: Node) -> tuple[int, list[tuple[float, str]]]:
        # After a move the opponent is to move, so a lower score means a better move for the player.
        ply, line = node.place.ply, node.place.line
        return ply, [(scores.get(Place(ply, line[: i + 1]), math.inf), move) for i, move in enumerate(line)]

    return sorted(nodes, key=key)


def tree_lines(desk: Desk, game: CorrespondenceGame) -> list[str]:
    """The stored analyses, each one below the move that leads to its position, best moves first."""
    lines = []
    for node in best_first(nodes_of(desk, game)):
        if node.best is None:
            continue
        depth = len(node.place.line)
        title = place_text(game, Place(node.place.ply, node.place.line)).split(" ")[-1]
        if not depth:
            title = f"after half-move {node.place.ply}"
        record = f"  [{node.record}]" if node.record else ""
        lines.append(f"{'  ' * depth}{title}{record}  {finding_text(game, node.place, node.best)}")
    return lines


COMMANDS = {"analyse": analyse, "compare": compare}
