"""Staged move picker (CPW: Move Ordering, Move Generation - Staged)."""

from ..base.board cimport Head
from ..memory.history cimport butterfly_entry, butterfly_place, butterfly_rows, capture_entry, pawn_entry
from .parameters cimport TUNED, USE
from ..base.types cimport *
from .worker cimport Frame, Picker, Worker, frame

cdef enum:
    VICTIM_WEIGHT = 16                # weight of a centipawn of the victim in a move's score
    CAPTURE_UNIT = 64                 # Numbers.capture_history_share is divided by this
    ORDER_UNIT = 16                   # the weights of histories, Numbers.order_*, are divided by this
    INDEX_MASK = 0xffffff             # larger than the number of moves of any board


cdef inline int64_t key_of(int score, int index) noexcept nogil:
    """Sort key of the picker: if scores are equal, the move that is first in the list wins."""
    return <int64_t> score * (INDEX_MASK + 1) + (INDEX_MASK - index)


cdef void init_picker(Worker w, Frame* f, Picker* p, Move tt_move) noexcept nogil:
    p.stage = PICK_TT_MOVE
    p.tt_move = tt_move
    p.see_margin = 0
    p.skip_quiets = False
    p.n_bad = 0
    p.moves = &w.moves[f.ply * w.max_moves]
    p.keys = &w.keys[f.ply * w.max_moves]


cdef void init_noisy_picker(Worker w, Frame* f, Picker* p, Move tt_move, int see_margin, bint checks) noexcept nogil:
    p.checks = checks
    p.tt_move = tt_move
    p.stage = PICK_QS_TT_MOVE
    p.see_margin = see_margin
    p.skip_quiets = True
    p.n_bad = 0
    p.moves = &w.moves[f.ply * w.max_moves]
    p.keys = &w.keys[f.ply * w.max_moves]


cdef int quiet_history(Worker w, Frame* f, Move move) noexcept nogil:
    cdef const Head* head = &w.board.head[w.board.top]
    cdef int slot = w.board.slot(move), score = 0
    if USE.butterfly_history:
        score = butterfly_entry(w.history, head.stm, f.danger, move)[0] * TUNED.order_butterfly
    if USE.pawn_history:
        score += pawn_entry(w.history, head.pawn_key, slot)[0] * TUNED.order_pawns
    if USE.continuation_history:
        score += (frame(w, f.ply - 1).continuation[slot] * TUNED.order_after_one
                  + frame(w, f.ply - 2).continuation[slot] * TUNED.order_after_two
                  + frame(w, f.ply - 4).continuation[slot] * TUNED.order_after_four
                  + frame(w, f.ply - 6).continuation[slot] * TUNED.order_after_six)
    return score // ORDER_UNIT


cdef void score_noisy(Worker w, Picker* p) noexcept nogil:
    cdef int i, check = TUNED.order_noisy_check * VICTIM_WEIGHT if USE.check_order else 0
    cdef int share = TUNED.capture_history_share if USE.capture_history else 0, score
    w.board.describe(p.moves, p.end, w.marks)
    for i in range(p.end):
        score = capture_entry(w.history, w.marks[i] >> 1, w.board.victim(p.moves[i]))[0] * share // CAPTURE_UNIT
        score += w.board.victim_cp(p.moves[i]) * VICTIM_WEIGHT + (w.marks[i] & 1) * check
        p.keys[i] = key_of(score, i)


