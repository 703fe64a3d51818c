"""Says in words why one player stands above another: the tie-breaks in order, up to the decisive tie-break."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...common.errors import ConfigError
from ...common.text import shown, visible
from ..standings import Entrant, Standings
from ..standings_text import TITLES, tie_breaks

_WORDS = {
    "points": "points",
    "direct": "points from the games between the tied players",
    "rmobility": "R-Mobility points",
    "sb": "Sonneborn-Berger points",
    "wins": "wins",
    "blackwins": "wins with Black",
    "koya": "points against players with at least half of their points (Koya)",
    "rm-lex": "goals",
    "wg": "R-Mobility points of the whole games",
}
assert _WORDS.keys() == TITLES.keys()


@dataclass(frozen=True, slots=True)
class Step:
    """One tie-break of two players. values: the upper player's and the lower player's value, as in the table."""

    name: str
    values: tuple[str, str]
    decides: bool

    @property
    def text(self) -> str:
        """Such as ``22.5 points each`` or ``R-Mobility points: 22.495854 against 21.981639``."""
        above, below = (value or "none" for value in self.values)
        return f"{_WORDS[self.name]}: {above} {f'against {below}' if self.decides else 'each'}"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why ``above`` stands above ``below``. If no step decides, the two players share a rank."""

    above: Entrant
    below: Entrant
    steps: tuple[Step, ...]

    @property
    def text(self) -> str:
        """One sentence."""
        above, below = visible(self.above.name), visible(self.below.name)
        steps = "; ".join(step.text for step in self.steps)
        if self.steps and self.steps[-1].decides:
            return f"{above} is above {below}: {steps}."
        return f"{above} and {below} share rank {self.above.rank}: {steps}."


class Reasons:
    """The reasons of one table.

    >>> print(Reasons(table).between("LCZero", "AllieStein").text)  # doctest: +SKIP
    AllieStein is above LCZero: points: 22.5 each; ...; R-Mobility points: 22.495854 against 21.981639.
    """

    def __init__(self, table: Standings):
        self._table = table
        self._texts = {name: tie_breaks(table, name) for name in table.columns}
        self._places = {player.name: place for place, player in enumerate(table.players)}

    def between(self, one: str, other: str) -> Reason:
        """Return the reason for the order of two players, named in any order.

        one, other: names, or beginnings of names that no other player has.
        Raises ConfigError for an unknown name, or one player twice.
        """
        above, below = sorted((self._find(one), self._find(other)))
        if above == below:
            raise ConfigError(f"expected two players, found {shown(self._table.players[above].name)} twice")
        return self._reason(above, below)

    def _find(self, text: str) -> int:
        """The place of a player in the table."""
        if text in self._places:
            return self._places[text]
        found = [name for name in self._places if name.casefold().startswith(text.casefold())]
        if len(found) == 1:
            return self._places[found[0]]
        if found:
            raise ConfigError(
                f"expected the name of one player, found {shown(text)}: {', '.join(map(shown, found[:3]))}"
            )
        raise ConfigError(f"expected a player of the table, found {shown(text)}")

    def of_ties(self) -> Iterator[Reason]:
        """Yield the reason for each pair of neighbours who are equal in the first tie-break."""
        if not self._table.columns:
            return
        first = self._table.columns[0]
        for below in range(1, len(self._table.players)):
            if self._value(below - 1, first) == self._value(below, first):
                yield self._reason(below - 1, below)

    def _value(self, place: int, name: str) -> object:
        return self._table.value(self._table.players[place], name)

    def _reason(self, above: int, below: int) -> Reason:
        steps = []
        for name in self._table.columns:
            decides = self._value(above, name) != self._value(below, name)
            steps.append(Step(name, (self._texts[name][above], self._texts[name][below]), decides))
            if decides:
                break
        return Reason(self._table.players[above], self._table.players[below], tuple(steps))
