"""Legal move generation by masks, without making moves to test them (CPW: Legal Move Generation, Checks and Pinned
Pieces).
"""

from ..base.attacks cimport (BETWEEN, KING_ATTACKS, KNIGHT_ATTACKS, LINE, PAWN_ATTACKS, bishop_attacks, queen_attacks,
                             rook_attacks)
from ..base.bits cimport *
from .position cimport Position, ep_is_legal, occupied_of, pieces
from .legal_count cimport Open, Scan, castling_is_legal, count_moves, count_scanned, open_squares, pawn_attack_set, scan
from ..base.types cimport *


cdef void scan_position(const Position* p, Scan* s) noexcept nogil:
    if p.stm == WHITE:
        scan(p, WHITE, s)
    else:
        scan(p, BLACK, s)


cdef int count(const Position* p, uint64_t* checkers) noexcept nogil:
    if p.stm == WHITE:
        return count_moves(p, WHITE, checkers)
    return count_moves(p, BLACK, checkers)


cdef int count_below(const Position* p, const Scan* s, int limit) noexcept nogil:
    cdef Open o = open_squares(occupied_of(p))
    if p.stm == WHITE:
        return count_scanned(p, WHITE, s, o, limit)
    return count_scanned(p, BLACK, s, o, limit)


cdef int keep_goal(const Position* p, const Scan* s, int limit, uint64_t* kept) noexcept nogil:
    cdef int most = (limit + 1) >> 1, moves = count_below(p, s, most)
    cdef int code = 2 * moves + (s.checkers == 0)
    kept[0] = p.key >> KEPT_SHIFT << KEPT_SHIFT | code | (KEPT_EXACT if moves < most else 0)
    return code


cdef inline Move* put_promotions(Move* out, uint64_t targets, int delta) noexcept nogil:
    cdef int to_sq, type
    while targets:
        to_sq = pop_lsb(&targets)
        for type in range(QUEEN, PAWN, -1):
            out[0] = pack_move(to_sq - delta, to_sq, 0, type, PROMOTION)
            out += 1
    return out


cdef inline Move* put_en_passant(const Position* p, int us, Move* out) noexcept nogil:
    cdef uint64_t takers = PAWN_ATTACKS[us ^ 1][p.ep_sq] & pieces(p, us, PAWN)
    cdef int from_sq
    while takers:
        from_sq = pop_lsb(&takers)
        if ep_is_legal(p, from_sq, p.ep_sq):
            out[0] = pack_move(from_sq, p.ep_sq, p.ep_sq ^ 8, 0, EN_PASSANT)
            out += 1
    return out


cdef inline Move* put_pawns(const Position* p, int us, const Scan* s, int stage, Move* out) noexcept nogil:
    cdef uint64_t pawns = pieces(p, us, PAWN), empty = ~occupied_of(p)
    cdef uint64_t enemy = p.by_colour[us ^ 1] & s.check_mask, free = ~s.pinned
    cdef uint64_t last = RANK_8 if us == WHITE else RANK_1
    cdef uint64_t steps = pawns & (free | s.pin_line[0])
    cdef uint64_t rising = pawns & (free | s.pin_line[2])
    cdef uint64_t falling = pawns & (free | s.pin_line[3])
    cdef uint64_t doubles
    cdef int forward = 8 if us == WHITE else -8
    cdef int rise = 9 if us == WHITE else -9
    cdef int fall = 7 if us == WHITE else -7
    if us == WHITE:
        steps = steps << 8 & empty
        doubles = (steps & RANK_3) << 8
        rising = (rising & NOT_H) << 9 & enemy
        falling = (falling & NOT_A) << 7 & enemy
    else:
        steps = steps >> 8 & empty
        doubles = (steps & RANK_6) >> 8
        rising = (rising & NOT_A) >> 9 & enemy
        falling = (falling & NOT_H) >> 7 & enemy
    steps &= s.check_mask
    if stage != QUIET:
        if (steps | rising | falling) & last:
            out = put_promotions(out, rising & last, rise)
            out = put_promotions(out, falling & last, fall)
            out = put_promotions(out, steps & last, forward)
        out = put_pawn_moves(out, rising & ~last, rise, 0)
        out = put_pawn_moves(out, falling & ~last, fall, 0)
        if p.ep_sq != NO_SQUARE:
            out = put_en_passant(p, us, out)
    if stage != NOISY:
        doubles &= empty & s.check_mask
        out = put_pawn_moves(out, steps & ~last, forward, 0)
        out = put_pawn_moves(out, doubles, 2 * forward, <Move> DOUBLE_STEP << KIND_SHIFT)
    return out


