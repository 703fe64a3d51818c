"""Tables of late-move reduction and pruning (CPW: Late Move Reductions, Futility Pruning - Move Count Based)."""

from libc.math cimport log

from .types cimport uint8_t


cdef void fill_tables() noexcept nogil:
    cdef int depth, number
    for depth in range(1, 64):
        for number in range(1, 64):
            LMR[depth][number] = <uint8_t> (0.75 + log(depth) * log(number) / 2.2)
    for depth in range(16):
        LATE_COUNT[0][depth] = (4 + depth * depth) // 2
        LATE_COUNT[1][depth] = 4 + depth * depth


cdef void use_all() noexcept nogil:
    cdef bint* switches = <bint*> &USE
    cdef size_t i
    for i in range(sizeof(Techniques) // sizeof(bint)):
        switches[i] = True


fill_tables()
use_all()
