"""The abstract oracle, whose probes always fail."""

from ..base.board cimport Board, Record


cdef class Oracle:
    """Base of all oracles."""

    cdef bint ask(self, Board board, const Record* record, Forecast* found) noexcept nogil:
        return False

    cdef bint knows(self, Board board):
        return False