cdef inline Move* put_castlings(const Position* p, int us, const Scan* s, Move* out) noexcept nogil:
    cdef uint64_t rooks = p.castling & p.by_colour[us]
    cdef int king_sq = lsb(pieces(p, us, KING)), rook_sq
    while rooks:
        rook_sq = pop_lsb(&rooks)
        if castling_is_legal(p, s, king_sq, rook_sq):
            out[0] = pack_move(king_sq, (king_sq & 56) + (2 if rook_sq < king_sq else 6), rook_sq, 0, CASTLING)
            out += 1
    return out


cdef inline int generate_for(const Position* p, int us, const Scan* s, int stage, Move* out) noexcept nogil:
    cdef Move* start = out
    cdef uint64_t own = p.by_colour[us], occupied = occupied_of(p), free = own & ~s.pinned
    cdef uint64_t bound = own & s.pinned, targets, squares
    cdef int king_sq = lsb(own & p.by_type[KING]), sq
    targets = p.by_colour[us ^ 1] if stage == NOISY else ~occupied if stage == QUIET else ~own
    out = put_moves(out, KING_ATTACKS[king_sq] & targets & ~s.danger, <Move> king_sq)
    if more_than_one(s.checkers):
        return <int> (out - start)
    if stage != NOISY and p.castling & own and not s.checkers:
        out = put_castlings(p, us, s, out)
    targets &= s.check_mask
    out = put_pawns(p, us, s, stage, out)
    squares = free & p.by_type[KNIGHT]
    while squares:
        sq = pop_lsb(&squares)
        out = put_moves(out, KNIGHT_ATTACKS[sq] & targets, <Move> sq)
    squares = free & (p.by_type[BISHOP] | p.by_type[QUEEN])
    while squares:
        sq = pop_lsb(&squares)
        out = put_moves(out, bishop_attacks(sq, occupied) & targets, <Move> sq)
    squares = free & (p.by_type[ROOK] | p.by_type[QUEEN])
    while squares:
        sq = pop_lsb(&squares)
        out = put_moves(out, rook_attacks(sq, occupied) & targets, <Move> sq)
    squares = bound & (p.by_type[BISHOP] | p.by_type[ROOK] | p.by_type[QUEEN])
    while squares:
        sq = pop_lsb(&squares)
        out = put_moves(out, reach_of(p, sq, occupied) & LINE[king_sq][sq] & targets, <Move> sq)
    return <int> (out - start)


cdef inline uint64_t reach_of(const Position* p, int sq, uint64_t occupied) noexcept nogil:
    """Squares that a piece other than a pawn attacks."""
    cdef int type = piece_type_of(p.mailbox[sq])
    if type == KNIGHT:
        return KNIGHT_ATTACKS[sq]
    if type == BISHOP:
        return bishop_attacks(sq, occupied)
    if type == ROOK:
        return rook_attacks(sq, occupied)
    if type == QUEEN:
        return queen_attacks(sq, occupied)
    return KING_ATTACKS[sq]


cdef inline uint64_t discovered_checkers(const Position* p, int us, int target_sq, uint64_t occupied) noexcept nogil:
    """Our pieces that are the only piece between one of our sliders and the enemy king."""
    cdef uint64_t own = p.by_colour[us], found = 0
    cdef uint64_t snipers = (
        (rook_attacks(target_sq, 0) & own & (p.by_type[ROOK] | p.by_type[QUEEN]))
        | (bishop_attacks(target_sq, 0) & own & (p.by_type[BISHOP] | p.by_type[QUEEN])))
    cdef uint64_t between
    while snipers:
        between = BETWEEN[target_sq][pop_lsb(&snipers)] & occupied
        if between and not more_than_one(between):
            found |= between & own
    return found


