"""Reads absences, and writes the acts that they need in words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta, tzinfo

from ...clock.instants import instant_text, is_date, parse_instant, to_datetime, to_ms
from ...clock.units import words_text
from .absence import MOVE, REFILL, Absence, Act


def read_absence(first: str, last: str, where: tzinfo | None) -> Absence:
    """Return the absence between two instants. A date alone as the end includes that day. Raises ClockError."""
    end_ms = parse_instant(last, where)
    if is_date(last):
        end_ms = to_ms((to_datetime(end_ms, where) + timedelta(hours=36)).replace(hour=0))
    return Absence(parse_instant(first, where), end_ms)


def act_text(act: Act, absences: Sequence[Absence], where: tzinfo | None) -> str:
    """Return one line that says what to do, by when, and what happens otherwise."""
    by, flag, until = (instant_text(ms, where) for ms in (act.by_ms, act.flag_ms, act.until_ms))
    unsure = "" if act.known else " (by the lower limits of a clock or bank that is not known)"
    if act.kind == REFILL:
        text = f"{act.game}: refill by {by}, {words_text(act.least_ms)} or more"
        if act.after_ms < act.by_ms and act.least_ms < act.most_ms:
            text += f" (the clock has room for it from {instant_text(act.after_ms, where)})"
        return f"{text}; otherwise time runs out {flag}; {words_text(act.most_ms)} last until {until}{unsure}"
    if act.kind == MOVE:
        text = f"{act.game}: move by {by}, because no refill reaches {instant_text(absences[act.absence].to_ms, where)}"
        more = f"; after an answer at once you have until {until}" if act.least_ms else ""
        return f"{text}{more}{unsure}"
    return f"{act.game}: if the opponent moves as the absence begins, your time runs out {flag}{unsure}"
