# When to stop: flag, nodes and clock, looked at every so many nodes without the GIL. Layer 4.

from .types cimport uint64_t
from .worker cimport Worker

# Monotonic time.
cdef uint64_t now_ns() noexcept nogil

# Since this move's clock started.
cdef uint64_t elapsed_ns(Worker w) noexcept nogil

# Look at flag and limits; sets w.stopped.
cdef void look(Worker w) noexcept nogil

# Between iterations: is it not worth beginning another one?
cdef bint enough(Worker w) noexcept nogil