cdef inline Move* put_pawn_checks(const Position* p, int us, const Scan* s, uint64_t unmask, int target_sq,
                                  Move* out) noexcept nogil:
    cdef uint64_t empty = ~occupied_of(p) & ~(RANK_8 if us == WHITE else RANK_1), doubles, single
    cdef uint64_t pawns = pieces(p, us, PAWN) & (~s.pinned | s.pin_line[0])
    cdef uint64_t aim = PAWN_ATTACKS[us ^ 1][target_sq] & s.check_mask
    cdef int forward = 8 if us == WHITE else -8, sq
    cdef uint64_t steps = (pawns << 8 if us == WHITE else pawns >> 8) & empty
    doubles = ((steps & RANK_3) << 8 if us == WHITE else (steps & RANK_6) >> 8) & empty
    unmask &= pawns
    while unmask:
        sq = pop_lsb(&unmask)
        single = bit(sq + forward) & steps & ~LINE[target_sq][sq]
        out = put_pawn_moves(out, single & s.check_mask & ~aim, forward, 0)
    out = put_pawn_moves(out, steps & aim, forward, 0)
    return put_pawn_moves(out, doubles & aim, 2 * forward, <Move> DOUBLE_STEP << KIND_SHIFT)


cdef inline int generate_checks(const Position* p, int us, const Scan* s, Move* out) noexcept nogil:
    """Quiet moves that give check, except castling and discovered checks by a double step."""
    cdef Move* start = out
    cdef uint64_t own = p.by_colour[us], occupied = occupied_of(p), targets = ~occupied & s.check_mask
    cdef int king_sq = lsb(own & p.by_type[KING]), target_sq = lsb(pieces(p, us ^ 1, KING)), sq, type
    cdef uint64_t unmask = discovered_checkers(p, us, target_sq, occupied), reach, squares
    cdef uint64_t[5] aims
    aims[KNIGHT] = KNIGHT_ATTACKS[target_sq]
    aims[BISHOP] = bishop_attacks(target_sq, occupied)
    aims[ROOK] = rook_attacks(target_sq, occupied)
    aims[QUEEN] = aims[BISHOP] | aims[ROOK]
    if unmask & bit(king_sq):
        out = put_moves(out, KING_ATTACKS[king_sq] & ~occupied & ~s.danger & ~LINE[target_sq][king_sq],
                        <Move> king_sq)
    if more_than_one(s.checkers):
        return <int> (out - start)
    out = put_pawn_checks(p, us, s, unmask, target_sq, out)
    squares = own & ~p.by_type[PAWN] & ~p.by_type[KING]
    while squares:
        sq = pop_lsb(&squares)
        type = piece_type_of(p.mailbox[sq])
        reach = aims[type] & targets
        if unmask & bit(sq):
            reach |= targets & ~LINE[target_sq][sq]
        if not reach:
            continue
        reach &= reach_of(p, sq, occupied)
        if s.pinned & bit(sq):
            reach &= LINE[king_sq][sq]
        out = put_moves(out, reach, <Move> sq)
    return <int> (out - start)


cdef int generate(const Position* p, const Scan* s, int stage, Move* out) noexcept nogil:
    if stage == QUIET_CHECKS:
        return generate_checks(p, WHITE, s, out) if p.stm == WHITE else generate_checks(p, BLACK, s, out)
    if p.stm == WHITE:
        if stage == ALL_MOVES:
            return generate_for(p, WHITE, s, ALL_MOVES, out)
        if stage == NOISY:
            return generate_for(p, WHITE, s, NOISY, out)
        return generate_for(p, WHITE, s, QUIET, out)
    if stage == ALL_MOVES:
        return generate_for(p, BLACK, s, ALL_MOVES, out)
    if stage == NOISY:
        return generate_for(p, BLACK, s, NOISY, out)
    return generate_for(p, BLACK, s, QUIET, out)


