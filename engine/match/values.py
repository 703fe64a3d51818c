"""Estimates the values of pieces from games: the scores of imbalanced arrays depend on these values.

The logit of White's expected score is ``a + k * m``: ``a`` is White's advantage, ``k`` the weight of a pawn, and ``m``
the difference of material in pawns. The logit is linear in ``a``, ``k`` and the products of ``k`` and the values of
other pieces, so one logistic regression over all games finds them; a draw counts half. Jeffreys' prior (Firth, "Bias
reduction of maximum likelihood estimates", 1993) removes most of the bias of few games, and keeps the solution finite
where one side wins all of them.
"""

from __future__ import annotations

import math
import operator
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .statistics import Z95, solved

_STEPS = 60
_LONGEST_STEP = 1.0  # in logits, because far from the solution Newton's steps may be too long
_CLOSE = 1e-4  # in logits; a hundredth of a centipawn
_RIDGE = 1e-6  # keeps the equations solvable while some pieces have no games
_FIRST_WEIGHT = 0.6  # weight of a pawn, in logits, before there are games
_LEAST_SIGMAS = 2.0  # standard errors by which the weight of a pawn must exceed 0
_SATURATED = 0.85  # scores beyond this score hardly depend on small differences of material
_LOUD = 3.0  # a score farther than this many standard errors from the expected score contradicts the values

_RARE = 1.645  # standard deviations that chance exceeds once in twenty times

Imbalance = tuple[tuple[str, int], ...]  # (kind, how many more White has), sorted; the array itself is ()


def imbalance_of(surplus: Mapping[str, int]) -> Imbalance:
    """Return the imbalance with this surplus of each kind.

    >>> imbalance_of({"R": 1, "B": -1, "P": -2, "N": 0})
    (('B', -1), ('P', -2), ('R', 1))
    """
    return tuple(sorted((label, number) for label, number in surplus.items() if number))


def reversed_imbalance(imbalance: Imbalance) -> Imbalance:
    """Return the same imbalance from the other side's view."""
    return tuple((label, -number) for label, number in imbalance)


def words_of(imbalance: Imbalance, order: Sequence[str]) -> str:
    """Return the imbalance in words. order: the kinds in the order in which they are named.

    >>> words_of((("B", -1), ("P", -2), ("R", 1)), "RBP")
    'R against B + 2 P'
    """
    known = dict(imbalance)
    sides = [
        " + ".join(
            label if abs(known[label]) == 1 else f"{abs(known[label])} {label}"
            for label in order
            if known.get(label, 0) * sign > 0
        )
        for sign in (1, -1)
    ]
    return f"{sides[0] or 'nothing'} against {sides[1] or 'nothing'}"


@dataclass(frozen=True, slots=True)
class Worth:
    """What a piece is worth, in centipawns.

    value, error: the measured value and half of its 95 % interval; None while the games do not determine it. stated:
    the value that the engine used. games: the number of games in whose arrays one side has more of the piece.
    """

    label: str
    stated: int
    value: float | None
    error: float | None
    games: int
    doubts: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.label} ?" if self.value is None else f"{self.label} {self.value:.0f} +- {self.error:.0f}"


@dataclass(frozen=True, slots=True)
class Trial:
    """The games of one imbalance, from the view of the side that has more of the most valuable kind.

    results: won, drawn, lost. expected: the mean score that the values give. error: the standard error of the score.
    """

    imbalance: Imbalance
    results: tuple[int, int, int]
    expected: float
    error: float

    @property
    def games(self) -> int:
        return sum(self.results)

    @property
    def score(self) -> float:
        return (self.results[0] + self.results[1] / 2) / self.games

    @property
    def is_one_sided(self) -> bool:
        return not 1 - _SATURATED <= self.score <= _SATURATED

    @property
    def contradicts(self) -> bool:
        """Whether the score is far from the score that the values, which are measured in all games, predict."""
        return abs(self.score - self.expected) > _LOUD * self.error


@dataclass(frozen=True, slots=True)
class Values:
    """The findings from all games so far. pawn: the value of the unit in centipawns. unit: the unit in words.

    weight: (logits, half of the 95 % interval) of a pawn. first_move: White's advantage and half of its 95 %
    interval, in logits. results: the numbers of games that White won, drew and lost.
    """

    pawn: int
    unit: str
    worths: tuple[Worth, ...]
    trials: tuple[Trial, ...]
    weight: tuple[float, float]
    first_move: tuple[float, float]
    results: tuple[int, int, int]

    @property
    def games(self) -> int:
        return sum(self.results)

    @property
    def pawn_score(self) -> float:
        """The expected score of a side that is a unit ahead."""
        return logistic(self.weight[0])

    def view(self, order: Sequence[str]) -> dict[str, object]:
        """Return the findings as plain values for JSON. order: as in ``words_of``."""
        return {
            "games": self.games,
            "results": list(self.results),
            "pawn": self.pawn,
            "unit": self.unit,
            "pawn_score": self.pawn_score,
            "pieces": [
                {
                    "piece": each.label,
                    "value": each.value,
                    "error": each.error,
                    "stated": each.stated,
                    "games": each.games,
                    "doubts": list(each.doubts),
                }
                for each in self.worths
            ],
            "imbalances": [
                {
                    "imbalance": words_of(trial.imbalance, order),
                    "results": list(trial.results),
                    "score": trial.score,
                    "expected": trial.expected,
                    "error": trial.error,
                }
                for trial in self.trials
            ],
        }


