"""Writes the timetable of all games as an iCalendar file (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable

from ...clock.units import words_text
from ..deadlines import Calendar
from .timetable import Step


def steps_file(steps: Iterable[Step], now_ms: int) -> bytes:
    """Return a file with an event at the instant of each step, with reminders.

    A step keeps its UID, which consists of the game's UID and the number of the step. Raises StandstillError if
    icalendar is not installed.
    """
    found = Calendar(now_ms)
    for step in steps:
        whose = "" if step.own else "opponent: "
        action = f"refill {words_text(step.amount_ms)}, or move" if step.amount_ms else "move"
        unsure = "" if step.known else " (at the earliest)"
        found.add(f"{step.number}-{step.uid}", step.at_ms, f"{step.game}: {whose}{action}{unsure}", "")
    return found.data()
