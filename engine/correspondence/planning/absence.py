"""Finds the actions that are necessary before an absence, so that no clock runs out during it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...clock.game_clocks import RUNNING
from ...clock.parse import parse_control
from ...clock.triple_block import CAP_MS
from ...clock.units import MINUTE_MS
from ..listing import Entry

# A clock has to last a little longer than the absence, so that there is time to look at the game.
MARGIN_MS = 60 * MINUTE_MS

REFILL, MOVE, RISK = "refill", "move", "risk"


@dataclass(frozen=True, slots=True)
class Absence:
    """An absence from one instant to another, in ms."""

    from_ms: int
    to_ms: int


@dataclass(frozen=True, slots=True)
class Action:
    """An action that one game needs because of an absence.

    kind: REFILL (at least ``least_ms``, at most ``most_ms``, between ``after_ms`` and ``by_ms``), MOVE (before
    ``by_ms``, because refills do not suffice), or RISK (only the opponent can move, and after an immediate move the
    clock runs out at ``flag_ms``). flag_ms: the instant at which the clock runs out without the action. until_ms: the
    instant at which the clock runs out after the action; after a MOVE, if the opponent answers at once. known: False
    if clock or bank are only lower limits.
    """

    game: str
    kind: str
    absence: int
    by_ms: int
    flag_ms: int
    until_ms: int
    least_ms: int = 0
    most_ms: int = 0
    after_ms: int = 0
    known: bool = True

    @property
    def suffices(self) -> bool:
        """Return whether the clock lasts to the end of the absence once this action is done."""
        return self.kind == REFILL or self.least_ms == 0


def required_actions(entries: Iterable[Entry], absences: Sequence[Absence], now_ms: int) -> list[Action]:
    """Return the actions that the games need, by their latest instants.

    absences: absences in chronological order, without overlaps.
    """
    found: list[Action] = []
    for entry in entries:
        if entry.status != RUNNING or entry.own_side is None or entry.deadline_ms is None:
            continue
        found += _own_turn(entry, absences, now_ms) if entry.own_turn else _their_turn(entry, absences, now_ms)
    return sorted(found, key=lambda action: (action.by_ms, action.game.lower(), action.absence))


def _own_turn(entry: Entry, absences: Sequence[Absence], now_ms: int) -> list[Action]:
    """Return the actions for a running clock of the user. A refill for one absence counts for the next absence, too."""
    found = []
    deadline_ms, bank_ms = entry.deadline_ms or 0, entry.bank_ms
    known = entry.clock_known and entry.bank_known
    for number, away in enumerate(absences):
        if deadline_ms >= away.to_ms + MARGIN_MS:
            continue
        least_ms = away.to_ms + MARGIN_MS - deadline_ms
        by_ms = min(away.from_ms, deadline_ms)
        most_ms = min(CAP_MS - (deadline_ms - by_ms), bank_ms)
        if least_ms <= most_ms and by_ms > now_ms and has_bank(entry):
            after_ms = max(now_ms, deadline_ms - (CAP_MS - least_ms))
            found.append(
                Action(
                    entry.name, REFILL, number, by_ms, deadline_ms, deadline_ms + most_ms, least_ms, most_ms,
                    after_ms, known,
                )
            )  # fmt: skip
            deadline_ms, bank_ms = deadline_ms + most_ms, bank_ms - most_ms
            continue
        # After a move the clock is filled again, up to the total. The opponent's answer may come at once.
        until_ms = by_ms + _full(entry, max(0, deadline_ms - by_ms) + bank_ms)
        short_ms = max(0, away.to_ms + MARGIN_MS - until_ms)
        found.append(Action(entry.name, MOVE, number, by_ms, deadline_ms, until_ms, least_ms=short_ms, known=known))
        break
    return found


def _their_turn(entry: Entry, absences: Sequence[Absence], now_ms: int) -> list[Action]:
    """Return the risk in a game with the opponent to move, who may move when an absence begins."""
    found = []
    for number, away in enumerate(absences):
        until_ms = max(now_ms, away.from_ms) + entry.own_clock_ms
        if until_ms < away.to_ms + MARGIN_MS:
            short_ms = away.to_ms + MARGIN_MS - until_ms
            found.append(
                Action(entry.name, RISK, number, away.from_ms, until_ms, until_ms, short_ms, known=entry.own_known)
            )
    return found


def has_bank(entry: Entry) -> bool:
    return parse_control(entry.control).has_bank


def _full(entry: Entry, total_ms: int) -> int:
    """Return the least possible clock after an immediate move: without the increment."""
    return min(CAP_MS, total_ms) if has_bank(entry) else total_ms
