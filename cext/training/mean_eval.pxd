# The mean of the network and the hand-crafted evaluation of orthodox chess.

from ..value.evaluator cimport DelegatingEvaluator
from ..network.network_eval cimport NetworkEvaluator

cdef class MeanEvaluator(DelegatingEvaluator):
    cdef NetworkEvaluator network
