# Predicts the owner of the last record by a network, beside any evaluation of orthodox chess.

from ..chess.chess_board cimport ChessBoard
from ..value.evaluator cimport DelegatingEvaluator
from .accumulators cimport Accumulators
from .weights cimport Weights

cdef class RecordEvaluator(DelegatingEvaluator):
    cdef readonly Weights weights
    cdef Accumulators accumulators

    cdef int logit(self, ChessBoard board, int owner, int code) noexcept nogil


# The output for a standing record: four for records of the side to move, the lowest goals first, and four for the
# opponent's.
cdef inline int record_output(bint own, int code) noexcept nogil:
    return (0 if own else 4) + (0 if code < 5 else 1 if code < 10 else 2 if code < 17 else 3)
