"""Computes cross tables of tournaments, with tie-breaks in any order. All sums are exact fractions."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from standstill.cext.base.constants import BLACK, WHITE

from ..common.errors import ConfigError
from ..common.goal import goal_text
from ..common.text import shown
from ..rmobility.goals import MATE, Goal
from ..rmobility.scoring import white_points

HALF = Fraction(1, 2)
WHITE_SHARE = {"1-0": Fraction(1), "0-1": Fraction(0), "1/2-1/2": HALF}
# The points of White and Black. If both together are less than one point, one or both sides were denied their points.
SHARES = {result: (white, 1 - white) for result, white in WHITE_SHARE.items()} | {
    "0-0": (Fraction(0), Fraction(0)),
    "1/2-0": (HALF, Fraction(0)),
    "0-1/2": (Fraction(0), HALF),
}
_WORD = re.compile(r"\w+")
_ROUND = re.compile(r"\d{1,6}(\.\d{1,6})*", re.ASCII)
# Letters that Unicode does not decompose into a letter and an accent, and letters for which people also write two
# letters.
_ONE = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\N{LATIN SMALL LETTER DOTLESS I}": "i"}
)
_TWO = _ONE | str.maketrans({"ä": "ae", "ö": "oe", "ø": "oe", "ü": "ue", "å": "aa", "đ": "dj"})
_APOSTROPHES = dict.fromkeys(
    map(ord, "'\N{RIGHT SINGLE QUOTATION MARK}\N{MODIFIER LETTER APOSTROPHE}`\N{ACUTE ACCENT}")
)
NO_PLAYER = {"", "?", "-", "bye"}  # names of a missing opponent, as in a bye

MOST_CROSSED = 200  # largest number of players in a cross table, because wider tables are unreadable

Value = Fraction | int | tuple[int, ...]  # a player's value in a tie-break

DEFAULT_ORDER = ("points", "direct", "rmobility", "sb", "wins")


@dataclass(frozen=True, slots=True)
class GameFacts:
    """What an archive says about a game. Texts are empty where the archive has none.

    number: the game's number among all games that were read, from 1; 0 for a game that is in no archive. opening:
    the name of the opening, its ECO code, or the first position. controls: the time control of White and of Black,
    as written, or another limit in words. start: the time when the game began, as text that sorts by time. plies: 0
    for a game without moves. ratings: of White and Black, 0 if unknown. termination: the value of the tag
    Termination.
    """

    number: int = 0
    event: str = ""
    section: str = ""
    round: str = ""
    date: str = ""
    opening: str = ""
    controls: tuple[str, str] = ("", "")
    start: str = ""
    plies: int = 0
    ratings: tuple[int, int] = (0, 0)
    termination: str = ""


NO_FACTS = GameFacts()


@dataclass(frozen=True, slots=True)
class Outcome:
    """One finished game. goal: None for a game that was not played or is unreadable.

    rm_white, wg_white: White's R-Mobility points, by phase and by whole game; None for a game without such points.
    by_komi: whether a komi decides the game if it is drawn.
    """

    white: str
    black: str
    result: str
    goal: Goal | None = None
    rm_white: Fraction | None = None
    wg_white: Fraction | None = None
    facts: GameFacts = NO_FACTS
    by_komi: bool = False


@dataclass(slots=True)
class Entrant:
    """The results of one player.

    met: (opponent, points of the game), in the order of the games. against: for each opponent, the points of each game
    and its result from the player's point of view: ``G8.5`` for the player's own goal, ``-G8.5`` for one of the
    opponent, ``1``, ``=`` or ``0`` without a goal. played: (game, side of the player), in the order of the games.
    """

    name: str
    points: Fraction = Fraction(0)
    wins: int = 0
    draws: int = 0
    losses: int = 0
    blackwins: int = 0
    rmobility: Fraction = Fraction(0)
    wg: Fraction = Fraction(0)
    goals: Counter[int] = field(default_factory=Counter)  # code -> goals reached minus goals conceded, in draws
    met: list[tuple[str, Fraction]] = field(default_factory=list)
    against: defaultdict[str, list[tuple[Fraction, str]]] = field(default_factory=lambda: defaultdict(list))
    played: list[tuple[Outcome, int]] = field(default_factory=list)
    rank: int = 0
    direct: Fraction | None = None  # points against the players who were tied with this one at the direct encounter

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    def by_colour(self, points: Fraction) -> tuple[int, int]:
        """Return the number of games with these points as White and as Black. A bye has no colour."""
        scored = Counter(
            side
            for outcome, side in self.played
            if SHARES[outcome.result][side] == points and not is_bye(outcome.black if side == WHITE else outcome.white)
        )
        return scored[WHITE], scored[BLACK]


def is_bye(name: str) -> bool:
    """Return whether the name stands for a missing opponent, as in a bye."""
    return name.strip().lower() in NO_PLAYER


def name_of(value: str) -> str:
    """Return the name in a tag without redundant spaces, and with a letter and its accent as one character."""
    name = " ".join(word for word in value.split(" ") if word)
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def alike(names: Iterable[str]) -> list[list[str]]:
    """Return groups of names that may mean one player: equal words, ignoring order, case, accents and punctuation.

    A letter may be written as two: ``Müller`` is ``Muller`` or ``Mueller``. The latter two are alike only if the first
    occurs, too, because ``Bauer`` and ``Baur`` are different names.

    >>> alike(["Müller, Jörg", "Joerg Mueller", "O'Neill, Sean", "ONeill, Seán", "Bauer", "Baur"])
    [['Joerg Mueller', 'Müller, Jörg'], ["O'Neill, Sean", 'ONeill, Seán']]
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for name in names:
        group = [name]
        keys = _keys(name)
        for other in {id(groups[key]): groups[key] for key in keys if key in groups}.values():
            group += other
        for key in {*keys, *(key for other in group[1:] for key in _keys(other))}:
            groups[key] = group
    return [sorted(group) for group in {id(group): group for group in groups.values()}.values() if len(group) > 1]


