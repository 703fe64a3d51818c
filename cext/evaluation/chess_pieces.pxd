# Every term that depends on attacks: mobility, attacks on the kings, threats, and the path of passed pawns.

from .chess_pawns cimport PawnEntry
from ..chess.position cimport Position
from .chess_weights cimport DANGER_LIMIT, DANGER_SHIFT_EG, DANGER_SHIFT_MG, Trace, pack

# Sum of these terms, packed, White's view, given the pawn entry of `p`; with a trace, the terms are recorded, too.
cdef int score_pieces(const Position* p, const PawnEntry* pawns) noexcept nogil
cdef int trace_pieces(const Position* p, const PawnEntry* pawns, Trace* trace) noexcept nogil


# Penalty for units of attack on a king, packed.
cdef inline int king_cost(int units) noexcept nogil:
    if units <= 0:
        return 0
    units = min(units, DANGER_LIMIT)
    return pack(units * units >> DANGER_SHIFT_MG, units >> DANGER_SHIFT_EG)
