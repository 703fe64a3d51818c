# Captures until the position is quiet (CPW: Quiescence Search).

from ..base.types cimport Score
from .worker cimport Worker

# `depth` is 0 where the main search ends and falls from there; quiet checks are tried at 0 only.
cdef Score qsearch(Worker w, int ply, Score alpha, Score beta, int depth) noexcept nogil
