"""Evaluation by a network, with the endgame knowledge of the hand-crafted evaluation (docs/network.md)."""

from libc.stdint cimport int64_t

from ..base.bits cimport *
from ..base.board cimport Board
from ..base.types cimport *
from ..chess.chess_board cimport ChessBoard
from ..chess.position cimport Position, occupied_of, pieces
from ..evaluation.chess_eval cimport ChessEvaluator, potential_of, weakened
from ..value.evaluator cimport DelegatingEvaluator, Evaluator
from .accumulators cimport Accumulators
from .weights cimport ACTIVE, BUCKETS, OUTPUT_ONE, Weights

cimport cython


cdef inline bint is_settled(const Position* p) noexcept nogil:
    """Return whether one side has a bare king. The training data have few such positions; rules are more accurate."""
    return not (more_than_one(p.by_colour[WHITE]) and more_than_one(p.by_colour[BLACK]))


cdef inline bint is_plain(const Position* p, int leader) noexcept nogil:
    """Return whether the leader certainly has enough material to win. This quick test decides most positions."""
    return (more_than_one(pieces(p, leader, PAWN))
            and p.by_colour[leader] & (p.by_type[KNIGHT] | p.by_type[ROOK] | p.by_type[QUEEN]) != 0)


@cython.final
cdef class NetworkEvaluator(DelegatingEvaluator):
    """One worker's evaluator: it shares the weights, and has its own accumulators."""

    def __cinit__(self, Weights weights not None, bint discount=True):
        self.weights = weights
        self.discount = discount
        self.accumulators = Accumulators(weights)
        self.base = self.by_hand = ChessEvaluator(discount)

    cdef int value(self, ChessBoard board) noexcept nogil:
        """Output of the network, in centipawns from the side to move."""
        cdef int top = board.top, width = self.weights.width
        cdef const Position* p = &board.positions[top]
        cdef const int16_t* values = self.accumulators.of(board.head, board.positions, top)
        cdef const int16_t* ours = values + p.stm * width
        cdef const int16_t* theirs = values + (p.stm ^ 1) * width
        cdef int bucket = min((popcount(occupied_of(p)) - 2) >> 2, BUCKETS - 1)
        cdef int64_t total = rows_output(ours, theirs, self.weights.outputs + bucket * 2 * width, width)
        total = (total / ACTIVE + self.weights.output_biases[bucket]) * self.weights.scale / (ACTIVE * OUTPUT_ONE)
        return <int> min(max(total, -EVAL_LIMIT_CP), EVAL_LIMIT_CP)

    cdef int evaluate(self, Board board) noexcept nogil:
        cdef const Position* p = &(<ChessBoard> board).positions[board.top]
        cdef int cp, leader
        if board.head[board.top].dead or is_settled(p):
            return self.by_hand.evaluate(board)
        cp = self.value(<ChessBoard> board)
        leader = p.stm if cp >= 0 else p.stm ^ 1
        if is_plain(p, leader):
            return cp
        return weakened(p, leader, cp, self.discount)

    cdef Evaluator clone(self):
        return NetworkEvaluator(self.weights, self.discount)

    def copy(self) -> NetworkEvaluator:
        """An evaluator for another worker."""
        return self.clone()

    def evaluate_cp(self, ChessBoard board not None) -> int:
        """Centipawns, side to move's view."""
        return self.evaluate(board)

    def network_cp(self, ChessBoard board not None) -> int:
        """Output of the network alone: centipawns, side to move's view, clamped to the limit of evaluations."""
        return self.value(board)

    def confinement_cp(self, ChessBoard board not None) -> int:
        """Chances to reach the lower goal in a drawn ending, by the hand-crafted evaluation: centipawns."""
        return self.confinement(board)

    def forecast_code(self, ChessBoard board not None) -> int:
        """The goal code usually reached with dead material, by the hand-crafted evaluation; 0 if unknown."""
        return self.forecast(board)

    def trace(self, ChessBoard board not None) -> list[tuple[str, int, int, int]]:
        """The network as the only term, or in settled endings the terms of the hand-crafted evaluation."""
        cdef const Position* p = board.now()
        cdef int sign = 1 if p.stm == WHITE else -1, cp, total
        if board.head[board.top].dead or is_settled(p):
            return self.by_hand.trace(board)
        cp, total = sign * self.value(board), sign * self.evaluate(board)
        return [("network", cp, cp, cp), ("total", total, total, total)]

    def potential(self, ChessBoard board not None) -> int:
        """The divisor that mating potential puts on the score: 1, 2, 4 or 8."""
        cdef const Position* p = board.now()
        if board.head[board.top].dead or is_settled(p):
            return self.by_hand.potential(board)
        return potential_of(p, p.stm if self.value(board) >= 0 else p.stm ^ 1)
