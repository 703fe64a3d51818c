# Histories: the recent success of quiet moves and captures (CPW: History Heuristic).
#
# Most tables are indexed by Board.slot (a piece and its target square), so one layout serves every board. Values lie
# within +-HISTORY_LIMIT: each update pulls a value towards zero, in proportion to its size ("gravity").

from ..base.types cimport Move, int16_t, uint32_t, uint64_t

cdef enum:
    HISTORY_LIMIT = 16384
    ATTACKED = 4                      # combinations of attacked from and to squares
    FROM_TO = 4096                    # from and to, folded to six bits each
    VICTIMS = 8
    PAWN_ROWS = 512                   # pawn structures, by the lowest bits of their keys
    CORRECTION_BITS = 14
    CORRECTIONS = 1 << CORRECTION_BITS    # rows of each correction table
    CORRECTION_GRAIN = 256            # corrections are stored in 256ths of a centipawn
    CORRECTION_LIMIT = 32 * 256       # the largest correction, 32 centipawns, in that unit
    CORRECTION_WEIGHT = 256           # an update's weight, depth + 1 up to Numbers.correction_rate, is divided by this

cdef enum:
    TABLES = 8

cdef struct Part:                     # the memory of one of the tables below
    char* start
    size_t size

cdef class History:
    cdef int slots
    cdef int16_t* butterfly           # [stm][from attacked, to attacked][FROM_TO]
    cdef int16_t* continuation        # [slot of an earlier move + 1][slot]; row 0 for null moves and the start
    cdef int16_t* capture             # [slot][VICTIMS]
    cdef Move* counter                # [slot of the last move + 1]
    cdef int16_t* pawns               # [PAWN_ROWS][slot]: moves in a pawn structure
    cdef int16_t* correction          # [stm][CORRECTIONS], by pawn structure
    cdef int16_t* non_pawn_correction  # [stm][colour][CORRECTIONS], by a side's non-pawn pieces
    cdef int16_t* move_correction     # [CORRECTIONS], by the last two moves

    cdef void tables(self, Part* parts) noexcept nogil
    cdef void clear(self) noexcept nogil


cdef inline int from_to(Move move) noexcept nogil:
    return <int> ((move & 63) << 6 | (move >> 8 & 63))


cdef inline int16_t* butterfly_rows(History h, int stm) noexcept nogil:
    return &h.butterfly[stm * ATTACKED * FROM_TO]


# danger: squares that the opponent attacks. Squares beyond 63 are folded, but boards that have them report no danger.
cdef inline int butterfly_place(uint64_t danger, Move move) noexcept nogil:
    cdef int attacked = <int> ((danger >> (move & 63) & 1) << 1 | (danger >> (move >> 8 & 63) & 1))
    return attacked * FROM_TO + from_to(move)


cdef inline int16_t* butterfly_entry(History h, int stm, uint64_t danger, Move move) noexcept nogil:
    return butterfly_rows(h, stm) + butterfly_place(danger, move)


cdef inline int16_t* capture_entry(History h, int slot, int victim) noexcept nogil:
    return &h.capture[slot * VICTIMS + victim]


cdef inline int16_t* correction_entry(History h, int stm, uint64_t pawn_key) noexcept nogil:
    return &h.correction[stm * CORRECTIONS + <int> (pawn_key & (CORRECTIONS - 1))]


cdef inline int16_t* pawn_entry(History h, uint64_t pawn_key, int slot) noexcept nogil:
    return &h.pawns[<int> (pawn_key & (PAWN_ROWS - 1)) * h.slots + slot]


cdef inline int16_t* non_pawn_correction_entry(History h, int stm, int colour, uint64_t non_pawn_key) noexcept nogil:
    return &h.non_pawn_correction[(2 * stm + colour) * CORRECTIONS + <int> (non_pawn_key & (CORRECTIONS - 1))]


# before, last: the slots of the last two moves, plus one. The multiplier (Fibonacci hashing) spreads pairs of slots
# over the rows.
cdef inline int16_t* move_correction_entry(History h, int before, int last) noexcept nogil:
    cdef uint32_t mixed = <uint32_t> (before * (h.slots + 1) + last) * <uint32_t> 2654435769
    return &h.move_correction[mixed >> (32 - CORRECTION_BITS)]


cdef inline void add_bonus(int16_t* value, int bonus) noexcept nogil:
    value[0] = <int16_t> (value[0] + bonus - value[0] * (bonus if bonus >= 0 else -bonus) // HISTORY_LIMIT)


# Moves the entry towards `target` by weight / CORRECTION_WEIGHT of the way.
cdef inline void correct_towards(int16_t* value, int target, int weight) noexcept nogil:
    target = (value[0] * (CORRECTION_WEIGHT - weight) + target * weight) // CORRECTION_WEIGHT
    value[0] = <int16_t> max(-CORRECTION_LIMIT, min(CORRECTION_LIMIT, target))
