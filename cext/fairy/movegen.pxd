# Legal moves of a position of any compiled game.

from .position cimport FairyPosition
from .rules cimport FairyRules
from .scan cimport FairyScan
from ..base.types cimport Move, uint64_t

# `out` has rules.max_moves places.
cdef int generate(FairyRules rules, const FairyPosition* p, FairyScan* s, int stage, Move* out) noexcept nogil
cdef bint is_legal(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil
# Exact below `limit`, else any number of at least `limit`.
cdef int count_below(FairyRules rules, const FairyPosition* p, const FairyScan* s, int limit) noexcept nogil
# True if a royal has a legal move to one of these squares.
cdef bint has_royal_move(FairyRules rules, const FairyPosition* p, const FairyScan* s,
                         const uint64_t* goal) noexcept nogil
cdef bint has_capture(FairyRules rules, const FairyPosition* p, const FairyScan* s) noexcept nogil
