"""The root: aspiration windows and iterative deepening."""

from ..base.types cimport *
from .shared_steps cimport is_decided, probe
from .parameters cimport ASPIRATION_DEPTH, ASPIRATION_LIMIT, ASPIRATION_REDUCTIONS, TUNED, USE
from .search cimport negamax
from .stopping cimport soft_limit_reached
from .worker cimport Frame, RootMove, Worker, frame

cdef enum:
    LAST_DEPTH = MAX_PLY - 10         # leaves room for extensions
    ORDERING_DEPTH = 6                # iterations that order the moves well enough to resume an earlier, deeper run


cdef void sort_root_moves(Worker w, int first, int end) noexcept nogil:
    """Sort from `first` to `end`, best first; stable, so that moves without an exact score keep their order."""
    cdef RootMove held
    cdef int i, j
    for i in range(first + 1, end):
        j = i
        while j > first and w.root_moves[j - 1].score < w.root_moves[i].score:
            j -= 1
        if j == i:
            continue
        held = w.root_moves[i]
        while i > j:
            w.root_moves[i] = w.root_moves[i - 1]
            i -= 1
        w.root_moves[j] = held


cdef Score aspiration_window(Worker w, int depth) noexcept nogil:
    """Search one line at one depth in a window around its last score, widened on failure (CPW: Aspiration Windows)."""
    cdef Score previous = w.root_moves[w.multipv_index].previous, score
    cdef Score delta = TUNED.aspiration_delta * CP
    cdef Score alpha = -SCORE_INFINITE, beta = SCORE_INFINITE
    cdef int reduction = 0
    # Neighbouring outcomes in a band are as close as evaluations, so a narrow window suits them as well.
    cdef bint in_bands = w.objective.in_bands
    cdef Score limit = SCORE_SURE if in_bands else SCORE_DECIDED
    if (USE.aspiration and depth >= ASPIRATION_DEPTH
            and (not is_decided(previous) or (in_bands and -SCORE_SURE < previous < SCORE_SURE))):
        alpha = previous - delta
        beta = previous + delta
    while True:
        score = negamax(w, 0, alpha, beta, depth - reduction, False)
        sort_root_moves(w, w.multipv_index, w.n_root_moves)
        if w.stopped:
            return score
        if score <= alpha and alpha > -SCORE_INFINITE:
            beta = (alpha + beta) // 2 // CP * CP
            alpha = score - delta
            reduction = 0
        elif score >= beta and beta < SCORE_INFINITE:
            beta = score + delta
            if reduction < ASPIRATION_REDUCTIONS and not is_decided(score):
                reduction += 1
        else:
            return score
        w.on_bound()
        delta += delta // 2
        if delta > ASPIRATION_LIMIT * CP or alpha <= -limit:
            alpha = -SCORE_INFINITE
        if delta > ASPIRATION_LIMIT * CP or beta >= limit:
            beta = SCORE_INFINITE


cdef void begin_iteration(Worker w) noexcept nogil:
    cdef int i
    for i in range(w.n_root_moves):
        w.root_moves[i].previous = w.root_moves[i].score
        w.root_moves[i].score = -SCORE_INFINITE
    w.best_move_changes = 0
    w.all_probed = True
    w.seldepth = 0


cdef void restore_unfinished(Worker w) noexcept nogil:
    """After a stop, restore the previous score of each line that the unfinished iteration has not reached."""
    cdef int i
    for i in range(w.n_root_moves):
        if w.root_moves[i].score == -SCORE_INFINITE:
            w.root_moves[i].score = w.root_moves[i].previous
            w.root_moves[i].bound = BOUND_EXACT


cdef bint mate_found(Worker w) noexcept nogil:
    """Return whether the mate that `go mate` requests has been found."""
    cdef Score score = w.root_moves[0].score
    if not w.limits.mate:
        return False
    return score >= SCORE_MATE - 2 * w.limits.mate + 1


cdef int depth_of_earlier_run(Worker w) noexcept nogil:
    """The last depth that an earlier run finished, according to the table's entry for the root; 0 if unknown."""
    cdef Frame* f = frame(w, 0)
    probe(w, f)
    return f.tt.depth if f.tt.hit and f.tt.bound == BOUND_EXACT else 0


cdef void iterative_deepening(Worker w) noexcept nogil:
    cdef int known = min(depth_of_earlier_run(w), LAST_DEPTH - 1) if w.limits.goes_on else 0
    cdef int depth = 0, lines = min(w.limits.multipv, w.n_root_moves)
    while depth < LAST_DEPTH and not w.stopped:
        if depth == ORDERING_DEPTH and known > depth:
            # Skip the depths that the earlier run finished, except the requested one.
            depth = known if not w.limits.depth else max(depth, min(known, w.limits.depth - 1))
        depth += 1
        if w.index == 0 and w.limits.depth and depth > w.limits.depth:
            break
        # Helpers skip every third depth, so that threads do not all search the same tree (CPW: Lazy SMP).
        if w.index and (depth + w.index) % 3 == 0 and depth > 3:
            continue
        begin_iteration(w)
        w.multipv_index = 0
        while w.multipv_index < lines and not w.stopped:
            aspiration_window(w, depth)
            w.multipv_index += 1
            sort_root_moves(w, 0, w.multipv_index)
        w.multipv_index = 0
        if w.stopped:
            break
        w.completed = depth
        w.on_iteration(False)
        # If the oracle knew every node, a deeper iteration would find the same result.
        if mate_found(w) or w.all_probed or soft_limit_reached(w):
            break
    if w.stopped:
        restore_unfinished(w)
        sort_root_moves(w, 0, lines)
