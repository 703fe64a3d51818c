"""Numbers the positions of a class: king pairs, pawn placements, and groups of equal men."""

from libc.stdint cimport int64_t
from ..base.attacks cimport DISTANCE
from ..base.bits cimport byteswap, pop_lsb
from ..base.types cimport *

cdef int16_t PAIR_NUMBER[64][64]      # number of two kings without pawns; -1 if White's king is not on a1-d1-d4
cdef uint8_t PAIRS[KING_PAIRS][2]
cdef uint8_t COUPLE[COUPLES][2]       # squares of groups, ascending
cdef uint8_t TRIPLE[TRIPLES][3]
cdef Placements[5] PLACEMENTS         # one pawn, two pawns, two equal ones, three equal ones, two equal and another


cdef inline int transposed(int sq) noexcept nogil:
    """The square mirrored in the diagonal a1-h8."""
    return sq >> 3 | (sq & 7) << 3


cdef inline bint above_diagonal(int sq) noexcept nogil:
    return sq >> 3 > sq & 7


cdef void fill_pairs() noexcept nogil:
    cdef int white, black, n = 0
    for white in range(64):
        for black in range(64):
            PAIR_NUMBER[white][black] = -1
            if white & 7 > 3 or white >> 3 > 3 or above_diagonal(white) or DISTANCE[white][black] < 2:
                continue
            if white >> 3 == white & 7 and above_diagonal(black):
                continue
            PAIR_NUMBER[white][black] = <int16_t> n
            PAIRS[n][0] = <uint8_t> white
            PAIRS[n][1] = <uint8_t> black
            n += 1


cdef void fill_groups() noexcept nogil:
    """Number the placements: a number is the count of smaller placements, compared by the highest square first."""
    cdef int low, middle, high, n = 0, m = 0
    for high in range(64):
        for middle in range(high):
            COUPLE[n][0] = <uint8_t> middle
            COUPLE[n][1] = <uint8_t> high
            n += 1
            for low in range(middle):
                TRIPLE[m][0] = <uint8_t> low
                TRIPLE[m][1] = <uint8_t> middle
                TRIPLE[m][2] = <uint8_t> high
                m += 1


fill_pairs()
fill_groups()


cdef inline int couple_number(int a, int b) noexcept nogil:
    return b * (b - 1) // 2 + a if a < b else a * (a - 1) // 2 + b


cdef int group_number(const uint8_t* squares, int n) noexcept nogil:
    cdef int high = squares[0], a, b
    if n == 1:
        return high
    if n == 2:
        return couple_number(high, squares[1])
    a = squares[1]
    b = squares[2]
    if a > high:
        high = squares[1]
        a = squares[0]
    if b > high:
        b = high
        high = squares[2]
    return high * (high - 1) * (high - 2) // 6 + couple_number(a, b)


cdef void place_group(int number, int n, uint8_t* squares) noexcept nogil:
    cdef int i
    for i in range(n):
        squares[i] = <uint8_t> number if n == 1 else COUPLE[number][i] if n == 2 else TRIPLE[number][i]


cdef int image_of(const int* squares, int n_like, int n) noexcept nogil:
    """Index in slice_of of the mirror image of these pawns, the first ``n_like`` of which are equal."""
    cdef int[MOST_PAWNS] image
    cdef int i, j, held, entry = 0
    for i in range(n):
        image[i] = squares[i] ^ 7
    for i in range(1, n_like):
        for j in range(i, 0, -1):
            if image[j] < image[j - 1]:
                held = image[j]
                image[j] = image[j - 1]
                image[j - 1] = held
    for i in range(n - 1, -1, -1):
        entry = entry << 6 | image[i]
    return entry


cdef void fill_placements(Placements* p, int n, int n_like) noexcept nogil:
    """Number placements in the order of their squares. A placement and its mirror image share the lower number."""
    cdef int[MOST_PAWNS] squares
    cdef int entry, i
    cdef bint usable
    for i in range(1 << 6 * MOST_PAWNS):
        p.slice_of[i] = NO_SLICE
    for i in range(MOST_PAWNS):
        squares[i] = 8
    while squares[0] < 56:
        usable = True
        for i in range(1, n):
            usable = usable and squares[i] != squares[i - 1] and squares[i] != squares[0]
            usable = usable and (i >= n_like or squares[i] > squares[i - 1])
        entry = squares[0] | squares[1] << 6 & -(n > 1) | squares[2] << 12 & -(n > 2)
        if usable and p.slice_of[entry] == NO_SLICE:
            for i in range(n):
                p.pawns[p.n][i] = <uint8_t> squares[i]
            p.slice_of[image_of(squares, n_like, n)] = <uint16_t> (p.n | TURNED)
            p.slice_of[entry] = <uint16_t> p.n
            p.n += 1
        i = n - 1
        squares[i] += 1
        while i and squares[i] == 56:
            squares[i] = 8
            i -= 1
            squares[i] += 1


