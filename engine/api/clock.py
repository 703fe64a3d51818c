"""Clocks of correspondence chess: Triple Block and its plainer relatives (docs/correspondence.md). Times are in ms.

>>> from standstill import clock
>>> control = clock.parse_control("50/75/1")
>>> side = control.complete(control.opening(), 3 * 86_400_000)
>>> side.clock_ms // 86_400_000, side.bank_ms // 86_400_000
(50, 73)
"""

from standstill.engine.clock import parse as _parse
from standstill.engine.clock.control import ClockSide, Control, Fischer, PerMove, Sessions, TimeUp
from standstill.engine.clock.triple_block import TripleBlock
from standstill.engine.common.errors import ClockError
from standstill.given import guarded as _guarded

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

parse_control = _guarded(_parse.parse_control)