cdef bint pawn_move_is_legal(const Position* p, const Scan* s, Move move) noexcept nogil:
    """Return whether a step, capture or promotion of a pawn is legal; the caller handles en passant."""
    cdef int us = p.stm, kind = move_kind(move), from_sq = move_from(move), to_sq = move_to(move)
    cdef int forward = 8 if us == WHITE else -8
    cdef bint last = rank_of(to_sq) == (7 if us == WHITE else 0)
    if last != (kind == PROMOTION):
        return False
    if kind == DOUBLE_STEP:
        return (rank_of(from_sq) == (1 if us == WHITE else 6) and to_sq == from_sq + 2 * forward
                and p.mailbox[from_sq + forward] == 0 and p.mailbox[to_sq] == 0)
    if to_sq == from_sq + forward:
        return p.mailbox[to_sq] == 0
    return PAWN_ATTACKS[us][from_sq] & bit(to_sq) & p.by_colour[us ^ 1] != 0


cdef bint castling_move_is_legal(const Position* p, const Scan* s, Move move) noexcept nogil:
    cdef int king_sq = lsb(pieces(p, p.stm, KING)), rook_sq = move_via(move)
    if rook_sq > 63 or move_from(move) != king_sq or s.checkers:
        return False
    if not p.castling & p.by_colour[p.stm] & bit(rook_sq):
        return False
    if move_to(move) != (king_sq & 56) + (2 if rook_sq < king_sq else 6):
        return False
    return castling_is_legal(p, s, king_sq, rook_sq)


cdef bint is_legal(const Position* p, const Scan* s, Move move) noexcept nogil:
    cdef int us = p.stm, kind = move_kind(move), from_sq = move_from(move), to_sq = move_to(move)
    cdef int promotion = move_promotion(move), type, king_sq
    cdef uint64_t target
    if from_sq > 63 or to_sq > 63 or kind > PROMOTION:
        return False
    if not p.by_colour[us] & bit(from_sq):
        return False
    if (KNIGHT <= promotion <= QUEEN) if kind == PROMOTION else promotion == 0:
        pass
    else:
        return False
    if kind == CASTLING:
        return castling_move_is_legal(p, s, move)
    type = piece_type_of(p.mailbox[from_sq])
    if kind == EN_PASSANT:
        return (type == PAWN and p.ep_sq != NO_SQUARE and to_sq == p.ep_sq and move_via(move) == (to_sq ^ 8)
                and PAWN_ATTACKS[us][from_sq] & bit(to_sq) != 0 and ep_is_legal(p, from_sq, to_sq))
    target = bit(to_sq)
    if move_via(move) != 0 or target & p.by_colour[us]:
        return False
    if type == KING:
        return kind == NORMAL and KING_ATTACKS[from_sq] & target & ~s.danger != 0
    if not target & s.check_mask:
        return False
    king_sq = lsb(pieces(p, us, KING))
    if s.pinned & bit(from_sq) and not LINE[king_sq][from_sq] & target:
        return False
    if type == PAWN:
        return pawn_move_is_legal(p, s, move)
    return kind == NORMAL and reach_of(p, from_sq, occupied_of(p)) & target != 0


