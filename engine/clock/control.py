"""The interface of time controls for correspondence chess, and the simple controls.

A control is immutable and independent of the calendar: its methods take the length of a move. ``game_clocks.py``
applies a control to both sides and to instants. Leave, free first days and doubled time, which belong to older rules,
are not supported.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from numbers import Integral
from typing import TypeVar

from ..common.errors import ArgumentError, ClockError
from ..common.text import plural, shown_value
from .units import bare_text, duration_text, words_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T")


class TimeUp(ClockError):
    """The clock of the side to move has reached zero."""


def whole(value: object, what: str, least: int | None = None) -> int:
    """Return the number as a Python int, because a 32-bit numpy integer would overflow for clocks over 24 days.

    Raises ArgumentError for anything but a whole number, and ClockError for a number below ``least``.
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ArgumentError(f"expected {what}, a whole number, found {shown_value(value)}")
    number = int(value)
    if least is not None and number < least:
        raise ClockError(f"expected {what} of {least} or more, found {number}")
    return number


def keep_whole(state: object, fields: Iterable[str], least: int | None = None) -> None:
    """Apply ``whole`` to these fields of a frozen dataclass under construction."""
    for name in fields:
        value = getattr(state, name)
        if type(value) is not int or (least is not None and value < least):  # an instance check with Integral is slow
            object.__setattr__(state, name, whole(value, name, least))


def check_truths(state: object, fields: Iterable[str]) -> None:
    """Raise ArgumentError unless these fields of a dataclass are True or False."""
    for name in fields:
        if not isinstance(getattr(state, name), bool):
            raise ArgumentError(f"expected {name}, True or False, found {shown_value(getattr(state, name))}")


@dataclass(frozen=True, slots=True)
class ClockSide:
    """The state of one player's clock, in ms. At any time, used, clock and bank add up to the credit.

    :ivar clock_ms: the time available without a refill.
    :ivar bank_ms: the time available for refills.
    :ivar moves: the number of moves that the side has made.
    :ivar used_ms: the total time used.
    :ivar credit_ms: the total time received.
    :ivar clock_known: False if the true value may be higher, because a stamp is missing.
    :ivar bank_known: False if the true value may be higher.
    :ivar slack_ms: the largest time by which clock and bank together can exceed their values here.
    :raises ArgumentError: for a field of the wrong type.

    >>> clock.ClockSide(clock_ms=5000, bank_ms=2000, credit_ms=7000).total_ms
    7000
    """

    clock_ms: int
    bank_ms: int = 0
    moves: int = 0
    used_ms: int = 0
    credit_ms: int = 0
    clock_known: bool = True
    bank_known: bool = True
    slack_ms: int = 0

    def __post_init__(self) -> None:
        # Negative times are allowed here; ``Control.problems`` reports them.
        keep_whole(self, ("clock_ms", "bank_ms", "moves", "used_ms", "credit_ms", "slack_ms"))
        check_truths(self, ("clock_known", "bank_known"))

    @property
    def total_ms(self) -> int:
        """The sum of clock and bank."""
        return self.clock_ms + self.bank_ms


def changed(state: T, **changes: object) -> T:
    """Return a copy of a frozen dataclass with slots, with other values that are known to be right.

    ``dataclasses.replace`` checks the values again, which takes most of the time of replaying a long log.
    """
    copy = object.__new__(type(state))
    for name in state.__slots__:  # type: ignore[attr-defined]
        object.__setattr__(copy, name, changes[name] if name in changes else getattr(state, name))
    return copy


def check_side(side: object) -> None:
    """Raise ArgumentError for anything but a ``ClockSide``, because the API passes on arguments unchecked."""
    if not isinstance(side, ClockSide):
        raise ArgumentError(f"expected a ClockSide, found {shown_value(side)}")


def spend(side: ClockSide, ms: int) -> ClockSide:
    """Return the state after ``ms`` of thought. Raises TimeUp if no time is left: the flag falls at zero."""
    check_side(side)
    ms = whole(ms, "a time in ms", 0)
    if ms >= side.clock_ms:
        raise TimeUp(f"time is up after {duration_text(side.clock_ms)}")
    return changed(side, clock_ms=side.clock_ms - ms, used_ms=side.used_ms + ms)


