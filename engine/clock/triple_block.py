"""Triple Block: a clock of at most 50 days, a bank, and an increment for each of the first 50 moves.

The rules are those of the International Correspondence Chess Federation (tried from 2018, in force since 2021).
``C/B/I`` describes an event: the days on the clock, in the bank, and added for each move. Time in excess of 50 days on
the clock goes to the bank. After each move of a player the bank fills the player's clock again; during a move only the
player can fill it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ..common.errors import ClockError
from ..common.text import shown
from .control import ClockSide, Control, changed, check_side, check_truths, keep_whole, spend, whole
from .units import DAY_MS, bare_text, duration_text, parse_duration, words_text

CAP_MS = 50 * DAY_MS
PAID_MOVES = 50  # moves of a player that earn the increment
PROTECTED_MS = 3 * DAY_MS  # with sudden-death protection, from move 51 on
SHORTEST_DAYS = 300
TABLE_DAYS = range(SHORTEST_DAYS, 1101, 50)
_LONGEST_DAYS = 100_000  # a higher number is probably a typing error
_MOST_MOVES = 9999


@dataclass(frozen=True, slots=True)
class TripleBlock(Control):
    """``50/75/1``: the terms of an event with 50 days on the clock, 75 in the bank and 1 more for each move.

    :ivar initial_ms: the time on the clock.
    :ivar bank_ms: the time in the bank.
    :ivar increment_ms: the time added for each of a player's first 50 moves.
    :ivar protection: whether the total never falls below 3 days after move 50.
    :ivar auto_refill: whether the bank fills the clock after each move of its owner.
    :raises ClockError: for a negative time.
    :raises ArgumentError: for a field of the wrong type.

    >>> clock.TripleBlock(50 * 86_400_000, 75 * 86_400_000, 86_400_000, protection=True).text
    '50/75/1:p'
    """

    initial_ms: int
    bank_ms: int
    increment_ms: int
    protection: bool = False
    auto_refill: bool = True

    has_bank = True

    def __post_init__(self) -> None:
        keep_whole(self, ("initial_ms", "bank_ms", "increment_ms"), 0)
        check_truths(self, ("protection", "auto_refill"))

    @property
    def flags(self) -> str:
        """The flags of the text: ``:p`` for protection, ``:r`` without automatic refills."""
        return (":p" if self.protection else "") + ("" if self.auto_refill else ":r")

    @property
    def text(self) -> str:
        return f"{state_text(self.initial_ms, self.bank_ms, self.increment_ms)}{self.flags}"

    @property
    def words(self) -> str:
        return (
            f"Triple Block with {words_text(self.initial_ms)} on the clock, {words_text(self.bank_ms)} in the bank and"
            f" {words_text(self.increment_ms)} for each of the first {PAID_MOVES} moves"
            + ", with sudden-death protection" * self.protection
            + ", without automatic refills" * (not self.auto_refill)
        )

    def opening(self) -> ClockSide:
        return ClockSide(self.initial_ms, self.bank_ms, credit_ms=self.initial_ms + self.bank_ms)

    def complete(self, side: ClockSide, think_ms: int) -> ClockSide:
        side = spend(side, think_ms)
        moves = side.moves + 1
        earned = self.increment_ms if moves <= PAID_MOVES else 0
        clock, bank = side.clock_ms + earned, side.bank_ms
        overflow = max(0, clock - CAP_MS)
        clock, bank = clock - overflow, bank + overflow
        if self.auto_refill:
            filled = min(CAP_MS - clock, bank)
            clock, bank = clock + filled, bank - filled
        slack = side.slack_ms
        if self.protection and moves > PAID_MOVES and clock + bank < PROTECTED_MS:
            given = PROTECTED_MS - clock - bank
            earned, slack = earned + given, max(0, slack - given)
            clock, bank = PROTECTED_MS, 0
        credit = side.credit_ms + earned
        side = changed(side, clock_ms=clock, bank_ms=bank, moves=moves, credit_ms=credit, slack_ms=slack)
        # If the amount in the bank is unknown, the bank may have filled the clock further.
        known = side.clock_known and (side.bank_known or not self.auto_refill)
        return changed(side, clock_known=known or self._known_after(side))

    def _known_after(self, side: ClockSide) -> bool:
        """Return whether the clock is known after a move, because even its lowest possible value is full."""
        return side.clock_ms == CAP_MS

    def refill(self, side: ClockSide, wanted_ms: int | None = None) -> tuple[ClockSide, int]:
        check_side(side)
        if wanted_ms is not None:
            wanted_ms = whole(wanted_ms, "a refill in ms")
            if wanted_ms <= 0:
                raise ClockError("expected a refill of more than 0")
        if not side.bank_ms:
            raise ClockError("the bank is empty" if side.bank_known else "the bank is unknown: correct it first")
        room = CAP_MS - side.clock_ms
        if room <= 0:
            raise ClockError("the clock is full")
        moved = min(room, side.bank_ms, room if wanted_ms is None else wanted_ms)
        return changed(side, clock_ms=side.clock_ms + moved, bank_ms=side.bank_ms - moved), moved

    def expected_credit(self, moves: int) -> int | None:
        moves = whole(moves, "a number of moves")
        if self.protection and moves > PAID_MOVES:
            return None
        return self.initial_ms + self.bank_ms + self.increment_ms * min(moves, PAID_MOVES)

    def most_total(self, moves: int) -> int:
        given_ms = self.increment_ms * min(whole(moves, "a number of moves"), PAID_MOVES)
        total_ms = self.initial_ms + self.bank_ms + given_ms
        return max(total_ms, PROTECTED_MS) if self.protection else total_ms

    def problems(self, side: ClockSide) -> list[str]:
        found = Control.problems(self, side)
        if side.clock_ms > CAP_MS:
            found.append(f"{duration_text(side.clock_ms)} on the clock, more than 50 days")
        return found

    def longest_game_ms(self) -> int | None:
        """Return the time from the official start to the last instant at which a flag can fall.

        :returns: the time; None if protection allows a game without end.

        >>> clock.TripleBlock(50 * 86_400_000, 75 * 86_400_000, 86_400_000).longest_game_ms() // 86_400_000
        350
        """
        if self.protection:
            return None
        return 2 * (self.initial_ms + self.bank_ms + PAID_MOVES * self.increment_ms)


# ---- the duration table ----


def from_duration(days: int) -> TripleBlock:
    """Return the terms of an event of this many days, rounded down to a multiple of 50.

    Raises ClockError below 300 days, the shortest duration for rated play.
    """
    if not SHORTEST_DAYS <= days <= _LONGEST_DAYS:
        raise ClockError(f"expected a duration of {SHORTEST_DAYS} to {_LONGEST_DAYS} days, found {days}")
    days -= days % 50
    bank = 50 if days % 100 == 0 else 75
    return TripleBlock(CAP_MS, bank * DAY_MS, (days - 200) // 100 * DAY_MS)


def duration_days(terms: TripleBlock) -> int | float:
    """Return the number of days that an event with these terms can last, ignoring protection."""
    from .units import days

    return days(2 * (terms.initial_ms + terms.bank_ms + PAID_MOVES * terms.increment_ms))


def table() -> list[TripleBlock]:
    """Return the published rows: 300 to 1100 days."""
    return [from_duration(days) for days in TABLE_DAYS]


# ---- text ----


@dataclass(frozen=True, slots=True)
class State:
    """The terms and one player's state, as in ``C/B/I@N``, where C and B are the time left now."""

    terms: TripleBlock
    side: ClockSide
    given_move: bool = False  # whether the text contained @N

    @property
    def move(self) -> int:
        """The number of the player's next move."""
        return self.side.moves + 1

    @property
    def text(self) -> str:
        left = state_text(self.side.clock_ms, self.side.bank_ms, self.terms.increment_ms)
        return f"{left}@{self.move}{self.terms.flags}"


