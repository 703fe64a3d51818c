"""Bellman's equation at every state."""

from libc.stdint cimport int64_t
from libc.string cimport memset

from ..base.bits cimport bit, lsb, popcount
from ..base.types cimport *
from ..chess.movegen cimport count, generate, scan_position
from ..chess.position cimport Position, attackers, make_move, occupied_of
from ..chess.scan cimport Scan
from .layout cimport MOST_MEN, Layout, squares_of
from .library cimport look_up
from .stairs cimport TOP, capped, code_of, outcome_of


cdef int goal_of(const Position* p) noexcept nogil:
    cdef uint64_t checkers
    cdef int code = 2 * count(p, &checkers)
    return capped(code + (checkers == 0))


cdef int after_move(Library* library, const Position* q, int code, int owner, bint whole_game,
                    int* plies) noexcept nogil:
    """The outcome after a move, under the record before it; plies from before the move."""
    cdef int own = goal_of(q), stands = outcome_of(code, owner), value
    if own < code or (q.clock == 0 and not whole_game):
        code = own
        owner = q.stm ^ 1
    if q.ep_sq != NO_SQUARE and own > 1:
        value = look_ahead(library, q, code, owner, whole_game, plies)
    else:
        value = look_up(library, q, code, owner, plies)
    plies[0] = 0 if value == stands else plies[0] + 1
    return value


cdef int look_ahead(Library* library, const Position* p, int code, int owner, bint whole_game,
                    int* plies) noexcept nogil:
    cdef Move[CHESS_MAX_MOVES + 16] moves
    cdef Scan s
    cdef Position q
    cdef int n, i, value, own, best = 0, stands = outcome_of(code, owner)
    cdef bint nearer
    plies[0] = 0
    scan_position(p, &s)
    n = generate(p, &s, ALL_MOVES, moves)
    for i in range(n):
        make_move(p, &q, moves[i])
        value = after_move(library, &q, code, owner, whole_game, &own)
        if value == 0:
            return 0
        nearer = value > stands if p.stm == WHITE else value < stands
        if (i == 0 or (value > best if p.stm == WHITE else value < best)
                or (value == best and (own < plies[0] if nearer else own > plies[0]))):
            best = value
            plies[0] = own
    return best


cdef bint set_up(const Layout* layout, int stm, const uint8_t* squares, Position* p) noexcept nogil:
    """False if this is no position."""
    cdef int i
    memset(p, 0, sizeof(Position))
    for i in range(layout.n_men):
        p.by_man[layout.man[i]] |= bit(squares[i])
        p.by_colour[layout.colour[i]] |= bit(squares[i])
        p.mailbox[squares[i]] = <uint8_t> piece_of(layout.colour[i], layout.man[i])
    p.material_key = layout.material_key
    p.stm = <uint8_t> stm
    p.ep_sq = NO_SQUARE
    p.clock = 1
    return (popcount(occupied_of(p)) == layout.n_men and attackers(
        p, lsb(p.by_man[KING] & p.by_colour[stm ^ 1]), occupied_of(p)) & p.by_colour[stm] == 0)


cdef int out_of_order(const int8_t* values, int top) noexcept nogil:
    """Records of one position: values[2 * code + owner]; the best record of White comes first."""
    cdef int code, owner, wrong = 0, value
    for code in range(2, top + 1):
        for owner in range(2):
            value = values[2 * code + owner]
            if code < top:
                wrong += values[2 * code + 2] > values[2 * code] or values[2 * code + 3] < values[2 * code + 1]
                wrong += code_of(value) < code and values[2 * code + 2 + owner] != value
            wrong += code_of(value) < code and values[2 * code + (owner ^ 1)] != value
        wrong += values[2 * code] < values[2 * code + 1]
    return wrong


cdef int64_t faults(Library* library, Table* table, int64_t first, int64_t last, int64_t step, bint whole_game,
                    int64_t* states, int64_t* bad) noexcept nogil:
    cdef const Layout* layout = &table.layout
    cdef uint8_t[MOST_MEN] squares
    cdef int8_t[2 * TOP + 4] values
    cdef Position p
    cdef int64_t number = first, half = layout.size // 2, wrong = 0, before
    cdef int code, owner, plies, own, top
    while number < last:
        squares_of(layout, number % half, squares)
        before = wrong
        if set_up(layout, number >= half, squares, &p):
            top = goal_of(&p)
            for code in range(2, top + 1):
                for owner in range(2):
                    values[2 * code + owner] = <int8_t> look_up(library, &p, code, owner, &plies)
                    states[0] += 1
                    wrong += (values[2 * code + owner] == 0
                              or values[2 * code + owner] != look_ahead(library, &p, code, owner, whole_game, &own)
                              or plies != own)
            wrong += out_of_order(values, top)
        if wrong > before and bad[0] < 0:
            bad[0] = number
        number += step
    return wrong


cdef bint fresh_state(Library* library, const Table* table, int64_t number, uint8_t* squares, int* code, int* value,
                      int* plies) noexcept nogil:
    """Squares, goal code, outcome and plies of a position; false if the number is none, or if it has no value."""
    cdef Position p
    cdef int64_t half = table.layout.size // 2
    squares_of(&table.layout, number % half, squares)
    if not set_up(&table.layout, number >= half, squares, &p):
        return False
    code[0] = goal_of(&p)
    value[0] = look_up(library, &p, code[0], p.stm ^ 1, plies)
    return value[0] != 0


cdef int64_t list_positions(Library* library, Table* table, int64_t first, int64_t last, uint8_t* out) noexcept nogil:
    cdef uint8_t[MOST_MEN] squares
    cdef int64_t number, at = 0, half = table.layout.size // 2
    cdef int code, value, plies, i
    for number in range(first, last):
        if not fresh_state(library, table, number, squares, &code, &value, &plies):
            continue
        out[at] = number >= half
        at += 1
        for i in range(table.layout.n_men):
            out[at] = squares[i]
            at += 1
        out[at] = <uint8_t> code
        out[at + 1] = <uint8_t> <int8_t> value
        out[at + 2] = <uint8_t> (plies & 255)
        out[at + 3] = <uint8_t> (plies >> 8)
        at += 4
    return at


cdef void find_longest(Library* library, Table* table, int (*plies)[256], int64_t (*numbers)[256]) noexcept nogil:
    cdef uint8_t[MOST_MEN] squares
    cdef int64_t number, half = table.layout.size // 2
    cdef int code, value, length, stm
    for number in range(2 * 256):
        plies[number >> 8][number & 255] = -1
    for number in range(table.layout.size):
        if fresh_state(library, table, number, squares, &code, &value, &length):
            stm = number >= half
            if length > plies[stm][128 + value]:
                plies[stm][128 + value] = length
                numbers[stm][128 + value] = number
