"""XBoard's clock commands, read without an engine: units, sides, and moves to the control."""

from __future__ import annotations

import pytest

from standstill.cext.base.constants import BLACK, WHITE
from standstill.engine.common.errors import ClockError
from standstill.protocol.xboard.clock import Clock


def left(clock: Clock, side: int = WHITE, moves_made: int = 0) -> tuple[int | None, int | None]:
    """(own time, opponent's time) in ms for the next move."""
    limits = clock.limits(side, moves_made)
    return limits.time_ms[side], limits.time_ms[side ^ 1]


@pytest.mark.parametrize("side", [WHITE, BLACK])
def test_time_and_otim_count_hundredths_of_a_second(side: int) -> None:
    clock = Clock()
    clock.set_left("12345")
    clock.set_opponent_left("678")
    assert left(clock, side) == (123_450, 6780)


@pytest.mark.parametrize(("text", "depth"), [("7", 7), ("0.5", 1), ("0", None), ("-3", None), ("1e9", 10**9)])
def test_a_depth_of_0_lifts_the_limit(text: str, depth: int | None) -> None:
    clock = Clock()
    clock.set_depth("5")
    clock.set_depth(text)
    assert clock.limits(WHITE, 0).depth == depth


def test_a_clock_without_hundredths_has_half_of_one_left() -> None:
    clock = Clock()
    clock.set_left("0")
    assert left(clock) == (5, None)


@pytest.mark.parametrize(
    ("level", "base_ms", "increment_ms", "movestogo"),
    [
        ("40 5 0", 300_000, 0, 40),
        ("0 2 12", 120_000, 12_000, None),
        ("0 0:30 0", 30_000, 0, None),
        ("20 1:15 0.5", 75_000, 500, 20),
        ("0 25+5 5", 1_500_000, 5000, None),
    ],
)
def test_level_has_minutes_and_an_increment_in_seconds(
    level: str, base_ms: int, increment_ms: int, movestogo: int | None
) -> None:
    clock = Clock()
    clock.set_level(level, 0)
    limits = clock.limits(BLACK, 0)
    assert (limits.time_ms[BLACK], limits.inc_ms, limits.movestogo) == (base_ms, [increment_ms] * 2, movestogo)


def test_st_counts_whole_seconds() -> None:
    clock = Clock()
    clock.set_move_time("7")
    assert clock.limits(WHITE, 0).movetime_ms == 7000


@pytest.mark.parametrize(("st", "time", "movetime_ms"), [("1", "50", 500), ("1", "200", 1000), ("0", "30", 300)])
def test_time_tells_more_exactly_what_st_rounds(st: str, time: str, movetime_ms: int) -> None:
    clock = Clock()
    clock.set_move_time(st)
    clock.set_left(time)
    assert clock.limits(WHITE, 0).movetime_ms == movetime_ms


def moves_by_hand(first_side: int, first_ply: int, plies: int, side: int) -> int:
    """Count each side's moves since the time control began, ply by ply."""
    return sum((first_side + ply) % 2 == side for ply in range(first_ply, plies))


@pytest.mark.parametrize("first_side", [WHITE, BLACK])
@pytest.mark.parametrize("side", [WHITE, BLACK])
@pytest.mark.parametrize("first_ply", [0, 1, 4, 7])
def test_moves_of_a_side_since_the_control_began(first_side: int, side: int, first_ply: int) -> None:
    clock = Clock()
    clock.set_level("40 5 0", first_ply)
    for plies in range(first_ply, first_ply + 9):
        expected = moves_by_hand(first_side, first_ply, plies, side)
        assert clock.moves_since_control(first_side, plies, side) == expected, plies


@pytest.mark.parametrize(("made", "to_go"), [(0, 40), (1, 39), (39, 1), (40, 40), (41, 39), (85, 35)])
def test_moves_to_go_begin_again_with_each_control(made: int, to_go: int) -> None:
    assert Clock().limits(WHITE, made).movestogo == to_go


def test_our_own_count_earns_the_increment_and_the_next_control() -> None:
    clock = Clock()
    clock.set_level("2 1 3", 0)
    clock.spend(10_000, 1)
    assert left(clock)[0] == 60_000 - 10_000 + 3000
    clock.spend(10_000, 2)
    assert left(clock)[0] == 60_000 + 2 * (3000 - 10_000) + 60_000


def test_only_a_time_since_our_last_move_is_told() -> None:
    clock = Clock()
    told = [clock.limits(WHITE, 0).clocks_sent]
    clock.set_left("1000")
    told.append(clock.limits(WHITE, 0).clocks_sent)
    clock.spend(5, 1)
    told.append(clock.limits(WHITE, 1).clocks_sent)
    assert told == [False, True, False]


def test_a_new_game_forgets_depth_and_nodes_and_keeps_the_level() -> None:
    clock = Clock()
    clock.set_level("0 2 0", 4)
    clock.set_depth("6")
    clock.set_nodes_a_second("1000")
    clock.set_opponent_left("100")
    clock.spend(1000, 1)
    clock.new_game()
    limits = clock.limits(WHITE, 0)
    assert (limits.depth, limits.nps, limits.time_ms) == (None, None, [120_000, None])
    assert clock.moves_since_control(WHITE, 4, WHITE) == 2


@pytest.mark.parametrize("text", ["", "40", "40 5", "x 5 0", "40 x 0", "40 5 x", "40 nan 0"])
def test_a_level_that_means_nothing_is_refused(text: str) -> None:
    with pytest.raises(ClockError, match="found"):
        Clock().set_level(text, 0)


def test_a_level_lifts_the_time_for_a_move() -> None:
    clock = Clock()
    clock.set_move_time("1000")
    assert clock.limits(WHITE, 0).movetime_ms == 1_000_000
    clock.set_level("0 0:01 0", 0)
    assert clock.limits(WHITE, 0).movetime_ms is None and left(clock)[0] == 1000
