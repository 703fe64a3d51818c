"""Trains networks (docs/network-format.md): losses, gradients and steps of AdamW. Python bindings.

Everything is 32-bit floats. The parameters lie in one array, in the order of the file: a row of feature weights for
each input, feature biases, eight rows of output weights, output biases. A batch is summed in a fixed number of parts,
so the result does not depend on the number of threads.
"""

from libc.math cimport expf, pow, sqrt, sqrtf
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from ..base.bits cimport popcount
from ..base.types cimport *
from .sample cimport (BUCKETS, FEATURES, KING_GROUPS, MOST_INPUTS, FairySample, Sample, bucket_of, features_of)

cdef enum:
    LANES = 16                        # independent sums, which the compiler can keep in one register
    MOST_WIDTH = 1024
    MOST_PIECES = 32
    REGIONS = 64                      # largest number of groups of feature weights, FEATURES rows each
    REGION_PAIRS = REGIONS * REGIONS


cdef struct Scratch:                  # working memory for one position
    uint16_t[2][MOST_INPUTS] inputs
    int n                             # number of inputs of a perspective
    int bucket
    int cp
    int result
    int known_cp                      # score to which the network's output is added
    float[2 * MOST_WIDTH] hidden      # hidden layer, clamped to 0..1; the side to move comes first
    float[2 * MOST_WIDTH] slopes      # derivatives of the loss by the hidden sums


cdef struct Shape:
    int inputs
    int width
    size_t feature_biases             # offset of the feature biases; the feature weights begin at 0
    size_t output_weights
    size_t output_biases
    size_t size


ctypedef void (*Unpack)(const uint8_t* sample, Scratch* z) noexcept nogil


cdef void unpack_chess(const uint8_t* sample, Scratch* z) noexcept nogil:
    unpack_pieces(<const Sample*> sample, False, z)


cdef void unpack_by_king(const uint8_t* sample, Scratch* z) noexcept nogil:
    unpack_pieces(<const Sample*> sample, True, z)


cdef void unpack_record(const uint8_t* sample, Scratch* z) noexcept nogil:
    unpack_pieces(<const Sample*> sample, False, z)
    z.bucket = (<const Sample*> sample).ply


cdef inline void unpack_pieces(const Sample* s, bint by_king, Scratch* z) noexcept nogil:
    z.n = features_of(s, z.inputs[0], z.inputs[1], by_king)
    z.bucket = bucket_of(z.n)
    z.cp = s.cp
    z.result = s.result
    z.known_cp = 0


cdef void unpack_fairy(const uint8_t* sample, Scratch* z) noexcept nogil:
    cdef const FairySample* s = <const FairySample*> sample
    z.n = s.n
    z.bucket = s.bucket
    z.cp = s.cp
    z.result = s.result
    z.known_cp = s.static_cp
    memcpy(z.inputs[0], s.inputs[0], s.n * sizeof(uint16_t))
    memcpy(z.inputs[1], s.inputs[1], s.n * sizeof(uint16_t))


cdef inline int region_pair(const Scratch* z) noexcept nogil:
    """The regions in which the rows of both perspectives lie."""
    return z.inputs[0][0] // FEATURES % REGIONS * REGIONS + z.inputs[1][0] // FEATURES % REGIONS


def parameter_count(int width, int inputs=FEATURES) -> int:
    """Number of parameters of a network of this width."""
    return shape_of(inputs, width).size


cdef Shape shape_of(int inputs, int width) noexcept nogil:
    cdef Shape shape
    shape.inputs = inputs
    shape.width = width
    shape.feature_biases = <size_t> inputs * width
    shape.output_weights = shape.feature_biases + width
    shape.output_biases = shape.output_weights + BUCKETS * 2 * width
    shape.size = shape.output_biases + BUCKETS
    return shape


cdef inline float sigmoid(float x) noexcept nogil:
    return 1 / (1 + expf(-x))


cdef void accumulate(const float* weights, const float* biases, const uint16_t* inputs, int n, int width,
                     float* hidden) noexcept nogil:
    """The hidden layer of one perspective, clamped to 0..1."""
    cdef const float* row
    cdef int i, k
    memcpy(hidden, biases, width * sizeof(float))
    for k in range(n):
        row = weights + <size_t> inputs[k] * width
        for i in range(width):
            hidden[i] += row[i]
    for i in range(width):
        hidden[i] = 0 if hidden[i] < 0 else 1 if hidden[i] > 1 else hidden[i]


