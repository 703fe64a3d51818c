# Evaluation of any compiled game. Layer 3.

from .board cimport Board
from .evaluator cimport Evaluator
from .fairy_position cimport FairyPosition
from .fairy_rules cimport TYPES, WORDS, FairyRules
from .fairy_weights cimport FAIRY_WEIGHTS
from .types cimport int16_t, int32_t, uint64_t

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

cdef struct Sheet:                    # what one evaluation found
    int mg[TERMS]                     # centipawns, White's view
    int eg[TERMS]
    uint64_t attacks[2][WORDS]
    uint64_t by_pawns[2][WORDS]
    uint64_t zone[2][WORDS]           # around a royal that may not be lost
    int danger[2]                     # units of attack on it
    int attackers[2]
    int royal_sq[2]                   # -1 where there are several
    int pieces[2]                     # centipawns without pawns and royals
    int shades[2]                     # 1 if colour-bound pieces stand on a1's colour, 2 if on the other, 3 on both
    bint ranges[2]                    # has a pawn or a piece that is not bound to squares of one colour

cdef class FairyEvaluator(Evaluator):
    cdef FairyRules rules
    cdef public bint discount         # divide by mating potential?
    cdef int w[FAIRY_WEIGHTS]
    cdef int16_t place_mg[2][TYPES][256]
    cdef int16_t place_eg[2][TYPES][256]
    cdef uint64_t zones[TYPES][256][WORDS]      # squares a royal on this one can step to, and its own
    cdef int32_t full_phase           # centipawns of pieces at the start
    cdef int worth_mg[TYPES]          # centipawns; royals only where there are several
    cdef int worth_eg[TYPES]
    cdef int move_mg[TYPES]           # what one move is worth, in 16ths of a centipawn
    cdef int move_eg[TYPES]
    cdef int usual[TYPES]             # moves that are worth nothing extra, in 16ths

    cdef int fill_tables(self) except -1
    cdef void fill(self, const FairyPosition* p, Sheet* sheet) noexcept nogil
    cdef void look_at_men(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil
    cdef void look_at_pawns(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil
    cdef void look_at_threats(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil
    cdef void look_at_royals(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil
    cdef void drive(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil
    cdef bint is_one_coloured(self, const FairyPosition* p, const Sheet* sheet, int us) noexcept nogil
    cdef int total(self, const FairyPosition* p, const Sheet* sheet) noexcept nogil
    cdef int way_to_go(self, int us, int own_rank) noexcept nogil
    cdef int promotion_gain(self, int us, int file) noexcept nogil
    cdef int distance(self, int a, int b) noexcept nogil
    cdef void mark_pawn(self, const FairyPosition* p, Sheet* sheet, int us, int sq) noexcept nogil
    cdef int divisor_for(self, const FairyPosition* p, int leader) noexcept nogil
    cdef int confined(self, const FairyPosition* p, int us) noexcept nogil
