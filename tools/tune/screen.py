"""A screening design: measures many changes with the same games.

In each pair of games, every change applies to one side, chosen at random. All games therefore count for every change,
while separate matches would divide them. The design cannot separate interactions, so apparent gains must be confirmed
in a match.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from standstill.cext.training.duel import numbers, switches
from standstill.engine.common.errors import StandstillError
from standstill.engine.match.statistics import elo

from .games import Changes, Pair, known_changes


class Factor(NamedTuple):
    """A number or a technique, with its current and its proposed value."""

    name: str
    before: int
    after: int


def known_factors(words: Iterable[str]) -> list[Factor]:
    """``name=number``; a technique alone is toggled. Raises StandstillError for anything else."""
    factors = []
    in_force = numbers() | switches()
    for word in words:
        change = f"{word}={int(not in_force[word])}" if word in switches() else word
        ((name, after),) = known_changes([change]).items()
        if any(factor.name == name for factor in factors):
            raise StandstillError(f"expected each name once, found {name} again")
        if after == in_force[name]:
            raise StandstillError(f"expected a value other than the current one, found {change}")
        factors.append(Factor(name, int(in_force[name]), after))
    return factors


class Screening:
    """The pairs of games and their results."""

    def __init__(self, factors: list[Factor], pairs: int, seed: int):
        self.factors = factors
        self._pairs = pairs
        self._chance = random.Random(seed)
        self._given: dict[int, list[bool]] = {}
        self._scores: list[list[float]] = [[] for _ in factors]

    def pairs(self) -> Iterator[Pair]:
        for number in range(self._pairs):
            given = [self._chance.random() < 0.5 for _ in self.factors]
            self._given[number] = given
            yield Pair(number, self._side(given), self._side([not first for first in given]))

    def _side(self, changed: list[bool]) -> Changes:
        return {
            factor.name: factor.after if change else factor.before
            for factor, change in zip(self.factors, changed, strict=True)
        }

    def learn(self, pair: Pair, results: tuple[int, int]) -> None:
        """results: the first side's points in each of the two games of the pair, 0 to 2 a game."""
        score = sum(results) / 4
        for scores, first in zip(self._scores, self._given.pop(pair.number), strict=True):
            scores.append(score if first else 1 - score)

    def effects(self) -> list[tuple[Factor, tuple[float, float, float]]]:
        """Each change with its Elo and its 95 % confidence bounds, the best first."""
        found = [(factor, elo(scores)) for factor, scores in zip(self.factors, self._scores, strict=True)]
        return sorted(found, key=lambda effect: -effect[1][0])
