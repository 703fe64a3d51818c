"""The hidden layer for games by definition: the biases plus the rows of all inputs, kept in parallel to the board's
stack.

It works as in chess (accumulators.pyx), except that comparing squares finds the pieces that a move changed.
"""

from libc.stdlib cimport calloc, free

from ..base.bits cimport rows_many, rows_move
from ..base.system cimport aligned_free, aligned_new
from ..base.types cimport *
from ..fairy.fairy_board cimport FairyBoard
from ..fairy.position cimport FairyPosition
from ..fairy.rules cimport FairyRules
from ..fairy.squares cimport fairy_lsb
from .accumulators cimport PLACES
from .fairy_inputs cimport MOST_COUNTED, FairyInputs
from .weights cimport Weights

cimport cython

cdef enum:
    FARTHEST = 8                      # plies; beyond that, a full computation takes fewer rows than updates
    MOST_TOUCHED = 11                 # squares that a move touches: four, or with an explosion nine and two
    MOST_BESIDE = 6
    MOST_HELD_CHANGES = 4             # pieces that a move puts into a hand or takes from one: one; the rest is spare
    MOST_CHANGES = MOST_TOUCHED + MOST_BESIDE + MOST_HELD_CHANGES
    MOST_ROWS = 256 + MOST_BESIDE


cdef inline int touched_by(Move move, int* out) noexcept nogil:
    """Collect the squares that a move may have changed; returns their number."""
    cdef int from_sq = move_from(move), to_sq = move_to(move), via = move_via(move), kind = move_kind(move), n = 0
    if move == 0:
        return 0
    out[0], out[1], n = from_sq, to_sq, 1 if from_sq == to_sq else 2  # a drop has one square
    if kind == EN_PASSANT or kind == CASTLING or kind == CASTLE_GATING:
        out[n] = via
        n += 1
    if kind == CASTLING or kind == CASTLE_GATING:
        out[n] = to_sq - 1 if via > from_sq else to_sq + 1
        n += out[n] != from_sq
    return n


cdef int touched_by_blast(FairyRules rules, const FairyPosition* before, const FairyPosition* after, Move move,
                          int* out, int n) noexcept nogil:
    """Add the squares that an explosion emptied to those of `touched_by`; returns their number."""
    cdef int word, sq, i
    cdef uint64_t rest
    for word in range(rules.words if move else 0):
        rest = rules.around[move_to(move)][word] & (
            (before.occupied[0][word] & ~after.occupied[0][word])
            | (before.occupied[1][word] & ~after.occupied[1][word]))
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            i = 0
            while i < n and out[i] != sq:
                i += 1
            if i == n and n < MOST_TOUCHED:
                out[n] = sq
                n += 1
    return n


