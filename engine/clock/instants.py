"""Instants as whole milliseconds since 1970 in UTC; to and from what people and servers write."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta, tzinfo

from ..errors import ClockError
from ..notation import shown
from .units import MINUTE_MS

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)
_FORM = re.compile(
    r"(\d{4})[-.](\d{1,2})[-.](\d{1,2})"
    r"(?:[T, ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?",
    re.ASCII,
)


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def find_zone(name: str | None) -> tzinfo | None:
    """The time zone of that name; None is the system's own. Raises ClockError for an unknown one."""
    if name is None:
        return None
    if name.upper() in ("UTC", "Z"):
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ClockError(f"expected a time zone such as UTC or Europe/Warsaw, found {shown(name)}") from None


def parse_instant(text: str, zone: tzinfo | None = UTC) -> int:
    """``2026-03-02``, ``2026-03-02T10:00``, ``2026.03.02,10:00:30``; with Z or +01:00 behind it, else in ``zone``.

    A date alone is its first moment. Raises ClockError.
    """
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise ClockError(f"expected an instant such as 2026-03-02T10:00Z, found {shown(text)}")
    *numbers, part, offset = found.groups()
    micro = int((part or "").ljust(6, "0"))
    try:
        moment = datetime(*(int(number or 0) for number in numbers), micro, tzinfo=_offset(offset) or zone)
        return to_ms(moment)
    except (ValueError, OverflowError):
        raise ClockError(f"expected a date and time that exist, found {shown(text)}") from None


def _offset(text: str | None) -> tzinfo | None:
    if text is None:
        return None
    return UTC if text == "Z" else datetime.strptime(text, "%z").tzinfo


def to_ms(moment: datetime) -> int:
    """A moment without a zone is local time."""
    return (moment.astimezone(UTC) - _EPOCH) // _MS


def to_datetime(ms: int, zone: tzinfo | None = UTC) -> datetime:
    """In ``zone``, None the system's own. Raises ClockError beyond the calendar."""
    try:
        return (_EPOCH + timedelta(milliseconds=ms)).astimezone(zone)
    except (OverflowError, ValueError):
        raise ClockError("an instant beyond the calendar's end in the year 9999") from None


def instant_text(ms: int, zone: tzinfo | None = UTC) -> str:
    """To the minute, rounded down: ``2026-03-02T10:00Z``, or with the zone's offset."""
    text = to_datetime(ms, zone).isoformat(timespec="minutes")
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


def last_minute_before(ms: int) -> int:
    """The last full minute that is still before the instant."""
    return (ms - 1) // MINUTE_MS * MINUTE_MS
