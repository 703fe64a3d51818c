# Moves in 16 bits and positions in 38 bytes, as stored in files of games (docs/training-data.md).
#
# A move has six bits for its origin, six for its target and three for the promotion (0 none, 1 knight .. 4 queen).
# Castling is written as king takes rook. The other fields of a move of the core follow from the position.

from .position cimport Position
from ..base.types cimport Move, uint8_t, uint16_t, uint64_t

cdef enum:
    MOST_PIECES = 32                  # in a packed position

cdef packed struct PackedPosition:    # little-endian
    uint64_t occupied
    uint64_t castling                 # squares of rooks that may still castle
    uint8_t pieces[16]                # four bits per piece, from the lowest square; the low half of a byte comes first
    uint8_t stm
    uint8_t ep_sq                     # NO_SQUARE without en passant
    uint16_t clock
    uint16_t fullmove

cdef uint16_t pack16(Move move) noexcept nogil

# The core's move, not yet validated: `is_legal` rejects moves that cannot be played.
cdef Move unpack16(const Position* p, uint16_t packed) noexcept nogil

# The packed position; it does not include `fullmove`.
cdef void pack_position(const Position* p, int fullmove, PackedPosition* packed) noexcept nogil
