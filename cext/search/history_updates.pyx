"""Updates after a searched node: histories of moves and corrections of the static score."""

from ..base.board cimport Head
from ..base.types cimport *
from ..memory.history cimport (CORRECTION_GRAIN, add_bonus, butterfly_entry, capture_entry, correct_towards,
                               correction_entry, non_pawn_correction_entry, move_correction_entry, pawn_entry)
from .shared_steps cimport is_decided
from .parameters cimport (EVAL_BONUS_MAX, MALUS_UNIT, PRIOR_MOVE_DEPTH, PRIOR_MOVE_DIVISOR, PRIOR_MOVE_LATE,
                          QUIET_BONUS_DEPTH, TUNED, USE, history_bonus)
from .worker cimport Frame, Worker, frame


cdef inline void add_quiet_bonus(Worker w, Frame* f, const Head* head, Move move, int slot, int bonus) noexcept nogil:
    """Add a bonus to all histories of a quiet move in the node of frame and head."""
    add_bonus(butterfly_entry(w.history, head.stm, f.danger, move), bonus)
    add_bonus(pawn_entry(w.history, head.pawn_key, slot), bonus)
    add_continuation_bonus(w, f, slot, bonus)


cdef inline void add_continuation_bonus(Worker w, Frame* f, int slot, int bonus) noexcept nogil:
    if frame(w, f.ply - 1).last_slot:
        add_bonus(&frame(w, f.ply - 1).continuation[slot], bonus)
    if frame(w, f.ply - 2).last_slot:
        add_bonus(&frame(w, f.ply - 2).continuation[slot], bonus)
    if frame(w, f.ply - 4).last_slot:
        add_bonus(&frame(w, f.ply - 4).continuation[slot], bonus)
    if frame(w, f.ply - 6).last_slot:
        add_bonus(&frame(w, f.ply - 6).continuation[slot], bonus)


cdef void reward_quiet(Worker w, Frame* f, Move move, int bonus) noexcept nogil:
    add_quiet_bonus(w, f, &w.board.head[w.board.top], move, w.board.slot(move), bonus)


cdef void reward_prior_move(Worker w, Frame* f) noexcept nogil:
    """After failing low, give a bonus to the quiet move that led here, in the tables of its side.

    The bonus is larger if failing low was unexpected, and grows with the depth of the search.
    """
    cdef Frame* before = frame(w, f.ply - 1)
    cdef int reasons
    if not USE.prior_move_bonus or f.is_root or before.last_slot == 0 or not before.is_quiet:
        return
    reasons = 1 + (before.move_count > PRIOR_MOVE_LATE) + (f.is_pv or f.is_cut) + (f.depth > PRIOR_MOVE_DEPTH)
    add_quiet_bonus(w, before, &w.board.head[w.board.top - 1], before.move, before.last_slot - 1,
                    reasons * history_bonus(f.depth) // PRIOR_MOVE_DIVISOR)


cdef inline void reward_capture(Worker w, Move move, int bonus) noexcept nogil:
    add_bonus(capture_entry(w.history, w.board.slot(move), w.board.victim(move)), bonus)


cdef void learn_from_cut_off(Worker w, Frame* f) noexcept nogil:
    """Give a bonus to the move that caused the cut-off, and a malus to the moves tried before it."""
    cdef int bonus = history_bonus(f.depth + (USE.surprise_bonus and f.best > f.beta + TUNED.surprise_margin * CP)), i
    if w.board.is_noisy(f.best_move):
        reward_capture(w, f.best_move, bonus)
    else:
        if f.killers[0] != f.best_move:
            f.killers[1] = f.killers[0]
            f.killers[0] = f.best_move
        w.history.counter[frame(w, f.ply - 1).last_slot] = f.best_move
        # A cut-off by the first quiet move near the leaves carries little information.
        if f.depth > QUIET_BONUS_DEPTH or f.n_quiets > 0:
            reward_quiet(w, f, f.best_move, bonus)
        for i in range(f.n_quiets):
            reward_quiet(w, f, f.quiets[i], -bonus * TUNED.history_malus // MALUS_UNIT)
    for i in range(f.n_noisy):
        reward_capture(w, f.noisy[i], -bonus)


cdef void learn_from_research(Worker w, Frame* f, int depth, Score score) noexcept nogil:
    """Give a reduced move a bonus or malus by the score of its full-depth search."""
    if not USE.research_history or not f.is_quiet or w.stopped:
        return
    if score >= f.beta:
        add_continuation_bonus(w, f, f.last_slot - 1, history_bonus(depth))
    elif score <= f.alpha:
        add_continuation_bonus(w, f, f.last_slot - 1, -history_bonus(depth))


cdef void learn_from_error(Worker w, Frame* f, int bound) noexcept nogil:
    """Learn the error of the static score, indexed by pawn structure, each side's non-pawn pieces, and the last two
    moves.

    CPW: Static Evaluation Correction History.
    """
    cdef const Head* head = &w.board.head[w.board.top]
    cdef int16_t* values[4]
    cdef int error, weight, i
    if (f.in_check or head.dead or is_decided(f.best) or is_decided(f.static_score)
            or (f.best_move and w.board.is_noisy(f.best_move))
            or (bound == BOUND_LOWER and f.best <= f.static_score)
            or (bound == BOUND_UPPER and f.best >= f.static_score)):
        return
    values[0] = correction_entry(w.history, head.stm, head.pawn_key)
    values[1] = move_correction_entry(w.history, frame(w, f.ply - 2).last_slot, frame(w, f.ply - 1).last_slot)
    values[2] = non_pawn_correction_entry(w.history, head.stm, WHITE, f.non_pawn_keys[WHITE])
    values[3] = non_pawn_correction_entry(w.history, head.stm, BLACK, f.non_pawn_keys[BLACK])
    error = <int> ((f.best - f.static_score) // CP) * CORRECTION_GRAIN
    weight = min(f.depth + 1, TUNED.correction_rate)
    for i in range(4 if USE.non_pawn_correction else 2):
        correct_towards(values[i], values[i][0] + error, weight)


cdef void learn_from_static_score(Worker w, Frame* f) noexcept nogil:
    """Update the history of the last quiet move by the change of the static score."""
    cdef Frame* before = frame(w, f.ply - 1)
    cdef Score gain
    if (not USE.eval_history or f.is_root or f.in_check or f.excluded or before.last_slot == 0 or not before.is_quiet
            or before.static_score == SCORE_NONE):
        return
    gain = -(f.static_score + before.static_score) // CP * TUNED.eval_history_factor // 16
    add_bonus(butterfly_entry(w.history, w.board.head[w.board.top].stm ^ 1, before.danger, before.move),
              <int> max(-EVAL_BONUS_MAX, min(EVAL_BONUS_MAX, gain)))
