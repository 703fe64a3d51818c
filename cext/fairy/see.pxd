# Static exchange evaluation in any compiled game.

from .position cimport FairyPosition
from .rules cimport FairyRules
from ..base.types cimport Move

# Value of a piece of this type in an exchange; the last royal is worth more than all else.
cdef int worth_of(FairyRules rules, const FairyPosition* p, int colour, int type) noexcept nogil
# True if the exchange that a legal move starts gains at least `cp`. Hidden attackers (hoppers) are left out.
cdef bint see_ge(FairyRules rules, const FairyPosition* p, Move move, int cp) noexcept nogil
