"""The level sweep: work-lists ordered by outcome and distance, one for each record and side."""

from libc.stdint cimport int64_t
from libc.stdlib cimport realloc

from ..base.bits cimport bit, pop_lsb
from ..base.types cimport *
from .exits cimport enter_position
from .slice cimport *
from .layout cimport MOST_MEN, Layout, group_number
from .stairs cimport BOTH, MOST_CODE, PLIES, TOP, code_of, lengthened, outcome_of, pack, plies_in, value_in

cdef enum:
    LET_GO_MASK = (1 << 11) - 1       # bound_memory is called once for every 2048 positions
    MOST_BACK = 96                    # most moves to a position, by three pieces and a king without captures


cdef inline uint32_t moved_group(const Layout* layout, uint8_t* squares, int at, int to) noexcept nogil:
    """Number of the group of piece `at` of the layout once that piece stands on ``to``."""
    cdef int first = at, from_sq = squares[at], number
    while layout.group[first] == 0:
        first -= 1
    if layout.group[first] == 1:
        return to
    squares[at] = <uint8_t> to
    number = group_number(&squares[first], layout.group[first])
    squares[at] = <uint8_t> from_sq
    return number


cdef int moves_back(const Slice* s, uint32_t node, uint32_t* found) noexcept nogil:
    """Placements from which a move without a reset leads here; some may be illegal."""
    cdef const Layout* layout = s.layout
    cdef uint8_t[MOST_MEN] squares, other
    cdef int mover = 1 - node_squares(layout, node, squares), i, j, n = 0, to
    cdef uint64_t occupied = 0, targets
    cdef uint32_t base = node + s.half if node < s.half else node - s.half, rest
    for i in range(layout.n_free):
        occupied |= bit(squares[i])
    for i in range(layout.n_free, layout.n_pieces):
        occupied |= bit(s.pawns[i - layout.n_free])
    for i in range(layout.n_free):
        if layout.colour[i] != mover:
            continue
        targets = reach(layout.type[i], squares[i], occupied) & ~occupied
        rest = base - layout.stride[i] * moved_group(layout, squares, i, squares[i])
        while targets:
            to = pop_lsb(&targets)
            if i or layout.n_free < layout.n_pieces:
                found[n] = rest + layout.stride[i] * moved_group(layout, squares, i, to)
            else:                     # White's king may leave its quarter of the board
                other[0] = <uint8_t> to
                for j in range(1, layout.n_free):
                    other[j] = squares[j]
                found[n] = node_number(layout, mover, other)
            n += 1
    return n


# ---- memory ----

cdef bint push(Slice* s, Indices* list, uint32_t item) noexcept nogil:
    cdef uint32_t* items
    if list.n == list.room:
        if s.scratch != NULL:
            s.trouble = NO_MEMORY
            return False
        items = <uint32_t*> realloc(list.items, 2 * (list.room + 512) * sizeof(uint32_t))
        if items == NULL:
            s.trouble = NO_MEMORY
            return False
        list.items = items
        list.room = 2 * (list.room + 512)
    list.items[list.n] = item
    list.n += 1
    return True


# ---- settled successors ----

cdef void settle(Slice* s, uint32_t index, uint32_t packed) noexcept nogil:
    """Settle a position and inform its predecessors."""
    cdef uint32_t[MOST_BACK] before
    cdef int n, i, stm = index < s.half          # side to move in the predecessors
    cdef Node* node
    s.nodes[index].state = SETTLED
    s.nodes[index].best = packed
    n = moves_back(s, index, before)
    s.evaluations += n
    for i in range(n):
        node = &s.nodes[before[i]]
        if node.state == OPEN:
            offer(node, stm, value_in(packed), plies_in(packed))
            node.moves -= 1


# ---- one layer ----

cdef inline bint enqueue(Slice* s, uint32_t index, uint32_t key) noexcept nogil:
    """Put a position on its key's list unless it is already on the list of a better key."""
    cdef Node* node = &s.nodes[index]
    cdef Entry* entries
    cdef int plies = <int> (key & PLIES)
    if node.key <= key:
        return True
    if plies == PLIES:
        s.trouble = TOO_FAR
        return False
    if s.n_entries == s.entry_room:
        if s.scratch != NULL:
            s.trouble = NO_MEMORY
            return False
        entries = <Entry*> realloc(s.entries, 2 * (s.entry_room + 512) * sizeof(Entry))
        if entries == NULL:
            s.trouble = NO_MEMORY
            return False
        s.entries = entries
        s.entry_room = 2 * (s.entry_room + 512)
    if node.key == NO_KEY and node.closed == 0 and not push(s, &s.touched, index):
        return False
    node.key = key
    s.entries[s.n_entries].node = index
    s.entries[s.n_entries].next = s.heads[key]
    s.heads[key] = <int32_t> s.n_entries
    s.n_entries += 1
    s.deepest[key >> PLY_BITS] = max(s.deepest[key >> PLY_BITS], plies)
    return True


