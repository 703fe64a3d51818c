# Updates after a searched node: histories of moves and corrections of the static score.

from ..base.types cimport Move, Score
from .worker cimport Frame, Worker

# A bonus, or a malus if negative, in all histories of a quiet move of this node.
cdef void reward_quiet(Worker w, Frame* f, Move move, int bonus) noexcept nogil
# Fail low: gives a bonus to the quiet move that led here.
cdef void reward_prior_move(Worker w, Frame* f) noexcept nogil
# Cut-off: a bonus for f.best_move, a malus for the moves tried before it.
cdef void learn_from_cut_off(Worker w, Frame* f) noexcept nogil
# After the full-depth search of a reduced move of this frame.
cdef void learn_from_research(Worker w, Frame* f, int depth, Score score) noexcept nogil
# Learns the error of the static score from the result of the node.
cdef void learn_from_error(Worker w, Frame* f, int bound) noexcept nogil
# Updates the history of the quiet move that led here by the change of the static score.
cdef void learn_from_static_score(Worker w, Frame* f) noexcept nogil
