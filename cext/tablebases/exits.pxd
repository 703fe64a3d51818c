# Entering a position into a slice: its goal, and what its captures and pawn moves are worth.

from .slice cimport Slice
from ..base.types cimport uint32_t

cdef void enter_position(Slice* s, uint32_t index) noexcept nogil