cdef float forward(const Shape* shape, const float* p, Scratch* z) noexcept nogil:
    """The output for an unpacked sample: the logit of the expected result."""
    cdef float[LANES] lanes
    cdef const float* weights
    cdef float total
    cdef int width = shape.width, i, k
    for k in range(2):
        accumulate(p, p + shape.feature_biases, z.inputs[k], z.n, width, z.hidden + k * width)
    weights = p + shape.output_weights + <size_t> z.bucket * 2 * width
    memset(lanes, 0, sizeof(lanes))
    for i in range(2 * width // LANES):
        for k in range(LANES):
            lanes[k] += z.hidden[i * LANES + k] * z.hidden[i * LANES + k] * weights[i * LANES + k]
    total = p[shape.output_biases + z.bucket]
    for k in range(LANES):
        total += lanes[k]
    return total


cdef void backward(const Shape* shape, const float* p, float slope, Scratch* z, float* gradient) noexcept nogil:
    """Add the gradient of one position. ``slope``: derivative of the loss by the output."""
    cdef int width = shape.width, i, k, side
    cdef size_t place = shape.output_weights + <size_t> z.bucket * 2 * width
    cdef const float* weights = p + place
    cdef float* out = gradient + place
    cdef float* row
    cdef const float* slopes
    gradient[shape.output_biases + z.bucket] += slope
    for i in range(2 * width):
        out[i] += slope * z.hidden[i] * z.hidden[i]
    for i in range(2 * width):
        # At the clamps 0 and 1 the slope is 0.
        z.slopes[i] = slope * weights[i] * 2 * z.hidden[i] if z.hidden[i] < 1 else 0
    for side in range(2):
        slopes = z.slopes + side * width
        row = gradient + shape.feature_biases
        for i in range(width):
            row[i] += slopes[i]
        for k in range(z.n):
            row = gradient + <size_t> z.inputs[side][k] * width
            for i in range(width):
                row[i] += slopes[i]


cdef bint is_sound(const uint8_t* sample) noexcept nogil:
    cdef const Sample* s = <const Sample*> sample
    cdef int n = popcount(s.occupied), k, piece
    if not 2 <= n <= MOST_PIECES or s.result > 2:
        return False
    for k in range(n):
        piece = s.pieces[k >> 1] >> 4 * (k & 1) & 7
        if piece == 0 or piece == 7:
            return False
    return True


cdef bint is_sound_fairy(const uint8_t* sample, int inputs) noexcept nogil:
    cdef const FairySample* s = <const FairySample*> sample
    cdef int k, side
    if s.n > MOST_INPUTS or s.bucket >= BUCKETS or s.result > 2:
        return False
    for side in range(2):
        for k in range(s.n):
            if s.inputs[side][k] >= inputs:
                return False
    return True


cdef class Trainer:
    """A network in training on samples.

    width: size of the hidden layer, a multiple of 16. samples: the bytes from SampleReader, which are kept and not
    changed. parts: number of parts of a batch. inputs: number of inputs of a game by definition, with samples of
    FairySampleReader; 0 for chess. by_king: chess has separate inputs for each group of king squares. records: the
    samples come from RecordReader. scale: centipawns that an output of 1 stands for. result_share: share of the result
    in the target, 0 to 1; the rest is the expected result that the score stands for. Raises ValueError for other
    numbers and for damaged samples.
    """

    cdef Shape shape
    cdef const uint8_t[::1] samples
    cdef readonly Py_ssize_t count    # number of samples
    cdef readonly int parts
    cdef size_t sample_bytes
    cdef Unpack unpack
    cdef float scale, result_share
    cdef float** gradients            # gradient of each part
    cdef double* losses

    def __cinit__(self, int width, const uint8_t[::1] samples not None, int parts, float scale, float result_share,
                  int inputs=0, bint by_king=False, bint records=False):
        cdef int i
        if width % LANES or not LANES <= width <= MOST_WIDTH or not 1 <= parts <= 64:
            raise ValueError(f"expected a width of {LANES} to {MOST_WIDTH} that {LANES} divides, found {width}")
        if scale <= 0 or not 0 <= result_share <= 1:
            raise ValueError("expected a positive scale and a share of 0 to 1")
        self.shape = shape_of(inputs or FEATURES * (KING_GROUPS if by_king else 1), width)
        self.samples = samples
        self.sample_bytes = sizeof(FairySample) if inputs else sizeof(Sample)
        if records:
            self.unpack = unpack_record
        else:
            self.unpack = unpack_fairy if inputs else unpack_by_king if by_king else unpack_chess
        self.count = samples.shape[0] // <Py_ssize_t> self.sample_bytes
        self.scale = scale
        self.result_share = result_share
        self.parts = parts
        self.gradients = <float**> calloc(parts, sizeof(float*))
        self.losses = <double*> calloc(parts, sizeof(double))
        if self.gradients == NULL or self.losses == NULL:
            raise MemoryError
        for i in range(parts):
            self.gradients[i] = <float*> calloc(self.shape.size, sizeof(float))
            if self.gradients[i] == NULL:
                raise MemoryError
        self.check_samples()

    def __dealloc__(self):
        cdef int i
        if self.gradients != NULL:
            for i in range(self.parts):
                free(self.gradients[i])
        free(self.gradients)
        free(self.losses)

    cdef int check_samples(self) except -1:
        """Check that every input exists; otherwise it would index outside the weights."""
        cdef Py_ssize_t i
        cdef bint sound
        for i in range(self.count):
            if self.sample_bytes == sizeof(FairySample):
                sound = is_sound_fairy(self.sample(i), self.shape.inputs)
            else:
                sound = is_sound(self.sample(i))
                if self.unpack == unpack_record:
                    sound &= (<const Sample*> self.sample(i)).ply < BUCKETS
            if not sound:
                raise ValueError(f"sample {i} is damaged")
        return 0

    cdef inline const uint8_t* sample(self, size_t i) noexcept nogil:
        return &self.samples[0] + i * self.sample_bytes

    cdef int check_arguments(self, const float[::1] parameters, const uint32_t[::1] order) except -1:
        cdef Py_ssize_t i
        if <size_t> parameters.shape[0] != self.shape.size:
            raise ValueError(f"expected {self.shape.size} parameters, found {parameters.shape[0]}")
        for i in range(order.shape[0]):
            if order[i] >= self.count:
                raise ValueError(f"expected samples 0 to {self.count - 1}, found {order[i]}")
        return 0

    cdef inline float target(self, const Scratch* z) noexcept nogil:
        return ((1 - self.result_share) * sigmoid(z.cp / self.scale)
                + self.result_share * <float> 0.5 * z.result)

    def outputs(self, const float[::1] parameters not None, const uint32_t[::1] order not None,
                float[::1] out not None) -> float:
        """Write the outputs of the samples that ``order`` lists, and return the sum of their losses.

        In games by definition the expected result follows from the output and the hand-crafted evaluation together.
        """
        cdef Scratch z
        cdef Py_ssize_t i
        cdef double loss = 0
        cdef float error
        self.check_arguments(parameters, order)
        if out.shape[0] < order.shape[0]:
            raise ValueError(f"expected {order.shape[0]} places, found {out.shape[0]}")
        with nogil:
            for i in range(order.shape[0]):
                self.unpack(self.sample(order[i]), &z)
                out[i] = forward(&self.shape, &parameters[0], &z)
                error = sigmoid(out[i] + z.known_cp / self.scale) - self.target(&z)
                loss += error * error
        return loss

    def descend(self, const float[::1] parameters not None, const uint32_t[::1] order not None, int part):
        """Compute a part of the gradient of a batch, whose samples ``order`` lists; parts may run at the same time."""
        cdef Py_ssize_t begin, end
        cdef uint32_t* sorted_order
        if not 0 <= part < self.parts:
            raise ValueError(f"expected a part 0 to {self.parts - 1}, found {part}")
        self.check_arguments(parameters, order)
        begin = order.shape[0] * part // self.parts
        end = order.shape[0] * (part + 1) // self.parts
        sorted_order = <uint32_t*> malloc(max(1, end - begin) * sizeof(uint32_t))
        if sorted_order == NULL:
            raise MemoryError
        with nogil:
            memset(self.gradients[part], 0, self.shape.size * sizeof(float))
            self.sort_by_region(&order[0] + begin, end - begin, sorted_order)
            self.losses[part] = self.add_gradients(&parameters[0], sorted_order, end - begin, self.gradients[part])
        free(sorted_order)

    cdef void sort_by_region(self, const uint32_t* order, Py_ssize_t count, uint32_t* out) noexcept nogil:
        """Order samples by region, so that caches hold their rows."""
        cdef Scratch z
        cdef Py_ssize_t[REGION_PAIRS] begins
        cdef Py_ssize_t i, pair, size, first = 0
        memset(begins, 0, sizeof(begins))
        for i in range(count):
            self.unpack(self.sample(order[i]), &z)
            begins[region_pair(&z)] += 1
        for pair in range(REGION_PAIRS):
            size = begins[pair]
            begins[pair] = first
            first += size
        for i in range(count):
            self.unpack(self.sample(order[i]), &z)
            pair = region_pair(&z)
            out[begins[pair]] = order[i]
            begins[pair] += 1

    cdef double add_gradients(self, const float* p, const uint32_t* order, Py_ssize_t count,
                              float* gradient) noexcept nogil:
        """Add the gradients of some samples of a batch; returns the sum of their losses."""
        cdef Scratch z
        cdef double loss = 0
        cdef float expected, error
        cdef Py_ssize_t i
        for i in range(count):
            self.unpack(self.sample(order[i]), &z)
            expected = sigmoid(forward(&self.shape, p, &z) + z.known_cp / self.scale)
            error = expected - self.target(&z)
            loss += error * error
            backward(&self.shape, p, 2 * error * expected * (1 - expected), &z, gradient)
        return loss

    def gradient(self, float[::1] out not None) -> float:
        """Write the sum of the parts' gradients, before a step; returns the sum of the losses."""
        cdef size_t i
        cdef int part
        if <size_t> out.shape[0] != self.shape.size:
            raise ValueError(f"expected {self.shape.size} places, found {out.shape[0]}")
        for i in range(self.shape.size):
            out[i] = 0
            for part in range(self.parts):
                out[i] += self.gradients[part][i]
        return self.loss()

    def step(self, float[::1] parameters not None, float[::1] means not None, float[::1] squares not None,
             Py_ssize_t batch, int number, float rate, float decay, float most, int part):
        """Update one part of the parameters by AdamW (Loshchilov and Hutter 2019), with the gradients of all threads.

        Several parts may be updated at the same time.

        means, squares: the optimiser's state, initially zero. batch: number of samples in the batch. number: number of
        the step, from 1. rate, decay: as in the paper. most: weights are clipped to this size afterwards.
        """
        cdef size_t size = self.shape.size
        if <size_t> parameters.shape[0] != size or <size_t> means.shape[0] != size or <size_t> squares.shape[0] != size:
            raise ValueError(f"expected {size} parameters, means and squares")
        if not 0 <= part < self.parts:
            raise ValueError(f"expected a part 0 to {self.parts - 1}, found {part}")
        with nogil:
            self.adam(&parameters[0], &means[0], &squares[0], <float> 1 / batch, number, rate, decay, most,
                      size * part // self.parts, size * (part + 1) // self.parts)

    def loss(self) -> float:
        """The sum of the losses of the last batch."""
        return sum([self.losses[part] for part in range(self.parts)])

    cdef void adam(self, float* p, float* m, float* v, float share, int number, float rate, float decay,
                   float most, size_t begin, size_t end) noexcept nogil:
        cdef float first = <float> 0.9, second = <float> 0.999, g
        cdef float m_scale = <float> (rate / (1 - pow(0.9, number)))
        cdef float v_scale = <float> (1 / sqrt(1 - pow(0.999, number)))
        cdef float shrink = 1 - rate * decay
        cdef float* gradient = self.gradients[0]
        cdef const float* more
        cdef size_t i
        cdef int part
        for part in range(1, self.parts):
            more = self.gradients[part]
            for i in range(begin, end):
                gradient[i] += more[i]
        for i in range(begin, end):
            g = gradient[i] * share
            m[i] = first * m[i] + (1 - first) * g
            v[i] = second * v[i] + (1 - second) * g * g
            p[i] = shrink * p[i] - m_scale * m[i] / (sqrtf(v[i]) * v_scale + <float> 1e-8)
            p[i] = -most if p[i] < -most else most if p[i] > most else p[i]
