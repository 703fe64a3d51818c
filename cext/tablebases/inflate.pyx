"""Unpacks deflate streams (RFC 1951) without a library, because the search unpacks blocks without the GIL."""

from ..base.types cimport uint16_t, uint64_t

cdef enum:
    FAST_BITS = 10                    # codes up to this length are read with one look-up
    MOST_BITS = 15
    LITERALS = 288
    DISTANCES = 30
    END_OF_BLOCK = 256

cdef struct Bits:
    const uint8_t* next
    const uint8_t* end
    uint64_t held                     # unused bits; the next one is the lowest
    int n
    int missing                       # bytes requested beyond the end

cdef struct Code:                     # a canonical prefix code
    uint16_t[MOST_BITS + 1] count     # codes of each length
    uint16_t[LITERALS] symbol         # in order of their codes
    uint16_t[1 << FAST_BITS] fast     # symbol << 4 | length; 0 for longer codes

cdef uint16_t[29] LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99,
                                 115, 131, 163, 195, 227, 258]
cdef uint8_t[29] LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
cdef uint16_t[30] DISTANCE_BASE = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769,
                                   1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577]
cdef uint8_t[30] DISTANCE_EXTRA = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11,
                                   12, 12, 13, 13]
cdef uint8_t[19] ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
cdef uint32_t CRC_TABLE[256]


cdef void fill_crc() noexcept nogil:
    cdef uint32_t value, i
    cdef int _
    for i in range(256):
        value = i
        for _ in range(8):
            value = value >> 1 ^ (0xEDB88320U if value & 1 else 0)
        CRC_TABLE[i] = value


fill_crc()


cdef uint32_t crc32(const uint8_t* data, size_t length) noexcept nogil:
    cdef uint32_t value = 0xFFFFFFFFU
    cdef size_t i
    for i in range(length):
        value = value >> 8 ^ CRC_TABLE[(value ^ data[i]) & 255]
    return ~value


cdef inline void refill(Bits* b) noexcept nogil:
    while b.n <= 48:
        if b.next < b.end:
            b.held |= <uint64_t> b.next[0] << b.n
            b.next += 1
        else:
            b.missing += 1
        b.n += 8


cdef inline int take(Bits* b, int n) noexcept nogil:
    cdef int value = <int> (b.held & ((<uint64_t> 1 << n) - 1))
    b.held >>= n
    b.n -= n
    return value


cdef inline int reversed_bits(int value, int n) noexcept nogil:
    cdef int result = 0, i
    for i in range(n):
        result = result << 1 | (value >> i & 1)
    return result


cdef bint make_code(Code* c, const uint8_t* lengths, int n) noexcept nogil:
    """Make the code from its lengths; false if they need more codes than exist."""
    cdef uint16_t[MOST_BITS + 2] place
    cdef int[MOST_BITS + 2] first
    cdef int i, size, left = 1, code
    for i in range(MOST_BITS + 1):
        c.count[i] = 0
    for i in range(1 << FAST_BITS):
        c.fast[i] = 0
    for i in range(n):
        c.count[lengths[i]] += 1
    c.count[0] = 0
    place[1] = 0
    first[1] = 0
    for size in range(1, MOST_BITS + 1):
        left = 2 * left - c.count[size]
        if left < 0:
            return False
        place[size + 1] = place[size] + c.count[size]
        first[size + 1] = 2 * (first[size] + c.count[size])
    for i in range(n):
        size = lengths[i]
        if size == 0:
            continue
        c.symbol[place[size]] = <uint16_t> i
        place[size] += 1
        if size <= FAST_BITS:
            code = reversed_bits(first[size], size)
            while code < 1 << FAST_BITS:
                c.fast[code] = <uint16_t> (i << 4 | size)
                code += 1 << size
        first[size] += 1
    return True


cdef inline int decode(Bits* b, const Code* c) noexcept nogil:
    """The next symbol, or -1. At least fifteen bits must be buffered."""
    cdef int entry = c.fast[b.held & ((1 << FAST_BITS) - 1)]
    cdef int size, code = 0, first = 0, before = 0
    if entry:
        b.held >>= entry & 15
        b.n -= entry & 15
        return entry >> 4
    for size in range(1, MOST_BITS + 1):
        code |= take(b, 1)
        if code - c.count[size] < first:
            return c.symbol[before + code - first]
        before += c.count[size]
        first = (first + c.count[size]) << 1
        code <<= 1
    return -1


