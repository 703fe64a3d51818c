"""Whole games on the clock with a model of the search: thousands of moves per second.

The model's iterations grow as in the bench positions. It obeys both limits as the core does: it starts no iteration
after the soft limit, and checks the hard limit every half millisecond. Each move loses time outside the engine.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from standstill.engine.common.limits import Budget, Limits
from standstill.engine.play.timeman import Lag, allot, rescale
from tests.amounts import LONG

NOISE_MS = 30.0
OVERHEAD_MS = 50  # the default
# Ratio of an iteration's time to all the time before it: mean 0.59, measured over the bench positions.
GROWTH_SIGMA = 0.75
GROWTH_MU = math.log(0.59) - GROWTH_SIGMA**2 / 2
LOOK_MS = 0.6  # time of 1024 nodes
QUIET_MS = 5.0  # before this time the engine reports no iteration and does not change the limit

Thinker = Callable[[Budget, random.Random], float]
Noise = Callable[[random.Random], float]


@dataclass(frozen=True)
class Control:
    """A time control in ms. moves: number of moves after which ``base`` is added again, 0 for never."""

    base: float
    inc: float = 0
    moves: int = 0

    def __str__(self) -> str:
        return f"{self.moves}/{self.base / 1000:g}+{self.inc / 1000:g}"


HYPERBULLET = Control(1000, 10)
FISCHER = Control(300_000, 3000)
SHORT_CONTROL = Control(4000, 0, 40)
LONG_CONTROL = Control(2_400_000, 0, 40)


def think(budget: Budget, rng: random.Random) -> float:
    """Time of a search in which best move, score and node share vary."""
    elapsed = rng.uniform(0.05, 0.3) * budget.soft_ms + 0.2
    stable = rng.randrange(4)
    scale = 1.0
    while elapsed < budget.soft_ms * scale:
        elapsed *= 1 + rng.lognormvariate(GROWTH_MU, GROWTH_SIGMA)
        if elapsed >= budget.hard_ms:
            return budget.hard_ms + rng.uniform(0, LOOK_MS)
        stable = 0 if rng.random() < 0.2 else stable + 1
        if elapsed >= QUIET_MS:
            scale = rescale(stable, rng.gauss(0, 15), min(1.0, max(0.05, rng.gauss(0.7, 0.22))))
    return elapsed


def to_the_limit(budget: Budget, rng: random.Random) -> float:
    """The search never settles: every move takes as much time as allowed."""
    return budget.hard_ms + LOOK_MS


def in_trouble(budget: Budget, rng: random.Random) -> float:
    """The score falls and the best move changes with every iteration."""
    elapsed = 0.2 * budget.soft_ms
    while elapsed < budget.soft_ms * rescale(0, 60, 0.3):
        elapsed *= 1.6
    return min(elapsed, budget.hard_ms + LOOK_MS)


def usual(rng: random.Random) -> float:
    return rng.uniform(0, NOISE_MS)


def worst(rng: random.Random) -> float:
    return NOISE_MS


def treacherous(rng: random.Random) -> float:
    """Lose no time for many moves, so that the estimate falls, and then lose the most possible in each move."""
    rng.moves = getattr(rng, "moves", 0) + 1  # the generator lives as long as the game
    return 0.5 if rng.moves < 30 else NOISE_MS


def stalling(rng: random.Random) -> float:
    """An overloaded machine: one move in sixteen loses up to three times the overhead."""
    return rng.uniform(OVERHEAD_MS, 3 * OVERHEAD_MS) if rng.random() < 1 / 16 else rng.uniform(0, 8)


@dataclass
class Game:
    """One side's game. clocks: time left after each move; the last is negative after a loss on time."""

    control: Control
    clocks: list[float]

    @property
    def flagged(self) -> bool:
        return self.clocks[-1] < 0

    def used(self, move: int) -> float:
        """The share used of all time given up to ``move``."""
        given = self.control.base + (move - 1) * self.control.inc
        return 1 - (self.clocks[move - 1] - self.control.inc) / given


def play(control: Control, moves: int, seed: int, thinker: Thinker = think, noise: Noise = usual) -> Game:
    rng = random.Random(seed)
    lag = Lag()
    clock = control.base
    thought = 0.0
    togo = control.moves
    clocks = []
    for move in range(moves):
        limits = Limits()
        limits.time_ms = [int(clock), int(clock * rng.uniform(0.5, 2.0))]
        limits.inc_ms = [int(control.inc)] * 2
        limits.movestogo = togo or None
        lag.asked(limits, 0, 2 * move, OVERHEAD_MS, thought)
        budget = allot(limits, 0, game_ply=2 * move, overhead_ms=OVERHEAD_MS, lag_ms=lag.ms, largest_ms=lag.largest_ms)
        assert 0 < budget.soft_ms <= budget.hard_ms
        thought = thinker(budget, rng)
        clock -= thought + noise(rng)
        if clock < 0:
            return Game(control, [*clocks, clock])
        clock += control.inc
        if togo:
            togo -= 1
            if togo == 0:
                togo = control.moves
                clock += control.base
        clocks.append(clock)
    return Game(control, clocks)


