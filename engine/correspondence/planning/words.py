"""Reads absences, describes the necessary actions and reminders in words, and delivers reminders."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta, tzinfo

from ...clock.instants import instant_text, is_date, parse_instant, to_datetime, to_ms
from ...clock.units import MINUTE_MS, words_text
from ...common.text import plural
from .absence import MOVE, REFILL, Absence, Action
from .reminders import Reminder


def read_absence(first: str, last: str, where: tzinfo | None) -> Absence:
    """Return the absence between two instants. A date alone as the end includes that day. Raises ClockError."""
    end_ms = parse_instant(last, where)
    if is_date(last):
        # The zone's offset is computed for midnight, because daylight saving may begin or end on that day.
        end_ms = to_ms((to_datetime(end_ms, where) + timedelta(hours=36)).replace(hour=0, tzinfo=where))
    return Absence(parse_instant(first, where), end_ms)


def action_text(action: Action, absences: Sequence[Absence], where: tzinfo | None) -> str:
    """Return one line that says what to do, by when, and what happens otherwise."""
    by, flag, until = (instant_text(ms, where) for ms in (action.by_ms, action.flag_ms, action.until_ms))
    unsure = "" if action.known else " (the clock or bank is unknown: this uses its lower limit)"
    if action.kind == REFILL:
        text = f"{action.game}: refill by {by}, {words_text(action.least_ms)} or more"
        if action.after_ms < action.by_ms and action.least_ms < action.most_ms:
            text += f" (the clock has room for it from {instant_text(action.after_ms, where)})"
        return f"{text}; otherwise time runs out {flag}; {words_text(action.most_ms)} last until {until}{unsure}"
    if action.kind == MOVE:
        ends = instant_text(absences[action.absence].to_ms, where)
        text = f"{action.game}: move by {by}, because no refill reaches {ends}"
        more = f"; if the opponent replies at once, your time lasts until {until}" if action.least_ms else ""
        return f"{text}{more}{unsure}"
    return f"{action.game}: if the opponent moves when the absence begins, your time runs out {flag}{unsure}"


def reminder_text(reminder: Reminder, now_ms: int, where: tzinfo | None) -> str:
    """Return one line that says what to do by when."""
    entry = reminder.entry
    refill = f", or refill ({words_text(entry.bank_ms)} in the bank)" if entry.bank_ms else ""
    left = words_text(max(0, (entry.left_ms or 0) // MINUTE_MS * MINUTE_MS))
    unsure = "" if entry.clock_known else " at the earliest"
    deadline = instant_text(reminder.deadline_ms, where)
    return f"{entry.name}: move{refill} by {deadline}{unsure}, in {left}"


def deliver(lines: Sequence[str], address: str | None, desktop: bool) -> None:
    """Send reminders to a mail address, and show them on the desktop. Raises MailError or NotifyError."""
    title = f"{len(lines)} {plural(len(lines), 'game')} with a deadline"
    if address is not None:
        from .mail import send_mail

        send_mail(address, title, "\n".join(lines) + "\n")
    if desktop:
        from .desktop import notify

        notify(title, "\n".join(lines))
