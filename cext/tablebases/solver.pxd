# Solves one slice of a class under every record: level by level, the strongest record first.

from .slice cimport Slice

# Enters all positions and settles those that end the game. Afterwards the levels are solved, from code 2 on, until
# is_solved; then the values are counted.
cdef void begin_slice(Slice* s) noexcept nogil
cdef void solve_next(Slice* s, int code) noexcept nogil
cdef void end_slice(Slice* s) noexcept nogil

# Makes the list of the positions that are open, which is not kept with a slice that was interrupted.
cdef void list_active(Slice* s) noexcept nogil


cdef inline bint is_solved(const Slice* s) noexcept nogil:
    return s.active.n == 0 or s.trouble != 0
