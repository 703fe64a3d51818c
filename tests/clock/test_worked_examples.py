"""Triple Block by hand: one test for each published example, in days and hours as a player counts them."""

from __future__ import annotations

import pytest

from standstill.engine.clock.control import ClockSide, TimeUp
from standstill.engine.clock.game_clocks import Event, opening
from standstill.engine.clock.plan import simulate
from standstill.engine.clock.triple_block import TripleBlock, parse_state
from standstill.engine.clock.units import DAY_MS, HOUR_MS, days
from standstill.engine.common.errors import ClockError


def after(state: str, *hours: float) -> tuple[float, float, int]:
    """(clock in days, bank in days, moves) after moves that took these hours, without manual refills."""
    given = parse_state(state)
    side = given.side
    for think in hours:
        side = given.terms.complete(side, round(think * HOUR_MS))
    return days(side.clock_ms), days(side.bank_ms), side.moves


def refilled(side: ClockSide, terms: TripleBlock, after_days: int) -> ClockSide:
    clocks = opening(terms).apply(Event("start", 0))
    clocks = clocks._with_side(0, side).apply(Event("refill", after_days * DAY_MS))
    return clocks.sides[0]


def test_01_a_quick_first_move_overflows_into_the_bank() -> None:
    assert after("50/75/1", 6) == (50, 75.75, 1)


def test_02_all_of_the_increment_overflows_after_an_instant_move() -> None:
    assert after("50/75/1", 0) == (50, 76, 1)


def test_03_the_increment_exactly_used() -> None:
    assert after("50/75/1", 24) == (50, 75, 1)


def test_04_automatic_refill() -> None:
    assert after("50/75/1", 240) == (50, 66, 1)


def test_05_empty_bank() -> None:
    assert after("30/0/1", 240)[:2] == (21, 0)


def test_06_bank_smaller_than_the_gap() -> None:
    assert after("40/5/1", 480)[:2] == (26, 0)


def test_07_overflow_splits() -> None:
    assert after("50/50/5", 48)[:2] == (50, 53)
    assert after("47/0/5", 0)[:2] == (50, 2)


def test_08_move_50_is_still_paid() -> None:
    assert after("20/0/5@50", 72) == (22, 0, 50)


def test_09_move_51_is_not_paid_and_refilled_all_the_same() -> None:
    assert after("20/0/5@51", 72)[:2] == (17, 0)
    assert after("50/12/5@51", 72)[:2] == (50, 9)


def test_10_a_hundred_and_ten_days_on_one_move() -> None:
    terms = parse_state("50/75/1").terms
    clocks = opening(terms).apply(Event("start", 0))
    clocks = clocks.apply(Event("refill", 45 * DAY_MS, {"ms": 45 * DAY_MS}))
    assert (days(clocks.mover.clock_ms), days(clocks.mover.bank_ms)) == (50, 30)
    clocks = clocks.apply(Event("refill", 90 * DAY_MS))
    assert (days(clocks.mover.clock_ms), days(clocks.mover.bank_ms)) == (35, 0)
    assert days(clocks.shown(0, 110 * DAY_MS).clock_ms) == 15
    clocks = clocks.apply(Event("move", 110 * DAY_MS))
    assert (days(clocks.sides[0].clock_ms), days(clocks.sides[0].bank_ms)) == (16, 0)
    (step,) = simulate(terms, terms.opening(), [110 * DAY_MS])
    assert (days(step.side.clock_ms), days(step.side.bank_ms), step.refills) == (16, 0, 2)


def test_11_fifty_days_without_any_act() -> None:
    clocks = opening(parse_state("50/75/1").terms).apply(Event("start", 0))
    assert not clocks.flagged(50 * DAY_MS - 1)
    assert clocks.flagged(50 * DAY_MS)
    assert days(clocks.shown(0, 60 * DAY_MS).bank_ms) == 75


def test_12_early_refills() -> None:
    clocks = opening(parse_state("50/75/1").terms).apply(Event("start", 0))
    seen = []
    for kind, at in (("refill", 10), ("refill", 59), ("move", 99)):
        clocks = clocks.apply(Event(kind, at * DAY_MS))
        seen.append((days(clocks.sides[0].clock_ms), days(clocks.sides[0].bank_ms)))
    assert seen == [(50, 65), (50, 16), (27, 0)]


def test_13_a_refill_beyond_50_days_is_cut() -> None:
    given = parse_state("40/75/1")
    side, moved = given.terms.refill(given.side, 20 * DAY_MS)
    assert (days(moved), days(side.clock_ms), days(side.bank_ms)) == (10, 50, 65)


def test_14_two_moves_on_one_day_earn_a_day_each() -> None:
    assert after("45/0/1@11", 1)[0] == pytest.approx(45.9583, abs=5e-5)
    assert after("45/0/1@11", 1, 2)[0] == pytest.approx(46.8750, abs=5e-5)


@pytest.mark.parametrize(
    ("state", "hours", "clock"),
    [
        ("4/0/1@56:p", 36, 3),
        ("4/0/1@56", 36, 2.5),
        ("4/0/1@56:p", 24, 3),
        ("1/0/1@50:p", 12, 1.5),
        ("1/0/1@51:p", 12, 3),
    ],
)
def test_15_sudden_death_protection(state: str, hours: float, clock: float) -> None:
    assert after(state, hours)[:2] == (clock, 0)


def test_16_fifty_moves_of_one_day_or_of_none() -> None:
    assert after("50/75/1", *[24] * 50) == (50, 75, 50)
    assert after("50/75/1", *[0] * 50) == (50, 125, 50)


@pytest.mark.parametrize(("pace", "flags_at", "left"), [(7, 48, {47: 6}), (6.8, 52, {50: 10, 51: 3.2})])
def test_17_a_steady_pace_in_700_days(pace: float, flags_at: int, left: dict[int, float]) -> None:
    terms = parse_state("D700").terms
    steps = simulate(terms, terms.opening(), [round(pace * DAY_MS)] * 60)
    assert (steps[-1].move, steps[-1].flag_ms is not None) == (flags_at, True)
    assert {move: days(steps[move - 1].side.total_ms) for move in left} == left


def test_18_a_move_after_exactly_50_days_is_late() -> None:
    given = parse_state("50/75/1")
    with pytest.raises(TimeUp):
        given.terms.complete(given.side, 50 * DAY_MS)
    given.terms.complete(given.side, 50 * DAY_MS - 1)


def test_nothing_to_refill_from() -> None:
    given = parse_state("40/0/1")
    with pytest.raises(ClockError, match="bank is empty"):
        given.terms.refill(given.side)


def test_without_automatic_refill_only_the_overflow_moves_time() -> None:
    assert after("50/75/1:r", 240)[:2] == (41, 75)
    assert after("50/75/1:r", 6)[:2] == (50, 75.75)