def logistic(logit: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))


@dataclass(slots=True)
class _Fit:
    """The unknowns (White's advantage, the weight of a pawn, the weight of each measured kind) and their covariance."""

    unknowns: list[float]
    covariance: list[list[float]] = field(default_factory=list)
    noise: float = 1.0  # variance of a game's score, as a multiple of the variance without draws
    disagreement: float = 1.0  # variance of the arrays' scores, as a multiple of the variance by chance

    def error(self, at: int) -> float:
        """Return the standard error of an unknown."""
        return math.sqrt(max(0.0, self.covariance[at][at]))

    def quotient_error(self, at: int) -> float:
        """Return the standard error of an unknown in pawns, by the delta method; larger if the arrays disagree."""
        weight, product = self.unknowns[1], self.unknowns[at]
        spread = self.covariance
        variance = spread[at][at] - 2 * product / weight * spread[1][at] + (product / weight) ** 2 * spread[1][1]
        return math.sqrt(max(0.0, variance * self.disagreement)) / weight


class Model:
    """The regression for one set of measured kinds."""

    def __init__(self, stated: Mapping[str, int], measured: Sequence[str], pawn: int = 100, unit: str = "a pawn"):
        """stated: centipawns for each kind. measured: the kinds whose values are sought. pawn: the value of the unit.
        unit: the unit in words.
        """
        self.measured = tuple(measured)
        self._stated = dict(stated)
        self._pawn = pawn
        self._unit = unit

    def _row(self, imbalance: Imbalance) -> list[float]:
        """Return the factors of the unknowns in the logit of White's score."""
        known = dict(imbalance)
        fixed = sum(self._stated[label] * number for label, number in imbalance if label not in self.measured)
        return [1.0, fixed / self._pawn, *(float(known.get(label, 0)) for label in self.measured)]

    def values(self, games: Iterable[tuple[Imbalance, float]]) -> Values:
        """Return the values that the games show. games: (imbalance, White's score) for each game."""
        met: dict[Imbalance, Counter[float]] = defaultdict(Counter)
        for imbalance, score in games:
            met[imbalance][score] += 1
        fit = self._fit([(self._row(imbalance), scores) for imbalance, scores in met.items()])
        trials = self._trials(met, fit)
        is_weighed = bool(met) and fit.unknowns[1] > _LEAST_SIGMAS * fit.error(1)
        total: Counter[float] = sum(met.values(), Counter())
        return Values(
            pawn=self._pawn,
            unit=self._unit,
            worths=tuple(self._worth(2 + at, label, trials, fit, is_weighed) for at, label in enumerate(self.measured)),
            trials=trials,
            weight=(fit.unknowns[1], Z95 * fit.error(1)),
            first_move=(fit.unknowns[0], Z95 * fit.error(0)),
            results=(total[1.0], total[0.5], total[0.0]),
        )

    def _fit(self, rows: Sequence[tuple[list[float], Counter[float]]]) -> _Fit:
        """Maximise the penalised likelihood by Newton's method."""
        found = [0.0, _FIRST_WEIGHT, *(_FIRST_WEIGHT * self._stated[each] / self._pawn for each in self.measured)]
        inverse = _inverse(_information(rows, found))
        for _ in range(_STEPS):
            slope = [0.0] * len(found)
            for row, scores in rows:
                mean, count = _expected(row, found), scores.total()
                leverage = mean * (1 - mean) * _form(inverse, row)
                surplus = sum(score * number for score, number in scores.items()) - count * mean
                surplus += count * leverage * (0.5 - mean)
                slope = [old + surplus * factor for old, factor in zip(slope, row, strict=True)]
            step = [sum(map(operator.mul, line, slope)) for line in inverse]
            longest = max(map(abs, step))
            part = min(1.0, _LONGEST_STEP / longest) if longest else 1.0
            found = [old + part * change for old, change in zip(found, step, strict=True)]
            inverse = _inverse(_information(rows, found))
            if longest < _CLOSE:
                break
        noise = _noise(rows, found)
        spread = [[noise * value for value in line] for line in inverse]
        return _Fit(found, spread, noise, _disagreement(rows, found, noise))

    def _worth(self, at: int, label: str, trials: Sequence[Trial], fit: _Fit, is_weighed: bool) -> Worth:
        own = [trial for trial in trials if label in dict(trial.imbalance)]
        count = sum(trial.games for trial in own)
        stated = self._stated[label]
        if not (count and is_weighed):
            why = f"the games do not yet show what {self._unit} is worth" if count else "no games yet"
            return Worth(label, stated, None, None, count, (why,))
        value = self._pawn * fit.unknowns[at] / fit.unknowns[1]
        error = Z95 * self._pawn * fit.quotient_error(at)
        doubts = []
        if sum(trial.games for trial in own if trial.is_one_sided) > count / 2:
            doubts.append("most of its games are one-sided, so they say little")
        if any(trial.contradicts for trial in own):
            doubts.append("its imbalances contradict each other, so the value depends on what else is on the board")
        if abs(value - stated) > max(error, self._pawn / 2):
            doubts.append(f"arrays, and in games by definition also play, used the value {stated}: measure again")
        return Worth(label, stated, value, error, count, tuple(doubts))

    def _trials(self, met: Mapping[Imbalance, Counter[float]], fit: _Fit) -> tuple[Trial, ...]:
        """Return the trial of each imbalance, in which the games of both colours are combined."""
        found: dict[Imbalance, list[tuple[Counter[float], float, bool]]] = defaultdict(list)
        for imbalance, scores in met.items():
            named = self.named(imbalance)
            found[named].append((scores, _expected(self._row(imbalance), fit.unknowns), named != imbalance))
        trials = []
        for imbalance, parts in found.items():
            results = [0, 0, 0]
            expected = variance = 0.0
            for scores, mean, is_turned in parts:
                won, drawn, lost = scores[1.0], scores[0.5], scores[0.0]
                for at, number in enumerate((lost, drawn, won) if is_turned else (won, drawn, lost)):
                    results[at] += number
                expected += scores.total() * (1 - mean if is_turned else mean)
                variance += scores.total() * fit.noise * mean * (1 - mean)
            count = sum(results)
            counts = results[0], results[1], results[2]
            trials.append(Trial(imbalance, counts, expected / count, math.sqrt(variance) / count))
        return tuple(sorted(trials, key=lambda trial: (self._size(trial.imbalance), trial.imbalance)))

    def named(self, imbalance: Imbalance) -> Imbalance:
        """Return the imbalance from the view of the side that has more of the most valuable kind."""
        if not imbalance:
            return imbalance
        _, number = max(imbalance, key=lambda part: (self._stated[part[0]], part[0]))
        return imbalance if number > 0 else reversed_imbalance(imbalance)

    def _size(self, imbalance: Imbalance) -> int:
        return max((self._stated[label] for label, _ in imbalance), default=0)


