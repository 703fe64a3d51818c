"""Playing below full strength: fewer nodes, and now and then not the best of several lines (docs/strength.md)."""

from __future__ import annotations

from .info import SCORE_CP, SearchInfo, is_mate

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from random import Random

    from .limits import Limits
    from .options import Settings


# (rating, nodes, lines, slack in cp). From 1320 on: nodes that scored half against a Skill Level of Stockfish with that
# rating; below: slack that scored 24 per cent against 200 points more. tests/measure/levels.py, docs/strength.md.
MEASURED = (
    (700, 300, 6, 290),
    (920, 300, 6, 147),
    (1120, 300, 6, 83),
    (1320, 300, 6, 46),
    (1468, 580, 4, 21),
    (1608, 1300, 4, 18),
    (1742, 2300, 4, 16),
    (1923, 5400, 4, 13),
    (2204, 17_000, 4, 11),
    (2363, 34_000, 4, 10),
    (2500, 60_000, 4, 9),
)
LEAST_ELO = MEASURED[0][0]
MOST_ELO = MEASURED[-1][0]


class Handicap:
    """How much weaker: ``nodes`` a move, one of ``lines`` moves chosen, ``slack_cp`` given away for a coin's toss.

    A line so much worse than the best is played 1/e (0.37) times as often.
    """

    __slots__ = ("lines", "nodes", "slack_cp")

    def __init__(self, nodes: int, lines: int, slack_cp: float):
        self.nodes = nodes
        self.lines = lines
        self.slack_cp = slack_cp

    def __repr__(self) -> str:
        return f"Handicap(nodes={self.nodes}, lines={self.lines}, slack_cp={self.slack_cp:.1f})"


def level(elo: int) -> Handicap:
    """What a rating from LEAST_ELO to MOST_ELO means, in proportion between the ratings that were measured."""
    at = 1
    while MEASURED[at][0] < elo:
        at += 1
    low, high = MEASURED[at - 1], MEASURED[at]
    share = (elo - low[0]) / (high[0] - low[0])
    nodes = low[1] * (high[1] / low[1]) ** share
    slack_cp = low[3] * (high[3] / low[3]) ** share
    return Handicap(round(nodes), low[2], slack_cp)


def handicap(limits: Limits, settings: Settings) -> Handicap | None:
    """How to search below full strength, None for all that is no game: an analysis tells what the engine knows."""
    analysis = limits.infinite or limits.mate is not None or settings["UCI_AnalyseMode"]
    return level(settings["UCI_Elo"]) if settings["UCI_LimitStrength"] and not analysis else None


def choose(lines: list[SearchInfo], handicap: Handicap, random: Random) -> SearchInfo:
    """One of the lines, best first; the better the likelier.

    A mate that was seen is played, and one that was seen coming is not walked into.
    """
    best = lines[0]
    if is_mate(best.score) or handicap.slack_cp <= 0:
        return best
    from math import exp

    slack = handicap.slack_cp * SCORE_CP
    # Lines that the search did not reach again may stand higher than the first: no better than it.
    weights = [exp(-max(0, best.score - line.score) / slack) for line in lines]
    return random.choices(lines, weights)[0]
