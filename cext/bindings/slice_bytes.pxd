# The bytes of a slice: solved, or with its next level still to be solved.
#
# They are read by the machine that has written them, or another of its kind: a head, then of a solved slice statistics,
# staircases, and for each number its staircase and its fresh value; of one in work staircases, exits and nodes; last a
# check sum. Nothing in them is believed before it has been tested.

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t

from ..tablebases.slice cimport Slice
from ..tablebases.stairs cimport Step

cdef enum:
    NO_CHAIN = 0xFFFFFFFF             # of a number that is no position, or whose position ends the game

cdef struct SliceHead:                # of a solved slice, or of one in work
    char[8] magic
    uint64_t material_key
    int32_t index
    int32_t whole_game
    uint32_t half
    uint32_t steps
    int32_t code                      # in work: the next level
    int32_t spare
    int64_t exits
    int64_t positions
    uint64_t evaluations

cdef struct Statistics:
    int64_t counts[2][256]
    int32_t longest[2][256]

# Raise ValueError unless these are the bytes of this slice, complete and as they were written.
cdef int check_solved(const uint8_t[::1] data, const Slice* s) except -1
cdef int check_in_work(const uint8_t[::1] data, const Slice* s) except -1

# Does each staircase lengthen an earlier one?
cdef bint sound_steps(const Step* steps, uint32_t n) noexcept nogil
# Do the numbers lie in their ranges, and give the counts that are told?
cdef bint sound_numbers(const uint32_t* chains, const uint32_t* fresh, int64_t half, uint32_t n_steps,
                        const Statistics* found) noexcept nogil

cdef class Chunks:
    cdef Slice* s
    cdef int code                     # the next level, of a slice in work

    cdef object numbers(self, bint is_fresh, int64_t first, int64_t n)