cdef inline uint32_t key_of(int gain, int plies) noexcept nogil:
    """Order of work: the best outcome for the side that improves on the record first, then the fewest plies."""
    return <uint32_t> (TOP - gain) << PLY_BITS | <uint32_t> plies


cdef inline uint32_t exit_key(const Node* node, int side, bint most) noexcept nogil:
    cdef int value = <int> (node.best >> 24) - 128
    return key_of(value if side == WHITE else -value,
                  <int> (node.best & PLIES if most else node.best >> PLY_BITS & PLIES) + 1)


cdef void enqueue_exits(Slice* s, int side, uint32_t stands) noexcept nogil:
    """Enqueue positions in which `side` improves on the record at once, or the other side cannot prevent that."""
    cdef int64_t i
    cdef uint32_t index
    cdef const Node* node
    cdef int value
    for i in range(s.active.n):
        if i & LET_GO_MASK == 0:
            bound_memory(s)
        index = s.active.items[i]
        node = &s.nodes[index]
        if node.best == 0 or node.state != OPEN:
            continue
        value = <int> (node.best >> 24) - 128
        if key_of(value if side == WHITE else -value, 0) >= stands:
            continue
        if (index >= s.half) == side:
            enqueue(s, index, exit_key(node, side, False))
        elif node.moves == 0:
            enqueue(s, index, exit_key(node, side, True))


cdef inline void close_successor(Slice* s, uint32_t index, int side, uint32_t key, uint32_t stands) noexcept nogil:
    """Count one more move of the waiting side that lets `side` improve on the record; enqueue if all of them do."""
    cdef Node* node = &s.nodes[index]
    cdef uint32_t other
    if node.key == NO_KEY and node.closed == 0 and not push(s, &s.touched, index):
        return
    node.closed += 1
    if node.closed < node.moves:
        return
    if node.best:
        other = exit_key(node, side, True)
        if other >= stands:
            return                    # a reset or an improvement saves that side
        key = max(key, other)
    enqueue(s, index, key)


cdef void sweep(Slice* s, int side, uint32_t stands) noexcept nogil:
    """Find all positions where `side` improves on the record; `stands` is the key of the record's own outcome."""
    cdef uint32_t[MOST_BACK] before
    cdef uint32_t key, index
    cdef int outcome, plies, n, i
    cdef int32_t entry
    cdef Node* node
    s.n_entries = 0
    enqueue_exits(s, side, stands)
    for outcome in range(<int> (stands >> PLY_BITS)):
        plies = 0
        while plies <= s.deepest[outcome]:
            key = <uint32_t> outcome << PLY_BITS | <uint32_t> plies
            while s.heads[key] >= 0:
                entry = s.heads[key]
                s.heads[key] = s.entries[entry].next
                index = s.entries[entry].node
                node = &s.nodes[index]
                if node.key != key or node.state != OPEN:
                    continue
                node.state = IN_LAYER
                push(s, &s.done, index)
                push(s, &s.done, pack((TOP - outcome) if side == WHITE else outcome - TOP, plies))
                if s.done.n & LET_GO_MASK == 0:
                    bound_memory(s)
                n = moves_back(s, index, before)
                s.evaluations += n
                for i in range(n):
                    if s.nodes[before[i]].state != OPEN:
                        continue
                    if (before[i] >= s.half) == side:
                        enqueue(s, before[i], key + 1)
                    else:
                        close_successor(s, before[i], side, key + 1, stands)
            plies += 1
        s.deepest[outcome] = -1
    forget_touched(s)


cdef void forget_touched(Slice* s) noexcept nogil:
    cdef int64_t i
    for i in range(s.touched.n):
        s.nodes[s.touched.items[i]].key = NO_KEY
        s.nodes[s.touched.items[i]].closed = 0
    s.touched.n = 0


