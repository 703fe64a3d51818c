# Positions that occur again, and whether a side gave check with every move between their occurrences.

from ..base.board cimport Head
from ..base.types cimport *

cdef enum:
    RECENT = 32                       # plies before the root in which a search looks for positions that recur


# The ending for the side to move: it loses if all its moves since this place gave check, and wins if all moves of the
# other side did; otherwise, or if both sides always gave check, the repetition is a draw.
cdef inline Ending checked_since(const Head* head, int top, int first) noexcept nogil:
    cdef bint ours = True, theirs = True
    cdef int i
    for i in range(first + 1, top + 1, 2):
        ours &= head[i].in_check
        theirs &= head[i + 1].in_check
    if ours == theirs:
        return REPETITION
    return RULE_LOSS if ours else RULE_WIN


# The ending of a repeated position (`Board.repeated`), by the checks that the moves since its earlier occurrence gave.
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


# The stack index of the first of the last `wanted` occurrences of the position; -1 if it has occurred less often. Where
# captured pieces return to the board, positions recur across captures and drops. As in `Board.repeated`, one recurrence
# inside the search is enough. A search looks for occurrences only a little before its root.
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
