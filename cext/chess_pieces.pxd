# What the pieces do: mobility, attack on the kings, threats, passed pawns on their way; everything that depends on who
# attacks what. Layer 3.

from .chess_pawns cimport PawnEntry
from .chess_position cimport Position
from .chess_weights cimport DANGER_LIMIT, DANGER_SHIFT_EG, DANGER_SHIFT_MG, Trace, pack

# What all that is worth, packed, White's view, the pawns of `p` known; with a trace, written down as well.
cdef int score_pieces(const Position* p, const PawnEntry* pawns) noexcept nogil
cdef int trace_pieces(const Position* p, const PawnEntry* pawns, Trace* trace) noexcept nogil


# What units of attack on a king cost it, packed.
cdef inline int king_cost(int units) noexcept nogil:
    if units <= 0:
        return 0
    units = min(units, DANGER_LIMIT)
    return pack(units * units >> DANGER_SHIFT_MG, units >> DANGER_SHIFT_EG)
