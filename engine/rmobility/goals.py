"""Goals, records and resets over a played game: the rules of R-Mobility, written for reading.

The goal of a position is the number of legal moves of the side to move, and half a point more if it is not in check:
G0.0 is mate, G0.5 stalemate. It belongs to the side that has just moved. The record is the lowest goal since the last
capture or pawn move. Everything is computed with goal codes, twice the goal, which are integers.

The search finds records in its own way (cext/objective.pyx); the tests hold one against the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ..notation import goal_text

STALEMATE = 1  # goal code; mate is 0, and both are the result of the game
CLOCK_LIMIT = 100  # plies without capture or pawn move that end the game


class GameBoard(Protocol):
    """What is asked of a board: the core's have it."""

    @property
    def stm(self) -> int: ...
    @property
    def clock(self) -> int: ...
    def goal(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal that was reached.

    code: twice the goal number. owner: the side that reached it, 0 White, 1 Black. ply: moves played in this game.
    """

    code: int
    owner: int
    ply: int = 0

    def __str__(self) -> str:
        return goal_text(self.code, self.owner)


class Goals:
    """The record of a game, told of every position by ``push``.

    board: the position the game begins with; it counts with its own goal, as a FEN tells nothing of earlier ones.
    given: (owner, code) of a record known from before; one weaker than the position's own gives way.
    whole_game: captures and pawn moves reset nothing.
    limit: weaker goals are no records.
    keep_trigger: the position that ends the game by the 50-move rule may set a record without mate or stalemate.
    record_zeroes_clock: an improved record zeroes the 50-move counter, before it is looked at.
    """

    def __init__(
        self,
        board: GameBoard,
        given: tuple[int, int] | None = None,
        *,
        whole_game: bool = False,
        limit: int | None = None,
        keep_trigger: bool = False,
        record_zeroes_clock: bool = False,
    ) -> None:
        self.whole_game = whole_game
        self.limit = limit
        self.keep_trigger = keep_trigger or record_zeroes_clock
        self.record_zeroes_clock = record_zeroes_clock
        self.ply = 0
        self.clock = board.clock
        self._record = Goal(board.goal(), board.stm ^ 1)
        if given is not None and given[1] <= self._record.code:
            self._record = Goal(given[1], given[0])

    @property
    def record(self) -> Goal | None:
        """The standing record, None if no goal was within the limit."""
        return self._record if self._within_limit(self._record.code) else None

    def push(self, board: GameBoard) -> None:
        """Look at the position after a move. A clock of zero says that the move was a capture or a pawn move."""
        self.ply += 1
        reset = board.clock == 0
        self.clock = 0 if reset else self.clock + 1
        goal = Goal(board.goal(), board.stm ^ 1, self.ply)
        if reset and not self.whole_game:
            self._record = goal
        elif self._improves(goal):
            self._record = goal
            if self.record_zeroes_clock:
                self.clock = 0

    def push_null(self) -> None:
        """A pass: no goal is achieved by it, and it resets nothing."""
        self.ply += 1
        self.clock += 1

    def _within_limit(self, code: int) -> bool:
        return self.limit is None or code <= self.limit

    def _improves(self, goal: Goal) -> bool:
        if goal.code >= self._record.code or not self._within_limit(goal.code):
            return False
        return goal.code <= STALEMATE or self.keep_trigger or self.clock < CLOCK_LIMIT
