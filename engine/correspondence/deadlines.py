"""Writes deadlines of running games as an iCalendar file (RFC 5545), for reminders in a calendar program."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from ..clock.game_clocks import OVER
from ..clock.instants import instant_text, to_datetime
from ..clock.units import DAY_MS, words_text
from ..common.errors import StandstillError
from ..common.install import install_command
from .listing import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from icalendar import Event

_REMIND_DAYS = (7, 3, 1)


class Calendar:
    """An iCalendar file under construction. Raises StandstillError if icalendar is not installed."""

    def __init__(self, now_ms: int):
        try:
            import icalendar
        except ImportError:
            raise StandstillError(f"the calendar needs icalendar: {install_command('calendar')}") from None
        self._library, self._now_ms = icalendar, now_ms
        self._found = icalendar.Calendar()
        self._found.add("prodid", "-//Standstill//correspondence games//EN")
        self._found.add("version", "2.0")
        self._found.add("method", "PUBLISH")

    def _event(self, uid: str, at_ms: int) -> Event:
        # RFC 5545, 3.6.1, allows an event without an end, but no event that ends at the instant of its start.
        event = self._library.Event()
        event.add("uid", uid)
        event.add("dtstamp", to_datetime(self._now_ms))
        event.add("dtstart", to_datetime(at_ms // 1000 * 1000))
        # The higher number gives a later file for the same game precedence over an earlier one.
        event.add("sequence", max(0, self._now_ms // 1000 - _EPOCH_2020_S))
        event.add("transp", "TRANSPARENT")
        return event

    def add(self, uid: str, at_ms: int, summary: str, description: str) -> None:
        """Add an event with reminders."""
        event = self._event(uid, at_ms)
        event.add("status", "CONFIRMED")
        event.add("summary", summary)
        if description:
            event.add("description", description)
        for days in _REMIND_DAYS:
            alarm = self._library.Alarm()
            alarm.add("action", "DISPLAY")
            alarm.add("description", summary)
            alarm.add("trigger", timedelta(days=-days))
            event.add_component(alarm)
        self._found.add_component(event)

    def cancel(self, uid: str, name: str) -> None:
        """Cancel an event of an earlier file."""
        event = self._event(uid, self._now_ms)
        event.add("status", "CANCELLED")
        event.add("summary", f"{name}: nothing to do")
        self._found.add_component(event)

    def data(self) -> bytes:
        """Return the file."""
        written: bytes = self._found.to_ical()
        return written


def calendar(
    entries: list[Entry], now_ms: int, own_only: bool = True, forgotten: Iterable[tuple[str, str]] = ()
) -> bytes:
    """Return an iCalendar file with an event at each deadline. ``own_only``: only deadlines of the owner's clocks.

    A game always keeps its UID, so that a calendar that reads the next file moves the old event. A deadline that no
    longer applies becomes a cancelled event, because calendars keep an event that is merely missing from the file.
    forgotten: (uid, name) of removed games. Raises StandstillError if icalendar is not installed.
    """
    found = Calendar(now_ms)
    for entry in entries:
        if entry.deadline_ms is None or not has_event(entry, now_ms, own_only):
            if entry.status != OVER or entry.stamp_ms > now_ms - _CANCELLED_FOR_MS:
                found.cancel(entry.uid, entry.name)
            continue
        found.add(entry.uid, entry.deadline_ms, _summary(entry), _description(entry, entry.deadline_ms))
    for uid, name in forgotten:
        found.cancel(uid, name)
    return found.data()


def has_event(entry: Entry, now_ms: int, own_only: bool) -> bool:
    """Return whether the entry belongs in the calendar. A deadline of an unknown clock counts only until it passes."""
    if entry.deadline_ms is None or (own_only and not entry.own_turn):
        return False
    return entry.clock_known or entry.deadline_ms > now_ms


# The deadline of a finished game was at most this long after its end.
_CANCELLED_FOR_MS = 366 * DAY_MS
_EPOCH_2020_S = 1_577_836_800  # sequence numbers have 31 bits, which seconds since 1970 would exceed in 2038


def _summary(entry: Entry) -> str:
    action = "move or refill" if entry.bank_ms else "move"
    who = "" if entry.own_turn else f"{('White', 'Black')[entry.to_move]} must "
    return f"{entry.name}: {who}{action}"


def _description(entry: Entry, deadline_ms: int) -> str:
    bank = f", {words_text(entry.bank_ms)} in the bank" if entry.bank_ms else ""
    earliest = "" if entry.clock_known else ", at the earliest,"
    return (
        f"{entry.white} - {entry.black}, {entry.control}, move {entry.move}{bank}."
        f" Time runs out{earliest} {instant_text(deadline_ms)} if nothing is done."
    )
