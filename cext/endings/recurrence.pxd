# Positions that occur again, and whether a side gave check with every move between their occurrences.

from ..base.board cimport Head
from ..base.types cimport *

cdef enum:
    RECENT = 32                       # plies before the root in which a search looks for positions that recur


# The ending for the side whose moves since this place all gave check, unless both sides' did.
cdef inline Ending checked_since(const Head* head, int top, int first) noexcept nogil:
    cdef bint ours = True, theirs = True
    cdef int i
    for i in range(first + 1, top + 1, 2):
        ours &= head[i].in_check
        theirs &= head[i + 1].in_check
    if ours == theirs:
        return REPETITION
    return RULE_LOSS if ours else RULE_WIN


# The ending of a repeated position (`Board.repeated`): a side loses if all its moves since then gave check, unless both
# did.
cdef inline Ending perpetual_ending(const Head* head, int top, int root) noexcept nogil:
    cdef int lowest = top - head[top].phase, first = top, seen = 0, i = top - 4
    while i >= lowest and seen < 2:
        if head[i].key == head[top].key:
            first = i
            seen += 1
            if i >= root and head[i].node_key == head[top].node_key:
                break
        i -= 2
    return checked_since(head, top, first)


# The place where a position that has now occurred often enough (`wanted` times) did so first, or -1. Where captured
# pieces return to the board, positions recur across captures and drops. As in `Board.repeated`, one recurrence inside
# the search is enough; a search looks only a little beyond its root.
cdef inline int recurs_from(const Head* head, int top, int root, int wanted) noexcept nogil:
    cdef int lowest = 0 if top == root else max(0, root - RECENT), i = top - 2, seen = 1
    while i >= lowest and not head[i + 1].is_null and not head[i + 2].is_null:
        if head[i].key == head[top].key:
            seen += 1
            if seen == wanted or i >= root and head[i].node_key == head[top].node_key:
                return i
        i -= 2
    return -1


# How often the position on the board has occurred.
cdef inline int occurrences(const Head* head, int top) noexcept nogil:
    cdef int i = top - 2, seen = 1
    while i >= 0 and not head[i + 1].is_null and not head[i + 2].is_null:
        seen += head[i].key == head[top].key
        i -= 2
    return seen
