"""The tables of the modes: the order of outcomes, and how scores show it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from standstill.cext.base.constants import BLACK, FIFTY_MOVES, REPETITION, WHITE
from standstill.cext.value.objective import Objective, RMobilityObjective, preset_record
from standstill.engine.common.goal import parse_goal
from standstill.engine.common.info import SCORE_CP, is_mate, score_cp, score_text
from standstill.engine.rmobility import objectives
from standstill.engine.rmobility.goals import Goal, Goals
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.notation import parse_san

LAST = objectives.FINE_LAST  # weaker goals share one value
KINGS = "8/8/8/2K3k1/8/8/8/8 w - - 0 1"

MODES = {
    "tiebreak": objectives.tiebreak(),
    "points": objectives.points(),
    "decisive": objectives.decisive(),
}
KOMI = ["G3.75", "-G3.75", "G20.25", "-G0.75", "G3.5", "-G5"]
LIMITED = {"tiebreak": objectives.tiebreak(limit=7), "points": objectives.points(limit=7)}


def best_first() -> list[tuple[int, int]]:
    """All outcomes (code, owner) in White's order: his goals from mate on, then Black's down to mate."""
    return [(code, WHITE) for code in range(LAST + 1)] + [(code, BLACK) for code in range(LAST, -1, -1)]


def values(objective: Objective) -> list[int]:
    return [objective.worth_of(code, owner) for code, owner in best_first()]


def every_objective() -> Iterator[tuple[str, Objective]]:
    yield "off", objectives.classic()
    yield from MODES.items()
    yield from ((f"decisive {komi}", objectives.decisive(komi)) for komi in KOMI)
    yield from ((f"{name} limit", objective) for name, objective in LIMITED.items())
    yield "decisive limit", objectives.decisive(limit=7)
    yield "decisive komi limit", objectives.decisive("G2.25", limit=7)


EVERY = dict(every_objective())
every = pytest.mark.parametrize("name", EVERY)


@pytest.mark.parametrize("name", MODES)
def test_every_outcome_is_worse_than_the_one_before(name: str) -> None:
    # The outcomes are in White's order; by transitivity every pair compares as the rules say.
    assert all(better > worse for better, worse in pairwise(values(MODES[name])))


@pytest.mark.parametrize("komi", KOMI)
def test_every_outcome_with_komi_is_worse_than_the_one_before(komi: str) -> None:
    assert all(better > worse for better, worse in pairwise(values(objectives.decisive(komi))))


@every
def test_outcomes_are_no_better_than_the_ones_before(name: str) -> None:
    assert all(better >= worse for better, worse in pairwise(values(EVERY[name])))


@pytest.mark.parametrize("name", ["off", *MODES, *(f"{name} limit" for name in LIMITED), "decisive limit"])
def test_colours_are_treated_alike(name: str) -> None:
    objective = EVERY[name]
    assert all(objective.worth_of(code, WHITE) == -objective.worth_of(code, BLACK) for code in range(512))


@pytest.mark.parametrize("name", MODES)
def test_nearer_record_is_better_but_no_better_than_the_next_goal(name: str) -> None:
    # Distance subtracts at most FAR = 63 units, less than a step of the order.
    shown = values(MODES[name])
    assert all(better - worse > 63 for better, worse in pairwise(shown))


@every
def test_printed_score_is_within_half_a_centipawn(name: str) -> None:
    for score in values(EVERY[name]):
        for signed in (score, -score):
            assert abs(score_cp(signed) * SCORE_CP - signed) < SCORE_CP // 2 or is_mate(signed)


@every
def test_only_mate_prints_as_mate(name: str) -> None:
    objective = EVERY[name]
    for code, owner in best_first():
        worth = objective.worth_of(code, owner)
        assert is_mate(worth) == (code == 0)
        assert score_text(worth).startswith("mate" if code == 0 else "cp")


def test_draws_are_exactly_zero_in_off() -> None:
    assert all(objectives.classic().worth_of(code, owner) == 0 for code in range(1, 512) for owner in (WHITE, BLACK))


def test_tiebreak_draws_print_as_zero() -> None:
    assert {score_cp(MODES["tiebreak"].worth_of(code, WHITE)) for code in range(1, 512)} == {0}


def test_points_are_worth_their_expectation() -> None:
    # The values are h, 0.415 h, 0.193 h, 0.093 h with h = 62 centipawns, as the rules say.
    assert [score_cp(MODES["points"].worth_of(code, WHITE)) for code in range(1, 10)] == [62, 26, 12, 6, 3, 1, 1, 0, 0]


def test_decisive_has_a_band_for_each_goal() -> None:
    assert [score_text(MODES["decisive"].worth_of(code, WHITE)) for code in (1, 2, 17)] == [
        "cp 14999",
        "cp 14998",
        "cp 14983",
    ]


@pytest.mark.parametrize(
    ("komi", "white_wins", "drawn"),
    [
        ("G3.75", lambda code, owner: owner == WHITE and code <= 7, None),
        ("-G3.75", lambda code, owner: not (owner == BLACK and code <= 7), None),
        ("G0.25", lambda code, owner: owner == WHITE and code == 0, None),
        ("G3.5", lambda code, owner: owner == WHITE and code < 7, (7, WHITE)),
        ("-G5", lambda code, owner: not (owner == BLACK and code < 10), (10, BLACK)),
    ],
)
def test_komi_says_who_wins(komi: str, white_wins, drawn: tuple[int, int] | None) -> None:
    objective = objectives.decisive(komi)
    for code, owner in best_first():
        worth = objective.worth_of(code, owner)
        if code == 0:
            assert (worth > 0) == (owner == WHITE)
        elif (code, owner) == drawn:
            assert worth == 0
        else:
            assert (worth > 0) == white_wins(code, owner)


def test_komi_with_a_limit_is_lost_without_a_record() -> None:
    objective = objectives.decisive("G2.25", limit=7)
    assert objective.worth_of(8, WHITE) == objective.worth_of(8, BLACK) == objective.worth_of(300, WHITE) < 0


@pytest.mark.parametrize("text", ["", "3.75", "G3.1", "G3.755", "G", "none", "G3,75", "--G3", "G" + "9" * 5000])
def test_bad_komi_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(ValueError, match="expected a komi") as caught:
        objectives.decisive(text)
    assert len(str(caught.value)) < 200


def test_bad_fifty_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="'never'"):
        objectives.tiebreak(fifty="never")


@pytest.mark.parametrize("limit", [1, 7, 20])
def test_goals_beyond_the_limit_are_worth_nothing(limit: int) -> None:
    for mode in (objectives.tiebreak, objectives.points, objectives.decisive):
        objective = mode(limit=limit)
        assert all(objective.worth_of(code, WHITE) == 0 for code in range(limit + 1, 512))
        assert objective.worth_of(limit, WHITE) > 0


# ---- filling ----


def test_tables_of_the_wrong_shape_are_refused() -> None:
    row = [0] * 512
    fold = [[row, row], [row, row]]
    bad = [([row], fold), ([row, row[1:]], fold), ([row, row], [[row, row], [row]]), ([row, row], fold[:1])]
    for outcome, folds in bad:
        with pytest.raises(ValueError, match="expected"):
            Objective().fill(outcome, folds)


@pytest.mark.parametrize("score", [1 << 31, -(1 << 31), 16001 << 16])
def test_outcomes_beyond_mate_are_refused(score: int) -> None:
    row = [0] * 512
    with pytest.raises((ValueError, OverflowError)):
        Objective().fill([[score, *row[1:]], row], [[row, row], [row, row]])


def test_refused_tables_leave_the_old_ones() -> None:
    objective = objectives.points()
    row = [0] * 512
    with pytest.raises(ValueError, match="group"):
        objective.fill([row, row], [[row, row], [row, [1025, *row[1:]]]])
    assert objective.worth_of(1, WHITE) == MODES["points"].worth_of(1, WHITE)


def test_hold_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="centipawns"):
        RMobilityObjective().fill_hold([[12001] * 512, [0] * 512])


# ---- on a board ----


def board_after(start: str, moves: str, given: str | None = None):
    board = new_board(start)
    if given:
        owner, code = parse_goal(given)
        preset_record(board, code, owner)
    for san in moves.split():
        board.push(parse_san(board, san))
    return board


@pytest.mark.parametrize(
    ("start", "moves", "given", "record"),
    [
        (KINGS, "", None, (17, BLACK, 0)),
        (KINGS, "Kd5 Kf5", None, (11, BLACK, 2)),
        (KINGS, "Kd5 Kf5", "G4.5", (9, WHITE, 0)),
        (KINGS, "", "G30.5", (17, BLACK, 0)),
        (KINGS, "", "G8.5", (17, WHITE, 0)),
        ("8/8/7k/5B2/6K1/8/8/8 b - - 0 1", "", None, (3, WHITE, 0)),
    ],
)
def test_record_of_a_board(start: str, moves: str, given: str | None, record: tuple[int, int, int]) -> None:
    assert objectives.tiebreak().record_of(board_after(start, moves, given)) == record


@pytest.mark.parametrize(("limit", "record"), [(8, None), (9, None), (10, (10, WHITE, 1))])
def test_the_goal_of_a_capture_is_counted_beyond_the_limit(limit: int, record: tuple[int, int, int] | None) -> None:
    """Four king moves and one rook move: G5.0. The king's four alone would be within a limit of G4.0."""
    board = board_after("4k3/7r/8/4p3/8/8/8/K3R3 w - - 0 1", "Rxe5")
    assert objectives.decisive(limit=limit).record_of(board) == record


