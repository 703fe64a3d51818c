# Checks, pins and the squares that the king must avoid, as masks, and the number of legal moves. Header only.
#
# With lanes (simd.h) all eight directions are filled at once (CPW: Kogge-Stone Algorithm): in one direction the
# rays of different sliders never overlap, so counting bits counts moves. Without lanes the code handles one piece after
# another. `us` is the side to move, a constant at each place of use, so that no colour is tested at run time.

from ..base.attacks cimport (BETWEEN, KING_ATTACKS, KNIGHT_ATTACKS, LINE, PAWN_ATTACKS, bishop_attacks, queen_attacks,
                             rook_attacks)
from ..base.bits cimport *
from .position cimport Position, ep_is_legal, occupied_of, pieces
from ..base.types cimport BISHOP, KING, KNIGHT, NO_SQUARE, PAWN, QUEEN, ROOK, WHITE, uint64_t

cdef struct Scan:
    uint64_t checkers
    uint64_t check_mask               # targets of pieces other than the king: all, in check those that parry, or none
    uint64_t danger                   # squares the king may not enter (seen through the king itself)
    uint64_t pinned                   # our pieces that may move only on one line
    uint64_t pin_line[4]              # pieces pinned on a file, rank, diagonal (a1-h8), antidiagonal

cdef struct Open:                     # empty squares, arranged for filling by one, two and four steps
    lanes by_1
    lanes by_2
    lanes by_4


cdef inline Open open_squares(uint64_t occupied) noexcept nogil:
    cdef Open o
    o.by_1 = lanes_without(lanes_reachable(), lanes_all(occupied))
    o.by_2 = lanes_and(o.by_1, lanes_rotate(o.by_1, 1))
    o.by_4 = lanes_and(o.by_2, lanes_rotate(o.by_2, 2))
    return o


cdef inline lanes fill(lanes sliders, Open o) noexcept nogil:
    """Squares that sliders attack, each lane in its direction, up to and including the first piece."""
    sliders = lanes_or_and(sliders, o.by_1, lanes_rotate(sliders, 1))
    sliders = lanes_or_and(sliders, o.by_2, lanes_rotate(sliders, 2))
    sliders = lanes_or_and(sliders, o.by_4, lanes_rotate(sliders, 4))
    return lanes_and(lanes_rotate(sliders, 1), lanes_reachable())


cdef inline uint64_t pawn_attack_set(uint64_t pawns, int colour) noexcept nogil:
    if colour == WHITE:
        return (pawns & NOT_H) << 9 | (pawns & NOT_A) << 7
    return (pawns & NOT_H) >> 7 | (pawns & NOT_A) >> 9


cdef inline void scan_lanes(const Position* p, int us, Open o, Scan* s) noexcept nogil:
    cdef int them = us ^ 1
    cdef uint64_t own = p.by_colour[us], enemy = p.by_colour[them]
    cdef uint64_t king = own & p.by_type[KING]
    cdef int king_sq = lsb(king)
    cdef lanes from_king = lanes_all(king)
    cdef lanes sliders = lanes_pair(enemy & (p.by_type[ROOK] | p.by_type[QUEEN]),
                                    enemy & (p.by_type[BISHOP] | p.by_type[QUEEN]))
    cdef lanes seen = fill(from_king, o)
    cdef lanes attacked = fill(sliders, o)
    cdef lanes checking = lanes_and(seen, sliders)
    # A piece is pinned if it is the first on a ray from the king and a slider on the same line reaches it from behind.
    cdef lanes pins = lanes_and(lanes_and(seen, lanes_all(own)), lanes_opposite(attacked))
    s.pinned = 0
    s.pin_line[0] = s.pin_line[1] = s.pin_line[2] = s.pin_line[3] = 0
    if lanes_any(pins):               # rarely needed
        pins = lanes_or(pins, lanes_opposite(pins))
        lanes_store_lines(s.pin_line, pins)
        s.pinned = lanes_union(pins)
    s.danger = (lanes_union(lanes_or(attacked, lanes_knight(enemy & p.by_type[KNIGHT])))
                | pawn_attack_set(enemy & p.by_type[PAWN], them)
                | KING_ATTACKS[lsb(enemy & p.by_type[KING])])
    s.checkers = (lanes_union(checking)
                  | (KNIGHT_ATTACKS[king_sq] & enemy & p.by_type[KNIGHT])
                  | (PAWN_ATTACKS[us][king_sq] & enemy & p.by_type[PAWN]))
    s.check_mask = ALL
    if s.checkers:
        s.check_mask = 0
        if not more_than_one(s.checkers):
            s.check_mask = s.checkers | lanes_union(lanes_where(checking, seen))
        # The king does not block the checker: the square behind it is also attacked.
        s.danger |= lanes_union(lanes_where(checking, lanes_opposite(
            lanes_and(lanes_rotate(from_king, 1), lanes_reachable()))))


