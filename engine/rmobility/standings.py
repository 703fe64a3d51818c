"""Cross tables of tournaments, with tie-breaks in any order; all sums are exact fractions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from ..errors import ConfigError
from ..notation import shown
from .goals import MATE, Goal
from .scoring import white_points

HALF = Fraction(1, 2)
WHITE_SHARE = {"1-0": Fraction(1), "0-1": Fraction(0), "1/2-1/2": HALF}
NOBODY = {"", "?", "-", "bye"}  # whoever has no opponent plays one of these

DEFAULT_ORDER = ("points", "direct", "rmobility", "sb", "wins")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One finished game. goal, whole: None for one that was not played, or could not be read.

    rm_white, wg_white: White's R-Mobility points, None where there are none.
    """

    white: str
    black: str
    result: str
    goal: Goal | None = None
    rm_white: Fraction | None = None
    wg_white: Fraction | None = None


@dataclass(slots=True)
class Player:
    """What one player has reached. met: (opponent, points of the game), in the order of the games."""

    name: str
    points: Fraction = Fraction(0)
    wins: int = 0
    draws: int = 0
    losses: int = 0
    blackwins: int = 0
    rmobility: Fraction = Fraction(0)
    wg: Fraction = Fraction(0)
    goals: Counter = field(default_factory=Counter)  # code -> made less suffered, in draws
    met: list[tuple[str, Fraction]] = field(default_factory=list)
    rank: int = 0
    direct: Fraction | None = None  # against those it was tied with when that was asked

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


def outcome_of(
    white: str,
    black: str,
    result: str,
    goal: Goal | None,
    whole: Goal | None,
    *,
    points: Callable[[Goal], Fraction] = white_points,
    forfeit_points: bool = False,
) -> Outcome | None:
    """A game as the table wants it; None if it is not finished.

    goal None: it was not played (forfeit, bye). forfeit_points: it has R-Mobility points all the same, those of the
    result.
    """
    if result not in WHITE_SHARE:
        return None
    if goal is not None:
        return Outcome(white, black, result, goal, points(goal), points(whole))
    share = WHITE_SHARE[result] if forfeit_points else None
    return Outcome(white, black, result, None, share, share)


class Standings:
    """The table: ``players`` in order, each with its rank; exact ties share one."""

    def __init__(self, outcomes: Iterable[Outcome], order: tuple[str, ...] = DEFAULT_ORDER):
        """Raises ConfigError for an unknown tie-break."""
        self.order = order
        for name in order:
            if name != "direct" and name not in KEYS:
                raise ConfigError(f"expected tie-breaks out of {', '.join(('direct', *KEYS))}, found {shown(name)}")
        self.by_name: dict[str, Player] = {}
        self.outcomes = list(outcomes)
        for outcome in self.outcomes:
            self._count(outcome)
        self.players: list[Player] = []
        self._rank(list(self.by_name.values()), 0)

    def _count(self, outcome: Outcome) -> None:
        share = WHITE_SHARE[outcome.result]
        sides = (
            (outcome.white, outcome.black, share, outcome.rm_white, outcome.wg_white),
            (outcome.black, outcome.white, 1 - share, _rest(outcome.rm_white), _rest(outcome.wg_white)),
        )
        for black, (name, opponent, points, rmobility, wg) in enumerate(sides):
            if name.strip().lower() in NOBODY:
                continue
            player = self.by_name.setdefault(name, Player(name))
            player.points += points
            player.wins += points == 1
            player.draws += points == HALF
            player.losses += points == 0
            player.blackwins += bool(black) and points == 1
            player.rmobility += rmobility or 0
            player.wg += wg or 0
            player.met.append((opponent, points))
            goal = outcome.goal
            if goal is not None and goal.code != MATE:
                player.goals[goal.code] += 1 if goal.owner == black else -1

    def _rank(self, group: list[Player], depth: int) -> None:
        """Put a group that is tied so far into its order, by the keys from ``depth`` on."""
        if len(group) == 1 or depth == len(self.order):
            rank = len(self.players) + 1
            for player in sorted(group, key=lambda player: player.name):
                player.rank = rank
                self.players.append(player)
            return
        name = self.order[depth]
        names = {player.name for player in group}
        buckets: dict = defaultdict(list)
        for player in group:
            if name == "direct":
                player.direct = sum((points for other, points in player.met if other in names), Fraction(0))
                buckets[player.direct].append(player)
            else:
                buckets[KEYS[name](self, player)].append(player)
        for key in sorted(buckets, reverse=True):
            self._rank(buckets[key], depth + 1)

    def value(self, player: Player, name: str):
        """What a player has in a tie-break; None for a direct encounter that was not asked for."""
        return player.direct if name == "direct" else KEYS[name](self, player)

    def sonneborn_berger(self, player: Player) -> Fraction:
        """The points of each opponent times what was scored against it."""
        known = self.by_name
        return sum((points * known[other].points for other, points in player.met if other in known), Fraction(0))

    def koya(self, player: Player) -> Fraction:
        """Points against those who reached half of theirs or more."""
        good = {other.name for other in self.by_name.values() if 2 * other.points >= other.games}
        return sum((points for other, points in player.met if other in good), Fraction(0))

    def goals(self, player: Player) -> tuple[int, ...]:
        """Stalemates made less suffered, then the same for G1.0, G1.5 and on."""
        last = max((code for other in self.by_name.values() for code in other.goals), default=0)
        return tuple(player.goals[code] for code in range(1, last + 1))

    def encounter(self, player: Player, other: Player) -> list[Fraction]:
        """What ``player`` scored in each game against the other."""
        return [points for name, points in player.met if name == other.name]


def _rest(share: Fraction | None) -> Fraction | None:
    return None if share is None else 1 - share


KEYS: dict[str, Callable[[Standings, Player], object]] = {
    "points": lambda table, player: player.points,
    "rmobility": lambda table, player: player.rmobility,
    "sb": Standings.sonneborn_berger,
    "wins": lambda table, player: player.wins,
    "blackwins": lambda table, player: player.blackwins,
    "koya": Standings.koya,
    "rm-lex": Standings.goals,
    "wg": lambda table, player: player.wg,
}