cdef bint number_slices(Layout* l) noexcept nogil:
    cdef int n = l.n_pieces - l.n_free, i, n_like = 1
    l.n_slices = 1
    l.placements = NULL
    if n == 0:
        return True
    if n > MOST_PAWNS:
        return False
    while n_like < n and l.like[l.n_free + n_like]:
        n_like += 1
    if n == 3 and n_like == 1:
        return False                  # one pawn against two: the side with more men, and so more pawns, comes first
    i = 0 if n == 1 else n_like if n == 2 else 6 - n_like
    if PLACEMENTS[i].n == 0:
        fill_placements(&PLACEMENTS[i], n, n_like)
    l.placements = &PLACEMENTS[i]
    l.n_slices = l.placements.n
    return True


cdef void number_groups(Layout* l) noexcept nogil:
    """Set the sizes of the groups of equal men, and the sizes of a slice in the numbers of tables and of the solver."""
    cdef int i, j
    cdef uint64_t nodes = 16 if l.n_pieces == l.n_free else 64
    l.slice_size = KING_PAIRS if l.n_pieces == l.n_free else 4096
    for i in range(l.n_free):
        l.group[i] = 0
        if l.like[i]:
            continue
        l.group[i] = 1
        while i + l.group[i] < l.n_free and l.like[i + l.group[i]]:
            l.group[i] += 1
        if i:
            nodes *= places_of(l.group[i])
        if i > 1:
            l.slice_size *= places_of(l.group[i])
    l.nodes = <uint32_t> nodes        # at most 1 << 28, for five different men without pawns
    for i in range(l.n_free):
        if not l.like[i]:
            nodes = nodes // (places_of(l.group[i]) if i else 16 if l.n_pieces == l.n_free else 64)
            for j in range(l.group[i]):
                l.stride[i + j] = <uint32_t> nodes


cdef bint prepare_layout(Layout* l) noexcept nogil:
    cdef int i
    if not 2 <= l.n_pieces <= MOST_MEN:
        return False
    l.n_free = 0
    l.material_key = 0
    for i in range(l.n_pieces):
        l.n_free += l.type[i] != PAWN
        l.material_key += <uint64_t> 1 << 4 * piece_of(l.colour[i], l.type[i])
        l.like[i] = i > 2 and l.type[i] == l.type[i - 1] and l.colour[i] == l.colour[i - 1]
    if not number_slices(l):
        return False
    number_groups(l)
    l.size = 2 * l.n_slices * l.slice_size
    return True


cdef inline void mirror(uint8_t* squares, int n, int mask) noexcept nogil:
    cdef int i
    for i in range(n):
        squares[i] ^= mask


cdef inline int64_t number_of_kings(const Layout* l, uint8_t* squares) noexcept nogil:
    """Number of a position without pawns, after mirroring White's king to a1-d1-d4."""
    cdef int i, king = squares[0]
    mirror(squares, l.n_pieces, (7 if king & 7 > 3 else 0) ^ (56 if king >> 3 > 3 else 0))
    king = squares[0]
    if above_diagonal(king) or (king >> 3 == king & 7 and above_diagonal(squares[1])):
        for i in range(l.n_pieces):
            squares[i] = <uint8_t> transposed(squares[i])
    return PAIR_NUMBER[squares[0]][squares[1]]


cdef int64_t number_of(const Layout* l, int stm, uint8_t* squares) noexcept nogil:
    cdef int64_t number
    cdef int slice = 0, i
    cdef bint mirrored
    if l.n_pieces == l.n_free:
        number = number_of_kings(l, squares)
    else:
        slice = slice_number(l, squares, &mirrored)
        if mirrored:
            mirror(squares, l.n_free, 7)
        number = 64 * squares[0] + squares[1]
    for i in range(2, l.n_free):
        if l.group[i]:
            number = places_of(l.group[i]) * number + group_number(&squares[i], l.group[i])
    return (<int64_t> stm * l.n_slices + slice) * l.slice_size + number


cdef void squares_of(const Layout* l, int64_t number, uint8_t* squares) noexcept nogil:
    cdef int slice = <int> (number // l.slice_size), i
    number = number % l.slice_size
    for i in range(l.n_free - 1, 1, -1):
        if l.group[i]:
            place_group(<int> (number % places_of(l.group[i])), l.group[i], &squares[i])
            number = number // places_of(l.group[i])
    if l.n_pieces == l.n_free:
        squares[0] = PAIRS[number][0]
        squares[1] = PAIRS[number][1]
    else:
        squares[0] = <uint8_t> (number // 64)
        squares[1] = <uint8_t> (number % 64)
        for i in range(l.n_free, l.n_pieces):
            squares[i] = l.placements.pawns[slice][i - l.n_free]


cdef void squares_in(const Layout* l, const Position* p, bint turned, uint8_t* squares) noexcept nogil:
    cdef uint64_t pieces = 0
    cdef int i
    for i in range(l.n_pieces):
        if not l.like[i]:
            pieces = p.by_colour[l.colour[i] ^ turned] & p.by_type[l.type[i]]
            if turned:
                pieces = byteswap(pieces)
        squares[i] = <uint8_t> pop_lsb(&pieces)
