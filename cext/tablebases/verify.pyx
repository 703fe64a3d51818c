"""Verifying a table by Bellman's equation at every state."""

from libc.stdint cimport int64_t
from libc.string cimport memset

from ..base.bits cimport MOVE_ROOM, bit, lsb, popcount
from ..base.types cimport *
from ..chess.movegen cimport count, generate, scan_position
from ..chess.position cimport Position, attackers, make_move, occupied_of
from ..chess.legal_count cimport Scan
from .layout cimport MOST_MEN, Layout, squares_of
from .library cimport ROW, Row, look_up, look_up_row, number_in, read_row, turned_key
from .stairs cimport capped, code_of, outcome_of

cdef enum:
    FAR = 8192                        # more than any plies


cdef int goal_of(const Position* p) noexcept nogil:
    cdef uint64_t checkers
    cdef int code = 2 * count(p, &checkers)
    return capped(code + (checkers == 0))


cdef int after_move(Library* library, const Position* q, int code, int owner, bint whole_game,
                    int* plies) noexcept nogil:
    """The outcome after a move, under the record before it; plies include the move."""
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
    cdef Move[CHESS_MAX_MOVES + MOVE_ROOM] moves
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
    """Set up a position; false if it is illegal."""
    cdef int i
    memset(p, 0, sizeof(Position))
    for i in range(layout.n_pieces):
        p.by_type[layout.type[i]] |= bit(squares[i])
        p.by_colour[layout.colour[i]] |= bit(squares[i])
        p.mailbox[squares[i]] = <uint8_t> piece_of(layout.colour[i], layout.type[i])
    p.material_key = layout.material_key
    p.stm = <uint8_t> stm
    p.ep_sq = NO_SQUARE
    p.clock = 1
    return (popcount(occupied_of(p)) == layout.n_pieces and attackers(
        p, lsb(p.by_type[KING] & p.by_colour[stm ^ 1]), occupied_of(p)) & p.by_colour[stm] == 0)


# ---- one position under all its records at once ----

cdef inline int key_of(int value, int stands, int plies) noexcept nogil:
    """Sort key, greater is better for this side: fewer plies count only for outcomes better than the standing record.
    """
    return value * (2 * FAR) + (FAR - plies if value > stands else plies)


cdef void fill_row(int first, int last, int value, int plies, Row* row) noexcept nogil:
    """Set one outcome under all records of these codes."""
    cdef int owner, code
    for owner in range(2):
        for code in range(first, last + 1):
            row.value[owner][code] = <int16_t> value
            row.plies[owner][code] = <int16_t> plies


cdef bint after_move_row(Library* library, const Position* q, int top, bint whole_game, Row* row) noexcept nogil:
    """Like after_move, but plies count from after the move; false if a table is missing."""
    cdef int own = goal_of(q), owner, code, plies = 0, value, kept = min(own, top)
    if own <= 1:
        fill_row(2, top, outcome_of(own, q.stm ^ 1), 0, row)
        return True
    if q.clock == 0 and not whole_game:
        kept = 1
    elif q.ep_sq != NO_SQUARE:
        for owner in range(2):
            for code in range(2, kept + 1):
                value = look_ahead(library, q, code, owner, whole_game, &plies)
                if value == 0:
                    return False
                row.value[owner][code] = <int16_t> value
                row.plies[owner][code] = <int16_t> plies
    elif not look_up_row(library, q, kept, row):
        return False
    if kept == top:
        return True
    if q.ep_sq != NO_SQUARE:
        value = look_ahead(library, q, own, q.stm ^ 1, whole_game, &plies)
    elif kept == 1:
        value = look_up(library, q, own, q.stm ^ 1, &plies)
    else:                             # weaker records: the position's own goal becomes the record
        value = row.value[q.stm ^ 1][own]
        plies = row.plies[q.stm ^ 1][own]
    fill_row(kept + 1, top, value, plies, row)
    return value != 0


cdef void join_row(const Row* row, int sign, int top, int32_t (*best)[ROW]) noexcept nogil:
    """Update the best key under each record by the result of a move."""
    cdef int owner, code, value, stands, plies
    for owner in range(2):
        for code in range(2, top + 1):
            value = sign * row.value[owner][code]
            stands = sign * outcome_of(code, owner)
            plies = row.plies[owner][code] + 1 if value != stands else 0
            best[owner][code] = max(best[owner][code], key_of(value, stands, plies))


