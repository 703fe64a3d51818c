"""Steps of a node that the main search and quiescence share."""

from libc.string cimport memcpy

from .board cimport Head
from .history cimport CORRECTION_GRAIN, CORRECTIONS
from .reductions cimport USE
from .tt cimport NO_EVAL, Probe
from .types cimport *
from .watch cimport look
from .worker cimport Frame, Worker, frame, pv_row


cdef bint limit_reached(Worker w, Frame* f) noexcept nogil:
    cdef Ending ending
    if w.nodes >= w.next_look:
        look(w)
    if w.stopped:
        f.result = 0
        return True
    if f.ply > w.seldepth:
        w.seldepth = f.ply
    f.in_check = w.board.head[w.board.top].in_check
    if f.ply > 0:
        ending = w.board.ending()
        if ending != ONGOING:
            f.result = w.objective.settle(w.board, ending)
            return True
    if f.ply >= MAX_PLY - 1:
        f.result = 0
        if not f.in_check:
            f.result = w.objective.static_score(w.board, w.evaluator, w.evaluator.evaluate(w.board))
        return True
    return False


cdef inline uint64_t cluster_of(const Head* head) noexcept nogil:
    """All records of a position share a cluster, so that it can be fetched before the record is known.

    Not in dead material: there the positions are few, their records many, and the cluster would overflow.
    """
    return head.node_key if head.dead else head.key


cdef void keep(Worker w, Frame* f, Move move, Score score, int depth, int bound) noexcept nogil:
    cdef Head* head = &w.board.head[w.board.top]
    cdef uint64_t place = cluster_of(head), key = head.node_key
    if head.dead and w.objective.outlasts(w.board, score):
        place = key = w.objective.shared_key(head)
    w.table.store(place, key, move, w.objective.to_table(w.board, score), f.raw_eval, depth, bound, f.is_pv)


cdef inline void look_up_shared(Worker w, Frame* f, const Head* head) noexcept nogil:
    """What is known of the position under any record that is weak enough; otherwise at least the move."""
    cdef uint64_t key = w.objective.shared_key(head)
    cdef Probe shared
    w.table.probe(key, key, &shared)
    if not shared.hit or (f.entry.hit and f.entry.depth >= shared.depth):
        return
    if w.objective.outlasts(w.board, shared.score):
        f.entry = shared
    elif f.entry.move == 0:
        f.entry.move = shared.move


cdef void look_up(Worker w, Frame* f) noexcept nogil:
    cdef Head* head = &w.board.head[w.board.top]
    w.table.probe(cluster_of(head), head.node_key, &f.entry)
    if head.dead and w.objective.folds[1]:
        look_up_shared(w, f, head)
    if not f.entry.hit and f.entry.move == 0:
        return
    # Another thread or a false match may have left anything here.
    if f.entry.move and not w.board.is_legal(f.entry.move):
        f.entry.move = 0
    if not f.entry.hit:
        return
    f.entry.score = w.objective.from_table(w.board, f.entry.score) if USE.table_cuts else SCORE_NONE


cdef void set_static_score(Worker w, Frame* f) noexcept nogil:
    cdef Frame* before
    cdef int cp
    if f.in_check:
        f.raw_eval = NO_EVAL
        f.static_score = f.estimate = SCORE_NONE
        f.improving = False
        return
    f.raw_eval = f.entry.raw_eval
    if not f.entry.hit or f.raw_eval == NO_EVAL:
        f.raw_eval = w.evaluator.evaluate(w.board)
    cp = f.raw_eval
    if USE.correction_history:
        cp += w.history.correction[w.board.head[w.board.top].stm * CORRECTIONS
                                   + <int> (w.board.head[w.board.top].pawn_key & (CORRECTIONS - 1))] // CORRECTION_GRAIN
        cp = max(-EVAL_LIMIT_CP, min(EVAL_LIMIT_CP, cp))
    f.static_score = w.objective.static_score(w.board, w.evaluator, cp)
    f.estimate = f.static_score
    # Not an outcome: a node that stood on it would end the variation before its mate.
    if (f.entry.hit and f.entry.score != SCORE_NONE and not is_decided(f.entry.score)
            and f.entry.bound & (BOUND_LOWER if f.entry.score > f.static_score else BOUND_UPPER)):
        f.estimate = f.entry.score
    before = frame(w, f.ply - 2)
    if before.static_score == SCORE_NONE:
        before = frame(w, f.ply - 4)
    f.improving = before.static_score != SCORE_NONE and f.static_score > before.static_score


cdef void fetch_child(Worker w, Move move) noexcept nogil:
    w.table.fetch(w.board.key_after(move))


cdef void enter_child(Worker w, Frame* f, Move move) noexcept nogil:
    cdef int slot = w.board.slot(move)
    f.move = move
    f.last_slot = slot + 1
    f.continuation = &w.history.continuation[(slot + 1) * w.history.slots]
    w.nodes += 1
    w.board.make(move)
    w.objective.enter(w.board)


cdef void enter_pass(Worker w, Frame* f) noexcept nogil:
    f.move = 0
    f.last_slot = 0
    f.continuation = w.no_continuation
    w.nodes += 1
    w.board.make_null()
    w.objective.enter(w.board)
    w.table.fetch(cluster_of(&w.board.head[w.board.top]))


cdef void join_pv(Worker w, int ply, Move move) noexcept nogil:
    cdef Move* row = pv_row(w, ply)
    row[0] = move
    memcpy(&row[1], pv_row(w, ply + 1), w.pv_length[ply + 1] * sizeof(Move))
    w.pv_length[ply] = w.pv_length[ply + 1] + 1