@lru_cache(maxsize=10_000)
def _keys(name: str) -> tuple[tuple[str, ...], ...]:
    """The words of a name without accents, once with letters such as ü as one letter and once as two."""
    found: dict[tuple[str, ...], None] = {}
    lower = name.translate(_APOSTROPHES).casefold()
    for letters in (_ONE, _TWO):
        plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", lower).translate(letters))
        words = _WORD.findall("".join(letter for letter in plain if not unicodedata.combining(letter)))
        found[tuple(sorted(words))] = None
    return tuple(key for key in found if key)


def outcome_of(
    white: str,
    black: str,
    result: str,
    goal: Goal | None,
    whole: Goal | None,
    *,
    points: Callable[[Goal | None], Fraction] = white_points,
    forfeit_points: bool = False,
    facts: GameFacts = NO_FACTS,
    by_komi: bool = False,
) -> Outcome | None:
    """Return a game for the table; None if it is not finished.

    goal: None if the game was not played (forfeit, bye). forfeit_points: such a game gets R-Mobility points by its
    result. A game worth less than one point, such as 0-0, gets no R-Mobility points, because these divide one point.
    """
    if result not in SHARES:
        return None
    if result not in WHITE_SHARE:
        return Outcome(white, black, result, facts=facts, by_komi=by_komi)
    if goal is not None:
        return Outcome(white, black, result, goal, points(goal), points(whole), facts, by_komi)
    share = WHITE_SHARE[result] if forfeit_points else None
    return Outcome(white, black, result, None, share, share, facts, by_komi)


