# Evaluation of any compiled game. Layer 3.

from ..base.board cimport Board
from ..value.evaluator cimport Evaluator
from ..fairy.board cimport FairyBoard
from ..fairy.position cimport FairyPosition
from ..fairy.rules cimport TYPES, WORDS, FairyRules
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
    FAIRY_ACCUMULATORS = 256          # a power of two; higher places of the stack share entries, told apart by the key

cdef struct Worth:                    # of a man on a square, centipawns, White's view
    int32_t mg
    int32_t eg
    int32_t phase

cdef struct FairyAccumulator:         # material and placement of one place of the stack
    uint64_t key                      # of the position: equal keys mean equal men
    Worth sum

cdef enum:
    MOST_HITS = 128                   # attacks on men that an evaluation looks at

cdef struct Hit:                      # a piece attacks a man
    uint8_t type
    uint8_t sq

cdef struct Sheet:                    # working data of one evaluation
    int mg[TERMS]                     # centipawns, White's view
    int eg[TERMS]
    uint64_t occupied[WORDS]
    uint64_t attacks[2][WORDS]
    uint64_t twice[2][WORDS]          # attacked by two men, pawns counted as one
    uint64_t by_royal[2][WORDS]
    uint64_t by_type[2][TYPES][WORDS]  # of types that a side has
    int n_hits[2]
    uint64_t zone[2][WORDS]           # squares around the royal, if there is only one
    int danger[2]                     # units of attack on that royal
    int attackers[2]
    int royal_sq[2]                   # -1 if a side has several
    int phase                         # centipawns of both sides, without pawns and royals
    Hit hits[2][MOST_HITS]            # last member, not cleared

cdef class FairyEvaluator(Evaluator):
    cdef FairyRules rules
    cdef public bint discount         # is the score divided by mating potential?
    cdef int w[FAIRY_WEIGHTS]
    cdef FairyPawns pawns
    cdef FairyAccumulator accumulators[FAIRY_ACCUMULATORS]
    cdef Worth worth[32][256]         # by man and square; none for the empty square, man 0
    cdef int32_t full_phase           # centipawns of pieces that make a full middlegame
    cdef int worth_mg[TYPES]          # centipawns; a royal counts only where a side has several
    cdef int worth_eg[TYPES]
    cdef int move_mg[TYPES]           # value of one move, in 16ths of a centipawn
    cdef int move_eg[TYPES]
    cdef int usual[TYPES]             # mean number of moves, which is worth nothing extra, in 16ths
    cdef int attacker[TYPES]          # units of attack for taking part
    cdef int weight[TYPES]            # of a threat to a man, in 16ths: light men count less
    cdef int missing[TYPES]           # what its side lacks if this is its strongest piece, in 16ths
    cdef uint64_t flanks[2][16][WORDS]  # files beside a royal, in its own half
    cdef int pair_types[TYPES]        # types of which two earn a bonus
    cdef int n_pair_types

    cdef int fill_tables(self) except -1
    cdef void begin(self, const FairyPosition* p, Sheet* sheet) noexcept nogil
    cdef Worth men_worth(self, const FairyPosition* p) noexcept nogil
    cdef const Worth* accumulated(self, FairyBoard board) noexcept nogil
    cdef void add_men(self, const FairyPosition* p, const Worth* men, Sheet* sheet) noexcept nogil
    cdef void add_pawns(self, const FairyPawnEntry* entry, Sheet* sheet) noexcept nogil
    cdef void add_attacks(self, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet) noexcept nogil
    cdef void fill(self, const FairyPosition* p, Sheet* sheet) noexcept nogil
    cdef void evaluate_pieces(self, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet,
                              int us) noexcept nogil
    cdef void evaluate_passed(self, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet,
                              int us) noexcept nogil
    cdef void evaluate_threats(self, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet,
                               int us) noexcept nogil
    cdef void evaluate_royals(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil
    cdef int danger_of(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil
    cdef int checks_of(self, const FairyPosition* p, Sheet* sheet, int us, const uint64_t* safe) noexcept nogil
    cdef void evaluate_hill(self, Sheet* sheet, int us) noexcept nogil
    cdef void mop_up(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil
    cdef bint is_bare(self, const FairyPosition* p, int us) noexcept nogil
    cdef bint has_officers(self, const FairyPosition* p, int us) noexcept nogil
    cdef bint is_one_coloured(self, const FairyPosition* p, int us) noexcept nogil
    cdef int total(self, const Sheet* sheet) noexcept nogil
    cdef int divisor_for(self, const FairyPosition* p, int leader) noexcept nogil
    # White's view, before mating potential and other ways to win count; and with them.
    cdef int undivided(self, FairyBoard board) noexcept nogil
    cdef int discounted(self, const FairyPosition* p, int cp) noexcept nogil
    cdef int confined(self, const FairyPosition* p, int us) noexcept nogil
