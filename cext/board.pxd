# What a game position can do, whatever the game. Layer 1.
#
# A board is a stack of whole positions: the game since its last reset (and a little before), then the search path.
# `make` writes the place above the top, unmaking is `top -= 1`; there is no unmake code that could be wrong, and
# whoever asks about repetition or records reads the stack instead of being notified.
#
# A module cimports only from its own layer or those below: docs/architecture.md has the list,
# tests/test_architecture.py holds it.

from .types cimport Ending, Move, int8_t, int16_t, int32_t, uint8_t, uint64_t

cdef struct Record:                   # the lowest goal since the last reset
    int32_t index                     # where on the stack it was reached
    int16_t code                      # 2 * legal moves + [not in check], UNKNOWN if nobody has asked yet
    int8_t owner                      # who reached it: the side that had just moved

cdef struct Change:                   # one man placed (from_sq NO_SQUARE), moved or taken (to_sq NO_SQUARE)
    uint8_t piece
    uint8_t from_sq
    uint8_t to_sq

cdef struct Head:                     # what every layer reads of a position, one per place of the stack
    uint64_t key
    uint64_t pawn_key
    uint64_t material_key
    uint64_t node_key                 # key with the record folded in; written by Objective.enter
    Record record                     # written by Objective.record
    int16_t clock                     # 50-move counter
    int16_t phase                     # plies since the last reset; differs from clock under some rules
    uint8_t stm
    uint8_t in_check
    uint8_t is_null                   # reached by passing
    uint8_t dead                      # no pawns, and neither side's men could mate a bare king
    uint8_t n_changes
    Change changes[4]                 # what the last move did, for accumulators
    Move move                         # the move that led here, 0 at the bottom

cdef class Board:                     # abstract; owns its stack
    cdef Head* head                   # head[top] is now
    cdef int top                      # the position on the board
    cdef int root                     # where the search began
    cdef int capacity                 # places of the stack
    cdef public int clock_limit       # 100 plies, or out of reach
    cdef public bint material_ends    # does dead material end the game?
    cdef public object game           # what notation wants to know of the game; None for chess
    cdef public int first_rank        # number of the lowest rank in moves as text
    cdef readonly int first_ply       # plies of the game before the bottom of the stack
    cdef readonly uint64_t goal_calls  # how often a goal was counted: none in a game without records
    cdef readonly int max_moves       # sizes the worker allocates by
    cdef readonly int move_slots
    cdef int reserve(self, int capacity) except -1                   # room for so many positions
    cdef int generate(self, int stage, Move* out) noexcept nogil     # legal moves only; returns how many
    cdef bint is_legal(self, Move move) noexcept nogil               # for any 32 bits: table, killer, user
    cdef bint gives_check(self, Move move) noexcept nogil            # of a legal move
    cdef bint is_noisy(self, Move move) noexcept nogil               # capture or promotion
    cdef bint see_ge(self, Move move, int cp) noexcept nogil         # in doubt (hoppers, locusts) it says yes
    cdef int slot(self, Move move) noexcept nogil                    # history index below move_slots
    cdef int victim(self, Move move) noexcept nogil                  # 0 nothing, else 1 + the man taken; below 8
    cdef int victim_cp(self, Move move) noexcept nogil               # what a noisy move wins at best, in centipawns
    cdef bint has_pieces(self) noexcept nogil                        # is passing safe: more than king, pawns, one man?
    cdef int men_left(self) noexcept nogil                           # of both sides, kings included
    cdef uint64_t key_after(self, Move move) noexcept nogil          # a good guess, to fetch table memory early
    cdef void make(self, Move move) noexcept nogil
    cdef void make_null(self) noexcept nogil                         # no goal is achieved by it
    cdef int goal_code(self, int index, int limit) noexcept nogil    # exact below limit, else anything >= limit
    cdef Ending ending(self) noexcept nogil                          # all but mate and stalemate; reads node_key
    cdef Ending no_moves(self) noexcept nogil                        # what it means to have no legal move
    cdef Board clone(self)                                           # per worker, at `go`
    cdef int check(self) except -1                                   # every invariant; tests and debug builds
    cdef bint repeated(self) noexcept nogil                          # part of ending(), common to all boards
