# The main search (CPW: Alpha-Beta, Principal Variation Search).

from ..base.types cimport Score
from .worker cimport Worker

# Score of the node, side to move's view; `depth` 0 or less goes to quiescence.
cdef Score negamax(Worker w, int ply, Score alpha, Score beta, int depth, bint is_cut) noexcept nogil
