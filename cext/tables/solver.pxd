# Solves one slice of a class under every record: level by level, the strongest record first. Layer 4.

from .slice cimport Slice

cdef void solve_slice(Slice* s) noexcept nogil
