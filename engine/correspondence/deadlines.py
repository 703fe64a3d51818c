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

_REMIND_DAYS = (7, 3, 1)


def calendar(
    entries: list[Entry], now_ms: int, own_only: bool = True, forgotten: Iterable[tuple[str, str]] = ()
) -> bytes:
    """Return an iCalendar file with an event at each deadline. ``own_only``: only deadlines of the owner's clocks.

    A game always keeps its UID, so that a calendar that reads the next file moves the old event. A deadline that no
    longer applies becomes a cancelled event, because calendars keep an event that is merely missing from the file.
    forgotten: (uid, name) of removed games. Raises StandstillError if icalendar is not installed.
    """
    try:
        from icalendar import Alarm, Calendar, Event
    except ImportError:
        raise StandstillError(f"the calendar needs icalendar: {install_command('calendar')}") from None
    found = Calendar()
    found.add("prodid", "-//Standstill//correspondence games//EN")
    found.add("version", "2.0")
    found.add("method", "PUBLISH")

    def new_event(uid: str, at_ms: int) -> Event:
        # RFC 5545, 3.6.1, allows an event without an end, but not one that ends at its start.
        event = Event()
        event.add("uid", uid)
        event.add("dtstamp", to_datetime(now_ms))
        event.add("dtstart", to_datetime(at_ms // 1000 * 1000))
        # The higher number makes a later file for the same game take precedence.
        event.add("sequence", max(0, now_ms // 1000 - _EPOCH_2020_S))
        event.add("transp", "TRANSPARENT")
        return event

    def cancelled(uid: str, name: str) -> None:
        event = new_event(uid, now_ms)
        event.add("status", "CANCELLED")
        event.add("summary", f"{name}: nothing to do")
        found.add_component(event)

    for entry in entries:
        if entry.deadline_ms is None or not has_event(entry, now_ms, own_only):
            if entry.status != OVER or entry.stamp_ms > now_ms - _CANCELLED_FOR_MS:
                cancelled(entry.uid, entry.name)
            continue
        event = new_event(entry.uid, entry.deadline_ms)
        event.add("status", "CONFIRMED")
        event.add("summary", _summary(entry))
        event.add("description", _description(entry, entry.deadline_ms))
        for days in _REMIND_DAYS:
            alarm = Alarm()
            alarm.add("action", "DISPLAY")
            alarm.add("description", _summary(entry))
            alarm.add("trigger", timedelta(days=-days))
            event.add_component(alarm)
        found.add_component(event)
    for uid, name in forgotten:
        cancelled(uid, name)
    written: bytes = found.to_ical()
    return written


def has_event(entry: Entry, now_ms: int, own_only: bool) -> bool:
    """Return whether the entry belongs in the calendar. A deadline of an unknown clock counts only until it passes."""
    if entry.deadline_ms is None or (own_only and not entry.own_turn):
        return False
    return entry.clock_known or entry.deadline_ms > now_ms


# The deadline of a finished game was at most this long after its end.
_CANCELLED_FOR_MS = 366 * DAY_MS
_EPOCH_2020_S = 1_577_836_800  # sequence numbers have 31 bits, which seconds since 1970 would exceed in 2038


def _summary(entry: Entry) -> str:
    act = "move or refill" if entry.bank_ms else "move"
    who = "" if entry.own_turn else f"{('White', 'Black')[entry.to_move]} must "
    return f"{entry.name}: {who}{act}"


def _description(entry: Entry, deadline_ms: int) -> str:
    bank = f", {words_text(entry.bank_ms)} in the bank" if entry.bank_ms else ""
    earliest = "" if entry.clock_known else ", at the earliest,"
    return (
        f"{entry.white} - {entry.black}, {entry.control}, move {entry.move}{bank}."
        f" Time runs out{earliest} {instant_text(deadline_ms)} if nothing is done."
    )
