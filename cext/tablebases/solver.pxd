# Solves one slice of a class under every record: level by level, the strongest record first.

from libc.stdint cimport uint32_t

from .slice cimport SOLVED, Indices, Slice

# Does the next part of the work, which takes a fraction of a second up to a few seconds. The caller repeats this until
# is_solved, and then counts the values.
cdef void work_on(Slice* s) noexcept nogil
cdef void end_slice(Slice* s) noexcept nogil

# Prepares a slice whose place, nodes, staircases, exits, and lists of done and fresh positions were saved.
cdef void resume(Slice* s) noexcept nogil

# Adds an item to a list. When memory runs out, notes the trouble and returns False.
cdef bint push(Slice* s, Indices* list, uint32_t item) noexcept nogil


cdef inline bint is_solved(const Slice* s) noexcept nogil:
    return s.place.phase == SOLVED or s.trouble != 0
