"""King and pawn against king, solved by retrograde analysis from safe promotions.

For each pawn and its king, the squares of the other king are one bitboard, so a step back takes a few set operations.
Pawns on higher ranks come first, because each pawn needs the results of the squares ahead of it.
"""

from ..base.attacks cimport KING_ATTACKS
from ..base.bits cimport FILE_A, FILE_H, bit, file_of, pop_lsb
from ..base.types cimport uint64_t

cdef uint64_t WINS[2][64][64]         # [pawn's side to move][pawn, on the files a to d][its king]


cdef uint64_t beside(uint64_t squares) noexcept nogil:
    """All squares one king move away from any of these."""
    cdef uint64_t found = 0
    while squares:
        found |= KING_ATTACKS[pop_lsb(&squares)]
    return found


cdef inline uint64_t pawn_attacks(int pawn) noexcept nogil:
    return (bit(pawn) & ~FILE_A) << 7 | (bit(pawn) & ~FILE_H) << 9


cdef uint64_t wins_by_pawn(int king, int pawn) noexcept nogil:
    """Squares of the other king from which it loses to a step of the pawn."""
    cdef int ahead = pawn + 8
    cdef uint64_t found
    if ahead == king:
        return 0
    if pawn >= 48:                    # promotes to a queen, or to a rook if a queen stalemates
        return ~bit(ahead) & ~(0 if KING_ATTACKS[king] >> ahead & 1 else KING_ATTACKS[ahead])
    found = WINS[0][ahead][king]
    if pawn < 16 and ahead + 8 != king:
        found |= WINS[0][ahead + 8][king] & ~bit(ahead)
    return found


cdef uint64_t wins_by_king(int king, int pawn) noexcept nogil:
    cdef uint64_t moves = KING_ATTACKS[king] & ~bit(pawn), found = 0
    while moves:
        found |= WINS[0][pawn][pop_lsb(&moves)]
    return found


cdef bint step_back(int pawn) noexcept nogil:
    """Extend the wins of this pawn by one ply, for every king; true if new ones were found."""
    cdef uint64_t here = bit(pawn), possible, targets, found
    cdef bint changed = False
    cdef int king
    for king in range(64):
        if king == pawn:
            continue
        possible = ~(KING_ATTACKS[king] | bit(king) | here)
        found = possible & ~pawn_attacks(pawn) & (wins_by_pawn(king, pawn) | wins_by_king(king, pawn))
        changed |= found != WINS[1][pawn][king]
        WINS[1][pawn][king] = found
        # The other king loses if it has moves and all of them lose; capturing the pawn does not lose.
        targets = ~(KING_ATTACKS[king] | pawn_attacks(pawn))
        found = possible & beside(targets) & ~beside(targets & ~WINS[1][pawn][king])
        changed |= found != WINS[0][pawn][king]
        WINS[0][pawn][king] = found
    return changed


cdef void solve() noexcept:
    cdef int pawn
    for pawn in range(55, 7, -1):
        if file_of(pawn) < 4:
            while step_back(pawn):
                pass


cdef bint pawn_wins(int king, int pawn, int other, bint to_move) noexcept nogil:
    cdef int mirror = 7 if file_of(pawn) > 3 else 0
    return WINS[to_move][pawn ^ mirror][king ^ mirror] >> (other ^ mirror) & 1


solve()


def king_and_pawn_wins(int king, int pawn, int other, bint to_move):
    """Return whether White's pawn wins against a bare king. to_move: White is to move. Squares from 0 to 63, the pawn
    not on the first or last rank (ValueError). Impossible positions count as not won."""
    if not 0 <= king < 64 or not 8 <= pawn < 56 or not 0 <= other < 64:
        raise ValueError("expected three squares from 0 to 63, the pawn's on rank 2 to 7")
    return pawn_wins(king, pawn, other, to_move)
