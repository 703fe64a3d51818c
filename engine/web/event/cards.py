"""The bracket of a cup: a card for each match, in a column for each round."""

from __future__ import annotations

from dataclasses import dataclass

from ...archive.event.bracket import BY_ARMAGEDDON, BY_MOBILITY, BY_PROGRESS, Bracket, Match
from ...archive.event.names import name_parts
from ...archive.standings_text import short
from .cells import Cells, Token

_MOST_TOKENS = 40
_BY = {BY_ARMAGEDDON: "by draw odds", BY_MOBILITY: "by R-Mobility", BY_PROGRESS: "advanced"}


@dataclass(frozen=True, slots=True)
class Side:
    """A player of a match."""

    name: str
    version: str
    points: str
    won: bool


@dataclass(frozen=True, slots=True)
class Card:
    """A match.

    tokens: its games from the view of the upper player. note: the criterion that decided a match with equal points.
    """

    sides: tuple[Side, Side]
    tokens: tuple[Token, ...]
    note: str


@dataclass(frozen=True, slots=True)
class Cards:
    """rounds: (name, cards from top to bottom); None for a match that was not played."""

    rounds: list[tuple[str, list[Card | None]]]
    others: list[Card]


def cards(cup: Bracket, cells: Cells) -> Cards:
    """Return the cards of a cup."""

    def card(match: Match) -> Card:
        sides = [
            Side(*name_parts(name), short(points), match.winner == place)
            for place, (name, points) in enumerate(zip(match.players, match.points, strict=True))
        ]
        tokens = [cells.token(game, int(game.white != match.players[0])) for game in match.games[:_MOST_TOKENS]]
        return Card((sides[0], sides[1]), tuple(tokens), _BY.get(match.by, ""))

    rounds = [(name, [None if match is None else card(match) for match in matches]) for name, matches in cup.rounds]
    return Cards(rounds, [card(match) for match in cup.others])
