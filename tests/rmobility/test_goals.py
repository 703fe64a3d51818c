"""Goals and records of games whose values are known from the rules of R-Mobility."""

from __future__ import annotations

import pytest

from standstill.engine.common.goal import parse_goal
from standstill.engine.rmobility.goals import Goals
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.notation import parse_san

KINGS = "8/8/8/2K3k1/8/8/8/8 w - - 0 1"
BISHOP = "6k1/8/5K2/5B2/8/8/8/8 b - - 0 1"


def play(start: str | None, moves: str, given: str | None = None, **rules: object) -> Goals:
    """The goals of a game given in SAN; ``--`` is a null move."""
    board = new_board(start)
    goals = Goals(board, parse_goal(given) if given else None, **rules)
    for san in moves.split():
        if san == "--":
            board.push_null()
            goals.push_null()
        else:
            board.push(parse_san(board, san))
            goals.push(board)
    return goals


@pytest.mark.parametrize(
    ("start", "moves", "record", "ply"),
    [
        (None, "", "-G20.5", 0),
        (None, "e4", "G20.5", 1),
        (KINGS, "", "-G8.5", 0),
        (KINGS, "Kd5 Kf5", "-G5.5", 2),
        ("8/8/7k/5B2/6K1/8/8/8 b - - 0 1", "", "G1.5", 0),
        (BISHOP, "", "G2.5", 0),
        (BISHOP, "Kf8 Bd7 Kg8 Be6 Kh7 Bf7 Kh8 Kg6", "G0.5", 8),
        ("8/6k1/8/4K3/8/8/8/8 b - - 0 1", "", "G7.5", 0),
        ("8/6k1/8/4K3/8/8/8/8 b - - 0 1", "Kg6 Ke6", "G5.5", 2),
        ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", "", "G0.5", 0),
        ("8/8/8/2kNK3/8/8/8/8 b - - 0 1", "", "G3.5", 0),
        ("8/8/8/4KBk1/8/8/8/8 b - - 0 1", "", "G3.5", 0),
        ("8/8/8/4KBk1/8/8/8/8 b - - 0 1", "Kh5 Kf4 Kh6 Kg4", "G1.5", 4),
        (None, "f3 e5 g4 Qh4#", "-G0.0", 4),
    ],
)
def test_record_of_a_game(start: str | None, moves: str, record: str, ply: int) -> None:
    goal = play(start, moves).record
    assert (str(goal), goal.ply) == (record, ply)


def test_equal_goal_does_not_replace() -> None:
    # Both kings move back and forth: a repeated goal does not replace the first one.
    goals = play("7k/8/8/8/8/8/8/K7 w - - 0 1", "Ka2 Kh7 Ka1 Kh8")
    assert (str(goals.record), goals.record.ply) == ("-G3.5", 0)


@pytest.mark.parametrize("san", ["exd5", "e5", "exf6", "bxc8=Q", "b8=N"])
def test_capture_and_pawn_move_reset(san: str) -> None:
    start = {"exf6": "4k3/8/8/4Pp2/8/8/8/4K3 w - f6 0 2"}.get(san, "2n1k3/1P6/8/3p4/4P3/8/8/4K3 w - - 3 9")
    goals = play(start, san, given="-G1.0")
    assert goals.record.ply == 1
    assert goals.record.owner == 0


def test_whole_game_knows_no_reset() -> None:
    assert str(play(None, "e4 e5", whole_game=True).record) == "-G20.5"
    assert str(play(None, "e4 e5").record) == "-G29.5"


def test_a_null_move_sets_no_goal() -> None:
    goals = play(KINGS, "-- Kf5")
    assert (str(goals.record), goals.ply) == ("-G8.5", 2)


@pytest.mark.parametrize(
    ("given", "record"), [("G1.5", "G1.5"), ("-G8.0", "-G8.0"), ("G8.5", "G8.5"), ("G9.0", "-G8.5"), (None, "-G8.5")]
)
def test_given_record_gives_way_only_to_a_stronger_one(given: str | None, record: str) -> None:
    assert str(play(KINGS, "", given=given).record) == record


def test_limit_leaves_weaker_goals_out() -> None:
    assert play(KINGS, "Kd5 Kf5", limit=10).record is None
    assert str(play(KINGS, "Kd5 Kf5", limit=11).record) == "-G5.5"


# ---- the 50-move rule ----

TRIGGER = "8/8/8/3K2k1/8/8/8/8 b - - 99 90"


def test_trigger_sets_no_record() -> None:
    assert play(TRIGGER, "Kf5").record.ply == 0
    assert play(TRIGGER, "Kf5", keep_trigger=True).record.ply == 1
    assert play(TRIGGER, "Kf5", fifty="off").record.ply == 1


def test_trigger_that_does_not_end_the_game_counts() -> None:
    goals = play(TRIGGER, "Kf5 Kc5")
    assert (str(goals.record), goals.record.ply) == ("-G5.5", 1)


@pytest.mark.parametrize(
    ("start", "san", "record"),
    [
        ("7k/8/5KQ1/8/8/8/8/8 w - - 99 70", "Qg7#", "G0.0"),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 99 70", "Qg6", "G0.5"),
    ],
)
def test_mate_and_stalemate_count_at_the_trigger(start: str, san: str, record: str) -> None:
    goals = play(start, san)
    assert (str(goals.record), goals.record.ply) == (record, 1)


def test_improved_record_zeroes_the_clock_where_the_rule_says_so() -> None:
    goals = play(TRIGGER, "Kf5", fifty="record")
    assert (goals.clock, goals.record.ply) == (0, 1)
    assert play(TRIGGER, "Kf5").clock == 100
