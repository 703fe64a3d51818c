# Updates after a searched node: histories of moves and corrections of the static score.

from ..base.types cimport Move, Score
from .worker cimport Frame, Worker

# Adds a bonus (a malus if negative) to all histories of a quiet move of this node.
cdef void reward_quiet(Worker w, Frame* f, Move move, int bonus) noexcept nogil
# After failing low, gives a bonus to the quiet move that led here.
cdef void reward_prior_move(Worker w, Frame* f) noexcept nogil
# After a cut-off, gives a bonus to f.best_move and a malus to the moves tried before it.
cdef void learn_from_cut_off(Worker w, Frame* f) noexcept nogil
# Updates the histories of a reduced move of this frame after its full-depth search.
cdef void learn_from_research(Worker w, Frame* f, int depth, Score score) noexcept nogil
# Learns the error of the static score from the result of the node.
cdef void learn_from_error(Worker w, Frame* f, int bound) noexcept nogil
# Updates the history of the quiet move that led here by the change of the static score.
cdef void learn_from_static_score(Worker w, Frame* f) noexcept nogil
