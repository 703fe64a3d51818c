"""The abstract evaluator."""

from ..base.board cimport Board


cdef class Evaluator:
    """Base of all evaluators."""

    cdef int evaluate(self, Board board) noexcept nogil:
        return 0

    cdef int confinement(self, Board board) noexcept nogil:
        return 0

    cdef int forecast(self, Board board) noexcept nogil:
        return 0

    cdef int sure_winner(self, Board board) noexcept nogil:
        return 0

    cdef bint solve(self, Board board, Solution* found) noexcept nogil:
        return False

    cdef bint fits(self, Board board):
        return False

    cdef Evaluator clone(self):
        raise NotImplementedError("an abstract evaluator has no copy")
