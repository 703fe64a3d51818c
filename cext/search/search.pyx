"""The main search: one node in named steps, aspiration windows and iterative deepening around it."""

from libc.string cimport memcpy

from ..base.board cimport Head
from ..base.types cimport *
from ..value.evaluator cimport Solution
from .history cimport (CORRECTION_GRAIN, CORRECTION_WEIGHT_MAX, add_bonus, butterfly_entry, capture_entry,
                       correct_towards, correction_entry, move_correction_entry, pawn_entry)
from .movepick cimport init_noisy_picker, init_picker, next_move, quiet_history
from .node cimport (is_decided, limit_reached, make_move, make_null_move, prefetch_child, probe, set_static_score,
                    store, unmake_move, update_pv)
from .quiescence cimport qsearch
from .reductions cimport *
from .watch cimport soft_limit_reached
from .worker cimport MAX_TRIED, Frame, Picker, RootMove, Worker, frame, pv_row


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
    f.raised_alpha = False
    f.reduction = 0
    f.double_extensions = frame(w, ply - 1).double_extensions
    frame(w, ply + 2).cut_offs = 0
    frame(w, ply + 1).killers[0] = frame(w, ply + 1).killers[1] = 0
    w.pv_length[ply] = 0


cdef inline bint mate_distance(Frame* f) noexcept nogil:
    """Is a mate known that is shorter than any found from here (CPW: Mate Distance Pruning)?"""
    if f.is_root or not USE.mate_distance:
        return False
    if f.alpha < -SCORE_MATE + f.ply:
        f.alpha = -SCORE_MATE + f.ply
    if f.beta > SCORE_MATE - f.ply - 1:
        f.beta = SCORE_MATE - f.ply - 1
    f.result = f.alpha
    return f.alpha >= f.beta


cdef inline bint table_cutoff(Worker w, Frame* f) noexcept nogil:
    """Does the table entry cut off? Never in a PV node."""
    probe(w, f)
    if f.excluded or f.is_pv or f.tt.score == SCORE_NONE or f.tt.depth < f.depth:
        return False
    if not f.tt.bound & (BOUND_LOWER if f.tt.score >= f.beta else BOUND_UPPER):
        return False
    # The entry does not know the 50-move counter.
    if w.board.head[w.board.top].clock + TT_CUT_CLOCK >= w.board.clock_limit:
        return False
    if f.tt.move and f.tt.score >= f.beta and not w.board.is_noisy(f.tt.move):
        update_quiet_history(w, f, f.tt.move, history_bonus(f.depth))
    f.result = f.tt.score
    return True


cdef inline bint razoring(Worker w, Frame* f) noexcept nogil:
    """Far below alpha near the leaves: only captures could help (CPW: Razoring)."""
    if not USE.razoring or f.depth > RAZOR_DEPTH or is_decided(f.alpha):
        return False
    if f.estimate + (RAZOR_MARGIN + RAZOR_DEPTH_MARGIN * f.depth) * CP >= f.alpha:
        return False
    f.result = qsearch(w, f.ply, f.alpha, f.alpha + 1, 0)
    return f.result <= f.alpha


cdef inline bint reverse_futility(Frame* f) noexcept nogil:
    """Above beta by a margin near the leaves (CPW: Reverse Futility Pruning)."""
    if not USE.reverse_futility or f.depth > REVERSE_FUTILITY_DEPTH or is_decided(f.beta) or is_decided(f.estimate):
        return False
    f.result = f.estimate
    return f.estimate - REVERSE_FUTILITY_MARGIN * (f.depth - f.improving) * CP >= f.beta


cdef inline bint null_move(Worker w, Frame* f) noexcept nogil:
    """At least beta even after a null move (CPW: Null Move Pruning); verified at high depth because of zugzwang."""
    cdef int depth
    cdef Score score, gain
    if (not USE.null_move or f.depth < NULL_DEPTH or f.ply < w.null_ply or is_decided(f.beta)
            or f.estimate < f.beta or f.static_score < f.beta or frame(w, f.ply - 1).last_slot == 0
            or w.board.head[w.board.top].dead or not w.board.has_pieces()):
        return False
    gain = (f.estimate - f.beta) // (NULL_GAIN_CP * CP)
    depth = f.depth - NULL_REDUCTION - f.depth // NULL_DEPTH_DIVISOR - <int> min(gain, <Score> NULL_GAIN_MAX)
    make_null_move(w, f)
    score = -negamax(w, f.ply + 1, -f.beta, -f.beta + 1, depth, not f.is_cut)
    unmake_move(w)
    if w.stopped:
        f.result = 0
        return True
    if score < f.beta:
        return False
    # A null move proves neither a mate nor a drawn outcome, only "at least beta".
    f.result = f.beta if is_decided(score) or -CP < score < CP else score
    if f.depth < NULL_VERIFY_DEPTH or w.null_ply:
        return True
    w.null_ply = f.ply + 3 * depth // 4 + 1
    score = search_again(w, f, f.beta - 1, f.beta, depth, False)
    w.null_ply = 0
    return score >= f.beta


