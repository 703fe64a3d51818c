"""Predicting the owner of the last record of a drawn game by a separate network (docs/network.md#records)."""

from libc.math cimport tanh
from libc.stdint cimport int64_t

from ..base.bits cimport more_than_one, rows_output
from ..base.board cimport Board
from ..base.types cimport *
from ..chess.chess_board cimport ChessBoard
from ..chess.position cimport Position
from ..value.evaluator cimport DelegatingEvaluator, Evaluator
from .accumulators cimport Accumulators
from .weights cimport ACTIVE, OUTPUT_ONE, Weights

cimport cython

cdef enum:
    LEANINGS = 256
    LEANING_STEP = 4                  # hundredths of a logit between neighbouring entries

cdef int[LEANINGS] LEANING            # 2 p - 1 in CP, by the logit of the chance p


cdef void fill_leanings():
    cdef int i
    for i in range(LEANINGS):
        LEANING[i] = <int> (CP * tanh(i * LEANING_STEP / 200.0))


fill_leanings()


@cython.final
cdef class RecordEvaluator(DelegatingEvaluator):
    """One worker's evaluator: it shares the weights, owns its accumulators, and leaves the rest to another evaluator.
    """

    def __cinit__(self, Evaluator evaluator not None, Weights weights not None):
        if not evaluator.fits(ChessBoard()):
            raise TypeError("expected an evaluator of chess")
        self.base = evaluator
        self.weights = weights
        self.accumulators = Accumulators(weights)
        self.predicts_owner = True

    cdef int logit(self, ChessBoard board, int owner, int code) noexcept nogil:
        """The logit of the chance that the side to move will hold the last record, in hundredths."""
        cdef int top = board.top, width = self.weights.width
        cdef const Position* p = &board.positions[top]
        cdef const int16_t* values = self.accumulators.of(board.head, board.positions, top)
        cdef const int16_t* ours = values + p.stm * width
        cdef const int16_t* theirs = values + (p.stm ^ 1) * width
        cdef int output = record_output(owner == p.stm, code)
        cdef int64_t total = rows_output(ours, theirs, self.weights.outputs + output * 2 * width, width)
        return <int> ((total / ACTIVE + self.weights.output_biases[output]) * self.weights.scale
                      / (ACTIVE * OUTPUT_ONE))

    cdef int last_owner(self, Board board, int owner, int code) noexcept nogil:
        cdef int logit = self.logit(<ChessBoard> board, owner, code)
        cdef int size = LEANING[min((logit if logit > 0 else -logit) // LEANING_STEP, LEANINGS - 1)]
        return size if (logit > 0) == (board.head[board.top].stm == WHITE) else -size

    cdef int sure_winner(self, Board board) noexcept nogil:
        cdef const Position* p = &(<ChessBoard> board).positions[board.top]
        # Only a bare king is certainly mated. This quick test decides most positions.
        if more_than_one(p.by_colour[WHITE]) and more_than_one(p.by_colour[BLACK]):
            return 0
        return self.base.sure_winner(board)

    cdef int evaluate(self, Board board) noexcept nogil:
        return self.base.evaluate(board)

    cdef Evaluator clone(self):
        return RecordEvaluator(self.base.clone(), self.weights)

    def last_owner_logit(self, ChessBoard board not None, int owner, int code) -> int:
        """The logit of the chance that the side to move will hold the last record, in hundredths."""
        return self.logit(board, owner, code)