def test_another_objective_forgets_what_the_first_one_wrote() -> None:
    board = board_after("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4 Ke7 e5", "-G2.0")
    assert objectives.tiebreak(whole_game=True).record_of(board) == (4, BLACK, 0)
    assert objectives.tiebreak().record_of(board)[2] == 3
    assert objectives.tiebreak(limit=4).record_of(board) is None
    assert objectives.tiebreak(whole_game=True).record_of(board) == (4, BLACK, 0)


def test_limit_of_one_objective_does_not_blur_the_first_goal_for_the_next() -> None:
    board = board_after(KINGS, "")
    assert objectives.decisive(limit=3).record_of(board) is None
    assert objectives.decisive().record_of(board) == (17, BLACK, 0)


def test_a_given_record_stands_against_an_equal_goal() -> None:
    """The position's own goal is -G8.5: the side that reached it first keeps it."""
    board = board_after(KINGS, "", "G8.5")
    assert objectives.decisive().record_of(board)[:2] == (17, WHITE)
    assert Goals(board, (WHITE, 17)).record == Goal(17, WHITE)
    assert Goals(board, (WHITE, 18)).record == Goal(17, BLACK)


@pytest.mark.parametrize(("san", "code"), [("Qg7#", 0), ("Qg6", 1)])
def test_mate_and_stalemate_are_records_where_the_fifty_moves_end(san: str, code: int) -> None:
    start = "7k/8/5KQ1/8/8/8/8/8 w - - 99 70" if code == 0 else "7k/8/5K2/6Q1/8/8/8/8 w - - 99 70"
    assert objectives.decisive().record_of(board_after(start, san)) == (code, WHITE, 1)


