"""Staged move picker (CPW: Move Ordering, Move Generation - Staged)."""

from .history cimport FROM_TO, VICTIMS, from_to
from .reductions cimport USE
from .types cimport *
from .worker cimport Frame, Picker, Worker, frame

cdef enum:
    VICTIM_WEIGHT = 4096              # a better victim outweighs most of the capture history


cdef inline bint is_quiet_candidate(Worker w, Picker* p, Move move) noexcept nogil:
    return (move != 0 and move != p.table_move and w.board.is_legal(move) and not w.board.is_noisy(move))


cdef void start_all(Worker w, Frame* f, Picker* p, Move table_move) noexcept nogil:
    p.stage = PICK_TABLE
    p.ply = f.ply
    p.table_move = table_move
    p.killers[0] = f.killers[0] if USE.killers else 0
    p.killers[1] = f.killers[1] if USE.killers else 0
    p.counter = w.history.counter[frame(w, f.ply - 1).last_slot] if USE.counter_move else 0
    p.see_margin = 0
    p.skip_quiets = False
    p.n_bad = 0
    p.moves = &w.moves[f.ply * w.max_moves]
    p.scores = &w.scores[f.ply * w.max_moves]


cdef void start_noisy(Worker w, Frame* f, Picker* p, Move table_move, int see_margin, bint checks) noexcept nogil:
    p.ply = f.ply
    p.checks = checks
    p.table_move = table_move
    p.stage = PICK_QS_TABLE
    p.see_margin = see_margin
    p.skip_quiets = True
    p.n_bad = 0
    p.moves = &w.moves[f.ply * w.max_moves]
    p.scores = &w.scores[f.ply * w.max_moves]


cdef int quiet_history(Worker w, Frame* f, Move move) noexcept nogil:
    cdef int slot = w.board.slot(move), score = 0
    if USE.butterfly_history:
        score = w.history.butterfly[w.board.head[w.board.top].stm * FROM_TO + from_to(move)]
    if USE.continuation_history:
        score += (frame(w, f.ply - 1).continuation[slot] + frame(w, f.ply - 2).continuation[slot]
                  + frame(w, f.ply - 4).continuation[slot] // 2)
    return score


cdef void score_noisy(Worker w, Picker* p) noexcept nogil:
    cdef int i
    cdef Move move
    for i in range(p.end):
        move = p.moves[i]
        p.scores[i] = w.board.victim_cp(move) * 16
        if USE.capture_history:
            p.scores[i] += w.history.capture[w.board.slot(move) * VICTIMS + w.board.victim(move)] // 4


cdef void score_quiets(Worker w, Frame* f, Picker* p) noexcept nogil:
    cdef int i
    for i in range(p.index, p.end):
        p.scores[i] = quiet_history(w, f, p.moves[i])


cdef inline Move pick_best(Picker* p) noexcept nogil:
    """Move the best of what is left to the front of it (CPW: selection sort pays, few moves are ever asked for)."""
    cdef int* scores = p.scores
    cdef int i, best = p.index, score, highest = scores[best]
    cdef Move move
    for i in range(p.index + 1, p.end):
        score = scores[i]
        # Two selections rather than a branch, which nobody could predict.
        best = i if score > highest else best
        highest = score if score > highest else highest
    move = p.moves[best]
    p.moves[best] = p.moves[p.index]
    scores[best] = scores[p.index]
    p.moves[p.index] = move
    scores[p.index] = highest
    p.index += 1
    return move


cdef Move next_good_noisy(Worker w, Picker* p) noexcept nogil:
    """The next capture that gains; the others gather at the front of the list, which has been worked off."""
    cdef Move move
    while p.index < p.end:
        move = pick_best(p)
        if move == p.table_move:
            continue
        if w.board.see_ge(move, p.see_margin):
            return move
        p.moves[p.n_bad] = move
        p.n_bad += 1
    return 0


cdef Move next_check(Worker w, Picker* p) noexcept nogil:
    cdef Move move
    while p.index < p.end:
        move = p.moves[p.index]
        p.index += 1
        if move != p.table_move and w.board.see_ge(move, 0):
            return move
    p.stage = PICK_DONE
    return 0


cdef Move next_quiet(Picker* p) noexcept nogil:
    cdef Move move
    while p.index < p.end:
        move = pick_best(p)
        if move != p.table_move and move != p.killers[0] and move != p.killers[1] and move != p.counter:
            return move
    return 0


cdef Move next_move(Worker w, Frame* f, Picker* p) noexcept nogil:
    return next_of_all(w, f, p) if p.stage < PICK_QS_TABLE else next_of_noisy(w, p)


cdef inline Move next_of_all(Worker w, Frame* f, Picker* p) noexcept nogil:
    cdef Move move
    if p.stage == PICK_TABLE:
        p.stage = PICK_MAKE_NOISY
        if p.table_move:
            return p.table_move
    if p.stage == PICK_MAKE_NOISY:
        p.index = 0
        p.end = w.board.generate(NOISY, p.moves)
        score_noisy(w, p)
        p.stage = PICK_GOOD_NOISY
    if p.stage == PICK_GOOD_NOISY:
        move = next_good_noisy(w, p)
        if move:
            return move
        p.stage = PICK_KILLER_1
    if p.stage == PICK_KILLER_1:
        p.stage = PICK_KILLER_2
        if not p.skip_quiets and is_quiet_candidate(w, p, p.killers[0]):
            return p.killers[0]
    if p.stage == PICK_KILLER_2:
        p.stage = PICK_COUNTER
        if not p.skip_quiets and is_quiet_candidate(w, p, p.killers[1]):
            return p.killers[1]
    if p.stage == PICK_COUNTER:
        p.stage = PICK_MAKE_QUIET
        if (not p.skip_quiets and p.counter != p.killers[0] and p.counter != p.killers[1]
                and is_quiet_candidate(w, p, p.counter)):
            return p.counter
    if p.stage == PICK_MAKE_QUIET:
        p.stage = PICK_QUIET
        p.index = p.end = p.n_bad     # the captures that lose stay at the front
        if not p.skip_quiets:
            p.end += w.board.generate(QUIET, &p.moves[p.n_bad])
            score_quiets(w, f, p)
    if p.stage == PICK_QUIET:
        move = 0 if p.skip_quiets else next_quiet(p)
        if move:
            return move
        p.stage = PICK_BAD_NOISY
        p.index = 0
    if p.stage == PICK_BAD_NOISY:
        if p.index < p.n_bad:
            p.index += 1
            return p.moves[p.index - 1]
        p.stage = PICK_DONE
    return 0


cdef inline Move next_of_noisy(Worker w, Picker* p) noexcept nogil:
    cdef Move move
    if p.stage == PICK_QS_TABLE:
        p.stage = PICK_QS_MAKE
        if p.table_move:
            return p.table_move
    if p.stage == PICK_QS_MAKE:
        p.index = 0
        p.end = w.board.generate(NOISY, p.moves)
        score_noisy(w, p)
        p.stage = PICK_QS_NOISY
    if p.stage == PICK_QS_NOISY:
        move = next_good_noisy(w, p)
        if move:
            return move
        p.stage = PICK_DONE
        if p.checks:
            p.stage = PICK_QS_CHECKS
            p.index = 0
            p.end = w.board.generate(QUIET_CHECKS, p.moves)
    if p.stage == PICK_QS_CHECKS:
        return next_check(w, p)
    return 0
