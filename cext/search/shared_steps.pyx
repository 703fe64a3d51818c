"""Steps that the main search and quiescence share: table, static score, making moves."""

from libc.string cimport memcpy

from ..base.board cimport Head, Record
from ..memory.history cimport CORRECTION_GRAIN, correction_entry, move_correction_entry, non_pawn_correction_entry
from .parameters cimport CORRECTION_UNIT, TUNED, USE
from ..memory.tt cimport NO_EVAL, Probe
from ..base.types cimport *
from ..value.oracle cimport Forecast
from .stopping cimport check_limits
from .worker cimport Frame, Worker, frame, pv_row


cdef bint probe_oracle(Worker w, Frame* f) noexcept nogil:
    """Probe the oracle. True, with f.result set, if its outcome is reached before the 50-move rule ends the game."""
    cdef const Head* head = &w.board.head[w.board.top]
    cdef Record record
    cdef Forecast forecast
    if head.pieces > w.oracle_pieces or not w.objective.may_probe(w.board):
        return False
    # An oracle has no limit for records. All records beyond the limit are equal, so the best of them represents "no
    # record".
    record = w.objective.record(w.board)[0]
    record.code = min(record.code, w.objective.limit + 1)
    if not w.oracle.ask(w.board, &record, &forecast):
        return False
    if (not forecast.stands and forecast.code <= w.objective.limit
            and head.clock + forecast.plies + 2 >= w.board.clock_limit):
        return False
    w.oracle_hits += 1
    f.result = w.objective.probed_score(w.board, &forecast)
    return True


cdef bint limit_reached(Worker w, Frame* f) noexcept nogil:
    cdef Ending ending
    if w.nodes >= w.next_check:
        check_limits(w)
    if w.stopped:
        f.result = 0
        return True
    if f.ply > w.seldepth:
        w.seldepth = f.ply
    f.in_check = w.board.head[w.board.top].in_check
    f.danger = w.board.danger() if USE.threat_history else 0
    if f.ply > 0:
        ending = w.board.ending()
        if ending == ONGOING and w.oracle_pieces and probe_oracle(w, f):
            return True
        w.all_probed = False
        if ending != ONGOING:
            f.result = w.objective.settle(w.board, ending)
            return True
    if f.ply >= MAX_PLY - 1:
        f.result = 0
        if not f.in_check:
            f.result = w.objective.static_score(w.board, w.evaluator, w.evaluator.evaluate(w.board))
        return True
    return False


cdef inline uint64_t cluster_key(const Head* head) noexcept nogil:
    """All records of a position share a cluster, so the search can prefetch it before it knows the record.

    Dead material has few positions with many records each, too many for one cluster, so each record has its own.
    """
    return head.node_key if head.dead else head.key


cdef void store(Worker w, Frame* f, Move move, Score score, int depth, int bound) noexcept nogil:
    cdef Head* head = &w.board.head[w.board.top]
    cdef uint64_t cluster = cluster_key(head), key = head.node_key
    if head.dead and w.objective.outlasts(w.board, score):
        cluster = key = w.objective.shared_key(head)
    w.table.store(cluster, key, move, w.objective.to_table(w.board, score), f.raw_eval, depth, bound, f.was_pv)


cdef inline void probe_shared(Worker w, Frame* f, const Head* head) noexcept nogil:
    """Use the entry shared by all records if it is valid under the current record, or else only its move."""
    cdef uint64_t key = w.objective.shared_key(head)
    cdef Probe shared
    w.table.probe(key, key, &shared)
    if not shared.hit or (f.tt.hit and f.tt.depth >= shared.depth):
        return
    if w.objective.outlasts(w.board, shared.score):
        f.tt = shared
    elif f.tt.move == 0:
        f.tt.move = shared.move


