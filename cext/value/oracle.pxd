# Sources of certain outcomes, such as tables.

from ..base.board cimport Board, Record

cdef struct Forecast:
    int code                          # goal code of the final record
    int owner
    int plies                         # plies until it is on the board
    bint stands                       # whether it is the current record

cdef class Oracle:
    # Fills `found` for the position at head[top] under this record; false if unknown.
    cdef bint ask(self, Board board, const Record* record, Forecast* found) noexcept nogil
    # True if the oracle supports boards of this kind.
    cdef bint knows(self, Board board)
