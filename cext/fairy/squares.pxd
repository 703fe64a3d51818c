# Sets of squares for boards with up to 256 squares, and pieces. A piece is its type, plus 16 for Black's.

from ..base.types cimport uint64_t

cdef enum:
    WORDS = 4                         # words of 64 squares; 256 squares are the most


cdef extern from *:
    """
    static inline int fairy_lsb(uint64_t b) { return __builtin_ctzll(b); }
    static inline int fairy_msb(uint64_t b) { return 63 - __builtin_clzll(b); }
    static inline int fairy_count(uint64_t b) { return __builtin_popcountll(b); }
    """
    int fairy_lsb(uint64_t b) noexcept nogil
    int fairy_msb(uint64_t b) noexcept nogil
    int fairy_count(uint64_t b) noexcept nogil


cdef inline int type_of(int piece) noexcept nogil:
    return piece & 15


cdef inline int side_of(int piece) noexcept nogil:
    return piece >> 4


cdef inline bint has(const uint64_t* squares, int sq) noexcept nogil:
    return squares[sq >> 6] >> (sq & 63) & 1


cdef inline void put(uint64_t* squares, int sq) noexcept nogil:
    squares[sq >> 6] |= <uint64_t> 1 << (sq & 63)


cdef inline void drop(uint64_t* squares, int sq) noexcept nogil:
    squares[sq >> 6] &= ~(<uint64_t> 1 << (sq & 63))
