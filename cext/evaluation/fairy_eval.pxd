# Evaluation of any compiled game.

from ..base.board cimport Board
from ..value.evaluator cimport Evaluator
from ..fairy.fairy_board cimport FairyBoard
from ..fairy.position cimport FairyPosition
from ..fairy.rules cimport FairyRules
from .fairy_pawns cimport FairyPawnEntry, FairyPawns
from .fairy_pieces cimport FairyTables, Sheet, Worth
from ..base.types cimport uint64_t

cdef enum:
    FAIRY_ACCUMULATORS = 256          # a power of two; higher stack indices share entries, which the key distinguishes

cdef struct FairyAccumulator:         # material and placement at one stack index
    uint64_t key                      # the position's key; equal keys mean equal pieces
    Worth sum

cdef class FairyEvaluator(Evaluator):
    cdef FairyRules rules
    cdef public bint discount         # whether the score is divided by mating potential
    cdef int start_men                # pieces in the array
    cdef FairyTables tables
    cdef FairyPawns pawns
    cdef FairyAccumulator accumulators[FAIRY_ACCUMULATORS]

    cdef void begin(self, const FairyPosition* p, Sheet* sheet) noexcept nogil
    cdef Worth piece_worth(self, const FairyPosition* p) noexcept nogil
    cdef const Worth* accumulated(self, FairyBoard board) noexcept nogil
    cdef void add_worth(self, const FairyPosition* p, const Worth* worth, Sheet* sheet) noexcept nogil
    cdef void add_pawns(self, const FairyPawnEntry* entry, Sheet* sheet) noexcept nogil
    cdef void add_attacks(self, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet) noexcept nogil
    cdef void fill(self, const FairyPosition* p, Sheet* sheet) noexcept nogil
    cdef void mop_up(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil
    cdef bint is_bare(self, const FairyPosition* p, int us) noexcept nogil
    cdef bint has_officers(self, const FairyPosition* p, int us) noexcept nogil
    cdef bint is_one_coloured(self, const FairyPosition* p, int us) noexcept nogil
    cdef int total(self, const Sheet* sheet) noexcept nogil
    cdef int divisor_for(self, const FairyPosition* p, int leader) noexcept nogil
    # Score from White's view, ignoring mating potential and other ways to win, which `discounted` applies.
    cdef int undivided(self, FairyBoard board) noexcept nogil
    cdef int discounted(self, const FairyPosition* p, int cp) noexcept nogil
    cdef int confined(self, const FairyPosition* p, int us) noexcept nogil
