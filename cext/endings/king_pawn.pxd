# King and pawn against king: wins, one bit a position, computed at import (a few milliseconds).
# CPW: KPK, Retrograde Analysis.

# True if the side with the pawn wins. Squares are from that side's view, with its pawn moving up; `to_move`: that side
# is to move. The position must be legal, with the pawn on the second to the seventh rank.
cdef bint pawn_wins(int king, int pawn, int other, bint to_move) noexcept nogil
