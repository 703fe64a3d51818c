# The clock for measuring parts of the core. Header only.

from posix.time cimport CLOCK_THREAD_CPUTIME_ID, clock_gettime, timespec


# CPU time of this thread.
cdef inline double thread_seconds() noexcept nogil:
    cdef timespec t
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t)
    return t.tv_sec + t.tv_nsec * 1e-9
