"""Computes the terms, the end and the notice to the players of an event from its start and length."""

from __future__ import annotations

from datetime import date, timedelta

from ..common.errors import ClockError
from ..common.text import shown
from .triple_block import TripleBlock, duration_days, from_duration
from .units import bare_text, days

NOTICE = """\
Time control: Triple Block {text}, {length} days in all.
The event starts on {start}, when White's clock begins to run at 00:00 server time, and cannot last beyond {end}.
Each player begins with {clock} on the clock and {bank} in the bank. Each of the first 50 own moves adds {increment}.
The clock never shows more than 50 days; the excess goes to the bank. After each own move the clock is filled up
from the bank. During a move you can refill the clock from the bank yourself, as often as you like.
When your clock reaches zero you lose the game, even with time in the bank: move or refill within 50 days.
The event has no leave, no free first day and no doubling. From move 51 on no time is added."""


def row(terms: TripleBlock) -> dict[str, object]:
    """Return the terms as one row of the table, in days."""
    length = duration_days(terms)
    return {
        "days": length,
        "clock": days(terms.initial_ms),
        "bank": days(terms.bank_ms),
        "increment": days(terms.increment_ms),
        "per_player": days(terms.initial_ms + terms.bank_ms + 50 * terms.increment_ms),
        "terms": terms.text,
    }


def event(length: int, start: date | None) -> dict[str, object]:
    """Return the table row for an event of at most ``length`` days; with ``start``, also the end and the notice."""
    terms = from_duration(length)
    found = row(terms) | {"asked_days": length}
    if start is not None:
        try:
            end = start + timedelta(days=int(duration_days(terms)))
        except OverflowError:
            raise ClockError("the event would end after the year 9999") from None
        found |= {"start": start.isoformat(), "end": end.isoformat(), "notice": notice(terms, start, end)}
    return found


def notice(terms: TripleBlock, start: date, end: date) -> str:
    """Return the notice to the players."""
    return NOTICE.format(
        text=terms.text,
        length=duration_days(terms),
        start=start.isoformat(),
        end=end.isoformat(),
        clock=_days(terms.initial_ms),
        bank=_days(terms.bank_ms),
        increment=_days(terms.increment_ms),
    )


def _days(ms: int) -> str:
    text = bare_text(ms)
    return f"{text} day" if text == "1" else f"{text} days"


def parse_date(text: str) -> date:
    """Parse a date such as ``2026-03-02`` or ``2026.03.02``. Raises ClockError for any other text."""
    try:
        return date.fromisoformat(text.replace(".", "-"))
    except ValueError:
        raise ClockError(f"expected a date such as 2026-03-02, found {shown(text)}") from None
