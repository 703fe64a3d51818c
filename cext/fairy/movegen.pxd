# Legal moves of a position of any compiled game.

from .position cimport FairyPosition
from .rules cimport FairyRules
from .checks cimport FairyScan, is_attacked
from .squares cimport has, side_of, type_of
from .steps cimport BLACK_PAWN, STEP_BOTH, STEP_DOUBLE, STEP_GATE, STEP_MOVES, STEP_TAKES, Step, beyond, way_of
from ..base.types cimport Move, uint64_t

# `out` has rules.max_moves places.
cdef int generate(FairyRules rules, const FairyPosition* p, FairyScan* s, int stage, Move* out) noexcept nogil
cdef bint is_legal(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil
# Number of legal moves: exact below `limit`, else any number of at least `limit`.
cdef int count_below(FairyRules rules, const FairyPosition* p, const FairyScan* s, int limit) noexcept nogil
# True if a royal has a legal move to one of these squares.
cdef bint has_royal_move(FairyRules rules, const FairyPosition* p, const FairyScan* s,
                         const uint64_t* goal) noexcept nogil
cdef bint has_capture(FairyRules rules, const FairyPosition* p, const FairyScan* s) noexcept nogil


# Whether the side to move may pass: not in check, unless its royal faces the other one under the rule of bikjang.
cdef inline bint may_pass(FairyRules rules, const FairyPosition* p, const FairyScan* s) noexcept nogil:
    return rules.may_pass[p.stm] and not s.forced and (not s.in_check or s.faces)


# ---- walking the steps of a piece, which finds pseudo-legal targets ----

cdef enum:                            # flags of a target, shifted by 8; the lower bits are the square
    CAPTURE = 1
    DOUBLE = 2
    BOTH = 4
    PASSANT = 8


# What a piece may do on the square of step `at`: STEP_MOVES, STEP_TAKES or 0. Sets `at` to the next step.
cdef inline int follow(const FairyPosition* p, const Step* list, int us, int* at) noexcept nogil:
    cdef const Step* step = &list[at[0]]
    cdef int piece = p.mailbox[step.to]
    if piece == 0:
        at[0] = step.empty
        return step.flags & STEP_MOVES
    if side_of(piece) != us:
        at[0] = step.enemy
        return step.flags & STEP_TAKES
    at[0] = step.friendly
    return 0


# Targets of a piece other than a pawn.
cdef inline int walk(const FairyPosition* p, const Step* list, int us, int* out, int n) noexcept nogil:
    cdef int i = list.empty != 0, to, done
    while i:
        to = list[i].to
        done = follow(p, list, us, &i)
        if done:
            out[n] = to | (CAPTURE << 8 if done == STEP_TAKES else 0)
            n += 1
    return n


# Targets of a piece whose moves depend on the types of other pieces.
cdef inline int walk_choosily(FairyRules rules, const FairyPosition* p, const Step* list, int type, int us, int* out,
                              int n) noexcept nogil:
    cdef int i = list.empty != 0, to, taken, done
    while i:
        to = list[i].to
        taken = type_of(p.mailbox[to])
        if list[i].flags & STEP_GATE:
            i = beyond(rules, &list[i], taken)
            continue
        done = follow(p, list, us, &i)
        if done and not (done == STEP_TAKES and rules.immune[type] >> taken & 1):
            out[n] = to | (CAPTURE << 8 if done == STEP_TAKES else 0)
            n += 1
    return n


cdef inline bint is_ep(const FairyPosition* p, int sq) noexcept nogil:
    return p.n_ep and (p.ep[0] == sq or (p.n_ep == 2 and p.ep[1] == sq))


# Targets of a pawn, with en passant and the initial moves that allow it.
cdef inline int walk_pawn(const FairyPosition* p, const Step* list, int us, int* out, int n) noexcept nogil:
    cdef const Step* step
    cdef int i = list.empty != 0, done
    while i:
        step = &list[i]
        if step.flags & STEP_TAKES and p.mailbox[step.to] == 0 and is_ep(p, step.to):
            out[n] = step.to | (CAPTURE | PASSANT) << 8
            n += 1
            i = step.enemy
            continue
        done = follow(p, list, us, &i)
        if done == STEP_TAKES:
            out[n] = step.to | CAPTURE << 8
            n += 1
        elif done:
            out[n] = step.to
            if step.flags & STEP_DOUBLE:
                out[n] |= (DOUBLE | (BOTH if step.flags & STEP_BOTH else 0)) << 8
            n += 1
    return n


# Remove repeated targets; returns how many remain.
cdef inline int without_twins(int* targets, int n) noexcept nogil:
    cdef int i, j, kept = 0
    for i in range(n):
        j = 0
        while j < kept and targets[j] != targets[i]:
            j += 1
        if j == kept:
            targets[kept] = targets[i]
            kept += 1
    return kept


# Return whether this royal is in check and so may not make its initial moves, in a game with facing pieces.
cdef inline bint is_held(FairyRules rules, const FairyPosition* p, int type, int sq) noexcept nogil:
    return rules.facing and rules.royal[type] and is_attacked(rules, p, sq, p.stm ^ 1)


cdef inline int targets_of(FairyRules rules, const FairyPosition* p, int sq, int* out) noexcept nogil:
    cdef int piece = p.mailbox[sq], type = type_of(piece), way = way_of(rules, piece), us = side_of(piece), n
    cdef bint fresh = rules.has_first[type] and has(p.virgin, sq) and not is_held(rules, p, type, sq)
    if type <= BLACK_PAWN:
        n = walk_pawn(p, &rules.steps[rules.start[way][sq]], us, out, 0)
        if fresh:
            n = walk_pawn(p, &rules.steps[rules.first[way][sq]], us, out, n)
    elif rules.choosy[type]:
        n = walk_choosily(rules, p, &rules.steps[rules.start[way][sq]], type, us, out, 0)
        if fresh:
            n = walk_choosily(rules, p, &rules.steps[rules.first[way][sq]], type, us, out, n)
    else:
        n = walk(p, &rules.steps[rules.start[way][sq]], us, out, 0)
        if fresh:
            n = walk(p, &rules.steps[rules.first[way][sq]], us, out, n)
    return without_twins(out, n) if rules.overlaps[type] else n
