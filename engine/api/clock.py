"""Clocks of correspondence chess: Triple Block and simpler controls (docs/correspondence.md). Times are in ms.

>>> from standstill import clock
>>> control = clock.parse_control("50/75/1")
>>> side = control.complete(control.opening(), 3 * 86_400_000)
>>> side.clock_ms // 86_400_000, side.bank_ms // 86_400_000
(50, 73)
"""

from __future__ import annotations

from standstill.arguments import as_text
from standstill.engine.clock import parse as _parse
from standstill.engine.clock.control import ClockSide, Control, Fischer, PerMove, Sessions, TimeUp
from standstill.engine.clock.triple_block import TripleBlock
from standstill.engine.common.errors import ClockError

__all__ = [
    "ClockError",
    "ClockSide",
    "Control",
    "Fischer",
    "PerMove",
    "Sessions",
    "TimeUp",
    "TripleBlock",
    "parse_control",
]


def __dir__() -> list[str]:
    return __all__


def parse_control(text: str) -> Control:
    """Parse a time control.

    :param text: ``50/75/1`` or ``D350`` (Triple Block), ``10/50`` (moves in days), ``10+3`` (days and an increment) or
        ``5/move``. Bare numbers are days; other times are written as in ``41d6h``.
    :returns: the control: a ``TripleBlock``, ``Sessions``, ``Fischer`` or ``PerMove``.
    :raises ClockError: for an unreadable text.
    :raises ArgumentError: for anything but a text.

    >>> clock.parse_control("10+3").words
    '10 d, and 3 d more after each move'
    """
    return _parse.parse_control(as_text(text, "a time control"))
