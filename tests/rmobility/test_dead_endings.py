"""Forecasts in endings in which neither side can mate, and whether the search finds them."""

from __future__ import annotations

import pytest

from standstill.cext.evaluation.chess_eval import ChessEvaluator
from standstill.engine.common.info import SearchInfo
from standstill.engine.common.limits import Limits
from standstill.engine.play.listener import Listener
from standstill.engine.play.session import Session
from standstill.engine.rmobility.goals import Goal, Goals
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.notation import parse_move

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
    """Let the engine play against itself; return the final record."""
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


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", ["Tiebreak", "Points"])
@pytest.mark.parametrize(
    ("fen", "value"),
    [
        ("8/8/8/8/8/8/3k4/K2B4 w - - 0 1", "G1.5"),  # the longest win of its class: 45 plies
        ("8/8/8/4KBk1/8/8/8/8 b - - 0 1", "G1.5"),
        ("8/8/8/2K3k1/8/8/8/8 w - - 0 1", "-G8.5"),
        ("8/8/8/8/4k3/8/1K6/8 w - - 0 1", "G5.5"),
    ],
)
def test_value_of_the_tables_is_reached(mode: str, fen: str, value: str) -> None:
    assert str(play(mode, fen)) == value


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("fen", "kept", "value"),
    [
        # With a rook on the board: Kd3 allows -G1.5; giving the rook for the bishop leaves -G4.5.
        ("8/8/8/8/8/4R3/3K1k2/2b5 w - - 0 1", "d2c1", "-G4.5"),
        # Bishop against knight: values from complete tables, with all moves that keep the value.
        ("8/8/2N5/2b5/8/8/2K5/4k3 w - - 0 1", "c2b3 c2d3", "-G13.5"),
        ("8/8/4N3/8/8/8/6k1/3K3b b - - 0 1", "g2f2 g2g3 g2h2", "G7.5"),
        ("4b2k/8/8/8/8/3K2N1/8/8 w - - 0 1", "d3d4 d3e3", "G7.0"),
        ("8/5N2/2k5/8/8/2K5/4b3/8 b - - 0 1", "c6d5", "-G9.5"),
        ("6N1/8/8/1n6/8/8/8/k1K5 b - - 0 1", "b5c3 b5d4", "-G5.5"),
        ("8/8/6k1/8/8/2K5/8/4n2N w - - 0 1", "c3c4 h1f2 h1g3", "-G8.5"),
        ("8/8/8/1k6/8/3K4/8/6nN b - - 0 1", "g1f3", "-G7.0"),
    ],
)
def test_four_men_keep_their_value_in_decisive(fen: str, kept: str, value: str) -> None:
    session = Session()
    session.settings["Hash"] = 8
    session.settings["RMobility"] = "Decisive"
    limits = Limits()
    limits.nodes = 100_000
    session.position(fen, [])
    assert session.search(limits)[0].move in kept.split(), value


def test_no_line_promises_less_than_it_loses() -> None:
    """With a line for each move, lines are ranked by outcome."""
    session = Session()
    session.settings["Hash"] = 8
    session.settings["RMobility"] = "Decisive"
    session.settings["MultiPV"] = 5
    lines: dict[int, SearchInfo] = {}
    listener = Listener()
    listener.info = lambda info: lines.__setitem__(info.multipv, info)
    limits = Limits()
    limits.nodes = 100_000
    session.position("8/8/8/8/8/4R3/3K1k2/2b5 w - - 0 1", [])
    session.go(limits, listener)
    session.wait()
    assert lines[1].pv[0] == "d2c1"
    assert sorted(lines.values(), key=lambda line: line.multipv) == sorted(lines.values(), key=lambda line: -line.score)
