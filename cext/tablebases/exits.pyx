"""Looks up the fresh values of the positions after captures, promotions and pawn moves, which are already solved."""

from libc.stdlib cimport realloc
from libc.string cimport memset

from ..base.attacks cimport PAWN_ATTACKS
from ..base.bits cimport bit, lsb, pop_lsb, popcount
from ..base.types cimport *
from ..chess.movegen cimport count
from ..chess.position cimport Position, attackers, ep_is_legal, occupied_of
from .layout cimport MOST_MEN, Layout, slice_number
from .library cimport look_up_fresh
from .slice cimport *
from .stairs cimport capped, code_of, outcome_of, pack, plies_in, read_stairs, value_in

cdef enum:
    MOST_RESETS = 64

cdef struct Resets:
    uint32_t[MOST_RESETS] packed      # packed values and plies
    int n


cdef inline bint attacks_king(const Position* p, int colour) noexcept nogil:
    """Return whether the king of this colour is attacked."""
    cdef int sq = lsb(p.by_type[KING] & p.by_colour[colour])
    return attackers(p, sq, occupied_of(p)) & p.by_colour[colour ^ 1] != 0


cdef bint set_up(const Layout* layout, int stm, const uint8_t* squares, Position* p) noexcept nogil:
    """Set up a position; false if two men stand on one square or the side that has moved is in check."""
    cdef int i
    memset(p, 0, sizeof(Position))
    for i in range(layout.n_pieces):
        p.by_type[layout.type[i]] |= bit(squares[i])
        p.by_colour[layout.colour[i]] |= bit(squares[i])
    p.material_key = layout.material_key
    p.stm = <uint8_t> stm
    p.ep_sq = NO_SQUARE
    return popcount(occupied_of(p)) == layout.n_pieces and not attacks_king(p, stm ^ 1)


cdef inline int goal_of(const Position* p) noexcept nogil:
    cdef uint64_t checkers
    cdef int code = 2 * count(p, &checkers)
    return capped(code + (checkers == 0))


cdef inline void add_reset(Resets* r, uint32_t packed) noexcept nogil:
    if r.n < MOST_RESETS:
        r.packed[r.n] = packed
        r.n += 1


cdef void add_child(Slice* s, const Position* q, Resets* r) noexcept nogil:
    """Add the value of a position of another class."""
    cdef int plies, value = look_up_fresh(s.library, q, &plies)
    if value == 0:
        s.trouble = NO_TABLE
    add_reset(r, pack(value, plies))


cdef void move_piece(const Position* p, Position* q, int type, int from_sq, int to_sq, int taken) noexcept nogil:
    """Make a move and set every field that probing needs. taken: square of a captured man, or NO_SQUARE."""
    cdef int i, us = p.stm
    q[0] = p[0]
    q.ep_sq = NO_SQUARE
    q.stm ^= 1
    if taken != NO_SQUARE:
        for i in range(QUEEN + 1):
            if q.by_type[i] & bit(taken):
                q.by_type[i] ^= bit(taken)
                q.material_key -= <uint64_t> 1 << 4 * piece_of(us ^ 1, i)
        q.by_colour[us ^ 1] ^= bit(taken)
    q.by_type[type] ^= bit(from_sq) | bit(to_sq)
    q.by_colour[us] ^= bit(from_sq) | bit(to_sq)


cdef void add_pawn_arrival(Slice* s, Position* q, int to_sq, Resets* r) noexcept nogil:
    """Add the positions after a pawn has captured or reached the last rank."""
    cdef int type, us = q.stm ^ 1
    if 8 <= to_sq < 56:
        add_child(s, q, r)
        return
    q.by_type[PAWN] ^= bit(to_sq)
    q.material_key -= <uint64_t> 1 << 4 * piece_of(us, PAWN)
    for type in range(KNIGHT, QUEEN + 1):
        q.by_type[type] ^= bit(to_sq)
        q.material_key += <uint64_t> 1 << 4 * piece_of(us, type)
        add_child(s, q, r)
        q.by_type[type] ^= bit(to_sq)
        q.material_key -= <uint64_t> 1 << 4 * piece_of(us, type)


