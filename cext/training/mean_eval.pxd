# The mean of both evaluations of orthodox chess.

from ..value.evaluator cimport DelegatingEvaluator
from ..network.network_eval cimport NetworkEvaluator

cdef class MeanEvaluator(DelegatingEvaluator):
    cdef NetworkEvaluator network
