"""The two clocks of one game on the calendar. A pure function computes their state from a log of events.

Instants are whole milliseconds since 1970 in UTC, so that time zones and daylight saving do not affect the arithmetic.
At any moment of a running game exactly one clock runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypedDict, Unpack

from ..common.errors import ClockError
from ..common.text import shown
from . import statuses
from .control import ClockSide, Control, TimeUp, changed
from .instants import message_instant
from .units import SECOND_MS, words_text

WAITING, RUNNING, CLAIMED, OVER = statuses.WAITING, statuses.RUNNING, statuses.CLAIMED, statuses.OVER
SIDES = ("White", "Black")

MOVE, REFILL, CLAIM, DECIDE, REPLACE, CORRECT, START, END, OFFER, MESSAGE = (
    "move",
    "refill",
    "claim",
    "decide",
    "replace",
    "correct",
    "start",
    "end",
    "offer",
    "message",
)
RESULTS = ("1-0", "0-1", "1/2-1/2")

AT, LENGTH = "at", "length"


class EventData(TypedDict, total=False):
    """The data of an event. Each kind of event uses the keys listed here, and the clocks ignore all other keys.

    - start: unsure
    - move: unsure; unsent, which is True if the server of the game did not have the move at that instant
    - refill: ms, the wanted time; absent for as much as fits; seen, which is True if a server's clock shows the refill,
      of ms at least and most_ms at most
    - claim: side
    - decide: accepted
    - replace: side; refill_ms, which is absent without a refill by the captain, and 0 for as much as fits
    - correct: side; clock_ms, bank_ms and moves, each absent if unchanged; clock_unknown and bank_unknown, which are
      True if the true value may be higher; bank_most_ms, the most that the bank can hold; both_ms and both_most_ms, the
      least and the most that both sides have together at that instant; why, the reason for an unknown value
    - offer: side
    - message: side, text
    - end: no keys

    The key unsure is ``AT`` if at_ms is the instant at which the event became known, not the instant at which it
    happened. It is ``LENGTH`` if part of the time before the move did not count.
    """

    side: int
    ms: int
    most_ms: int
    accepted: bool
    refill_ms: int
    clock_ms: int
    bank_ms: int
    clock_unknown: bool
    bank_unknown: bool
    bank_most_ms: int
    both_ms: int
    both_most_ms: int
    why: str
    text: str
    moves: int
    unsure: str
    assumed: bool
    seen: bool
    unsent: bool
    uci: str
    san: str
    what: str
    name: str
    result: str
    reason: str


@dataclass(frozen=True, slots=True)
class Event:
    """An event in the log of a game's clocks."""

    kind: str
    at_ms: int
    data: EventData = field(default_factory=EventData)


class _Changes(TypedDict, total=False):
    """Fields of ``GameClocks`` that an event changes."""

    to_move: int
    status: str
    since_ms: int


