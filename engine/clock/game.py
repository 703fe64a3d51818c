"""The two clocks of one game over the calendar: a pure function from a log of events to a state.

Instants are whole milliseconds since 1970 in UTC, so that neither time zones nor summer time touch the arithmetic. At
any moment of a running game exactly one clock runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..errors import ClockError
from ..notation import shown
from .control import Control, Side, TimeUp
from .units import duration_text

WAITING, RUNNING, CLAIMED, OVER = "waiting", "running", "claimed", "over"
SIDES = ("White", "Black")

MOVE, REFILL, CLAIM, DECIDE, REPLACE, CORRECT, START, END = (
    "move",
    "refill",
    "claim",
    "decide",
    "replace",
    "correct",
    "start",
    "end",
)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a game's clocks.

    data, by kind: start {}; move {}; refill {ms: wanted, absent for all that fits}; claim {side};
    decide {accepted}; replace {side, refill_ms: absent without the captain's refill, 0 for all that fits};
    correct {side, clock_ms, bank_ms, moves: each absent where it stays}; end {}.
    Other keys are the business of whoever keeps the log.
    """

    kind: str
    at_ms: int
    data: dict = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Clocks:
    """Where the clocks of a game stand.

    to_move: the side whose clock runs in a running game. since_ms: the instant from which its time has not been
    subtracted yet. stamp_ms: of the last event; time never runs backwards from it.
    """

    control: Control
    sides: tuple[Side, Side]
    to_move: int = 0
    status: str = WAITING
    since_ms: int = 0
    stamp_ms: int = 0

    @property
    def mover(self) -> Side:
        return self.sides[self.to_move]

    @property
    def deadline_ms(self) -> int | None:
        """When the running clock falls if nothing is done; None when none runs."""
        return self.since_ms + self.mover.clock_ms if self.status == RUNNING else None

    @property
    def last_deadline_ms(self) -> int | None:
        """The same with every refill there is."""
        return self.since_ms + self.mover.total_ms if self.status == RUNNING else None

    def flagged(self, at_ms: int) -> bool:
        """Has the running clock fallen by that instant?"""
        return self.status == RUNNING and at_ms >= self.deadline_ms

    def shown(self, side: int, at_ms: int) -> Side:
        """What the display says at that instant; a clock that has fallen shows 0."""
        state = self.sides[side]
        if self.status != RUNNING or side != self.to_move:
            return state
        elapsed = min(max(0, at_ms - self.since_ms), state.clock_ms)
        return replace(state, clock_ms=state.clock_ms - elapsed, used_ms=state.used_ms + elapsed)

    def problems(self) -> list[str]:
        """What contradicts the rules; nothing in a sound state."""
        return [f"{SIDES[at]}: {text}" for at, side in enumerate(self.sides) for text in self.control.problems(side)]

    def apply(self, event: Event) -> Clocks:
        """The state after the event. An instant before the last stamp counts as the last stamp.

        Raises TimeUp if the running clock has fallen before, ClockError for what the rules do not allow.
        """
        step = _STEPS.get(event.kind)
        if step is None:
            raise ClockError(f"unknown event {shown(event.kind)}")
        at_ms = max(event.at_ms, self.stamp_ms)
        if event.kind not in (CORRECT, END) and self.flagged(at_ms):
            late = duration_text(at_ms - self.deadline_ms)
            raise TimeUp(f"{SIDES[self.to_move]}'s time ran out {late} before")
        return replace(step(self, event.data, at_ms), stamp_ms=at_ms)

    def _with_mover(self, side: Side, **changes: object) -> Clocks:
        return self._with_side(self.to_move, side, **changes)

    def _with_side(self, at: int, side: Side, **changes: object) -> Clocks:
        sides = (side, self.sides[1]) if at == 0 else (self.sides[0], side)
        return replace(self, sides=sides, **changes)


def opening(control: Control, black_begins: bool = False) -> Clocks:
    """Before the official start."""
    return Clocks(control, (control.opening(), control.opening()), int(black_begins))


def _start(clocks: Clocks, data: dict, at_ms: int) -> Clocks:
    if clocks.status != WAITING:
        raise ClockError("the game has started already")
    return replace(clocks, status=RUNNING, since_ms=at_ms)


def _need_running(clocks: Clocks, what: str) -> None:
    if clocks.status != RUNNING:
        why = {WAITING: "has not started", CLAIMED: "waits for the decision of a claim", OVER: "is over"}
        raise ClockError(f"no {what}: the game {why[clocks.status]}")


def _move(clocks: Clocks, data: dict, at_ms: int) -> Clocks:
    _need_running(clocks, "move")
    side = clocks.control.complete(clocks.mover, at_ms - clocks.since_ms)
    return clocks._with_mover(side, to_move=1 - clocks.to_move, since_ms=at_ms)


def _refill(clocks: Clocks, data: dict, at_ms: int) -> Clocks:
    _need_running(clocks, "refill")
    if data.get("side", clocks.to_move) != clocks.to_move:
        raise ClockError(f"no refill for {SIDES[1 - clocks.to_move]}, whose clock is not running")
    side, _ = clocks.control.refill(clocks.shown(clocks.to_move, at_ms), data.get("ms"))
    return clocks._with_mover(side, since_ms=at_ms)


def _claim(clocks: Clocks, data: dict, at_ms: int) -> Clocks:
    """The clock stops until the decision."""
    _need_running(clocks, "claim")
    return clocks._with_mover(clocks.shown(clocks.to_move, at_ms), status=CLAIMED, since_ms=at_ms)


def _decide(clocks: Clocks, data: dict, at_ms: int) -> Clocks:
    """A rejected claim lets the clock run on with its old value."""
    if clocks.status != CLAIMED:
        raise ClockError("no claim to decide")
    return replace(clocks, status=OVER if data["accepted"] else RUNNING, since_ms=at_ms)


def _replace(clocks: Clocks, data: dict, at_ms: int) -> Clocks:
    """The new player inherits everything, and the clock runs on. Only with this may a captain refill."""
    if clocks.status == OVER:
        raise ClockError("no replacement: the game is over")
    wanted = data.get("refill_ms")
    if wanted is None:
        return clocks
    return _refill(clocks, {"side": data["side"], "ms": wanted or None}, at_ms)


def _correct(clocks: Clocks, data: dict, at_ms: int) -> Clocks:
    """What the server shows is the truth, whatever was computed here."""
    at = data["side"]
    old = clocks.shown(at, at_ms)
    clock_ms, bank_ms = data.get("clock_ms", old.clock_ms), data.get("bank_ms", old.bank_ms)
    side = replace(
        old,
        clock_ms=clock_ms,
        bank_ms=bank_ms,
        moves=data.get("moves", old.moves),
        credit_ms=old.used_ms + clock_ms + bank_ms,
    )
    if found := clocks.control.problems(side):
        raise ClockError(f"no such correction: {'; '.join(found)}")
    if bank_ms and not clocks.control.has_bank:
        raise ClockError(f"no bank under {clocks.control.text}")
    return clocks._with_side(at, side, since_ms=at_ms if at == clocks.to_move else clocks.since_ms)


def _end(clocks: Clocks, data: dict, at_ms: int) -> Clocks:
    if clocks.status == OVER:
        raise ClockError("the game is over already")
    return clocks._with_mover(clocks.shown(clocks.to_move, at_ms), status=OVER, since_ms=at_ms)


_STEPS = {
    START: _start,
    MOVE: _move,
    REFILL: _refill,
    CLAIM: _claim,
    DECIDE: _decide,
    REPLACE: _replace,
    CORRECT: _correct,
    END: _end,
}
