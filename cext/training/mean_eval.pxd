# The mean of both evaluations of orthodox chess.

from ..base.board cimport Board
from ..evaluation.chess_eval cimport ChessEvaluator
from ..value.evaluator cimport Evaluator
from ..network.network_eval cimport NetworkEvaluator

cdef class MeanEvaluator(Evaluator):
    cdef NetworkEvaluator network
    cdef ChessEvaluator by_hand
