# Static exchange evaluation.

from .position cimport Position
from ..base.types cimport Move

cdef int[6] SEE_CP                    # value of a piece in an exchange, centipawns

# True if the exchange that starts with this legal move gains at least `cp`.
cdef bint see_ge(const Position* p, Move move, int cp) noexcept nogil