cdef void end_layer(Slice* s, int code, int owner) noexcept nogil:
    """Write the results of the layer into the staircases, and settle decided positions."""
    cdef int64_t i
    cdef int value
    cdef bint decided
    cdef uint32_t index, packed
    cdef Node* node
    for i in range(0, s.done.n, 2):
        index = s.done.items[i]
        packed = s.done.items[i + 1]
        value = value_in(packed)
        node = &s.nodes[index]
        decided = code_of(value) < code
        if decided and owner == BLACK:
            s.trouble = BROKEN        # the layer of White's record should have decided this position
        node.chain = lengthened(&s.stairs, node.chain, code, BOTH if decided else owner, value, plies_in(packed))
        if node.chain == 0:
            s.trouble = NO_MEMORY
        node.state = OPEN
        if not decided and node.code == code and (index >= s.half) != owner:
            push(s, &s.fresh, index)
            push(s, &s.fresh, packed)
            node.closed = 1           # marks a known fresh value; cleared below
    for i in range(s.active.n):
        index = s.active.items[i]
        node = &s.nodes[index]
        if node.code == code and node.state == OPEN and (index >= s.half) != owner and not node.closed:
            push(s, &s.fresh, index)
            push(s, &s.fresh, pack(outcome_of(code, owner), 0))
    for i in range(0, s.done.n, 2):
        if i & LET_GO_MASK == 0:
            bound_memory(s)
        index = s.done.items[i]
        s.nodes[index].closed = 0
        if code_of(value_in(s.done.items[i + 1])) < code:
            settle(s, index, s.done.items[i + 1])
    s.done.n = 0


cdef void drop_settled(Slice* s) noexcept nogil:
    cdef int64_t i, n = 0
    for i in range(s.active.n):
        if s.nodes[s.active.items[i]].state == OPEN:
            s.active.items[n] = s.active.items[i]
            n += 1
    s.active.n = n


cdef void check_last_level(Slice* s) noexcept nogil:
    """Check that no goal of very many moves is ever final, because such goals share one code."""
    cdef int64_t i
    for i in range(s.active.n):
        if s.nodes[s.active.items[i]].state == OPEN:
            s.trouble = TOO_WEAK


cdef void solve_level(Slice* s, int code) noexcept nogil:
    """Solve the level of the two records of one code."""
    cdef int owner
    cdef int64_t i
    for owner in range(2):
        sweep(s, WHITE, key_of(outcome_of(code, owner), 0))
        sweep(s, BLACK, key_of(-outcome_of(code, owner), 0))
        end_layer(s, code, owner)
    if code == MOST_CODE:
        check_last_level(s)
    for i in range(0, s.fresh.n, 2):
        if s.nodes[s.fresh.items[i]].state == OPEN:
            settle(s, s.fresh.items[i], s.fresh.items[i + 1])
    s.fresh.n = 0
    drop_settled(s)


# ---- the whole slice ----

cdef void take_exits(Slice* s, int code) noexcept nogil:
    """Whole-game records: offer the captures and pawn moves whose outcome replaces the record from this code on."""
    cdef int64_t i
    cdef Node* node
    cdef uint32_t packed
    for i in range(s.n_exits):
        packed = s.exits[i].packed
        node = &s.nodes[s.exits[i].node]
        if code_of(value_in(packed)) == code - 1 and node.state == OPEN:
            offer(node, s.exits[i].node >= s.half, value_in(packed), plies_in(packed))
            node.moves -= 1


cdef void enter_positions(Slice* s) noexcept nogil:
    cdef uint32_t index
    for index in range(2 * s.half):
        enter_position(s, index)
        if index & LET_GO_MASK == 0:
            bound_memory(s)
        s.nodes[index].key = NO_KEY
        if s.nodes[index].state == OPEN:
            s.positions += 1
            if s.nodes[index].code > 1:
                push(s, &s.active, index)
            else:
                push(s, &s.fresh, index)


cdef void settle_ends(Slice* s) noexcept nogil:
    """Settle mates and stalemates."""
    cdef int64_t i
    cdef uint32_t index
    for i in range(s.fresh.n):
        index = s.fresh.items[i]
        settle(s, index, pack(outcome_of(s.nodes[index].code, index < s.half), 0))
    s.fresh.n = 0


cdef void count_values(Slice* s) noexcept nogil:
    cdef uint32_t index
    cdef int value, stm
    for index in range(2 * s.half):
        if s.nodes[index].state == SETTLED:
            stm = index >= s.half
            value = value_in(s.nodes[index].best) + 128
            s.counts[stm][value] += 1
            s.longest[stm][value] = max(s.longest[stm][value], plies_in(s.nodes[index].best))


cdef void list_active(Slice* s) noexcept nogil:
    cdef uint32_t index
    s.active.n = 0
    for index in range(2 * s.half):
        if s.nodes[index].state == OPEN:
            push(s, &s.active, index)


cdef void begin_slice(Slice* s) noexcept nogil:
    enter_positions(s)
    settle_ends(s)


cdef void solve_next(Slice* s, int code) noexcept nogil:
    if s.whole_game:
        take_exits(s, code)
    solve_level(s, code)


cdef void end_slice(Slice* s) noexcept nogil:
    count_values(s)