cdef bint gives_check(const Position* p, Move move) noexcept nogil:
    cdef int us = p.stm, kind = move_kind(move), from_sq = move_from(move), to_sq = move_to(move)
    cdef int king_sq = lsb(pieces(p, us ^ 1, KING))
    cdef int type = move_promotion(move) if kind == PROMOTION else piece_type_of(p.mailbox[from_sq])
    cdef uint64_t own = p.by_colour[us] & ~bit(from_sq), occupied = (occupied_of(p) & ~bit(from_sq)) | bit(to_sq)
    cdef uint64_t straight, diagonal
    if type == PAWN and PAWN_ATTACKS[us][to_sq] & bit(king_sq):
        return True
    if type == KNIGHT and KNIGHT_ATTACKS[to_sq] & bit(king_sq):
        return True
    straight = own & (p.by_type[ROOK] | p.by_type[QUEEN])
    diagonal = own & (p.by_type[BISHOP] | p.by_type[QUEEN])
    if type == ROOK or type == QUEEN:
        straight |= bit(to_sq)
    if type == BISHOP or type == QUEEN:
        diagonal |= bit(to_sq)
    if kind == EN_PASSANT:
        occupied &= ~bit(move_via(move))
    elif kind == CASTLING:
        straight &= ~bit(move_via(move))
        occupied &= ~bit(move_via(move))
        straight |= bit(to_sq + (1 if move_via(move) < from_sq else -1))
        occupied |= straight | bit(to_sq)
    return (rook_attacks(king_sq, occupied) & straight) | (bishop_attacks(king_sq, occupied) & diagonal) != 0


cdef void describe_moves(const Position* p, const Move* moves, int count, int* marks) noexcept nogil:
    cdef uint64_t squares[KING + 1]   # squares from which a piece of this type attacks the king
    cdef uint64_t blockers, occupied = occupied_of(p)
    cdef int king_sq = lsb(pieces(p, p.stm ^ 1, KING)), first = slot_of(piece_of(p.stm, PAWN), 0), i, from_sq, type
    cdef bint check
    cdef Move move
    squares[PAWN] = PAWN_ATTACKS[p.stm ^ 1][king_sq]
    squares[KNIGHT] = KNIGHT_ATTACKS[king_sq]
    squares[BISHOP] = bishop_attacks(king_sq, occupied)
    squares[ROOK] = rook_attacks(king_sq, occupied)
    squares[QUEEN] = squares[BISHOP] | squares[ROOK]
    squares[KING] = 0
    # The first own piece on a line from the king may discover an attack by a slider behind it.
    blockers = squares[QUEEN] & p.by_colour[p.stm]
    for i in range(count):
        move = moves[i]
        from_sq = move_from(move)
        type = piece_type_of(p.mailbox[from_sq])
        if blockers & bit(from_sq) or move_kind(move) != NORMAL:
            check = gives_check(p, move)
        else:
            check = squares[type] >> move_to(move) & 1
        marks[i] = 2 * (first + 64 * type + move_to(move)) + check


cdef void weigh_threats(const Position* p, const Move* moves, int count, int* threats) noexcept nogil:
    cdef uint64_t lesser[KING + 1]    # squares that pieces worth less than this type attack
    cdef int weight[KING + 1]
    cdef uint64_t theirs = p.by_colour[p.stm ^ 1], occupied = occupied_of(p), left
    cdef int i, type
    lesser[PAWN] = lesser[KING] = 0
    lesser[BISHOP] = lesser[KNIGHT] = pawn_attack_set(theirs & p.by_type[PAWN], p.stm ^ 1)
    lesser[ROOK] = lesser[KNIGHT]
    left = theirs & p.by_type[KNIGHT]
    while left:
        lesser[ROOK] |= KNIGHT_ATTACKS[pop_lsb(&left)]
    left = theirs & p.by_type[BISHOP]
    while left:
        lesser[ROOK] |= bishop_attacks(pop_lsb(&left), occupied)
    lesser[QUEEN] = lesser[ROOK]
    left = theirs & p.by_type[ROOK]
    while left:
        lesser[QUEEN] |= rook_attacks(pop_lsb(&left), occupied)
    weight[PAWN] = weight[KING] = 0
    weight[KNIGHT] = weight[BISHOP] = 1
    weight[ROOK] = 2
    weight[QUEEN] = 4
    for i in range(count):
        type = piece_type_of(p.mailbox[move_from(moves[i])])
        threats[i] = weight[type] * (<int> (lesser[type] >> move_from(moves[i]) & 1)
                                     - <int> (lesser[type] >> move_to(moves[i]) & 1))
