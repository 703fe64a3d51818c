# The hidden layer of the positions on the stack of a game by definition.

from ..base.types cimport int16_t, uint8_t, uint16_t, uint64_t
from ..fairy.fairy_board cimport FairyBoard
from ..fairy.position cimport FairyPosition
from .fairy_inputs cimport FairyInputs
from .weights cimport Weights

cdef struct FairyPlace:               # state of the accumulators at one stack index
    uint64_t key                      # the position's key; equal keys mean equal pieces
    uint8_t known[2]                  # whether each perspective is computed

cdef class FairyAccumulators:
    cdef Weights weights
    cdef FairyInputs inputs
    cdef int width
    cdef FairyPlace* places
    cdef int16_t* values              # [PLACES][2][width]

    # The accumulator of a perspective in the position at `top`; valid until the next call for another position.
    cdef const int16_t* of(self, FairyBoard board, int top, int perspective) noexcept nogil
    cdef void step(self, FairyBoard board, int to, int perspective, int mirrored) noexcept nogil
    cdef void hands(self, const FairyPosition* before, const FairyPosition* after, int perspective,
                    const int16_t** on, int* n_on, const int16_t** off, int* n_off) noexcept nogil
    cdef void refresh(self, const FairyPosition* p, int top, int perspective) noexcept nogil