def test_settled_draw_belongs_to_the_record() -> None:
    board = board_after(KINGS, "Kd5 Kf5")
    fine = objectives.FINE_TOP - objectives.FINE_STEP * 11
    assert objectives.tiebreak().settled(board, REPETITION) == -fine  # White to move, Black's record
    assert objectives.decisive().settled(board, FIFTY_MOVES) == -(14989 * SCORE_CP + fine)
    assert objectives.classic().settled(board, REPETITION) == 0


def test_node_key_tells_records_apart_where_the_mode_does() -> None:
    boards = [board_after(KINGS, "", given) for given in (None, "G2.5", "-G2.5", "G3.5")]
    for mode in (objectives.tiebreak(), objectives.points(), objectives.decisive()):
        assert len({mode.node_key_of(board) for board in boards}) == len(boards)
    assert {objectives.classic().node_key_of(board) for board in boards} == {boards[0].key}
    living = [board_after("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", "", given) for given in ("G1.0", "-G1.0")]
    assert {objectives.tiebreak().node_key_of(board) for board in living} == {living[0].key}
    assert len({objectives.decisive().node_key_of(board) for board in living}) == 2


def test_points_tell_records_apart_while_they_are_worth_a_centipawn() -> None:
    """With mating material on the board, weaker records share the hash entries of the position without a record."""
    mode, board = objectives.points(), new_board()
    keys = {}
    for code in range(2, 12):
        for owner in (WHITE, BLACK):
            preset_record(board, code, owner)
            keys[code, owner] = mode.node_key_of(board)
    whole_cp = {state: abs(mode.worth_of(*state)) // SCORE_CP for state in keys}
    apart = [keys[state] for state, cp in whole_cp.items() if cp]
    assert {1, 3} <= set(whole_cp.values()) and len(apart) == len(set(apart)) and board.key not in apart
    assert {keys[state] for state, cp in whole_cp.items() if not cp} == {board.key}


@pytest.mark.parametrize(("code", "owner"), [(-1, 0), (3, 2), (3, -1)])
def test_impossible_record_is_refused(code: int, owner: int) -> None:
    with pytest.raises(ValueError, match="expected a goal code"):
        preset_record(new_board(), code, owner)
