# The hidden layer of the positions on the stack of a game by definition.

from ..base.types cimport int16_t, uint16_t
from ..fairy.fairy_board cimport FairyBoard
from ..fairy.position cimport FairyPosition
from .accumulators cimport Place
from .fairy_inputs cimport FairyInputs
from .weights cimport Weights

cdef class FairyAccumulators:
    cdef Weights weights
    cdef FairyInputs inputs
    cdef int width
    cdef Place* places
    cdef int16_t* values              # [PLACES][2][width]

    # The accumulator of a perspective in the position at `top`; valid until the next call for another position.
    cdef const int16_t* of(self, FairyBoard board, int top, int perspective) noexcept nogil
    cdef void step(self, FairyBoard board, int to, int perspective, int mirrored) noexcept nogil
    cdef void refresh(self, const FairyPosition* p, int top, int perspective) noexcept nogil