@dataclass(frozen=True, slots=True)
class GameClocks:
    """The state of a game's clocks.

    to_move: the side whose clock runs in a running game. since_ms: the instant up to which that side's time has been
    subtracted. stamp_ms: the instant of the last event. An earlier instant is treated as this instant.
    """

    control: Control
    sides: tuple[ClockSide, ClockSide]
    to_move: int = 0
    status: str = WAITING
    since_ms: int = 0
    stamp_ms: int = 0

    @property
    def mover(self) -> ClockSide:
        return self.sides[self.to_move]

    @property
    def deadline_ms(self) -> int | None:
        """The earliest instant at which the running clock's flag falls without a refill; None if no clock runs."""
        return self.since_ms + self.mover.clock_ms if self.status == RUNNING else None

    @property
    def last_deadline_ms(self) -> int | None:
        """The instant at which the running clock's flag falls if every possible refill is used.

        None if no clock runs.
        """
        return self.since_ms + self.mover.total_ms if self.status == RUNNING else None

    def flagged(self, at_ms: int) -> bool:
        """Return whether, as far as is known, the running clock's flag has fallen by that instant."""
        return self.deadline_ms is not None and self.mover.clock_known and at_ms >= self.deadline_ms

    def shown(self, side: int, at_ms: int) -> ClockSide:
        """Return the clock to display at that instant. It shows 0 after the flag has fallen."""
        state = self.sides[side]
        if self.status != RUNNING or side != self.to_move:
            return state
        passed = max(0, at_ms - self.since_ms)
        elapsed = min(passed, state.clock_ms)
        left = changed(state, clock_ms=state.clock_ms - elapsed, used_ms=state.used_ms + elapsed)
        if state.clock_known:
            return left
        # The clock may have started later than since_ms, or unknown refills may keep it running.
        drawn = min(passed - elapsed, state.bank_ms) if self.control.has_bank else 0
        return changed(
            left,
            bank_ms=left.bank_ms - drawn,
            used_ms=left.used_ms + drawn,
            slack_ms=state.slack_ms + elapsed + drawn,
            bank_known=left.bank_known and not drawn,
        )

    def problems(self) -> list[str]:
        """Return a line for each contradiction to the rules; empty for a valid state."""
        return [f"{SIDES[at]}: {text}" for at, side in enumerate(self.sides) for text in self.control.problems(side)]

    def apply(self, event: Event) -> GameClocks:
        """Return the state after the event. An instant before the last stamp counts as the last stamp.

        Raises TimeUp if the running clock's flag fell before the event, and ClockError for an event against the rules.
        """
        step = _STEPS.get(event.kind)
        if step is None:
            raise ClockError(f"unknown event {shown(event.kind)}")
        at_ms = max(event.at_ms, self.stamp_ms)
        deadline_ms = self.deadline_ms
        free = event.kind in (CORRECT, END, OFFER, MESSAGE) or bool(event.data.get("unsure"))
        # After the flag has fallen the opponent may still claim the win on time.
        free = free or (event.kind == CLAIM and event.data.get("side", self.to_move) != self.to_move)
        if not free and deadline_ms is not None and self.flagged(at_ms):
            late_ms = at_ms - deadline_ms
            late = f", {words_text(late_ms)} earlier" if late_ms >= SECOND_MS else ""
            raise TimeUp(f"{SIDES[self.to_move]}'s time ran out {message_instant(deadline_ms)}{late}")
        return changed(step(self, event.data, at_ms), stamp_ms=at_ms)

    def _unsure_mover(self) -> GameClocks:
        """Return the state with the running clock marked as unknown: it may have started later than ``since_ms``."""
        return self._with_mover(changed(self.mover, clock_known=False))

    def _with_mover(self, side: ClockSide, **changes: Unpack[_Changes]) -> GameClocks:
        return self._with_side(self.to_move, side, **changes)

    def _with_side(self, at: int, side: ClockSide, **changes: Unpack[_Changes]) -> GameClocks:
        sides = (side, self.sides[1]) if at == 0 else (self.sides[0], side)
        return changed(self, sides=sides, **changes)


def opening(control: Control, black_begins: bool = False) -> GameClocks:
    """Return the state before the official start."""
    return GameClocks(control, (control.opening(), control.opening()), int(black_begins))


def _start(clocks: GameClocks, data: EventData, at_ms: int) -> GameClocks:
    if clocks.status != WAITING:
        raise ClockError("the game has started already")
    started = changed(clocks, status=RUNNING, since_ms=at_ms)
    return started._unsure_mover() if data.get("unsure") else started


class ClaimPending(ClockError):
    """An event that is not allowed while a claim awaits its decision."""


def _need_running(clocks: GameClocks, what: str) -> None:
    if clocks.status != RUNNING:
        kind = ClaimPending if clocks.status == CLAIMED else ClockError
        why = {WAITING: "has not started", CLAIMED: "waits for the decision of a claim", OVER: "is over"}
        raise kind(f"no {what}: the game {why[clocks.status]}")


def _move(clocks: GameClocks, data: EventData, at_ms: int) -> GameClocks:
    _need_running(clocks, "move")
    mover, think_ms = clocks.mover, at_ms - clocks.since_ms
    unsure = data.get("unsure")
    if unsure or not mover.clock_known:
        # The time since the last known instant is only an upper bound: the opponent may have used part of it.
        side = clocks.control.complete_unsure(mover, think_ms)
        if unsure == AT:
            return clocks._with_mover(side, to_move=1 - clocks.to_move)._unsure_mover()
    else:
        side = clocks.control.complete(mover, think_ms)
    return clocks._with_mover(side, to_move=1 - clocks.to_move, since_ms=at_ms)


