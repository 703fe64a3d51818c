"""The time for a move, for every kind of clock."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from standstill.cext.base.constants import BLACK
from standstill.engine.common.limits import Budget, Limits, core_ns
from standstill.engine.play.session import Session
from standstill.engine.play.timeman import BLIND_MS, PANIC_MS, Lag, allot, rescale


@dataclass
class Clock:
    time_ms: int
    inc_ms: int = 0
    movestogo: int | None = None

    def allot(self, **others: object) -> Budget:
        limits = Limits()
        limits.time_ms = [self.time_ms, 60_000]
        limits.inc_ms = [self.inc_ms, 0]
        limits.movestogo = self.movestogo
        return allot(limits, 0, **others)


def test_without_a_clock_there_is_no_limit() -> None:
    budget = allot(Limits(), 0)
    assert (budget.soft_ms, budget.hard_ms) == (None, None)


def test_infinite_forgets_the_clock() -> None:
    limits = Limits()
    limits.time_ms = [1000, 1000]
    limits.movetime_ms = 100
    limits.infinite = True
    assert allot(limits, 0).hard_ms is None


def test_the_clock_of_the_side_to_move_counts() -> None:
    limits = Limits()
    limits.time_ms = [600_000, 100]
    assert allot(limits, BLACK).hard_ms < 100


def test_with_the_opponents_clock_alone_the_move_is_short() -> None:
    limits = Limits()
    limits.time_ms = [100, None]
    assert allot(limits, BLACK).hard_ms == BLIND_MS


def test_the_increment_of_the_side_to_move_counts() -> None:
    limits = Limits()
    limits.time_ms = [60_000, 60_000]
    without = [allot(limits, side).soft_ms for side in (0, BLACK)]
    limits.inc_ms = [0, 5000]
    assert allot(limits, 0).soft_ms == without[0] and allot(limits, BLACK).soft_ms > without[1]


def test_an_increment_lets_the_clock_be_spent_sooner() -> None:
    """The part of a clock of 60 s that a move gets besides its increment, which a clock of ten increments keeps."""
    soft_ms = [Clock(60_000, inc_ms).allot(lag_ms=0.0).soft_ms for inc_ms in (0, 100, 500, 1000, 2000, 6000)]
    parts = [soft - 0.85 * inc_ms / 1.27 for soft, inc_ms in zip(soft_ms, (0, 100, 500, 1000, 2000, 6000), strict=True)]
    assert parts[:4] == sorted(set(parts[:4])) and parts[4] == pytest.approx(parts[3])
    assert parts[5] == pytest.approx(parts[0])


def test_the_increment_of_the_last_move_comes_after_the_control() -> None:
    assert Clock(10_000, 3000, 1).allot().soft_ms == Clock(10_000, 0, 1).allot().soft_ms
    assert Clock(10_000, 3000, 2).allot().soft_ms > Clock(10_000, 0, 2).allot().soft_ms


@pytest.mark.parametrize(
    ("ms", "spent_ns", "ns"),
    [(None, 0, 0), (0, 0, 1), (2.5, 0, 2_500_000), (3, 10**6, 2_000_000), (3, 10**9, 1), (10**30, 0, 10**18)],
)
def test_the_core_is_never_told_that_no_time_is_no_limit(ms: float | None, spent_ns: int, ns: int) -> None:
    assert core_ns(ms, spent_ns) == ns


@pytest.mark.parametrize(
    ("budget", "nodes", "expected"),
    [
        (Budget(100, 400), None, 200),
        (Budget(100, 400), 50, 50),
        (Budget(100, 400), 5000, 200),
        (Budget(None, 400), None, 800),
        (Budget(), 50, 50),
        (Budget(), None, None),
    ],
)
def test_a_clock_of_nodes_turns_time_into_nodes(budget: Budget, nodes: int | None, expected: int | None) -> None:
    limits = Limits()
    limits.nps, limits.nodes = 2000, nodes
    assert limits.nodes_instead(budget) == expected


@pytest.mark.parametrize("time_ms", [0, -1, -(10**12)])
def test_a_clock_that_has_run_out_gets_an_answer_at_once(time_ms: int) -> None:
    budget = Clock(time_ms, 1000).allot()
    assert budget.hard_ms == PANIC_MS


@pytest.mark.parametrize("movestogo", [0, -3])
def test_no_moves_to_go_means_sudden_death(movestogo: int) -> None:
    assert Clock(60_000, 0, movestogo).allot().soft_ms == Clock(60_000).allot().soft_ms


@pytest.mark.parametrize(("movetime", "lag", "expected"), [(1000, None, 998), (100, None, 98), (50, 10.0, 40)])
def test_movetime_is_used_up_less_the_measured_lag(movetime: int, lag: float | None, expected: float) -> None:
    limits = Limits()
    limits.movetime_ms = movetime
    budget = allot(limits, 0, overhead_ms=50, lag_ms=lag)
    assert (budget.soft_ms, budget.hard_ms) == (None, expected)


def test_the_lag_leaves_half_of_a_short_movetime() -> None:
    limits = Limits()
    limits.movetime_ms = 60
    assert allot(limits, 0, overhead_ms=50, lag_ms=45.0).hard_ms == 30


def test_movetime_and_clock_bind_together() -> None:
    limits = Limits()
    limits.time_ms = [1000, 1000]
    limits.movetime_ms = 10_000
    assert allot(limits, 0).hard_ms < 1000


def test_a_forced_move_is_quick() -> None:
    assert Clock(600_000).allot(forced=True).soft_ms <= 10


@given(
    st.integers(1, 2**53),
    st.integers(0, 2**53),
    st.none() | st.integers(1, 200),
    st.integers(0, 10_000),
    st.integers(0, 1000),
    st.booleans(),
)
def test_no_plan_outlasts_the_clock(
    time_ms: int, inc_ms: int, movestogo: int | None, overhead_ms: int, game_ply: int, ponder: bool
) -> None:
    budget = Clock(time_ms, inc_ms, movestogo).allot(overhead_ms=overhead_ms, game_ply=game_ply, ponder=ponder)
    assert 0 < budget.soft_ms <= budget.hard_ms < time_ms


@pytest.mark.parametrize(
    ("time_ms", "inc_ms", "movestogo", "moves", "limit"),
    [
        (2000, 20, None, 400, "soft_ms"),
        (2000, 20, None, 400, "hard_ms"),
        (60_000, 0, None, 200, "soft_ms"),
        (60_000, 0, 40, 40, "soft_ms"),
        (60_000, 0, 40, 40, "hard_ms"),
        (1000, 0, None, 60, "soft_ms"),
    ],
)
def test_a_long_game_is_never_lost_on_time(
    time_ms: int, inc_ms: int, movestogo: int | None, moves: int, limit: str
) -> None:
    clock = Clock(time_ms, inc_ms, movestogo)
    for ply in range(0, 2 * moves, 2):
        clock.time_ms -= int(getattr(clock.allot(game_ply=ply, overhead_ms=5), limit)) + 2  # 2 ms lost in the pipe
        assert clock.time_ms > 0
        clock.time_ms += clock.inc_ms
        if clock.movestogo is not None:
            clock.movestogo -= 1


def test_a_settled_search_ends_earlier() -> None:
    assert rescale(8, 0, 0.9) < 1 < rescale(0, 0, 0.2)


def test_a_falling_score_asks_for_more_time_than_a_rising_one() -> None:
    assert rescale(2, 40, 0.5) > rescale(2, 0, 0.5) > rescale(2, -40, 0.5)


@given(st.integers(0, 100), st.floats(-1e9, 1e9), st.floats(0, 1))
def test_the_factor_stays_in_bounds(stable: int, drop_cp: float, node_share: float) -> None:
    assert 0.3 < rescale(stable, drop_cp, node_share) < 4


def test_a_clock_ahead_of_the_opponents_leans_to_thought() -> None:
    limits = Limits()
    budgets = []
    for opponent in (10_000, 60_000, 600_000, None):
        limits.time_ms = [60_000, opponent]
        budgets.append(allot(limits, 0).soft_ms)
    ahead, level, behind, unknown = budgets
    assert ahead > level > behind
    assert level == unknown


def test_pondering_allows_a_little_more() -> None:
    assert Clock(60_000).allot().soft_ms < Clock(60_000).allot(ponder=True).soft_ms < Clock(60_000).allot().hard_ms


# ---- what a move loses outside the engine ----


def asked(lag: Lag, clock: Clock, ply: int, thought_ms: float) -> float | None:
    limits = Limits()
    limits.time_ms, limits.inc_ms, limits.movestogo = [clock.time_ms, None], [clock.inc_ms, 0], clock.movestogo
    lag.asked(limits, 0, ply, 50, thought_ms)
    return lag.ms


def test_the_lag_is_what_the_clock_lost_beyond_the_thought() -> None:
    lag = Lag()
    assert asked(lag, Clock(10_000, 100), 0, 0) is None
    clock = 10_000
    for move in range(1, 60):
        clock += 100 - 200 - 7  # 200 ms of thinking, 7 ms of lag
        asked(lag, Clock(clock, 100), 2 * move, 200)
    assert lag.ms == pytest.approx(7, abs=0.1)


@pytest.mark.parametrize(
    ("clock", "ply"),
    [
        (Clock(9000), 1),  # the other side
        (Clock(9000), 6),  # another point of the game
        (Clock(9000, 0, 40), 2),  # another kind of clock
    ],
)
def test_clocks_that_do_not_follow_each_other_say_nothing(clock: Clock, ply: int) -> None:
    lag = Lag()
    asked(lag, Clock(10_000), 0, 0)
    assert asked(lag, clock, ply, 200) is None


def test_the_first_move_of_black_says_nothing_about_the_lag() -> None:
    lag = Lag()
    assert asked(lag, Clock(60_000), 1, 0) is None and lag.last_ms is None
    asked(lag, Clock(60_000 - 200 - 7), 3, 200)
    assert lag.last_ms == pytest.approx(7)


def test_a_new_time_control_says_nothing_about_the_lag() -> None:
    lag = Lag()
    asked(lag, Clock(1000, 0, 1), 78, 0)
    assert asked(lag, Clock(60_000, 0, 40), 80, 900) is None


def test_time_beyond_the_hard_limit_is_a_loss_as_well() -> None:
    lag = Lag()
    asked(lag, Clock(10_000), 0, 0)
    limits = Limits()
    limits.time_ms = [9700, None]
    lag.asked(limits, 0, 2, 50, 290, late_ms=90)
    assert lag.last_ms == pytest.approx(10) and lag.largest_ms == pytest.approx(100)
    asked(lag, Clock(9500), 4, 200)
    assert lag.largest_ms == pytest.approx(98)


def test_a_client_that_slept_is_not_the_rule() -> None:
    lag = Lag()
    asked(lag, Clock(3_600_000), 0, 0)
    assert asked(lag, Clock(1_800_000), 2, 1000) < 100


def test_a_clock_that_gains_time_counts_as_no_lag() -> None:
    lag = Lag()
    asked(lag, Clock(1000), 0, 0)
    assert 0 <= asked(lag, Clock(2000), 2, 100) < 10


def told(*moves: tuple[int, int | None, float]) -> Lag:
    """The lag after a `go` for each (ms left, moves to go, ms thought about the previous move); overhead 50 ms."""
    lag = Lag()
    for number, (left_ms, movestogo, thought_ms) in enumerate(moves):
        limits = Limits()
        limits.time_ms[0], limits.movestogo = left_ms, movestogo
        lag.asked(limits, 0, 2 * number, 50, thought_ms)
    return lag


def test_the_lag_rises_faster_than_it_falls() -> None:
    before = 10  # the initial estimate: a fifth of the overhead
    high = told((60_000, None, 0), (59_950, None, 0)).ms
    assert before < high < 50
    low = told((60_000, None, 0), (59_950, None, 0), (59_950, None, 0)).ms
    assert (high - before) / (50 - before) > 2 * (high - low) / high > 0


@pytest.mark.parametrize(("first", "second"), [(1, 40), (1, 1), (None, 40), (40, None)])
def test_no_lag_is_measured_across_a_time_control(first: int | None, second: int | None) -> None:
    lag = told((60_000, first, 0), (59_980, second, 0))
    assert (lag.ms, lag.last_ms) == (None, None)


def test_a_clock_that_stands_tells_no_lag() -> None:
    assert told((60_000, None, 0), (59_900, None, 80)).last_ms == 20
    stands = told((60_000, None, 0), (60_000, None, 100), (59_980, None, 0))
    assert stands.last_ms is None


def test_loading_is_no_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an `isready`, the first `go` loads what it needs; it must still think for a while."""
    session = Session()
    session.is_ready()
    follow = session.equipment.follow
    limits = Limits()
    limits.time_ms = [30_000, 30_000]
    loading_s = 0.6
    monkeypatch.setattr(session.equipment, "follow", lambda game: (time.sleep(loading_s), follow(game)))
    best, line = session.search(limits)
    budget = session.running.budget
    assert budget.soft_ms is not None and budget.soft_ms < loading_s * 1000
    assert line.depth > 1 and best.ponder is not None