_FORM = re.compile(r"([^/@:]*)/([^/@:]*)/([^/@:]*)(?:@([^/@:]*))?((?::[^/@:]*)*)")
_SHORT = re.compile(r"[dD]([^/@:]*)(?:@([^/@:]*))?((?::[^/@:]*)*)")


def parse_state(text: str) -> State:
    """Parse ``C/B/I[@N][:FLAG...]`` or ``D350[@N][:FLAG...]``.

    C, B and I are durations; C is at most 50 days. N is the number of the player's next move. The flags are p for
    sudden-death protection and r for no automatic refill. Raises ClockError.
    """
    if found := _SHORT.fullmatch(text):
        length, number, flags = found.groups()
        if not re.fullmatch(r"\d{1,6}", length, re.ASCII):
            raise ClockError(f"expected D and a number of days such as D350, found {shown(text)}")
        terms = from_duration(int(length))
    elif found := _FORM.fullmatch(text):
        clock, bank, increment, number, flags = found.groups()
        terms = TripleBlock(
            parse_duration(clock, "the clock"),
            parse_duration(bank, "the bank"),
            parse_duration(increment, "the increment"),
        )
        if terms.initial_ms > CAP_MS:
            raise ClockError(f"expected a clock of 50 days at most, found {shown(clock)}")
    else:
        raise ClockError(f"expected CLOCK/BANK/INCREMENT[@MOVE][:FLAGS] such as 50/75/1, found {shown(text)}")
    for flag in flags.split(":")[1:]:
        terms = _with_flag(terms, flag)
    moves = 0 if number is None else _parse_move_number(number) - 1
    return State(terms, replace(terms.opening(), moves=moves), number is not None)


def parse_terms(text: str) -> TripleBlock:
    """Parse the terms of an event, in the form of ``parse_state`` without a move number. Raises ClockError."""
    state = parse_state(text)
    if state.given_move:
        raise ClockError(f"expected the terms of an event without @, found {shown(text)}")
    if not state.terms.initial_ms:
        raise ClockError(f"expected a clock of more than 0, found {shown(text)}")
    return state.terms


def _with_flag(terms: TripleBlock, flag: str) -> TripleBlock:
    # Flags may be written together (:pr) or apart (:p:r).
    if not flag or set(flag) - set("pr"):
        raise ClockError(f"expected flags p (protection) or r (no automatic refill), found {shown(flag)}")
    return replace(
        terms,
        protection=terms.protection or "p" in flag,
        auto_refill=terms.auto_refill and "r" not in flag,
    )


def _parse_move_number(text: str) -> int:
    if not re.fullmatch(r"\d{1,4}", text, re.ASCII) or int(text) == 0:
        raise ClockError(f"expected the number of a move, 1 to {_MOST_MOVES}, found {shown(text)}")
    return int(text)


def state_text(clock_ms: int, bank_ms: int, increment_ms: int) -> str:
    """Write whole days as bare numbers, as in ``50/75/1``, and other times as in ``41d6h``."""
    return "/".join(map(bare_text, (clock_ms, bank_ms, increment_ms)))
