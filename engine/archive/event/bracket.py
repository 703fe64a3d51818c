"""The bracket of a cup: its matches by rounds, each with the winner."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from ...common.errors import ConfigError
from ...common.text import shown
from ..standings import HALF, SHARES, Outcome, is_bye

_ROUNDS = ("Final", "Semifinals", "Quarterfinals")
BY_POINTS, BY_ARMAGEDDON, BY_MOBILITY, BY_PROGRESS = "points", "Armageddon", "R-Mobility", "played on"
_MOST_OPEN = 10  # largest number of unclear matches for which either winner is tried


@dataclass(slots=True, eq=False)
class Match:
    """The games of two players in one round, with tie-breaks.

    points, mobility: the sums of both players, in the order of ``players``. winner: 0 or 1; None if nothing decides the
    match. by: what decides it. earlier: the matches by which the players reached this one. number: the number of the
    round, from 1.
    """

    players: tuple[str, str]
    games: list[Outcome] = field(default_factory=list)
    earlier: list[Match | None] = field(default_factory=list)
    later: Match | None = None
    number: int = 1
    winner: int | None = None
    by: str = ""

    @property
    def points(self) -> tuple[Fraction, Fraction]:
        first, second = (
            sum((SHARES[game.result][game.white != name] for game in self.games), Fraction(0)) for name in self.players
        )
        return first, second

    @property
    def mobility(self) -> tuple[Fraction, Fraction]:
        first = sum((_share(game, self.players[0]) for game in self.games), Fraction(0))
        return first, len(self.games) - first


def _share(game: Outcome, name: str) -> Fraction:
    white = HALF if game.rm_white is None else game.rm_white
    return white if game.white == name else 1 - white


@dataclass(frozen=True, slots=True)
class Bracket:
    """rounds: (name, matches from top to bottom), the first round first.

    None stands for a match that has not been played, as with a bye. others: matches of players who had lost already,
    as for third place.
    """

    rounds: list[tuple[str, list[Match | None]]]
    others: list[Match]


def bracket(outcomes: Sequence[Outcome]) -> Bracket:
    """Return the bracket of a cup.

    Games count in the order in which they started if all have a start time, else in the order of the archive. Raises
    ConfigError if the games are not those of a cup.
    """
    matches = _matches(_in_order(outcomes))
    if not matches:
        raise ConfigError("expected the games of a cup, found no games")
    main, others = _divided(matches)
    for match in main:
        _link(match)
    last = max(match.number for match in main)
    for match in sorted(main, key=lambda match: -match.number):
        if match.later is not None:
            match.number = match.later.number - 1
    names = _names(sum(match.number == last for match in main), last)
    finals = [match for match in main if match.number == last]
    loose = [match for match in main if match.later is None and match.number != last]
    columns: list[list[Match | None]] = [[*finals]]
    for number in range(last - 1, 0, -1):
        columns.append(_feeders(columns[-1]) + [match for match in loose if match.number == number])
    while columns and not any(columns[-1]):
        columns.pop()
    return Bracket(list(zip(names[-len(columns) :], reversed(columns), strict=True)), others)


def _in_order(outcomes: Sequence[Outcome]) -> list[Outcome]:
    games = [outcome for outcome in outcomes if not is_bye(outcome.white) and not is_bye(outcome.black)]
    if all(game.facts.start for game in games):
        games.sort(key=lambda game: (game.facts.start, game.facts.number))
    return games


def _matches(games: Sequence[Outcome]) -> list[Match]:
    """The matches in the order of their first games."""
    found: list[Match] = []
    last: dict[str, Match] = {}
    for game in games:
        before = [last.get(name) for name in (game.white, game.black)]
        if before[0] is None or before[0] is not before[1]:
            match = Match((game.white, game.black), earlier=before)
            match.number = 1 + max((each.number for each in before if each is not None), default=0)
            found.append(match)
            last[game.white] = last[game.black] = match
        last[game.white].games.append(game)
    return found


def _divided(matches: list[Match]) -> tuple[list[Match], list[Match]]:
    """Decide the matches; return the matches between players without a loss, and the other matches."""
    played: defaultdict[str, list[Match]] = defaultdict(list)
    for match in matches:
        for name in match.players:
            played[name].append(match)
    open_: list[Match] = []  # the points are equal, and both players played on, one of them perhaps for third place
    for match in matches:
        later = [played[name].index(match) + 1 < len(played[name]) for name in match.players]
        _decide(match, later)
        if all(later) and match.by != BY_POINTS:
            open_.append(match)
    choices = [[(match.winner, match.by), (int(not match.winner), BY_PROGRESS)] for match in open_[:_MOST_OPEN]]
    problem: ConfigError | None = None
    for choice in product(*choices):
        for match, (winner, by) in zip(open_, choice, strict=False):
            match.winner, match.by = winner, by
        try:
            return _separated(matches)
        except ConfigError as error:
            problem = problem or error
    assert problem is not None
    raise problem


def _separated(matches: list[Match]) -> tuple[list[Match], list[Match]]:
    """Return the matches between players who had not lost a match before, and those between losers.

    Raises ConfigError for a match between a loser and a player without a loss.
    """
    lost: dict[str, Match] = {}
    main: list[Match] = []
    others: list[Match] = []
    for match in matches:
        out = [name in lost for name in match.players]
        if any(out) and not all(out):
            name = match.players[out.index(True)]
            raise ConfigError(
                f"expected the games of a cup, found that {shown(name)} lost a match to "
                f"{shown(_opponent(lost[name], name))} and played on against {shown(_opponent(match, name))}"
            )
        (others if all(out) else main).append(match)
        if match.winner is not None and not all(out):
            lost[match.players[1 - match.winner]] = match
    return main, others


def _opponent(match: Match, name: str) -> str:
    return match.players[match.players[0] == name]


def _decide(match: Match, later: list[bool]) -> None:
    """Set the winner by the first criterion that differs: points, draw odds, playing on in the cup, R-Mobility.

    later: whether each player played on after the match.
    """
    pairs = (
        (match.points, BY_POINTS),
        (_odds(match), BY_ARMAGEDDON),
        ((int(later[0]), int(later[1])), BY_PROGRESS),
        (match.mobility, BY_MOBILITY),
    )
    for (first, second), by in pairs:
        if first != second:
            match.winner, match.by = int(second > first), by
            return


def _odds(match: Match) -> tuple[int, int]:
    """Return 1 for the player who had Black in a drawn Armageddon game at the end of the match, and 0 for the other."""
    game = match.games[-1]
    facts = game.facts
    if (
        SHARES[game.result] != (HALF, HALF)
        or "armageddon" not in f"{facts.event} {facts.section} {facts.round}".lower()
    ):
        return 0, 0
    return int(game.black == match.players[0]), int(game.black == match.players[1])


def _link(match: Match) -> None:
    for before in match.earlier:
        if before is not None:
            before.later = match


def _feeders(column: list[Match | None]) -> list[Match | None]:
    """The matches of the previous round, two for each match."""
    found: list[Match | None] = []
    for match in column:
        found += [None, None] if match is None else match.earlier
    return found


def _names(finals: int, last: int) -> list[str]:
    """The names of the rounds, the first round first. finals: number of matches in the last round."""
    found = []
    for back in range(last):
        count = finals << back
        if finals & (finals - 1):
            found.append(f"Round {last - back}")
        else:
            place = count.bit_length() - 1
            found.append(_ROUNDS[place] if place < len(_ROUNDS) else f"Round of {2 * count}")
    return found[::-1]
