"""Advises on komi: the komi with which each side would have won half of the games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from standstill.cext.base.constants import WHITE

from ...common.text import visible
from ...rmobility.goals import Goal
from ...rmobility.scoring import points_text
from ..standings import Standings, is_bye

LEAST_GAMES = 6  # with fewer games a test at 5 % rejects no komi
_REJECTED = Fraction(1, 20)


@dataclass(frozen=True, slots=True)
class Advice:
    """The komi for two sides.

    komi: the goal that the first side has to reach, such as ``G3.75``; with a minus the other side has to reach it.
    share: the share of games that the first side would have won. first, last: the komis, from the hardest for the
    first side to the easiest, with which the games do not contradict equal chances; empty if every komi contradicts
    them.
    """

    games: int
    komi: str
    share: Fraction
    first: str = ""
    last: str = ""


def advice(goals: Iterable[tuple[Goal, int]]) -> Advice | None:
    """Return the advice from (goal, side of the first player) of the games; None for fewer than ``LEAST_GAMES``.

    The levels of a game run from the best to the worst for the first player: first this player's goals from mate on,
    then the other player's goals up to mate. A komi lies between two levels, and the first player wins the games
    above the komi. The best komi is the one whose share of wins is closest to a half; of several such komis it is the
    middle one.
    """
    seen = [(goal.code, goal.owner == side) for goal, side in goals]
    if len(seen) < LEAST_GAMES:
        return None
    weakest = max(code for code, _ in seen)
    levels = [code if own else 2 * weakest + 1 - code for code, own in seen]
    won = [sum(level <= komi for level in levels) for komi in range(2 * weakest + 1)]
    distances = [abs(2 * count - len(seen)) for count in won]
    best = [komi for komi, distance in enumerate(distances) if distance == min(distances)]
    chosen = best[len(best) // 2]
    least = least_wins(len(seen))
    fitting = [komi for komi, count in enumerate(won) if least <= count <= len(seen) - least]
    ends = (_text(fitting[0], weakest), _text(fitting[-1], weakest)) if fitting else ("", "")
    return Advice(len(seen), _text(chosen, weakest), Fraction(won[chosen], len(seen)), *ends)


def least_wins(games: int) -> int:
    """Return the fewest wins that do not contradict equal chances by the exact two-sided binomial test at 5 %."""
    total, wins = 0, 0
    while True:
        total += comb(games, wins)
        if 2 * total > _REJECTED * (1 << games):
            return wins
        wins += 1


def _text(komi: int, weakest: int) -> str:
    """Return a komi by its number: with 0 the first side must give mate."""
    own = komi <= weakest
    code = komi if own else 2 * weakest - komi
    return f"{'' if own else '-'}G{points_text(Fraction(2 * code + 1, 4), 2)}"


def komi_table(table: Standings, *, signed: bool = True) -> list[list[str]]:
    """Return a table: the komi for White in all games, then for each pairing with enough games.

    Games without a goal (forfeits) and byes do not count. In a pairing the komi applies to the first player with
    either colour. signed: whether a minus marks the komi of the opponent; otherwise a column after each komi names
    the side that has to reach it, because a spreadsheet reads ``-G3.75`` as a formula.
    """
    played = [
        game for game in table.outcomes if game.goal is not None and not is_bye(game.white) and not is_bye(game.black)
    ]
    ranks = {player.name: place for place, player in enumerate(table.players)}
    pairings: defaultdict[tuple[str, str], list[tuple[Goal, int]]] = defaultdict(list)
    for game in played:
        first, second = sorted((game.white, game.black), key=lambda name: ranks[name])
        if game.goal is not None:
            pairings[first, second].append((game.goal, int(game.white != first)))
    whole = [(game.goal, WHITE) for game in played if game.goal is not None]
    order = sorted(pairings, key=lambda pair: (ranks[pair[0]], ranks[pair[1]]))
    asked: Sequence[tuple[tuple[str, str], list[tuple[Goal, int]]]] = [
        (("White", "Black"), whole),
        *((pair, pairings[pair]) for pair in order),
    ]
    heads = [["Komi"], ["From"], ["To"]] if signed else [["Komi", "Side"], ["From", "From side"], ["To", "To side"]]
    found = [["Player", "Opponent", "Games", *heads[0], "%", *heads[1], *heads[2]]]
    for pair, goals in asked:
        given = advice(goals)
        if given is not None:
            first, second = map(visible, pair)
            komi, least, most = (
                _with_side(text, first, second, signed) for text in (given.komi, given.first, given.last)
            )
            share = points_text(100 * given.share, 1)
            found.append([first, second, str(given.games), *komi, share, *least, *most])
    return found


def _with_side(komi: str, first: str, second: str, signed: bool) -> list[str]:
    """The cells of a komi."""
    if signed:
        return [komi]
    return [komi.removeprefix("-"), (second if komi.startswith("-") else first) if komi else ""]
