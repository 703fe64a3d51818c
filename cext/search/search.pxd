# The main search (CPW: Alpha-Beta, Principal Variation Search, Iterative Deepening). Layer 4.

from ..base.types cimport Score
from .worker cimport Worker

# Score of the node, side to move's view; `depth` 0 or less goes to quiescence.
cdef Score negamax(Worker w, int ply, Score alpha, Score beta, int depth, bint is_cut) noexcept nogil

# Iterative deepening from the root until a limit is reached.
cdef void iterative_deepening(Worker w) noexcept nogil
