# What a searched node teaches: histories of moves, and corrections of the static score.

from ..base.types cimport Move, Score
from .worker cimport Frame, Worker

# A bonus, or a malus if negative, in all histories of a quiet move of this node.
cdef void reward_quiet(Worker w, Frame* f, Move move, int bonus) noexcept nogil
# No move here reaches alpha: the quiet move that led here deserves a bonus.
cdef void reward_prior_move(Worker w, Frame* f) noexcept nogil
# f.best_move has cut off: a bonus for it, a malus for those tried before it.
cdef void learn_from_cut_off(Worker w, Frame* f) noexcept nogil
# The move of this frame, reduced at first, has been searched in full.
cdef void learn_from_research(Worker w, Frame* f, int depth, Score score) noexcept nogil
# The result of the node shows the error of its static score.
cdef void learn_from_error(Worker w, Frame* f, int bound) noexcept nogil
# The static score shows what the quiet move that led here has done.
cdef void learn_from_static_score(Worker w, Frame* f) noexcept nogil