cdef void score_quiets(Worker w, Frame* f, Picker* p) noexcept nogil:
    """Score each move by quiet_history, with a bonus for checks and endangered pieces; look up table rows only once."""
    cdef const Head* head = &w.board.head[w.board.top]
    cdef const int16_t* butterfly = butterfly_rows(w.history, head.stm)
    cdef const int16_t* pawns = pawn_entry(w.history, head.pawn_key, 0)
    cdef const int16_t* after_one = frame(w, f.ply - 1).continuation
    cdef const int16_t* after_two = frame(w, f.ply - 2).continuation
    cdef const int16_t* after_four = frame(w, f.ply - 4).continuation
    cdef const int16_t* after_six = frame(w, f.ply - 6).continuation
    cdef int by_butterfly = TUNED.order_butterfly if USE.butterfly_history else 0
    cdef int by_pawns = TUNED.order_pawns if USE.pawn_history else 0
    cdef int by_one = TUNED.order_after_one if USE.continuation_history else 0
    cdef int by_two = TUNED.order_after_two if USE.continuation_history else 0
    cdef int by_four = TUNED.order_after_four if USE.continuation_history else 0
    cdef int by_six = TUNED.order_after_six if USE.continuation_history else 0
    cdef int by_threat = TUNED.order_threat * ORDER_UNIT
    cdef const Move* moves = &p.moves[p.index]
    cdef const int* marks = w.marks
    cdef const int* threats = w.threats
    cdef int64_t* keys = &p.keys[p.index]
    cdef uint64_t danger = f.danger
    cdef int i, slot, score, first = p.index, count = p.end - p.index, forcing = 0
    w.board.describe(moves, count, w.marks)
    w.board.weigh_threats(moves, count, w.threats)
    for i in range(count):
        slot = marks[i] >> 1
        forcing |= marks[i]
        score = (butterfly[butterfly_place(danger, moves[i])] * by_butterfly
                 + pawns[slot] * by_pawns
                 + after_one[slot] * by_one + after_two[slot] * by_two
                 + after_four[slot] * by_four + after_six[slot] * by_six
                 + threats[i] * by_threat)
        keys[i] = key_of(score, first + i)
    if forcing & 1 and USE.check_order:
        for i in range(count):
            if marks[i] & 1 and w.board.see_ge(moves[i], -TUNED.order_check_see):
                keys[i] += key_of(TUNED.order_check * ORDER_UNIT, INDEX_MASK)


cdef inline Move pick_best(Picker* p) noexcept nogil:
    """Swap the best remaining move to the front (selection sort, because only a few moves are used)."""
    cdef int64_t best = p.keys[p.index]
    cdef int i
    cdef Move move
    # SIMD lanes find the largest key, which contains the index.
    for i in range(p.index + 1, p.end):
        best = max(best, p.keys[i])
    i = INDEX_MASK - <int> (best & INDEX_MASK)
    move = p.moves[i]
    p.moves[i] = p.moves[p.index]
    p.keys[i] = p.keys[p.index] + p.index - i
    p.moves[p.index] = move
    p.index += 1
    return move


cdef Move next_good_noisy(Worker w, Picker* p) noexcept nogil:
    """The next winning capture. Losing ones are moved to the front of the list, whose places are no longer needed."""
    cdef Move move
    while p.index < p.end:
        move = pick_best(p)
        if move == p.tt_move:
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
        if move != p.tt_move and w.board.see_ge(move, 0):
            return move
    p.stage = PICK_DONE
    return 0


cdef Move next_quiet(Picker* p) noexcept nogil:
    cdef Move move
    while p.index < p.end:
        move = pick_best(p)
        if move != p.tt_move:
            return move
    return 0


cdef Move next_move(Worker w, Frame* f, Picker* p) noexcept nogil:
    return next_of_main(w, f, p) if p.stage < PICK_QS_TT_MOVE else next_of_quiescence(w, p)


cdef inline Move next_of_main(Worker w, Frame* f, Picker* p) noexcept nogil:
    cdef Move move
    if p.stage == PICK_TT_MOVE:
        p.stage = PICK_GENERATE_NOISY
        if p.tt_move:
            return p.tt_move
    if p.stage == PICK_GENERATE_NOISY:
        p.index = 0
        p.end = w.board.generate(NOISY, p.moves)
        score_noisy(w, p)
        p.stage = PICK_GOOD_NOISY
    if p.stage == PICK_GOOD_NOISY:
        move = next_good_noisy(w, p)
        if move:
            return move
        p.stage = PICK_GENERATE_QUIET
    if p.stage == PICK_GENERATE_QUIET:
        p.stage = PICK_QUIET
        p.index = p.end = p.n_bad     # the bad captures stay at the front
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


cdef inline Move next_of_quiescence(Worker w, Picker* p) noexcept nogil:
    cdef Move move
    if p.stage == PICK_QS_TT_MOVE:
        p.stage = PICK_QS_GENERATE_NOISY
        if p.tt_move:
            return p.tt_move
    if p.stage == PICK_QS_GENERATE_NOISY:
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
