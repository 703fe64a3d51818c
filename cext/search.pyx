"""The main search: one node in named steps, and the iterations around it."""

from libc.string cimport memcpy

from .evaluator cimport Solution
from .history cimport (CORRECTION_GRAIN, CORRECTION_LIMIT, CORRECTIONS, FROM_TO, VICTIMS, from_to, reward)
from .movepick cimport next_move, quiet_history, start_all, start_noisy
from .node cimport (enter_child, enter_pass, fetch_child, is_decided, join_pv, keep, leave_child, limit_reached,
                    look_up, set_static_score)
from .quiescence cimport quiesce
from .reductions cimport *
from .types cimport *
from .watch cimport enough
from .worker cimport TRIED, Frame, Picker, RootMove, Worker, frame, pv_row


# ---- steps of a node, in the order in which negamax takes them ----

cdef inline void open_node(Worker w, Frame* f, int ply, Score alpha, Score beta, int depth, bint is_cut) noexcept nogil:
    f.ply = ply
    f.alpha = alpha
    f.beta = beta
    f.depth = depth
    f.is_cut = is_cut
    f.is_root = ply == 0
    f.is_pv = beta - alpha > 1
    f.best = -SCORE_INFINITE
    f.best_move = 0
    f.move_count = 0
    f.n_quiets = 0
    f.n_noisy = 0
    f.raised = False
    f.extensions = frame(w, ply - 1).extensions
    frame(w, ply + 1).killers[0] = frame(w, ply + 1).killers[1] = 0
    w.pv_length[ply] = 0


cdef inline bint mate_is_nearer(Frame* f) noexcept nogil:
    """A shorter mate is known than any this node can give (CPW: Mate Distance Pruning)."""
    if f.is_root or not USE.mate_distance:
        return False
    if f.alpha < -SCORE_MATE + f.ply:
        f.alpha = -SCORE_MATE + f.ply
    if f.beta > SCORE_MATE - f.ply - 1:
        f.beta = SCORE_MATE - f.ply - 1
    f.result = f.alpha
    return f.alpha >= f.beta


cdef inline bint probe_table(Worker w, Frame* f) noexcept nogil:
    """Cut off by what the table knows, though never in a node of the principal variation."""
    look_up(w, f)
    if f.excluded or f.is_pv or f.entry.score == SCORE_NONE or f.entry.depth < f.depth:
        return False
    if not f.entry.bound & (BOUND_LOWER if f.entry.score >= f.beta else BOUND_UPPER):
        return False
    # Near the 50-move limit the table does not know how many moves are left.
    if w.board.head[w.board.top].clock + 10 >= w.board.clock_limit:
        return False
    if f.entry.move and f.entry.score >= f.beta and not w.board.is_noisy(f.entry.move):
        reward_quiet(w, f, f.entry.move, history_bonus(f.depth))
    f.result = f.entry.score
    return True


cdef inline bint razor(Worker w, Frame* f) noexcept nogil:
    """Hopelessly behind near the leaves: only captures can help (CPW: Razoring)."""
    if not USE.razoring or f.depth > RAZOR_DEPTH or is_decided(f.alpha):
        return False
    if f.estimate + (RAZOR_MARGIN + RAZOR_SLOPE * f.depth) * CP >= f.alpha:
        return False
    f.result = quiesce(w, f.ply, f.alpha, f.alpha + 1, 0)
    return f.result <= f.alpha


cdef inline bint stands_high(Frame* f) noexcept nogil:
    """So far ahead that the opponent's best reply will not matter (CPW: Reverse Futility Pruning)."""
    if not USE.reverse_futility or f.depth > REVERSE_DEPTH or is_decided(f.beta) or is_decided(f.estimate):
        return False
    f.result = f.estimate
    return f.estimate - REVERSE_MARGIN * (f.depth - f.improving) * CP >= f.beta