cdef void probe(Worker w, Frame* f) noexcept nogil:
    cdef Head* head = &w.board.head[w.board.top]
    w.table.probe(cluster_key(head), head.node_key, &f.tt)
    if head.dead and w.objective.folds[1]:
        probe_shared(w, f, head)
    f.was_pv = f.is_pv or f.tt.pv
    if not f.tt.hit and f.tt.move == 0:
        return
    # Another thread or a key collision may have stored any move here.
    if f.tt.move and not w.board.is_legal(f.tt.move):
        f.tt.move = 0
    if not f.tt.hit:
        return
    f.tt.score = w.objective.from_table(w.board, f.tt.score) if USE.table_cuts else SCORE_NONE


cdef void set_static_score(Worker w, Frame* f) noexcept nogil:
    cdef const Head* head = &w.board.head[w.board.top]
    cdef Frame* before
    cdef int16_t* entry
    cdef int cp, colour, correction = 0
    if f.in_check:
        f.raw_eval = NO_EVAL
        f.static_score = f.estimate = SCORE_NONE
        f.improving = False
        f.correction = 0
        return
    f.raw_eval = f.tt.raw_eval
    if not f.tt.hit or f.raw_eval == NO_EVAL:
        f.raw_eval = w.evaluator.evaluate(w.board)
    cp = f.raw_eval
    if USE.correction_history:
        correction = correction_entry(w.history, head.stm, head.pawn_key)[0] * TUNED.correction_pawns
    if USE.move_correction:
        correction += move_correction_entry(w.history, frame(w, f.ply - 2).last_slot,
                                            frame(w, f.ply - 1).last_slot)[0] * TUNED.correction_moves
    if USE.non_pawn_correction:
        for colour in range(2):
            f.non_pawn_keys[colour] = w.board.non_pawn_key(colour)
            entry = non_pawn_correction_entry(w.history, head.stm, colour, f.non_pawn_keys[colour])
            correction += entry[0] * TUNED.correction_non_pawn
    correction //= CORRECTION_UNIT * CORRECTION_GRAIN
    f.correction = correction if correction >= 0 else -correction
    cp += correction
    cp = max(-EVAL_LIMIT_CP, min(EVAL_LIMIT_CP, cp))
    f.static_score = w.objective.static_score(w.board, w.evaluator, cp)
    f.estimate = f.static_score
    # Ignore outcomes: standing pat on a mate score would end the variation before the mate.
    if (f.tt.hit and f.tt.score != SCORE_NONE and not is_decided(f.tt.score)
            and f.tt.bound & (BOUND_LOWER if f.tt.score > f.static_score else BOUND_UPPER)):
        f.estimate = f.tt.score
    before = frame(w, f.ply - 2)
    if before.static_score == SCORE_NONE:
        before = frame(w, f.ply - 4)
    f.improving = before.static_score != SCORE_NONE and f.static_score > before.static_score


cdef void prefetch_child(Worker w, Move move) noexcept nogil:
    w.table.prefetch(w.board.key_after(move))


cdef void make_move(Worker w, Frame* f, Move move) noexcept nogil:
    cdef int slot = w.board.slot(move)
    f.move = move
    f.last_slot = slot + 1
    f.continuation = &w.history.continuation[(slot + 1) * w.history.slots]
    w.nodes += 1
    w.board.make(move)
    w.objective.enter(w.board)


cdef void make_null_move(Worker w, Frame* f) noexcept nogil:
    f.move = 0
    f.last_slot = 0
    f.continuation = w.no_continuation
    w.nodes += 1
    w.board.make_null()
    w.objective.enter(w.board)
    w.table.prefetch(cluster_key(&w.board.head[w.board.top]))


cdef void update_pv(Worker w, int ply, Move move) noexcept nogil:
    cdef Move* row = pv_row(w, ply)
    row[0] = move
    memcpy(&row[1], pv_row(w, ply + 1), w.pv_length[ply + 1] * sizeof(Move))
    w.pv_length[ply] = w.pv_length[ply + 1] + 1
