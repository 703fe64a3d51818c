"""`standstill games analyse`, `compare`: long thoughts about stored games."""

import json
import signal
import sys

import click

from engine.clock.instants import find_zone, instant_text
from engine.clock.units import parse_duration
from engine.config import load
from engine.correspondence.analysis import (
    Analyst,
    Finding,
    Node,
    Place,
    board_at,
    findings,
    line_text,
    node_at,
    nodes_of,
    place_in,
    place_text,
    white_score,
)
from engine.correspondence.desk import Desk
from engine.correspondence.game import Game, read_line
from engine.errors import GameError
from engine.info import score_pawns
from engine.limits import Limits
from engine.session import Session

from .games import open_desk, warn

zone_option = click.option("--tz", "zone", help="Time zone of what is shown; the system's if not given.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
ply_option = click.option(
    "--ply", type=click.IntRange(0), help="After so many half-moves of the game; now if not given."
)
line_option = click.option("--line", default="", metavar="MOVES", help="Moves played on from there.")


@click.command()
@click.argument("name")
@ply_option
@line_option
@click.option("--moves", default="", metavar="MOVES", help="Candidate moves, each analysed by itself: 'Nf6 d5 h6'.")
@click.option("--depth", type=click.IntRange(1, 245), help="So deep.")
@click.option("--time", "duration", metavar="TIME", help="So long for each position (90s, 8h); else until Ctrl-C.")
@click.option("--lines", type=click.IntRange(1, 256), default=1, show_default=True, help="Best lines to search.")
@click.option("--threads", type=click.IntRange(1, 1024), help="Threads that search together.")
@click.option("--hash", "hash_mb", type=click.IntRange(1, 1 << 20), help="Memory for the transposition table, in MB.")
@json_option
@click.pass_obj
def analyse(path, name, ply, line, moves, depth, duration, lines, threads, hash_mb, as_json) -> int:  # noqa: PLR0917
    """Let the engine think about the game NAME, and keep what it finds.

    What is found is stored at once: Ctrl-C, a crash or a shutdown loses nothing but the unfinished depth. The same
    command goes on later from the depth that is known. Positions form a tree, which `show` shows.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    settings, complaints = load()
    for text in complaints:
        warn(text)
    for option, value in (("Threads", threads), ("Hash", hash_mb), ("MultiPV", lines)):
        if value is not None:
            settings[option] = value
    session = Session(settings)
    session.on_notice(warn)
    seconds = None if duration is None else parse_duration(duration, "a time") / 1000
    limits = Limits()
    limits.depth = depth
    limits.infinite = depth is None
    desk = open_desk(path)
    analyst = Analyst(desk, name, session)
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
        if not as_json:
            analyst.say = teller(game, place)
        try:
            nodes.append(analyst.run(place, limits, seconds))
        except KeyboardInterrupt:
            warn("interrupted: what was found is stored")
            status = 130
            break
    if as_json:
        click.echo(json.dumps([node_json(game, node) for node in nodes]))
    return status


def candidates(game: Game, root: Place, text: str) -> list[str]:
    """Moves of one position, as UCI. Raises NotationError or IllegalMoveError."""
    board = board_at(game, root)
    return [read_line(board, word)[0] for word in text.replace(",", " ").split()]


def show_start(desk: Desk, game: Game, place: Place) -> None:
    node = node_at(desk, game, place)
    title = place_text(game, place) or (f"after {game.last_move}" if game.sans and place.ply == len(game.moves) else "")
    click.echo(f"{game.head.name} {title}".rstrip() + (f", record {node.record}" if node and node.record else ""))
    if node and node.best:
        click.echo(f"  known to {finding_text(game, place, node.best)}")


def teller(game: Game, place: Place):
    def tell(found: Finding) -> None:
        click.echo(f"  {finding_text(game, place, found)}")
        sys.stdout.flush()

    return tell


def finding_text(game: Game, place: Place, found: Finding) -> str:
    stm = board_at(game, place).stm
    parts = [
        f"depth {found.depth}",
        score_pawns(white_score(found.score, stm)),
        *([found.symbol] if found.symbol else []),
        f"{found.nodes:,} nodes",
        line_text(game, place, found.pv),
    ]
    return "  ".join(parts)


def node_json(game: Game, node: Node) -> dict[str, object]:
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
        "score": score_pawns(white_score(found.score, stm)),
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
def compare(path, name, ply, line, zone, as_json) -> None:  # noqa: PLR0917 (by name)
    """Compare the analyses of one position over the days: the last depth of every run."""
    where = find_zone(zone)
    desk = open_desk(path)
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


def tree_lines(desk: Desk, game: Game) -> list[str]:
    """The stored analyses, each under the move that leads to it."""
    lines = []
    for node in nodes_of(desk, game):
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
