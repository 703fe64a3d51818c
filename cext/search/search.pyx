"""The main search: one node in named steps."""

from libc.string cimport memcpy

from ..base.types cimport *
from ..value.evaluator cimport Solution
from .history_updates cimport (learn_from_cut_off, learn_from_error, learn_from_research, learn_from_static_score,
                               reward_prior_move, reward_quiet)
from .movepick cimport init_noisy_picker, init_picker, next_move
from .shared_steps cimport (is_decided, limit_reached, make_move, make_null_move, prefetch_child, probe,
                            set_static_score, store, unmake_move, update_pv)
from .quiescence cimport qsearch
from .parameters cimport *
from .reductions cimport base_reduction, correct_depth, reduction_of, research_depth
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
    """Return whether a known mate is shorter than any mate below this node can be (CPW: Mate Distance Pruning)."""
    if f.is_root or not USE.mate_distance:
        return False
    if f.alpha < -SCORE_MATE + f.ply:
        f.alpha = -SCORE_MATE + f.ply
    if f.beta > SCORE_MATE - f.ply - 1:
        f.beta = SCORE_MATE - f.ply - 1
    f.result = f.alpha
    return f.alpha >= f.beta


cdef inline bint table_cutoff(Worker w, Frame* f) noexcept nogil:
    """Return whether the table entry cuts off; never in a PV node."""
    probe(w, f)
    if f.excluded or f.is_pv or f.tt.score == SCORE_NONE or f.tt.depth < f.depth:
        return False
    if not f.tt.bound & (BOUND_LOWER if f.tt.score >= f.beta else BOUND_UPPER):
        return False
    # Entries do not contain the 50-move counter.
    if w.board.head[w.board.top].clock + TT_CUT_CLOCK >= w.board.clock_limit:
        return False
    if f.tt.move and f.tt.score >= f.beta and not w.board.is_noisy(f.tt.move):
        reward_quiet(w, f, f.tt.move, history_bonus(f.depth))
    f.result = f.tt.score
    return True


cdef inline bint razoring(Worker w, Frame* f) noexcept nogil:
    """Prune a node far below alpha near the leaves, where only captures can help (CPW: Razoring)."""
    if not USE.razoring or f.depth > RAZOR_DEPTH or is_decided(f.alpha):
        return False
    if f.estimate + (TUNED.razor_margin + TUNED.razor_depth_margin * f.depth) * CP >= f.alpha:
        return False
    f.result = qsearch(w, f.ply, f.alpha, f.alpha + 1, 0)
    return f.result <= f.alpha


