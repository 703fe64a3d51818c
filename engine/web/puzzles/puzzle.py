"""A puzzle: a position of a game, and what is asked about it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from ...variants.boards import new_board
from ..positions import SIDES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...rmobility.goals import Goal
    from ...variants.notation import Board
    from ...variants.variant import Variant

# The three questions: the best move; the move that leaves the opponent the fewest moves; the side that can leave fewer.
MOVE, FEWEST, SIDE = KINDS = ("move", "fewest", "side")
LEVELS = ("easy", "medium", "hard")


@dataclass(frozen=True, slots=True)
class Origin:
    """The game of a puzzle, as its tags name it. number: its number in the file, from 1. Unknown values are empty."""

    number: int
    white: str
    black: str
    event: str = ""
    date: str = ""

    def text(self) -> str:
        """``White - Black, event, year`` for people."""
        players = f"{self.white or '?'} \u2013 {self.black or '?'}"
        return ", ".join(filter(None, (players, self.event, self.date.partition(".")[0].strip("?"))))


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position of a game.

    ply: half-moves before it. fen: the position. last: the squares of the move that led to it. played: the move of the
    game, in coordinates and in SAN. is_mistake: whether the solver has to improve that move rather than find it.
    record: the record in force in the game. level: from 0, an index of ``LEVELS``; None while the engine has not
    measured it.
    """

    kind: str
    origin: Origin
    ply: int
    game: Variant
    chess960: bool
    fen: str
    last: tuple[str, ...]
    played: str
    played_san: str
    is_mistake: bool = False
    record: Goal | None = None
    level: int | None = None

    @property
    def id(self) -> str:
        """An id that is the same for the same question about the same position, in any game."""
        position = " ".join(self.fen.split()[:4])
        return hashlib.sha256(f"{self.kind} {self.game.name} {position}".encode()).hexdigest()[:16]

    @property
    def is_black(self) -> bool:
        """Is Black to move?"""
        return self.fen.split()[1] == "b"

    @property
    def side(self) -> str:
        return SIDES[self.is_black]

    @property
    def solver(self) -> str:
        """The name of the player who was to move in the game."""
        return self.origin.black if self.is_black else self.origin.white

    def board(self) -> Board:
        """A new board with the position."""
        return new_board(self.fen, self.chess960, self.game)