def _expected(row: Sequence[float], unknowns: Sequence[float]) -> float:
    return logistic(sum(map(operator.mul, row, unknowns)))


def _information(rows: Sequence[tuple[list[float], Counter[float]]], unknowns: Sequence[float]) -> list[list[float]]:
    """Return the Fisher information of games without draws."""
    places = range(len(unknowns))
    found = [[_RIDGE if i == j else 0.0 for j in places] for i in places]
    for row, scores in rows:
        mean = _expected(row, unknowns)
        weight = scores.total() * mean * (1 - mean)
        for i in places:
            if row[i]:
                for j in places:
                    found[i][j] += weight * row[i] * row[j]
    return found


def _noise(rows: Sequence[tuple[list[float], Counter[float]]], unknowns: Sequence[float]) -> float:
    """Return the variance of the scores as a fraction of the variance without draws. Draws make scores less random."""
    seen = wanted = 0.0
    count = 0
    for row, scores in rows:
        mean = _expected(row, unknowns)
        seen += sum(number * (score - mean) ** 2 for score, number in scores.items())
        wanted += scores.total() * mean * (1 - mean)
        count += scores.total()
    free = count - len(unknowns)
    return float(seen / wanted * count / free) if free > len(unknowns) else 1.0


def _disagreement(rows: Sequence[tuple[list[float], Counter[float]]], unknowns: Sequence[float], noise: float) -> float:
    """Return the variance of the arrays' scores as a multiple of the variance by chance; 1 if chance may explain it.

    Birge, "The calculation of errors by the method of least squares", 1932.
    """
    seen = 0.0
    for row, scores in rows:
        mean, count = _expected(row, unknowns), scores.total()
        surplus = sum(score * number for score, number in scores.items()) - count * mean
        seen += surplus * surplus / (count * noise * mean * (1 - mean))
    free = len(rows) - len(unknowns)
    return seen / free if free > 0 and seen > free + _RARE * math.sqrt(2 * free) else 1.0


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    places = range(len(matrix))
    return [solved(matrix, [float(i == at) for i in places]) for at in places]


def _form(matrix: Sequence[Sequence[float]], row: Sequence[float]) -> float:
    """Return the quadratic form of a row."""
    return float(sum(factor * sum(map(operator.mul, line, row)) for factor, line in zip(row, matrix, strict=True)))
