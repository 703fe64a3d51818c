"""The abstract board: the stack of heads and what can be told from heads alone."""

from libc.stdlib cimport free

from .types cimport *


cdef class Board:
    """Base of all boards; leaves keep their full positions in an array parallel to ``head``."""

    def __cinit__(self):
        self.first_rank = 1

    def __dealloc__(self):
        free(self.head)

    cdef int reserve(self, int capacity) except -1:
        raise NotImplementedError("an abstract board has no room")

    cdef int generate(self, int stage, Move* out) noexcept nogil:
        return 0

    cdef bint is_legal(self, Move move) noexcept nogil:
        return False

    cdef bint gives_check(self, Move move) noexcept nogil:
        return False

    cdef bint is_noisy(self, Move move) noexcept nogil:
        return False

    cdef bint see_ge(self, Move move, int cp) noexcept nogil:
        return True

    cdef int slot(self, Move move) noexcept nogil:
        return 0

    cdef int victim(self, Move move) noexcept nogil:
        return 0

    cdef int victim_cp(self, Move move) noexcept nogil:
        return 0

    cdef bint has_pieces(self) noexcept nogil:
        return False

    cdef int men_left(self) noexcept nogil:
        return 0

    cdef uint64_t key_after(self, Move move) noexcept nogil:
        return self.head[self.top].key

    cdef void make(self, Move move) noexcept nogil:
        pass

    cdef void make_null(self) noexcept nogil:
        pass

    cdef int goal_code(self, int index, int limit) noexcept nogil:
        return 0

    cdef Ending ending(self) noexcept nogil:
        return ONGOING

    cdef Ending no_moves(self) noexcept nogil:
        return CHECKMATE if self.head[self.top].in_check else STALEMATE

    cdef Board clone(self):
        raise NotImplementedError("an abstract board has no copy")

    cdef int check(self) except -1:
        raise NotImplementedError("an abstract board has no invariants")

    cdef bint repeated(self) noexcept nogil:
        """Has this state occurred once since the root, or the bare position twice in the whole game?

        A repetition inside the search is scored at once: the side that wants progress never needs it
        (docs/architecture.md). Before the root the players really were there, so the third occurrence counts.
        """
        cdef Head* now = &self.head[self.top]
        cdef int lowest = self.top - now.phase, i = self.top - 4
        cdef int seen = 0
        while i >= lowest:
            if self.head[i].key == now.key:
                if i >= self.root and self.head[i].node_key == now.node_key:
                    return True
                seen += 1
                if seen == 2:
                    return True
            i -= 2
        return False
