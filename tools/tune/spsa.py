"""Simultaneous perturbation stochastic approximation (Spall, 1998), as chess engines use it.

In each pair of games, one side has all numbers shifted by a step in random directions, the other side in the opposite
ones. Then the numbers move in the direction of the side that scored more.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from .games import DIVISORS, Changes, Pair

STEP_DECAY, RATE_DECAY = 0.101, 0.602  # exponents recommended by Spall
STABILITY = 0.1  # delays the decay of the learning rate, as a share of all pairs (Spall's A)
# The final learning rate: the change of a number for one point of gain, divided by the square of its last step.
LAST_RATE = 0.0025


class Tuning:
    """The numbers during tuning.

    start: initial values. steps: size of the shifts in the last pairs. pairs: total number of pairs.
    """

    def __init__(self, start: Changes, steps: dict[str, float], pairs: int, seed: int):
        self.values = {name: float(value) for name, value in start.items()}
        self._steps = steps
        self._pairs = pairs
        self._chance = random.Random(seed)
        self._asides: dict[int, dict[str, float]] = {}

    def _rounded(self, values: dict[str, float]) -> Changes:
        # Round at random, so that a number can move even if its step is below 1.
        whole = {name: int(value // 1) + (self._chance.random() < value % 1) for name, value in values.items()}
        return {name: max(1, number) if name in DIVISORS else number for name, number in whole.items()}

    def pairs(self, first: int) -> Iterator[Pair]:
        for number in range(first, self._pairs):
            grown = (self._pairs / (number + 1)) ** STEP_DECAY
            aside = {name: self._chance.choice((-1, 1)) * step * grown for name, step in self._steps.items()}
            self._asides[number] = aside
            yield Pair(
                number,
                self._rounded({name: value + aside[name] for name, value in self.values.items()}),
                self._rounded({name: value - aside[name] for name, value in self.values.items()}),
            )

    def learn(self, pair: Pair, results: tuple[int, int]) -> None:
        """results: the first side's points in each of the two games of the pair, 0 to 2 a game."""
        held = STABILITY * self._pairs
        grown = ((held + self._pairs) / (held + pair.number + 1)) ** RATE_DECAY
        gain = sum(results) / 2 - 1  # -1 to 1 for a pair
        for name, aside in self._asides.pop(pair.number).items():
            last = self._steps[name]
            self.values[name] += LAST_RATE * grown * last * last / aside * 2 * gain

    def found(self) -> Changes:
        return {name: round(value) for name, value in self.values.items()}
