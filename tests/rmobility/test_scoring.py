"""Points and komi compared with the table in the rules; all values are exact."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from standstill.cext.base.constants import BLACK, WHITE
from standstill.engine.common.errors import NotationError
from standstill.engine.rmobility.goals import Goal, settle
from standstill.engine.rmobility.scoring import SCHEMES, komi_points, parse_komi, points, points_text, white_points


@pytest.mark.parametrize(
    ("goal", "achiever", "text"),
    [
        ("G0.0", Fraction(1), "1.000000"),
        ("G0.5", Fraction(3, 4), "0.750000"),
        ("G1.0", Fraction(5, 8), "0.625000"),
        ("G1.5", Fraction(9, 16), "0.562500"),
        ("G3.0", Fraction(65, 128), "0.507812"),
        ("G8.5", Fraction(1, 2) + Fraction(1, 2**18), "0.500004"),
        ("G10.0", Fraction(1, 2) + Fraction(1, 2**21), "0.500000"),
    ],
)
def test_tcec_points(goal: str, achiever: Fraction, text: str) -> None:
    share, rest = points(Goal.parse(goal).code)
    assert (share, rest) == (achiever, 1 - achiever)
    assert points_text(share) == text


def test_rounding_is_half_to_even() -> None:
    assert [points_text(share) for share in points(6)] == ["0.507812", "0.492188"]
    assert points_text(Fraction(25, 1000), 2) == "0.02"
    assert points_text(Fraction(-1, 3), 3) == "-0.333"


@pytest.mark.parametrize(
    ("scheme", "shares"),
    [
        ("harmonic", [Fraction(1), Fraction(3, 4), Fraction(2, 3), Fraction(5, 8)]),
        ("classical", [Fraction(1), Fraction(1, 2), Fraction(1, 2), Fraction(1, 2)]),
        ("decisive", [Fraction(1)] * 4),
    ],
)
def test_other_schemes(scheme: str, shares: list[Fraction]) -> None:
    assert [points(code, scheme)[0] for code in range(4)] == shares


@given(st.integers(0, 435), st.sampled_from(sorted(SCHEMES)))
def test_shares_sum_to_one_and_fall_with_the_goal(code: int, scheme: str) -> None:
    achiever, opponent = points(code, scheme)
    assert achiever + opponent == 1
    assert achiever >= points(code + 1, scheme)[0] >= Fraction(1, 2)
    if scheme in ("tcec", "harmonic"):
        assert achiever > points(code + 1, scheme)[0]


def test_points_belong_to_the_owner() -> None:
    assert white_points(Goal.parse("G1.5")) == Fraction(9, 16)
    assert white_points(Goal.parse("-G1.5")) == Fraction(7, 16)
    assert white_points(None) == Fraction(1, 2)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="found -1"):
        points(-1)
    with pytest.raises(ValueError, match="'golf'"):
        points(1, "golf")


@pytest.mark.parametrize(
    ("komi", "goal", "white"),
    [
        ("G3.75", "G3.5", 1),
        ("G3.75", "G4.0", 0),
        ("G3.75", "-G1.0", 0),
        ("G3.5", "G3.5", Fraction(1, 2)),
        ("G3.5", "-G3.5", 0),
        ("-G3.75", "-G3.5", 0),
        ("-G3.75", "G0.5", 1),
        ("-G3.5", "-G3.5", Fraction(1, 2)),
        ("G3.75", "G0.0", 1),
        ("G3.75", "-G0.0", 0),
    ],
)
def test_komi(komi: str, goal: str, white: Fraction) -> None:
    assert komi_points(Goal.parse(goal), *parse_komi(komi)) == white


@pytest.mark.parametrize(
    ("text", "quarters"), [("G3", 12), ("G3.0", 12), ("G3.25", 13), ("G3.5", 14), ("G3.75", 15), ("g12", 48)]
)
def test_a_komi_counts_quarters(text: str, quarters: int) -> None:
    assert parse_komi(text) == (quarters, WHITE)
    assert parse_komi(f"+{text}") == (quarters, WHITE)
    for minus in ("-", "\u2212", "\u2013"):  # also the minus signs of word processors
        assert parse_komi(f"{minus}{text}") == (quarters, BLACK)


@given(st.integers(0, 435), st.integers(0, 1), st.integers(0, 99), st.sampled_from([".25", ".75"]), st.booleans())
def test_quarter_steps_never_tie(code: int, owner: int, whole: int, step: str, negative: bool) -> None:
    komi = parse_komi(f"{'-' if negative else ''}G{whole}{step}")
    assert komi_points(Goal(code, owner), *komi) in (0, 1)


@pytest.mark.parametrize("text", ["", "3.75", "G3.8", "G-3.75", "G3,75", "none"])
def test_wrong_komi_is_shown(text: str) -> None:
    with pytest.raises(NotationError, match="expected a komi"):
        parse_komi(text)


@pytest.mark.parametrize(
    ("record", "last_code", "plies", "result", "goal"),
    [
        ("-G8.5", 20, 40, "1/2-1/2", "-G8.5"),
        ("-G8.5", 20, 40, "1-0", "G0.0"),
        ("-G8.5", 20, 40, "0-1", "-G0.0"),
        ("-G8.5", 20, 40, "*", "-G8.5"),
        ("G0.0", 0, 40, "0-1", "G0.0"),  # the final position takes precedence over the Result tag
        ("-G0.5", 1, 40, "1-0", "-G0.5"),
        ("-G20.5", 41, 0, "1-0", "None"),
    ],
)
def test_result_of_a_game(record: str, last_code: int, plies: int, result: str, goal: str) -> None:
    assert str(settle(Goal.parse(record), last_code=last_code, plies=plies, result=result)) == goal
