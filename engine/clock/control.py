"""Time controls of correspondence chess behind one small interface; the plain ones.

A control is immutable and knows no instants: it is told how long a move took. ``engine/clock/game.py`` puts two sides
and the calendar together. Without leave, free first days or doubling: those are the business of older rules.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

from ..errors import ClockError
from ..notation import shown
from .units import bare_text, duration_text, parse_duration


class TimeUp(ClockError):
    """The clock of the side to move has reached zero."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one player has, in ms: all that is needed to go on.

    clock_ms: what may be used without any further act. bank_ms: what a refill can add. moves: own moves made.
    used_ms: thought in all. credit_ms: all that was ever given; used + clock + bank = credit at any time.
    """

    clock_ms: int
    bank_ms: int = 0
    moves: int = 0
    used_ms: int = 0
    credit_ms: int = 0

    @property
    def total_ms(self) -> int:
        return self.clock_ms + self.bank_ms


def spend(side: Side, ms: int) -> Side:
    """After ``ms`` of thought. Raises TimeUp if that leaves nothing: the flag falls at zero, not below."""
    if ms < 0:
        raise ClockError(f"expected a time of 0 or more, found {ms} ms")
    if ms >= side.clock_ms:
        raise TimeUp(f"time is up after {duration_text(side.clock_ms)}")
    return replace(side, clock_ms=side.clock_ms - ms, used_ms=side.used_ms + ms)


class Control(ABC):
    """A time control."""

    has_bank = False

    @property
    @abstractmethod
    def text(self) -> str:
        """As ``parse_control`` reads it."""

    @abstractmethod
    def opening(self) -> Side:
        """What each side begins with."""

    @abstractmethod
    def complete(self, side: Side, think_ms: int) -> Side:
        """After a move, ``think_ms`` after the clock last started. Raises TimeUp if it comes too late."""

    def refill(self, side: Side, wanted_ms: int | None = None) -> tuple[Side, int]:
        """Transfer from bank to clock, as much as fits or ``wanted_ms``; returns what was transferred as well."""
        raise ClockError(f"no bank to refill from under {self.text}")

    def expected_credit(self, moves: int) -> int | None:
        """What a side has been given after so many own moves, None if that depends on more than their number."""
        return None

    def problems(self, side: Side) -> list[str]:
        """What contradicts the rules; nothing in a sound state."""
        found = []
        if side.clock_ms < 0 or side.bank_ms < 0 or side.used_ms < 0 or side.moves < 0:
            found.append("a negative time or count")
        if side.used_ms + side.total_ms != side.credit_ms:
            found.append(
                f"used {duration_text(side.used_ms)} and left {duration_text(side.total_ms)}"
                f" do not add up to the {duration_text(side.credit_ms)} given"
            )
        return found


@dataclass(frozen=True, slots=True)
class Fischer(Control):
    """``10+3``: 10 days for the game and 3 more after each move."""

    base_ms: int
    increment_ms: int

    @property
    def text(self) -> str:
        return f"{bare_text(self.base_ms)}+{bare_text(self.increment_ms)}"

    def opening(self) -> Side:
        return Side(self.base_ms, credit_ms=self.base_ms)

    def complete(self, side: Side, think_ms: int) -> Side:
        return _earn(spend(side, think_ms), self.increment_ms)

    def expected_credit(self, moves: int) -> int:
        return self.base_ms + self.increment_ms * moves


@dataclass(frozen=True, slots=True)
class Sessions(Control):
    """``10/50``: 10 moves in 50 days; what is left over is kept for the next session."""

    moves: int
    session_ms: int

    @property
    def text(self) -> str:
        return f"{self.moves}/{bare_text(self.session_ms)}"

    def opening(self) -> Side:
        return Side(self.session_ms, credit_ms=self.session_ms)

    def complete(self, side: Side, think_ms: int) -> Side:
        finished = (side.moves + 1) % self.moves == 0
        return _earn(spend(side, think_ms), self.session_ms if finished else 0)

    def expected_credit(self, moves: int) -> int:
        return self.session_ms * (1 + moves // self.moves)


@dataclass(frozen=True, slots=True)
class PerMove(Control):
    """``5/move``: 5 days for each move; nothing is carried over."""

    move_ms: int

    @property
    def text(self) -> str:
        return f"{bare_text(self.move_ms)}/move"

    def opening(self) -> Side:
        return Side(self.move_ms, credit_ms=self.move_ms)

    def complete(self, side: Side, think_ms: int) -> Side:
        side = spend(side, think_ms)
        return _earn(side, self.move_ms - side.clock_ms)


def _earn(side: Side, ms: int) -> Side:
    """After a move that is worth ``ms`` (less than 0 where time is taken away)."""
    return replace(side, clock_ms=side.clock_ms + ms, credit_ms=side.credit_ms + ms, moves=side.moves + 1)


def parse_control(text: str) -> Control:
    """The control that ``50/75/1``, ``D350``, ``10/50``, ``10+3`` or ``5/move`` stands for.

    Raises ClockError.
    """
    from .triple_block import parse_terms

    base, plus, increment = text.partition("+")
    if plus:
        return Fischer(_positive(base, "the base time"), parse_duration(increment, "the increment"))
    parts = text.split("/")
    if len(parts) == 3 or text[:1] in ("D", "d"):
        return parse_terms(text)
    if len(parts) == 2 and parts[1] == "move":
        return PerMove(_positive(parts[0], "the time for a move"))
    if len(parts) == 2 and re.fullmatch(r"0*[1-9]\d{0,3}", parts[0], re.ASCII):
        return Sessions(int(parts[0]), _positive(parts[1], "the time of a session"))
    raise ClockError(
        "expected a clock such as 50/75/1 (Triple Block), D350, 10/50 (moves in days), 10+3 (days and increment)"
        f" or 5/move, found {shown(text)}"
    )


def _positive(text: str, what: str) -> int:
    found = parse_duration(text, what)
    if not found:
        raise ClockError(f"expected {what} to be more than 0, found {shown(text)}")
    return found
