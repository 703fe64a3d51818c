"""Converts durations, which are whole milliseconds, from and to text. A day always has 86,400 s."""

from __future__ import annotations

import re

from ..common.errors import ClockError
from ..common.text import shown

SECOND_MS = 1000
MINUTE_MS = 60 * SECOND_MS
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS

_UNITS = {"d": DAY_MS, "h": HOUR_MS, "m": MINUTE_MS, "s": SECOND_MS, "ms": 1}
_NUMBER = r"(?:\d+\.?\d*|\.\d+)"
_DAYS = re.compile(_NUMBER, re.ASCII)
_COMBINED = re.compile("".join(rf"(?:({_NUMBER}){unit})?" for unit in _UNITS), re.ASCII | re.IGNORECASE)
_BLANK = re.compile(r"(?<=[0-9]) +(?=[dhmsDHMS])|(?<=[dhmsDHMS]) +(?=[0-9])")  # the servers of the ICCF write 41 d 6 h
# No game lasts a million days, and Python's calendar ends before three million.
LONGEST_MS = 1_000_000 * DAY_MS


def parse_duration(text: str, what: str = "a duration") -> int:
    """Parse ``41.25`` (days), ``41d6h`` or ``41 d 6 h`` into ms. The units are d, h, m, s and ms, in this order.

    Halves of a ms are rounded up. Raises ClockError, whose message calls the duration ``what``.
    """
    given, text = text, _BLANK.sub("", text)
    if _DAYS.fullmatch(text):
        found = _scaled(text, DAY_MS)
    elif text and (parts := _COMBINED.fullmatch(text)):
        found = sum(
            _scaled(number, unit) for number, unit in zip(parts.groups(), _UNITS.values(), strict=True) if number
        )
    else:
        raise ClockError(f"expected {what} such as 41.25 (days) or 41d6h, found {shown(given)}")
    if found > LONGEST_MS:
        raise ClockError(f"expected {what} of a million days at most, found {shown(given)}")
    return found


def _scaled(number: str, unit_ms: int) -> int:
    """Return the number times the unit, computed without floats, so that 0.1 day is exactly 8,640,000 ms."""
    whole, _, part = number.partition(".")
    # Fifteen digits are enough for any duration in milliseconds. int() refuses thousands of digits.
    whole = whole.lstrip("0")[:15]
    part = part[:12]
    scale: int = 10 ** len(part)
    return (int(whole + part or "0") * unit_ms * 2 + scale) // (2 * scale)


def duration_text(ms: int) -> str:
    """Write the exact duration in the form of ``parse_duration``: ``41d6h``, ``0d`` for 0, ``-2h`` for a debt."""
    if ms < 0:
        return f"-{duration_text(-ms)}"
    text = ""
    rest = ms
    for unit, size in (("d", DAY_MS), ("h", HOUR_MS), ("m", MINUTE_MS)):
        count, rest = divmod(rest, size)
        if count:
            text += f"{count}{unit}"
    if rest:
        seconds = f"{rest // SECOND_MS}.{rest % SECOND_MS:03d}".rstrip("0").rstrip(".")
        text += f"{seconds}s"
    return text or "0d"


def bare_text(ms: int) -> str:
    """Like ``duration_text``, but write whole days as a bare number: ``50``."""
    return str(ms // DAY_MS) if ms % DAY_MS == 0 else duration_text(ms)


def words_text(ms: int) -> str:
    """Write the duration as servers do, ``74 d 17 h 30 m``: rounded down to minutes, or to seconds below a minute."""
    if ms < 0:
        return f"-{words_text(-ms)}"
    if 0 < ms < MINUTE_MS:
        return f"{ms // SECOND_MS} s"
    parts, rest = [], ms
    for unit, size in (("d", DAY_MS), ("h", HOUR_MS), ("m", MINUTE_MS)):
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts) or "0 d"


def days(ms: int) -> int | float:
    """Return the number of days for JSON, as an int if possible."""
    return ms // DAY_MS if ms % DAY_MS == 0 else ms / DAY_MS