cdef int wrong_states(Library* library, const Position* p, const Row* row, int top, bint whole_game) noexcept nogil:
    """Number of records under which the row disagrees with the best move."""
    cdef Move[CHESS_MAX_MOVES + MOVE_ROOM] moves
    cdef int32_t[2][ROW] best
    cdef Row after
    cdef Scan s
    cdef Position q
    cdef int n, i, owner, code, wrong = 0, sign = 1 if p.stm == WHITE else -1
    scan_position(p, &s)
    n = generate(p, &s, ALL_MOVES, moves)
    for owner in range(2):
        for code in range(ROW):
            best[owner][code] = -(1 << 30)
    for i in range(n):
        make_move(p, &q, moves[i])
        if not after_move_row(library, &q, top, whole_game, &after):
            return 2 * (top - 1)
        join_row(&after, sign, top, best)
    for owner in range(2):
        for code in range(2, top + 1):
            wrong += best[owner][code] != key_of(sign * row.value[owner][code], sign * outcome_of(code, owner),
                                                 row.plies[owner][code])
    return wrong


cdef int out_of_order(const Row* row, int top) noexcept nogil:
    """Count the violations: a better record must not be worth less, and an outcome that beats a record must hold under
    all weaker ones of either owner.
    """
    cdef const int16_t* white = row.value[WHITE]
    cdef const int16_t* black = row.value[BLACK]
    cdef int code, wrong = 0
    for code in range(2, top + 1):
        wrong += white[code] < black[code]
        wrong += ((code_of(white[code]) < code) | (code_of(black[code]) < code)) & (white[code] != black[code])
    for code in range(2, top):
        wrong += (white[code + 1] > white[code]) | (black[code + 1] < black[code])
        wrong += (code_of(white[code]) < code) & (white[code + 1] != white[code])
        wrong += (code_of(black[code]) < code) & (black[code + 1] != black[code])
    return wrong


cdef int unlike(Table* table, int64_t number, bint turned, const Row* row, int top) noexcept nogil:
    """Number of records under which the mirror image of a position differs in outcome or plies."""
    cdef Row image
    cdef int owner, code, wrong = 0
    if not read_row(table, number, turned, top, &image):
        return 2 * (top - 1)
    for owner in range(2):
        for code in range(2, top + 1):
            wrong += ((image.value[owner][code] != row.value[owner][code])
                      | (image.plies[owner][code] != row.plies[owner][code]))
    return wrong


cdef int asymmetric(Table* table, int64_t number, const Position* p, const uint8_t* squares, const Row* row,
                    int top) noexcept nogil:
    """Number of images of a position (mirrored, or with colours exchanged if the material is equal) whose value
    differs.

    Nearly all images share a number. The exceptions have kings or pawns that are their own image.
    """
    cdef const Layout* layout = &table.layout
    cdef uint8_t[MOST_MEN] mirrored
    cdef Position q
    cdef int64_t other
    cdef int image, i, wrong = 0
    for image in range(1 if layout.n_free < layout.n_pieces else 2):
        for i in range(layout.n_pieces):
            mirrored[i] = squares[i] >> 3 | (squares[i] & 7) << 3 if image else squares[i] ^ 7
        set_up(layout, p.stm, mirrored, &q)
        other = number_in(table, &q, False)
        if other != number:
            wrong += unlike(table, other, False, row, top)
    if turned_key(layout.material_key) == layout.material_key:
        wrong += unlike(table, number_in(table, p, True), True, row, top)
    return wrong


cdef int64_t faults(Library* library, Table* table, int64_t first, int64_t last, int64_t step, bint whole_game,
                    int64_t* states, int64_t* bad) noexcept nogil:
    cdef const Layout* layout = &table.layout
    cdef uint8_t[MOST_MEN] squares
    cdef Position p
    cdef Row row
    cdef int64_t number = first, half = layout.size // 2, wrong = 0, before
    cdef int top
    while number < last:
        squares_of(layout, number % half, squares)
        before = wrong
        if set_up(layout, number >= half, squares, &p):
            top = goal_of(&p)
            if top > 1:
                states[0] += 2 * (top - 1)
                if read_row(table, number, False, top, &row):
                    wrong += wrong_states(library, &p, &row, top, whole_game)
                    wrong += out_of_order(&row, top)
                    wrong += asymmetric(table, number, &p, squares, &row, top)
                else:
                    wrong += 2 * (top - 1)
        if wrong > before and bad[0] < 0:
            bad[0] = number
        number += step
    return wrong


# ---- listing ----

cdef bint fresh_state(Library* library, const Table* table, int64_t number, uint8_t* squares, int* code, int* value,
                      int* plies) noexcept nogil:
    """Squares, goal code, outcome and plies of a position; false if the number has no position or no value."""
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
        for i in range(table.layout.n_pieces):
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
