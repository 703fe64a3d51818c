# The staged move picker (CPW: Move Ordering), which generates each stage only on demand.
#
#   tt move
#   captures and promotions that gain by exchange, best victim first
#   quiet moves by history
#   captures that lose material

from ..base.types cimport Move
from .worker cimport Frame, Picker, Worker

cdef enum PickStage:
    PICK_TT_MOVE
    PICK_GENERATE_NOISY
    PICK_GOOD_NOISY
    PICK_GENERATE_QUIET
    PICK_QUIET
    PICK_BAD_NOISY
    PICK_QS_TT_MOVE                   # quiescence and ProbCut: noisy moves, and quiet checks if requested
    PICK_QS_GENERATE_NOISY
    PICK_QS_NOISY
    PICK_QS_CHECKS
    PICK_DONE

# Starts picking from all legal moves.
cdef void init_picker(Worker w, Frame* f, Picker* p, Move tt_move) noexcept nogil

# Starts picking captures and promotions that gain at least `see_margin` centipawns; with `checks` also quiet checks.
cdef void init_noisy_picker(Worker w, Frame* f, Picker* p, Move tt_move, int see_margin, bint checks) noexcept nogil

# The next move, or 0.
cdef Move next_move(Worker w, Frame* f, Picker* p) noexcept nogil

# Sum of the histories of a quiet move.
cdef int quiet_history(Worker w, Frame* f, Move move) noexcept nogil
