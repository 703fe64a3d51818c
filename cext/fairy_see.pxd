# Static exchange evaluation in any compiled game. Layer 2.

from .fairy_position cimport FairyPosition
from .fairy_rules cimport FairyRules
from .types cimport Move

# What a man of this type is worth in an exchange; the last royal more than everything else.
cdef int worth_of(FairyRules rules, const FairyPosition* p, int colour, int type) noexcept nogil
# Does the exchange that a legal move starts gain at least `cp`? Hidden attackers (hoppers) are left out.
cdef bint see_ge(FairyRules rules, const FairyPosition* p, Move move, int cp) noexcept nogil
