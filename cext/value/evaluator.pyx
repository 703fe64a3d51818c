"""The abstract evaluator."""

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

from ..base.bits cimport MOVE_ROOM
from ..base.board cimport Board
from ..base.clocks cimport thread_seconds
from ..base.types cimport ALL_MOVES, Move, uint64_t


cdef uint64_t play_all(Evaluator evaluator, list boards, int repeat, bint evaluates, Move* moves) except? 0:
    """Play every legal move of every board, optionally evaluating all positions; returns the number of positions."""
    cdef Board board
    cdef int n, i
    cdef uint64_t calls = 0
    for _ in range(repeat):
        for board in boards:
            n = board.generate(ALL_MOVES, moves)
            if evaluates:             # as a search does, evaluate the position before its moves
                evaluator.evaluate(board)
            for i in range(n):
                board.make(moves[i])
                if evaluates:
                    evaluator.evaluate(board)
                board.top -= 1
            calls += n + 1
    return calls


cdef class Evaluator:
    """Base of all evaluators."""

    cdef int evaluate(self, Board board) noexcept nogil:
        return 0

    cdef int confinement(self, Board board) noexcept nogil:
        return 0

    cdef int forecast(self, Board board) noexcept nogil:
        return 0

    cdef int last_owner(self, Board board, int owner, int code) noexcept nogil:
        return 0

    cdef int sure_winner(self, Board board) noexcept nogil:
        return 0

    cdef bint solve(self, Board board, Solution* found) noexcept nogil:
        return False

    cdef bint fits(self, Board board):
        return False

    cdef Evaluator clone(self):
        raise NotImplementedError("an abstract evaluator has no copy")

    def nanoseconds(self, list boards not None, int repeat=1) -> float:
        """Mean nanoseconds of an evaluation, over the boards and the positions after each legal move, excluding the
        time to make the moves. Trying all moves of a position makes tables and accumulators work as in a search.
        """
        cdef Board board
        cdef uint64_t calls
        cdef double begun, between
        cdef Move* moves
        cdef int most = 0
        for board in boards:
            if not self.fits(board):
                raise TypeError("the evaluator belongs to another board")
            board.reserve(board.top + 2)
            most = max(most, board.max_moves)
        moves = <Move*> malloc((most + MOVE_ROOM) * sizeof(Move))
        if moves == NULL:
            raise MemoryError
        try:
            begun = thread_seconds()
            calls = play_all(self, boards, repeat, True, moves)
            between = thread_seconds()
            play_all(self, boards, repeat, False, moves)
            return (between - begun - (thread_seconds() - between)) * 1e9 / max(<int64_t> calls, 1)
        finally:
            free(moves)


cdef class DelegatingEvaluator(Evaluator):
    """Base of evaluators that delegate endings to another one; ``base`` is set by ``__cinit__``."""

    cdef int confinement(self, Board board) noexcept nogil:
        return self.base.confinement(board)

    cdef int forecast(self, Board board) noexcept nogil:
        return self.base.forecast(board)

    cdef int sure_winner(self, Board board) noexcept nogil:
        return self.base.sure_winner(board)

    cdef bint solve(self, Board board, Solution* found) noexcept nogil:
        return self.base.solve(board, found)

    cdef bint fits(self, Board board):
        return self.base.fits(board)
