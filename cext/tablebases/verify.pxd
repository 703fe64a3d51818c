# Testing a table against the rules: every state must follow from its moves.
#
# Moves come from the generator of the boards, not from the solver's.

from libc.stdint cimport int64_t, uint8_t

from ..chess.position cimport Position
from .layout cimport Layout
from .library cimport Library, Table

# Number of states (positions with a record) in this range that do not follow from their moves, violate the order of
# records, or violate the rule that an outcome beating a record holds under all weaker ones. bad: first such position.
cdef int64_t faults(Library* library, Table* table, int64_t first, int64_t last, int64_t step, bint whole_game,
                    int64_t* states, int64_t* bad) noexcept nogil

# The outcome by looking one ply ahead, 0 if a table is missing; like look_up, but en passant is allowed.
cdef int look_ahead(Library* library, const Position* p, int code, int owner, bint whole_game,
                    int* plies) noexcept nogil

# Sets up a position for make_move; false if it is illegal.
cdef bint set_up(const Layout* layout, int stm, const uint8_t* squares, Position* p) noexcept nogil

# Writes the positions among these numbers: side to move, squares in the order of the layout, goal code, outcome of the
# fresh state (a signed byte), plies to it (two bytes, little endian). Numbers without a table's value are left out.
# Returns the bytes written, n_pieces + 5 for each position.
cdef int64_t list_positions(Library* library, Table* table, int64_t first, int64_t last, uint8_t* out) noexcept nogil

# Finds, for each side to move and fresh outcome (index 128 + outcome), the first position with the most plies; writes
# the plies (-1 without a position) and its number.
cdef void find_longest(Library* library, Table* table, int (*plies)[256], int64_t (*numbers)[256]) noexcept nogil
