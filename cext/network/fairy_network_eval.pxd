# Network evaluation of games by definition.

from ..evaluation.fairy_eval cimport FairyEvaluator
from ..fairy.fairy_board cimport FairyBoard
from ..fairy.rules cimport FairyRules
from ..value.evaluator cimport DelegatingEvaluator
from .fairy_accumulators cimport FairyAccumulators
from .fairy_inputs cimport FairyInputs
from .weights cimport Weights

cdef class FairyNetworkEvaluator(DelegatingEvaluator):
    cdef readonly bint discount       # whether the score is divided by mating potential
    cdef readonly Weights weights
    cdef FairyRules rules
    cdef FairyInputs inputs
    cdef FairyAccumulators accumulators
    cdef FairyEvaluator by_hand       # evaluates endings that the rules decide

    cdef int value(self, FairyBoard board) noexcept nogil
    cdef bint is_settled(self, FairyBoard board) noexcept nogil
