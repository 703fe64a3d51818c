"""Writes games.jsonl: the results of the games of games.pgn, which slow, simple code computes with python-chess.

    python kit/conformance/make_games.py > kit/conformance/games.jsonl

Each line has the five results of one game, as the tags that `standstill tag --tags all` writes. The games are our own:
the engine played them for this suite. The files and this program are in the public domain (CC0 1.0).
"""

from __future__ import annotations

import json
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from pathlib import Path

import chess
import chess.pgn
from make import code_of, goal_of, text_of

OTB_LIMIT = 7  # G3.5
PLACES = Decimal("0.000001")
Record = tuple[int, bool, int]  # code, whether White reached it, ply


def kept(goals: list[Record], resets: list[bool], limit: int | None = None) -> Record | None:
    """The lowest goal since the last reset, the earliest of equal ones; only goals up to the limit, if there is one.

    goals: the goals of the first position and after each move; the last goals may be missing.
    """
    record: Record | None = None
    for goal, reset in zip(goals, resets, strict=False):
        if reset:
            record = None
        if (limit is None or goal[0] <= limit) and (record is None or goal[0] < record[0]):
            record = goal
    return record


def answer(game: chess.pgn.Game) -> dict[str, str]:
    """The five results of a game as tags."""
    board = game.board()
    goals, resets = [(code_of(board), not board.turn, 0)], [True]
    given = game.headers.get("RMobilityRecord")
    if given is not None and goal_of(given)[0] <= goals[0][0]:
        goals[0] = (*goal_of(given), 0)
    for ply, move in enumerate(game.mainline_moves(), 1):
        resets.append(board.is_zeroing(move))
        board.push(move)
        goals.append((code_of(board), not board.turn, ply))
    result = game.headers["Result"]
    if result in ("1-0", "0-1") and goals[-1][0] > 0:  # resigned: mate for the winner in every form
        won = 0, result == "1-0", len(goals) - 1
        return told(won, won, won)
    # The position that triggers the 50-move rule sets no record, unless it is mate or stalemate.
    triggered = board.halfmove_clock >= 100 and goals[-1][0] > 1 and len(goals) > 1
    counted = goals[:-1] if triggered else goals
    reset = kept(counted, resets)
    whole = kept(goals, [at == 0 for at in range(len(goals))])  # in this form the position counts
    found = told(reset, whole, kept(counted, resets, OTB_LIMIT))
    return found | ({"RMobilityProvisional": "yes"} if result == "*" else {})


def told(reset: Record | None, whole: Record | None, on_paper: Record | None) -> dict[str, str]:
    assert reset is not None and whole is not None
    share = Fraction(1, 2) + Fraction(1, 2 << reset[0])
    white = share if reset[1] else 1 - share
    points = [
        (Decimal(each.numerator) / each.denominator).quantize(PLACES, ROUND_HALF_EVEN) for each in (white, 1 - white)
    ]
    return {
        "RMobilityResult": text_of(*reset[:2]),
        "RMobilityPly": str(reset[2]),
        "RMobilityPoints": f"{points[0]} - {points[1]}",
        "RMobilityWG": text_of(*whole[:2]),
        "RMobilityOTB": "1/2-1/2" if on_paper is None else text_of(*on_paper[:2]),
    }


def main() -> None:
    with Path(__file__).with_name("games.pgn").open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            print(json.dumps({"round": game.headers["Round"], "answer": answer(game)}))


if __name__ == "__main__":
    main()
