# The bytes of a slice that is solved, or that was saved before the next part of the work on it.
#
# The bytes can be read only on machines of the architecture on which they were written. A header comes first. In a
# solved slice, statistics and staircases follow, then the staircase and the fresh value of each number; in an
# unfinished slice, staircases, exits, the lists of done and fresh positions, and nodes. A checksum comes last. Readers
# validate everything before using it.

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t

from ..tablebases.slice cimport Place, Slice
from ..tablebases.stairs cimport Step

cdef enum:
    NO_CHAIN = 0xFFFFFFFF             # staircase of a position that is illegal or ends the game

cdef struct SliceHead:                # header of a solved or an unfinished slice
    char[8] magic
    uint64_t material_key
    int32_t index
    int32_t whole_game
    uint32_t half
    uint32_t steps
    Place place                       # of an unfinished slice
    int64_t exits
    int64_t done                      # lengths of the lists of an unfinished slice
    int64_t fresh
    int64_t positions
    uint64_t evaluations

cdef struct Statistics:
    int64_t counts[2][256]
    int32_t longest[2][256]

# Raise ValueError unless these are the complete and unchanged bytes of this slice.
cdef int check_solved(const uint8_t[::1] data, const Slice* s) except -1
cdef int check_in_work(const uint8_t[::1] data, const Slice* s) except -1

# True if each step lengthens a staircase that comes before it.
cdef bint sound_steps(const Step* steps, uint32_t n) noexcept nogil
# True if the numbers lie in their ranges and agree with the stated counts.
cdef bint sound_numbers(const uint32_t* chains, const uint32_t* fresh, int64_t half, uint32_t n_steps,
                        const Statistics* found) noexcept nogil

cdef class Chunks:
    cdef Slice* s

    cdef object numbers(self, bint is_fresh, int64_t first, int64_t n)