cdef inline int line_type(int a, int b) noexcept nogil:
    """The kind of line through two squares: 0 file, 1 rank, 2 diagonal, 3 antidiagonal."""
    if file_of(a) == file_of(b):
        return 0
    if rank_of(a) == rank_of(b):
        return 1
    return 2 if file_of(a) - file_of(b) == rank_of(a) - rank_of(b) else 3


cdef inline void scan_walk(const Position* p, int us, Scan* s) noexcept nogil:
    cdef int them = us ^ 1
    cdef uint64_t own = p.by_colour[us], enemy = p.by_colour[them]
    cdef uint64_t king = own & p.by_type[KING], occupied = own | enemy
    cdef int king_sq = lsb(king), sq
    cdef uint64_t straight = enemy & (p.by_type[ROOK] | p.by_type[QUEEN])
    cdef uint64_t diagonal = enemy & (p.by_type[BISHOP] | p.by_type[QUEEN])
    cdef uint64_t snipers = (rook_attacks(king_sq, enemy) & straight) | (bishop_attacks(king_sq, enemy) & diagonal)
    cdef uint64_t between, knights = enemy & p.by_type[KNIGHT]
    s.pinned = 0
    s.pin_line[0] = s.pin_line[1] = s.pin_line[2] = s.pin_line[3] = 0
    s.checkers = ((KNIGHT_ATTACKS[king_sq] & knights)
                  | (PAWN_ATTACKS[us][king_sq] & enemy & p.by_type[PAWN]))
    s.check_mask = s.checkers
    while snipers:
        sq = pop_lsb(&snipers)
        between = BETWEEN[king_sq][sq] & occupied
        if between == 0:
            s.checkers |= bit(sq)
            s.check_mask |= bit(sq) | BETWEEN[king_sq][sq]
        elif not more_than_one(between):
            s.pinned |= between
            s.pin_line[line_type(king_sq, sq)] |= between
    if s.checkers == 0:
        s.check_mask = ALL
    elif more_than_one(s.checkers):
        s.check_mask = 0
    s.danger = (pawn_attack_set(enemy & p.by_type[PAWN], them) | KING_ATTACKS[lsb(enemy & p.by_type[KING])])
    while knights:
        s.danger |= KNIGHT_ATTACKS[pop_lsb(&knights)]
    while straight:
        s.danger |= rook_attacks(pop_lsb(&straight), occupied ^ king)
    while diagonal:
        s.danger |= bishop_attacks(pop_lsb(&diagonal), occupied ^ king)


cdef inline void scan(const Position* p, int us, Scan* s) noexcept nogil:
    if HAVE_LANES:
        scan_lanes(p, us, open_squares(occupied_of(p)), s)
    else:
        scan_walk(p, us, s)


cdef inline bint castling_is_legal(const Position* p, const Scan* s, int king_sq, int rook_sq) noexcept nogil:
    """Return whether castling is legal, given that the side still has the castling right and its king is not in
    check."""
    # The squares between king and rook must be empty, also in Chess960; this test fails most often and therefore comes
    # first.
    if BETWEEN[king_sq][rook_sq] & occupied_of(p):
        return False
    cdef int king_to = (king_sq & 56) + (2 if rook_sq < king_sq else 6)
    cdef int rook_to = (king_sq & 56) + (3 if rook_sq < king_sq else 5)
    cdef uint64_t king_path = BETWEEN[king_sq][king_to] | bit(king_to)
    cdef uint64_t path = king_path | BETWEEN[rook_sq][rook_to] | bit(rook_to)
    cdef uint64_t others = occupied_of(p) & ~(bit(king_sq) | bit(rook_sq))
    # A rook pinned on the rank shields the king until it castles (Chess960).
    return (path & others) == 0 and (king_path & s.danger) == 0 and (s.pinned & bit(rook_sq)) == 0


cdef inline int count_castlings(const Position* p, int us, const Scan* s) noexcept nogil:
    cdef uint64_t rooks = p.castling & p.by_colour[us]
    cdef int n = 0, king_sq
    if s.checkers:
        return 0
    king_sq = lsb(pieces(p, us, KING))
    while rooks:
        n += castling_is_legal(p, s, king_sq, pop_lsb(&rooks))
    return n


cdef inline int count_en_passant(const Position* p, int us) noexcept nogil:
    cdef uint64_t takers = PAWN_ATTACKS[us ^ 1][p.ep_sq] & pieces(p, us, PAWN)
    cdef int n = 0
    while takers:
        n += ep_is_legal(p, pop_lsb(&takers), p.ep_sq)
    return n


