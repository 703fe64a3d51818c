# Staircases: the values of a position under each record, built record by record and shared.
#
# A staircase is a chain of steps, the weakest record last; chains with a common beginning share it, so a position
# stores one number. Under records without a step the record stands. A step that decides holds for all records
# from its code on.

from ..base.types cimport int32_t, int8_t, uint16_t, uint32_t, uint8_t

cdef enum:
    TOP = 127                         # an outcome is TOP - code for White, code - TOP for Black: more is better
    PLIES = 4095                      # largest number of plies to the final record
    MOST_CODE = 126                   # weaker goals (63 moves or more) count as this one; see capped
    BOTH = 2                          # owner of a step that decides whichever side owns the record

cdef struct Step:
    uint32_t before                   # the chain that this step lengthens; chain 0 is empty
    uint16_t plies                    # plies until the final record is on the board
    uint8_t code                      # code of the record
    uint8_t owner                     # owner of the record, or BOTH
    int8_t value                      # outcome

cdef struct Stairs:
    Step* steps
    uint32_t n
    uint32_t room
    uint32_t* slots                   # hash table of chain numbers; 0 marks an empty slot
    uint32_t n_slots                  # a power of two

cdef bint open_stairs(Stairs* s) noexcept nogil
cdef void close_stairs(Stairs* s) noexcept nogil

# Number of the chain `before` extended by this step; 0 if memory runs out.
cdef uint32_t lengthened(Stairs* s, uint32_t before, int code, int owner, int value, int plies) noexcept nogil

# Adds the chains of another set and writes their new numbers to `numbers`; false if memory runs out.
cdef bint add_stairs(Stairs* s, const Stairs* other, uint32_t* numbers) noexcept nogil

# The value under a record, 0 if the record stands. For other values it also writes the plies.
cdef int read_stairs(const Stairs* s, uint32_t chain, int code, int owner, int* plies) noexcept nogil


# An outcome and the plies to it in one number.
cdef inline uint32_t pack(int value, int plies) noexcept nogil:
    return <uint32_t> (value + 128) << 12 | <uint32_t> plies


cdef inline int value_in(uint32_t packed) noexcept nogil:
    return <int> (packed >> 12) - 128


cdef inline int plies_in(uint32_t packed) noexcept nogil:
    return <int> (packed & PLIES)


cdef inline int outcome_of(int code, int owner) noexcept nogil:
    return TOP - code if owner == 0 else code - TOP


cdef inline int code_of(int value) noexcept nogil:
    return TOP - value if value > 0 else TOP + value


cdef inline int capped(int code) noexcept nogil:
    """The code in the tables. The solver ensures that a record of MOST_CODE is never final, so codes stay distinct."""
    return min(code, MOST_CODE)
