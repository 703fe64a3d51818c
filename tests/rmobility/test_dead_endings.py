"""Forecasts in endings where neither side can mate, and whether the search reaches them."""

from __future__ import annotations

import pytest

from standstill.cext.evaluation.chess_eval import ChessEvaluator
from standstill.engine.games.board import new_board
from standstill.engine.games.notation import parse_move
from standstill.engine.play.session import Session
from standstill.engine.rmobility.goals import Goal, Goals
from standstill.engine.words.limits import Limits

NODES = 20_000


@pytest.mark.parametrize(
    ("fen", "code"),
    [
        ("8/8/8/8/8/8/3k4/K2B4 w - - 0 1", 3),
        ("8/8/8/8/8/8/3K4/k2b4 w - - 0 1", -3),
        ("8/8/8/8/8/8/3k4/KB1B4 w - - 0 1", 3),
        ("8/8/8/8/8/8/3k4/K2N4 b - - 0 1", 7),
        ("8/8/8/8/8/8/3k4/K1NN4 b - - 0 1", 1),
        ("8/8/8/8/8/8/3k4/K7 b - - 0 1", 0),
        ("8/8/8/8/8/8/3k4/K1N2n2 b - - 0 1", 0),
    ],
)
def test_forecast_is_the_commonest_value_of_the_tables(fen: str, code: int) -> None:
    assert ChessEvaluator().forecast_code(new_board(fen)) == code


def play(mode: str, fen: str) -> Goal:
    """The record at the end of a game of the engine against itself."""
    session = Session()
    session.settings["Hash"] = 8
    session.settings["RMobility"] = mode
    session.settings["InsufficientMaterialDraw"] = False
    limits = Limits()
    limits.nodes = NODES
    board = new_board(fen)
    goals = Goals(board)
    moves: list[str] = []
    while board.count_legal(1) and board.repetitions() < 2 and board.clock < 100:
        session.position(fen, moves)
        moves.append(session.search(limits)[0].move)
        board.push(parse_move(board, moves[-1]))
        goals.push(board)
    return goals.record


@pytest.mark.parametrize("mode", ["Tiebreak", "Points"])
@pytest.mark.parametrize(
    ("fen", "value"),
    [
        ("8/8/8/8/8/8/3k4/K2B4 w - - 0 1", "G1.5"),  # the longest way of its class, 45 plies
        ("8/8/8/4KBk1/8/8/8/8 b - - 0 1", "G1.5"),
        ("8/8/8/2K3k1/8/8/8/8 w - - 0 1", "-G8.5"),
        ("8/8/8/8/4k3/8/1K6/8 w - - 0 1", "G5.5"),
    ],
)
def test_value_of_the_tables_is_reached(mode: str, fen: str, value: str) -> None:
    assert str(play(mode, fen)) == value
