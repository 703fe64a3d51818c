"""The mean of the network's and the hand-crafted evaluation: a teacher for the next network (docs/lab/training.md)."""

from ..base.board cimport Board
from ..evaluation.chess_eval cimport ChessEvaluator
from ..value.evaluator cimport Evaluator, Solution
from ..network.network_eval cimport NetworkEvaluator
from ..network.weights cimport Weights

cimport cython


@cython.final
cdef class MeanEvaluator(Evaluator):
    """Slower than either, and errs less than either: their errors have little to do with each other."""

    def __cinit__(self, Weights weights not None, bint discount=True):
        self.network = NetworkEvaluator(weights, discount)
        self.by_hand = ChessEvaluator(discount)

    cdef int evaluate(self, Board board) noexcept nogil:
        """Rounded towards zero, so that colours do not matter."""
        return (self.network.evaluate(board) + self.by_hand.evaluate(board)) // 2

    cdef int confinement(self, Board board) noexcept nogil:
        return self.by_hand.confinement(board)

    cdef int forecast(self, Board board) noexcept nogil:
        return self.by_hand.forecast(board)

    cdef int sure_winner(self, Board board) noexcept nogil:
        return self.by_hand.sure_winner(board)

    cdef bint solve(self, Board board, Solution* found) noexcept nogil:
        return self.by_hand.solve(board, found)

    cdef bint fits(self, Board board):
        return self.network.fits(board)

    cdef Evaluator clone(self):
        return MeanEvaluator(self.network.weights, self.network.discount)

    def evaluate_cp(self, Board board not None) -> int:
        """Centipawns, side to move's view."""
        if not self.fits(board):
            raise TypeError("expected a board of chess")
        return self.evaluate(board)
