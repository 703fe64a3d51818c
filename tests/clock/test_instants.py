"""Dates and instants as text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from standstill.engine.clock.instants import FIRST_MS, LAST_MS, instants_in, is_date, parse_instant
from standstill.engine.clock.organiser import parse_date
from standstill.engine.common.errors import ClockError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@given(st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1)), st.integers(-14 * 60, 14 * 60))
def test_instants_with_an_offset_are_those_of_the_standard_library(moment: datetime, offset: int) -> None:
    moment = moment.replace(microsecond=0, tzinfo=timezone(timedelta(minutes=offset)))
    assert parse_instant(moment.isoformat()) == 1000 * round(moment.timestamp())


@given(st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1)))
def test_z_is_universal_time_whatever_the_zone(moment: datetime) -> None:
    moment = moment.replace(microsecond=0)
    found = parse_instant(f"{moment.isoformat()}Z", timezone(timedelta(hours=5)))
    assert found == 1000 * round(moment.replace(tzinfo=UTC).timestamp())


@pytest.mark.parametrize("form", ["{0:%Y.%m.%d}", "{0.day}.{0.month}.{0.year}", "{0:%d. %m. %Y}", "{0:%d %b %Y}",
                                  "{0.day} {0:%B}, {0.year}", "{0:%a, %d %b %Y}", "{0:%d. %b. %Y}"])  # fmt: skip
@given(moment=st.datetimes(datetime(1000, 1, 1), datetime(2100, 1, 1)))
def test_dates_as_they_are_written_in_europe(form: str, moment: datetime) -> None:
    """The tests run in the locale C, in which strftime writes English names."""
    day, zone = moment.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=UTC), timezone(timedelta(hours=-5))
    text = form.format(moment)
    assert is_date(text) and parse_instant(text) == (day - _EPOCH) // timedelta(milliseconds=1)
    assert parse_date(text) == day.date()
    exact = day.replace(hour=moment.hour, minute=moment.minute, tzinfo=zone)
    for separator in (" ", ", ", ","):
        found = f"{text}{separator}{moment:%H:%M}"
        assert parse_instant(found, zone) == parse_instant(f"{found}-05:00") == 1000 * round(exact.timestamp())


@pytest.mark.parametrize("between", [" ", " - ", "-", "..", " ... ", " \u2013 ", "\u2013", " to ", ", "])
@pytest.mark.parametrize("form", ["{0:%Y-%m-%d}", "{0:%d.%m.%Y}", "{0:%d %B %Y}", "{0:%Y-%m-%dT%H:%M}+01:00"])
def test_ranges_of_dates(form: str, between: str) -> None:
    words = [form.format(datetime(2026, 12, 20, 9) + timedelta(days=days)) for days in (0, 7, 22, 400)]
    assert instants_in(between.join(words)) == words


@pytest.mark.parametrize(
    "text",
    ["20.12.26", "12/20/2026", "20 Dec", "20 Dez 2026", "20 Decem. ber 2026", "2026-12", "next week", "120.12.2026"],
)
def test_what_is_no_date(text: str) -> None:
    with pytest.raises(ClockError, match="expected dates such as"):
        instants_in(f"2026-12-01 {text}")
    with pytest.raises(ClockError, match="expected"):
        parse_instant(text)


def test_the_first_and_last_instant_exist_in_every_time_zone() -> None:
    """No zone is a day from UTC. Only the days at both ends of Python's calendar are left out."""
    for end, zone_hours, days in ((FIRST_MS, -23.99, -3), (LAST_MS, 23.99, 3)):
        instant = _EPOCH + timedelta(milliseconds=end)
        instant.astimezone(timezone(timedelta(hours=zone_hours)))
        with pytest.raises(OverflowError):
            instant + timedelta(days=days)
        assert parse_instant(instant.isoformat()) == end
