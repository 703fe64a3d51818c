"""What a match asks of the game that is played in it: who is to move, when it is over, what it is in PGN.

There are two answers, chosen once for a match: ``orthodox``, on python-chess, and ``by_definition``, on our own board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from .setup import Opening

START_S = 15.0  # an engine may take so long to answer at its start

MATE = "mate"
TOO_LONG = "too many moves"


@dataclass(frozen=True, slots=True)
class Rules:
    """When games end. plays_on: insufficient material ends none. fifty: as for ``Goals``. longest: plies, then drawn.

    patience_s: an engine that thinks longer, beyond its clock if it has one, hangs; start_s: the same at its start.
    margin_s: a clock may be overrun by so much.
    """

    plays_on: bool = True
    fifty: str = "fide"
    longest: int = 1000
    patience_s: float = 60.0
    start_s: float = START_S
    margin_s: float = 0.1

    @property
    def told(self) -> dict[str, str]:
        """What engines that have such options should know: they search for the ends that the referee sees."""
        rules = {"InsufficientMaterialDraw": "false"} if self.plays_on else {}
        return rules if self.fifty == "fide" else rules | {"RMobilityFifty": self.fifty}


class Referee(Protocol):
    """One game, from its opening on. A move is whatever the client of an engine gives."""

    @property
    def position(self) -> Any:
        """The game so far, as the clients of the engines are handed it."""

    @property
    def turn(self) -> bool:
        """The side to move, as python-chess has it: True is White."""

    @property
    def plies(self) -> int:
        """Moves since the first position, those of the opening among them."""

    def push(self, move: Any) -> None:
        """Make a move of the client, who has seen that it is legal."""

    def end(self) -> tuple[str, str] | None:
        """(result, termination) if the position on the board ends the game."""

    def pgn(self, tags: Mapping[str, str]) -> str:
        """The game with these tags, the seven of the roster first, and those that tell game and first position."""


class Kind(Protocol):
    """What is played in a match."""

    identity: tuple[str, ...]  # tells one match from another, beside all else
    clients: dict[str, type]  # by protocol: classes of python-chess's engine client
    begin: Callable[[Opening, Rules], Referee]

    @property
    def start(self) -> Opening:
        """The start position."""

    def opening_of_line(self, text: str, where: str) -> Opening:
        """Of a FEN or EPD. Raises MatchError, with ``where`` in front, for what is no position of the game."""

    def opening_of_game(self, text: bytes, where: str, plies: int | None) -> Opening | None:
        """Of a game in PGN, None if there is none. plies: no more than so many moves. Raises MatchError as well."""

    def introduce(self, client: Any, from_start: bool) -> None:
        """Tell the client of an engine that has just started what is played; from_start: from nowhere else.

        Raises MatchError if the engine does not know it.
        """
