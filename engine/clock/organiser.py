"""Computes the terms, the end and the notice to the players of an event from its start and length."""

from __future__ import annotations

import re
from datetime import date, timedelta

from ..common.errors import ClockError
from ..common.text import shown
from .instants import is_date, parse_instant, to_datetime
from .triple_block import TripleBlock, duration_days, parse_terms
from .units import bare_text, days

# A line ends where a sentence or clause does, because narrow pages break lines again.
NOTICES = {
    "en": """\
Time control: Triple Block {text}, {length} days in all{aside}.
The event starts on {start}, when White's clock begins to run at 00:00 server time{ending}.
Each player begins with {clock} on the clock and {bank} in the bank. Each of your first 50 moves adds {increment}.
The clock never shows more than 50 days; the excess goes to the bank.
After each of your moves the clock is refilled from the bank.
While it is your move you can also refill the clock from the bank yourself, as often as you like.
When your clock reaches zero you lose the game, even with time in the bank: move or refill within 50 days.
The event has no leave, no free first day and no doubling. From move 51 on no time is added{rescue}.""",
    "pl": """\
Tempo gry: Triple Block {text}, łącznie {length} dni{aside}.
Turniej rozpoczyna się {start}; o godz. 00:00 czasu serwera rusza zegar białych{ending}.
Na początku każdy zawodnik ma {clock} na zegarze i {bank} w banku.
Za każde z pierwszych 50 własnych posunięć dolicza się {increment}.
Zegar nigdy nie pokazuje więcej niż 50 dni; nadwyżka trafia do banku.
Po każdym własnym posunięciu zegar jest uzupełniany z banku.
W trakcie namysłu można samemu uzupełnić zegar z banku, dowolną liczbę razy.
Gdy zegar dojdzie do zera, partia jest przegrana, nawet jeśli w banku jest czas:
w ciągu każdych 50 dni trzeba wykonać posunięcie albo uzupełnić zegar.
Nie ma urlopów, wolnego pierwszego dnia ani podwajania czasu. Od 51. posunięcia czasu się nie dolicza{rescue}.""",
}
# The parts of the notice that depend on sudden-death protection: (text without it, text with it).
_ASIDES = {"en": ("", " without protection"), "pl": ("", " bez ochrony")}
_ENDINGS = {
    "en": (", and cannot last beyond {end}", ". Protection allows longer games"),
    "pl": ("; turniej kończy się najpóźniej {end}", ". Ochrona dopuszcza dłuższe partie"),
}
_RESCUES = {
    "en": ("", ", but after each of these moves you have at least 3 days"),
    "pl": ("", ", ale po każdym takim posunięciu zostają co najmniej 3 dni"),
}

# The ICCF's requirements for rated play, for comparison; the second is the older rule of its server.
RATED = """\
shortest for rated play: Triple Block of 300 days; by server 50 moves in 150 days, by post 10 moves in 20 days
50 moves in 150 days can last 490 days: 2 x 150 of thought, 2 x 50 free first days, 2 x 45 of leave"""


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


def parse_length(text: str) -> TripleBlock:
    """Return the terms of an event of ``600`` or ``600:p`` days, rounded down to a table row. Raises ClockError."""
    if not re.fullmatch(r"\d{1,6}(:[pr]+)*", text, re.ASCII):
        raise ClockError(f"expected a number of days such as 600 or 600:p, found {shown(text)}")
    return parse_terms(f"D{text}")


def event(text: str, start: date | None, language: str = "en") -> dict[str, object]:
    """Return the table row for an event, with end and notice if ``start`` is given.

    text: the length, as ``parse_length`` reads it. language: the language of the notice, a key of NOTICES.
    """
    terms = parse_length(text)
    found = row(terms) | {"asked_days": int(text.partition(":")[0])}
    if start is not None:
        try:
            end = start + timedelta(days=int(duration_days(terms)))
        except OverflowError:
            raise ClockError("the event would end after the year 9999") from None
        # With sudden-death protection a game can continue as long as both sides move in time.
        last = None if terms.protection else end.isoformat()
        found |= {"start": start.isoformat(), "end": last, "notice": notice(terms, start, end, language)}
    return found


def notice(terms: TripleBlock, start: date, end: date, language: str = "en") -> str:
    """Return the notice to the players, in a language of NOTICES."""
    protected = int(terms.protection)
    return NOTICES[language].format(
        text=terms.text,
        length=duration_days(terms),
        aside=_ASIDES[language][protected],
        start=start.isoformat(),
        ending=_ENDINGS[language][protected].format(end=end.isoformat()),
        rescue=_RESCUES[language][protected],
        clock=_days(terms.initial_ms, language),
        bank=_days(terms.bank_ms, language),
        increment=_days(terms.increment_ms, language),
    )


def _days(ms: int, language: str) -> str:
    text = bare_text(ms)
    one, many = _WORDS[language]
    return f"{text} {one if text == '1' else many}"


_WORDS = {"en": ("day", "days"), "pl": ("dzień", "dni")}


def parse_date(text: str) -> date:
    """Parse a date in one of the forms of ``parse_instant``. Raises ClockError for any other text."""
    if not is_date(text):
        raise ClockError(f"expected a date such as 2026-03-02, found {shown(text)}")
    return to_datetime(parse_instant(text)).date()
