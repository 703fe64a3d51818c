"""Compiles lists of steps into masks, so that moves are looked up instead of walked."""

from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

from .squares cimport put
from .steps cimport BLACK_PAWN, NO_LINK, STEP_MOVES, STEP_TAKES, WAYS, Step, StepTables, link_of
from ..base.types cimport *


cdef inline int past_ray(const Step* list, int begin) noexcept nogil:
    """Index of the step after the ray that begins here: the highest index to which its first step leads."""
    cdef const Step* step = &list[begin]
    if step.empty == 0 or step.enemy == 0 or step.friendly == 0:
        return list.empty + 1
    return max(max(<int> step.empty, <int> step.enemy), <int> step.friendly)


cdef bint always_takes(const Step* list) noexcept nogil:
    """Return whether the captures of the piece do not depend on the occupied squares."""
    cdef int begin = 1, end, i
    while begin <= list.empty:
        end = past_ray(list, begin)
        for i in range(begin + 1, end):
            if list[i].flags & STEP_TAKES:
                return False
        begin = end
    return True


cdef bint is_plain(const Step* list, int sq, int begin, int end) noexcept nogil:
    """Return whether this ray is one leap, or a line on which the piece moves and takes until it meets a piece."""
    cdef int i, after = end if end <= list.empty else 0
    for i in range(begin, end):
        if list[i].empty != (i + 1 if i + 1 < end else after):
            return False
        if list[i].enemy != after or list[i].friendly != after:
            return False
        if end > begin + 1 and list[i].flags != STEP_TAKES | STEP_MOVES:
            return False
        if i > begin and (list[i].to > list[i - 1].to) != (list[begin].to > sq):
            return False
    return True


cdef class PlanTables(StepTables):
    """The steps of the pieces, and plans for lists that are plain."""

    def __dealloc__(self):
        free(self.plans)
        free(self.plan_lines)
        free(self.reach_by)

    cdef int plan_moves(self) except -1:
        """Make plans for the lists that consist of plain leaps and lines."""
        cdef int way, type, sq, target
        cdef Plan* plan
        self.plans = <Plan*> calloc(WAYS * self.squares, sizeof(Plan))
        self.reach_by = <uint64_t*> calloc(self.squares * WAYS * PLAN_WORDS, sizeof(uint64_t))
        if self.plans == NULL or self.reach_by == NULL:
            raise MemoryError
        self.leaping_pawns = True
        for way in range(1, WAYS):
            type = way & 15
            if type == 0 or type > self.types or way > 16 and self.way[way] != way:
                continue
            for sq in range(self.squares):
                if type <= BLACK_PAWN:
                    self.leaping_pawns &= always_takes(&self.steps[self.start[way][sq]])
                plan = &self.plans[way * self.squares + sq]
                if self.words > PLAN_WORDS or self.overlaps[type] and not self.choosy[type]:
                    continue
                if not self.choosy[type]:
                    self.plan_list(&self.steps[self.start[way][sq]], sq, plan)
                for target in range(self.squares):
                    if link_of(self, target, way, sq) != NO_LINK:
                        put(&self.reach_by[(target * WAYS + way) * PLAN_WORDS], sq)
        return 0

    cdef int plan_list(self, const Step* list, int sq, Plan* plan) except -1:
        """Fill the plan of one way of moving and square; it stays marked as not plain if the steps must be walked."""
        cdef int n = list.empty, begin, end, up
        cdef Plan found
        memset(&found, 0, sizeof(Plan))
        found.first = self.n_plan_lines
        for up in range(1, -1, -1):
            begin = 1
            while begin <= n:
                end = past_ray(list, begin)
                if not is_plain(list, sq, begin, end):
                    self.n_plan_lines = found.first
                    return 0
                if end == begin + 1 and up:
                    if list[begin].flags & STEP_TAKES:
                        put(found.takes, list[begin].to)
                    if list[begin].flags & STEP_MOVES:
                        put(found.moves, list[begin].to)
                elif end > begin + 1 and (list[begin].to > sq) == up:
                    self.add_plan_line(list, begin, end)
                    found.n_up += up
                    found.n_down += 1 - up
                begin = end
        found.plain = True
        plan[0] = found
        return 0

    cdef int add_plan_line(self, const Step* list, int begin, int end) except -1:
        cdef int i
        cdef PlanLine* line
        if self.n_plan_lines == self.plan_line_room:
            line = <PlanLine*> realloc(self.plan_lines, (2 * self.plan_line_room + 64) * sizeof(PlanLine))
            if line == NULL:
                raise MemoryError
            self.plan_lines = line
            self.plan_line_room = 2 * self.plan_line_room + 64
        line = &self.plan_lines[self.n_plan_lines]
        self.n_plan_lines += 1
        memset(line, 0, sizeof(PlanLine))
        for i in range(begin, end):
            put(line.mask, list[i].to)
        return 0
