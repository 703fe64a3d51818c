"""Two bare kings, solved record by record from the best to the worst.

The layer of a record holds the positions whose own goal does not improve on it. Their scores start as if the record
stood to the end, and are recomputed until no score changes. A side that can reach a better code than the record can
also do so under every weaker record, so the scores of such positions are final. Every score is from the side to move,
whatever its colour.
"""

from ..base.attacks cimport KING_ATTACKS
from ..base.bits cimport pop_lsb, popcount
from ..base.types cimport *

cdef enum:
    TOP = 64                          # larger than every code; an outcome is TOP - code, negated for the other side
    PLY = 256                         # a score is 256 * outcome, less the plies needed by the side that reaches it
    LAST_CODE = 17                    # the goal code of a king with eight moves
    NONE = -1 << 20


cdef inline int outcome_of(int score) noexcept nogil:
    return (score + PLY // 2 + TOP * PLY) // PLY - TOP


cdef inline int code_at(int mine, int other) noexcept nogil:
    return 2 * popcount(KING_ATTACKS[mine] & ~KING_ATTACKS[other]) + 1


cdef inline int a_ply_earlier(int score, int record) noexcept nogil:
    """Score of the same outcome seen one ply earlier: each ply counts against the side that reaches it."""
    cdef int target = PLY * outcome_of(score), plies = abs(score - target) + 1
    return target - plies if target > record else target + plies if target < record else record


cdef struct Solver:
    int settled[64][64]               # score; 0 while it depends on the record
    int standing[2][64][64]           # [whether the other side owns the record]: score in this layer


cdef int behind(const Solver* s, int mine, int other, int code, int owner) noexcept nogil:
    """Score for the side to move under a record of this code; a better goal becomes the new record."""
    cdef int own = code_at(mine, other)
    if s.settled[mine][other] and (own >= code or TOP - abs(outcome_of(s.settled[mine][other])) < own):
        return s.settled[mine][other]
    return -PLY * (TOP - own) if own < code else s.standing[owner][mine][other]


cdef bint improve(Solver* s, int mine, int other, int code) noexcept nogil:
    """Look one ply ahead from a position, for each owner of the record; true if a score changes."""
    cdef int owner, best, record, score, to
    cdef uint64_t moves
    cdef bint changed = False
    for owner in range(2):
        record = PLY * (TOP - code) if owner == 0 else -PLY * (TOP - code)
        best = NONE
        moves = KING_ATTACKS[mine] & ~KING_ATTACKS[other]
        while moves:
            to = pop_lsb(&moves)
            score = a_ply_earlier(-behind(s, other, to, code, owner ^ 1), record)
            best = max(best, score)
        changed |= best != s.standing[owner][mine][other]
        s.standing[owner][mine][other] = best
    return changed


cdef inline bint is_position(int mine, int other) noexcept nogil:
    return mine != other and not KING_ATTACKS[mine] >> other & 1


cdef void solve_layer(Solver* s, int code) noexcept nogil:
    cdef int mine, other
    cdef bint changed = True
    for mine in range(64):
        for other in range(64):
            s.standing[0][mine][other] = PLY * (TOP - code)
            s.standing[1][mine][other] = -PLY * (TOP - code)
    while changed:
        changed = False
        for mine in range(64):
            for other in range(64):
                if is_position(mine, other) and s.settled[mine][other] == 0 and code_at(mine, other) >= code:
                    changed |= improve(s, mine, other, code)
    for mine in range(64):
        for other in range(64):
            if (is_position(mine, other) and s.settled[mine][other] == 0 and code_at(mine, other) >= code
                    and TOP - abs(outcome_of(s.standing[0][mine][other])) < code):
                s.settled[mine][other] = s.standing[0][mine][other]


cdef void solve() noexcept:
    cdef Solver s
    cdef int code, mine, other, outcome
    for mine in range(64):
        for other in range(64):
            s.settled[mine][other] = 0
    for code in range(3, LAST_CODE + 2, 2):
        solve_layer(&s, code)
    for mine in range(64):
        for other in range(64):
            outcome = outcome_of(s.settled[mine][other])
            BARE_KINGS[mine][other].code = 0
            BARE_KINGS[mine][other].plies = 0
            if s.settled[mine][other]:
                BARE_KINGS[mine][other].code = <int8_t> (TOP - outcome if outcome > 0 else -TOP - outcome)
                BARE_KINGS[mine][other].plies = <uint8_t> abs(s.settled[mine][other] - PLY * outcome)


solve()


def bare_kings(int mine, int other):
    """(code, plies) of two bare kings. The code is negative if the side not to move reaches it, 0 if there is no code.

    Raises ValueError if the placement is illegal.
    """
    if not 0 <= mine < 64 or not 0 <= other < 64 or not is_position(mine, other):
        raise ValueError("expected two squares from 0 to 63 that do not touch")
    return BARE_KINGS[mine][other].code, BARE_KINGS[mine][other].plies