cdef bint read_codes(Bits* b, Code* literals, Code* distances) noexcept nogil:
    cdef uint8_t[LITERALS + 32 + 138] lengths
    cdef int n_literals, n_distances, n_order, i, symbol, again
    cdef uint8_t last
    refill(b)
    n_literals = take(b, 5) + 257
    n_distances = take(b, 5) + 1
    n_order = take(b, 4) + 4
    for i in range(19):
        lengths[i] = 0
    for i in range(n_order):
        refill(b)
        lengths[ORDER[i]] = <uint8_t> take(b, 3)
    if n_literals > 286 or n_distances > DISTANCES or not make_code(literals, lengths, 19):
        return False
    i = 0
    while i < n_literals + n_distances:
        refill(b)
        symbol = decode(b, literals)
        if symbol < 0 or (symbol == 16 and i == 0) or b.missing > 8:
            return False
        if symbol < 16:
            lengths[i] = <uint8_t> symbol
            i += 1
            continue
        last = lengths[i - 1] if symbol == 16 else 0
        again = 3 + take(b, 2) if symbol == 16 else 3 + take(b, 3) if symbol == 17 else 11 + take(b, 7)
        while again:
            lengths[i] = last
            i += 1
            again -= 1
    return (i == n_literals + n_distances and make_code(literals, lengths, n_literals)
            and make_code(distances, lengths + n_literals, n_distances))


cdef void fixed_codes(Code* literals, Code* distances) noexcept nogil:
    cdef uint8_t[LITERALS] lengths
    cdef int i
    for i in range(LITERALS):
        lengths[i] = 8 if i < 144 else 9 if i < 256 else 7 if i < 280 else 8
    make_code(literals, lengths, LITERALS)
    for i in range(DISTANCES):
        lengths[i] = 5
    make_code(distances, lengths, DISTANCES)


cdef bint unpack_codes(Bits* b, const Code* literals, const Code* distances, uint8_t* out, size_t* place,
                       size_t size) noexcept nogil:
    cdef int symbol, length
    cdef size_t distance, at = place[0]
    while True:
        refill(b)
        symbol = decode(b, literals)
        if symbol < 0 or b.missing > 8:
            return False
        if symbol < END_OF_BLOCK:
            if at == size:
                return False
            out[at] = <uint8_t> symbol
            at += 1
            continue
        if symbol == END_OF_BLOCK:
            place[0] = at
            return True
        if symbol > 285:
            return False
        length = LENGTH_BASE[symbol - 257] + take(b, LENGTH_EXTRA[symbol - 257])
        refill(b)
        symbol = decode(b, distances)
        if symbol < 0 or symbol >= DISTANCES:
            return False
        distance = DISTANCE_BASE[symbol] + take(b, DISTANCE_EXTRA[symbol])
        if distance > at or size - at < <size_t> length:
            return False
        while length:
            out[at] = out[at - distance]
            at += 1
            length -= 1


cdef bint unpack_stored(Bits* b, uint8_t* out, size_t* place, size_t size) noexcept nogil:
    cdef size_t length
    take(b, b.n & 7)
    refill(b)
    length = take(b, 16)
    if length ^ 0xFFFF != <size_t> take(b, 16) or length > size - place[0]:
        return False
    while length:
        refill(b)
        out[place[0]] = <uint8_t> take(b, 8)
        place[0] += 1
        length -= 1
    return b.missing <= 8


cdef bint inflate(const uint8_t* packed, size_t length, uint8_t* out, size_t size) noexcept nogil:
    cdef Bits b
    cdef Code literals, distances
    cdef size_t place = 0
    cdef int last = 0, kind
    b.next = packed
    b.end = packed + length
    b.held = 0
    b.n = b.missing = 0
    while not last:
        refill(&b)
        last = take(&b, 1)
        kind = take(&b, 2)
        if kind == 0:
            if not unpack_stored(&b, out, &place, size):
                return False
            continue
        if kind == 3:
            return False
        if kind == 1:
            fixed_codes(&literals, &distances)
        elif not read_codes(&b, &literals, &distances):
            return False
        if not unpack_codes(&b, &literals, &distances, out, &place, size):
            return False
    return place == size
