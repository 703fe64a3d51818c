# The hand-crafted evaluation of orthodox chess.

from libc.stdint cimport int64_t

from ..base.board cimport Board, Head
from ..chess.chess_board cimport ChessBoard
from .chess_pawns cimport PawnEntry
from ..chess.position cimport Position
from .chess_weights cimport Trace
from ..value.evaluator cimport Evaluator
from ..base.types cimport uint64_t

cdef enum:
    ACCUMULATORS = 1024               # a power of two; higher stack indices share entries, which the key distinguishes

cdef struct Accumulator:              # material, placement and phase at one stack index
    uint64_t key                      # the position's key; equal keys mean equal pieces
    int64_t value                     # phase in the upper half, packed score, White's view, in the lower

cdef class ChessEvaluator(Evaluator):
    cdef public bint discount         # whether the score is divided by mating potential
    cdef Accumulator* accumulators
    cdef PawnEntry* pawns

    cdef int retrace(self, ChessBoard board, Trace* t) except? -1
    cdef int64_t accumulated(self, const Head* head, const Position* p, int top) noexcept nogil

# Divisor of a score in favour of this side, by its mating potential: 1, 2, 4 or 8.
cdef int potential_of(const Position* p, int leader) noexcept nogil

# Adjusts a network's score, from any view, to the leader's winning chances: divides it by mating potential (only with
# `discount`), or scales it down for rook pawns with the wrong bishop and for bishops of opposite colours.
cdef int weakened(const Position* p, int leader, int cp, bint discount) noexcept nogil
