"""`standstill analyse` shows score, line, record and forecast of a position or of each position of a game."""

from __future__ import annotations

import json
import os

import click

from standstill.engine.archive.files import STANDARD, is_pgn, open_input
from standstill.engine.archive.games import read_games, tags_of
from standstill.engine.archive.played import played
from standstill.engine.archive.scorer import CHESS960
from standstill.engine.play.analysis import Thought, analyse
from standstill.engine.play.session import Session
from standstill.engine.rmobility.modes import DECISIVE, OFF, POINTS, TIEBREAK
from standstill.engine.settings.options import find
from standstill.engine.words.ending import unwind_on_signals
from standstill.engine.words.errors import StandstillError
from standstill.engine.words.info import score_pawns, score_text
from standstill.engine.words.limits import Limits
from standstill.engine.words.text import visible

from .options import DEPTHS, json_option, name_and_value, tagged_game_options
from .saying import in_game, warn
from .sessions import begin

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from collections.abc import Callable

    Tell = Callable[[Thought, int | None], None]

_PV_MOVES = 10


@click.command()
@click.argument("what", metavar="FEN|PGN")
@click.option("--nodes", type=click.IntRange(1), help="Nodes for each position.")
@click.option("--depth", type=DEPTHS, help="Depth for each position.")
@click.option(
    "--movetime", type=click.IntRange(1, 10**7), help="Milliseconds for each position; 1000 without any limit."
)
@click.option("--mode", type=click.Choice([OFF, TIEBREAK, POINTS, DECISIVE]), help="What the engine plays for.")
@tagged_game_options
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="Set an option of the engine; may be repeated."
)
@json_option("Print one JSON object for each position.")
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
    """Analyse a position or each position of the games in a file.

    A position is a FEN, with its record as a seventh field if it has one. Scores are from White's view. The record is
    the one that stands, with the half-move that set it. The forecast is the record expected at the end of the game.

    Exit status: 0 done, 1 a game could not be read (the other games are analysed), 2 bad input.
    """
    unwind_on_signals()
    session = begin()
    if mode is not None:
        session.set_option("RMobility", mode)
    for option in options:
        name, value = name_and_value(option)
        if find(name) is None:
            raise click.UsageError(f"unknown option {name!a}")
        session.set_option(name, value)
    session.settings["Move Overhead"] = 0
    if variant:
        session.choose_game(variant)
    limits = Limits()
    limits.nodes, limits.depth = nodes, depth
    limits.movetime_ms = movetime or (None if nodes or depth else 1000)
    tell = tell_json if as_json else tell_text
    if what != STANDARD and not is_pgn(what) and not os.path.exists(what):
        if "/" not in what and what != "startpos":
            raise click.UsageError(f"expected a FEN or a file of games, found {what!a}")
        for thought in analyse(session, limits, None if what == "startpos" else what, []):
            tell(thought, None)
        return 0
    return analyse_file(session, limits, what, variant, tell, as_json)


def analyse_file(session: Session, limits: Limits, path: str, variant: str, tell: Tell, as_json: bool) -> int:  # noqa: PLR0917
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
                    players = visible(f"{tags.get('White', '?')} - {tags.get('Black', '?')}")
                    print(f"Game {number}: {players} {game.result}{goal}")
                session.play_game(game.game)
                session.settings["UCI_Chess960"] = tags.get("Variant", "").strip().lower() in CHESS960
                for thought in analyse(session, limits, fen, moves):
                    tell(thought, number)
            except StandstillError as error:
                warn(f"{in_game(path, number)}: {error}")
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
