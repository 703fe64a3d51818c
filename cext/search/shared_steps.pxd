# Steps of a node that the main search and quiescence share.

from ..base.types cimport SCORE_DECIDED, Move, Score
from .worker cimport Frame, Worker

# Tests the stop flag, the end of the game and the end of the stack; true, with f.result set, if the node ends here.
cdef bint limit_reached(Worker w, Frame* f) noexcept nogil
# Probe the transposition table and fill f.tt. Its score is relative to the root, and its move is legal.
cdef void probe(Worker w, Frame* f) noexcept nogil
# Fill in_check, raw_eval, static_score and estimate.
cdef void set_static_score(Worker w, Frame* f) noexcept nogil
# Prefetch the table entry of the node after a move.
cdef void prefetch_child(Worker w, Move move) noexcept nogil
# Store a result of this node in the table.
cdef void store(Worker w, Frame* f, Move move, Score score, int depth, int bound) noexcept nogil
# Make a move, note it for the histories, and count the node.
cdef void make_move(Worker w, Frame* f, Move move) noexcept nogil
cdef void make_null_move(Worker w, Frame* f) noexcept nogil
# Set the principal variation of this ply: the move, then the variation of the next ply.
cdef void update_pv(Worker w, int ply, Move move) noexcept nogil


cdef inline void unmake_move(Worker w) noexcept nogil:
    w.board.top -= 1


cdef inline bint is_decided(Score score) noexcept nogil:
    """Return whether the score is an outcome, to which margins do not apply, rather than an estimate."""
    return score >= SCORE_DECIDED or score <= -SCORE_DECIDED
