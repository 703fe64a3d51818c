# Legal moves of an orthodox position. Layer 2.

from .chess_position cimport Position
from .chess_scan cimport Scan
from .types cimport Move, uint64_t

# Fills in checks, pins and attacked squares.
cdef void scan_position(const Position* p, Scan* s) noexcept nogil

# Legal moves of a stage (types.Stage); returns their number. `out` has CHESS_MAX_MOVES + MOVE_ROOM places.
cdef int generate(const Position* p, const Scan* s, int stage, Move* out) noexcept nogil

# For any 32 bits: is this a legal move here?
cdef bint is_legal(const Position* p, const Scan* s, Move move) noexcept nogil

# Does a legal move attack the enemy king?
cdef bint gives_check(const Position* p, Move move) noexcept nogil

# Number of legal moves, and who gives check, of a position that nobody has scanned.
cdef int count(const Position* p, uint64_t* checkers) noexcept nogil

# Number of legal moves of a scanned position: exact below `limit`, else some number not below it.
cdef int count_below(const Position* p, const Scan* s, int limit) noexcept nogil
