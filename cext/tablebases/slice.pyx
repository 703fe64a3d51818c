"""Numbering, memory and settled successors of a slice."""

from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from ..base.system cimport page_faults, pages_drop
from ..base.types cimport *
from .layout cimport group_number, place_group
from .stairs cimport PLIES, close_stairs, open_stairs


cdef enum:
    ENTRIES_A_NODE = 4                # a position is listed again when a better key is found; measured: below 2
    FAULT_BYTES = 1 << 16             # Linux maps up to sixteen pages around a fault


cdef uint32_t node_number(const Layout* l, int stm, uint8_t* squares) noexcept nogil:
    cdef int i, king = squares[0], mask = 0
    cdef uint32_t number = king
    if l.n_pieces == l.n_free:
        mask = (7 if king & 7 > 3 else 0) ^ (56 if king >> 3 > 3 else 0)
        king ^= mask
        number = (king >> 3) * 4 + (king & 7)
    for i in range(1, l.n_free):
        squares[i] ^= mask
    number *= l.stride[0]
    for i in range(1, l.n_free):
        if l.group[i]:
            number += l.stride[i] * group_number(&squares[i], l.group[i])
    return number + (l.nodes if stm else 0)


cdef int node_squares(const Layout* l, uint32_t node, uint8_t* squares) noexcept nogil:
    cdef int i, stm = node >= l.nodes
    cdef uint32_t number
    if stm:
        node -= l.nodes
    number = node // l.stride[0]
    squares[0] = <uint8_t> ((number >> 2) * 8 + (number & 3) if l.n_pieces == l.n_free else number)
    node -= number * l.stride[0]
    for i in range(1, l.n_free):
        if l.group[i]:
            number = node // l.stride[i]
            place_group(number, l.group[i], &squares[i])
            node -= number * l.stride[i]
    return stm


cdef size_t scratch_bytes(const Layout* l) noexcept nogil:
    return 2 * <size_t> l.nodes * (sizeof(Node) + 6 * sizeof(uint32_t) + ENTRIES_A_NODE * sizeof(Entry))


cdef void share_scratch(Slice* s) noexcept nogil:
    """Give each list its maximum size, because untouched mapped memory costs nothing."""
    cdef size_t n = 2 * <size_t> s.half
    cdef uint32_t* items
    s.nodes = <Node*> s.scratch
    s.entries = <Entry*> (s.nodes + n)
    s.entry_room = ENTRIES_A_NODE * n
    items = <uint32_t*> (s.entries + s.entry_room)
    s.active.items = items
    s.touched.items = items + n
    s.done.items = items + 2 * n
    s.fresh.items = items + 4 * n
    s.active.room = s.touched.room = n
    s.done.room = s.fresh.room = 2 * n


cdef void bound_memory(Slice* s) noexcept nogil:
    """A page fault loads at most a few neighbouring pages, so the number of faults bounds the resident memory."""
    cdef int64_t faults
    if s.scratch == NULL:
        return
    faults = page_faults()
    if <size_t> (faults - s.faults) * FAULT_BYTES > s.resident:
        pages_drop(s.scratch, scratch_bytes(s.layout))  # the mapping is shared, so nothing is lost
        s.faults = faults


cdef bint open_slice(Slice* s, const Layout* layout, const Library* library, const PawnLinks* links, int index,
                     bint whole_game, uint8_t* scratch, size_t resident) noexcept nogil:
    cdef int i
    cdef bint opened
    memset(s, 0, sizeof(Slice))
    s.layout = layout
    s.library = library
    s.links = links
    s.index = index
    s.whole_game = whole_game
    s.half = layout.nodes
    for i in range(layout.n_pieces - layout.n_free):
        s.pawns[i] = layout.placements.pawns[index][i]
    s.scratch = scratch
    s.resident = resident
    if scratch == NULL:
        s.nodes = <Node*> calloc(2 * <size_t> s.half, sizeof(Node))
    else:
        share_scratch(s)
    s.heads = <int32_t*> malloc(256 * (PLIES + 1) * sizeof(int32_t))
    opened = open_stairs(&s.stairs)
    if s.nodes == NULL or s.heads == NULL or not opened:
        close_slice(s)
        return False
    memset(s.heads, 255, 256 * (PLIES + 1) * sizeof(int32_t))
    memset(s.deepest, 255, sizeof(s.deepest))
    return True


cdef void close_slice(Slice* s) noexcept nogil:
    if s.scratch == NULL:
        free(s.nodes)
        free(s.entries)
        free(s.active.items)
        free(s.touched.items)
        free(s.done.items)
        free(s.fresh.items)
    free(s.heads)
    free(s.exits)
    close_stairs(&s.stairs)
    s.nodes = NULL
    s.heads = NULL
    s.entries = NULL
    s.exits = NULL
    s.active.items = s.touched.items = s.done.items = s.fresh.items = NULL


cdef void offer(Node* node, int stm, int value, int plies) noexcept nogil:
    """Merge a value into `best`: eight bits hold the value + 128, the others the fewest and the most plies to it."""
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
