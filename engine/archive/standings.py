"""Cross tables of tournaments, with tie-breaks in any order; all sums are exact fractions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from ..rmobility.goals import MATE, Goal
from ..rmobility.scoring import white_points
from ..words.errors import ConfigError
from ..words.goal import goal_text
from ..words.text import shown

HALF = Fraction(1, 2)
WHITE_SHARE = {"1-0": Fraction(1), "0-1": Fraction(0), "1/2-1/2": HALF}
NOBODY = {"", "?", "-", "bye"}  # a player without an opponent plays one of these

Value = Fraction | int | tuple[int, ...]  # what a player has in a tie-break

DEFAULT_ORDER = ("points", "direct", "rmobility", "sb", "wins")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One finished game. goal, whole: None for a game that was not played or could not be read.

    rm_white, wg_white: White's R-Mobility points, None if there are none.
    """

    white: str
    black: str
    result: str
    goal: Goal | None = None
    rm_white: Fraction | None = None
    wg_white: Fraction | None = None


@dataclass(slots=True)
class Entrant:
    """The results of one player.

    met: (opponent, points of the game), in the order of the games. goals_met: (opponent, the result from the player's
    view: ``G8.5`` for a goal of its own, ``-G8.5`` for one of the opponent, ``1``, ``=`` or ``0`` without any).
    """

    name: str
    points: Fraction = Fraction(0)
    wins: int = 0
    draws: int = 0
    losses: int = 0
    blackwins: int = 0
    rmobility: Fraction = Fraction(0)
    wg: Fraction = Fraction(0)
    goals: Counter[int] = field(default_factory=Counter)  # code -> made less suffered, in draws
    met: list[tuple[str, Fraction]] = field(default_factory=list)
    goals_met: list[tuple[str, str]] = field(default_factory=list)
    rank: int = 0
    direct: Fraction | None = None  # against those with whom it was tied then

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


def is_nobody(name: str) -> bool:
    """Does the name mean that there was no player, as in a bye?"""
    return name.strip().lower() in NOBODY


def outcome_of(
    white: str,
    black: str,
    result: str,
    goal: Goal | None,
    whole: Goal | None,
    *,
    points: Callable[[Goal | None], Fraction] = white_points,
    forfeit_points: bool = False,
) -> Outcome | None:
    """A game for the table; None if it is not finished.

    goal None: the game was not played (forfeit, bye). forfeit_points: it still has R-Mobility points, by its result.
    """
    if result not in WHITE_SHARE:
        return None
    if goal is not None:
        return Outcome(white, black, result, goal, points(goal), points(whole))
    share = WHITE_SHARE[result] if forfeit_points else None
    return Outcome(white, black, result, None, share, share)


class Standings:
    """The table: ``players`` in order, each with a rank. Exact ties share a rank."""

    def __init__(self, outcomes: Iterable[Outcome], order: tuple[str, ...] = DEFAULT_ORDER):
        """Raises ConfigError for an unknown tie-break."""
        self.order = order
        for name in order:
            if name != "direct" and name not in KEYS:
                raise ConfigError(f"expected tie-breaks out of {', '.join(('direct', *KEYS))}, found {shown(name)}")
        self.by_name: dict[str, Entrant] = {}
        self.outcomes = list(outcomes)
        for outcome in self.outcomes:
            self._count(outcome)
        self.players: list[Entrant] = []
        self._rank(list(self.by_name.values()), 0)

    def _count(self, outcome: Outcome) -> None:
        share = WHITE_SHARE[outcome.result]
        sides = (
            (outcome.white, outcome.black, share, outcome.rm_white, outcome.wg_white),
            (outcome.black, outcome.white, 1 - share, _rest(outcome.rm_white), _rest(outcome.wg_white)),
        )
        for black, (name, opponent, points, rmobility, wg) in enumerate(sides):
            if is_nobody(name):
                continue
            player = self.by_name.setdefault(name, Entrant(name))
            player.points += points
            player.wins += points == 1
            player.draws += points == HALF
            player.losses += points == 0
            player.blackwins += bool(black) and points == 1
            player.rmobility += rmobility or 0
            player.wg += wg or 0
            player.met.append((opponent, points))
            goal = outcome.goal
            player.goals_met.append((opponent, _seen(goal, points, black)))
            if goal is not None and goal.code != MATE:
                player.goals[goal.code] += 1 if goal.owner == black else -1

    def _rank(self, group: list[Entrant], depth: int) -> None:
        """Order a group of tied players by the keys from ``depth`` on."""
        if len(group) == 1 or depth == len(self.order):
            rank = len(self.players) + 1
            for player in sorted(group, key=lambda player: player.name):
                player.rank = rank
                self.players.append(player)
            return
        name = self.order[depth]
        names = {player.name for player in group}
        buckets: defaultdict[tuple[Fraction | int, ...], list[Entrant]] = defaultdict(list)
        for player in group:
            if name == "direct":
                player.direct = sum((points for other, points in player.met if other in names), Fraction(0))
                buckets[player.direct,].append(player)
            else:
                value = KEYS[name](self, player)
                buckets[value if isinstance(value, tuple) else (value,)].append(player)
        for key in sorted(buckets, reverse=True):
            self._rank(buckets[key], depth + 1)

    def value(self, player: Entrant, name: str) -> Value | None:
        """The value of a player in a tie-break; None for a direct encounter that was not used."""
        return player.direct if name == "direct" else KEYS[name](self, player)

    def sonneborn_berger(self, player: Entrant) -> Fraction:
        """The points of each opponent, times the points scored against it."""
        known = self.by_name
        return sum((points * known[other].points for other, points in player.met if other in known), Fraction(0))

    def koya(self, player: Entrant) -> Fraction:
        """Points against players who scored half of their points or more."""
        good = {other.name for other in self.by_name.values() if 2 * other.points >= other.games}
        return sum((points for other, points in player.met if other in good), Fraction(0))

    def goals(self, player: Entrant) -> tuple[int, ...]:
        """Stalemates made less stalemates suffered, then the same for G1.0, G1.5 and so on."""
        last = max((code for other in self.by_name.values() for code in other.goals), default=0)
        return tuple(player.goals[code] for code in range(1, last + 1))

    def encounter(self, player: Entrant, other: Entrant) -> list[Fraction]:
        """The points of ``player`` in each game against the other."""
        return [points for name, points in player.met if name == other.name]

    def encounter_goals(self, player: Entrant, other: Entrant) -> list[str]:
        """The same with goals, see ``Entrant.goals_met``."""
        return [text for name, text in player.goals_met if name == other.name]


def _seen(goal: Goal | None, points: Fraction, black: int) -> str:
    """A game from the view of one player."""
    result = {Fraction(1): "1", HALF: "="}.get(points, "0")
    if goal is None or goal.code == MATE:
        return result
    text = goal_text(goal.code, int(goal.owner != black))
    return text if points == HALF else f"{result} {text}"  # a win may be scored by the board all the same


def _rest(share: Fraction | None) -> Fraction | None:
    return None if share is None else 1 - share


KEYS: dict[str, Callable[[Standings, Entrant], Value]] = {
    "points": lambda table, player: player.points,
    "rmobility": lambda table, player: player.rmobility,
    "sb": Standings.sonneborn_berger,
    "wins": lambda table, player: player.wins,
    "blackwins": lambda table, player: player.blackwins,
    "koya": Standings.koya,
    "rm-lex": Standings.goals,
    "wg": lambda table, player: player.wg,
}
