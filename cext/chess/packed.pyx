"""Compact encodings of moves and positions for files of games."""

from libc.string cimport memset

from ..base.bits cimport bit, pop_lsb
from .position cimport Position, occupied_of
from ..base.types cimport *


cdef uint16_t pack16(Move move) noexcept nogil:
    cdef int to_sq = move_to(move), promotion = 0
    if move_kind(move) == CASTLING:
        to_sq = move_via(move)
    elif move_kind(move) == PROMOTION:
        promotion = move_promotion(move)
    return <uint16_t> (move_from(move) | to_sq << 6 | promotion << 12)


cdef Move unpack16(const Position* p, uint16_t packed) noexcept nogil:
    cdef int from_sq = packed & 63, to_sq = packed >> 6 & 63, promotion = packed >> 12
    cdef int piece = p.mailbox[from_sq]
    if promotion:
        return pack_move(from_sq, to_sq, 0, promotion, PROMOTION)
    if piece and piece_type_of(piece) == KING and p.castling & bit(to_sq) and p.mailbox[to_sq] == piece_of(p.stm, ROOK):
        # The king goes to the g-file or the c-file.
        return pack_move(from_sq, (from_sq & 56) + (6 if to_sq > from_sq else 2), to_sq, 0, CASTLING)
    if piece and piece_type_of(piece) == PAWN:
        if to_sq == p.ep_sq and (to_sq - from_sq) & 7:
            return pack_move(from_sq, to_sq, to_sq ^ 8, 0, EN_PASSANT)
        if to_sq - from_sq == 16 or from_sq - to_sq == 16:
            return pack_move(from_sq, to_sq, 0, 0, DOUBLE_STEP)
    return pack_move(from_sq, to_sq, 0, 0, NORMAL)


cdef void pack_position(const Position* p, int fullmove, PackedPosition* packed) noexcept nogil:
    cdef uint64_t occupied = occupied_of(p)
    cdef int n = 0
    memset(packed, 0, sizeof(PackedPosition))
    packed.occupied = occupied
    packed.castling = p.castling
    packed.stm = p.stm
    packed.ep_sq = p.ep_sq
    packed.clock = <uint16_t> p.clock
    packed.fullmove = <uint16_t> fullmove
    while occupied and n < MOST_PIECES:
        packed.pieces[n >> 1] |= <uint8_t> (p.mailbox[pop_lsb(&occupied)] << 4 * (n & 1))
        n += 1
