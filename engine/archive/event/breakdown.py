"""The results of each player by opening, colour or time control, as a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from standstill.cext.base.constants import BLACK, WHITE

from ...common.text import visible
from ...rmobility.scoring import PLACES, points_text
from ..standings import HALF, SHARES, Outcome, Standings, is_bye
from ..standings_text import short

ALL_WHITE = "All, as White"
_SIDES = {WHITE: "White", BLACK: "Black"}
_KEYS: dict[str, Callable[[Outcome, int], str]] = {
    "opening": lambda outcome, side: outcome.facts.opening,
    "colour": lambda outcome, side: _SIDES[side],
    "control": lambda outcome, side: outcome.facts.controls[side],
}
PARTS = tuple(_KEYS)


@dataclass(slots=True)
class _Sum:
    results: tuple[int, int, int] = (0, 0, 0)  # won, drawn, lost
    points: Fraction = Fraction(0)
    rmobility: Fraction = Fraction(0)
    scored: int = 0  # games with R-Mobility points

    def add(self, outcome: Outcome, side: int) -> None:
        points = SHARES[outcome.result][side]
        won, drawn, lost = self.results
        self.results = won + (points == 1), drawn + (points == HALF), lost + (points == 0)
        self.points += points
        if outcome.rm_white is not None:
            self.rmobility += 1 - outcome.rm_white if side else outcome.rm_white
            self.scored += 1


def breakdown(table: Standings, by: str) -> list[list[str]]:
    """Return a table: for each player in order, and for all players as White, a row for each value.

    by: one of ``PARTS``. Byes do not count. The R-Mobility sum is empty if no game has such points.
    """
    key = _KEYS[by]
    found = [["Player", by.capitalize(), "Games", "Won", "Drawn", "Lost", "Points", "%", "R-Mobility"]]
    everyone = [(outcome, WHITE) for outcome in table.outcomes]
    for name, played in [(ALL_WHITE, everyone), *((player.name, player.played) for player in table.players)]:
        sums: defaultdict[str, _Sum] = defaultdict(_Sum)
        for outcome, side in played:
            if not is_bye(outcome.white) and not is_bye(outcome.black):
                sums[key(outcome, side)].add(outcome, side)
        order = sorted(sums, reverse=True) if by == "colour" else sorted(sums)
        found += [_row(name, value, sums[value]) for value in order]
    return found


def _row(name: str, value: str, total: _Sum) -> list[str]:
    games = sum(total.results)
    return [
        visible(name),
        visible(value) or "unknown",
        str(games),
        *map(str, total.results),
        short(total.points),
        points_text(100 * total.points / games, 1),
        points_text(total.rmobility, PLACES) if total.scored else "",
    ]
