# The numbers of a network, shared by all workers. Layer 4.

from ..base.types cimport int16_t, int32_t

cdef enum:
    FEATURES = 768                    # inputs of chess
    BUCKETS = 8                       # outputs, by the number of men
    ACTIVE = 255                      # what 1 is in the hidden layer
    OUTPUT_ONE = 64                   # and in the weights of the outputs

cdef class Weights:
    cdef const int16_t* features      # `inputs` rows of `width`; each row begins on a multiple of 64 bytes
    cdef const int16_t* feature_biases
    cdef const int16_t* outputs       # 8 rows of 2 * width
    cdef const int32_t* output_biases
    cdef readonly int inputs          # of a perspective
    cdef readonly int width           # a multiple of 32
    cdef readonly int scale           # centipawns
    cdef readonly str name
    cdef Py_buffer data               # the memory, which stays as long as it is held
    cdef bint held

    cdef int check_bounds(self) except -1


# The row of a man for a perspective: flip is 56 for Black's, with 7 added where files are mirrored.
cdef inline const int16_t* row_of(const int16_t* features, int width, int perspective, int flip, int piece,
                                  int sq) noexcept nogil:
    cdef int place = ((piece >> 3) ^ perspective) * 384 + ((piece & 7) - 1) * 64 + (sq ^ flip)
    return features + place * width