def flags(control: Control, moves: int, games: int, thinker: Thinker = think, noise: Noise = usual) -> list[int]:
    """Seeds of the games lost on time."""
    return [seed for seed in range(games) if play(control, moves, seed, thinker, noise).flagged]


# At 1 s + 0.01 s the noise costs 15 ms per move and the increment is 10 ms, so at most 200 moves are possible.
@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("control", "moves"),
    [
        (HYPERBULLET, 100),
        (SHORT_CONTROL, 240),
        (LONG_CONTROL, 240),
        (FISCHER, 300),
        (Control(60_000), 200),
        (Control(300_000), 220),
        (Control(10_000, 100), 300),
        (Control(5_400_000, 30_000, 40), 240),
        (Control(20 * 86_400_000), 300),
        (Control(60_000, 0, 1000), 200),  # later than any game ends
        (Control(1000, 0, 40), 240),
    ],
    ids=str,
)
def test_no_game_is_lost_on_time(control: Control, moves: int) -> None:
    assert flags(control, moves, 15) == []


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("thinker", "noise"),
    [
        (think, worst),
        (think, treacherous),
        (to_the_limit, usual),
        (to_the_limit, worst),
        (in_trouble, worst),
        (in_trouble, treacherous),
    ],
)
@pytest.mark.parametrize(
    ("control", "moves"),
    [(SHORT_CONTROL, 240), (LONG_CONTROL, 240), (FISCHER, 300), (Control(10_000, 100), 300), (Control(60_000), 80)],
    ids=str,
)
def test_not_even_a_search_that_never_settles_flags(
    control: Control, moves: int, thinker: Thinker, noise: Noise
) -> None:
    assert flags(control, moves, 3, thinker, noise) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("control", "moves"), [(HYPERBULLET, 90), (SHORT_CONTROL, 240), (LONG_CONTROL, 240), (FISCHER, 300)], ids=str
)
def test_thousands_of_games_are_not_lost_on_time(control: Control, moves: int) -> None:
    assert flags(control, moves, 2000 if LONG else 500) == []


def test_losses_above_the_overhead_raise_the_reserve() -> None:
    """Without the higher reserve 12 of these games are lost on time."""
    assert len(flags(Control(10_000, 100), 300, 100, think, stalling)) <= 3


@pytest.mark.parametrize("noise", [usual, worst])
def test_a_tenth_of_a_second_goes_to_the_noise_not_to_thought(noise: Noise) -> None:
    """With 0.1 s + 0 no engine can finish a game, but ours makes nearly as many moves as without thinking."""
    for seed in range(50):
        game = play(Control(100), 200, seed, noise=noise)
        unthinking = play(Control(100), 200, seed, lambda budget, rng: 0.0, noise)
        if noise is worst:
            assert len(game.clocks) >= len(unthinking.clocks) - 1
        assert len(game.clocks) >= 4


def test_a_tenth_of_a_second_is_a_game_where_nothing_is_lost() -> None:
    assert flags(Control(100), 60, 50, noise=lambda rng: rng.uniform(0, 0.5)) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "control", [Control(60_000), Control(300_000), Control(7_200_000), FISCHER, Control(10_000, 100)], ids=str
)
def test_nine_tenths_of_the_time_are_used_by_move_80(control: Control) -> None:
    assert min(play(control, 80, seed).used(80) for seed in range(40)) >= 0.9


@pytest.mark.parametrize("control", [HYPERBULLET, Control(10_000), Control(3000, 20)], ids=str)
def test_short_games_use_their_time_too_where_little_is_lost(control: Control) -> None:
    """The reserve against noise follows the real loss of a move."""
    used = [play(control, 80, seed, noise=lambda rng: rng.uniform(0, 3)).used(80) for seed in range(40)]
    assert sum(used) / len(used) >= 0.9
    assert min(used) >= 0.85


@pytest.mark.parametrize("control", [Control(1000, 0, 40), SHORT_CONTROL, LONG_CONTROL], ids=str)
def test_a_time_control_is_used_before_the_next_begins(control: Control) -> None:
    for seed in range(40):
        game = play(control, 2 * control.moves, seed)
        for move in (control.moves, 2 * control.moves):
            assert game.clocks[move - 1] - control.base < 2 * OVERHEAD_MS + 0.06 * control.base
