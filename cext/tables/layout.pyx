"""Numbering the positions of a class: king pairs, pawn placements, equal men without order."""

from libc.stdint cimport int64_t
from ..base.attacks cimport DISTANCE
from ..base.bits cimport byteswap, pop_lsb
from ..base.types cimport *

cdef int16_t PAIR_NUMBER[64][64]      # of two kings without pawns; -1 where White's king is not on a1-d1-d4
cdef uint8_t PAIRS[KING_PAIRS][2]
cdef enum:
    COUPLES = 2016                    # placements of two equal men


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


fill_pairs()


cdef inline bint is_pawn_square(int sq) noexcept nogil:
    return 8 <= sq < 56


cdef void add_slice(Layout* l, int first, int second, int mirror_first, int mirror_second) noexcept nogil:
    """Give a placement and its mirror image the next number."""
    l.pawns[l.n_slices][0] = <uint8_t> first
    l.pawns[l.n_slices][1] = <uint8_t> second
    l.slice_of[mirror_first + 64 * mirror_second] = <uint16_t> (l.n_slices | TURNED)
    l.slice_of[first + 64 * second] = <uint16_t> l.n_slices
    l.n_slices += 1


cdef void number_slices(Layout* l) noexcept nogil:
    cdef int n_pawns = l.n_men - l.n_free, first, second, i
    cdef bint like = n_pawns == 2 and l.like[l.n_free + 1]
    l.n_slices = 0
    for i in range(4096):
        l.slice_of[i] = NO_SLICE
    if n_pawns == 0:
        l.n_slices = 1
        return
    for first in range(8, 56):
        if n_pawns == 1:
            if first & 7 < 4:
                add_slice(l, first, 0, first ^ 7, 0)
            continue
        for second in range(8, 56):
            if like and first < second and l.slice_of[first + 64 * second] == NO_SLICE:
                add_slice(l, first, second, min(first ^ 7, second ^ 7), max(first ^ 7, second ^ 7))
            elif not like and first & 7 < 4 and first != second:
                add_slice(l, first, second, first ^ 7, second ^ 7)


cdef bint prepare_layout(Layout* l) noexcept nogil:
    cdef int i
    if not 2 <= l.n_men <= MOST_MEN:
        return False
    l.n_free = 0
    l.material_key = 0
    for i in range(l.n_men):
        l.n_free += l.man[i] != PAWN
        l.material_key += <uint64_t> 1 << 4 * piece_of(l.colour[i], l.man[i])
        l.like[i] = i > 2 and l.man[i] == l.man[i - 1] and l.colour[i] == l.colour[i - 1]
    if l.n_men - l.n_free > 2:
        return False
    number_slices(l)
    l.slice_size = KING_PAIRS if l.n_men == l.n_free else 4096
    for i in range(2, l.n_free):
        # A pair of equal men counts once, in place of the first of them.
        if not l.like[i]:
            l.slice_size *= COUPLES if i + 1 < l.n_free and l.like[i + 1] else 64
    l.size = 2 * l.n_slices * l.slice_size
    return True


cdef inline void mirror(uint8_t* squares, int n, int mask) noexcept nogil:
    cdef int i
    for i in range(n):
        squares[i] ^= mask


cdef inline int64_t number_of_kings(const Layout* l, uint8_t* squares) noexcept nogil:
    """Brings White's king to a1-d1-d4; there are no pawns."""
    cdef int i, king = squares[0]
    mirror(squares, l.n_men, (7 if king & 7 > 3 else 0) ^ (56 if king >> 3 > 3 else 0))
    king = squares[0]
    if above_diagonal(king) or (king >> 3 == king & 7 and above_diagonal(squares[1])):
        for i in range(l.n_men):
            squares[i] = <uint8_t> transposed(squares[i])
    return PAIR_NUMBER[squares[0]][squares[1]]


cdef inline int couple_number(int a, int b) noexcept nogil:
    return b * (b - 1) // 2 + a if a < b else a * (a - 1) // 2 + b


cdef int64_t number_of(const Layout* l, int stm, uint8_t* squares) noexcept nogil:
    cdef int64_t number
    cdef int slice = 0, i
    cdef bint mirrored
    if l.n_men == l.n_free:
        number = number_of_kings(l, squares)
    else:
        slice = slice_number(l, squares, &mirrored)
        if mirrored:
            mirror(squares, l.n_free, 7)
        number = 64 * squares[0] + squares[1]
    i = 2
    while i < l.n_free:
        if i + 1 < l.n_free and l.like[i + 1]:
            number = COUPLES * number + couple_number(squares[i], squares[i + 1])
            i += 2
        else:
            number = 64 * number + squares[i]
            i += 1
    return (<int64_t> stm * l.n_slices + slice) * l.slice_size + number


cdef void squares_of(const Layout* l, int64_t number, uint8_t* squares) noexcept nogil:
    cdef int slice = <int> (number // l.slice_size), i = l.n_free - 1, couple, high
    number = number % l.slice_size
    while i >= 2:
        if l.like[i]:
            couple = <int> (number % COUPLES)
            number = number // COUPLES
            high = 1
            while high * (high + 1) // 2 <= couple:
                high += 1
            squares[i] = <uint8_t> high
            squares[i - 1] = <uint8_t> (couple - high * (high - 1) // 2)
            i -= 2
        else:
            squares[i] = <uint8_t> (number % 64)
            number = number // 64
            i -= 1
    if l.n_men == l.n_free:
        squares[0] = PAIRS[number][0]
        squares[1] = PAIRS[number][1]
    else:
        squares[0] = <uint8_t> (number // 64)
        squares[1] = <uint8_t> (number % 64)
        for i in range(l.n_free, l.n_men):
            squares[i] = l.pawns[slice][i - l.n_free]


cdef void squares_in(const Layout* l, const Position* p, bint turned, uint8_t* squares) noexcept nogil:
    cdef uint64_t men = 0
    cdef int i
    for i in range(l.n_men):
        if not l.like[i]:
            men = p.by_colour[l.colour[i] ^ turned] & p.by_man[l.man[i]]
            if turned:
                men = byteswap(men)
        squares[i] = <uint8_t> pop_lsb(&men)