def _refill(clocks: GameClocks, data: EventData, at_ms: int) -> GameClocks:
    _need_running(clocks, "refill")
    if data.get("side", clocks.to_move) != clocks.to_move:
        raise ClockError(f"no refill for {SIDES[1 - clocks.to_move]}, whose clock is not running")
    before = clocks.shown(clocks.to_move, at_ms)
    side, moved_ms = clocks.control.refill(before, data.get("ms"))
    if unsure_ms := min(side.bank_ms, max(0, data.get("most_ms", moved_ms) - moved_ms)):
        # The refill may have been larger by this much, so this time is certain neither in the bank nor on the clock.
        side = changed(
            side,
            bank_ms=side.bank_ms - unsure_ms,
            credit_ms=side.credit_ms - unsure_ms,
            slack_ms=side.slack_ms + unsure_ms,
        )
    side = changed(side, bank_known=side.bank_known and side.clock_known)
    return clocks._with_mover(side, since_ms=at_ms)


def _claim(clocks: GameClocks, data: EventData, at_ms: int) -> GameClocks:
    """Apply a claim, which stops the clock until the decision."""
    _need_running(clocks, "claim")
    return clocks._with_mover(clocks.shown(clocks.to_move, at_ms), status=CLAIMED, since_ms=at_ms)


def _decide(clocks: GameClocks, data: EventData, at_ms: int) -> GameClocks:
    """Apply the decision of a claim. After a rejected claim the clock continues from its old value."""
    if clocks.status != CLAIMED:
        raise ClockError("no claim to decide")
    return changed(clocks, status=OVER if data["accepted"] else RUNNING, since_ms=at_ms)


def _replace(clocks: GameClocks, data: EventData, at_ms: int) -> GameClocks:
    """Apply a replacement of a player, which leaves the clocks running.

    Only in this event may a captain refill the clock.
    """
    if clocks.status == OVER:
        raise ClockError("no replacement: the game is over")
    wanted = data.get("refill_ms")
    if wanted is None:
        return clocks
    refill: EventData = {"side": data["side"]}
    if wanted:
        refill["ms"] = wanted
    return _refill(clocks, refill, at_ms)


def _correct(clocks: GameClocks, data: EventData, at_ms: int) -> GameClocks:
    """Replace the computed values with those that the server shows."""
    at = data["side"]
    old = clocks.shown(at, at_ms)
    clock_ms, bank_ms = data.get("clock_ms", old.clock_ms), data.get("bank_ms", old.bank_ms)
    moves = data.get("moves", old.moves)
    side = replace(
        old,
        clock_ms=clock_ms,
        bank_ms=bank_ms,
        moves=moves,
        credit_ms=old.used_ms + clock_ms + bank_ms,
        clock_known=not data.get("clock_unknown") and ("clock_ms" in data or old.clock_known),
        bank_known=not data.get("bank_unknown") and ("bank_ms" in data or old.bank_known),
        slack_ms=_corrected_slack(clocks.control, data, old, clock_ms + bank_ms, moves),
    )
    if found := clocks.control.problems(side):
        raise ClockError(f"impossible correction: {'; '.join(found)}")
    if bank_ms and not clocks.control.has_bank:
        raise ClockError(f"no bank under {clocks.control.text}")
    return clocks._with_side(at, side, since_ms=at_ms if at == clocks.to_move else clocks.since_ms)


def _corrected_slack(control: Control, data: EventData, old: ClockSide, total_ms: int, moves: int) -> int:
    """Return by how much clock and bank together can exceed ``total_ms`` after a correction."""
    if "bank_most_ms" in data and "bank_ms" in data:
        return max(0, data["bank_most_ms"] - data["bank_ms"])
    if data.get("clock_unknown") or data.get("bank_unknown"):  # then only the rules set a limit
        return max(0, control.most_total(moves) - total_ms)
    return 0 if "bank_ms" in data or not control.has_bank else old.slack_ms


def _end(clocks: GameClocks, data: EventData, at_ms: int) -> GameClocks:
    if clocks.status == OVER:
        raise ClockError("the game is over already")
    return clocks._with_mover(clocks.shown(clocks.to_move, at_ms), status=OVER, since_ms=at_ms)


_STEPS: dict[str, Callable[[GameClocks, EventData, int], GameClocks]] = {
    START: _start,
    MOVE: _move,
    REFILL: _refill,
    CLAIM: _claim,
    DECIDE: _decide,
    REPLACE: _replace,
    CORRECT: _correct,
    END: _end,
    OFFER: lambda clocks, _data, _at_ms: clocks,
    MESSAGE: lambda clocks, _data, _at_ms: clocks,
}
