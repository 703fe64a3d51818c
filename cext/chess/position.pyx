"""Making moves on an orthodox position: copy, then change the copy (CPW: Copy-Make)."""

from libc.string cimport memcpy

from ..base.attacks cimport KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, bishop_attacks, rook_attacks
from ..base.bits cimport bit, lsb, pop_lsb, rank_mask
from ..base.types cimport *
from ..base.zobrist cimport CASTLING_KEYS, EP_KEYS, PIECE_KEYS, STM_KEY


cdef inline void place(Position* p, int piece, int sq) noexcept nogil:
    p.by_type[piece_type_of(piece)] |= bit(sq)
    p.by_colour[colour_of(piece)] |= bit(sq)
    p.mailbox[sq] = <uint8_t> piece


cdef inline void lift(Position* p, int piece, int sq) noexcept nogil:
    p.by_type[piece_type_of(piece)] &= ~bit(sq)
    p.by_colour[colour_of(piece)] &= ~bit(sq)
    p.mailbox[sq] = 0


cdef inline bint in_pawn_key(int piece) noexcept nogil:
    return piece_type_of(piece) == PAWN or piece_type_of(piece) == KING


cdef uint64_t attackers(const Position* p, int sq, uint64_t occupied) noexcept nogil:
    cdef uint64_t straight = p.by_type[ROOK] | p.by_type[QUEEN]
    cdef uint64_t diagonal = p.by_type[BISHOP] | p.by_type[QUEEN]
    return ((PAWN_ATTACKS[WHITE][sq] & p.by_type[PAWN] & p.by_colour[BLACK])
            | (PAWN_ATTACKS[BLACK][sq] & p.by_type[PAWN] & p.by_colour[WHITE])
            | (KNIGHT_ATTACKS[sq] & p.by_type[KNIGHT])
            | (KING_ATTACKS[sq] & p.by_type[KING])
            | (rook_attacks(sq, occupied) & straight)
            | (bishop_attacks(sq, occupied) & diagonal))


cdef bint ep_is_legal(const Position* p, int from_sq, int ep_sq) noexcept nogil:
    cdef int us = p.stm
    cdef uint64_t taken = bit(ep_sq ^ 8)
    cdef uint64_t after = (occupied_of(p) ^ bit(from_sq) ^ taken) | bit(ep_sq)
    cdef int king_sq = lsb(pieces(p, us, KING))
    return attackers(p, king_sq, after) & p.by_colour[us ^ 1] & ~taken == 0


cdef void set_ep(Position* p, int ep_sq) noexcept nogil:
    """Record a double step only if the side to move can capture en passant.

    Positions with the same moves then have the same key, which repetition requires.
    """
    cdef uint64_t takers = PAWN_ATTACKS[p.stm ^ 1][ep_sq] & pieces(p, p.stm, PAWN)
    while takers:
        if ep_is_legal(p, pop_lsb(&takers), ep_sq):
            p.ep_sq = <uint8_t> ep_sq
            p.key ^= EP_KEYS[ep_sq]
            return


cdef void drop_castling(Position* p, uint64_t lost) noexcept nogil:
    lost &= p.castling
    p.castling ^= lost
    while lost:
        p.key ^= CASTLING_KEYS[pop_lsb(&lost)]


cdef void castle(Position* p, Move move) noexcept nogil:
    cdef int us = p.stm
    cdef int king = piece_of(us, KING)
    cdef int rook = piece_of(us, ROOK)
    cdef int rook_from = move_via(move)
    cdef int rook_to = move_to(move) + (1 if rook_from < move_from(move) else -1)
    # In Chess960 the squares may overlap, so remove both pieces before placing either.
    lift(p, king, move_from(move))
    lift(p, rook, rook_from)
    place(p, king, move_to(move))
    place(p, rook, rook_to)
    cdef uint64_t king_keys = PIECE_KEYS[king][move_from(move)] ^ PIECE_KEYS[king][move_to(move)]
    cdef uint64_t keys = king_keys ^ PIECE_KEYS[rook][rook_from] ^ PIECE_KEYS[rook][rook_to]
    p.pawn_key ^= king_keys
    p.key ^= keys
    p.non_pawn_keys[us] ^= keys
    drop_castling(p, rank_mask(move_from(move) >> 3))


