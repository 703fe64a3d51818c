"""Goals, records and resets during a game: the reference implementation of R-Mobility's rules, written for readers.

The goal of a position is the number of legal moves of the side to move, and half a point more if it is not in check:
G0.0 is mate, G0.5 stalemate. The goal belongs to the side that has just moved. The record is the lowest goal since the
last capture or pawn move. All computations use goal codes: twice the goal, an integer.

Any board with the interface of ``GameBoard`` can be used. The search (cext/value/objective.pyx) and the reader of files
(cext/bindings/pgn_games.pyx) have their own implementations, which the tests compare with this one.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Protocol

from standstill.cext.base.constants import BLACK, CLOCK_LIMIT, NO_GOAL, WHITE

from ..common.errors import ArgumentError
from ..common.goal import MOST_CODE, goal_text, parse_goal
from ..common.text import shown_value

MATE = 0  # goal codes of positions that end the game
STALEMATE = 1
OTB_LIMIT = 7  # code of G3.5, the weakest goal that counts as a record over the board

FIFTY_RULES = ("fide", "iccf", "record", "off")


class GameBoard(Protocol):
    """The required interface of a board. ``engine/match/orthodox.py`` adds it to python-chess's boards."""

    @property
    def stm(self) -> int:
        """Side to move: 0 White, 1 Black."""
        ...

    @property
    def clock(self) -> int:
        """Plies since the last capture or pawn move."""
        ...

    def goal(self) -> int:
        """Return twice the number of legal moves, and one more if the side to move is not in check; NO_GOAL if a rule
        of the game has ended it otherwise than by a loss of the side to move."""
        ...


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal that a side reached.

    :ivar code: twice the goal number.
    :ivar owner: the side that reached it: 0 for White, 1 for Black.
    :ivar ply: the number of half-moves played when the goal was reached.
    :raises ArgumentError: for a field that is not a whole number from 0, a code above 19999, or an owner above 1.

    >>> str(rmobility.Goal(3, 1))
    '-G1.5'
    """

    code: int
    owner: int
    ply: int = 0

    def __post_init__(self) -> None:
        if not (type(self.code) is type(self.owner) is type(self.ply) is int):
            self._take_whole("code", "owner", "ply")
        if not 0 <= self.code <= MOST_CODE or self.ply < 0 or self.owner not in (WHITE, BLACK):
            wanted = f"a code from 0 to {MOST_CODE}, a ply from 0, and an owner 0 or 1"
            raise ArgumentError(f"expected {wanted}, found {shown_value(self)}")

    def _take_whole(self, *fields: str) -> None:
        """Convert whole numbers of any type to int, because numpy's 8-bit integers would overflow. Raises
        ArgumentError."""
        for name in fields:
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Integral):
                raise ArgumentError(f"expected {name}, a whole number, found {shown_value(value)}")
            object.__setattr__(self, name, int(value))

    def __str__(self) -> str:
        return goal_text(self.code, self.owner)

    @classmethod
    def parse(cls, text: str, ply: int = 0) -> Goal:
        """Return the goal that a text denotes.

        :param text: ``G1.5`` for White, ``-G8.5`` for Black.
        :param ply: the number of half-moves played when the goal was reached.
        :returns: the goal.
        :raises NotationError: if the text is not a goal.
        :raises ArgumentError: for arguments of the wrong type or range.

        >>> rmobility.Goal.parse("-G8.5").code
        17
        """
        if not isinstance(text, str):
            raise ArgumentError(f"expected a goal as a text, found {shown_value(text)}")
        owner, code = parse_goal(text)
        return cls(code, owner, ply)


def reached(board: GameBoard, ply: int = 0) -> Goal | None:
    """Return the goal of a board's position, or None for a position without one."""
    code = board.goal()
    return None if code == NO_GOAL else Goal(code, board.stm ^ 1, ply)


class Goals:
    """The record of a game. ``push`` must be called after every move.

    board: the first position. Its own goal counts, because a FEN does not contain earlier goals. given: (owner, code)
    of an earlier record; the first position's own goal replaces a weaker one. whole_game: captures and pawn moves do
    not reset the record. limit: weaker goals do not count as records. Code 7 (G3.5) gives the record of an
    over-the-board score sheet. keep_trigger: the position that ends the game by the 50-move rule may set a record
    without mate or stalemate. fifty: the 50-move rule. ``fide``: the usual rule; ``iccf``: the same rule for records,
    except where tables prove a win; ``record``: an improved record resets the counter before it is checked; ``off``:
    no such rule.
    """

    def __init__(
        self,
        board: GameBoard,
        given: tuple[int, int] | None = None,
        *,
        whole_game: bool = False,
        limit: int | None = None,
        keep_trigger: bool = False,
        fifty: str = "fide",
    ) -> None:
        if fifty not in FIFTY_RULES:
            raise ValueError(f"expected a 50-move rule {', '.join(FIFTY_RULES)}, found {fifty!r}")
        self.whole_game = whole_game
        self.limit = limit
        self.fifty = fifty
        self.triggers = fifty in ("fide", "iccf")
        self.keep_trigger = keep_trigger
        self.ply = 0
        self.clock = board.clock
        self._waiting: Goal | None = None
        self._record = reached(board) or Goal(MOST_CODE, board.stm ^ 1)
        if given is not None and given[1] <= self._record.code:
            self._record = Goal(given[1], given[0])

    @property
    def record(self) -> Goal | None:
        """Return the record if the game ends here; None without a goal within the limit."""
        return self._record if self._within_limit(self._record.code) else None

    @property
    def lowest(self) -> Goal:
        """Return the record, ignoring the limit."""
        return self._record

    def push(self, board: GameBoard) -> None:
        """Count the position after a move. A clock of zero means that the move was a capture or a pawn move."""
        self._move_on()
        reset = board.clock == 0
        self.clock = 0 if reset else self.clock + 1
        goal = reached(board, self.ply)
        if goal is None:
            return
        if reset and not self.whole_game:
            self._record = goal
        elif goal.code < self._record.code and self._within_limit(goal.code):
            if self._is_trigger(goal):
                self._waiting = goal
                return
            self._record = goal
            if self.fifty == "record":
                self.clock = 0

    def push_null(self) -> None:
        """Count a null move, which neither sets a goal nor resets the record."""
        self._move_on()
        self.clock += 1

    def _move_on(self) -> None:
        """Count a ply.

        If the game continues after the 50-move limit, the goal that the limit excluded counts after all.
        """
        self.ply += 1
        if self._waiting is not None:
            self._record, self._waiting = self._waiting, None

    def _is_trigger(self, goal: Goal) -> bool:
        """Return whether the 50-move rule ends the game here, so that only mate and stalemate set a record."""
        return self.triggers and not self.keep_trigger and self.clock >= CLOCK_LIMIT and goal.code > STALEMATE

    def _within_limit(self, code: int) -> bool:
        return code < MOST_CODE and (self.limit is None or code <= self.limit)


def settle(record: Goal | None, *, last_code: int, plies: int, result: str | None) -> Goal | None:
    """Return the R-Mobility result of a game that has ended: its record, or G0.0 for a win without mate.

    last_code: the goal code of the final position; mate and stalemate there are the result in any case.
    result: ``1-0`` and ``0-1`` are wins by resignation, time or adjudication; any other text is a draw or unfinished.
    """
    if plies == 0:
        return None
    if last_code > STALEMATE and result in ("1-0", "0-1"):
        return Goal(MATE, WHITE if result == "1-0" else BLACK, plies)
    return record
