# Predicts the owner of the last record by a network, beside any evaluation of orthodox chess.

from ..base.types cimport uint64_t
from ..chess.chess_board cimport ChessBoard
from ..value.evaluator cimport DelegatingEvaluator
from .accumulators cimport Accumulators
from .weights cimport Weights

cdef enum:
    KEPT = 1024                       # predictions, a power of two; 8 KB
    KEPT_SHIFT = 16                   # bits of a kept prediction that do not belong to a key
    OUTPUT_SHIFT = 12                 # bits of its index in LEANING; the output is above them

cdef class RecordEvaluator(DelegatingEvaluator):
    cdef readonly Weights weights
    cdef Accumulators accumulators
    # The latest prediction for each value of the last bits of a key, because searches repeat positions: the first bits
    # of the key, the output, and the index in LEANING.
    cdef uint64_t[KEPT] kept

    cdef int logit(self, ChessBoard board, int owner, int code) noexcept nogil


# The output for a standing record: four for records of the side to move, the lowest goals first, and four for the
# opponent's.
cdef inline int record_output(bint own, int code) noexcept nogil:
    return (0 if own else 4) + (0 if code < 5 else 1 if code < 10 else 2 if code < 17 else 3)
