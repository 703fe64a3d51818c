# Two bare kings under R-Mobility, solved at import: 3612 positions, a few milliseconds.
# docs/objective.md describes the method.

from ..base.types cimport int8_t, uint8_t

cdef struct BareKings:
    # The code of the best goal that a side can force; it replaces every weaker record. The code is negative if the side
    # not to move reaches the goal, and 0 if neither side can improve on any record.
    int8_t code
    uint8_t plies                     # plies until that goal is reached

cdef BareKings BARE_KINGS[64][64]     # [square of the king of the side to move][square of the other king]
