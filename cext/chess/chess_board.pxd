# Orthodox chess and Chess960.

from ..base.board cimport Board
from .position cimport Position
from .legal_count cimport Scan
from ..base.types cimport Move, uint64_t

cdef enum:
    KEPT_GOALS = 1024                 # a power of two; 8 KB

cdef class ChessBoard(Board):
    cdef Position* positions          # parallel to head
    cdef Scan* scans                  # checks and pins of each position
    # The latest goal counted for each value of the last bits of a key (movegen.pxd), because searches repeat positions.
    cdef uint64_t[KEPT_GOALS] goals

    cdef Position* now(self) noexcept nogil
    cdef bint has_move(self) noexcept nogil
    cdef void enter_position(self, Move move) noexcept nogil
    cdef void note_changes(self, const Position* before, const Position* after, Move move) noexcept nogil
    cdef int validate(self, const Position* p) except -1
    cdef int check_ep(self, const Position* p, int ep) except -1