cdef inline bint pass_is_enough(Worker w, Frame* f) noexcept nogil:
    """Still at least beta after passing (CPW: Null Move Pruning), verified at high depth (zugzwang)."""
    cdef int reduction, depth
    cdef Score score
    cdef Score gain
    if (not USE.null_move or f.depth < NULL_DEPTH or f.ply < w.null_ply or is_decided(f.beta)
            or f.estimate < f.beta or f.static_score < f.beta or frame(w, f.ply - 1).last_slot == 0
            or w.board.head[w.board.top].dead or not w.board.has_pieces()):
        return False
    gain = (f.estimate - f.beta) // (NULL_GAIN_CP * CP)
    reduction = NULL_REDUCTION + f.depth // NULL_DEPTH_SHARE + <int> (gain if gain < NULL_GAIN_MOST else NULL_GAIN_MOST)
    enter_pass(w, f)
    score = -negamax(w, f.ply + 1, -f.beta, -f.beta + 1, f.depth - reduction, not f.is_cut)
    leave_child(w)
    if w.stopped:
        f.result = 0
        return True
    if score < f.beta:
        return False
    # A pass proves no mate and no drawn outcome, only "at least beta".
    f.result = f.beta if is_decided(score) or -CP < score < CP else score
    if f.depth < NULL_VERIFY_DEPTH or w.null_ply:
        return True
    depth = f.depth - reduction
    w.null_ply = f.ply + 3 * depth // 4 + 1
    score = search_again(w, f, f.beta - 1, f.beta, depth, False)
    w.null_ply = 0
    return score >= f.beta


cdef inline Score search_again(Worker w, Frame* f, Score alpha, Score beta, int depth, bint is_cut) noexcept nogil:
    """Search the node itself with other bounds, its frame restored afterwards."""
    cdef Frame saved
    cdef Score score
    memcpy(&saved, f, sizeof(Frame))
    score = negamax(w, f.ply, alpha, beta, depth, is_cut)
    memcpy(f, &saved, sizeof(Frame))
    w.pv_length[f.ply] = 0
    return score


