"""Writes and reads log entries in the comments of a PGN: ``[%log refill 2026-11-20T08:00:00Z ms=20d]``.

Other programs skip commands that they do not support, so the file remains ordinary PGN and contains the whole log.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast
from urllib.parse import quote, unquote

from ..clock import game_clocks as clocks
from ..clock.game_clocks import Event, EventData
from ..clock.instants import exact_instant, parse_instant
from ..clock.units import duration_text, parse_duration
from ..common.errors import ClockError
from ..common.text import shown

_ENTRY = re.compile(r"\[%log\s+([^\]]*)\]")
_SIDES = ("white", "black")
_SIDE, _TIME, _TEXT, _FLAG, _COUNT, _WHAT, _RESULT = range(7)
_KEYS = {
    clocks.START: {"unsure": _WHAT},
    clocks.MOVE: {"unsure": _WHAT, "unsent": _FLAG},
    clocks.REFILL: {"ms": _TIME, "most_ms": _TIME, "assumed": _FLAG, "seen": _FLAG},
    clocks.CLAIM: {"side": _SIDE, "what": _TEXT},
    clocks.DECIDE: {"accepted": _FLAG, "result": _RESULT, "reason": _TEXT},
    clocks.REPLACE: {"side": _SIDE, "name": _TEXT, "refill_ms": _TIME},
    clocks.CORRECT: {
        "side": _SIDE,
        "clock_ms": _TIME,
        "bank_ms": _TIME,
        "moves": _COUNT,
        "clock_unknown": _FLAG,
        "bank_unknown": _FLAG,
        "bank_most_ms": _TIME,
        "both_ms": _TIME,
        "both_most_ms": _TIME,
        "why": _TEXT,
    },
    clocks.END: {"result": _RESULT, "reason": _TEXT},
    clocks.OFFER: {"side": _SIDE},
    clocks.MESSAGE: {"side": _SIDE, "text": _TEXT},
}
_NEEDED = {
    clocks.START: ("unsure",),
    clocks.CLAIM: ("side",),
    clocks.DECIDE: ("accepted",),
    clocks.REPLACE: ("side", "name"),
    clocks.CORRECT: ("side",),
    clocks.OFFER: ("side",),
    clocks.MESSAGE: ("side", "text"),
    clocks.END: ("result",),
}
# The type is Any, because the type of a value depends on its key.
_WRITE: dict[int, Callable[[Any], str]] = {
    _SIDE: lambda value: _SIDES[value],
    _TIME: duration_text,
    _TEXT: lambda value: quote(value, safe=""),
    _FLAG: lambda value: "yes" if value else "no",
    _COUNT: str,
    _WHAT: str,
    _RESULT: lambda value: quote(value, safe=""),
}


def entry_text(event: Event) -> str:
    """Return the command for one event. For a move it contains only the values that the move's stamp lacks."""
    keys = _KEYS[event.kind]
    data: Mapping[str, Any] = event.data
    words = [event.kind, exact_instant(event.at_ms)]
    words += [f"{key}={_WRITE[kind](data[key])}" for key, kind in keys.items() if key in data]
    return f"[%log {' '.join(words)}]"


def read_entries(comment: str) -> tuple[Event, ...]:
    """Return all entries in a comment. Raises ClockError."""
    return tuple(_entry(found[1]) for found in _ENTRY.finditer(comment))


def _entry(text: str) -> Event:
    kind, *words = text.split() or [""]
    if kind not in _KEYS or not words:
        raise ClockError(f"expected an entry such as [%log refill INSTANT], found {shown(text)}")
    data: dict[str, object] = {}
    for word in words[1:]:
        key, _, value = word.partition("=")
        if key not in _KEYS[kind]:
            raise ClockError(f"expected keys of a {kind} entry, found {shown(word)}")
        data[key] = _value(_KEYS[kind][key], value, word)
    for key in _NEEDED.get(kind, ()):
        if key not in data:
            raise ClockError(f"expected {key} in the entry {shown(text)}")
    if kind == clocks.MOVE and not data:
        raise ClockError(f"expected unsure or unsent in the entry {shown(text)}")
    return Event(kind, parse_instant(words[0]), cast("EventData", data))


def _value(kind: int, value: str, word: str) -> object:
    if kind == _TIME:
        return parse_duration(value)
    if kind == _TEXT or (kind == _RESULT and unquote(value) in (*clocks.RESULTS, "*")):
        return unquote(value)
    if kind == _SIDE and value in _SIDES:
        return _SIDES.index(value)
    if kind == _FLAG and value in ("yes", "no"):
        return value == "yes"
    if kind == _WHAT and value in (clocks.AT, clocks.LENGTH):
        return value
    if kind == _COUNT and re.fullmatch(r"\d{1,4}", value, re.ASCII):
        return int(value)
    raise ClockError(f"expected a valid value, found {shown(word)}")
