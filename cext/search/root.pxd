# The search at the root (CPW: Aspiration Windows, Iterative Deepening).

from .worker cimport Worker

# Search deeper and deeper until a limit is reached.
cdef void iterative_deepening(Worker w) noexcept nogil
