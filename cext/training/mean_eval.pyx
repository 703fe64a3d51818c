"""The mean of the network's and the hand-crafted evaluation: a teacher for the next network (docs/lab/training.md)."""

from ..base.board cimport Board
from ..evaluation.chess_eval cimport ChessEvaluator
from ..value.evaluator cimport DelegatingEvaluator, Evaluator
from ..network.network_eval cimport NetworkEvaluator
from ..network.weights cimport Weights

cimport cython


@cython.final
cdef class MeanEvaluator(DelegatingEvaluator):
    """Slower and more accurate than either of the two evaluations, because their errors are nearly independent."""

    def __cinit__(self, Weights weights not None, bint discount=True):
        self.network = NetworkEvaluator(weights, discount)
        self.base = ChessEvaluator(discount)

    cdef int evaluate(self, Board board) noexcept nogil:
        """The mean, rounded towards zero so that colours do not matter."""
        return (self.network.evaluate(board) + self.base.evaluate(board)) // 2

    cdef Evaluator clone(self):
        return MeanEvaluator(self.network.weights, self.network.discount)

    def evaluate_cp(self, Board board not None) -> int:
        """Centipawns, side to move's view."""
        if not self.fits(board):
            raise TypeError("expected a board of chess")
        return self.evaluate(board)
