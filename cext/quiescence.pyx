"""Quiescence search: stand pat, take, at its first ply also give check; in check every evasion."""

from .movepick cimport next_move, start_all, start_noisy
from .reductions cimport DELTA_MARGIN, USE
from .node cimport (enter_child, fetch_child, is_decided, join_pv, keep, leave_child, limit_reached, look_up,
                    set_static_score)

from .types cimport *
from .worker cimport Frame, Picker, Worker, frame


cdef inline bint is_stalemate(Worker w, int ply) noexcept nogil:
    """Only asked where a side has few men: elsewhere it costs more than it tells."""
    return not w.board.has_pieces() and w.board.generate(ALL_MOVES, &w.moves[ply * w.max_moves]) == 0


cdef inline bint stand_pat(Worker w, Frame* f) noexcept nogil:
    """The side to move need not take: at least the static score. True if that ends the node."""
    f.best = f.estimate
    if f.best >= f.beta:
        if not f.entry.hit:
            keep(w, f, 0, f.best, 0, BOUND_LOWER)
        f.result = f.best
        return True
    if f.best > f.alpha:
        f.alpha = f.best
    return False


cdef inline bint is_futile(Worker w, Frame* f, Move move) noexcept nogil:
    """Cannot reach alpha even if the man taken is all gain (CPW: Delta Pruning)."""
    cdef Score hope
    if f.in_check or f.best <= -SCORE_DECIDED or is_decided(f.alpha) or not USE.delta_pruning:
        return False
    hope = f.static_score + (w.board.victim_cp(move) + DELTA_MARGIN) * CP
    if hope > f.alpha or w.board.gives_check(move):
        return False
    if hope > f.best:
        f.best = hope
    return True


cdef Score quiesce(Worker w, int ply, Score alpha, Score beta, int depth) noexcept nogil:
    cdef Frame* f = frame(w, ply)
    cdef Picker picker
    cdef Score score
    cdef Move move
    cdef int bound
    f.ply = ply
    f.alpha = alpha
    f.beta = beta
    f.depth = 0
    f.is_pv = beta - alpha > 1
    f.move_count = 0
    f.best_move = 0
    f.excluded = 0
    w.pv_length[ply] = 0
    if limit_reached(w, f):
        return f.result
    look_up(w, f)
    if (not f.is_pv and f.entry.score != SCORE_NONE
            and f.entry.bound & (BOUND_LOWER if f.entry.score >= beta else BOUND_UPPER)):
        return f.entry.score
    set_static_score(w, f)
    if f.in_check:
        f.best = -SCORE_INFINITE
        start_all(w, f, &picker, f.entry.move)
    else:
        if is_stalemate(w, ply):
            return w.objective.settle(w.board, w.board.no_moves())
        if stand_pat(w, f):
            return f.result
        start_noisy(w, f, &picker, f.entry.move if w.board.is_noisy(f.entry.move) else 0,
                    0 if USE.quiescence_see else -30000, USE.quiescence_checks and depth == 0)
    while True:
        move = next_move(w, f, &picker)
        if move == 0:
            break
        f.move_count += 1
        if is_futile(w, f, move):
            continue
        fetch_child(w, move)
        if f.in_check and f.best > -SCORE_DECIDED:
            picker.skip_quiets = True     # one quiet way out is enough to know that there is one
        enter_child(w, f, move)
        score = -quiesce(w, ply + 1, -beta, -f.alpha, depth - 1)
        leave_child(w)
        if w.stopped:
            return 0
        if score > f.best:
            f.best = score
            if score > f.alpha:
                f.best_move = move
                if f.is_pv:
                    join_pv(w, ply, move)
                if score >= beta:
                    break
                f.alpha = score
    if f.in_check and f.move_count == 0:
        return w.objective.settle(w.board, CHECKMATE)
    bound = BOUND_LOWER if f.best >= beta else BOUND_EXACT if f.best > alpha and f.is_pv else BOUND_UPPER
    keep(w, f, f.best_move, f.best, 0, bound)
    return f.best
