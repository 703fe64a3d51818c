# Testing a table against the rules: every state must follow from its moves. Layer 4.
#
# Moves come from the generator of the boards, not from the solver's.

from libc.stdint cimport int64_t, uint8_t

from ..chess.position cimport Position
from .layout cimport Layout
from .library cimport Library, Table

# Number of states (positions with a record) among the given numbers that do not follow from their moves, or break
# the order of records, or the rule that what beats a record holds for all weaker ones. bad: the first such number.
cdef int64_t faults(Library* library, Table* table, int64_t first, int64_t last, int64_t step, bint whole_game,
                    int64_t* states, int64_t* bad) noexcept nogil

# The outcome by looking one ply ahead, 0 if something is missing; as look_up, but en passant is allowed.
cdef int look_ahead(Library* library, const Position* p, int code, int owner, bint whole_game,
                    int* plies) noexcept nogil

# Puts men on a board as make_move needs them; false if this is no position.
cdef bint set_up(const Layout* layout, int stm, const uint8_t* squares, Position* p) noexcept nogil
