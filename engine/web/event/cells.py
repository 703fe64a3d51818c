"""The cells of the tables of an event's page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, isqrt

from standstill.cext.base.constants import WHITE

from ...archive.event.names import name_parts
from ...archive.standings import HALF, SHARES, Entrant, Outcome, Standings, is_bye
from ...archive.standings_text import TITLES, short, tie_breaks
from ...common.goal import goal_text
from ...common.text import visible
from ...rmobility.goals import MATE
from ...rmobility.scoring import points_text

_LEAST_SUMMED = 2  # maximum number of games of a pairing that are shown without their sum
_MOST_SHOWN = 64  # with more games than this, a pairing shows only the sum
DASH, _MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"
_ROUND = re.compile(r"\d{1,4}")
_RESULTS = {Fraction(1): ("1", "won"), HALF: ("½", "drawn")}
_PLACES = 3  # decimals of R-Mobility sums, as on TCEC's page; `Why this order` has the exact sums


@dataclass(frozen=True, slots=True)
class Token:
    """A game in a cell. text: from the view of the row's player. side: w or b; empty for a game without an opponent."""

    text: str
    kind: str
    side: str
    link: str
    hint: str


@dataclass(frozen=True, slots=True)
class Cell:
    """The content of a cell.

    width: the number of games in a row; 0 for any number. rest: the text that follows in small type.
    """

    text: str = ""
    rest: str = ""
    tokens: tuple[Token, ...] = ()
    width: int = 0
    is_self: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """The title of a column. name: the name below it, in the style of ``Line``."""

    text: str
    hint: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table. version: the version of an engine: the part of its name from the first word with a digit."""

    rank: str
    name: str
    version: str
    cells: list[Cell] = field(default_factory=list)


def _line(player: Entrant, cells: list[Cell]) -> Line:
    return Line(str(player.rank), *name_parts(player.name), cells)


def header_cells(table: Standings) -> list[str]:
    """Return the titles of the columns after rank and player: main criteria, games and results, tie-breaks."""
    first, rest = _columns(table)
    return [TITLES[name] for name in first] + ["Games", "%", "+", "=", _MINUS] + [TITLES[name] for name in rest]


def _columns(table: Standings) -> tuple[list[str], list[str]]:
    """Return (criteria shown before the columns of the games, criteria shown after them).

    The R-Mobility sums follow the main criterion, because a phone shows no more than two columns.
    """
    names = table.columns
    first = [*names[:1], *(name for name in names[1:] if name == "rmobility")]
    return first, [name for name in names if name not in first]


def lines(table: Standings) -> list[Line]:
    """Return the rows of the standings."""
    first, rest = _columns(table)
    columns = {name: _column(table, name) for name in table.columns}
    found = []
    for at, player in enumerate(table.players):
        share = player.points / player.games
        figures = [
            Cell(str(player.games)),
            Cell(points_text(100 * share, 1)),
            _by_colour(player.wins, player.by_colour(Fraction(1))),
            _by_colour(player.draws, player.by_colour(HALF)),
            _by_colour(player.losses, player.by_colour(Fraction(0))),
        ]
        cells = [columns[name][at] for name in first] + figures + [columns[name][at] for name in rest]
        found.append(_line(player, cells))
    return found


def _by_colour(count: int, parts: tuple[int, int]) -> Cell:
    return Cell(str(count), f"[{parts[0]}/{parts[1]}]", hint=f"{parts[0]} as White, {parts[1]} as Black")


def _column(table: Standings, name: str) -> list[Cell]:
    """Return the cells of a tie-break. R-Mobility sums are followed by their difference from the points."""
    texts = tie_breaks(table, name)
    if name not in ("rmobility", "wg"):
        return [Cell(text) for text in texts]
    values = [player.rmobility if name == "rmobility" else player.wg for player in table.players]
    found = []
    for text, value, player in zip(texts, values, table.players, strict=True):
        difference = value - player.points
        size = points_text(abs(difference), _PLACES)
        sign = "" if not float(size) else "+" if difference > 0 else "-"
        found.append(Cell(points_text(value, _PLACES), f"[{sign}{size}]", hint=text))
    return found


class Cells:
    """Makes the cells of games.

    link: a function that returns the address of a game by its number; "" for no address.
    """

    def __init__(self, link: Callable[[int], str], goals: bool = False):
        self._link = link
        self._goals = goals

    def token(self, outcome: Outcome, side: int) -> Token:
        """Return a game from the view of the player of this side, WHITE or BLACK."""
        points = SHARES[outcome.result][side]
        text, kind = _RESULTS.get(points, ("0", "lost"))
        facts, goal = outcome.facts, outcome.goal
        seen = "" if goal is None or goal.code == MATE else goal_text(goal.code, int(goal.owner != side))
        if self._goals and seen:
            text = f"{'' if points == HALF else text + ' '}{seen}"
        bye = is_bye(outcome.black if side == WHITE else outcome.white)
        hint = [
            f"Game {facts.number}" if facts.number else "",
            "bye" if bye else f"{visible(outcome.white)} {DASH} {visible(outcome.black)} {outcome.result}",
            f"record {goal_text(goal.code, goal.owner)}" if seen and goal is not None else "",
            "" if facts.plies or bye or not facts.number else "no moves",
            visible(facts.opening),
        ]
        mark = "" if bye else "b" if side else "w"
        return Token(text, kind, mark, self._link(facts.number), ", ".join(part for part in hint if part))

    def crossed(self, table: Standings) -> tuple[list[Head], list[Line]]:
        """Return (titles, rows) of a cross table."""
        named = _names(table)
        heads, found = [], []
        for player, (name, version) in zip(table.players, named, strict=True):
            heads.append(Head(str(player.rank), visible(player.name), f"{name} {version}".rstrip()))
            met: defaultdict[str, list[tuple[Outcome, int]]] = defaultdict(list)
            for outcome, side in player.played:
                met[outcome.black if side == WHITE else outcome.white].append((outcome, side))
            cells = [self._cell(player, other, met[other.name]) for other in table.players]
            found.append(Line(str(player.rank), name, version, cells))
        return heads, found

    def _cell(self, player: Entrant, other: Entrant, games: list[tuple[Outcome, int]]) -> Cell:
        if player is other:
            return Cell(is_self=True)
        if not games:
            return Cell()
        scored = sum((SHARES[outcome.result][side] for outcome, side in games), Fraction(0))
        against = sum((SHARES[outcome.result][1 - side] for outcome, side in games), Fraction(0))
        score = f"{short(scored)}{DASH}{short(against)}"
        if len(games) > _MOST_SHOWN:
            return Cell(score)
        # The grid is nearly square, with an even number of games in a row, so that the two games of an opening stand
        # side by side.
        width = max(2, 2 * ceil((isqrt(len(games) - 1) + 1) / 2))
        tokens = tuple(self.token(outcome, side) for outcome, side in games)
        return Cell(score if len(games) > _LEAST_SUMMED else "", tokens=tokens, width=width)


def _names(table: Standings) -> list[tuple[str, str]]:
    """Return (name, version) of each player, with a version only where names alone do not tell players apart."""
    parts = [name_parts(player.name) for player in table.players]
    count = Counter(name for name, _ in parts)
    return [(name, version if count[name] > 1 else "") for name, version in parts]


def rounds(table: Standings, cells: Cells) -> tuple[list[Head], list[Line]]:
    """Return (titles, rows) of a table by rounds: the opponent's rank, then the game.

    A game without a number of its round belongs to the round after the player's last round.
    """
    found: list[defaultdict[int, list[Cell]]] = []
    ranks = {player.name: player.rank for player in table.players}
    for player in table.players:
        mine: defaultdict[int, list[Cell]] = defaultdict(list)
        last = 0
        for outcome, side in player.played:
            digits = _ROUND.match(outcome.facts.round)
            last = int(digits[0]) if digits else last + 1
            opponent = outcome.black if side == WHITE else outcome.white
            token = cells.token(outcome, side)
            mine[last].append(Cell("bye" if is_bye(opponent) else str(ranks.get(opponent, "")), tokens=(token,)))
        found.append(mine)
    numbers = sorted({number for mine in found for number in mine})
    heads = [Head(str(number), f"Round {number}") for number in numbers]
    return heads, [
        Line(str(player.rank), *named, [_joined(mine[number]) for number in numbers])
        for player, named, mine in zip(table.players, _names(table), found, strict=True)
    ]


def _joined(cells: list[Cell]) -> Cell:
    """The games of a round; in a match there are several games against the same opponent."""
    texts = list(dict.fromkeys(cell.text for cell in cells if cell.text))
    return Cell(", ".join(texts), tokens=tuple(token for cell in cells for token in cell.tokens))