class Standings:
    """The table. ``players`` are in order, each with a rank. Players who are exactly tied share a rank."""

    def __init__(
        self,
        outcomes: Iterable[Outcome],
        order: tuple[str, ...] = DEFAULT_ORDER,
        known: Mapping[str, Fraction] | None = None,
    ):
        """known: further R-Mobility points of players, such as those of a cross table without goals.

        Raises ConfigError for an unknown tie-break.
        """
        self.order = order
        for name in order:
            if name != "direct" and name not in KEYS:
                raise ConfigError(f"expected tie-breaks out of {', '.join(('direct', *KEYS))}, found {shown(name)}")
        self.by_name: dict[str, Entrant] = {}
        self.outcomes = list(outcomes)
        for outcome in _in_rounds(self.outcomes):
            self._count(outcome)
        for name, points in (known or {}).items():
            if name in self.by_name:
                self.by_name[name].rmobility += points
        self._last_goal = max((code for player in self.by_name.values() for code in player.goals), default=0)
        self.players: list[Entrant] = []
        self._rank(list(self.by_name.values()), 0)

    def _count(self, outcome: Outcome) -> None:
        white, black = SHARES[outcome.result]
        sides = (
            (outcome.white, outcome.black, white, outcome.rm_white, outcome.wg_white),
            (outcome.black, outcome.white, black, _rest(outcome.rm_white), _rest(outcome.wg_white)),
        )
        for side, (name, opponent, points, rmobility, wg) in enumerate(sides):
            if is_bye(name):
                continue
            player = self.by_name.setdefault(name, Entrant(name))
            player.points += points
            player.wins += points == 1
            player.draws += points == HALF
            player.losses += points == 0
            player.blackwins += side == BLACK and points == 1
            player.rmobility += rmobility or 0
            player.wg += wg or 0
            player.met.append((opponent, points))
            player.played.append((outcome, side))
            goal = outcome.goal
            player.against[opponent].append((points, _seen(goal, points, side)))
            if goal is not None and goal.code != MATE:
                player.goals[goal.code] += 1 if goal.owner == side else -1

    def _rank(self, group: list[Entrant], depth: int) -> None:
        """Order a group of tied players by the tie-breaks from ``depth`` on."""
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

    @property
    def columns(self) -> tuple[str, ...]:
        """The tie-breaks to show: without the R-Mobility points of an event with komi, if these repeat the points."""
        is_repeated = (
            "points" in self.order
            and all(outcome.by_komi for outcome in self.outcomes)
            and all(player.rmobility == player.points for player in self.players)
        )
        return tuple(name for name in self.order if name != "rmobility" or not is_repeated)

    @property
    def opponents(self) -> list[Entrant]:
        """The columns of the cross table: all players, or an empty list if they are too many."""
        return self.players if len(self.players) <= MOST_CROSSED else []

    def value(self, player: Entrant, name: str) -> Value | None:
        """Return the value of a player in a tie-break; None for a direct encounter that was not used."""
        return player.direct if name == "direct" else KEYS[name](self, player)

    def sonneborn_berger(self, player: Entrant) -> Fraction:
        """Return the sum of each opponent's points times the points scored against that opponent."""
        known = self.by_name
        return sum((points * known[other].points for other, points in player.met if other in known), Fraction(0))

    def koya(self, player: Entrant) -> Fraction:
        """Return the points against players who scored at least half of their possible points."""
        met = ((self.by_name[other], points) for other, points in player.met if other in self.by_name)
        return sum((points for other, points in met if 2 * other.points >= other.games), Fraction(0))

    def goals(self, player: Entrant) -> tuple[int, ...]:
        """Return stalemates given minus stalemates suffered, then the same for G1.0, G1.5 and so on."""
        return tuple(player.goals[code] for code in range(1, self._last_goal + 1))

    def encounter(self, player: Entrant, other: Entrant) -> list[Fraction]:
        """Return the points of ``player`` in each game against ``other``."""
        return [points for points, _ in player.against.get(other.name, ())]

    def encounter_goals(self, player: Entrant, other: Entrant) -> list[str]:
        """Return the results of ``encounter`` with goals, as in ``Entrant.against``."""
        return [text for _, text in player.against.get(other.name, ())]


def _in_rounds(outcomes: list[Outcome]) -> list[Outcome]:
    """Return the games of an event by their rounds, because games played side by side are stored as they end.

    Events stay in their order. Without a numbered round of every game, the games of an event stay in theirs.
    """
    events: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        events[outcome.facts.event].append(outcome)
    found = []
    for games in events.values():
        if all(_ROUND.fullmatch(game.facts.round) for game in games):
            games.sort(key=lambda game: tuple(map(int, game.facts.round.split("."))))
        found += games
    return found


def _seen(goal: Goal | None, points: Fraction, side: int) -> str:
    """Describe a game from one player's point of view."""
    result = {Fraction(1): "1", HALF: "="}.get(points, "0")
    if goal is None or goal.code == MATE:
        return result
    text = goal_text(goal.code, int(goal.owner != side))
    return text if points == HALF else f"{result} {text}"  # a decisive game may also have a goal


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
