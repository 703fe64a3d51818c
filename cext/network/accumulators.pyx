"""The hidden layer: the biases plus the rows of all pieces, kept in parallel to the board's stack.

The sums of a position are computed from those of the nearest computed position below it, by the moves between. If the
stack holds no such position, or the perspective's king changed all inputs by crossing the middle or entering another
group, the update starts from the last position computed for that view: near the root few pieces differ.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from ..base.bits cimport *
from ..base.board cimport Change, Head
from ..base.system cimport aligned_free, aligned_new
from ..base.types cimport *
from ..chess.position cimport Position, pieces
from .weights cimport ACTIVE, FEATURES, KING_GROUPS, Weights, first_row_of, king_group

cimport cython

cdef enum:
    FARTHEST = 6                      # plies; a position further back differs in more pieces than the cached one
    MOST_ROWS = 64


cdef inline void enter_place(Place* place, uint64_t key) noexcept nogil:
    """Use the place for a position of which nothing is computed yet."""
    place.key = key
    place.view[WHITE] = place.view[BLACK] = NO_VIEW


cdef inline int view_of(int perspective, int king, bint by_king) noexcept nogil:
    """The perspective's view of the board, as row_in takes it; positions with equal views share inputs."""
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
        for i in range(PLACES):
            self.places[i].view[WHITE] = self.places[i].view[BLACK] = NO_VIEW
        for i in range(64):
            self.views[WHITE][i] = <int16_t> view_of(WHITE, i, weights.by_king)
            self.views[BLACK][i] = <int16_t> view_of(BLACK, i, weights.by_king)
        self.fill_piece_rows()
        for i in range(VIEWS):        # the empty board
            memcpy(self.cached_values + i * self.width, weights.feature_biases, self.width * sizeof(int16_t))

    def __dealloc__(self):
        free(self.places)
        aligned_free(self.values)
        aligned_free(self.cached_values)

    cdef void fill_piece_rows(self) noexcept nogil:
        cdef int perspective, group, us, type, piece
        for perspective in range(2):
            for group in range(KING_GROUPS if self.weights.by_king else 1):
                for us in range(2):
                    for type in range(6):
                        piece = piece_of(us, type)
                        self.piece_rows[perspective][group][piece] = (
                            self.weights.features
                            + (group * FEATURES + first_row_of(perspective, piece)) * self.width)

    cdef inline const int16_t* row_in(self, int perspective, int view, int piece, int sq) noexcept nogil:
        """The row of a piece on a square."""
        return self.piece_rows[perspective][view >> 6][piece] + (sq ^ (view & 63)) * self.width

    cdef const int16_t* of(self, const Head* head, const Position* positions, int top) noexcept nogil:
        cdef Place* place = &self.places[top & (PLACES - 1)]
        cdef const Position* p = &positions[top]
        cdef int white = self.views[WHITE][lsb(pieces(p, WHITE, KING))]
        cdef int black = self.views[BLACK][lsb(pieces(p, BLACK, KING))]
        cdef const int16_t* values = self.values + 2 * (top & (PLACES - 1)) * self.width
        cdef int i = top, last = top - FARTHEST if top > FARTHEST else 0
        if place.key != head[top].key:
            enter_place(place, head[top].key)
        elif place.view[WHITE] == white and place.view[BLACK] == black:
            return values
        while i > last:
            i -= 1
            place = &self.places[i & (PLACES - 1)]
            if place.key != head[i].key or place.view[WHITE] == NO_VIEW or place.view[BLACK] == NO_VIEW:
                continue
            if place.view[WHITE] != white or place.view[BLACK] != black:
                break
            while i < top:
                i += 1
                self.step_both(head, i, white, black)
            return values
        # No position below serves both perspectives, so each starts from the nearest one that serves it.
        self.compute(head, positions, top, WHITE, white)
        self.compute(head, positions, top, BLACK, black)
        return values

    cdef int output(self, const Head* head, const Position* positions, int top, int number) noexcept nogil:
        cdef const int16_t* values = self.of(head, positions, top)
        cdef int stm = head[top].stm
        return rows_output(values + stm * self.width, values + (stm ^ 1) * self.width,
                           self.weights.outputs + number * 2 * self.width, self.width) / ACTIVE

    cdef void compute(self, const Head* head, const Position* positions, int top, int perspective,
                      int view) noexcept nogil:
        """Compute one perspective from the nearest position with the same view, or else from the cached one."""
        cdef Place* place = &self.places[top & (PLACES - 1)]
        cdef int i = top, last = top - FARTHEST if top > FARTHEST else 0
        if place.view[perspective] == view:
            return
        while i > last:
            i -= 1
            place = &self.places[i & (PLACES - 1)]
            if place.key != head[i].key or place.view[perspective] == NO_VIEW:
                continue
            if place.view[perspective] != view:
                break
            while i < top:
                i += 1
                place = &self.places[i & (PLACES - 1)]
                if place.key != head[i].key:
                    enter_place(place, head[i].key)
                self.step(head, i, perspective, view)
            return
        self.refresh(&positions[top], top, perspective, view)

    cdef void step(self, const Head* head, int to, int perspective, int view) noexcept nogil:
        """Update from the position below by one move. The caller has stored the position's key in the place."""
        cdef const int16_t* before = self.values + (2 * ((to - 1) & (PLACES - 1)) + perspective) * self.width
        cdef int16_t* after = self.values + (2 * (to & (PLACES - 1)) + perspective) * self.width
        self.places[to & (PLACES - 1)].view[perspective] = <int16_t> view
        self.advance(&head[to], before, after, perspective, view)

    cdef inline void step_both(self, const Head* head, int to, int white, int black) noexcept nogil:
        """The same for both perspectives, where the place need not have the key yet."""
        cdef const int16_t* before = self.values + 2 * ((to - 1) & (PLACES - 1)) * self.width
        cdef int16_t* after = self.values + 2 * (to & (PLACES - 1)) * self.width
        cdef Place* place = &self.places[to & (PLACES - 1)]
        place.key = head[to].key
        place.view[WHITE] = <int16_t> white
        place.view[BLACK] = <int16_t> black
        self.advance(&head[to], before, after, WHITE, white)
        self.advance(&head[to], before + self.width, after + self.width, BLACK, black)

    cdef inline void advance(self, const Head* head, const int16_t* before, int16_t* after, int perspective,
                             int view) noexcept nogil:
        """Update one perspective by the move that led to this head."""
        cdef const Change* moved = &head.changes[0]
        cdef const Change* taken = &head.changes[1]
        if head.n_changes == 1:       # a quiet move
            rows_move(after, before, self.row_in(perspective, view, moved.piece, moved.to_sq),
                      self.row_in(perspective, view, moved.piece, moved.from_sq), self.width)
        elif head.n_changes == 2 and moved.to_sq != NO_SQUARE and taken.to_sq == NO_SQUARE:
            rows_capture(after, before, self.row_in(perspective, view, moved.piece, moved.to_sq),
                         self.row_in(perspective, view, moved.piece, moved.from_sq),
                         self.row_in(perspective, view, taken.piece, taken.from_sq), self.width)
        else:
            self.advance_many(head, before, after, perspective, view)

    cdef void advance_many(self, const Head* head, const int16_t* before, int16_t* after, int perspective,
                           int view) noexcept nogil:
        """The same for any move, which adds and removes at most two pieces, and for a null move."""
        cdef const int16_t* on[4]
        cdef const int16_t* off[4]
        cdef const Change* change
        cdef int i, n_on = 0, n_off = 0
        for i in range(head.n_changes):
            change = &head.changes[i]
            if change.from_sq != NO_SQUARE:
                off[n_off] = self.row_in(perspective, view, change.piece, change.from_sq)
                n_off += 1
            if change.to_sq != NO_SQUARE:
                on[n_on] = self.row_in(perspective, view, change.piece, change.to_sq)
                n_on += 1
        if n_on == 2 and n_off == 2:
            rows_castle(after, before, on[0], on[1], off[0], off[1], self.width)
        else:
            rows_many(after, before, on, n_on, off, n_off, self.width)

    cdef void refresh(self, const Position* p, int top, int perspective, int view) noexcept nogil:
        """Update from the cached position of this view, then replace it by this one."""
        cdef int at = view >> 6 << 2 | perspective << 1 | view & 1, i, sq
        cdef Cached* cached = &self.cached[at]
        cdef int16_t* kept = self.cached_values + at * self.width
        cdef const int16_t* on[MOST_ROWS]
        cdef const int16_t* off[MOST_ROWS]
        cdef uint64_t changed = (p.by_colour[WHITE] ^ cached.by_colour[WHITE]
                                 | p.by_colour[BLACK] ^ cached.by_colour[BLACK])
        cdef int n_on = 0, n_off = 0
        for i in range(6):
            changed |= p.by_type[i] ^ cached.by_type[i]
        while changed:
            sq = pop_lsb(&changed)
            if cached.mailbox[sq]:
                off[n_off] = self.row_in(perspective, view, cached.mailbox[sq], sq)
                n_off += 1
            if p.mailbox[sq]:
                on[n_on] = self.row_in(perspective, view, p.mailbox[sq], sq)
                n_on += 1
        rows_many(kept, kept, on, n_on, off, n_off, self.width)
        memcpy(cached.by_type, p.by_type, sizeof(cached.by_type))
        memcpy(cached.by_colour, p.by_colour, sizeof(cached.by_colour))
        memcpy(cached.mailbox, p.mailbox, sizeof(cached.mailbox))
        memcpy(self.values + (2 * (top & (PLACES - 1)) + perspective) * self.width, kept, self.width * sizeof(int16_t))
        self.places[top & (PLACES - 1)].view[perspective] = <int16_t> view
