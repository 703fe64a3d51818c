"""Allocates the history tables of one worker."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from ..base.types cimport Move, int16_t

cimport cython


@cython.final
cdef class History:
    """Tables for a board of ``slots`` history slots."""

    def __cinit__(self, int slots):
        self.slots = slots
        self.butterfly = <int16_t*> calloc(2 * ATTACKED * FROM_TO, sizeof(int16_t))
        self.continuation = <int16_t*> calloc((slots + 1) * slots, sizeof(int16_t))
        self.capture = <int16_t*> calloc(slots * VICTIMS, sizeof(int16_t))
        self.counter = <Move*> calloc(slots + 1, sizeof(Move))
        self.pawns = <int16_t*> calloc(PAWN_ROWS * slots, sizeof(int16_t))
        self.correction = <int16_t*> calloc(2 * CORRECTIONS, sizeof(int16_t))
        self.non_pawn_correction = <int16_t*> calloc(4 * CORRECTIONS, sizeof(int16_t))
        self.move_correction = <int16_t*> calloc(CORRECTIONS, sizeof(int16_t))
        if (self.butterfly == NULL or self.continuation == NULL or self.capture == NULL or self.counter == NULL
                or self.pawns == NULL or self.correction == NULL or self.move_correction == NULL
                or self.non_pawn_correction == NULL):
            raise MemoryError

    def __dealloc__(self):
        free(self.butterfly)
        free(self.continuation)
        free(self.capture)
        free(self.counter)
        free(self.pawns)
        free(self.correction)
        free(self.non_pawn_correction)
        free(self.move_correction)

    cdef void tables(self, Part* parts) noexcept nogil:
        parts[0] = Part(<char*> self.butterfly, 2 * ATTACKED * FROM_TO * sizeof(int16_t))
        parts[1] = Part(<char*> self.continuation, (self.slots + 1) * self.slots * sizeof(int16_t))
        parts[2] = Part(<char*> self.capture, self.slots * VICTIMS * sizeof(int16_t))
        parts[3] = Part(<char*> self.counter, (self.slots + 1) * sizeof(Move))
        parts[4] = Part(<char*> self.pawns, PAWN_ROWS * self.slots * sizeof(int16_t))
        parts[5] = Part(<char*> self.correction, 2 * CORRECTIONS * sizeof(int16_t))
        parts[6] = Part(<char*> self.move_correction, CORRECTIONS * sizeof(int16_t))
        parts[7] = Part(<char*> self.non_pawn_correction, 4 * CORRECTIONS * sizeof(int16_t))

    cdef void clear(self) noexcept nogil:
        cdef Part[TABLES] parts
        cdef int i
        self.tables(parts)
        for i in range(TABLES):
            memset(parts[i].start, 0, parts[i].size)

    def dump(self) -> bytes:
        """All tables as bytes, for ``load`` on a board of the same kind. Safe during a search."""
        cdef Part[TABLES] parts
        cdef int i
        self.tables(parts)
        return b"".join([PyBytes_FromStringAndSize(parts[i].start, parts[i].size) for i in range(TABLES)])

    def load(self, bytes data not None) -> None:
        """Load the result of ``dump``. Raises ValueError for another length."""
        cdef Part[TABLES] parts
        cdef const char* source = data
        cdef size_t total = 0
        cdef int i
        self.tables(parts)
        for i in range(TABLES):
            total += parts[i].size
        if total != <size_t> len(data):
            raise ValueError("expected the histories of a board of the same kind")
        for i in range(TABLES):
            memcpy(parts[i].start, source, parts[i].size)
            source += parts[i].size
