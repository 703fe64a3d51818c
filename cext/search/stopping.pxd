# When to stop: the flag, the nodes and the clock are checked at intervals, without the GIL.

from ..base.types cimport uint64_t
from .worker cimport Worker

# Monotonic time.
cdef uint64_t now_ns() noexcept nogil

# Time on the clock of this move, and time since the search began. They differ after pondering.
cdef uint64_t elapsed_ns(Worker w) noexcept nogil
cdef uint64_t searched_ns(Worker w) noexcept nogil

# Check flag and limits; sets w.stopped.
cdef void check_limits(Worker w) noexcept nogil

# True if it is too late to begin another iteration.
cdef bint soft_limit_reached(Worker w) noexcept nogil
