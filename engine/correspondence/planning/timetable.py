"""Lists the latest refills and the deadlines of all games in order of time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...clock.game_clocks import RUNNING
from ...clock.triple_block import CAP_MS
from ..listing import Entry
from .absence import has_bank

REFILL, MOVE = "refill", "move"


@dataclass(frozen=True, slots=True)
class Step:
    """The last instant for an action.

    amount_ms: the refill that is possible at that instant. number: the number of the step, from 1.

    known: False if the instant is the earliest possible one. own: False for the opponent's clock.
    """

    at_ms: int
    game: str
    action: str
    amount_ms: int
    number: int
    known: bool
    own: bool
    uid: str


def timetable(entries: Iterable[Entry], now_ms: int, *, everything: bool = False) -> list[Step]:
    """Return all steps in order of time: refills as late and as large as possible, then the last instant for a move.

    everything: whether to include the opponents' clocks. A game whose time has run out has no steps. If the clock of
    a game is unknown, only the deadlines that have passed are left out.
    """
    steps = []
    for entry in entries:
        if entry.status != RUNNING or entry.deadline_ms is None or not (entry.own_turn or everything):
            continue
        if entry.deadline_ms > now_ms or not entry.clock_known:
            steps += [step for step in _steps(entry, entry.deadline_ms) if step.at_ms > now_ms]
    return sorted(steps, key=lambda step: (step.at_ms, step.game.lower()))


def _steps(entry: Entry, deadline_ms: int) -> list[Step]:
    steps: list[Step] = []
    bank_ms = entry.bank_ms if has_bank(entry) else 0
    at_ms = deadline_ms
    while True:
        amount_ms = min(CAP_MS, bank_ms)
        known = entry.clock_known and (entry.bank_known or not steps)
        action = REFILL if amount_ms else MOVE
        steps.append(Step(at_ms, entry.name, action, amount_ms, len(steps) + 1, known, entry.own_turn, entry.uid))
        if not amount_ms:
            return steps
        bank_ms, at_ms = bank_ms - amount_ms, at_ms + amount_ms
