# The inputs of networks for games by definition (docs/network-format.md).

from ..base.types cimport uint8_t, uint16_t
from ..fairy.position cimport FairyPosition
from ..fairy.rules cimport FairyRules

cdef enum:
    HAND_INPUTS = 4                   # two kinds of pieces in hand to gate, the perspective's own first
    CHECK_INPUTS = 16                 # checks left to give, 0 to 7, the perspective's own first
    MOST_COUNTED = 16                 # pieces of a type in hand that have inputs of their own

cdef class FairyInputs:
    cdef FairyRules rules
    cdef readonly int count           # number of inputs of a perspective
    cdef int first_held               # the first input for pieces that wait to be dropped
    cdef int kinds                    # kinds of pieces: the types, with both types of pawns as one kind
    cdef int full                     # number of pieces in the start position
    cdef uint8_t turned[2][2][256]    # squares as a perspective sees them; with files mirrored or not

    # The input of a piece for a perspective that has files mirrored or not.
    cdef int place(self, int perspective, int mirrored, int piece, int sq) noexcept nogil
    # True if the perspective's only royal stands in the first half of the files.
    cdef bint mirrors(self, const FairyPosition* p, int perspective) noexcept nogil
    # Writes the inputs for hands and check counters to `out`, at most 6; returns their number.
    cdef int beside(self, const FairyPosition* p, int perspective, uint16_t* out) noexcept nogil
    # The input of the piece of a type in hand that is number n there, from 0.
    cdef int held(self, int perspective, int side, int type, int n) noexcept nogil
    # Writes all inputs, at most `room`; returns their number.
    cdef int all_of(self, const FairyPosition* p, int perspective, uint16_t* out, int room) noexcept nogil
    cdef int bucket(self, const FairyPosition* p) noexcept nogil
