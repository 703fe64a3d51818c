"""Elo, R-Mobility points and SPRT of a match, from pairs of games with the same opening and reversed colours.

The two games of a pair are not independent, so the pair is the unit. That makes error bars narrower than those from
wins, draws and losses alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.959964  # normal quantile of a 95 % interval
_LEAST_VARIANCE = 1e-6  # of a pair: a few equal results do not prove certainty


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and the half-width of its 95 % interval; None if there are too few pairs."""

    mean: float
    error: float | None

    def __str__(self) -> str:
        return signed(self.mean, 3) if self.error is None else f"{signed(self.mean, 3)} +- {self.error:.3f}"


def signed(value: float, places: int) -> str:
    """The number with a sign; +0 if it rounds to zero."""
    return f"{round(value, places) + 0.0:+.{places}f}"


def estimate(pairs: Sequence[float]) -> Estimate:
    """The estimate for the mean score of a game. pairs: mean scores of pairs, from 0 to 1.

    Equal pairs do not tell how different others may be: by the rule of three up to 3/n of them, each by a half.
    """
    n = len(pairs)
    mean = sum(pairs) / n
    if n < 2:
        return Estimate(mean, None)
    variance = sum((score - mean) ** 2 for score in pairs) / (n - 1)
    if variance == 0:
        return Estimate(mean, min(0.5, 1.5 / n))
    return Estimate(mean, Z95 * math.sqrt(variance / n))


def elo_of(score: float) -> float:
    """The difference of rating at which this score is expected; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return -400 * math.log10(1 / score - 1)


def score_of(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def elo(pairs: Sequence[float]) -> tuple[float, float, float]:
    """(Elo, lower bound, upper bound of the 95 % interval)."""
    found = estimate(pairs)
    error = found.error if found.error is not None else 1.0
    return elo_of(found.mean), elo_of(found.mean - error), elo_of(found.mean + error)


@dataclass(frozen=True, slots=True)
class Sprt:
    """Sequential test of elo0 against elo1 (generalised SPRT, normal approximation of the pairs' scores)."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which elo0 and elo1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[float]) -> float:
        """Log-likelihood ratio of elo1 to elo0."""
        n = len(pairs)
        if n < 2:
            return 0.0
        mean = sum(pairs) / n
        variance = max(_LEAST_VARIANCE, sum((score - mean) ** 2 for score in pairs) / n)
        s0, s1 = score_of(self.elo0), score_of(self.elo1)
        return n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)

    def verdict(self, pairs: Sequence[float]) -> str | None:
        """``H0`` or ``H1`` if one of them is accepted, else None."""
        low, high = self.bounds
        ratio = self.ratio(pairs)
        return "H1" if ratio >= high else "H0" if ratio <= low else None
