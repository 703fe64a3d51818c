# Squares that pieces attack, for given occupied squares.
#
# The tables are filled at import (about a millisecond); slider look-ups cost one index and one load.

from .bits cimport slider_index, uint64_t
from .types cimport uint8_t

cdef struct Slider:                   # one square's look-up: table[slider_index(occupied, mask, magic, shift)]
    uint64_t* table
    uint64_t mask                     # squares whose occupation matters
    uint64_t magic                    # for processors without fast bit extraction
    int shift

cdef Slider ROOKS[64]
cdef Slider BISHOPS[64]
cdef uint64_t KNIGHT_ATTACKS[64]
cdef uint64_t KING_ATTACKS[64]
cdef uint64_t PAWN_ATTACKS[2][64]     # [colour of the pawn][square]
cdef uint64_t BETWEEN[64][64]         # the squares strictly between two squares; 0 if they are not on one line
cdef uint64_t LINE[64][64]            # the whole line through two squares; 0 if they are not on one line
cdef uint8_t DISTANCE[64][64]         # distance in king moves


cdef inline uint64_t rook_attacks(int sq, uint64_t occupied) noexcept nogil:
    cdef Slider* s = &ROOKS[sq]
    return s.table[slider_index(occupied, s.mask, s.magic, s.shift)]


cdef inline uint64_t bishop_attacks(int sq, uint64_t occupied) noexcept nogil:
    cdef Slider* s = &BISHOPS[sq]
    return s.table[slider_index(occupied, s.mask, s.magic, s.shift)]


cdef inline uint64_t queen_attacks(int sq, uint64_t occupied) noexcept nogil:
    return rook_attacks(sq, occupied) | bishop_attacks(sq, occupied)