cdef inline Score search_again(Worker w, Frame* f, Score alpha, Score beta, int depth, bint is_cut) noexcept nogil:
    """Search this node with other bounds; its frame is restored afterwards."""
    cdef Frame saved
    cdef Score score
    memcpy(&saved, f, sizeof(Frame))
    score = negamax(w, f.ply, alpha, beta, depth, is_cut)
    memcpy(f, &saved, sizeof(Frame))
    w.pv_length[f.ply] = 0
    return score


cdef inline bint probcut(Worker w, Frame* f) noexcept nogil:
    """A capture that beats beta by a margin at reduced depth (CPW: ProbCut)."""
    cdef Score raised = f.beta + PROBCUT_MARGIN * CP, score
    cdef int depth = f.depth - PROBCUT_REDUCTION
    cdef Picker picker
    cdef Move move
    if not USE.probcut or f.depth < PROBCUT_DEPTH or is_decided(f.beta):
        return False
    if f.tt.hit and f.tt.depth >= depth and f.tt.score != SCORE_NONE and f.tt.score < raised:
        return False
    init_noisy_picker(w, f, &picker, f.tt.move if f.tt.move and w.board.is_noisy(f.tt.move) else 0,
                      <int> ((raised - f.static_score) // CP), False)
    while True:
        move = next_move(w, f, &picker)
        if move == 0:
            return False
        prefetch_child(w, move)
        f.is_quiet = False
        make_move(w, f, move)
        score = -qsearch(w, f.ply + 1, -raised, -raised + 1, 0)
        if score >= raised and depth > 1:
            score = -negamax(w, f.ply + 1, -raised, -raised + 1, depth, not f.is_cut)
        unmake_move(w)
        if w.stopped:
            f.result = 0
            return True
        if score >= raised:
            store(w, f, move, score, depth + 1, BOUND_LOWER)
            f.result = score
            return True


cdef inline bint is_known(Worker w, Frame* f) noexcept nogil:
    """Is the static score final: a solved ending, or an ending that the side to move certainly wins?"""
    cdef Solution solution
    f.result = f.static_score
    if f.static_score >= SCORE_SURE:
        return f.static_score >= f.beta
    return w.board.head[w.board.top].dead and w.objective.is_solved(w.board, w.evaluator, &solution)


cdef inline bint prune_node(Worker w, Frame* f) noexcept nogil:
    """Can the node be pruned before its moves are searched?"""
    if f.is_pv or f.in_check or f.excluded:
        return False
    if is_known(w, f):
        return True
    return razoring(w, f) or reverse_futility(f) or null_move(w, f) or probcut(w, f)


cdef inline bint prune_quiet(Worker w, Frame* f, Picker* picker, Move move, int lmr_depth) noexcept nogil:
    if USE.late_move_pruning and f.depth <= LATE_MOVE_DEPTH and f.move_count > LATE_MOVE_COUNT[f.improving][f.depth]:
        picker.skip_quiets = True
        return True
    if (USE.futility and not f.in_check and lmr_depth <= FUTILITY_DEPTH and not is_decided(f.alpha)
            and f.static_score + (FUTILITY_MARGIN + FUTILITY_DEPTH_MARGIN * lmr_depth) * CP <= f.alpha):
        picker.skip_quiets = True
        return True
    if (USE.history_pruning and lmr_depth <= HISTORY_PRUNING_DEPTH
            and quiet_history(w, f, move) < -HISTORY_PRUNING_MARGIN * lmr_depth):
        return True
    return USE.see_pruning and lmr_depth <= SEE_DEPTH and not w.board.see_ge(move, -SEE_QUIET_MARGIN * lmr_depth)


cdef inline bint prune_move(Worker w, Frame* f, Picker* picker, Move move, bint quiet, bint check) noexcept nogil:
    """Can this move be skipped? Never while every move so far loses by force."""
    cdef int lmr_depth
    if f.is_root or f.best <= -SCORE_DECIDED or w.board.head[w.board.top].dead:
        return False
    if quiet and not check:
        lmr_depth = f.depth - base_reduction(f.depth, f.move_count) // LMR_PLY
        return prune_quiet(w, f, picker, move, lmr_depth if lmr_depth > 0 else 0)
    return (USE.see_pruning and f.depth <= SEE_DEPTH and f.move_count > 1
            and not w.board.see_ge(move, -SEE_NOISY_MARGIN * f.depth))


cdef inline bint singular_extension(Worker w, Frame* f, Move tt_move, int* extension) noexcept nogil:
    """Extend the table move if every other move is clearly worse (CPW: Singular Extensions).

    True, with f.result set, if several moves beat beta: the node is cut off (CPW: Multi-Cut).
    """
    cdef Score bound = f.tt.score - SINGULAR_MARGIN * f.depth * CP, score
    f.excluded = tt_move
    score = search_again(w, f, bound - 1, bound, (f.depth - 1) // 2, f.is_cut)
    f.excluded = 0
    if score < bound:
        extension[0] = 1
        if (not f.is_pv and score < bound - DOUBLE_EXTENSION_MARGIN * CP
                and f.double_extensions < DOUBLE_EXTENSION_MAX):
            f.double_extensions += 1
            extension[0] = 2
    elif bound >= f.beta:
        f.result = bound
        return True
    elif f.tt.score >= f.beta:
        extension[0] = -2 if USE.negative_extension else -1
    elif f.is_cut and USE.negative_extension:
        extension[0] = -1
    return False


cdef inline bint extend(Worker w, Frame* f, Move move, bint check, int* extension) noexcept nogil:
    """Set the plies added to a move's depth. True, with f.result set, if the node is cut off instead."""
    if f.is_root or f.ply >= EXTENSION_PLY_FACTOR * (w.completed + 1):
        return False
    if (USE.singular_extension and move == f.tt.move and not f.excluded and f.depth >= SINGULAR_DEPTH
            and f.tt.depth >= f.depth - SINGULAR_TT_DEPTH and f.tt.bound & BOUND_LOWER and f.tt.score != SCORE_NONE
            and not is_decided(f.tt.score)):
        if singular_extension(w, f, move, extension):
            return True
        if extension[0]:
            return False
    if USE.check_extension and check and f.depth <= CHECK_EXTENSION_DEPTH and w.board.see_ge(move, 0):
        extension[0] = 1
    return False


cdef inline bint has_refuted(Worker w, Frame* f, Move move) noexcept nogil:
    """Is this quiet move a killer or the counter move (CPW: Killer Heuristic, Countermove Heuristic)?"""
    if USE.killers and (move == f.killers[0] or move == f.killers[1]):
        return True
    return USE.counter_move and move == w.history.counter[frame(w, f.ply - 1).last_slot]


cdef inline int reduction_of(Worker w, Frame* f, Move move, bint quiet, bint check) noexcept nogil:
    """Plies by which the first search of a late move is reduced (CPW: Late Move Reductions)."""
    cdef int reduction = base_reduction(f.depth, f.move_count), history
    reduction += LMR_CUT_NODE * f.is_cut + LMR_NOT_IMPROVING * (not f.improving) - LMR_PV * f.is_pv - LMR_CHECK * check
    if USE.reduction_was_pv:
        reduction -= LMR_WAS_PV * f.was_pv
    if USE.reduction_cut_offs and frame(w, f.ply + 1).cut_offs > LMR_CUT_OFFS_MANY:
        reduction += LMR_CUT_OFFS
    if quiet:
        history = quiet_history(w, f, move)
        reduction -= LMR_REFUTATION * has_refuted(w, f, move)
        if f.tt.move and w.board.is_noisy(f.tt.move):
            reduction += LMR_NOISY_TABLE_MOVE
    else:
        history = capture_entry(w.history, w.board.slot(move), w.board.victim(move))[0]
        reduction -= LMR_NOISY
    return (reduction - history * LMR_PLY // LMR_HISTORY_PLY) // LMR_PLY


cdef inline int research_depth(Frame* f, int depth, Score score) noexcept nogil:
    """The depth at which a reduced move is searched again: it depends on how far the move beat the best one."""
    if not USE.adjusted_research or is_decided(score) or is_decided(f.best):
        return depth
    if score > f.best + RESEARCH_DEEPER_MARGIN * CP:
        return depth + 1
    return depth - 1 if score < f.best + RESEARCH_SHALLOWER_MARGIN * CP else depth


cdef inline Score search_child(Worker w, Frame* f, int depth, int reduction) noexcept nogil:
    """Search the move just made (CPW: Principal Variation Search).

    A null window first, at reduced depth for a late move; full depth and full window where it fails high.
    """
    cdef Score score = 0
    cdef int reduced, ply = f.ply + 1
    if f.move_count > 1 or not f.is_pv:
        reduced = depth - reduction if reduction > 0 else depth
        if reduced < 1 and depth >= 1:
            reduced = 1
        f.reduction = depth - reduced
        score = -negamax(w, ply, -f.alpha - 1, -f.alpha, reduced, True if reduction > 0 else not f.is_cut)
        f.reduction = 0
        if score > f.alpha and reduced < depth:
            depth = research_depth(f, depth, score)
            if reduced < depth:
                score = -negamax(w, ply, -f.alpha - 1, -f.alpha, depth, not f.is_cut)
    if f.is_pv and (f.move_count == 1 or (score > f.alpha and (f.is_root or score < f.beta))):
        score = -negamax(w, ply, -f.beta, -f.alpha, depth, False)
    return score


cdef inline void update_root_move(Worker w, Frame* f, RootMove* root, Score score,
                                  uint64_t nodes_before) noexcept nogil:
    root.nodes += w.nodes - nodes_before
    if f.move_count > 1 and score <= f.alpha:
        root.score = -SCORE_INFINITE      # only an upper bound: the stable sort leaves it in its place
        return
    if f.move_count > 1 and w.multipv_index == 0:
        w.best_move_changes += 1
    root.score = score
    root.bound = BOUND_UPPER if score <= f.alpha else BOUND_LOWER if score >= f.beta else BOUND_EXACT
    root.seldepth = w.seldepth
    root.pv[0] = root.move
    memcpy(&root.pv[1], pv_row(w, 1), w.pv_length[1] * sizeof(Move))
    root.pv_length = w.pv_length[1] + 1


cdef inline bint update_best(Worker w, Frame* f, Move move, Score score) noexcept nogil:
    """Take the score of a move into the frame; true if it cuts off."""
    if score <= f.best:
        return False
    f.best = score
    if score <= f.alpha:
        return False
    f.best_move = move
    if f.is_pv and not f.is_root:
        update_pv(w, f.ply, move)
    if score >= f.beta:
        return True
    f.alpha = score
    f.raised_alpha = True
    return False


cdef inline void add_tried(Frame* f, Move move, bint quiet) noexcept nogil:
    if quiet and f.n_quiets < MAX_TRIED:
        f.quiets[f.n_quiets] = move
        f.n_quiets += 1
    elif not quiet and f.n_noisy < MAX_TRIED:
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
    init_picker(w, f, &picker, f.tt.move)
    while True:
        move = next_root_move(w, f, &place) if f.is_root else next_move(w, f, &picker)
        if move == 0:
            break
        if move == f.excluded:
            continue
        f.move_count += 1
        prefetch_child(w, move)
        if f.is_root:
            w.on_root_move(move, f.move_count + w.multipv_index)
        quiet = not w.board.is_noisy(move)
        check = w.board.is_forcing(move)
        if prune_move(w, f, &picker, move, quiet, check):
            continue
        extension = 0
        if extend(w, f, move, check, &extension):
            return f.result
        if w.stopped:
            return 0
        reduction = 0
        # In dead material history tells little, and tempo fights need the full depth.
        if (USE.late_move_reduction and f.depth >= LMR_DEPTH and f.move_count > 1 + 2 * f.is_root
                and not w.board.head[w.board.top].dead):
            reduction = reduction_of(w, f, move, quiet, check)
        nodes_before = w.nodes
        f.is_quiet = quiet
        make_move(w, f, move)
        score = search_child(w, f, f.depth - 1 + extension, reduction)
        unmake_move(w)
        if w.stopped:
            return 0
        if f.is_root:
            update_root_move(w, f, &w.root_moves[place], score, nodes_before)
        if update_best(w, f, move, score):
            break
        add_tried(f, move, quiet)
    return close_node(w, f)


cdef inline Score close_node(Worker w, Frame* f) noexcept nogil:
    """All moves are searched: score mate and stalemate, update histories and table."""
    cdef int bound
    if f.move_count == 0:
        if f.excluded:
            return f.alpha
        return w.objective.settle(w.board, w.board.no_moves())
    bound = BOUND_LOWER if f.best >= f.beta else BOUND_EXACT if f.raised_alpha else BOUND_UPPER
    if f.best >= f.beta:
        f.cut_offs += 1
        update_histories(w, f)
    elif bound == BOUND_UPPER:
        reward_prior_move(w, f)
    if f.excluded:
        return f.best
    if not (f.is_root and w.multipv_index):
        store(w, f, f.best_move, f.best, f.depth, bound)
    update_correction_history(w, f, bound)
    return f.best


cdef inline void add_quiet_bonus(Worker w, Frame* f, const Head* head, Move move, int slot, int bonus) noexcept nogil:
    """Add to all histories of a quiet move in the node of frame and head."""
    add_bonus(butterfly_entry(w.history, head.stm, move), bonus)
    add_bonus(pawn_entry(w.history, head.pawn_key, slot), bonus)
    if frame(w, f.ply - 1).last_slot:
        add_bonus(&frame(w, f.ply - 1).continuation[slot], bonus)
    if frame(w, f.ply - 2).last_slot:
        add_bonus(&frame(w, f.ply - 2).continuation[slot], bonus)
    if frame(w, f.ply - 4).last_slot:
        add_bonus(&frame(w, f.ply - 4).continuation[slot], bonus)


cdef inline void update_quiet_history(Worker w, Frame* f, Move move, int bonus) noexcept nogil:
    add_quiet_bonus(w, f, &w.board.head[w.board.top], move, w.board.slot(move), bonus)


cdef inline void reward_prior_move(Worker w, Frame* f) noexcept nogil:
    """No move here reaches alpha: the quiet move that led here deserves a bonus in the tables of its side."""
    cdef Frame* before = frame(w, f.ply - 1)
    if not USE.prior_move_bonus or f.is_root or before.last_slot == 0 or not before.is_quiet:
        return
    add_quiet_bonus(w, before, &w.board.head[w.board.top - 1], before.move, before.last_slot - 1,
                    history_bonus(f.depth) // PRIOR_MOVE_DIVISOR)


cdef inline void update_capture_history(Worker w, Move move, int bonus) noexcept nogil:
    add_bonus(capture_entry(w.history, w.board.slot(move), w.board.victim(move)), bonus)


cdef inline void update_histories(Worker w, Frame* f) noexcept nogil:
    """A bonus for the move that cut off, a malus for those tried before it."""
    cdef int bonus = history_bonus(f.depth), i
    if w.board.is_noisy(f.best_move):
        update_capture_history(w, f.best_move, bonus)
    else:
        if f.killers[0] != f.best_move:
            f.killers[1] = f.killers[0]
            f.killers[0] = f.best_move
        w.history.counter[frame(w, f.ply - 1).last_slot] = f.best_move
        # A cut-off by the first quiet move near the leaves says little.
        if f.depth > QUIET_BONUS_DEPTH or f.n_quiets > 0:
            update_quiet_history(w, f, f.best_move, bonus)
        for i in range(f.n_quiets):
            update_quiet_history(w, f, f.quiets[i], -bonus)
    for i in range(f.n_noisy):
        update_capture_history(w, f.noisy[i], -bonus)


cdef inline void update_correction_history(Worker w, Frame* f, int bound) noexcept nogil:
    """Learn the error of the static score for the pawn structure and the last two moves.

    CPW: Static Evaluation Correction History.
    """
    cdef const Head* head = &w.board.head[w.board.top]
    cdef int16_t* values[2]
    cdef int error, weight, i
    if (f.in_check or head.dead or is_decided(f.best) or is_decided(f.static_score)
            or (f.best_move and w.board.is_noisy(f.best_move))
            or (bound == BOUND_LOWER and f.best <= f.static_score)
            or (bound == BOUND_UPPER and f.best >= f.static_score)):
        return
    values[0] = correction_entry(w.history, head.stm, head.pawn_key)
    values[1] = move_correction_entry(w.history, frame(w, f.ply - 2).last_slot, frame(w, f.ply - 1).last_slot)
    error = <int> ((f.best - f.static_score) // CP) * CORRECTION_GRAIN
    weight = min(f.depth + 1, CORRECTION_WEIGHT_MAX)
    for i in range(2):
        correct_towards(values[i], values[i][0] + error, weight)


cdef inline void look_back(Worker w, Frame* f) noexcept nogil:
    """The static score tells whether the parent reduced the last move rightly: mend the depth if not."""
    cdef Frame* before = frame(w, f.ply - 1)
    cdef Score gain
    if not USE.look_back or f.excluded or f.in_check or before.reduction == 0 or before.static_score == SCORE_NONE:
        return
    gain = f.static_score + before.static_score       # what the move has cost the side that made it
    if before.reduction >= LOOK_BACK_DEEPER and gain <= 0:
        f.depth += 1
    elif before.reduction >= LOOK_BACK_SHALLOWER and f.depth >= 2 and gain > LOOK_BACK_MARGIN * CP:
        f.depth -= 1


cdef Score negamax(Worker w, int ply, Score alpha, Score beta, int depth, bint is_cut) noexcept nogil:
    cdef Frame* f = frame(w, ply)
    if depth <= 0:
        return qsearch(w, ply, alpha, beta, 0)
    open_node(w, f, ply, alpha, beta, depth if depth < MAX_PLY else MAX_PLY - 1, is_cut)
    if limit_reached(w, f) or mate_distance(f):
        return f.result
    if table_cutoff(w, f):
        return f.result
    if f.excluded == 0:
        set_static_score(w, f)
    look_back(w, f)
    if prune_node(w, f):
        return f.result
    if USE.iterative_reduction and f.depth >= IIR_DEPTH and f.tt.move == 0 and (f.is_pv or f.is_cut):
        f.depth -= 1                      # CPW: Internal Iterative Reductions
    return move_loop(w, f)


# ---- around the root ----

cdef enum:
    LAST_DEPTH = MAX_PLY - 10         # extensions still find room above it


cdef void sort_root_moves(Worker w, int first, int end) noexcept nogil:
    """Best first, from `first` to `end`; stable, so that moves without an exact score keep their order."""
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
    cdef Score delta = ASPIRATION_DELTA * CP
    cdef Score alpha = -SCORE_INFINITE, beta = SCORE_INFINITE
    cdef int reduction = 0
    # In bands, neighbouring outcomes lie as close together as evaluations: a narrow window works for them, too.
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
    w.seldepth = 0


cdef void restore_unfinished(Worker w) noexcept nogil:
    """After a stop: lines not reached by this iteration get back the score of the last one."""
    cdef int i
    for i in range(w.n_root_moves):
        if w.root_moves[i].score == -SCORE_INFINITE:
            w.root_moves[i].score = w.root_moves[i].previous
            w.root_moves[i].bound = BOUND_EXACT


cdef bint mate_found(Worker w) noexcept nogil:
    """Has the mate of `go mate` been found?"""
    cdef Score score = w.root_moves[0].score
    if not w.limits.mate:
        return False
    return score >= SCORE_MATE - 2 * w.limits.mate + 1


cdef bint all_foretold(Worker w, uint64_t nodes, uint64_t hits) noexcept nogil:
    """Since these counts, did the oracle know every position? Then a deeper iteration would find the same."""
    return w.nodes > nodes and w.nodes - nodes == w.oracle_hits - hits


cdef void iterative_deepening(Worker w) noexcept nogil:
    cdef int depth = 0, lines = min(w.limits.multipv, w.n_root_moves)
    cdef uint64_t nodes, hits
    while depth < LAST_DEPTH and not w.stopped:
        depth += 1
        if w.index == 0 and w.limits.depth and depth > w.limits.depth:
            break
        # Helpers skip every third depth, so that threads do not all search the same tree (CPW: Lazy SMP).
        if w.index and (depth + w.index) % 3 == 0 and depth > 3:
            continue
        begin_iteration(w)
        nodes, hits = w.nodes, w.oracle_hits
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
        if mate_found(w) or all_foretold(w, nodes, hits) or soft_limit_reached(w):
            break
    if w.stopped:
        restore_unfinished(w)
        sort_root_moves(w, 0, lines)
