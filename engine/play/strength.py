"""Limits the strength: fewer nodes, and sometimes a line that is not the best one (docs/strength.md)."""

from __future__ import annotations

from ..common.info import SCORE_CP, SearchInfo, is_mate
from ..settings.levels import MEASURED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random

    from ..common.limits import Limits
    from ..settings.options import Settings


class Handicap:
    """The limits below full strength: ``nodes`` for a move, and a choice among ``lines`` moves.

    The chance of a line falls with its distance from the best line: at a distance of ``slack_cp`` it is played 1/e
    (0.37) times as often.
    """

    __slots__ = ("lines", "nodes", "slack_cp")

    def __init__(self, nodes: int, lines: int, slack_cp: float):
        self.nodes = nodes
        self.lines = lines
        self.slack_cp = slack_cp

    def __repr__(self) -> str:
        return f"Handicap(nodes={self.nodes}, lines={self.lines}, slack_cp={self.slack_cp:.1f})"


def level(elo: int) -> Handicap:
    """Return the handicap for a rating from LEAST_ELO to MOST_ELO, interpolated between the measured ratings."""
    at = 1
    while MEASURED[at][0] < elo:
        at += 1
    low, high = MEASURED[at - 1], MEASURED[at]
    share = (elo - low[0]) / (high[0] - low[0])
    nodes = low[1] * (high[1] / low[1]) ** share
    slack_cp = low[3] * (high[3] / low[3]) ** share
    return Handicap(round(nodes), low[2], slack_cp)


def handicap(limits: Limits, settings: Settings) -> Handicap | None:
    """Return the handicap of a search; None at full strength and in analysis."""
    analysis = limits.infinite or limits.mate is not None or settings["UCI_AnalyseMode"]
    return level(settings["UCI_Elo"]) if settings["UCI_LimitStrength"] and not analysis else None


def choose(lines: list[SearchInfo], handicap: Handicap, random: Random) -> SearchInfo:
    """Choose one of the lines, which are sorted with the best line first. Better lines are more likely.

    A mate is always played, and moves that allow a mate are avoided.
    """
    best = lines[0]
    if is_mate(best.score) or handicap.slack_cp <= 0:
        return best
    from math import exp

    slack = handicap.slack_cp * SCORE_CP
    # Lines that the last iteration did not reach may have a higher score than the first one. They count as equal.
    weights = [exp(-max(0, best.score - line.score) / slack) for line in lines]
    return random.choices(lines, weights)[0]
