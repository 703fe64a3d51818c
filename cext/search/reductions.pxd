# Late move reductions: their size, the depth of a re-search, and the hindsight correction.
#
# Inline, because the search calls these for every late move. CPW: Late Move Reductions.

from ..base.types cimport CP, SCORE_NONE, Move, Score
from ..memory.history cimport capture_entry
from .movepick cimport quiet_history
from .shared_steps cimport is_decided
from .parameters cimport (HINDSIGHT_DEEPER, HINDSIGHT_SHALLOWER, LMR, LMR_CUT_OFFS_MANY, LMR_PLY, LMR_SIZE, TUNED,
                          USE)
from .worker cimport Frame, Worker, frame


cdef inline int base_reduction(int depth, int move_count) noexcept nogil:
    """The reduction of a move that follows from its depth and number alone, in parts of a ply."""
    return LMR[min(depth, LMR_SIZE - 1)][min(move_count, LMR_SIZE - 1)]


cdef inline bint has_refuted(Worker w, Frame* f, Move move) noexcept nogil:
    """Return whether this quiet move is a killer or the counter move (CPW: Killer Heuristic, Countermove Heuristic)."""
    if USE.killers and (move == f.killers[0] or move == f.killers[1]):
        return True
    return USE.counter_move and move == w.history.counter[frame(w, f.ply - 1).last_slot]


cdef inline int reduction_of(Worker w, Frame* f, Move move, bint quiet, bint check) noexcept nogil:
    """Plies by which the first search of a late move is reduced (CPW: Late Move Reductions)."""
    cdef int reduction = base_reduction(f.depth, f.move_count), history
    reduction += TUNED.lmr_cut_node * f.is_cut + TUNED.lmr_not_improving * (not f.improving)
    reduction += TUNED.lmr_cut_no_move * (f.is_cut and f.tt.move == 0) + TUNED.lmr_correction * f.correction
    reduction -= TUNED.lmr_pv * f.is_pv + TUNED.lmr_check * check
    if USE.reduction_was_pv:
        reduction -= TUNED.lmr_was_pv * f.was_pv
    if USE.reduction_cut_offs and frame(w, f.ply + 1).cut_offs > LMR_CUT_OFFS_MANY:
        reduction += TUNED.lmr_cut_offs
    if quiet:
        history = quiet_history(w, f, move)
        reduction -= TUNED.lmr_refutation * has_refuted(w, f, move)
        if f.tt.move and w.board.is_noisy(f.tt.move):
            reduction += TUNED.lmr_noisy_table_move
    else:
        history = capture_entry(w.history, w.board.slot(move), w.board.victim(move))[0]
        reduction -= TUNED.lmr_noisy
    reduction -= history * LMR_PLY // TUNED.lmr_history_ply
    if USE.all_node_reduction and not f.is_pv and not f.is_cut:
        reduction += reduction // (f.depth + 1)
    return reduction // LMR_PLY


cdef inline int research_depth(Frame* f, int depth, Score score) noexcept nogil:
    """The depth at which a reduced move is searched again, which depends on how far it beat the best move."""
    if not USE.adjusted_research or is_decided(score) or is_decided(f.best):
        return depth
    if score > f.best + TUNED.research_deeper_margin * CP:
        return depth + 1
    return depth - 1 if score < f.best + TUNED.research_shallower_margin * CP else depth


cdef inline void correct_depth(Worker w, Frame* f) noexcept nogil:
    """Hindsight: add or subtract a ply if the static score shows that the parent's reduction was wrong."""
    cdef Frame* before = frame(w, f.ply - 1)
    cdef Score gain
    if not USE.hindsight or f.excluded or f.in_check or before.reduction == 0 or before.static_score == SCORE_NONE:
        return
    gain = f.static_score + before.static_score       # the loss of the side that made the last move
    if before.reduction >= HINDSIGHT_DEEPER and gain <= 0:
        f.depth += 1
    elif before.reduction >= HINDSIGHT_SHALLOWER and f.depth >= 2 and gain > TUNED.hindsight_margin * CP:
        f.depth -= 1
