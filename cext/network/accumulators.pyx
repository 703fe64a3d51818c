"""The hidden layer: the biases plus the rows of all pieces, kept in parallel to the board's stack.

The sums of a position are computed from those of the nearest computed position below it, by the moves between. If the
stack holds no such position, or the perspective's king changed all inputs by crossing the middle or entering another
group, the update starts from the last position computed for that view: near the root few pieces differ.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from ..base.bits cimport *
from ..base.board cimport Head
from ..base.system cimport aligned_free, aligned_new
from ..base.types cimport *
from ..chess.position cimport Position, pieces
from .weights cimport Weights, king_group, row_of

cimport cython

cdef enum:
    FARTHEST = 6                      # plies; from further back, fewer pieces differ from the cached position
    MOST_ROWS = 64


cdef inline int view_of(const Position* p, int perspective, bint by_king) noexcept nogil:
    """The perspective's view of the board, as row_of takes it; positions with equal views share inputs."""
    cdef int king = lsb(pieces(p, perspective, KING))
    cdef int flip = (56 if perspective else 0) ^ (0 if king & 4 else 7)
    return flip | king_group(king ^ flip) << 6 if by_king else flip


@cython.final
cdef class Accumulators:
    """The accumulators of one worker."""

    def __cinit__(self, Weights weights not None):
        cdef int i
        self.weights = weights
        self.width = weights.width
        self.places = <Place*> calloc(PLACES, sizeof(Place))
        self.values = <int16_t*> aligned_new(64, PLACES * 2 * self.width * sizeof(int16_t))
        self.cached_values = <int16_t*> aligned_new(64, VIEWS * self.width * sizeof(int16_t))
        if self.places == NULL or self.values == NULL or self.cached_values == NULL:
            raise MemoryError
        for i in range(VIEWS):        # the empty board
            memcpy(self.cached_values + i * self.width, weights.feature_biases, self.width * sizeof(int16_t))

    def __dealloc__(self):
        free(self.places)
        aligned_free(self.values)
        aligned_free(self.cached_values)

    cdef const int16_t* of(self, const Head* head, const Position* positions, int top, int perspective) noexcept nogil:
        cdef Place* place = &self.places[top & (PLACES - 1)]
        cdef int i = top, view
        cdef bint by_king = self.weights.by_king
        if place.key != head[top].key:
            place.key = head[top].key
            place.known[WHITE] = place.known[BLACK] = False
        if not place.known[perspective]:
            view = view_of(&positions[top], perspective, by_king)
            while True:
                i -= 1
                if i < 0 or top - i > FARTHEST or view_of(&positions[i], perspective, by_king) != view:
                    self.refresh(&positions[top], top, perspective, view)
                    break
                place = &self.places[i & (PLACES - 1)]
                if place.key == head[i].key and place.known[perspective]:
                    while i < top:
                        i += 1
                        self.step(head, i, perspective, view)
                    break
        return self.values + (2 * (top & (PLACES - 1)) + perspective) * self.width

    cdef void step(self, const Head* head, int to, int perspective, int view) noexcept nogil:
        """Update from the position below by one move, which adds and removes at most two pieces."""
        cdef const int16_t* features = self.weights.features
        cdef const int16_t* on[4]
        cdef const int16_t* off[4]
        cdef const int16_t* before = self.values + (2 * ((to - 1) & (PLACES - 1)) + perspective) * self.width
        cdef int16_t* after = self.values + (2 * (to & (PLACES - 1)) + perspective) * self.width
        cdef Place* place = &self.places[to & (PLACES - 1)]
        cdef int i, n_on = 0, n_off = 0, piece
        for i in range(head[to].n_changes):
            piece = head[to].changes[i].piece
            if head[to].changes[i].from_sq != NO_SQUARE:
                off[n_off] = row_of(features, self.width, perspective, view, piece, head[to].changes[i].from_sq)
                n_off += 1
            if head[to].changes[i].to_sq != NO_SQUARE:
                on[n_on] = row_of(features, self.width, perspective, view, piece, head[to].changes[i].to_sq)
                n_on += 1
        if place.key != head[to].key:
            place.key = head[to].key
            place.known[perspective ^ 1] = False
        place.known[perspective] = True
        if n_on == 1 and n_off == 1:
            rows_move(after, before, on[0], off[0], self.width)
        elif n_on == 1 and n_off == 2:
            rows_capture(after, before, on[0], off[0], off[1], self.width)
        elif n_on == 2 and n_off == 2:
            rows_castle(after, before, on[0], on[1], off[0], off[1], self.width)
        else:                         # a null move
            rows_many(after, before, on, n_on, off, n_off, self.width)

    cdef void refresh(self, const Position* p, int top, int perspective, int view) noexcept nogil:
        """Update from the cached position of this view, then replace it by this one."""
        cdef int at = view >> 6 << 2 | perspective << 1 | view & 1, us, type
        cdef Cached* cached = &self.cached[at]
        cdef int16_t* kept = self.cached_values + at * self.width
        cdef const int16_t* on[MOST_ROWS]
        cdef const int16_t* off[MOST_ROWS]
        cdef const int16_t* features = self.weights.features
        cdef uint64_t now, before, bits
        cdef int n_on = 0, n_off = 0
        for us in range(2):
            for type in range(6):
                now = p.by_colour[us] & p.by_type[type]
                before = cached.by_colour[us] & cached.by_type[type]
                bits = now & ~before
                while bits:
                    on[n_on] = row_of(features, self.width, perspective, view, piece_of(us, type), pop_lsb(&bits))
                    n_on += 1
                bits = before & ~now
                while bits:
                    off[n_off] = row_of(features, self.width, perspective, view, piece_of(us, type), pop_lsb(&bits))
                    n_off += 1
        rows_many(kept, kept, on, n_on, off, n_off, self.width)
        memcpy(cached.by_type, p.by_type, sizeof(cached.by_type))
        memcpy(cached.by_colour, p.by_colour, sizeof(cached.by_colour))
        memcpy(self.values + (2 * (top & (PLACES - 1)) + perspective) * self.width, kept, self.width * sizeof(int16_t))
        self.places[top & (PLACES - 1)].known[perspective] = True
