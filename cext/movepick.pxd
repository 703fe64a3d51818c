# Moves in the order in which they are worth trying, generated as late as possible. Layer 4.
#
#   table move
#   captures and promotions that gain by exchange, best victim first
#   killers and the counter move
#   the other quiet moves by history
#   captures that lose material

from .types cimport Move
from .worker cimport Frame, Picker, Worker

cdef enum PickStage:
    PICK_TABLE
    PICK_MAKE_NOISY
    PICK_GOOD_NOISY
    PICK_KILLER_1
    PICK_KILLER_2
    PICK_COUNTER
    PICK_MAKE_QUIET
    PICK_QUIET
    PICK_BAD_NOISY
    PICK_QS_TABLE                     # quiescence and ProbCut: noisy moves, and checks at most
    PICK_QS_MAKE
    PICK_QS_NOISY
    PICK_QS_CHECKS
    PICK_DONE

# All legal moves.
cdef void start_all(Worker w, Frame* f, Picker* p, Move table_move) noexcept nogil

# Captures and promotions that gain at least `see_margin` centipawns; then, if asked for, safe quiet checks.
cdef void start_noisy(Worker w, Frame* f, Picker* p, Move table_move, int see_margin, bint checks) noexcept nogil

# The next move, or 0.
cdef Move next_move(Worker w, Frame* f, Picker* p) noexcept nogil

# What the histories say of a quiet move.
cdef int quiet_history(Worker w, Frame* f, Move move) noexcept nogil
