# Static exchange evaluation in any compiled game.

from .position cimport FairyPosition
from .rules cimport FairyRules
from ..base.types cimport Move

# Value of a piece of this type in an exchange; the last royal is worth more than all else.
cdef int worth_of(FairyRules rules, const FairyPosition* p, int colour, int type) noexcept nogil
# True if the exchange that a legal move starts gains at least `cp`. Hidden attackers (hoppers) are left out.
cdef bint see_ge(FairyRules rules, const FairyPosition* p, Move move, int cp) noexcept nogil

# Centipawns that a capture wins by its explosion: the other side's pieces that it removes, minus the mover's
# own.
cdef int blast_cp(FairyRules rules, const FairyPosition* p, Move move) noexcept nogil
# `see_ge` in a game of explosions. There a capture cannot be answered by a recapture, but a piece that moves without
# capturing can be taken on its target, together with its neighbours.
cdef bint blast_ge(FairyRules rules, const FairyPosition* p, Move move, int cp) noexcept nogil
