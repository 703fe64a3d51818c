# Solves one slice of a class under every record: level by level, the strongest record first.

from .slice cimport Slice

# Enters all positions and settles those that end the game. The caller then solves the levels from code 2 on until
# is_solved, and counts the values.
cdef void begin_slice(Slice* s) noexcept nogil
cdef void solve_next(Slice* s, int code) noexcept nogil
cdef void end_slice(Slice* s) noexcept nogil

# Lists the open positions; saved progress of a slice does not contain this list.
cdef void list_active(Slice* s) noexcept nogil


cdef inline bint is_solved(const Slice* s) noexcept nogil:
    return s.active.n == 0 or s.trouble != 0
