# Which material can still mate: the divisor of a score (H.G. Muller, "Heuristics for accounting for mating potential",
# 2013, the rules of Pair-o-Max).

from ..base.types cimport int16_t, uint8_t

cdef enum:
    MOST_TYPES = 16
    ADVANTAGE_CP = 350                # without pawns, a smaller lead in centipawns does not win

cdef struct Traits:                   # the traits of a piece type other than king and pawn
    int16_t value                     # centipawns
    int16_t bonus                     # centipawns added for a side that has two such pieces
    uint8_t mates                     # mates a bare king
    uint8_t tough                     # holds a draw alone against any one piece
    uint8_t no_pair                   # two such pieces cannot mate
    uint8_t bound                     # bound to squares of one colour

cdef Traits CHESS_TRAITS[MOST_TYPES]  # indexed by type: knight, bishop, rook, queen

# Divisor of the leader's score: 1, 2, 4 or 8. `ours` and `theirs` count the leader's and the defender's pieces by
# type; `pawns` counts the leader's pawns, the defender's do not matter.
cdef int divisor(const Traits* traits, const uint8_t* ours, const uint8_t* theirs, int pawns) noexcept nogil
# Lower bound of the divisor if all pieces of the leader are bound to squares of one colour. However many they are, they
# cannot mate a bare king, so capturing the last pawn secures the draw.
cdef int one_coloured_divisor(const uint8_t* theirs, int pawns) noexcept nogil
# True if this army cannot mate even a bare king.
cdef bint is_harmless(const Traits* traits, const uint8_t* ours) noexcept nogil
