# Legal moves of an orthodox position.

from .position cimport Position
from .legal_count cimport Scan
from ..base.types cimport Move, colour_of, move_to, piece_type_of, uint64_t

# A goal that a board keeps: the key of its position without the last KEPT_SHIFT bits, whether the goal is exact, and
# its code. An inexact code is a lower bound.
cdef enum:
    KEPT_SHIFT = 16
    KEPT_EXACT = 0x8000
    KEPT_CODE = 0x7fff

# Fills in checks, pins and attacked squares.
cdef void scan_position(const Position* p, Scan* s) noexcept nogil

# Legal moves of a stage (types.Stage); returns their number. `out` has CHESS_MAX_MOVES + MOVE_ROOM places.
cdef int generate(const Position* p, const Scan* s, int stage, Move* out) noexcept nogil

# True if the move is legal here; accepts any 32 bits.
cdef bint is_legal(const Position* p, const Scan* s, Move move) noexcept nogil

# True if a legal move gives check.
cdef bint gives_check(const Position* p, Move move) noexcept nogil

# Writes a mark for each of these legal moves: twice its slot, plus 1 if it gives check.
cdef void describe_moves(const Position* p, const Move* moves, int count, int* marks) noexcept nogil

# Board.weigh_threats: rewards leaving squares that lesser enemy pieces attack, and penalises entering them.
cdef void weigh_threats(const Position* p, const Move* moves, int count, int* threats) noexcept nogil

# Board.slot for a move of this piece.
cdef inline int slot_of(int piece, Move move) noexcept nogil:
    return (colour_of(piece) * 6 + piece_type_of(piece)) * 64 + move_to(move)

# Number of legal moves, and the checkers, of a position that has not been scanned.
cdef int count(const Position* p, uint64_t* checkers) noexcept nogil

# Number of legal moves of a scanned position: exact below `limit`, else any number of at least `limit`.
cdef int count_below(const Position* p, const Scan* s, int limit) noexcept nogil

# Goal code of a scanned position: exact below `limit`, else any number of at least `limit`. Also writes it to `kept`.
cdef int keep_goal(const Position* p, const Scan* s, int limit, uint64_t* kept) noexcept nogil
