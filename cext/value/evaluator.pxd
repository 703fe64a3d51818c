# Evaluation of a position, independent of the record.
#
# `evaluate` never sees a record, so in every mode its value depends on the position alone and may be stored under the
# position's key. Workers share the weights; a pawn hash and accumulators belong to one worker.

from ..base.board cimport Board

cdef struct Solution:
    int code                          # code of the goal that will replace every weaker record; 0 if every record stands
    int owner                         # side that reaches that goal
    int plies                         # plies until it is reached

cdef class Evaluator:
    cdef bint predicts_owner          # whether `last_owner` returns more than a default
    # Score for the side to move in centipawns, at most EVAL_LIMIT_CP in size.
    cdef int evaluate(self, Board board) noexcept nogil
    # The same for drawn endings, where it expresses the chances to reach the lower goal.
    cdef int confinement(self, Board board) noexcept nogil
    # The usual goal code of this material if neither side can mate; negative if Black reaches it, 0 if unknown.
    cdef int forecast(self, Board board) noexcept nogil
    # Predicted owner of the last record of a drawn game, given the current record: from -CP (surely Black) to CP
    # (surely White).
    cdef int last_owner(self, Board board, int owner, int code) noexcept nogil
    # The side that certainly mates a bare king: 1 White, -1 Black, 0 unknown.
    cdef int sure_winner(self, Board board) noexcept nogil
    # True, with `found` written, if the position is solved for every record.
    cdef bint solve(self, Board board, Solution* found) noexcept nogil
    # True if it can evaluate boards of this kind.
    cdef bint fits(self, Board board)
    # A copy for another worker.
    cdef Evaluator clone(self)


cdef class DelegatingEvaluator(Evaluator):
    # Leaves everything except `evaluate` and `last_owner` to the evaluator `base`.
    cdef Evaluator base
