"""`standstill analyse`: score, line, record and forecast of a position, or of each position of a game."""

from __future__ import annotations

import json
import os
import signal
import sys

import click

from engine.config import load
from engine.errors import StandstillError
from engine.info import score_pawns, score_text
from engine.limits import Limits
from engine.options import find
from engine.pgn.files import COMPRESSED, STANDARD, display_name, open_input
from engine.pgn.games import read_games, tags_of
from engine.rmobility.analysis import Thought, analyse, played
from engine.rmobility.archive import CHESS960
from engine.rmobility.modes import DECISIVE, OFF, POINTS, TIEBREAK
from engine.session import Session

from ..definitions import definitions

_PV_MOVES = 10
_FILES = tuple(f".pgn{suffix}" for suffix in ("", *COMPRESSED))


@click.command()
@click.argument("what", metavar="FEN|PGN")
@click.option("--nodes", type=click.IntRange(1), help="Nodes a position.")
@click.option("--depth", type=click.IntRange(1, 245), help="Depth of a position.")
@click.option("--movetime", type=click.IntRange(1, 10**7), help="Milliseconds a position; 1000 if nothing is said.")
@click.option("--mode", type=click.Choice([OFF, TIEBREAK, POINTS, DECISIVE]), help="What is played for.")
@click.option("--variant", default="", help="The game, of `standstill variants list`; else what the Variant tag says.")
@definitions
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Any option of the engine.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a position.")
def command(  # noqa: PLR0917
    what: str,
    nodes: int | None,
    depth: int | None,
    movetime: int | None,
    mode: str | None,
    variant: str,
    options: tuple[str, ...],
    as_json: bool,
) -> int:
    """Analyse a position (a FEN, with the record as its seventh field if it has one) or the games of a file.

    Scores are White's. The record is the one that stands, with the half-move that set it; the forecast is the record
    behind the line.

    Exit status: 1 if a game could not be read, the others are analysed all the same.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    settings, complaints = load()
    for text in complaints:
        print(f"standstill: {text}", file=sys.stderr)
    session = Session(settings)
    session.on_notice(lambda text: print(f"standstill: {text}", file=sys.stderr))
    if mode is not None:
        session.set_option("RMobility", mode)
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise click.UsageError(f"expected NAME=VALUE, found {option!a}")
        if find(name) is None:
            raise click.UsageError(f"unknown option {name!a}")
        session.set_option(name, value)
    settings["Move Overhead"] = 0
    if variant:
        session.choose_game(variant)
    limits = Limits()
    limits.nodes, limits.depth = nodes, depth
    limits.movetime_ms = movetime or (None if nodes or depth else 1000)
    tell = tell_json if as_json else tell_text
    if what != STANDARD and not what.endswith(_FILES) and not os.path.exists(what):
        if "/" not in what and what != "startpos":
            raise click.UsageError(f"expected a FEN or a file of games, found {what!a}")
        for thought in analyse(session, limits, None if what == "startpos" else what, []):
            tell(thought, None)
        return 0
    return analyse_file(session, limits, what, variant, tell, as_json)


def analyse_file(session: Session, limits: Limits, path: str, variant: str, tell, as_json: bool) -> int:  # noqa: PLR0917
    status = 0
    with open_input(path) as stream:
        for number, text in enumerate(read_games(stream), 1):
            tags = tags_of(text)
            try:
                game, fen, moves = played(text, variant)
                if game.is_empty:
                    continue
                if not as_json:
                    goal = f", {game.goal}" if game.goal is not None else ""
                    print(f"Game {number}: {tags.get('White', '?')} - {tags.get('Black', '?')} {game.result}{goal}")
                session.play_game(game.definition)
                session.settings["UCI_Chess960"] = tags.get("Variant", "").strip().lower() in CHESS960
                for thought in analyse(session, limits, fen, moves):
                    tell(thought, number)
            except StandstillError as error:
                print(f"standstill: {display_name(path)}: game {number}: {error}", file=sys.stderr)
                status = 1
    return status


def tell_text(thought: Thought, game: int | None) -> None:
    move = "start"
    if thought.move is not None:
        number = thought.number if thought.black_to_move else thought.number - 1
        move = f"{number}.{'' if thought.black_to_move else '..'} {thought.move}"
    record = f"  record {thought.record}, forecast {thought.forecast}" if thought.record else ""
    pv = " ".join(thought.pv[:_PV_MOVES])
    score = score_pawns(thought.white_score) if thought.white_score else "0.00"
    print(f"{move:<14} {score:>7}  depth {thought.line.depth:<3}{record}  {pv}", flush=True)


def tell_json(thought: Thought, game: int | None) -> None:
    """game: its number in the file, None for a position alone."""
    print(
        json.dumps(
            {
                "game": game,
                "ply": thought.ply,
                "move": thought.move,
                "score": score_text(thought.white_score),
                "depth": thought.line.depth,
                "nodes": thought.line.nodes,
                "record": thought.record,
                "forecast": thought.forecast,
                "pv": thought.pv,
            }
        ),
        flush=True,
    )
