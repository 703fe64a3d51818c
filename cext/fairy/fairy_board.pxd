# The board of games by definition, which follows FairyRules.

from ..base.board cimport Board
from .position cimport FairyPosition
from .rules cimport FairyRules
from .checks cimport FairyScan
from ..base.types cimport Ending, Move

cdef class FairyBoard(Board):
    cdef readonly FairyRules rules
    cdef FairyPosition* positions     # parallel to head
    cdef FairyScan* scans

    cdef FairyPosition* now(self) noexcept nogil
    cdef bint has_move(self) noexcept nogil
    cdef Ending ending_at(self, int index) noexcept nogil
    cdef Ending recurrence(self) noexcept nogil
    cdef int recurs_past_passes(self) noexcept nogil
    cdef bint pass_ends(self) noexcept nogil
    cdef void enter_position(self, Move move) noexcept nogil
    cdef int own_ending(self, const FairyPosition* p) noexcept nogil
    cdef bint is_dead(self, const FairyPosition* p) noexcept nogil
    cdef void keep_real_ep(self) noexcept nogil
    cdef int validate(self, const FairyPosition* p) except -1
    cdef int validate_hands(self, const FairyPosition* p) except -1
