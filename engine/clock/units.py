"""Days, hours, minutes and seconds as whole milliseconds. A day is 86,400 s, whatever happens to local time."""

from __future__ import annotations

import re

from ..errors import ClockError
from ..notation import shown

SECOND_MS = 1000
MINUTE_MS = 60 * SECOND_MS
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS

_UNITS = {"d": DAY_MS, "h": HOUR_MS, "m": MINUTE_MS, "s": SECOND_MS}
_NUMBER = r"(?:\d+\.?\d*|\.\d+)"
_DAYS = re.compile(_NUMBER, re.ASCII)
_COMBINED = re.compile("".join(rf"(?:({_NUMBER}){unit})?" for unit in _UNITS), re.ASCII | re.IGNORECASE)
# No game lasts a million days, and Python's calendar ends before three.
LONGEST_MS = 1_000_000 * DAY_MS


def parse_duration(text: str, what: str = "a duration") -> int:
    """Milliseconds of ``41.25`` (days) or ``41d6h``: any of d, h, m, s, in this order; halves are rounded up.

    Raises ClockError, which calls it ``what``.
    """
    if _DAYS.fullmatch(text):
        found = _scaled(text, DAY_MS)
    elif text and (parts := _COMBINED.fullmatch(text)):
        found = sum(
            _scaled(number, unit) for number, unit in zip(parts.groups(), _UNITS.values(), strict=True) if number
        )
    else:
        raise ClockError(f"expected {what} such as 41.25 (days) or 41d6h, found {shown(text)}")
    if found > LONGEST_MS:
        raise ClockError(f"expected {what} of a million days at most, found {shown(text)}")
    return found


def _scaled(number: str, unit_ms: int) -> int:
    """Without floats: 0.1 day is 8,640,000 ms and nothing else."""
    whole, _, part = number.partition(".")
    # Ten digits say all there is to say about a day in milliseconds; int() refuses thousands of them.
    whole = whole.lstrip("0")[:10]
    part = part[:12]
    scale = 10 ** len(part)
    return (int(whole + part or "0") * unit_ms * 2 + scale) // (2 * scale)


def duration_text(ms: int) -> str:
    """Exact, and read again by ``parse_duration``: ``41d6h``, ``0d`` for nothing."""
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
    """As ``duration_text``, but whole days stand as a bare number: ``50``."""
    return str(ms // DAY_MS) if ms % DAY_MS == 0 else duration_text(ms)


def days_text(ms: int) -> str:
    """Decimal days for people: ``41.25d``; six places, which is a tenth of a second."""
    sign = "-" if ms < 0 else ""
    millionths = (abs(ms) * 1_000_000 * 2 + DAY_MS) // (2 * DAY_MS)
    return f"{sign}{millionths // 1_000_000}.{millionths % 1_000_000:06d}".rstrip("0").rstrip(".") + "d"


def days(ms: int) -> int | float:
    """Days for JSON: a whole number where it is one."""
    return ms // DAY_MS if ms % DAY_MS == 0 else ms / DAY_MS
