# Who knows how a position ends, for certain.

from ..base.board cimport Board, Record

cdef struct Forecast:
    int code                          # of the record that is final
    int owner
    int plies                         # until it is on the board
    bint stands                       # it is the present record

cdef class Oracle:
    # Fills `found` for the position at head[top] under this record; false if it is not known.
    cdef bint ask(self, Board board, const Record* record, Forecast* found) noexcept nogil
    # Does it know boards of this kind?
    cdef bint knows(self, Board board)
