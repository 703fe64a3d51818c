# Terms of pawns and royals in any compiled game, cached by pawn key. CPW: Pawn Hash Table.

from ..fairy.position cimport FairyPosition
from ..fairy.rules cimport FairyRules
from ..fairy.squares cimport WORDS, fairy_lsb
from ..fairy.steps cimport TYPES
from ..base.types cimport WHITE, int32_t, uint8_t, uint64_t

cdef enum:
    FAIRY_PAWN_ENTRIES = 4096         # two thirds of a megabyte for each evaluator

cdef enum:                            # terms
    P_STRUCTURE
    P_PASSED
    P_SHELTER
    PAWN_TERMS

cdef struct FairyPawnEntry:
    uint64_t key                      # 0 for an empty place, and for a position without pawns and royals
    int32_t mg[PAWN_TERMS]            # centipawns, White's view
    int32_t eg[PAWN_TERMS]
    uint64_t attacks[2][WORDS]        # squares on which pawns may take
    uint64_t passed[2][WORDS]         # passed pawns that have a promotion ahead

cdef struct PawnFiles:                # indexed by file + 1, so that both edge files have an empty neighbour
    int enemy_front[18]               # highest rank of an enemy pawn, counted from our side; -1 for none
    int own_front[18]                 # the same for our pawns
    int own_count[18]

cdef struct Survey:                   # all pawns of a position
    int n
    uint8_t sq[256]
    uint8_t us[256]
    uint8_t file[256]                 # file of each square, counted from 1
    uint8_t own_rank[256]
    PawnFiles files[2]                # the files as each side sees them

cdef class FairyPawns:
    cdef FairyRules rules
    cdef const int* w                 # the numbers of the evaluator that owns the table
    cdef FairyPawnEntry* entries
    cdef int32_t passed_mg[2][256]    # bonus of a passed pawn by square, ignoring blockers
    cdef int32_t passed_eg[2][256]
    cdef int32_t passed_free[2][256]  # endgame bonus if the pawn can step forward without being captured
    cdef int32_t passed_part[2][256]  # share of these bonuses, divided by 8 * way * way
    cdef int32_t way                  # number of ranks that a pawn must advance in all
    cdef uint64_t zones[TYPES][256][WORDS]      # the square of a royal and the squares it can step to

    cdef int fill_tables(self, const int* w) except -1
    cdef const FairyPawnEntry* probe(self, const FairyPosition* p) noexcept nogil
    # The same without the table, for tracing.
    cdef void compute(self, const FairyPosition* p, FairyPawnEntry* entry) noexcept nogil
    cdef void add_passed(self, FairyPawnEntry* entry, int us, int sq, const int* royal_sq) noexcept nogil
    cdef void add_files(self, FairyPawnEntry* entry, const Survey* survey, int us, int royal_sq) noexcept nogil
    cdef void add_shelter(self, const FairyPosition* p, FairyPawnEntry* entry, int us, int royal_sq) noexcept nogil
    cdef void mark_attacks(self, const FairyPosition* p, FairyPawnEntry* entry, int us, int sq) noexcept nogil
    cdef int way_to_go(self, int us, int own_rank) noexcept nogil
    cdef int promotion_gain(self, int us, int file) noexcept nogil


# The square of a side's royal; -1 if it has several.
cdef inline int lone_royal(FairyRules rules, const FairyPosition* p, int us) noexcept nogil:
    cdef int word
    if p.n_royals[us] == 1:
        for word in range(rules.words):
            if p.royals[us][word]:
                return word * 64 + fairy_lsb(p.royals[us][word])
    return -1


# Rank from the side's own view; 0 is the first.
cdef inline int own_rank_of(FairyRules rules, int us, int sq) noexcept nogil:
    cdef int rank = rules.rank_of[sq]
    return rank if us == WHITE else rules.height - 1 - rank


# The larger of the distances in files and in ranks.
cdef inline int distance_of(FairyRules rules, int a, int b) noexcept nogil:
    cdef int files = abs(rules.file_of[a] - rules.file_of[b])
    cdef int ranks = abs(rules.rank_of[a] - rules.rank_of[b])
    return max(files, ranks)
