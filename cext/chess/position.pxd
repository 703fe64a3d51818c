# An orthodox position as a plain struct: bulk work copies it, the board keeps a stack of it.

from ..base.types cimport Move, int16_t, uint8_t, uint64_t

cdef struct Position:                 # 192 bytes, three cache lines; counting reads the first two only
    uint64_t by_type[6]               # PAWN..KING, both colours
    uint64_t by_colour[2]
    uint64_t key                      # Zobrist key of everything below and the pieces
    uint64_t pawn_key                 # pawns and kings only
    uint64_t material_key             # a four-bit count of each piece: the sum of 1 << 4 * piece
    uint64_t castling                 # squares of rooks that may still castle
    uint8_t stm
    uint8_t ep_sq                     # square behind a pawn that has just stepped twice, if it can be captured
    int16_t clock                     # plies since the last capture or pawn move
    uint8_t mailbox[64]               # piece on each square, 0 empty
    uint8_t reserved[12]              # pads the struct to three cache lines
    uint64_t non_pawn_keys[2]         # keys of each side's pieces other than pawns

# Sets `target` to `source` after a legal move; the two must be different structs.
cdef void make_move(const Position* source, Position* target, Move move) noexcept nogil

# The same for a null move; must not be called in check.
cdef void make_null_move(const Position* source, Position* target) noexcept nogil

# Pieces of both colours that attack a square, with the given squares occupied.
cdef uint64_t attackers(const Position* p, int sq, uint64_t occupied) noexcept nogil

# True if the pawn on from_sq (side to move) can take en passant on ep_sq without leaving its king attacked.
cdef bint ep_is_legal(const Position* p, int from_sq, int ep_sq) noexcept nogil

# Computes key, pawn_key, material_key and non_pawn_keys from scratch.
cdef void refresh_keys(Position* p) noexcept nogil


cdef inline uint64_t occupied_of(const Position* p) noexcept nogil:
    return p.by_colour[0] | p.by_colour[1]


cdef inline uint64_t pieces(const Position* p, int colour, int type) noexcept nogil:
    return p.by_colour[colour] & p.by_type[type]
