"""Zobrist keys (CPW: Zobrist Hashing), from Sebastiano Vigna's SplitMix64."""

from .types cimport uint64_t

cdef extern from *:
    const uint64_t SEED "0x5374616e64737469ULL"
    const uint64_t GOLDEN "0x9e3779b97f4a7c15ULL"
    const uint64_t MIX_1 "0xbf58476d1ce4e5b9ULL"
    const uint64_t MIX_2 "0x94d049bb133111ebULL"


cdef uint64_t splitmix64(uint64_t* state) noexcept nogil:
    state[0] += GOLDEN
    cdef uint64_t z = state[0]
    z = (z ^ (z >> 30)) * MIX_1
    z = (z ^ (z >> 27)) * MIX_2
    return z ^ (z >> 31)


cdef void fill_keys() noexcept nogil:
    cdef uint64_t state = SEED
    cdef int i, sq
    for i in range(1, 16):
        for sq in range(64):
            PIECE_KEYS[i][sq] = splitmix64(&state)
    for sq in range(64):
        CASTLING_KEYS[sq] = splitmix64(&state)
        EP_KEYS[sq] = splitmix64(&state)
    STM_KEY[0] = splitmix64(&state)
    for i in range(1024):
        RECORD_KEYS[i] = splitmix64(&state)


fill_keys()