cdef uint32_t place_in_class(const Layout* layout, int stm, const uint8_t* squares, int at, int to_sq,
                             int* slice) noexcept nogil:
    """Slice and number after piece `at` of the layout moves to a square without changing the class."""
    cdef uint8_t[MOST_MEN] after
    cdef int i, j
    cdef uint8_t held
    cdef bint mirrored
    for i in range(layout.n_pieces):
        after[i] = squares[i]
    after[at] = <uint8_t> to_sq
    for i in range(layout.n_free + 1, layout.n_pieces):
        j = i
        while layout.like[j] and after[j] < after[j - 1]:
            held = after[j]
            after[j] = after[j - 1]
            after[j - 1] = held
            j -= 1
    slice[0] = slice_number(layout, after, &mirrored)
    if mirrored:
        for i in range(layout.n_free):
            after[i] ^= 7
    return node_number(layout, stm, after)


cdef uint32_t stays(Slice* s, const Position* q, const uint8_t* squares, int at, int to_sq, int code,
                    int owner) noexcept nogil:
    """Value of a position of this class that is reached without a reset under the given record."""
    cdef int slice, plies, value
    cdef uint32_t number = place_in_class(s.layout, q.stm, squares, at, to_sq, &slice)
    if goal_of(q) < code:
        return s.links.fresh[slice][number]
    value = read_stairs(&s.links.stairs[slice], s.links.chains[slice][number], code, owner, &plies)
    return pack(value, plies) if value else pack(outcome_of(code, owner), 0)


cdef uint32_t best_of(const Resets* r, int stm, int stands) noexcept nogil:
    """The best value for the side to move under a record; fewer plies are better only for outcomes better than the
    record.
    """
    cdef int i, value, plies, best = 0, best_plies = 0
    cdef bint nearer
    for i in range(r.n):
        value = value_in(r.packed[i])
        plies = plies_in(r.packed[i])
        nearer = value > stands if stm == WHITE else value < stands
        if (i == 0 or (value > best if stm == WHITE else value < best)
                or (value == best and (plies < best_plies if nearer else plies > best_plies))):
            best = value
            best_plies = plies
    return pack(best, best_plies + 1 if best != stands else 0)


cdef uint32_t value_with_en_passant(Slice* s, const Position* p, const uint8_t* squares) noexcept nogil:
    """Fresh value of a position with an en passant capture, by looking one ply ahead."""
    cdef const Layout* layout = s.layout
    cdef int code = goal_of(p), owner = p.stm ^ 1, i, to_sq
    cdef uint64_t targets
    cdef Resets r
    cdef Position q
    r.n = 0
    add_resets(s, p, squares, &r)
    if s.whole_game:
        for i in range(r.n):
            if code_of(value_in(r.packed[i])) >= code:
                r.packed[i] = pack(outcome_of(code, owner), 0)
    for i in range(layout.n_free):
        if layout.colour[i] == p.stm:
            targets = reach(layout.type[i], squares[i], occupied_of(p)) & ~occupied_of(p)
            while targets:
                to_sq = pop_lsb(&targets)
                move_piece(p, &q, layout.type[i], squares[i], to_sq, NO_SQUARE)
                if not attacks_king(&q, p.stm):
                    add_reset(&r, stays(s, &q, squares, i, to_sq, code, owner))
    return best_of(&r, p.stm, outcome_of(code, owner))


cdef void add_step(Slice* s, Position* q, const uint8_t* squares, int at, int to_sq, Resets* r) noexcept nogil:
    """Add a pawn step without promotion, which leads to another slice of the class."""
    cdef uint8_t[MOST_MEN] after
    cdef int slice, behind = (squares[at] + to_sq) >> 1, i
    cdef uint64_t takers
    cdef uint32_t number = place_in_class(s.layout, q.stm, squares, at, to_sq, &slice)
    if squares[at] - to_sq == 16 or to_sq - squares[at] == 16:
        takers = PAWN_ATTACKS[q.stm ^ 1][behind] & q.by_type[PAWN] & q.by_colour[q.stm]
        while takers:
            if ep_is_legal(q, pop_lsb(&takers), behind):
                q.ep_sq = <uint8_t> behind
        if q.ep_sq != NO_SQUARE:
            for i in range(s.layout.n_pieces):
                after[i] = squares[i]
            after[at] = <uint8_t> to_sq
            add_reset(r, value_with_en_passant(s, q, after))
            return
    add_reset(r, s.links.fresh[slice][number])