cdef inline bint reverse_futility(Frame* f) noexcept nogil:
    """Prune a node that is above beta by a margin near the leaves (CPW: Reverse Futility Pruning).

    The margin widens where static scores have been inaccurate.
    """
    cdef int margin = (TUNED.reverse_futility_margin * (f.depth - f.improving)
                       + f.correction * TUNED.reverse_futility_correction // CORRECTION_UNIT)
    if not USE.reverse_futility or f.depth > REVERSE_FUTILITY_DEPTH or is_decided(f.beta) or is_decided(f.estimate):
        return False
    if f.was_pv and USE.was_pv_futility:
        return False
    f.result = f.estimate
    return f.estimate - margin * CP >= f.beta


cdef inline bint null_move(Worker w, Frame* f) noexcept nogil:
    """Prune a node that reaches beta even after a null move (CPW: Null Move Pruning); verified at high depth."""
    cdef int depth
    cdef Score score, gain
    if (not USE.null_move or not f.is_cut or f.depth < NULL_DEPTH or f.ply < w.null_ply or is_decided(f.beta)
            or f.estimate < f.beta or f.static_score < f.beta or frame(w, f.ply - 1).last_slot == 0
            or w.board.head[w.board.top].dead or not w.board.has_pieces()):
        return False
    gain = (f.estimate - f.beta) // (TUNED.null_gain_cp * CP)
    depth = (f.depth - TUNED.null_reduction - f.depth // TUNED.null_depth_divisor
             - <int> min(gain, <Score> NULL_GAIN_MAX))
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
    """Prune a node in which a capture beats beta by a margin at reduced depth (CPW: ProbCut)."""
    cdef Score raised = f.beta + TUNED.probcut_margin * CP, score
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
    """Return whether the static score is final: the ending is solved or certainly won for the side to move."""
    cdef Solution solution
    f.result = f.static_score
    if f.static_score >= SCORE_SURE:
        return f.static_score >= f.beta
    return w.board.head[w.board.top].dead and w.objective.is_solved(w.board, w.evaluator, &solution)


cdef inline bint prune_node(Worker w, Frame* f) noexcept nogil:
    """Return whether the node can be pruned before its moves are searched."""
    if f.is_pv or f.in_check or f.excluded:
        return False
    if is_known(w, f):
        return True
    return razoring(w, f) or reverse_futility(f) or null_move(w, f) or probcut(w, f)


cdef inline bint only_blunders(Frame* f) noexcept nogil:
    """Return whether the best move so far is so bad that no late move may be skipped.

    If late moves were skipped, a node with poor first moves would count as lost, and its parent's move as winning.
    """
    return USE.late_move_floor and not f.in_check and f.best <= f.static_score - TUNED.late_move_blunder * CP


cdef inline bint prune_quiet(Worker w, Frame* f, Picker* picker, Move move, int lmr_depth) noexcept nogil:
    if (USE.late_move_pruning and f.depth <= LATE_MOVE_DEPTH and f.move_count > LATE_MOVE_COUNT[f.improving][f.depth]
            and not only_blunders(f)):
        picker.skip_quiets = True
        return True
    if (USE.futility and not f.in_check and lmr_depth <= FUTILITY_DEPTH and not is_decided(f.alpha)
            and f.static_score + (TUNED.futility_margin + TUNED.futility_depth_margin * lmr_depth) * CP <= f.alpha):
        picker.skip_quiets = True
        return True
    return USE.see_pruning and lmr_depth <= SEE_DEPTH and not w.board.see_ge(move, -TUNED.see_quiet_margin * lmr_depth)


cdef inline bint prune_move(Worker w, Frame* f, Picker* picker, Move move, bint quiet, bint check) noexcept nogil:
    """Return whether this move can be skipped; never before a move has been found that does not lose by force."""
    cdef int lmr_depth
    if f.is_root or f.best <= -SCORE_DECIDED or w.board.head[w.board.top].dead or (f.is_pv and w.whole_pv):
        return False
    if quiet and not check:
        lmr_depth = f.depth - base_reduction(f.depth, f.move_count) // LMR_PLY
        return prune_quiet(w, f, picker, move, lmr_depth if lmr_depth > 0 else 0)
    return (USE.see_pruning and f.depth <= SEE_DEPTH and f.move_count > 1
            and not w.board.see_ge(move, -TUNED.see_noisy_margin * f.depth))


cdef inline bint singular_extension(Worker w, Frame* f, Move tt_move, int* extension) noexcept nogil:
    """Extend the table move if every other move is clearly worse (CPW: Singular Extensions).

    True, with f.result set, if several moves beat beta: the node is cut off (CPW: Multi-Cut).
    """
    cdef Score bound = f.tt.score - TUNED.singular_margin * f.depth * (CP // 16), score
    cdef int margin
    f.excluded = tt_move
    score = search_again(w, f, bound - 1, bound, (f.depth - 1) // 2, f.is_cut)
    f.excluded = 0
    if score < bound:
        extension[0] = 1
        margin = TUNED.double_extension_margin + (TUNED.double_extension_pv if f.is_pv else 0)
        if score < bound - margin * CP and f.double_extensions < DOUBLE_EXTENSION_MAX:
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
    if (USE.singular_extension and move == f.tt.move and not f.excluded and f.depth >= TUNED.singular_depth
            and f.tt.depth >= f.depth - SINGULAR_TT_DEPTH and f.tt.bound & BOUND_LOWER and f.tt.score != SCORE_NONE
            and not is_decided(f.tt.score)):
        if singular_extension(w, f, move, extension):
            return True
        if extension[0]:
            return False
    if USE.check_extension and check and f.depth <= CHECK_EXTENSION_DEPTH and w.board.see_ge(move, 0):
        extension[0] = 1
    return False


cdef inline Score search_child(Worker w, Frame* f, int depth, int reduction) noexcept nogil:
    """Search the move just made (CPW: Principal Variation Search).

    The first search has a null window, and reduced depth for a late move. If it fails high, searches with full depth
    and then with the full window follow.
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
            learn_from_research(w, f, depth, score)
    if f.is_pv and (f.move_count == 1 or (score > f.alpha and (f.is_root or score < f.beta))):
        score = -negamax(w, ply, -f.beta, -f.alpha, depth, False)
    return score


cdef inline void update_root_move(Worker w, Frame* f, RootMove* root, Score score,
                                  uint64_t nodes_before) noexcept nogil:
    root.nodes += w.nodes - nodes_before
    if f.move_count > 1 and score <= f.alpha:
        root.score = -SCORE_INFINITE      # an upper bound only: the stable sort keeps its place
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
    """Update the frame with the score of a move; true if it cuts off."""
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
    if USE.alpha_reduction and 2 < f.depth < ALPHA_REDUCTION_DEPTH and not is_decided(score) and not f.is_root:
        f.depth -= 1                      # later moves are unlikely to be better
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
        # In dead material histories mean little, and a fight for a tempo needs full depth.
        if (USE.late_move_reduction and f.depth >= TUNED.lmr_depth and f.move_count > 1 + 2 * f.is_root
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
    """Finish the node after its last move: score mate and stalemate, update histories and table."""
    cdef int bound
    if f.move_count == 0:
        if f.excluded:
            return f.alpha
        return w.objective.settle(w.board, w.board.no_moves())
    bound = BOUND_LOWER if f.best >= f.beta else BOUND_EXACT if f.raised_alpha else BOUND_UPPER
    if f.best >= f.beta:
        f.cut_offs += 1
        learn_from_cut_off(w, f)
    elif bound == BOUND_UPPER:
        reward_prior_move(w, f)
    if f.excluded:
        return f.best
    if not (f.is_root and w.multipv_index):
        store(w, f, f.best_move, f.best, f.depth, bound)
    learn_from_error(w, f, bound)
    return f.best


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
        learn_from_static_score(w, f)
    correct_depth(w, f)
    if prune_node(w, f):
        return f.result
    if USE.iterative_reduction and f.depth >= IIR_DEPTH and f.tt.move == 0 and (f.is_pv or f.is_cut):
        f.depth -= 1                      # CPW: Internal Iterative Reductions
    return move_loop(w, f)
