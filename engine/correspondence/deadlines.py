"""Deadlines of running games as an iCalendar file (RFC 5545), for a calendar program to remind of."""

from __future__ import annotations

from datetime import timedelta

from ..clock.instants import instant_text, to_datetime
from ..clock.units import days_text
from ..errors import StandstillError
from .listing import Entry

_REMIND_DAYS = (7, 3, 1)


def calendar(entries: list[Entry], now_ms: int, own_only: bool = True) -> bytes:
    """An event at every running clock's fall. ``own_only``: where it is one's own clock.

    The same game keeps its UID, so that a calendar that reads the next file moves the old event instead of adding one.
    Raises StandstillError if the library for it is not installed.
    """
    try:
        from icalendar import Alarm, Calendar, Event
    except ImportError:
        raise StandstillError("the calendar needs icalendar: pip install 'standstill[calendar]'") from None
    found = Calendar()
    found.add("prodid", "-//Standstill//correspondence games//EN")
    found.add("version", "2.0")
    found.add("method", "PUBLISH")
    for entry in entries:
        if entry.deadline_ms is None or (own_only and not entry.own_turn):
            continue
        event = Event()
        event.add("uid", f"{entry.name}@games.standstill.invalid")
        event.add("dtstamp", to_datetime(now_ms))
        event.add("dtstart", to_datetime(entry.deadline_ms))
        event.add("dtend", to_datetime(entry.deadline_ms))
        # A later file for the same game has to win.
        event.add("sequence", now_ms // 1000 - _EPOCH_2020_S)
        event.add("summary", _summary(entry))
        event.add("description", _description(entry))
        event.add("transp", "TRANSPARENT")
        for days in _REMIND_DAYS:
            alarm = Alarm()
            alarm.add("action", "DISPLAY")
            alarm.add("description", _summary(entry))
            alarm.add("trigger", timedelta(days=-days))
            event.add_component(alarm)
        found.add_component(event)
    return found.to_ical()


_EPOCH_2020_S = 1_577_836_800  # sequence numbers are 31 bits, and seconds since 1970 fill them in 2038


def _summary(entry: Entry) -> str:
    act = "move or refill" if entry.bank_ms else "move"
    who = "" if entry.own_turn else f"{('White', 'Black')[entry.to_move]} must "
    return f"{entry.name}: {who}{act}"


def _description(entry: Entry) -> str:
    bank = f", {days_text(entry.bank_ms)} in the bank" if entry.bank_ms else ""
    return (
        f"{entry.white} - {entry.black}, {entry.control}, move {entry.move}{bank}."
        f" Time runs out {instant_text(entry.deadline_ms)} if nothing is done."
    )
