# Entering a position into a slice: its goal and the values of its captures and pawn moves.

from .slice cimport Slice
from ..base.types cimport uint32_t

cdef void enter_position(Slice* s, uint32_t index) noexcept nogil
