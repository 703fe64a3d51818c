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
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_BEGINNINGS = "|".join(name[:3] for name in _MONTHS)
# The date is 2026-12-20, 20.12.2026 or 20 Dec 2026, also as `Sun, 20 Dec 2026`, which the desk shows. A date with
# slashes may begin with the day or the month, so it is not read.
_FORM = re.compile(
    r"(?:(?P<y>\d{4})[-.](?P<m>\d{1,2})[-.](?P<d>\d{1,2})|(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\. ?(?P<year>\d{4})"
    r"|(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +)?"
    rf"(?P<on>\d{{1,2}})\.? +(?P<name>(?:{_BEGINNINGS})[a-z]*)\.?,? +(?P<of>\d{{4}}))"
    r"(?:(?:T|,? +|,)(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.(?P<part>\d{1,6}))?)?)?"
    r"(?: *(?P<zone>Z|[+-]\d{2}:\d{2}|[+-]\d{4}(?!\d|[.-]\d)))?",
    re.ASCII | re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:\.\.+|[-\u2013\u2014,;]|to|until|and)?\s*", re.IGNORECASE)


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
    """Parse ``2026-03-02``, ``2026-03-02T10:00``, ``2026.03.02,10:00:30``, ``2.3.2026`` or ``2 Mar 2026 10:00``.

    The text may end with ``Z`` or ``+01:00``; otherwise it is in ``zone``. A date alone means the first moment of that
    day. Raises ClockError.
    """
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise ClockError(f"expected an instant such as 2026-03-02T10:00Z or 2 Mar 2026, found {shown(text)}")
    micro = int((found["part"] or "").ljust(6, "0"))
    offset = found["zone"]
    try:
        hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
        moment = datetime(*_date(found), hour, minute, second, micro, tzinfo=_offset(offset) or zone)
        found_ms = to_ms(moment)
    except (ValueError, OverflowError):
        raise ClockError(f"expected a date and time that exist, found {shown(text)}") from None
    # A date alone means its first moment, even if the clocks change that night.
    if offset is None and found["hour"] is not None:
        _check_local(text, moment, found_ms)
    return found_ms


def is_date(text: str) -> bool:
    """Return whether the text is a date without the time of day."""
    found = _FORM.fullmatch(text.strip())
    return found is not None and found["hour"] is None


def instants_in(text: str) -> list[str]:
    """Return the dates and times in a text such as ``20 Dec 2026 - 10 Jan 2027``. Raises ClockError for other words."""
    found, end = [], 0
    for each in _FORM.finditer(text):
        if not _BETWEEN.fullmatch(text[end : each.start()]):
            break
        found.append(each[0])
        end = each.end()
    rest = text[end:].strip()
    if rest:
        raise ClockError(f"expected dates such as 2026-12-20, 20.12.2026 or 20 Dec 2026, found {shown(rest)}")
    return found


def _date(found: re.Match[str]) -> tuple[int, int, int]:
    """Return year, month and day of a match. Raises ValueError for a month that does not exist."""
    if found["y"]:
        return int(found["y"]), int(found["m"]), int(found["d"])
    if found["year"]:
        return int(found["year"]), int(found["month"]), int(found["day"])
    named = [month.startswith(found["name"].lower()) for month in _MONTHS]
    return int(found["of"]), named.index(True) + 1, int(found["on"])


def written_date(text: str) -> str:
    """Return the date in the text of an instant, in PGN's form ``2026.03.02``. It may differ from the date in UTC.

    text: valid for ``parse_instant``.
    """
    found = _FORM.fullmatch(text.strip())
    assert found is not None
    year, month, day = _date(found)
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
    return UTC if text in "Zz" else datetime.strptime(text, "%z").tzinfo


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