@cython.final
cdef class FairyAccumulators:
    """The accumulators of one worker."""

    def __cinit__(self, Weights weights not None, FairyInputs inputs not None):
        self.weights = weights
        self.inputs = inputs
        self.width = weights.width
        self.places = <FairyPlace*> calloc(PLACES, sizeof(FairyPlace))
        self.values = <int16_t*> aligned_new(64, PLACES * 2 * self.width * sizeof(int16_t))
        if self.places == NULL or self.values == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.places)
        aligned_free(self.values)

    cdef const int16_t* of(self, FairyBoard board, int top, int perspective) noexcept nogil:
        cdef FairyPlace* place = &self.places[top & (PLACES - 1)]
        cdef int i = top, mirrored
        if place.key != board.head[top].key:
            place.key = board.head[top].key
            place.known[WHITE] = place.known[BLACK] = False
        if not place.known[perspective]:
            mirrored = self.inputs.mirrors(&board.positions[top], perspective)
            while True:
                i -= 1
                if i < 0 or top - i > FARTHEST or self.inputs.mirrors(&board.positions[i], perspective) != mirrored:
                    self.refresh(&board.positions[top], top, perspective)
                    break
                place = &self.places[i & (PLACES - 1)]
                if place.key == board.head[i].key and place.known[perspective]:
                    while i < top:
                        i += 1
                        self.step(board, i, perspective, mirrored)
                    break
        return self.values + (2 * (top & (PLACES - 1)) + perspective) * self.width

    cdef void step(self, FairyBoard board, int to, int perspective, int mirrored) noexcept nogil:
        """Update from the position below by the changes of one move."""
        cdef const FairyPosition* before = &board.positions[to - 1]
        cdef const FairyPosition* after = &board.positions[to]
        cdef const int16_t* features = self.weights.features
        cdef const int16_t* on[MOST_CHANGES]
        cdef const int16_t* off[MOST_CHANGES]
        cdef int[MOST_TOUCHED] touched
        cdef uint16_t[MOST_BESIDE] extra
        cdef const int16_t* start = self.values + (2 * ((to - 1) & (PLACES - 1)) + perspective) * self.width
        cdef int16_t* out = self.values + (2 * (to & (PLACES - 1)) + perspective) * self.width
        cdef FairyPlace* place = &self.places[to & (PLACES - 1)]
        cdef int i, n, n_on = 0, n_off = 0, sq
        n = touched_by(board.head[to].move, touched)
        if self.inputs.rules.explodes:
            n = touched_by_blast(self.inputs.rules, before, after, board.head[to].move, touched, n)
        for i in range(n):
            sq = touched[i]
            if before.mailbox[sq] == after.mailbox[sq]:
                continue
            if before.mailbox[sq]:
                off[n_off] = features + self.inputs.place(perspective, mirrored, before.mailbox[sq], sq) * self.width
                n_off += 1
            if after.mailbox[sq]:
                on[n_on] = features + self.inputs.place(perspective, mirrored, after.mailbox[sq], sq) * self.width
                n_on += 1
        if self.inputs.rules.has_gating or self.inputs.rules.checks:
            for i in range(self.inputs.beside(before, perspective, extra)):
                off[n_off] = features + extra[i] * self.width
                n_off += 1
            for i in range(self.inputs.beside(after, perspective, extra)):
                on[n_on] = features + extra[i] * self.width
                n_on += 1
        if self.inputs.rules.has_hands:
            self.hands(before, after, perspective, on, &n_on, off, &n_off)
        if place.key != board.head[to].key:
            place.key = board.head[to].key
            place.known[perspective ^ 1] = False
        place.known[perspective] = True
        if n_on == 1 and n_off == 1:
            rows_move(out, start, on[0], off[0], self.width)
        else:
            rows_many(out, start, on, n_on, off, n_off, self.width)

    cdef void hands(self, const FairyPosition* before, const FairyPosition* after, int perspective,
                    const int16_t** on, int* n_on, const int16_t** off, int* n_off) noexcept nogil:
        """Add the rows of pieces that a move has put into a hand, and of those that it has taken from one."""
        cdef int side, i, k, type
        for side in range(2):
            for i in range(self.inputs.rules.n_drop_types[side]):
                type = self.inputs.rules.drop_types[side][i]
                for k in range(min(<int> before.held[side][type], <int> MOST_COUNTED),
                               min(<int> after.held[side][type], <int> MOST_COUNTED)):
                    on[n_on[0]] = self.weights.features + self.inputs.held(perspective, side, type, k) * self.width
                    n_on[0] += 1
                for k in range(min(<int> after.held[side][type], <int> MOST_COUNTED),
                               min(<int> before.held[side][type], <int> MOST_COUNTED)):
                    off[n_off[0]] = self.weights.features + self.inputs.held(perspective, side, type, k) * self.width
                    n_off[0] += 1

    cdef void refresh(self, const FairyPosition* p, int top, int perspective) noexcept nogil:
        cdef const int16_t* rows[MOST_ROWS]
        cdef uint16_t[MOST_ROWS] inputs
        cdef int i, n = self.inputs.all_of(p, perspective, inputs, MOST_ROWS)
        for i in range(n):
            rows[i] = self.weights.features + inputs[i] * self.width
        rows_many(self.values + (2 * (top & (PLACES - 1)) + perspective) * self.width, self.weights.feature_biases,
                  rows, n, rows, 0, self.width)
        self.places[top & (PLACES - 1)].known[perspective] = True