class Control(ABC):
    """The base class of time controls. ``parse_control`` creates a control from its text.

    :ivar has_bank: whether the control has a bank besides the clock.

    >>> isinstance(clock.parse_control("5/move"), clock.Control)
    True
    """

    has_bank = False

    @property
    @abstractmethod
    def text(self) -> str:
        """The control in the notation that ``parse_control`` reads."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The control in words, which lets users notice a typing error such as 50/75 for 50/75/1."""

    @abstractmethod
    def opening(self) -> ClockSide:
        """Return the state of each side's clock at the start.

        :returns: the clock.

        >>> clock.parse_control("10/50").opening().clock_ms // 86_400_000
        50
        """

    @abstractmethod
    def complete(self, side: ClockSide, think_ms: int) -> ClockSide:
        """Return the state after a move.

        :param side: the clock before the move.
        :param think_ms: the time since the clock last started.
        :returns: the clock after the move.
        :raises TimeUp: if the move came too late.
        :raises ArgumentError: for arguments of the wrong type.

        >>> control = clock.parse_control("10+3")
        >>> control.complete(control.opening(), 86_400_000).clock_ms // 86_400_000
        12
        """

    def complete_unsure(self, side: ClockSide, most_ms: int) -> ClockSide:
        """Return the least time that can be left after a move, if only an upper bound on its length is known.

        :param side: the clock before the move.
        :param most_ms: the longest time that the move can have taken.
        :returns: the clock after the move, marked as not known exactly.
        :raises ArgumentError: for arguments of the wrong type.

        >>> control = clock.parse_control("10+3")
        >>> control.complete_unsure(control.opening(), 86_400_000).clock_known
        False
        """
        check_side(side)
        most_ms = whole(most_ms, "a time in ms")
        rest = min(max(0, most_ms), side.clock_ms + side.bank_ms)
        drawn = min(rest, side.clock_ms)
        kept = changed(side, clock_ms=side.clock_ms - drawn, used_ms=side.used_ms + drawn)
        # The move may have taken no time at all.
        slack_ms = side.slack_ms + rest
        rest -= drawn
        # A move longer than the clock implies refills, so the bank must have held at least the difference.
        kept = changed(kept, bank_ms=kept.bank_ms - rest, used_ms=kept.used_ms + rest)
        if not kept.clock_ms:  # a player needs time on the clock to move, so at least one millisecond was left
            kept = changed(kept, clock_ms=1, credit_ms=kept.credit_ms + 1)
        done = self.complete(kept, 0)
        clock_known = self._known_after(done)
        slack_ms = 0 if clock_known and not self.has_bank else done.slack_ms + slack_ms - side.slack_ms
        return changed(done, clock_known=clock_known, bank_known=not self.has_bank, slack_ms=slack_ms)

    def _known_after(self, side: ClockSide) -> bool:
        """Return whether the clock is known after a move, even if it was not known before the move."""
        return False

    def refill(self, side: ClockSide, wanted_ms: int | None = None) -> tuple[ClockSide, int]:
        """Transfer time from the bank to the clock.

        :param side: the clock before the transfer.
        :param wanted_ms: the time to transfer, reduced if less fits; None for as much as fits.
        :returns: the clock after the transfer, and the transferred time.
        :raises ClockError: if nothing can be transferred.
        :raises ArgumentError: for arguments of the wrong type.

        >>> control = clock.parse_control("50/75/1")
        >>> _, moved = control.refill(clock.ClockSide(45 * 86_400_000, 75 * 86_400_000))
        >>> moved // 86_400_000
        5
        """
        raise ClockError(f"no bank to refill from under {self.text}")

    def expected_credit(self, moves: int) -> int | None:
        """Return the total time that a side has received after a number of its moves.

        :param moves: the number of moves that the side has made.
        :returns: the time; None if it does not follow from the number of moves.
        :raises ArgumentError: for anything but a whole number.

        >>> clock.parse_control("10+3").expected_credit(5) // 86_400_000
        25
        """
        return None

    def most_total(self, moves: int) -> int:
        """Return the largest time that clock and bank together can hold after some of the side's moves.

        :param moves: the number of moves that the side has made.
        :returns: the time, in ms; 0 if the control has no such limit.
        :raises ArgumentError: for anything but a whole number.

        >>> clock.parse_control("50/75/1").most_total(5) // 86_400_000
        130
        """
        return self.expected_credit(moves) or 0

    def problems(self, side: ClockSide) -> list[str]:
        """Check a state against the rules.

        :param side: the clock.
        :returns: a line of text for each contradiction; empty for a valid state.
        :raises ArgumentError: for anything but a ``ClockSide``.

        >>> clock.parse_control("10+3").problems(clock.ClockSide(5, used_ms=5, credit_ms=10))
        []
        """
        check_side(side)
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
    """``10+3``: 10 days for the game and 3 more days after each move.

    :ivar base_ms: the time for the game.
    :ivar increment_ms: the time added after each move.
    :raises ClockError: for a negative time.
    :raises ArgumentError: for a field of the wrong type.

    >>> clock.Fischer(10 * 86_400_000, 3 * 86_400_000).text
    '10+3'
    """

    base_ms: int
    increment_ms: int

    def __post_init__(self) -> None:
        keep_whole(self, ("base_ms", "increment_ms"), 0)

    @property
    def text(self) -> str:
        return f"{bare_text(self.base_ms)}+{bare_text(self.increment_ms)}"

    @property
    def words(self) -> str:
        return f"{words_text(self.base_ms)}, and {words_text(self.increment_ms)} more after each move"

    def opening(self) -> ClockSide:
        return ClockSide(self.base_ms, credit_ms=self.base_ms)

    def complete(self, side: ClockSide, think_ms: int) -> ClockSide:
        return _earn(spend(side, think_ms), self.increment_ms)

    def expected_credit(self, moves: int) -> int:
        moves = whole(moves, "a number of moves")
        return self.base_ms + self.increment_ms * moves


