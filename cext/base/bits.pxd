# Bitboards: a1 is bit 0, h1 bit 7, h8 bit 63. Header only; simd.h holds all code that depends on the instruction set.

from libc.stddef cimport size_t

from .types cimport Move, int16_t, int32_t, uint32_t, uint64_t

cdef extern from "simd.h" nogil:
    const int HAVE_LANES
    const char* simd_level()
    int popcount(uint64_t bits)
    int lsb(uint64_t bits)                              # undefined for 0
    int msb(uint64_t bits)                              # undefined for 0
    uint64_t byteswap(uint64_t bits)                    # the board seen from the other side
    void prefetch(const void* address)
    uint64_t high_product(uint64_t a, uint64_t b)       # upper 64 of 128 bits
    size_t slider_index(uint64_t occupied, uint64_t mask, uint64_t magic, int shift)

    ctypedef struct lanes:
        pass
    lanes lanes_all(uint64_t b)
    lanes lanes_pair(uint64_t straight, uint64_t diagonal)
    lanes lanes_and(lanes a, lanes b)
    lanes lanes_or(lanes a, lanes b)
    lanes lanes_without(lanes a, lanes b)               # a & ~b
    lanes lanes_or_and(lanes a, lanes b, lanes c)       # a | (b & c)
    lanes lanes_opposite(lanes a)
    lanes lanes_reachable()
    lanes lanes_rotate(lanes a, int times)
    lanes lanes_knight(uint64_t knights)
    uint64_t lanes_union(lanes a)
    lanes lanes_where(lanes test, lanes a)
    int lanes_any(lanes a)
    int lanes_count(lanes a, lanes b)
    void lanes_store_lines(uint64_t* out, lanes a)
    lanes lanes_load_lines(const uint64_t* lines)

    Move* put_moves(Move* out, uint64_t targets, Move pattern)
    Move* put_pawn_moves(Move* out, uint64_t targets, int delta, Move pattern)

    # Rows of 16-bit numbers: each starts on a multiple of 64 bytes; `width` is a multiple of 32. `out` may be `start`.
    void rows_move(int16_t* out, const int16_t* start, const int16_t* on, const int16_t* off, int width)
    void rows_capture(int16_t* out, const int16_t* start, const int16_t* on, const int16_t* off, const int16_t* off2,
                      int width)
    void rows_castle(int16_t* out, const int16_t* start, const int16_t* on, const int16_t* on2, const int16_t* off,
                     const int16_t* off2, int width)
    void rows_many(int16_t* out, const int16_t* start, const int16_t* const* on, int n_on, const int16_t* const* off,
                   int n_off, int width)
    int32_t rows_output(const int16_t* ours, const int16_t* theirs, const int16_t* weights, int width)

cdef enum:
    MOVE_ROOM = 16                                      # spare places after a list, which put_moves may overwrite

cdef extern from *:
    const uint64_t FILE_A "0x0101010101010101ULL"
    const uint64_t FILE_H "0x8080808080808080ULL"
    const uint64_t NOT_A "0xfefefefefefefefeULL"
    const uint64_t NOT_H "0x7f7f7f7f7f7f7f7fULL"
    const uint64_t RANK_1 "0x00000000000000ffULL"
    const uint64_t RANK_2 "0x000000000000ff00ULL"
    const uint64_t RANK_3 "0x0000000000ff0000ULL"
    const uint64_t RANK_4 "0x00000000ff000000ULL"
    const uint64_t RANK_5 "0x000000ff00000000ULL"
    const uint64_t RANK_6 "0x0000ff0000000000ULL"
    const uint64_t RANK_7 "0x00ff000000000000ULL"
    const uint64_t RANK_8 "0xff00000000000000ULL"
    const uint64_t ALL "0xffffffffffffffffULL"
    const uint64_t DARK_SQUARES "0xaa55aa55aa55aa55ULL"


cdef inline uint64_t bit(int sq) noexcept nogil:
    return <uint64_t> 1 << sq


cdef inline int pop_lsb(uint64_t* bits) noexcept nogil:
    cdef int sq = lsb(bits[0])
    bits[0] &= bits[0] - 1
    return sq


cdef inline bint more_than_one(uint64_t bits) noexcept nogil:
    return bits & (bits - 1) != 0


cdef inline int file_of(int sq) noexcept nogil:
    return sq & 7


cdef inline int rank_of(int sq) noexcept nogil:
    return sq >> 3


cdef inline uint64_t rank_mask(int rank) noexcept nogil:
    return RANK_1 << (8 * rank)
