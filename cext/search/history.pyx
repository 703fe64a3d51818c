"""Memory of the history tables of one worker."""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from ..base.types cimport Move, int16_t

cimport cython


@cython.final
cdef class History:
    """Tables for a board of ``slots`` history slots."""

    def __cinit__(self, int slots):
        self.slots = slots
        self.butterfly = <int16_t*> calloc(2 * FROM_TO, sizeof(int16_t))
        self.continuation = <int16_t*> calloc((slots + 1) * slots, sizeof(int16_t))
        self.capture = <int16_t*> calloc(slots * VICTIMS, sizeof(int16_t))
        self.counter = <Move*> calloc(slots + 1, sizeof(Move))
        self.pawns = <int16_t*> calloc(PAWN_ROWS * slots, sizeof(int16_t))
        self.correction = <int16_t*> calloc(2 * CORRECTIONS, sizeof(int16_t))
        self.move_correction = <int16_t*> calloc(CORRECTIONS, sizeof(int16_t))
        if (self.butterfly == NULL or self.continuation == NULL or self.capture == NULL or self.counter == NULL
                or self.pawns == NULL or self.correction == NULL or self.move_correction == NULL):
            raise MemoryError

    def __dealloc__(self):
        free(self.butterfly)
        free(self.continuation)
        free(self.capture)
        free(self.counter)
        free(self.pawns)
        free(self.correction)
        free(self.move_correction)

    cdef void clear(self) noexcept nogil:
        memset(self.butterfly, 0, 2 * FROM_TO * sizeof(int16_t))
        memset(self.continuation, 0, (self.slots + 1) * self.slots * sizeof(int16_t))
        memset(self.capture, 0, self.slots * VICTIMS * sizeof(int16_t))
        memset(self.counter, 0, (self.slots + 1) * sizeof(Move))
        memset(self.pawns, 0, PAWN_ROWS * self.slots * sizeof(int16_t))
        memset(self.correction, 0, 2 * CORRECTIONS * sizeof(int16_t))
        memset(self.move_correction, 0, CORRECTIONS * sizeof(int16_t))
