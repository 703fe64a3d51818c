"""Estimates x05 from games: by the equilibrium, which divides a player's games in halves, and by a fit to the scores.

The two estimators answer different questions. The equilibrium, which defines x05, uses the best moment of each game.
The score fit uses the average position. Neither estimator finds the x05 of a model if evaluations are inexact or
games end when they are decided (docs/lab/scores.md).
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import exp2, inf, isinf

from ..common.errors import RelevanceError
from ..relevance.model import equilibrium
from .source import SourceGame
from .verdicts import JudgedPosition

OUTCOMES = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}  # the number is from White's point of view

RESAMPLES = 2000
_LEAST_RESAMPLES = 200  # limits the time for large collections, whose intervals are narrow anyway
_DRAWS = 4_000_000
_QUANTILES = (0.025, 0.975)
_NEIGHBOURS = 3  # number of peaks shown on either side of the cut

# Scores are fitted between these x05, in pawns: first on a grid, then by golden section around the grid's best point.
_GRID_CP = range(5, 501)
SCORE_LIMITS = (_GRID_CP[0] / 100, _GRID_CP[-1] / 100)
_GOLDEN = (5**0.5 - 1) / 2
_PRECISION = 1e-9


@dataclass(slots=True)
class FittedSide:
    """The half of a game that belongs to one player.

    number: the game's number in the input. outcome, evaluations: from the player's point of view.
    """

    number: int
    player: str
    outcome: int
    evaluations: list[float]

    @property
    def peak(self) -> float:
        return max(self.evaluations)


@dataclass(slots=True)
class Sides:
    """The usable halves of games, and the number of unusable halves for each reason."""

    found: list[FittedSide] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def add(self, game: SourceGame, positions: list[JudgedPosition], outcome: int | None = None) -> None:
        """Add both halves of a game. ``outcome``, from White's point of view, overrides the game's result.

        Only the evaluations in ``positions`` after the player's own moves count. Evaluations after the opponent's moves
        come from the opponent, or repeat the previous evaluation.
        """
        movetext = game.movetext
        if outcome is None:
            outcome = OUTCOMES.get(movetext.result)
        for name, view in (("White", 1), ("Black", -1)):
            if outcome is None:
                self.skipped["no result"] += 1
                continue
            known = [
                positions[index + 1].best
                for index in range(len(movetext.plies))
                if movetext.white_moves(index) == (view > 0)
            ]
            own = [view * found.pawns or 0.0 for found in known if found is not None]
            if own:
                self.found.append(FittedSide(game.number, movetext.tags.get(name, "?"), view * outcome, own))
            else:
                self.skipped["no evaluations"] += 1


@dataclass(slots=True)
class Fit:
    """The results for the games of one player.

    x05: the equilibrium; None if x05 is not defined; ``reason`` says why. interval: the bootstrap interval of x05;
    None without x05. undefined: the share of resamples without an equilibrium. score_x05: the score fit; None if the
    scores fit best at a limit of the search. above, below: peaks of games that were not won, on either side of the
    cut, the nearest first. at_cut: the number of peaks equal to x05. counted_losses: the number of lost games whose
    peak is at least x05. early_wins: the numbers of won games whose peak is below x05.
    """

    games: int
    wins: int
    draws: int
    losses: int
    score_x05: float | None
    x05: float | None = None
    reason: str = ""
    interval: tuple[float, float] | None = None
    undefined: float = 0.0
    above: list[float] = field(default_factory=list)
    below: list[float] = field(default_factory=list)
    at_cut: int = 0
    counted_losses: int = 0
    early_wins: list[int] = field(default_factory=list)


def fit(sides: list[FittedSide], seed: int = 1) -> Fit:
    """Apply both estimators to the games of one player or pool. Raises RelevanceError without games."""
    if not sides:
        raise RelevanceError("expected games with a result and evaluations, found no such game")
    outcomes = Counter(side.outcome for side in sides)
    found = Fit(len(sides), outcomes[1], outcomes[0], outcomes[-1], score_fit(sides))
    try:
        found.x05 = equilibrium((side.outcome, side.peak) for side in sides)
    except RelevanceError as error:
        found.reason = str(error)
        return found
    others = sorted((side.peak for side in sides if side.outcome != 1), reverse=True)
    cut = found.wins - 1
    found.above = others[max(0, cut - _NEIGHBOURS) : cut][::-1]
    found.below = others[cut + 1 : cut + 1 + _NEIGHBOURS]
    found.at_cut = others.count(found.x05)
    found.counted_losses = sum(side.outcome == -1 and side.peak >= found.x05 for side in sides)
    found.early_wins = [side.number for side in sides if side.outcome == 1 and side.peak < found.x05]
    found.interval, found.undefined = bootstrap(sides, seed)
    return found


def bootstrap(sides: list[FittedSide], seed: int) -> tuple[tuple[float, float] | None, float]:
    """Return the interval of 95 % of the equilibria of resampled games, and the share without an equilibrium."""
    chance = random.Random(seed)
    games = [(side.outcome, side.peak) for side in sides]
    values = []
    resamples = max(_LEAST_RESAMPLES, min(RESAMPLES, _DRAWS // len(games)))
    for _ in range(resamples):
        try:
            values.append(equilibrium(chance.choices(games, k=len(games))))
        except RelevanceError:
            continue
    if not values:
        return None, 1.0
    values.sort()
    low, high = (values[min(len(values) - 1, int(at * len(values)))] for at in _QUANTILES)
    return (low, high), 1 - len(values) / resamples


def score_fit(sides: Iterable[FittedSide]) -> float | None:
    """Return the x05 whose expected results come closest to the scores, with the same weight for each game.

    It minimises the squared differences, with equal evaluations combined. The result is None if no x05 between the
    ``SCORE_LIMITS`` fits better than the limits themselves, because then the evaluations do not predict the scores.
    """
    weights: dict[float, list[float]] = defaultdict(lambda: [0.0, 0.0])  # [sum of weights, sum of weights times score]
    for side in sides:
        weight = 1 / len(side.evaluations)
        for x in side.evaluations:
            weights[x][0] += weight
            weights[x][1] += weight * (side.outcome + 1) / 2
    # Terms that do not depend on x05 are left out of the sum.
    terms = [(x, total, scored) for x, (total, scored) in weights.items() if not isinf(x)]

    def misfit(x05: float) -> float:
        summed = 0.0
        for x, total, scored in terms:
            # The expected result is inlined here because this line runs a million times.
            p = exp2(x / x05 - 1.0) if x <= 0 else 1.0 - exp2(-x / x05 - 1.0)
            summed += p * (total * p - 2.0 * scored)
        return summed

    best = min(_GRID_CP, key=lambda cp: misfit(cp / 100))
    if best in {_GRID_CP[0], _GRID_CP[-1]}:
        return None
    low, high = (best - 1) / 100, (best + 1) / 100
    while high - low > _PRECISION:
        step = _GOLDEN * (high - low)
        if misfit(high - step) < misfit(low + step):
            high = low + step
        else:
            low = high - step
    return (low + high) / 2


def by_player(sides: list[FittedSide], names: tuple[str, ...]) -> dict[str, list[FittedSide]]:
    """Return the halves of each player's games; players with most games come first.

    names: if given, take only names that begin with one of them.
    """
    groups: dict[str, list[FittedSide]] = defaultdict(list)
    for side in sides:
        if names:
            for name in names:
                if side.player.lower().startswith(name.lower()):
                    groups[name].append(side)
        else:
            groups[side.player].append(side)
    return dict(sorted(groups.items(), key=lambda entry: (-len(entry[1]), entry[0])))


def usable(x05: float | None) -> bool:
    """Return whether the value is a valid x05 for the model. An equilibrium may also be 0, negative or a mate."""
    return x05 is not None and 0 < x05 < inf
