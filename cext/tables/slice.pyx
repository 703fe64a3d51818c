"""Numbers, memory and settled successors of a slice."""

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from ..base.types cimport *
from .stairs cimport PLIES, close_stairs, open_stairs


cdef uint32_t nodes_of(const Layout* l) noexcept nogil:
    return <uint32_t> 1 << (6 * l.n_free - (2 if l.n_men == l.n_free else 0))


cdef uint32_t node_number(const Layout* l, int stm, uint8_t* squares) noexcept nogil:
    cdef int i, king = squares[0], mask = 0
    cdef uint32_t number = king
    if l.n_men == l.n_free:
        mask = (7 if king & 7 > 3 else 0) ^ (56 if king >> 3 > 3 else 0)
        king ^= mask
        number = (king >> 3) * 4 + (king & 7)
    for i in range(1, l.n_free):
        squares[i] ^= mask
        number = number << 6 | squares[i]
    return number + (nodes_of(l) if stm else 0)


cdef int node_squares(const Layout* l, uint32_t node, uint8_t* squares) noexcept nogil:
    cdef int i, stm = node >= nodes_of(l)
    node &= nodes_of(l) - 1
    for i in range(l.n_free - 1, 0, -1):
        squares[i] = node & 63
        node >>= 6
    squares[0] = <uint8_t> ((node >> 2) * 8 + (node & 3) if l.n_men == l.n_free else node)
    return stm


cdef bint open_slice(Slice* s, const Layout* layout, const Library* library, const PawnLinks* links, int index,
                     bint whole_game) noexcept nogil:
    cdef int i
    memset(s, 0, sizeof(Slice))
    s.layout = layout
    s.library = library
    s.links = links
    s.index = index
    s.whole_game = whole_game
    s.half = nodes_of(layout)
    for i in range(2):
        s.pawns[i] = layout.pawns[index][i]
    s.nodes = <Node*> calloc(2 * <size_t> s.half, sizeof(Node))
    s.heads = <int32_t*> malloc(256 * (PLIES + 1) * sizeof(int32_t))
    if s.nodes == NULL or s.heads == NULL or not open_stairs(&s.stairs):
        close_slice(s)
        return False
    memset(s.heads, 255, 256 * (PLIES + 1) * sizeof(int32_t))
    memset(s.deepest, 255, sizeof(s.deepest))
    return True


cdef void close_slice(Slice* s) noexcept nogil:
    free(s.nodes)
    free(s.heads)
    free(s.entries)
    free(s.exits)
    free(s.active.items)
    free(s.touched.items)
    free(s.done.items)
    free(s.fresh.items)
    close_stairs(&s.stairs)
    s.nodes = NULL
    s.heads = NULL
    s.entries = NULL
    s.exits = NULL
    s.active.items = s.touched.items = s.done.items = s.fresh.items = NULL


cdef void offer(Node* node, int stm, int value, int plies) noexcept nogil:
    """`best` holds the value, + 128, in its upper eight bits, then the fewest and the most plies to it."""
    cdef uint32_t best = node.best
    cdef int held = <int> (best >> 24) - 128
    if best == 0 or (value > held if stm == WHITE else value < held):
        node.best = <uint32_t> (value + 128) << 24 | <uint32_t> plies << PLY_BITS | <uint32_t> plies
    elif value == held:
        if plies < <int> (best >> PLY_BITS & PLIES):
            best = (best & ~(<uint32_t> PLIES << PLY_BITS)) | <uint32_t> plies << PLY_BITS
        if plies > <int> (best & PLIES):
            best = (best & ~<uint32_t> PLIES) | <uint32_t> plies
        node.best = best
