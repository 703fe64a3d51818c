"""Quiescence search: stand pat, captures, quiet checks at its first ply; all evasions when in check."""

from .movepick cimport init_noisy_picker, init_picker, next_move
from .shared_steps cimport (is_decided, limit_reached, make_move, prefetch_child, probe, set_static_score, store,
                            unmake_move, update_pv)
from .parameters cimport NO_SEE_MARGIN, QUIESCENCE_MOVES, TUNED, USE

from ..base.types cimport *
from .worker cimport Frame, Picker, Worker, frame


cdef inline bint is_stalemate(Worker w, int ply) noexcept nogil:
    """Return whether this is stalemate; tested only if the side to move has few pieces, as it is rare otherwise."""
    return not w.board.has_pieces() and w.board.generate(ALL_MOVES, &w.moves[ply * w.max_moves]) == 0


cdef inline bint stand_pat(Worker w, Frame* f) noexcept nogil:
    """Take the static score as a lower bound, because captures are optional (CPW: Stand Pat). True if it cuts off."""
    f.best = f.estimate
    if f.best >= f.beta:
        if not f.tt.hit:
            store(w, f, 0, f.best, 0, BOUND_LOWER)
        f.result = f.best
        return True
    if f.best > f.alpha:
        f.alpha = f.best
    return False


cdef inline bint is_futile(Worker w, Frame* f, Move move) noexcept nogil:
    """Return whether this capture stays below alpha even without a recapture (CPW: Delta Pruning). Forcing moves pass.
    """
    cdef Score optimistic
    if f.in_check or f.best <= -SCORE_DECIDED or is_decided(f.alpha) or not USE.delta_pruning:
        return False
    optimistic = f.static_score + (w.board.victim_cp(move) + TUNED.delta_margin) * CP
    if optimistic > f.alpha or w.board.is_forcing(move):
        return False
    if optimistic > f.best:
        f.best = optimistic
    return True


cdef inline Frame* open_frame(Worker w, int ply, Score alpha, Score beta) noexcept nogil:
    cdef Frame* f = frame(w, ply)
    f.ply = ply
    f.alpha = alpha
    f.beta = beta
    f.depth = 0
    f.is_pv = beta - alpha > 1
    f.move_count = 0
    f.best_move = 0
    f.excluded = 0
    w.pv_length[ply] = 0
    return f


cdef inline bint raises_to_beta(Worker w, Frame* f, Move move, Score score) noexcept nogil:
    """Take the score of a move into account; True if it reaches beta."""
    if score > f.best:
        f.best = score
        if score > f.alpha:
            f.best_move = move
            if f.is_pv:
                update_pv(w, f.ply, move)
            if score >= f.beta:
                return True
            f.alpha = score
    return False


cdef inline Score after_move(Worker w, Frame* f, Move move, int depth) noexcept nogil:
    """The score of the node after this move."""
    cdef Score score
    make_move(w, f, move)
    score = -qsearch(w, f.ply + 1, -f.beta, -f.alpha, depth - 1)
    unmake_move(w)
    return score


cdef Score qsearch(Worker w, int ply, Score alpha, Score beta, int depth) noexcept nogil:
    cdef Frame* f = open_frame(w, ply, alpha, beta)
    cdef Picker picker
    cdef Score score
    cdef Move move
    cdef int bound
    if limit_reached(w, f):
        return f.result
    probe(w, f)
    if (not f.is_pv and f.tt.score != SCORE_NONE
            and f.tt.bound & (BOUND_LOWER if f.tt.score >= beta else BOUND_UPPER)):
        return f.tt.score
    set_static_score(w, f)
    if w.board.ends_suddenly:
        move = w.board.winning_quiet(&w.moves[ply * w.max_moves])
        if move:
            return after_move(w, f, move, depth)
    if f.in_check:
        f.best = -SCORE_INFINITE
        init_picker(w, f, &picker, f.tt.move)
    else:
        if is_stalemate(w, ply):
            return w.objective.settle(w.board, w.board.no_moves())
        if stand_pat(w, f):
            return f.result
        init_noisy_picker(w, f, &picker, f.tt.move if w.board.is_noisy(f.tt.move) else 0,
                          0 if USE.quiescence_see else NO_SEE_MARGIN, USE.quiescence_checks and depth == 0)
    while True:
        move = next_move(w, f, &picker)
        if move == 0:
            break
        f.move_count += 1
        if is_futile(w, f, move):
            continue
        if (USE.quiescence_count and not f.in_check and f.move_count > QUIESCENCE_MOVES and f.best > -SCORE_DECIDED
                and move_to(move) != move_to(frame(w, ply - 1).move) and not w.board.is_forcing(move)):
            continue
        prefetch_child(w, move)
        if f.in_check and f.best > -SCORE_DECIDED:
            picker.skip_quiets = True     # one evasion avoids mate, so only captures are tried from here on
        score = after_move(w, f, move, depth)
        if w.stopped:
            return 0
        if raises_to_beta(w, f, move, score):
            break
    if f.in_check and f.move_count == 0:
        return w.objective.settle(w.board, w.board.no_moves())
    bound = BOUND_LOWER if f.best >= beta else BOUND_EXACT if f.best > alpha and f.is_pv else BOUND_UPPER
    store(w, f, f.best_move, f.best, 0, bound)
    return f.best
