"""Writes a game of the page Play as PGN."""

from __future__ import annotations

import time

from standstill.cext.base.constants import BLACK, WHITE

from ..match.referee import movetext
from ..rmobility.modes import NONE, OFF
from ..rmobility.scoring import Terms, parse_komi, points_text
from ..variants.notation import parse_move, san

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .game import ServedGame

CHESS960 = "Chess960"


def game_pgn(game: ServedGame) -> str:
    """Return the game as PGN. New records stand in comments, in the form of `standstill tag`."""
    tags = _tags(game)
    head = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    comments = [_comment(game, at) for at in range(len(game.plies))]
    return f"{head}\n{movetext(_moves(game), comments, tags['Result'])}\n"


def _tags(game: ServedGame) -> dict[str, str]:
    setup, end = game.setup, game.end
    white, black = (game.players[side] for side in (WHITE, BLACK))
    tags = {
        "Event": "Casual game",
        "Site": "?",
        "Date": time.strftime("%Y.%m.%d"),
        "Round": "-",
        "White": white.name,
        "Black": black.name,
        "Result": end.result if end is not None else "*",
    }
    if setup.chess960:
        tags["Variant"] = CHESS960
    elif not setup.game.is_chess:
        tags["Variant"] = setup.game.name
    if setup.fen is not None:
        tags |= {"SetUp": "1", "FEN": game.first_fen}
    if setup.control is not None:
        tags["TimeControl"] = f"{setup.control.base_ms // 1000}+{setup.control.increment_ms / 1000:g}"
    tags |= {"WhiteType": _kind(white.is_engine), "BlackType": _kind(black.is_engine)}
    if setup.komi != NONE:
        tags["Komi"] = setup.komi
    if end is not None:
        tags["Termination"] = end.reason
    if end is not None and setup.mode != OFF and (value := game.worth()).goal is not None:
        tags["RMobilityResult"] = str(value.goal)
        tags["RMobilityPoints"] = f"{points_text(value.white)} - {points_text(1 - value.white)}"
        if value.komi:  # the game is drawn, and the tags are those of `standstill match`
            terms = Terms(parse_komi(value.komi))
            tags["RMobilityKomi"] = value.komi
            tags["Result"] = terms.result(value.goal)
            tags["Termination"] = terms.ending(end.reason, value.goal)
    return tags


def _kind(is_engine: bool) -> str:
    return "program" if is_engine else "human"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _comment(game: ServedGame, at: int) -> str:
    """Return the comment on a move: the clock, and the record if the move set one."""
    ply, parts = game.plies[at], []
    if ply.left_ms is not None:
        minutes, seconds = divmod(ply.left_ms // 1000, 60)
        parts.append(f"[%clk {minutes // 60}:{minutes % 60:02}:{seconds:02}]")
    if game.setup.mode != OFF and ply.record is not None and ply.record.ply == at + 1:
        parts.append(f"[%rm {ply.record}]")
    return " ".join(parts)


def _moves(game: ServedGame) -> Iterator[tuple[int, bool, str]]:
    board = game.first_board()
    for ply in game.plies:
        move = parse_move(board, ply.move)
        yield board.fullmove, board.stm != BLACK, san(board, move)
        board.push(move)
