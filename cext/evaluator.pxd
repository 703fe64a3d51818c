# How good a position is, whoever holds the record. Layer 3.
#
# The evaluator never sees a record; that is why its value may be kept by position alone, in the transposition
# table for instance, in every mode. Weights are shared, a pawn hash and accumulators belong to one worker.

from .board cimport Board

cdef class Evaluator:
    # Centipawns, side to move, |cp| <= EVAL_LIMIT_CP.
    cdef int evaluate(self, Board board) noexcept nogil
    # The same, for who will reach the lower goal where classical evaluation says "draw".
    cdef int confinement(self, Board board) noexcept nogil
    # The goal code that dead material usually comes to, negative if Black is the one who reaches it; 0 if it tells
    # nothing.
    cdef int forecast(self, Board board) noexcept nogil
    # Was it made for such boards?
    cdef bint fits(self, Board board)
    # For another worker.
    cdef Evaluator clone(self)