cdef void add_pawn_moves(Slice* s, const Position* p, const uint8_t* squares, int at, Resets* r) noexcept nogil:
    cdef int us = p.stm, sq = squares[at], to_sq, ahead = 8 if us == WHITE else -8
    cdef uint64_t targets = PAWN_ATTACKS[us][sq] & p.by_colour[us ^ 1], occupied = occupied_of(p)
    cdef Position q
    while targets:
        to_sq = pop_lsb(&targets)
        move_piece(p, &q, PAWN, sq, to_sq, to_sq)
        if not attacks_king(&q, us):
            add_pawn_arrival(s, &q, to_sq, r)
    if p.ep_sq != NO_SQUARE and PAWN_ATTACKS[us][sq] & bit(p.ep_sq) and ep_is_legal(p, sq, p.ep_sq):
        move_piece(p, &q, PAWN, sq, p.ep_sq, p.ep_sq ^ 8)
        add_child(s, &q, r)
    to_sq = sq + ahead
    while not occupied & bit(to_sq):
        move_piece(p, &q, PAWN, sq, to_sq, NO_SQUARE)
        if not attacks_king(&q, us):
            if 8 <= to_sq < 56:
                add_step(s, &q, squares, at, to_sq, r)
            else:
                add_pawn_arrival(s, &q, to_sq, r)
        if to_sq != sq + ahead or sq >> 3 != (1 if us == WHITE else 6):
            return
        to_sq += ahead


cdef void add_resets(Slice* s, const Position* p, const uint8_t* squares, Resets* r) noexcept nogil:
    """Values of all captures and pawn moves of a position."""
    cdef const Layout* layout = s.layout
    cdef uint64_t targets
    cdef int i, to_sq
    cdef Position q
    for i in range(layout.n_pieces):
        if layout.colour[i] != p.stm:
            continue
        if layout.type[i] == PAWN:
            add_pawn_moves(s, p, squares, i, r)
            continue
        targets = reach(layout.type[i], squares[i], occupied_of(p)) & p.by_colour[p.stm ^ 1]
        while targets:
            to_sq = pop_lsb(&targets)
            move_piece(p, &q, layout.type[i], squares[i], to_sq, to_sq)
            if not attacks_king(&q, p.stm):
                add_child(s, &q, r)


cdef bint keep_exit(Slice* s, uint32_t index, uint32_t packed) noexcept nogil:
    """Store a reset under whole-game records, which outlast it: it counts only from a weaker record on."""
    cdef Exit* exits
    if s.n_exits == s.exit_room:
        exits = <Exit*> realloc(s.exits, 2 * (s.exit_room + 512) * sizeof(Exit))
        if exits == NULL:
            s.trouble = NO_MEMORY
            return False
        s.exits = exits
        s.exit_room = 2 * (s.exit_room + 512)
    s.exits[s.n_exits].node = index
    s.exits[s.n_exits].packed = packed
    s.n_exits += 1
    return True


cdef void enter_position(Slice* s, uint32_t index) noexcept nogil:
    cdef const Layout* layout = s.layout
    cdef uint8_t[MOST_MEN] squares
    cdef Position p
    cdef Resets r
    cdef Node* node = &s.nodes[index]
    cdef int stm = node_squares(layout, index, squares), i, code
    cdef uint64_t checkers
    for i in range(layout.n_free, layout.n_pieces):
        squares[i] = s.pawns[i - layout.n_free]
    if not set_up(layout, stm, squares, &p):
        node.state = UNUSED
        return
    code = 2 * count(&p, &checkers)
    node.moves = <uint8_t> (code >> 1)
    node.code = <uint8_t> capped(code + (checkers == 0))
    r.n = 0
    add_resets(s, &p, squares, &r)
    for i in range(r.n):
        if s.whole_game and code_of(value_in(r.packed[i])) > 1:
            keep_exit(s, index, r.packed[i])
        else:
            offer(node, stm, value_in(r.packed[i]), plies_in(r.packed[i]))
            node.moves -= 1
