"""The weights of a network: checked once, then shared by all workers."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer

from ..base.types cimport *

cimport cython

cdef enum:
    ALIGNMENT = 64
    # Limits of docs/network-format.md, within which nothing overflows.
    WIDTH_STEP = 32
    MOST_WIDTH = 1024
    MOST_INPUTS = 1 << 14
    MOST_FEATURE_WEIGHT = 991
    MOST_FEATURE_BIAS = 1055
    MOST_OUTPUT_WEIGHT = 127
    MOST_OUTPUT_SUM = 33025


cdef int largest(const int16_t* numbers, int count) noexcept nogil:
    """The largest absolute value."""
    cdef int i, least = 0, most = 0
    for i in range(count):
        least = min(least, numbers[i])
        most = max(most, numbers[i])
    return max(most, -least)


cdef int largest_sum(const int16_t* numbers, int count) noexcept nogil:
    """The larger of the sum of the positive numbers and the absolute sum of the negative numbers."""
    cdef int i, above = 0, below = 0
    for i in range(count):
        above += max(numbers[i], 0)
        below -= min(numbers[i], 0)
    return max(above, below)


@cython.final
cdef class Weights:
    """The weights. Raises ValueError for numbers that could overflow; the message begins with the expected value."""

    def __cinit__(self, data not None, str name not None, int width, int scale, tuple places not None,
                  int inputs=FEATURES):
        """places: offsets of the arrays in ``data``, in the order of the file."""
        cdef Py_ssize_t place, size, start
        if width % WIDTH_STEP or not WIDTH_STEP <= width <= MOST_WIDTH:
            raise ValueError(f"expected a width of {WIDTH_STEP} to {MOST_WIDTH}, found {width}")
        if not 1 <= inputs <= MOST_INPUTS:
            raise ValueError(f"expected 1 to {MOST_INPUTS} inputs, found {inputs}")
        sizes = (2 * inputs * width, 2 * width, 4 * BUCKETS * width, 4 * BUCKETS)
        PyObject_GetBuffer(data, &self.data, PyBUF_SIMPLE)
        self.held = True
        start = <Py_ssize_t> self.data.buf
        for place, size in zip(places, sizes, strict=True):
            if not 0 <= place <= self.data.len - size or (start + place) % ALIGNMENT:
                raise ValueError(f"expected {size} bytes at {place}, a multiple of {ALIGNMENT}, found {self.data.len}")
        self.name = name
        self.inputs = inputs
        self.by_king = inputs == KING_GROUPS * FEATURES
        self.width = width
        self.scale = scale
        self.features = <const int16_t*> (start + <Py_ssize_t> places[0])
        self.feature_biases = <const int16_t*> (start + <Py_ssize_t> places[1])
        self.outputs = <const int16_t*> (start + <Py_ssize_t> places[2])
        self.output_biases = <const int32_t*> (start + <Py_ssize_t> places[3])
        self.check_bounds()

    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(&self.data)

    cdef int check_bounds(self) except -1:
        cdef int bucket, row = 2 * self.width
        found = (
            ("feature weights", largest(self.features, self.inputs * self.width), MOST_FEATURE_WEIGHT),
            ("feature biases", largest(self.feature_biases, self.width), MOST_FEATURE_BIAS),
            ("output weights", largest(self.outputs, BUCKETS * row), MOST_OUTPUT_WEIGHT),
            ("weights of an output that add up",
             max([largest_sum(self.outputs + bucket * row, row) for bucket in range(BUCKETS)]), MOST_OUTPUT_SUM),
        )
        for what, size, bound in found:
            if size > bound:
                raise ValueError(f"expected {what} to at most {bound} in size, found {size}")
        return 0