cdef inline void take(Position* p, int sq) noexcept nogil:
    cdef int piece = p.mailbox[sq]
    lift(p, piece, sq)
    p.key ^= PIECE_KEYS[piece][sq]
    p.material_key -= <uint64_t> 1 << 4 * piece
    if piece_type_of(piece) == PAWN:
        p.pawn_key ^= PIECE_KEYS[piece][sq]
    else:
        p.non_pawn_keys[colour_of(piece)] ^= PIECE_KEYS[piece][sq]
    p.clock = 0


cdef void promote(Position* p, int pawn, Move move) noexcept nogil:
    cdef int to_sq = move_to(move)
    cdef int piece = piece_of(p.stm, move_promotion(move))
    lift(p, pawn, to_sq)
    place(p, piece, to_sq)
    p.key ^= PIECE_KEYS[pawn][to_sq] ^ PIECE_KEYS[piece][to_sq]
    p.pawn_key ^= PIECE_KEYS[pawn][to_sq]
    p.non_pawn_keys[p.stm] ^= PIECE_KEYS[piece][to_sq]
    p.material_key += (<uint64_t> 1 << 4 * piece) - (<uint64_t> 1 << 4 * pawn)


cdef void make_move(const Position* source, Position* target, Move move) noexcept nogil:
    cdef Position* p = target
    cdef int from_sq = move_from(move), to_sq = move_to(move), kind = move_kind(move)
    cdef int piece = source.mailbox[from_sq]
    cdef uint64_t moved = bit(from_sq) | bit(to_sq), piece_keys
    memcpy(target, source, sizeof(Position))
    p.key ^= STM_KEY[0]
    p.clock += p.clock < CLOCK_MAX
    if p.ep_sq != NO_SQUARE:
        p.key ^= EP_KEYS[p.ep_sq]
        p.ep_sq = NO_SQUARE
    if kind == CASTLING:
        castle(p, move)
        p.stm ^= 1
        return

    if p.mailbox[to_sq]:
        take(p, to_sq)
    elif kind == EN_PASSANT:
        take(p, move_via(move))
    p.by_type[piece_type_of(piece)] ^= moved
    p.by_colour[p.stm] ^= moved
    p.mailbox[from_sq] = 0
    p.mailbox[to_sq] = <uint8_t> piece
    piece_keys = PIECE_KEYS[piece][from_sq] ^ PIECE_KEYS[piece][to_sq]
    p.key ^= piece_keys
    if in_pawn_key(piece):
        p.pawn_key ^= piece_keys
    if p.castling:
        # A king that moves loses both castling rights of its side.
        if piece_type_of(piece) == KING:
            moved |= p.by_colour[p.stm] & rank_mask(7 * p.stm)
        if p.castling & moved:
            drop_castling(p, moved)
    if piece_type_of(piece) == PAWN:
        p.clock = 0
        if kind == PROMOTION:
            promote(p, piece, move)
        p.stm ^= 1
        if kind == DOUBLE_STEP:
            set_ep(p, (from_sq + to_sq) >> 1)
    else:
        p.non_pawn_keys[p.stm] ^= piece_keys
        p.stm ^= 1


cdef void make_null_move(const Position* source, Position* target) noexcept nogil:
    memcpy(target, source, sizeof(Position))
    target.key ^= STM_KEY[0]
    target.clock += target.clock < CLOCK_MAX
    target.stm ^= 1
    if target.ep_sq != NO_SQUARE:
        target.key ^= EP_KEYS[target.ep_sq]
        target.ep_sq = NO_SQUARE


cdef void refresh_keys(Position* p) noexcept nogil:
    cdef int sq, piece
    cdef uint64_t rooks = p.castling
    p.key = STM_KEY[0] if p.stm == BLACK else 0
    p.pawn_key = 0
    p.material_key = 0
    p.non_pawn_keys[0] = p.non_pawn_keys[1] = 0
    for sq in range(64):
        piece = p.mailbox[sq]
        if piece == 0:
            continue
        p.key ^= PIECE_KEYS[piece][sq]
        p.material_key += <uint64_t> 1 << 4 * piece
        if in_pawn_key(piece):
            p.pawn_key ^= PIECE_KEYS[piece][sq]
        if piece_type_of(piece) != PAWN:
            p.non_pawn_keys[colour_of(piece)] ^= PIECE_KEYS[piece][sq]
    while rooks:
        p.key ^= CASTLING_KEYS[pop_lsb(&rooks)]
    if p.ep_sq != NO_SQUARE:
        p.key ^= EP_KEYS[p.ep_sq]
