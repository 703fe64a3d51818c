"""Elo, R-Mobility points and SPRT of a match, from pairs of games with the same opening and reversed colours.

The two games of a pair are not independent, so the pair is the unit. The use of pairs makes error bars narrower than
those computed from wins, draws and losses alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Z95 = 1.959964  # normal quantile for a 95 % interval
_STEPS = 200  # largest number of steps of Newton's method
_MAX_STEP = 200.0  # largest step in Elo, because steps far from the solution may be too long
_CLOSE_ENOUGH = 1e-6  # Elo
# The prior consists of this many pairs, lost, drawn and won equally often, because a few equal results do not prove
# certainty. With this prior, simulated tests err in 2 to 5 of 100 cases (at most 5 are allowed), without it in up to
# 67 (tests/match/test_statistics.py).
_PRIOR_PAIRS = 4
_PRIOR = {0.0: 1 / 9, 0.25: 2 / 9, 0.5: 1 / 3, 0.75: 2 / 9, 1.0: 1 / 9}
_HALVINGS = 50  # number of bisections, enough for the precision of floats


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and the half-width of the 95 % interval. The half-width is None if there are too few pairs."""

    mean: float
    error: float | None

    def __str__(self) -> str:
        return signed(self.mean, 3) if self.error is None else f"{signed(self.mean, 3)} +- {self.error:.3f}"


def signed(value: float, places: int) -> str:
    """Write the number with a sign; +0 if it rounds to zero."""
    return f"{round(value, places) + 0.0:+.{places}f}"


def estimate(pairs: Sequence[float]) -> Estimate:
    """Estimate the mean score of a game. pairs: mean scores of pairs, from 0 to 1.

    If all pairs are equal, the rule of three gives the error: up to 3/n of all possible pairs may differ, each by a
    half.
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
    """Return the rating difference at which this score is expected; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return -400 * math.log10(1 / score - 1)


def score_of(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def elo(pairs: Sequence[float]) -> tuple[float, float, float]:
    """Return (Elo, lower bound, upper bound) with the bounds of the 95 % interval."""
    found = estimate(pairs)
    error = found.error if found.error is not None else 1.0
    return elo_of(found.mean), elo_of(found.mean - error), elo_of(found.mean + error)


def ratings(met: Mapping[tuple[int, int], Sequence[float]], count: int) -> list[tuple[float, float]]:
    """Return (Elo, half-width of the 95 % interval) for each of ``count`` players, with a mean of 0.

    met: for each two players, the mean scores of the first player in their pairs of games. The ratings are the most
    likely ones in the logistic model. Each player also gets a drawn pair against an average player, so that ratings
    stay finite. The variance is the empirical variance of the pairs ("sandwich" estimator), because the games of a
    pair are not independent.
    """
    rated = [0.0] * count
    for _ in range(_STEPS):
        slope, weights = _slope(met, rated)
        step = solved(weights, slope)
        rated = [old + max(-_MAX_STEP, min(_MAX_STEP, change)) for old, change in zip(rated, step, strict=True)]
        if max(map(abs, step)) < _CLOSE_ENOUGH:
            break
    _, weights = _slope(met, rated)
    spread = _spread(met, rated)
    inverse = [solved(weights, [float(row == at) for row in range(count)]) for at in range(count)]
    means = [sum(column) / count for column in zip(*inverse, strict=True)]
    mean = sum(rated) / count
    found = []
    for at in range(count):
        # Ratings are reported as differences from the mean.
        row = [value - middle for value, middle in zip(inverse[at], means, strict=True)]
        variance = sum(row[i] * spread[i][j] * row[j] for i in range(count) for j in range(count))
        found.append((rated[at] - mean, Z95 * math.sqrt(max(0.0, variance))))
    return found


def _slope(met: Mapping[tuple[int, int], Sequence[float]], rated: list[float]) -> tuple[list[float], list[list[float]]]:
    """Return gradient and negative Hessian of the log-likelihood, up to a constant factor."""
    count = len(rated)
    slope = [0.5 - score_of(value) for value in rated]  # the term for the drawn pair that every player gets
    weights = [[0.0] * count for _ in range(count)]
    for at, value in enumerate(rated):
        weights[at][at] = _steepness(score_of(value))
    for (one, other), scores in met.items():
        expected = score_of(rated[one] - rated[other])
        difference = sum(scores) - len(scores) * expected
        weight = len(scores) * _steepness(expected)
        slope[one] += difference
        slope[other] -= difference
        for row, column, sign in ((one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)):
            weights[row][column] += sign * weight
    return slope, weights


def _spread(met: Mapping[tuple[int, int], Sequence[float]], rated: list[float]) -> list[list[float]]:
    """Return the empirical covariance of the gradient, from the deviations of pairs from their expected scores."""
    count = len(rated)
    spread = [[0.0] * count for _ in range(count)]
    for (one, other), scores in met.items():
        expected = score_of(rated[one] - rated[other])
        # A pair of independent games is added, because a few equal results do not prove certainty.
        variance = sum((score - expected) ** 2 for score in scores) + expected * (1 - expected) / 2
        for row, column, sign in ((one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)):
            spread[row][column] += sign * variance
    return spread


def _steepness(score: float) -> float:
    """Return the derivative of the expected score with respect to the rating."""
    return math.log(10) / 400 * score * (1 - score)


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve a small system of equations by elimination. The matrix must be symmetric and positive definite."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    count = len(rows)
    for at in range(count):
        pivot = rows[at]
        for other in rows[at + 1 :]:
            factor = other[at] / pivot[at]
            for column in range(at, count + 1):
                other[column] -= factor * pivot[column]
    found = [0.0] * count
    for at in reversed(range(count)):
        known = sum(rows[at][column] * found[column] for column in range(at + 1, count))
        found[at] = (rows[at][count] - known) / rows[at][at]
    return found


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of elo0 against elo1: the generalised SPRT, from the likelihoods of the pairs' scores.

    The distribution of the scores is unknown. Under each hypothesis the test assumes the most likely distribution
    among those with the expected mean (Van den Bergh: A practical introduction to the GSPRT).
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which elo0 and elo1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[float]) -> float:
        """Return the log-likelihood ratio of elo1 to elo0. pairs: mean scores of pairs, from 0 to 1."""
        seen = Counter(pairs)
        s0, s1 = score_of(self.elo0), score_of(self.elo1)
        weights = {score: seen[score] + _PRIOR_PAIRS * _PRIOR.get(score, 0.0) for score in (*_PRIOR, *seen)}
        t0, t1 = _tilt(weights, s0), _tilt(weights, s1)
        return sum(
            count * (math.log1p(t0 * (score - s0)) - math.log1p(t1 * (score - s1))) for score, count in seen.items()
        )

    def verdict(self, pairs: Sequence[float]) -> str | None:
        """Return ``H0`` or ``H1`` if one of them is accepted, else None."""
        low, high = self.bounds
        ratio = self.ratio(pairs)
        return "H1" if ratio >= high else "H0" if ratio <= low else None


def _tilt(weights: Mapping[float, float], mean: float) -> float:
    """Return t of the most likely distribution with this mean.

    The probabilities are in proportion to weight / (1 + t (score - mean)). weights: the frequency of each score,
    including 0 and 1 (Owen: Empirical Likelihood, 2001).
    """
    low, high = -1 / (1 - mean), 1 / mean  # the values at which a probability becomes infinite
    for _ in range(_HALVINGS):
        t = (low + high) / 2
        if sum(count * (score - mean) / (1 + t * (score - mean)) for score, count in weights.items()) > 0:
            low = t
        else:
            high = t
    return (low + high) / 2
