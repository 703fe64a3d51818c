"""Selects the deadlines for which a reminder is due: one reminder for each chosen number of days before a deadline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...clock.units import DAY_MS, MINUTE_MS
from ..listing import Entry
from ..store import Store

# If a fetch has moved a deadline by less than this, the deadline counts as unchanged, because servers show minutes.
_SAME_MS = 60 * MINUTE_MS


@dataclass(frozen=True, slots=True)
class Reminder:
    """A deadline that is due. days: the smallest of the chosen numbers of days within which the deadline lies."""

    entry: Entry
    deadline_ms: int
    days: int


def due(store: Store, entries: Iterable[Entry], limits: Iterable[int], now_ms: int) -> list[Reminder]:
    """Return the reminders due now for the user's clocks, by urgency. limits: numbers of days before a deadline."""
    found = []
    for entry in entries:
        if not entry.own_turn or entry.deadline_ms is None or entry.left_ms is None or entry.left_ms <= 0:
            continue
        within = [days for days in limits if entry.left_ms <= days * DAY_MS]
        if within and not _noted(store, entry, entry.deadline_ms, min(within)):
            found.append(Reminder(entry, entry.deadline_ms, min(within)))
    return found


def note(store: Store, reminders: Iterable[Reminder], now_ms: int) -> None:
    """Record that these reminders have been delivered."""
    with store.transaction():
        for reminder in reminders:
            store.write(
                "INSERT OR REPLACE INTO reminders (uid, days, deadline_ms, at_ms) VALUES (?, ?, ?, ?)",
                reminder.entry.uid,
                reminder.days,
                reminder.deadline_ms,
                now_ms,
            )


def _noted(store: Store, entry: Entry, deadline_ms: int, days: int) -> bool:
    """Return whether a reminder of this deadline was delivered at this number of days or at a smaller number."""
    rows = store.rows("SELECT deadline_ms FROM reminders WHERE uid = ? AND days <= ?", entry.uid, days)
    return any(abs(row["deadline_ms"] - deadline_ms) <= _SAME_MS for row in rows)
