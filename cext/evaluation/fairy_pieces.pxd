# Values of pieces in any compiled game: material, placement and attacks.

from ..fairy.position cimport FairyPosition
from ..fairy.rules cimport FairyRules
from ..fairy.squares cimport WORDS
from ..fairy.steps cimport TYPES
from .fairy_pawns cimport FairyPawnEntry, FairyPawns
from .fairy_weights cimport FAIRY_WEIGHTS
from ..base.types cimport int32_t, uint8_t, uint64_t

cdef enum:                            # terms
    T_MATERIAL
    T_PLACEMENT
    T_PAIRS
    T_MOBILITY
    T_PAWNS
    T_PASSED
    T_THREATS
    T_ROYALS
    T_HILL
    T_DRIVE
    T_TEMPO
    TERMS

cdef enum:
    MOST_HITS = 128                   # most attacks on pieces that an evaluation counts

cdef struct Hit:                      # a piece attacks an enemy piece
    uint8_t type
    uint8_t sq

cdef struct Sheet:                    # working data of one evaluation
    int mg[TERMS]                     # centipawns, White's view
    int eg[TERMS]
    uint64_t occupied[WORDS]
    uint64_t attacks[2][WORDS]
    uint64_t twice[2][WORDS]          # squares attacked by two pieces; all pawns together count as one piece
    uint64_t by_royal[2][WORDS]
    uint64_t by_type[2][TYPES][WORDS]  # squares attacked by each type
    int n_hits[2]
    uint64_t zone[2][WORDS]           # squares around the royal, if there is only one
    int danger[2]                     # units of attack on that royal
    int attackers[2]
    int royal_sq[2]                   # square of the royal; -1 if a side has several
    int phase                         # centipawns of both sides, without pawns and royals
    Hit hits[2][MOST_HITS]            # last member, not cleared

cdef struct Worth:                    # value of a piece on a square, in centipawns, White's view
    int32_t mg
    int32_t eg
    int32_t phase

cdef class FairyTables:
    cdef FairyRules rules
    cdef int w[FAIRY_WEIGHTS]
    cdef Worth worth[32][256]         # by piece and square; 0 for piece 0, the empty square
    cdef int32_t full_phase           # centipawns of pieces that make a full middlegame
    cdef int worth_mg[TYPES]          # centipawns; a royal counts only where a side has several
    cdef int worth_eg[TYPES]
    cdef int held_mg[TYPES]           # centipawns of a piece in hand
    cdef int held_eg[TYPES]
    cdef int move_mg[TYPES]           # value of one move, in 16ths of a centipawn
    cdef int move_eg[TYPES]
    cdef int usual[TYPES]             # mean number of moves, in 16ths; a piece with this many moves scores 0
    cdef int attacker[TYPES]          # units of attack of a piece that takes part
    cdef int weight[TYPES]            # weight of a threat to this type, in 16ths; smaller for light pieces
    cdef uint8_t confined[TYPES]      # whether the type may not stand on some squares
    cdef int missing[TYPES]           # share of F_NO_STRONG if this is the side's strongest piece, in 16ths
    cdef uint64_t flanks[2][16][WORDS]  # files beside a royal, in its own half
    cdef int pair_types[TYPES]        # types of which a pair earns a bonus
    cdef int n_pair_types

    cdef int fill(self) except -1

# Notes mobility and attacks of one side, including attacks on the enemy royal.
cdef void note_pieces(FairyTables t, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet,
                      int us) noexcept nogil

# Adds these terms for both sides; the sheet must hold the squares of the royals.
cdef void score_attacks(FairyTables t, FairyPawns pawns, const FairyPosition* p, const FairyPawnEntry* entry,
                        Sheet* sheet) noexcept nogil


# Twice the distance of a file or rank from the middle of the board.
cdef inline int from_middle(int at, int length) noexcept nogil:
    cdef int distance = 2 * at - (length - 1)
    return distance if distance >= 0 else -distance
