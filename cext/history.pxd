# What quiet moves and captures have been worth lately (CPW: History Heuristic). Layer 4.
#
# All tables are indexed by Board.slot (a man and where it goes), so that one layout serves every board. Values lie
# within +-HISTORY_LIMIT: each update pulls towards zero what is near the limit ("gravity").

from .types cimport Move, int16_t

cdef enum:
    HISTORY_LIMIT = 16384
    FROM_TO = 4096                    # from and to, folded to six bits each
    VICTIMS = 8
    CORRECTIONS = 16384
    CORRECTION_GRAIN = 256            # parts of a centipawn a correction is kept in
    CORRECTION_LIMIT = 32 * 256       # at most this much of a pawn, in such parts

cdef class History:
    cdef int slots
    cdef int16_t* butterfly           # [stm][FROM_TO]
    cdef int16_t* continuation        # [slot of an earlier move + 1][slot]; row 0 for passes and the start
    cdef int16_t* capture             # [slot][VICTIMS]
    cdef Move* counter                # [slot of the last move + 1]
    cdef int16_t* correction          # [stm][CORRECTIONS], by pawn structure

    cdef void wipe(self) noexcept nogil


cdef inline int from_to(Move move) noexcept nogil:
    return <int> ((move & 63) << 6 | (move >> 8 & 63))


cdef inline void reward(int16_t* value, int bonus) noexcept nogil:
    value[0] = <int16_t> (value[0] + bonus - value[0] * (bonus if bonus >= 0 else -bonus) // HISTORY_LIMIT)
