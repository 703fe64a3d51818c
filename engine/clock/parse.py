"""Reads time controls from text."""

from __future__ import annotations

import re

from ..common.errors import ClockError
from ..common.text import shown
from .control import Control, Fischer, PerMove, Sessions
from .triple_block import parse_terms
from .units import parse_duration


def parse_control(text: str) -> Control:
    """Parse a control such as ``50/75/1``, ``D350``, ``10/50``, ``10+3`` or ``5/move``.

    Raises ClockError.
    """
    base, plus, increment = text.partition("+")
    if plus:
        return Fischer(_positive(base, "the base time"), parse_duration(increment, "the increment"))
    parts = text.split("/")
    if len(parts) == 3 or text[:1] in ("D", "d"):
        return parse_terms(text)
    if len(parts) == 2 and parts[1] == "move":
        return PerMove(_positive(parts[0], "the time for a move"))
    if len(parts) == 2 and re.fullmatch(r"0*[1-9]\d{0,3}", parts[0], re.ASCII):
        return Sessions(int(parts[0]), _positive(parts[1], "the time of a session"))
    raise ClockError(
        "expected a clock such as 50/75/1 (Triple Block), D350, 10/50 (moves in days), 10+3 (days and increment)"
        f" or 5/move, found {shown(text)}"
    )


def _positive(text: str, what: str) -> int:
    found = parse_duration(text, what)
    if not found:
        raise ClockError(f"expected {what} to be more than 0, found {shown(text)}")
    return found
