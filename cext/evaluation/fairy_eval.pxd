# Evaluation of any compiled game. Layer 3.

from ..base.board cimport Board
from ..value.evaluator cimport Evaluator
from ..fairy.position cimport FairyPosition
from ..fairy.rules cimport TYPES, WORDS, FairyRules
from .fairy_weights cimport FAIRY_WEIGHTS
from ..base.types cimport int16_t, int32_t, uint64_t

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

cdef struct Sheet:                    # working data of one evaluation
    int mg[TERMS]                     # centipawns, White's view
    int eg[TERMS]
    uint64_t attacks[2][WORDS]
    uint64_t by_pawns[2][WORDS]
    uint64_t zone[2][WORDS]           # squares around the royal, if there is only one
    int danger[2]                     # units of attack on that royal
    int attackers[2]
    int royal_sq[2]                   # -1 if a side has several
    int pieces[2]                     # centipawns without pawns and royals
    int shades[2]                     # 1 if colour-bound pieces stand on a1's colour, 2 if on the other, 3 on both
    bint ranges[2]                    # has a pawn or a piece that is not bound to squares of one colour

cdef class FairyEvaluator(Evaluator):
    cdef FairyRules rules
    cdef public bint discount         # is the score divided by mating potential?
    cdef int w[FAIRY_WEIGHTS]
    cdef int16_t place_mg[2][TYPES][256]
    cdef int16_t place_eg[2][TYPES][256]
    cdef uint64_t zones[TYPES][256][WORDS]      # the square of a royal and those it can step to
    cdef int32_t full_phase           # centipawns of pieces that make a full middlegame
    cdef int worth_mg[TYPES]          # centipawns; a royal counts only where a side has several
    cdef int worth_eg[TYPES]
    cdef int move_mg[TYPES]           # value of one move, in 16ths of a centipawn
    cdef int move_eg[TYPES]
    cdef int usual[TYPES]             # mean number of moves, which is worth nothing extra, in 16ths

    cdef int fill_tables(self) except -1
    cdef void fill(self, const FairyPosition* p, Sheet* sheet) noexcept nogil
    cdef void evaluate_pieces(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil
    cdef void evaluate_pawns(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil
    cdef void evaluate_threats(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil
    cdef void evaluate_royals(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil
    cdef void mop_up(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil
    cdef bint is_one_coloured(self, const FairyPosition* p, const Sheet* sheet, int us) noexcept nogil
    cdef int total(self, const FairyPosition* p, const Sheet* sheet) noexcept nogil
    cdef int way_to_go(self, int us, int own_rank) noexcept nogil
    cdef int promotion_gain(self, int us, int file) noexcept nogil
    cdef int distance(self, int a, int b) noexcept nogil
    cdef void mark_pawn(self, const FairyPosition* p, Sheet* sheet, int us, int sq) noexcept nogil
    cdef int divisor_for(self, const FairyPosition* p, int leader) noexcept nogil
    cdef int confined(self, const FairyPosition* p, int us) noexcept nogil
