# Evaluation of orthodox chess by a network.

from ..base.board cimport Board
from ..chess.chess_board cimport ChessBoard
from ..evaluation.chess_eval cimport ChessEvaluator
from ..value.evaluator cimport DelegatingEvaluator
from .accumulators cimport Accumulators
from .weights cimport Weights

cdef class NetworkEvaluator(DelegatingEvaluator):
    cdef readonly bint discount       # whether the score is divided by mating potential
    cdef readonly Weights weights
    cdef Accumulators accumulators
    cdef ChessEvaluator by_hand       # evaluates endings that the rules decide

    cdef int value(self, ChessBoard board) noexcept nogil
