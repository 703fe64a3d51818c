# How good a position is, whoever holds the record. Layer 3.
#
# The evaluator never sees a record; that is why its value may be kept by position alone, in the transposition
# table for instance, in every mode. Weights are shared, a pawn hash and accumulators belong to one worker.

from .board cimport Board

cdef struct Solution:
    int code                          # what every record weaker than this comes to; 0: no record ever falls
    int owner                         # of that goal
    int plies                         # until it is on the board

cdef class Evaluator:
    # Centipawns, side to move, |cp| <= EVAL_LIMIT_CP.
    cdef int evaluate(self, Board board) noexcept nogil
    # The same, for who will reach the lower goal where classical evaluation says "draw".
    cdef int confinement(self, Board board) noexcept nogil
    # The goal code that dead material usually comes to, negative if Black is the one who reaches it; 0 if it tells
    # nothing.
    cdef int forecast(self, Board board) noexcept nogil
    # Who mates a bare king for certain: 1 White, -1 Black, 0 not known.
    cdef int sure_winner(self, Board board) noexcept nogil
    # Is the position solved for every record? Filled in only then.
    cdef bint solve(self, Board board, Solution* found) noexcept nogil
    # Was it made for such boards?
    cdef bint fits(self, Board board)
    # For another worker.
    cdef Evaluator clone(self)
