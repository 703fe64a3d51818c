"""Evaluation of games by definition: the hand-crafted evaluation plus a network that has learned its errors.

A network alone would need a hundred times as many games of each variant as can reasonably be played
(docs/lab/training.md).
"""

from libc.stdint cimport int64_t

from ..base.bits cimport rows_output
from ..base.board cimport Board
from ..base.types cimport *
from ..evaluation.fairy_eval cimport FairyEvaluator
from ..fairy.fairy_board cimport FairyBoard
from ..fairy.position cimport FairyPosition
from ..fairy.rules cimport FairyRules
from ..value.evaluator cimport DelegatingEvaluator, Evaluator
from .fairy_accumulators cimport FairyAccumulators
from .fairy_inputs cimport FairyInputs
from .weights cimport ACTIVE, OUTPUT_ONE, Weights

cimport cython


@cython.final
cdef class FairyNetworkEvaluator(DelegatingEvaluator):
    """One worker's evaluator: it shares the weights, and has its own accumulators."""

    def __cinit__(self, Weights weights not None, FairyRules rules not None, bint discount=True):
        """Raises ValueError for a network with the inputs of another game."""
        self.weights = weights
        self.rules = rules
        self.inputs = FairyInputs(rules)
        if weights.inputs != self.inputs.count:
            raise ValueError(f"expected a network with {self.inputs.count} inputs, found {weights.inputs}")
        self.accumulators = FairyAccumulators(weights, self.inputs)
        self.base = self.by_hand = FairyEvaluator(rules, discount)
        self.discount = self.by_hand.discount

    cdef int value(self, FairyBoard board) noexcept nogil:
        """The network's part of the score, in centipawns from the side to move."""
        cdef int top = board.top, width = self.weights.width
        cdef const FairyPosition* p = &board.positions[top]
        cdef const int16_t* ours = self.accumulators.of(board, top, p.stm)
        cdef const int16_t* theirs = self.accumulators.of(board, top, p.stm ^ 1)
        cdef int bucket = self.inputs.bucket(p)
        cdef int64_t total = rows_output(ours, theirs, self.weights.outputs + bucket * 2 * width, width)
        total = (total / ACTIVE + self.weights.output_biases[bucket]) * self.weights.scale / (ACTIVE * OUTPUT_ONE)
        return <int> min(max(total, -EVAL_LIMIT_CP), EVAL_LIMIT_CP)

    cdef bint is_settled(self, FairyBoard board) noexcept nogil:
        """Return whether one side has a bare royal or neither can mate. The rules evaluate such positions better than
        the network.
        """
        cdef const FairyPosition* p = &board.positions[board.top]
        return (board.head[board.top].dead or self.by_hand.is_bare(p, WHITE) or self.by_hand.is_bare(p, BLACK))

    cdef int evaluate(self, Board board) noexcept nogil:
        cdef const FairyPosition* p = &(<FairyBoard> board).positions[board.top]
        cdef int cp, learned
        if self.is_settled(<FairyBoard> board):
            return self.by_hand.evaluate(board)
        cp = self.by_hand.undivided(<FairyBoard> board)
        learned = self.value(<FairyBoard> board)
        learned = learned if p.stm == WHITE else -learned
        # The hand-crafted evaluation covers other ways to win; mating potential divides the whole sum.
        if self.rules.is_special:
            cp = self.by_hand.discounted(p, cp) + learned
        else:
            cp = self.by_hand.discounted(p, cp + learned)
        cp = min(max(cp, -EVAL_LIMIT_CP), EVAL_LIMIT_CP)
        return cp if p.stm == WHITE else -cp

    cdef Evaluator clone(self):
        return FairyNetworkEvaluator(self.weights, self.rules, self.discount)

    # ---- Python methods ----

    def evaluate_cp(self, FairyBoard board not None) -> int:
        """Centipawns, side to move's view."""
        return self.evaluate(board)

    def network_cp(self, FairyBoard board not None) -> int:
        """The network's part of the score: centipawns, side to move's view, clamped to the limit of evaluations."""
        return self.value(board)

    def confinement_cp(self, FairyBoard board not None) -> int:
        """Chances to reach the lower goal in a drawn ending, by the hand-crafted evaluation: centipawns."""
        return self.confinement(board)

    def copy(self) -> FairyNetworkEvaluator:
        """An evaluator for another worker."""
        return self.clone()

    def potential(self, FairyBoard board not None) -> int:
        """The divisor that mating potential puts on the score: 1, 2, 4 or 8."""
        cdef const FairyPosition* p = board.now()
        cdef int learned = self.value(board) if p.stm == WHITE else -self.value(board)
        if self.is_settled(board):
            return self.by_hand.potential(board)
        return self.by_hand.divisor_for(p, WHITE if self.by_hand.undivided(board) + learned >= 0 else BLACK)

    def trace(self, FairyBoard board not None) -> list[tuple[str, int, int, int]]:
        """The terms of the hand-crafted evaluation, and the network as one more, the same in all phases."""
        cdef int sign = 1 if board.now().stm == WHITE else -1, cp, total
        rows = self.by_hand.trace(board)
        if self.is_settled(board):
            return rows
        _, mg, eg, _ = rows.pop()
        cp, total = sign * self.value(board), sign * self.evaluate(board)
        return [*rows, ("network", cp, cp, cp), ("total", mg + cp, eg + cp, total)]