cdef inline bint capture_is_enough(Worker w, Frame* f) noexcept nogil:
    """A capture that beats beta by a margin at reduced depth will beat beta (CPW: ProbCut)."""
    cdef Score raised = f.beta + PROBCUT_MARGIN * CP, score
    cdef int depth = f.depth - PROBCUT_REDUCTION
    cdef Picker picker
    cdef Move move
    if not USE.probcut or f.depth < PROBCUT_DEPTH or is_decided(f.beta):
        return False
    if f.entry.hit and f.entry.depth >= depth and f.entry.score != SCORE_NONE and f.entry.score < raised:
        return False
    start_noisy(w, f, &picker, f.entry.move if f.entry.move and w.board.is_noisy(f.entry.move) else 0,
                <int> ((raised - f.static_score) // CP), False)
    while True:
        move = next_move(w, f, &picker)
        if move == 0:
            return False
        fetch_child(w, move)
        enter_child(w, f, move)
        score = -quiesce(w, f.ply + 1, -raised, -raised + 1, 0)
        if score >= raised and depth > 1:
            score = -negamax(w, f.ply + 1, -raised, -raised + 1, depth, not f.is_cut)
        leave_child(w)
        if w.stopped:
            f.result = 0
            return True
        if score >= raised:
            keep(w, f, move, score, depth + 1, BOUND_LOWER)
            f.result = score
            return True


cdef inline bint is_known(Worker w, Frame* f) noexcept nogil:
    """Two bare kings, or a mate that the side to move will give for certain: the static score needs no proof."""
    cdef Solution solution
    f.result = f.static_score
    if f.static_score >= SCORE_SURE:
        return f.static_score >= f.beta
    return w.board.head[w.board.top].dead and w.objective.is_solved(w.board, w.evaluator, &solution)


cdef inline bint prune_node(Worker w, Frame* f) noexcept nogil:
    """Is there no need to look at the moves?"""
    if f.is_pv or f.in_check or f.excluded:
        return False
    if is_known(w, f):
        return True
    return razor(w, f) or stands_high(f) or pass_is_enough(w, f) or capture_is_enough(w, f)


cdef inline bint prune_quiet(Worker w, Frame* f, Picker* picker, Move move, int lmr_depth) noexcept nogil:
    if USE.late_move_pruning and f.depth <= LATE_DEPTH and f.move_count > LATE_COUNT[f.improving][f.depth]:
        picker.skip_quiets = True
        return True
    if (USE.futility and not f.in_check and lmr_depth <= FUTILITY_DEPTH and not is_decided(f.alpha)
            and f.static_score + (FUTILITY_BASE + FUTILITY_SLOPE * lmr_depth) * CP <= f.alpha):
        picker.skip_quiets = True
        return True
    if USE.history_pruning and lmr_depth <= HISTORY_DEPTH and quiet_history(w, f, move) < -HISTORY_FLOOR * lmr_depth:
        return True
    return USE.see_pruning and lmr_depth <= SEE_DEPTH and not w.board.see_ge(move, -SEE_QUIET * lmr_depth)


cdef inline bint prune_move(Worker w, Frame* f, Picker* picker, Move move, bint quiet, bint check) noexcept nogil:
    """Is this move not worth searching? Never while every move so far loses by force."""
    cdef int lmr_depth
    if f.is_root or f.best <= -SCORE_DECIDED or w.board.head[w.board.top].dead:
        return False
    if quiet and not check:
        lmr_depth = f.depth - LMR[min(f.depth, 63)][min(f.move_count, 63)]
        return prune_quiet(w, f, picker, move, lmr_depth if lmr_depth > 0 else 0)
    return (USE.see_pruning and f.depth <= SEE_DEPTH and f.move_count > 1
            and not w.board.see_ge(move, -SEE_NOISY * f.depth))


cdef inline int extend(Worker w, Frame* f, Move move, bint check) noexcept nogil:
    """Plies added to a move's depth; f.result is set and -100 returned if the node can be cut off instead."""
    cdef Score bound, score
    if f.is_root or f.ply >= 2 * (w.completed + 1):
        return 0
    if (USE.singular_extension and move == f.entry.move and not f.excluded and f.depth >= SINGULAR_DEPTH
            and f.entry.depth >= f.depth - 3 and f.entry.bound & BOUND_LOWER and f.entry.score != SCORE_NONE
            and not is_decided(f.entry.score)):
        # The table move is singular if every other move is clearly worse (CPW: Singular Extensions).
        bound = f.entry.score - SINGULAR_MARGIN * f.depth * CP
        f.excluded = move
        score = search_again(w, f, bound - 1, bound, (f.depth - 1) // 2, f.is_cut)
        f.excluded = 0
        if score < bound:
            if not f.is_pv and score < bound - DOUBLE_MARGIN * CP and f.extensions < 6:
                f.extensions += 1
                return 2
            return 1
        if bound >= f.beta:
            f.result = bound
            return -100                   # several moves beat beta
        if f.entry.score >= f.beta:
            return -1
    if USE.check_extension and check and f.depth <= 8 and w.board.see_ge(move, 0):
        return 1
    return 0


cdef inline int reduction_of(Worker w, Frame* f, Picker* picker, Move move, bint quiet, bint check) noexcept nogil:
    """Plies by which a late move is searched less deeply at first (CPW: Late Move Reductions)."""
    cdef int reduction = LMR[min(f.depth, 63)][min(f.move_count, 63)]
    reduction += 2 * f.is_cut + (not f.improving) - f.is_pv - check
    if quiet:
        if move == f.killers[0] or move == f.killers[1] or move == picker.counter:
            reduction -= 1
        reduction -= quiet_history(w, f, move) // LMR_HISTORY
        if f.entry.move and w.board.is_noisy(f.entry.move):
            reduction += 1
    else:
        reduction -= 1 + w.history.capture[w.board.slot(move) * VICTIMS + w.board.victim(move)] // LMR_HISTORY
    return reduction


cdef inline Score search_child(Worker w, Frame* f, int depth, int reduction) noexcept nogil:
    """The move has been made: null window first, reduced if late, and the whole window where it pays."""
    cdef Score score = 0
    cdef int reduced, ply = f.ply + 1
    if f.move_count > 1 or not f.is_pv:
        reduced = depth - reduction if reduction > 0 else depth
        if reduced < 1 and depth >= 1:
            reduced = 1
        score = -negamax(w, ply, -f.alpha - 1, -f.alpha, reduced, True if reduction > 0 else not f.is_cut)
        if score > f.alpha and reduced < depth:
            score = -negamax(w, ply, -f.alpha - 1, -f.alpha, depth, not f.is_cut)
    if f.is_pv and (f.move_count == 1 or (score > f.alpha and (f.is_root or score < f.beta))):
        score = -negamax(w, ply, -f.beta, -f.alpha, depth, False)
    return score


cdef inline void note_root_move(Worker w, Frame* f, RootMove* root, Score score, uint64_t nodes_before) noexcept nogil:
    root.nodes += w.nodes - nodes_before
    if f.move_count > 1 and score <= f.alpha:
        root.score = -SCORE_INFINITE      # only a bound: keeps its place in the order
        return
    if f.move_count > 1 and w.multipv_index == 0:
        w.best_move_changes += 1
    root.score = score
    root.bound = BOUND_UPPER if score <= f.alpha else BOUND_LOWER if score >= f.beta else BOUND_EXACT
    root.seldepth = w.seldepth
    root.pv[0] = root.move
    memcpy(&root.pv[1], pv_row(w, 1), w.pv_length[1] * sizeof(Move))
    root.pv_length = w.pv_length[1] + 1


cdef inline bint take_score(Worker w, Frame* f, Move move, Score score) noexcept nogil:
    """Note the score of a move; true if it cuts off."""
    if score <= f.best:
        return False
    f.best = score
    if score <= f.alpha:
        return False
    f.best_move = move
    if f.is_pv and not f.is_root:
        join_pv(w, f.ply, move)
    if score >= f.beta:
        return True
    f.alpha = score
    f.raised = True
    return False


cdef inline void remember_tried(Frame* f, Move move, bint quiet) noexcept nogil:
    if quiet and f.n_quiets < TRIED:
        f.quiets[f.n_quiets] = move
        f.n_quiets += 1
    elif not quiet and f.n_noisy < TRIED:
        f.noisy[f.n_noisy] = move
        f.n_noisy += 1


cdef inline Move next_root_move(Worker w, Frame* f, int* place) noexcept nogil:
    place[0] += 1
    return w.root_moves[place[0]].move if place[0] < w.n_root_moves else 0


cdef Score move_loop(Worker w, Frame* f) noexcept nogil:
    cdef Picker picker
    cdef Move move
    cdef Score score
    cdef int place = w.multipv_index - 1, extension, reduction
    cdef bint quiet, check
    cdef uint64_t nodes_before
    start_all(w, f, &picker, f.entry.move)
    while True:
        move = next_root_move(w, f, &place) if f.is_root else next_move(w, f, &picker)
        if move == 0:
            break
        if move == f.excluded:
            continue
        f.move_count += 1
        fetch_child(w, move)
        if f.is_root:
            w.on_root_move(move, f.move_count + w.multipv_index)
        quiet = not w.board.is_noisy(move)
        check = w.board.gives_check(move)
        if prune_move(w, f, &picker, move, quiet, check):
            continue
        extension = extend(w, f, move, check)
        if extension == -100:
            return f.result
        if w.stopped:
            return 0
        reduction = 0
        # With a few men history tells little, and what a fight of tempi comes to is seen only in full depth.
        if (USE.late_move_reduction and f.depth >= LMR_DEPTH and f.move_count > 1 + 2 * f.is_root
                and not w.board.head[w.board.top].dead):
            reduction = reduction_of(w, f, &picker, move, quiet, check)
        nodes_before = w.nodes
        enter_child(w, f, move)
        score = search_child(w, f, f.depth - 1 + extension, reduction)
        leave_child(w)
        if w.stopped:
            return 0
        if f.is_root:
            note_root_move(w, f, &w.root_moves[place], score, nodes_before)
        if take_score(w, f, move, score):
            break
        remember_tried(f, move, quiet)
    return close_node(w, f)


cdef inline Score close_node(Worker w, Frame* f) noexcept nogil:
    """All moves have been looked at: mate, stalemate, or what was found is kept."""
    cdef int bound
    if f.move_count == 0:
        if f.excluded:
            return f.alpha
        return w.objective.settle(w.board, w.board.no_moves())
    bound = BOUND_LOWER if f.best >= f.beta else BOUND_EXACT if f.raised else BOUND_UPPER
    if f.best >= f.beta:
        update_histories(w, f)
    if f.excluded:
        return f.best
    if not (f.is_root and w.multipv_index):
        keep(w, f, f.best_move, f.best, f.depth, bound)
    update_correction(w, f, bound)
    return f.best


cdef inline void reward_quiet(Worker w, Frame* f, Move move, int bonus) noexcept nogil:
    cdef int slot = w.board.slot(move)
    reward(&w.history.butterfly[w.board.head[w.board.top].stm * FROM_TO + from_to(move)], bonus)
    if frame(w, f.ply - 1).last_slot:
        reward(&frame(w, f.ply - 1).continuation[slot], bonus)
    if frame(w, f.ply - 2).last_slot:
        reward(&frame(w, f.ply - 2).continuation[slot], bonus)
    if frame(w, f.ply - 4).last_slot:
        reward(&frame(w, f.ply - 4).continuation[slot], bonus)


cdef inline void reward_noisy(Worker w, Move move, int bonus) noexcept nogil:
    reward(&w.history.capture[w.board.slot(move) * VICTIMS + w.board.victim(move)], bonus)


cdef inline void update_histories(Worker w, Frame* f) noexcept nogil:
    """Praise the move that cut off, blame those tried before it."""
    cdef int bonus = history_bonus(f.depth), i
    if w.board.is_noisy(f.best_move):
        reward_noisy(w, f.best_move, bonus)
    else:
        if f.killers[0] != f.best_move:
            f.killers[1] = f.killers[0]
            f.killers[0] = f.best_move
        w.history.counter[frame(w, f.ply - 1).last_slot] = f.best_move
        # A quiet move that cuts off at once near the leaves says little.
        if f.depth > 3 or f.n_quiets > 0:
            reward_quiet(w, f, f.best_move, bonus)
        for i in range(f.n_quiets):
            reward_quiet(w, f, f.quiets[i], -bonus)
    for i in range(f.n_noisy):
        reward_noisy(w, f.noisy[i], -bonus)


cdef inline void update_correction(Worker w, Frame* f, int bound) noexcept nogil:
    """Learn how far the static score of this pawn structure is off (CPW: Static Evaluation Correction History)."""
    cdef int16_t* value
    cdef int difference, weight
    if (f.in_check or w.board.head[w.board.top].dead or is_decided(f.best) or is_decided(f.static_score)
            or (f.best_move and w.board.is_noisy(f.best_move))
            or (bound == BOUND_LOWER and f.best <= f.static_score)
            or (bound == BOUND_UPPER and f.best >= f.static_score)):
        return
    value = &w.history.correction[w.board.head[w.board.top].stm * CORRECTIONS
                                  + <int> (w.board.head[w.board.top].pawn_key & (CORRECTIONS - 1))]
    weight = f.depth + 1 if f.depth < 15 else 16
    difference = <int> ((f.best - f.static_score) // CP) * CORRECTION_GRAIN + value[0]
    difference = (value[0] * (256 - weight) + difference * weight) // 256
    value[0] = <int16_t> max(-CORRECTION_LIMIT, min(CORRECTION_LIMIT, difference))


cdef Score negamax(Worker w, int ply, Score alpha, Score beta, int depth, bint is_cut) noexcept nogil:
    cdef Frame* f = frame(w, ply)
    if depth <= 0:
        return quiesce(w, ply, alpha, beta, 0)
    open_node(w, f, ply, alpha, beta, depth if depth < MAX_PLY else MAX_PLY - 1, is_cut)
    if limit_reached(w, f) or mate_is_nearer(f):
        return f.result
    if probe_table(w, f):
        return f.result
    if f.excluded == 0:
        set_static_score(w, f)
    if prune_node(w, f):
        return f.result
    if USE.iterative_reduction and f.depth >= ITERATIVE_DEPTH and f.entry.move == 0 and (f.is_pv or f.is_cut):
        f.depth -= 1                      # the next iteration will have one (CPW: Internal Iterative Reductions)
    return move_loop(w, f)


# ---- around the root ----

cdef void sort_root_moves(Worker w, int first, int end) noexcept nogil:
    """Best first, in part of the list; stable, so that moves without a score of their own keep their order."""
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


cdef Score aspire(Worker w, int depth) noexcept nogil:
    """One line at one depth, in a window around its last score that opens where it fails (CPW: Aspiration Windows)."""
    cdef Score previous = w.root_moves[w.multipv_index].previous, score
    cdef Score delta = ASPIRATION_DELTA * CP
    cdef Score alpha = -SCORE_INFINITE, beta = SCORE_INFINITE
    cdef int reduced = 0
    # Where outcomes are searched as they are, neighbours lie as close together as evaluations do.
    cdef bint is_narrow = w.objective.in_bands
    if (USE.aspiration and depth >= ASPIRATION_DEPTH
            and (not is_decided(previous) or (is_narrow and -SCORE_SURE < previous < SCORE_SURE))):
        alpha = previous - delta
        beta = previous + delta
    while True:
        score = negamax(w, 0, alpha, beta, depth - reduced, False)
        sort_root_moves(w, w.multipv_index, w.n_root_moves)
        if w.stopped:
            return score
        if score <= alpha and alpha > -SCORE_INFINITE:
            beta = (alpha + beta) // 2 // CP * CP
            alpha = score - delta
            reduced = 0
        elif score >= beta and beta < SCORE_INFINITE:
            beta = score + delta
            if reduced < 2 and not is_decided(score):
                reduced += 1
        else:
            return score
        w.on_bound()
        delta += delta // 2
        if delta > 500 * CP or alpha <= (-SCORE_SURE if is_narrow else -SCORE_DECIDED):
            alpha = -SCORE_INFINITE
        if delta > 500 * CP or beta >= (SCORE_SURE if is_narrow else SCORE_DECIDED):
            beta = SCORE_INFINITE


cdef void begin_iteration(Worker w) noexcept nogil:
    cdef int i
    for i in range(w.n_root_moves):
        w.root_moves[i].previous = w.root_moves[i].score
        w.root_moves[i].score = -SCORE_INFINITE
    w.best_move_changes = 0
    w.seldepth = 0


cdef void restore_unfinished(Worker w) noexcept nogil:
    """After a stop: lines that this iteration did not reach keep the score of the last one."""
    cdef int i
    for i in range(w.n_root_moves):
        if w.root_moves[i].score == -SCORE_INFINITE:
            w.root_moves[i].score = w.root_moves[i].previous
            w.root_moves[i].bound = BOUND_EXACT


cdef bint mate_found(Worker w) noexcept nogil:
    """Is the mate that was asked for on the board?"""
    cdef Score score = w.root_moves[0].score
    if not w.limits.mate:
        return False
    return score >= SCORE_MATE - 2 * w.limits.mate + 1


cdef void deepen(Worker w) noexcept nogil:
    cdef int depth = 0, lines = min(w.limits.multipv, w.n_root_moves)
    while depth < MAX_PLY - 10 and not w.stopped:
        depth += 1
        if w.index == 0 and w.limits.depth and depth > w.limits.depth:
            break
        # Helpers skip some depths, so that threads do not all search the same tree (CPW: Lazy SMP).
        if w.index and (depth + w.index) % 3 == 0 and depth > 3:
            continue
        begin_iteration(w)
        w.multipv_index = 0
        while w.multipv_index < lines and not w.stopped:
            aspire(w, depth)
            w.multipv_index += 1
            sort_root_moves(w, 0, w.multipv_index)
        w.multipv_index = 0
        if w.stopped:
            break
        w.completed = depth
        w.on_iteration(False)
        if mate_found(w) or enough(w):
            break
    if w.stopped:
        restore_unfinished(w)
        sort_root_moves(w, 0, lines)
