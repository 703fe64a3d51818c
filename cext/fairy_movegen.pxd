# Legal moves of a position of any compiled game. Layer 2.

from .fairy_position cimport FairyPosition
from .fairy_rules cimport FairyRules
from .fairy_scan cimport FairyScan
from .types cimport Move

# `out` has rules.max_moves places.
cdef int generate(FairyRules rules, const FairyPosition* p, const FairyScan* s, int stage, Move* out) noexcept nogil
cdef bint is_legal(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil
# Exact below `limit`, else some number not below it.
cdef int count_below(FairyRules rules, const FairyPosition* p, const FairyScan* s, int limit) noexcept nogil
cdef bint has_capture(FairyRules rules, const FairyPosition* p, const FairyScan* s) noexcept nogil
