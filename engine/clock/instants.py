"""Converts instants, which are whole milliseconds since 1970 in UTC, from and to text."""

from __future__ import annotations

import re
import time
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta, tzinfo

from ..common.errors import ClockError
from ..common.text import shown
from .units import MINUTE_MS

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)
# These instants exist in every time zone.
FIRST_MS = (datetime(1, 1, 3, tzinfo=UTC) - _EPOCH) // _MS
LAST_MS = (datetime(9999, 12, 29, tzinfo=UTC) - _EPOCH) // _MS
_FORM = re.compile(
    r"(\d{4})[-.](\d{1,2})[-.](\d{1,2})"
    r"(?:[T, ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?",
    re.ASCII,
)


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def find_zone(name: str | None) -> tzinfo | None:
    """Return the time zone of that name; None means the system's zone. Raises ClockError for an unknown name."""
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
    """Parse ``2026-03-02``, ``2026-03-02T10:00`` or ``2026.03.02,10:00:30``, with ``Z``, ``+01:00`` or in ``zone``.

    A date alone means the first moment of that day. Raises ClockError.
    """
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise ClockError(f"expected an instant such as 2026-03-02T10:00Z, found {shown(text)}")
    *numbers, part, offset = found.groups()
    micro = int((part or "").ljust(6, "0"))
    try:
        year, month, day, hour, minute, second = (int(number or 0) for number in numbers)
        moment = datetime(year, month, day, hour, minute, second, micro, tzinfo=_offset(offset) or zone)
        found_ms = to_ms(moment)
    except (ValueError, OverflowError):
        raise ClockError(f"expected a date and time that exist, found {shown(text)}") from None
    # A date alone means its first moment, even if the clocks change that night.
    if offset is None and numbers[3] is not None:
        _check_local(text, moment, found_ms)
    return found_ms


def is_date(text: str) -> bool:
    """Return whether the text is a date without the time of day."""
    found = _FORM.fullmatch(text.strip())
    return found is not None and found[4] is None


def written_date(text: str) -> str:
    """Return the date in the text of an instant, in PGN's form ``2026.03.02``. It may differ from the date in UTC.

    text: valid for ``parse_instant``.
    """
    found = _FORM.fullmatch(text.strip())
    assert found is not None
    year, month, day = (int(number) for number in found.groups()[:3])
    return f"{year:04}.{month:02}.{day:02}"


def _check_local(text: str, moment: datetime, found_ms: int) -> None:
    """Raise ClockError for a local time that daylight saving skips or repeats."""
    other_ms = to_ms(moment.replace(fold=1))
    if other_ms == found_ms:
        return
    if to_datetime(found_ms, moment.tzinfo).replace(tzinfo=None) != moment.replace(tzinfo=None):
        raise ClockError(f"expected a local time that exists: the clocks go forward over {shown(text)}")
    both = " or ".join(to_datetime(ms, moment.tzinfo).isoformat(timespec="minutes") for ms in (found_ms, other_ms))
    raise ClockError(f"expected a local time that occurs once: {shown(text)} may mean {both}")


def _offset(text: str | None) -> tzinfo | None:
    if text is None:
        return None
    return UTC if text == "Z" else datetime.strptime(text, "%z").tzinfo


def to_ms(moment: datetime) -> int:
    """Return the instant of a datetime. A datetime without a zone is local time."""
    return (moment.astimezone(UTC) - _EPOCH) // _MS


def to_datetime(ms: int, zone: tzinfo | None = UTC) -> datetime:
    """Return the datetime of an instant in ``zone``, or in the system's zone for None. Raises ClockError after 9999."""
    try:
        return (_EPOCH + timedelta(milliseconds=ms)).astimezone(zone)
    except (OverflowError, ValueError):
        raise ClockError("an instant beyond the calendar's end in the year 9999") from None


def instant_text(ms: int, zone: tzinfo | None = UTC) -> str:
    """Write the instant, rounded down to the minute, as ``2026-03-02T10:00Z`` or with the zone's offset."""
    text = to_datetime(ms, zone).isoformat(timespec="minutes")
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


_message_zone: ContextVar[tzinfo | None] = ContextVar("message_zone", default=UTC)


def set_message_zone(zone: tzinfo | None) -> None:
    """Set the time zone of instants in messages; None means the system's zone. The default is UTC."""
    _message_zone.set(zone)


def message_instant(ms: int) -> str:
    """Write the instant for a message: like ``instant_text``, in the zone that ``set_message_zone`` has set."""
    return instant_text(ms, _message_zone.get())


def exact_instant(ms: int) -> str:
    """Write the instant to the second, or to the millisecond if its milliseconds are not 0."""
    return to_datetime(ms).isoformat(timespec="milliseconds" if ms % 1000 else "seconds").removesuffix("+00:00") + "Z"


def last_minute_before(ms: int) -> int:
    """Return the instant less a minute, rounded down to the minute.

    An action within this minute, as servers display it, is in time.
    """
    return (ms - MINUTE_MS) // MINUTE_MS * MINUTE_MS
