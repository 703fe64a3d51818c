"""Predicting the owner of the last record of a drawn game by a separate network (docs/network.md#records)."""

from libc.math cimport tanh
from libc.stdint cimport int64_t

from ..base.bits cimport more_than_one
from ..base.board cimport Board, Head
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

cdef int[2 * LEANINGS] LEANING        # 2 p - 1 in CP, by the logit of the chance p, from -LEANINGS on


cdef void fill_leanings():
    cdef int i
    for i in range(LEANINGS):
        LEANING[LEANINGS + i] = <int> (CP * tanh(i * LEANING_STEP / 200.0))
        LEANING[LEANINGS - i] = -LEANING[LEANINGS + i]


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
        cdef int output = record_output(owner == board.head[board.top].stm, code)
        cdef int64_t total = self.accumulators.output(board.head, board.positions, board.top, output)
        return <int> ((total + self.weights.output_biases[output]) * self.weights.scale / (ACTIVE * OUTPUT_ONE))

    cdef int last_owner(self, Board board, int owner, int code) noexcept nogil:
        cdef const Head* head = &board.head[board.top]
        cdef uint64_t* kept = &self.kept[head.key & (KEPT - 1)]
        cdef uint64_t wanted = (head.key >> KEPT_SHIFT << KEPT_SHIFT
                                | record_output(owner == head.stm, code) << OUTPUT_SHIFT)
        cdef int logit, step
        if kept[0] ^ wanted >= 1 << OUTPUT_SHIFT:
            logit = self.logit(<ChessBoard> board, owner, code)
            step = min((logit if logit > 0 else -logit) // LEANING_STEP, LEANINGS - 1)
            kept[0] = wanted | (LEANINGS + (step if (logit > 0) == (head.stm == WHITE) else -step))
        return LEANING[kept[0] & (1 << OUTPUT_SHIFT) - 1]

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