cdef inline int count_pawns(const Position* p, int us, const Scan* s) noexcept nogil:
    cdef uint64_t pawns = pieces(p, us, PAWN), empty = ~occupied_of(p)
    cdef uint64_t enemy = p.by_colour[us ^ 1] & s.check_mask, free = ~s.pinned
    cdef uint64_t steps = pawns & (free | s.pin_line[0])
    cdef uint64_t rising = pawns & (free | s.pin_line[2])
    cdef uint64_t falling = pawns & (free | s.pin_line[3])
    cdef uint64_t doubles, last
    cdef int n
    if us == WHITE:
        steps = steps << 8 & empty
        doubles = (steps & RANK_3) << 8
        rising = (rising & NOT_H) << 9 & enemy
        falling = (falling & NOT_A) << 7 & enemy
        last = RANK_8
    else:
        steps = steps >> 8 & empty
        doubles = (steps & RANK_6) >> 8
        rising = (rising & NOT_A) >> 9 & enemy
        falling = (falling & NOT_H) >> 7 & enemy
        last = RANK_1
    steps &= s.check_mask
    n = popcount(steps | (doubles & empty & s.check_mask)) + popcount(rising) + popcount(falling)
    if (steps | rising | falling) & last:
        n += 3 * (popcount(steps & last) + popcount(rising & last) + popcount(falling & last))
    return n


cdef inline int count_walk(const Position* p, int us, const Scan* s, int limit, int n) noexcept nogil:
    """Add the moves of knights and sliders to `n`, one by one, the most mobile first."""
    cdef uint64_t own = p.by_colour[us], occupied = occupied_of(p)
    cdef uint64_t targets = ~own & s.check_mask, squares, reach
    cdef int king_sq = lsb(own & p.by_type[KING]), sq, type
    for type in range(QUEEN, KNIGHT, -1):
        squares = own & p.by_type[type]
        while squares:
            sq = pop_lsb(&squares)
            reach = targets & (queen_attacks(sq, occupied) if type == QUEEN
                               else rook_attacks(sq, occupied) if type == ROOK else bishop_attacks(sq, occupied))
            if s.pinned & bit(sq):
                reach &= LINE[king_sq][sq]
            n += popcount(reach)
            if n >= limit:
                return n
    squares = own & p.by_type[KNIGHT] & ~s.pinned
    while squares:
        n += popcount(KNIGHT_ATTACKS[pop_lsb(&squares)] & targets)
    return n


cdef inline int count_lanes(const Position* p, int us, const Scan* s, Open o) noexcept nogil:
    """Number of moves of knights and sliders, all at once."""
    cdef uint64_t own = p.by_colour[us]
    cdef lanes targets = lanes_all(~own & s.check_mask)
    cdef lanes sliders = lanes_pair(own & (p.by_type[ROOK] | p.by_type[QUEEN]),
                                    own & (p.by_type[BISHOP] | p.by_type[QUEEN]))
    if s.pinned:
        sliders = lanes_and(sliders, lanes_or(lanes_all(~s.pinned), lanes_load_lines(s.pin_line)))
    return lanes_count(lanes_and(fill(sliders, o), targets),
                       lanes_and(lanes_knight(own & p.by_type[KNIGHT] & ~s.pinned), targets))


cdef inline int count_scanned(const Position* p, int us, const Scan* s, Open o, int limit) noexcept nogil:
    """Number of legal moves; exact below `limit`, else any number of at least `limit`."""
    cdef uint64_t own = p.by_colour[us]
    cdef int n = popcount(KING_ATTACKS[lsb(own & p.by_type[KING])] & ~own & ~s.danger)
    if more_than_one(s.checkers):
        return n
    n += count_pawns(p, us, s)
    if p.castling & own:
        n += count_castlings(p, us, s)
    if p.ep_sq != NO_SQUARE:
        n += count_en_passant(p, us)
    if n >= limit:
        return n
    if HAVE_LANES:
        return n + count_lanes(p, us, s, o)
    return count_walk(p, us, s, limit, n)


cdef inline int count_moves(const Position* p, int us, uint64_t* checkers) noexcept nogil:
    """Number of legal moves, and the checkers, of a position that has not been scanned."""
    cdef Scan s
    cdef Open o
    if HAVE_LANES:
        o = open_squares(occupied_of(p))
        scan_lanes(p, us, o, &s)
    else:
        o.by_1 = lanes_all(0)
        scan_walk(p, us, &s)
    checkers[0] = s.checkers
    return count_scanned(p, us, &s, o, 1 << 30)
