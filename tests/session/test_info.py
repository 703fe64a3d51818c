"""Scores as clients read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from standstill.engine.annotate.evaluations import BLACK, WHITE, Evaluation
from standstill.engine.common.info import (
    EXACT,
    LOWER,
    MATE,
    SCORE_CP,
    TABLEBASE_WIN,
    UPPER,
    SearchInfo,
    mate_moves,
    score_pawns,
    score_text,
    wdl,
)
from standstill.engine.play.watcher import bare_line


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (0, "cp 0"),
        (32000, "cp 0"),  # a draw, but our record
        (-32000, "cp 0"),
        (35 * SCORE_CP, "cp 35"),
        (-35 * SCORE_CP, "cp -35"),
        (12500 * SCORE_CP, "cp 12500"),
        (14983 * SCORE_CP - 9, "cp 14983"),  # a goal in Decisive is not a mate
        (MATE - 1, "mate 1"),
        (MATE - 2, "mate 1"),
        (MATE - 3, "mate 2"),
        (-MATE, "mate 0"),
        (-MATE + 2, "mate -1"),
        (-MATE + 4, "mate -2"),
    ],
)
def test_a_score_in_words(score: int, text: str) -> None:
    assert score_text(score) == text


@given(st.integers(0, 1000))
def test_a_mate_is_as_long_from_the_other_side(plies: int) -> None:
    ours, theirs = score_text(MATE - plies), score_text(plies - MATE)
    assert theirs == ours.replace(" ", " -") or ours == theirs == "mate 0"


@given(st.integers(-MATE, MATE))
def test_chances_sum_to_a_thousand(score: int) -> None:
    chances = wdl(score)
    assert sum(chances) == 1000
    assert min(chances) >= 0


@given(st.integers(-12000 * SCORE_CP, 12000 * SCORE_CP))
def test_chances_without_draws_turn_round_with_the_sides(score: int) -> None:
    won, drawn, lost = line(score, knows_draws=False).chances
    assert drawn == 0 and won + lost == 1000
    assert line(-score, knows_draws=False).chances == (lost, 0, won)
    assert (won > lost) == (wdl(score)[0] > wdl(score)[2])


def line(score: int, **fields: int) -> SearchInfo:
    found = bare_line(score)
    for name, value in fields.items():
        setattr(found, name, value)
    return found


@pytest.mark.parametrize(
    ("score", "chances"),
    [
        (0, (0, 1000, 0)),
        (62 * SCORE_CP + 31_000, (0, 1000, 0)),  # Points: a stalemate
        (14_990 * SCORE_CP + 31_000, (1000, 0, 0)),  # Decisive
        (-13_600 * SCORE_CP, (0, 0, 1000)),
        (TABLEBASE_WIN, (1000, 0, 0)),
        (MATE - 5, (1000, 0, 0)),
    ],
)
def test_a_proven_score_leaves_no_doubt(score: int, chances: tuple[int, int, int]) -> None:
    assert line(score, is_proven=True).chances == chances


@pytest.mark.parametrize(("bound", "signs"), [(EXACT, (1, -1)), (LOWER, (1,)), (UPPER, (-1,))])
def test_a_bound_that_only_allows_a_mate_proves_nothing(bound: int, signs: tuple[int, ...]) -> None:
    for sign in (1, -1):
        assert line(sign * (MATE - 5), bound=bound).is_certain == (sign in signs)
        assert not line(sign * 14_990 * SCORE_CP, bound=bound, is_proven=True).is_certain


@given(st.integers(-MATE, MATE))
def test_chances_turn_round_with_the_sides(score: int) -> None:
    assert wdl(-score) == wdl(score)[::-1]


@pytest.mark.parametrize(("score", "view"), [(MATE, WHITE), (-MATE, BLACK), (MATE - 5, WHITE), (-MATE + 4, BLACK)])
def test_a_mate_has_one_spelling_in_analyses_and_in_annotated_games(score: int, view: int) -> None:
    """Includes mate on the board, for which 0 would not tell the winner."""
    assert score_pawns(score) == Evaluation.of_mate(abs(mate_moves(score)), view).text()
