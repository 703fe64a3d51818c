# The numbers of a network, shared by all workers.

from ..base.types cimport int16_t, int32_t

cdef enum:
    FEATURES = 768                    # inputs of chess, for each group of king squares
    KING_GROUPS = 16
    BUCKETS = 8                       # outputs, by the number of pieces
    ACTIVE = 255                      # scale of the hidden layer: the number that stands for 1
    OUTPUT_ONE = 64                   # scale of the output weights

cdef class Weights:
    cdef const int16_t* features      # `inputs` rows of `width`; each row begins on a multiple of 64 bytes
    cdef const int16_t* feature_biases
    cdef const int16_t* outputs       # 8 rows of 2 * width
    cdef const int32_t* output_biases
    cdef readonly int inputs          # number of inputs of a perspective
    cdef bint by_king                 # whether there are inputs for each group of king squares (chess only)
    cdef readonly int width           # a multiple of 32
    cdef readonly int scale           # centipawns
    cdef readonly str name
    cdef Py_buffer data               # keeps the memory of the arrays alive
    cdef bint held

    cdef int check_bounds(self) except -1


# The group of the square of the perspective's king. The perspective has mirrored the board so that the king is on the
# files e to h.
cdef inline int king_group(int sq) noexcept nogil:
    cdef int rank = sq >> 3
    if rank < 2:                      # each of the usual squares is a group by itself
        return 4 * rank + (sq & 3)
    return 8 + 2 * (min(rank, 5) - 2) + (sq >> 1 & 1)


# The first row of a piece for a perspective, in the first group.
cdef inline int first_row_of(int perspective, int piece) noexcept nogil:
    return ((piece >> 3) ^ perspective) * 384 + ((piece & 7) - 1) * 64