@dataclass(frozen=True, slots=True)
class Sessions(Control):
    """``10/50``: 10 moves in 50 days. Unused time is kept for the next session.

    :ivar moves: the number of moves in a session.
    :ivar session_ms: the time for a session.
    :raises ClockError: for a negative time, or zero moves.
    :raises ArgumentError: for a field of the wrong type.

    >>> clock.Sessions(10, 50 * 86_400_000).words
    '10 moves in 50 d'
    """

    moves: int
    session_ms: int

    def __post_init__(self) -> None:
        keep_whole(self, ("moves",), 1)
        keep_whole(self, ("session_ms",), 0)

    @property
    def text(self) -> str:
        return f"{self.moves}/{bare_text(self.session_ms)}"

    @property
    def words(self) -> str:
        return f"{self.moves} {plural(self.moves, 'move')} in {words_text(self.session_ms)}"

    def opening(self) -> ClockSide:
        return ClockSide(self.session_ms, credit_ms=self.session_ms)

    def complete(self, side: ClockSide, think_ms: int) -> ClockSide:
        side = spend(side, think_ms)
        finished = (side.moves + 1) % self.moves == 0
        return _earn(side, self.session_ms if finished else 0)

    def expected_credit(self, moves: int) -> int:
        moves = whole(moves, "a number of moves")
        return self.session_ms * (1 + moves // self.moves)


@dataclass(frozen=True, slots=True)
class PerMove(Control):
    """``5/move``: 5 days for each move. Unused time is lost.

    :ivar move_ms: the time for each move.
    :raises ClockError: for a negative time.
    :raises ArgumentError: for a field of the wrong type.

    >>> clock.PerMove(5 * 86_400_000).text
    '5/move'
    """

    move_ms: int

    def __post_init__(self) -> None:
        keep_whole(self, ("move_ms",), 0)

    @property
    def text(self) -> str:
        return f"{bare_text(self.move_ms)}/move"

    @property
    def words(self) -> str:
        return f"{words_text(self.move_ms)} for each move"

    def opening(self) -> ClockSide:
        return ClockSide(self.move_ms, credit_ms=self.move_ms)

    def complete(self, side: ClockSide, think_ms: int) -> ClockSide:
        side = spend(side, think_ms)
        return _earn(side, self.move_ms - side.clock_ms)

    def _known_after(self, side: ClockSide) -> bool:
        return True


def _earn(side: ClockSide, ms: int) -> ClockSide:
    """Return the state after a move that earns ``ms``, which is negative if time is taken away."""
    return changed(side, clock_ms=side.clock_ms + ms, credit_ms=side.credit_ms + ms, moves=side.moves + 1)
