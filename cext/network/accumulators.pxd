# The hidden layer of the positions on a board's stack, computed lazily.

from ..base.board cimport Head
from ..base.types cimport int16_t, uint8_t, uint64_t
from ..chess.position cimport Position
from .weights cimport KING_GROUPS, Weights

cdef enum:
    PLACES = 256                      # a power of two; higher stack indices share entries, which the key distinguishes
    VIEWS = 4 * KING_GROUPS           # perspectives, files mirrored or not, groups of own-king squares

cdef struct Place:                    # state of the accumulators at one stack index
    uint64_t key                      # the position's key; equal keys mean equal pieces
    uint8_t known[2]                  # whether each perspective is computed

cdef struct Cached:                   # the pieces of a position that was computed from scratch
    uint64_t by_type[6]
    uint64_t by_colour[2]

cdef class Accumulators:
    cdef Weights weights
    cdef int width
    cdef Place* places
    cdef int16_t* values              # [PLACES][2][width]
    cdef Cached[VIEWS] cached
    cdef int16_t* cached_values       # [VIEWS][width]

    # The accumulator of a perspective in the position at `top`; valid until the next call for another position.
    cdef const int16_t* of(self, const Head* head, const Position* positions, int top, int perspective) noexcept nogil
    cdef void step(self, const Head* head, int to, int perspective, int view) noexcept nogil
    cdef void refresh(self, const Position* p, int top, int perspective, int view) noexcept nogil
