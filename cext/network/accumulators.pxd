# The hidden layer of the positions on a board's stack, computed lazily.

from ..base.board cimport Head
from ..base.types cimport int16_t, uint8_t, uint64_t
from ..chess.position cimport Position
from .weights cimport KING_GROUPS, Weights

cdef enum:
    PLACES = 256                      # a power of two; higher stack indices share entries, which the key distinguishes
    VIEWS = 4 * KING_GROUPS           # perspectives, files mirrored or not, groups of king squares
    NO_VIEW = -1
    PIECES = 16                       # a piece is its colour times 8, plus its type, plus 1

cdef struct Place:                    # state of the accumulators at one stack index
    uint64_t key                      # the position's key; equal keys mean equal pieces
    int16_t view[2]                   # the view for which each perspective is computed, or NO_VIEW

cdef struct Cached:                   # the pieces of a position that was computed from scratch
    uint64_t by_type[6]
    uint64_t by_colour[2]
    uint8_t mailbox[64]

cdef class Accumulators:
    cdef Weights weights
    cdef int width
    cdef int16_t[2][64] views         # [perspective][square of its king]
    # [perspective][group of its king's square][piece]: the piece's row of square 0, if no square is mirrored
    cdef const int16_t* piece_rows[2][KING_GROUPS][PIECES]
    cdef Place* places
    cdef int16_t* values              # [PLACES][2][width]
    cdef Cached[VIEWS] cached
    cdef int16_t* cached_values       # [VIEWS][width]

    # The accumulators of the position at `top`, White's first, then Black's; valid until the next call for another
    # position.
    cdef const int16_t* of(self, const Head* head, const Position* positions, int top) noexcept nogil
    # The last layer of the same position for the side to move: output `number` before bias and scale.
    cdef int output(self, const Head* head, const Position* positions, int top, int number) noexcept nogil
    cdef void compute(self, const Head* head, const Position* positions, int top, int perspective,
                      int view) noexcept nogil
    # view: xor a square with its lowest six bits (56 for Black, plus 7 if files are mirrored) to get the square as the
    # perspective sees it; the higher bits are the group of the perspective's king.
    cdef const int16_t* row_in(self, int perspective, int view, int piece, int sq) noexcept nogil
    cdef void step(self, const Head* head, int to, int perspective, int view) noexcept nogil
    cdef void step_both(self, const Head* head, int to, int white, int black) noexcept nogil
    cdef void advance(self, const Head* head, const int16_t* before, int16_t* after, int perspective,
                      int view) noexcept nogil
    cdef void advance_many(self, const Head* head, const int16_t* before, int16_t* after, int perspective,
                           int view) noexcept nogil
    cdef void fill_piece_rows(self) noexcept nogil
    cdef void refresh(self, const Position* p, int top, int perspective, int view) noexcept nogil
