# King and pawn against king: who wins, one bit a position, found when the module is loaded (some milliseconds).
# CPW: KPK, Retrograde Analysis. Layer 2.

# Does the side with the pawn win? Squares of its own view, its pawn moving up; `to_move`: is it to move? For positions
# that are possible, and with the pawn on the second to the seventh rank.
cdef bint pawn_wins(int king, int pawn, int other, bint to_move) noexcept nogil
