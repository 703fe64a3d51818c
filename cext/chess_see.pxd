# Static exchange evaluation. Layer 2.

from .chess_position cimport Position
from .types cimport Move

cdef int[6] SEE_CP                    # what a man is worth in an exchange, centipawns

# Does the exchange that starts with this legal move gain at least `cp`?
cdef bint see_ge(const Position* p, Move move, int cp) noexcept nogil
