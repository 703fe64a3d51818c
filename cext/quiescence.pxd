# Captures until the position is quiet (CPW: Quiescence Search). Layer 4.

from .types cimport Score
from .worker cimport Worker

# `depth` is 0 where the main search ends and falls from there; quiet checks are tried at 0 only.
cdef Score quiesce(Worker w, int ply, Score alpha, Score beta, int depth) noexcept nogil
