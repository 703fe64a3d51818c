# Moves by masks, for lists of steps that consist of leaps and lines only, on boards of up to 128 squares.

from .squares cimport fairy_msb
from .steps cimport Step, StepTables
from ..base.types cimport uint8_t, uint32_t, uint64_t

cdef enum:
    PLAN_WORDS = 2                    # words of 64 squares
    MAY_CHANGE = 2                    # `plain` of a piece with a promoted form

cdef struct Plan:                     # plan of a way of moving and a square, if its steps are plain leaps and lines
    uint64_t takes[PLAN_WORDS]        # squares on which it may capture by leaping
    uint64_t moves[PLAN_WORDS]
    uint32_t first                    # index in `plan_lines` of its lines, those to higher squares first
    uint8_t n_up                      # lines to higher squares
    uint8_t n_down
    uint8_t plain                     # if 0, the steps must be walked

cdef struct PlanLine:                 # squares of a line in order, to move or to take
    uint64_t mask[PLAN_WORDS]

cdef class PlanTables(StepTables):
    cdef Plan* plans                  # [way][square], without initial moves
    cdef PlanLine* plan_lines
    cdef int n_plan_lines, plan_line_room
    cdef uint8_t leaping_pawns        # whether pawns attack the same squares whatever is occupied
    cdef uint64_t* reach_by           # [target][way][PLAN_WORDS]: squares from which such a piece may attack

    cdef int plan_moves(self) except -1
    cdef int plan_list(self, const Step* list, int sq, Plan* plan) except -1
    cdef int add_plan_line(self, const Step* list, int begin, int end) except -1


cdef inline void add_line_up(const uint64_t* mask, const uint64_t* occupied, uint64_t* reached,
                             int words) noexcept nogil:
    """Add the squares of a line to higher squares, up to the first that is occupied."""
    cdef uint64_t low = mask[0] & occupied[0], high
    reached[0] |= mask[0] & (low ^ (low - 1))
    if words > 1:
        high = mask[1] & occupied[1]
        reached[1] |= mask[1] & (high ^ (high - 1)) & (<uint64_t> (low != 0) - 1)


cdef inline void add_line_down(const uint64_t* mask, const uint64_t* occupied, uint64_t* reached,
                               int words) noexcept nogil:
    cdef uint64_t low = mask[0] & occupied[0], high
    if words == 1:
        reached[0] |= mask[0] & (~(<uint64_t> 0) << fairy_msb(low | 1))
        return
    high = mask[1] & occupied[1]
    reached[1] |= mask[1] & (~(<uint64_t> 0) << fairy_msb(high | 1))
    reached[0] |= mask[0] & (~(<uint64_t> 0) << fairy_msb(low | 1)) & (<uint64_t> (high != 0) - 1)


# Sets the squares that a piece of either side with a plain plan may take on and move to. words: the board's number of
# words, at most PLAN_WORDS; callers that must be fast pass a constant.
cdef inline void planned(PlanTables tables, const Plan* plan, const uint64_t* occupied, uint64_t* takes,
                         uint64_t* moves, int words) noexcept nogil:
    cdef uint64_t[PLAN_WORDS] reached
    cdef const PlanLine* line = &tables.plan_lines[plan.first]
    cdef const PlanLine* end = line + plan.n_up
    cdef int word
    reached[0] = reached[1] = 0
    while line < end:
        add_line_up(line.mask, occupied, reached, words)
        line += 1
    end = line + plan.n_down
    while line < end:
        add_line_down(line.mask, occupied, reached, words)
        line += 1
    for word in range(words):
        takes[word] = plan.takes[word] | reached[word]
        moves[word] = plan.moves[word] | reached[word]
