# Steps of a node that the main search and quiescence share. Layer 4.

from .types cimport SCORE_DECIDED, Move, Score
from .worker cimport Frame, Worker

# Stop flag, end of the game, end of the stack: true with f.result set if the node ends here.
cdef bint limit_reached(Worker w, Frame* f) noexcept nogil
# Ask the table: fills f.entry, its score relative to the root, its move made sure to be legal.
cdef void look_up(Worker w, Frame* f) noexcept nogil
# Fill in_check, raw_eval, static_score and estimate.
cdef void set_static_score(Worker w, Frame* f) noexcept nogil
# Ask for the table memory of the node behind a move.
cdef void fetch_child(Worker w, Move move) noexcept nogil
# Keep what was found here in the table.
cdef void keep(Worker w, Frame* f, Move move, Score score, int depth, int bound) noexcept nogil
# Make a move and note it for the histories; count the node.
cdef void enter_child(Worker w, Frame* f, Move move) noexcept nogil
cdef void enter_pass(Worker w, Frame* f) noexcept nogil
# The principal variation of this ply is the move and that of the next ply.
cdef void join_pv(Worker w, int ply, Move move) noexcept nogil


cdef inline void leave_child(Worker w) noexcept nogil:
    w.board.top -= 1


cdef inline bint is_decided(Score score) noexcept nogil:
    """An outcome rather than an estimate: margins do not apply to it."""
    return score >= SCORE_DECIDED or score <= -SCORE_DECIDED
