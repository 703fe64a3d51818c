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
    PIECE = 1 << 16                   # positions handled by one call of work_on, in phases that can be divided
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
    s.settled += 1
    n = moves_back(s, index, before)
    s.evaluations += n
    for i in range(n):
        node = &s.nodes[before[i]]
        if node.state == OPEN:
            offer(node, stm, value_in(packed), plies_in(packed))
            node.moves -= 1


# ---- one layer: a record, for one side after the other ----

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


cdef inline uint32_t standing(const Place* place) noexcept nogil:
    """The key of the record's own outcome for the side whose improvements are sought."""
    cdef int outcome = outcome_of(place.code, place.owner)
    return key_of(outcome if place.side == WHITE else -outcome, 0)


cdef void begin_sweep(Slice* s) noexcept nogil:
    cdef Place* place = &s.place
    if s.whole_game and place.owner == WHITE and place.side == WHITE:
        take_exits(s, place.code)
    s.n_entries = 0
    enqueue_exits(s, place.side, standing(place))
    place.phase = SWEEP
    place.outcome = place.plies = 0


cdef void sweep_on(Slice* s) noexcept nogil:
    """Find the next positions where the side improves on the record."""
    cdef uint32_t[MOST_BACK] before
    cdef Place* place = &s.place
    cdef int side = place.side, left = PIECE, n, i
    cdef uint32_t stands = standing(place), key, index
    cdef int32_t entry
    cdef Node* node
    while place.outcome < <int> (stands >> PLY_BITS):
        while place.plies <= s.deepest[place.outcome]:
            key = <uint32_t> place.outcome << PLY_BITS | <uint32_t> place.plies
            while s.heads[key] >= 0:
                if left == 0:
                    return
                left -= 1
                entry = s.heads[key]
                s.heads[key] = s.entries[entry].next
                index = s.entries[entry].node
                node = &s.nodes[index]
                if node.key != key or node.state != OPEN:
                    continue
                node.state = IN_LAYER
                push(s, &s.done, index)
                push(s, &s.done, pack((TOP - place.outcome) if side == WHITE else place.outcome - TOP, place.plies))
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
            place.plies += 1
        s.deepest[place.outcome] = -1
        place.outcome += 1
        place.plies = 0
    forget_touched(s)
    if side == WHITE:
        place.side = BLACK
        place.phase = BEGIN
    else:
        place.phase = END


cdef void forget_touched(Slice* s) noexcept nogil:
    cdef int64_t i
    for i in range(s.touched.n):
        s.nodes[s.touched.items[i]].key = NO_KEY
        s.nodes[s.touched.items[i]].closed = 0
    s.touched.n = 0


cdef void end_layer(Slice* s) noexcept nogil:
    """Write the results of the layer into the staircases, and list the fresh values."""
    cdef int64_t i
    cdef int value, code = s.place.code, owner = s.place.owner
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
    s.place.phase = SETTLE
    s.place.at = 0


cdef void settle_decided(Slice* s) noexcept nogil:
    """Settle the next decided positions of the layer."""
    cdef Place* place = &s.place
    cdef int64_t last = min(place.at + 2 * PIECE, s.done.n)
    cdef uint32_t index
    while place.at < last:
        if place.at & LET_GO_MASK == 0:
            bound_memory(s)
        index = s.done.items[place.at]
        s.nodes[index].closed = 0
        if code_of(value_in(s.done.items[place.at + 1])) < place.code:
            settle(s, index, s.done.items[place.at + 1])
        place.at += 2
    if place.at < s.done.n:
        return
    s.done.n = 0
    place.at = 0
    place.side = WHITE
    place.phase = BEGIN if place.owner == WHITE else FRESH
    place.owner = BLACK


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


cdef void settle_fresh(Slice* s) noexcept nogil:
    """Settle the next positions whose own goal is the record."""
    cdef Place* place = &s.place
    cdef int64_t last = min(place.at + 2 * PIECE, s.fresh.n)
    if place.at == 0 and place.code == MOST_CODE:
        check_last_level(s)
    while place.at < last:
        if place.at & LET_GO_MASK == 0:
            bound_memory(s)
        if s.nodes[s.fresh.items[place.at]].state == OPEN:
            settle(s, s.fresh.items[place.at], s.fresh.items[place.at + 1])
        place.at += 2
    if place.at < s.fresh.n:
        return
    s.fresh.n = 0
    drop_settled(s)
    next_level(s, place.code + 1)


cdef void next_level(Slice* s, int code) noexcept nogil:
    s.place.phase = BEGIN if s.active.n else SOLVED
    s.place.code = code
    s.place.owner = s.place.side = WHITE
    s.place.at = 0


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
    """Enter the next positions."""
    cdef int64_t last = min(s.place.at + PIECE, 2 * <int64_t> s.half)
    cdef uint32_t index
    for index in range(<uint32_t> s.place.at, <uint32_t> last):
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
    s.place.at = last
    if last == 2 * <int64_t> s.half:
        s.place.phase = ENDS
        s.place.at = 0


cdef void settle_ends(Slice* s) noexcept nogil:
    """Settle the next mates and stalemates."""
    cdef int64_t last = min(s.place.at + PIECE, s.fresh.n)
    cdef uint32_t index
    while s.place.at < last:
        index = s.fresh.items[s.place.at]
        settle(s, index, pack(outcome_of(s.nodes[index].code, index < s.half), 0))
        s.place.at += 1
    if s.place.at == s.fresh.n:
        s.fresh.n = 0
        next_level(s, 2)


cdef void count_values(Slice* s) noexcept nogil:
    cdef uint32_t index
    cdef int value, stm
    for index in range(2 * s.half):
        if s.nodes[index].state == SETTLED:
            stm = index >= s.half
            value = value_in(s.nodes[index].best) + 128
            s.counts[stm][value] += 1
            s.longest[stm][value] = max(s.longest[stm][value], plies_in(s.nodes[index].best))


cdef void resume(Slice* s) noexcept nogil:
    """Rebuild what saved work lacks: the lists of open positions and of the sweep."""
    cdef int64_t entered = s.place.at if s.place.phase == ENTER else 2 * <int64_t> s.half
    cdef int64_t i
    cdef uint32_t index, key
    cdef Node* node
    s.active.n = s.touched.n = s.n_entries = 0
    for i in range(entered):
        if i & LET_GO_MASK == 0:
            bound_memory(s)
        index = <uint32_t> i
        node = &s.nodes[index]
        if node.state == SETTLED:
            s.settled += 1
        if node.state == SETTLED or node.state == UNUSED or node.code < 2:
            continue
        push(s, &s.active, index)
        if s.place.phase != SWEEP or (node.key == NO_KEY and node.closed == 0):
            continue
        key = node.key
        if node.state == OPEN and key != NO_KEY:
            node.key = NO_KEY
            enqueue(s, index, key)    # which adds it to `touched` unless `closed` says that it is there
            if node.closed == 0:
                continue
        push(s, &s.touched, index)


cdef void work_on(Slice* s) noexcept nogil:
    cdef int phase = s.place.phase
    if phase == ENTER:
        enter_positions(s)
    elif phase == ENDS:
        settle_ends(s)
    elif phase == BEGIN:
        begin_sweep(s)
    elif phase == SWEEP:
        sweep_on(s)
    elif phase == END:
        end_layer(s)
    elif phase == SETTLE:
        settle_decided(s)
    elif phase == FRESH:
        settle_fresh(s)


cdef void end_slice(Slice* s) noexcept nogil:
    count_values(s)
