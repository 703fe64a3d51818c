# Shared by the training bindings: the bytes of games and of samples, and the inputs of networks.

from ..base.bits cimport lsb, pop_lsb, popcount
from ..network.weights cimport BUCKETS, FEATURES, KING_GROUPS, king_group
from ..base.types cimport KING, int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    HAS_START = 4                     # flag: the packed start position follows
    REASON_SHIFT = 4                  # the result, White's view, is in the lowest two bits: 0 lost, 1 drawn, 2 won
    NO_SCORE = -32768                 # score of a ply that was not searched

cdef packed struct GameHead:          # little-endian, as in files
    uint16_t plies
    uint8_t opening                   # number of plies in the opening, which have no scores
    uint8_t flags

cdef packed struct Ply:
    uint16_t move
    int16_t cp                        # side to move's view; mates are MATE_CP less the plies to it

cdef packed struct FairyPly:          # a ply of a game by definition
    uint32_t move                     # as in cext/base/types.pxd
    int16_t cp

cdef packed struct Sample:            # a position as the side to move sees it: its own pieces are White's, moving up
    uint64_t occupied
    uint8_t pieces[16]                # four bits per piece, from the lowest square; the low half of a byte comes first
    int16_t cp
    uint8_t result                    # 0 lost, 1 drawn, 2 won
    uint8_t ply                       # lowest eight bits of the ply in the game; in samples of records, the output
    uint32_t game


cdef enum:
    MOST_INPUTS = 64                  # most inputs of a perspective in a game by definition

cdef struct FairySample:              # a position of a game by definition, stored as the inputs of its networks
    int16_t cp                        # as above
    uint8_t result
    uint8_t ply
    uint32_t game
    int16_t static_cp                 # the hand-crafted evaluation
    uint8_t n                         # number of inputs of each perspective
    uint8_t bucket                    # the output
    uint16_t inputs[2][MOST_INPUTS]   # the perspective of the side to move comes first


cdef inline int bucket_of(int pieces) noexcept nogil:
    """The output bucket for this number of pieces."""
    return min((pieces - 2) // 4, BUCKETS - 1)


# Writes the inputs of both perspectives, the side to move's first; returns the number for each. Each king stands on
# the files e to h of its perspective. by_king: each group of king squares has inputs of its own.
cdef inline int features_of(const Sample* s, uint16_t* own, uint16_t* other, bint by_king) noexcept nogil:
    cdef uint64_t left = s.occupied
    cdef int sq, piece, n = 0, mirror_own = 0, mirror_other = 0, first_own = 0, first_other = 0
    while left:
        sq = pop_lsb(&left)
        piece = s.pieces[n >> 1] >> 4 * (n & 1) & 15
        if (piece & 7) == KING + 1:
            if piece & 8:
                mirror_other = 0 if sq & 4 else 7
                first_other = FEATURES * king_group(sq ^ 56 ^ mirror_other) if by_king else 0
            else:
                mirror_own = 0 if sq & 4 else 7
                first_own = FEATURES * king_group(sq ^ mirror_own) if by_king else 0
        own[n] = <uint16_t> ((piece >> 3) * 384 + ((piece & 7) - 1) * 64 + sq)
        n += 1
    for piece in range(n):
        sq = own[piece] & 63
        other[piece] = <uint16_t> (first_other + (own[piece] + 384 if own[piece] < 384 else own[piece] - 384) - sq
                                   + (sq ^ 56 ^ mirror_other))
        own[piece] = <uint16_t> (first_own + own[piece] - sq + (sq ^ mirror_own))
    return n
