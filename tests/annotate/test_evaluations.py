"""Evaluations in comments and on the command line."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from standstill.engine.annotate.evaluations import BLACK, WHITE, Evaluation, in_comment, is_book, parse
from standstill.engine.common.errors import StandstillError

TCEC_9 = (
    " d=33, pd=Bh4, mt=00:07:36, tl=02:55:08, s=67253 kN/s, n=30713846637, pv=h6 Bh4 Bb7 f5, tb=4, R50=50, wv=0.15, "
)
TCEC_18 = (
    "d=29, sd=41, mt=62808, tl=1740192, s=27996660, n=1758133248, pv=Bf4 a6 O-O-O e8=Q, tb=0, h=10.2, ph=0.0, "
    "wv=-0.64, R50=49, Rd=-9, Rr=-1000, mb=+0+0+0+0+0,"
)


@pytest.mark.parametrize("mover", [WHITE, BLACK])
@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("[%eval 0.17]", Evaluation(0.17)),
        (" text before [%clk 0:05:00][%eval -1.05,24] and behind", Evaluation(-1.05, depth=24)),
        ("[%eval #3]", Evaluation(inf, 3)),
        ("[%eval #-5,30]", Evaluation(-inf, -5, 30)),
        (TCEC_9, Evaluation(0.15, depth=33)),
        (TCEC_18, Evaluation(-0.64, depth=29)),
        ("ev=1.20, d=20", Evaluation(1.2, depth=20)),
        ("wv=M12,", Evaluation(inf, 12)),
        ("wv=-M12,", Evaluation(-inf, -12)),
        ("d=1, wv=128.00", Evaluation(128.0, depth=1)),
    ],
)
def test_white_s_view_does_not_depend_on_the_mover(comment: str, mover: int, expected: Evaluation) -> None:
    assert in_comment(comment, mover) == expected


@pytest.mark.parametrize(
    ("comment", "by_white", "by_black"),
    [
        ("+0.34/12 1.2s", Evaluation(0.34, depth=12), Evaluation(-0.34, depth=12)),
        ("+0.34/12, 1.2s", Evaluation(0.34, depth=12), Evaluation(-0.34, depth=12)),
        ("-0.34/12 1.2s, Black resigns", Evaluation(-0.34, depth=12), Evaluation(0.34, depth=12)),
        ("+M5/30 0.1s", Evaluation(inf, 3, 30), Evaluation(-inf, -3, 30)),  # fifth half-move: the mover's third move
        ("+M1/30 0.1s", Evaluation(inf, 1, 30), Evaluation(-inf, -1, 30)),
        ("-M4/30 0.1s", Evaluation(-inf, -2, 30), Evaluation(inf, 2, 30)),
        ("(Nf3 Nc6) +0.34/12 15s", Evaluation(0.34, depth=12), Evaluation(-0.34, depth=12)),  # as Arena writes
        ("(Bxc6)\n-0.24/30 10", Evaluation(-0.24, depth=30), Evaluation(0.24, depth=30)),
        ("0.00/21 0.38s", Evaluation(0.0, depth=21), Evaluation(0.0, depth=21)),
    ],
)
def test_match_comments_are_the_mover_s_view(comment: str, by_white: Evaluation, by_black: Evaluation) -> None:
    assert (in_comment(comment, WHITE), in_comment(comment, BLACK)) == (by_white, by_black)


@pytest.mark.parametrize(
    "comment",
    [
        "", "book", "book, mb=+0+0+0+0+0,", "a fine move", "[%eval]", "[%eval lost]", "[%evaluation 1]", "wv=",
        "wv=null,", "1/2-1/2 agreed", "0.17", "see game 12/34/56", "pv=ev=1", "nan/12 1s", "d=3, pv=e8=Q wv=, tb=0",
    ],
)  # fmt: skip
def test_other_comments_hold_no_evaluation(comment: str) -> None:
    assert in_comment(comment, WHITE) is None


@given(st.text())
def test_any_text_can_be_looked_at(comment: str) -> None:
    in_comment(comment, BLACK)


@given(st.integers(-10_000, 10_000), st.none() | st.integers(0, 99))
def test_eval_commands_are_read_back(cp: int, depth: int | None) -> None:
    evaluation = Evaluation(cp / 100, depth=depth)
    assert in_comment(evaluation.command(), WHITE) == evaluation


@given(st.integers(-500, 500).filter(bool))
def test_mates_are_read_back(moves: int) -> None:
    evaluation = Evaluation.of_mate(moves)
    assert in_comment(evaluation.command(), BLACK) == evaluation


@pytest.mark.parametrize(
    ("comment", "found"), [("book", True), (" book, mb=+0", True), ("bookish", False), ("", False)]
)
def test_book_marks(comment: str, found: bool) -> None:
    assert is_book(comment) == found


@pytest.mark.parametrize(
    ("text", "pawns"),
    [
        ("0.62", 0.62), ("0,62", 0.62), (",5", 0.5), ("-.3", -0.3), ("+1", 1.0), ("\u22120,30", -0.3), (" 2 ", 2.0),
        ("#3", inf), ("#-3", -inf), ("-#3", -inf), ("M5", inf), ("-M5", -inf), ("inf", inf), ("-inf", -inf),
    ],
)  # fmt: skip
def test_typed_evaluations(text: str, pawns: float) -> None:
    assert parse(text) == pawns


@pytest.mark.parametrize("text", ["", "x", "nan", "1.2.3", "1e5", "--1", "0.6 2", "\u0663", "9" * 400, "infinity"])
def test_words_are_no_evaluations(text: str) -> None:
    with pytest.raises(StandstillError) as caught:
        parse(text)
    assert repr(text) in str(caught.value)
