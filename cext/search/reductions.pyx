"""Tables of late-move reduction and pruning (CPW: Late Move Reductions, Futility Pruning - Move Count Based)."""

from libc.math cimport log

cdef extern from *:
    const double LMR_BASE "0.75"
    const double LMR_DIVISOR "2.2"


cdef void fill_tables() noexcept nogil:
    cdef int depth, number
    for depth in range(1, LMR_SIZE):
        for number in range(1, LMR_SIZE):
            LMR[depth][number] = <int> (LMR_PLY * (LMR_BASE + log(depth) * log(number) / LMR_DIVISOR))
    for depth in range(16):
        LATE_MOVE_COUNT[0][depth] = (LATE_MOVE_BASE + depth * depth) // 2
        LATE_MOVE_COUNT[1][depth] = LATE_MOVE_BASE + depth * depth


cdef void use_all() noexcept nogil:
    cdef bint* switches = <bint*> &USE
    cdef size_t i
    for i in range(sizeof(Techniques) // sizeof(bint)):
        switches[i] = True


fill_tables()
use_all()
