"""Chains of steps, each stored once (hash consing)."""

from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from ..base.types cimport uint64_t

cdef enum:
    FIRST_SLOTS = 1 << 10


cdef bint open_stairs(Stairs* s) noexcept nogil:
    s.n = 1
    s.room = FIRST_SLOTS // 2
    s.n_slots = FIRST_SLOTS
    s.steps = <Step*> malloc(s.room * sizeof(Step))
    s.slots = <uint32_t*> calloc(s.n_slots, sizeof(uint32_t))
    if s.steps == NULL or s.slots == NULL:
        close_stairs(s)
        return False
    memset(s.steps, 0, sizeof(Step))
    return True


cdef void close_stairs(Stairs* s) noexcept nogil:
    free(s.steps)
    free(s.slots)
    s.steps = NULL
    s.slots = NULL


cdef inline uint32_t slot_of(const Stairs* s, const Step* step) noexcept nogil:
    cdef uint64_t word = (<uint64_t> step.before << 32 | <uint64_t> step.plies << 20
                          | <uint64_t> step.code << 12 | <uint64_t> step.owner << 8 | <uint8_t> step.value)
    return <uint32_t> ((word * 0x9E3779B97F4A7C15ULL) >> 32) & (s.n_slots - 1)


cdef bint grow(Stairs* s) noexcept nogil:
    cdef uint32_t chain, slot
    cdef Step* steps = <Step*> realloc(s.steps, 2 * s.room * sizeof(Step))
    cdef uint32_t* slots
    if steps == NULL:
        return False
    s.steps = steps
    slots = <uint32_t*> calloc(2 * s.n_slots, sizeof(uint32_t))
    if slots == NULL:
        return False
    free(s.slots)
    s.slots = slots
    s.room *= 2
    s.n_slots *= 2
    for chain in range(1, s.n):
        slot = slot_of(s, &s.steps[chain])
        while s.slots[slot]:
            slot = (slot + 1) & (s.n_slots - 1)
        s.slots[slot] = chain
    return True


cdef inline bint same(const Step* a, const Step* b) noexcept nogil:
    return (a.before == b.before and a.plies == b.plies and a.code == b.code and a.owner == b.owner
            and a.value == b.value)


cdef uint32_t lengthened(Stairs* s, uint32_t before, int code, int owner, int value, int plies) noexcept nogil:
    cdef Step step
    cdef uint32_t slot
    step.before = before
    step.plies = <uint16_t> plies
    step.code = <uint8_t> code
    step.owner = <uint8_t> owner
    step.value = <int8_t> value
    slot = slot_of(s, &step)
    while s.slots[slot]:
        if same(&s.steps[s.slots[slot]], &step):
            return s.slots[slot]
        slot = (slot + 1) & (s.n_slots - 1)
    if s.n == s.room:
        if not grow(s):
            return 0
        slot = slot_of(s, &step)
        while s.slots[slot]:
            slot = (slot + 1) & (s.n_slots - 1)
    s.steps[s.n] = step
    s.slots[slot] = s.n
    s.n += 1
    return s.n - 1


cdef bint add_stairs(Stairs* s, const Stairs* other, uint32_t* numbers) noexcept nogil:
    cdef uint32_t chain
    cdef const Step* step
    numbers[0] = 0
    for chain in range(1, other.n):
        step = &other.steps[chain]
        numbers[chain] = lengthened(s, numbers[step.before], step.code, step.owner, step.value, step.plies)
        if numbers[chain] == 0:
            return False
    return True


cdef int read_stairs(const Stairs* s, uint32_t chain, int code, int owner, int* plies) noexcept nogil:
    cdef const Step* step
    while chain:
        step = &s.steps[chain]
        if (step.code <= code) if step.owner == BOTH else (step.code == code and step.owner == owner):
            plies[0] = step.plies
            return step.value
        chain = step.before
    plies[0] = 0
    return 0
