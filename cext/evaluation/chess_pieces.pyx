"""Attack maps, which are computed once, and every term based on them.

`us` is a constant wherever the inline functions below are used, so each colour gets its own code; `Tracing` keeps
tracing out of the code for the search.
"""

from libc.string cimport memset

from ..base.attacks cimport DISTANCE, KING_ATTACKS, KNIGHT_ATTACKS, bishop_attacks, rook_attacks
from ..base.bits cimport *
from .chess_pawns cimport PawnEntry, fill_forward, relative_rank, shift_forward
from ..chess.position cimport Position, occupied_of, pieces
from ..chess.legal_count cimport pawn_attack_set
from .chess_weights cimport *
from ..base.types cimport *

cdef extern from *:
    const uint64_t HALF "0x00000000ffffffffULL"            # White's half of the board
    const uint64_t CENTRE_FILES "0x3c3c3c3c3c3c3c3cULL"

cdef uint64_t[8] FLANKS               # the files of the king's wing, by the king's file


cdef void fill_flanks() noexcept nogil:
    cdef int file, middle, i
    for file in range(8):
        middle = min(max(file, 2), 5)
        FLANKS[file] = 0
        for i in range(middle - 2, middle + 3):
            FLANKS[file] |= FILE_A << i


fill_flanks()


# ---- attack maps ----

cdef struct Maps:                     # the attacks of both sides, and sets derived from them
    const Position* p
    const PawnEntry* pawns
    uint64_t occupied
    uint64_t attacked[2]              # squares attacked by any piece
    uint64_t twice[2]                 # squares attacked by two or more pieces
    uint64_t by_type[2][6]            # squares attacked by each piece type
    uint64_t zone[2]                  # squares around the king that attackers aim at
    uint64_t targets[2]               # squares that count as mobility
    int king_sq[2]
    int danger[2]                     # units of attack on this king
    int attackers[2]                  # pieces that reach its zone


cdef inline void open_maps(Maps* m, int us) noexcept nogil:
    """Set the attacks of the king and pawns of `us`, and the squares that count as its mobility."""
    cdef int king_sq = lsb(pieces(m.p, us, KING))
    cdef int zone_sq = min(max(rank_of(king_sq), 1), 6) * 8 + min(max(file_of(king_sq), 1), 6)
    cdef uint64_t king = KING_ATTACKS[king_sq], pawns = m.pawns.attacks[us], own_pawns = pieces(m.p, us, PAWN)
    cdef uint64_t stuck = own_pawns & (shift_forward(m.occupied, us ^ 1) | (RANK_2 | RANK_3 if us == WHITE
                                                                            else RANK_7 | RANK_6))
    m.king_sq[us] = king_sq
    m.by_type[us][PAWN] = pawns
    m.by_type[us][KING] = king
    m.attacked[us] = king | pawns
    # Both pawns can attack a square that lies between them.
    m.twice[us] = (king & pawns) | (pawn_attack_set(own_pawns & NOT_A, us) & pawn_attack_set(own_pawns & NOT_H, us)
                                    & pawns)
    m.zone[us] = KING_ATTACKS[zone_sq] | bit(zone_sq)
    m.targets[us] = ~(stuck | bit(king_sq) | m.pawns.attacks[us ^ 1])
    m.danger[us] = 0
    m.attackers[us] = 0


cdef inline void note_attacks(Maps* m, int us, int type, uint64_t reach, Tracing* t) noexcept nogil:
    cdef uint64_t hits = reach & m.zone[us ^ 1]
    m.twice[us] |= m.attacked[us] & reach
    m.attacked[us] |= reach
    m.by_type[us][type] |= reach
    if hits:
        m.attackers[us ^ 1] += 1
        m.danger[us ^ 1] += danger(t, us ^ 1, D_ATTACKER + type - KNIGHT, 1)
        m.danger[us ^ 1] += danger(t, us ^ 1, D_RING, popcount(hits))


# ---- pieces ----

cdef inline int evaluate_minors(Maps* m, int us, Tracing* t) noexcept nogil:
    cdef uint64_t knights = pieces(m.p, us, KNIGHT), bishops = pieces(m.p, us, BISHOP)
    cdef uint64_t own_pawns = pieces(m.p, us, PAWN)
    cdef uint64_t posts = m.pawns.attacks[us] & ~m.pawns.spans[us ^ 1]
    cdef uint64_t through = m.occupied ^ pieces(m.p, us, QUEEN), reach
    cdef int sq, score = 0
    posts &= RANK_4 | RANK_5 | RANK_6 if us == WHITE else RANK_5 | RANK_4 | RANK_3
    score += term(t, us, W_OUTPOST, popcount(knights & posts))
    score += term(t, us, W_OUTPOST + 1, popcount(bishops & posts))
    score += term(t, us, W_BEHIND_PAWN, popcount((knights | bishops) & shift_forward(m.p.by_type[PAWN], us ^ 1)))
    if bishops & DARK_SQUARES and bishops & ~DARK_SQUARES:
        score += term(t, us, W_BISHOP_PAIR, 1)
    if bishops & DARK_SQUARES:
        score += term(t, us, W_BAD_BISHOP, popcount(own_pawns & DARK_SQUARES))
    if bishops & ~DARK_SQUARES:
        score += term(t, us, W_BAD_BISHOP, popcount(own_pawns & ~DARK_SQUARES))
    while knights:
        sq = pop_lsb(&knights)
        reach = KNIGHT_ATTACKS[sq]
        score += term(t, us, W_FAR_FROM_KING, DISTANCE[m.king_sq[us]][sq])
        note_attacks(m, us, KNIGHT, reach, t)
        score += term(t, us, W_KNIGHT_MOBILITY + popcount(reach & m.targets[us]), 1)
    while bishops:
        sq = pop_lsb(&bishops)
        reach = bishop_attacks(sq, through)
        score += term(t, us, W_FAR_FROM_KING + 1, DISTANCE[m.king_sq[us]][sq])
        note_attacks(m, us, BISHOP, reach, t)
        score += term(t, us, W_BISHOP_MOBILITY + popcount(reach & m.targets[us]), 1)
    return score


cdef inline int evaluate_majors(Maps* m, int us, Tracing* t) noexcept nogil:
    cdef uint64_t rooks = pieces(m.p, us, ROOK), queens = pieces(m.p, us, QUEEN), own_pawns = pieces(m.p, us, PAWN)
    cdef uint64_t through = m.occupied ^ (rooks | queens), reach, file
    cdef int sq, score = 0
    while rooks:
        sq = pop_lsb(&rooks)
        reach = rook_attacks(sq, through)
        note_attacks(m, us, ROOK, reach, t)
        score += term(t, us, W_ROOK_MOBILITY + popcount(reach & m.targets[us]), 1)
        file = FILE_A << file_of(sq)
        if file & own_pawns == 0:
            score += term(t, us, W_ROOK_OPEN + (file & m.p.by_type[PAWN] == 0), 1)
    while queens:
        sq = pop_lsb(&queens)
        reach = rook_attacks(sq, m.occupied) | bishop_attacks(sq, m.occupied)
        note_attacks(m, us, QUEEN, reach, t)
        score += term(t, us, W_QUEEN_MOBILITY + popcount(reach & m.targets[us]), 1)
    return score


# ---- king safety ----

cdef inline int evaluate_king(Maps* m, int us, Tracing* t) noexcept nogil:
    """Penalty for the attack on the king of `us`; 0 or negative."""
    cdef int them = us ^ 1, units = m.danger[us]
    cdef uint64_t weak, safe, checks, straight, diagonal, unsafe = 0
    cdef uint64_t through = m.occupied ^ pieces(m.p, us, QUEEN)
    if m.attackers[us] < 2 - (pieces(m.p, them, QUEEN) != 0):
        if Tracing is Trace:
            memset(&t.danger[us][0], 0, sizeof(t.danger[us]))
        return 0
    weak = m.attacked[them] & ~m.twice[us] & (~m.attacked[us] | m.by_type[us][KING] | m.by_type[us][QUEEN])
    safe = ~m.p.by_colour[them] & (~m.attacked[us] | (weak & m.twice[them]))
    units += danger(t, us, D_WEAK, popcount(m.zone[us] & weak))

    checks = KNIGHT_ATTACKS[m.king_sq[us]] & m.by_type[them][KNIGHT]
    unsafe |= checks & ~safe
    units += danger(t, us, D_CHECK, checks & safe != 0)
    straight = rook_attacks(m.king_sq[us], through)
    diagonal = bishop_attacks(m.king_sq[us], through)
    checks = diagonal & m.by_type[them][BISHOP]
    unsafe |= checks & ~safe
    units += danger(t, us, D_CHECK + 1, checks & safe != 0)
    checks = straight & m.by_type[them][ROOK]
    unsafe |= checks & ~safe
    units += danger(t, us, D_CHECK + 2, checks & safe != 0)
    checks = (straight | diagonal) & m.by_type[them][QUEEN]
    units += danger(t, us, D_CHECK + 3, checks & safe & ~m.by_type[us][QUEEN] != 0)

    units += danger(t, us, D_UNSAFE_CHECK, popcount(unsafe & ~m.p.by_colour[them]))
    units += danger(t, us, D_NO_QUEEN, pieces(m.p, them, QUEEN) == 0)
    units += danger(t, us, D_BASE, 1)
    units += danger(t, us, D_FLANK, popcount(m.attacked[them] & FLANKS[file_of(m.king_sq[us])]
                                             & (HALF if us == WHITE else ~HALF)))
    units += danger(t, us, D_PAWN_GUARD, popcount(m.zone[us] & pieces(m.p, us, PAWN)))
    units += danger(t, us, D_MINOR_GUARD, popcount(m.zone[us] & (pieces(m.p, us, KNIGHT) | pieces(m.p, us, BISHOP))))
    return -king_cost(units)


# ---- threats ----

cdef inline int evaluate_threats(Maps* m, int us, Tracing* t) noexcept nogil:
    """Bonus for the pieces that `us` attacks."""
    cdef int them = us ^ 1, score = 0, type
    cdef const Position* p = m.p
    cdef uint64_t theirs = p.by_colour[them] & ~p.by_type[KING], non_pawns = theirs & ~p.by_type[PAWN]
    cdef uint64_t held = m.by_type[them][PAWN] | (m.twice[them] & ~m.twice[us])
    cdef uint64_t weak = theirs & ~held & m.attacked[us]
    cdef uint64_t pushes, hit

    hit = non_pawns & m.by_type[us][PAWN]
    if hit:
        for type in range(KNIGHT, KING):
            score += term(t, us, W_PAWN_THREAT + type - KNIGHT, popcount(hit & p.by_type[type]))
    pushes = shift_forward(pieces(p, us, PAWN), us) & ~m.occupied
    pushes |= shift_forward(pushes & (RANK_3 if us == WHITE else RANK_6), us) & ~m.occupied
    pushes &= ~m.by_type[them][PAWN] & (m.attacked[us] | ~m.attacked[them])
    score += term(t, us, W_PUSH_THREAT, popcount(pawn_attack_set(pushes, us) & non_pawns))

    hit = (weak | non_pawns) & (m.by_type[us][KNIGHT] | m.by_type[us][BISHOP])
    if hit:
        for type in range(PAWN, KING):
            score += term(t, us, W_MINOR_THREAT + type, popcount(hit & p.by_type[type]))
    hit = (weak | (theirs & p.by_type[QUEEN])) & m.by_type[us][ROOK]
    if hit:
        for type in range(PAWN, KING):
            score += term(t, us, W_ROOK_THREAT + type, popcount(hit & p.by_type[type]))
    score += term(t, us, W_RESTRICTED, popcount(m.attacked[us] & m.attacked[them] & ~held & ~p.by_colour[them]))
    if weak:
        score += term(t, us, W_KING_THREAT, popcount(weak & m.by_type[us][KING]))
        score += term(t, us, W_HANGING, popcount(weak & (~m.attacked[them] | (non_pawns & m.twice[us]))))
    return score


# ---- passed pawns, space ----

cdef inline int evaluate_passed(Maps* m, int us, Tracing* t) noexcept nogil:
    """Bonus for the path of the passed pawns of `us`; chess_pawns scores their rank."""
    cdef int them = us ^ 1, score = 0, sq, rank, stop_sq
    cdef uint64_t passed = m.pawns.passed & m.p.by_colour[us], stop, behind
    while passed:
        sq = pop_lsb(&passed)
        rank = relative_rank(sq, us) - 1
        stop_sq = sq + 8 if us == WHITE else sq - 8
        stop = bit(stop_sq)
        score += term(t, us, W_PASSED_OUR_KING + rank, DISTANCE[m.king_sq[us]][stop_sq])
        score += term(t, us, W_PASSED_THEIR_KING + rank, DISTANCE[m.king_sq[them]][stop_sq])
        if stop & m.occupied == 0:
            score += term(t, us, W_PASSED_FREE + rank, 1)
            if fill_forward(stop, us) & (m.attacked[them] | m.p.by_colour[them]) == 0:
                score += term(t, us, W_PASSED_SAFE + rank, 1)
        behind = fill_forward(bit(sq), them) & m.p.by_type[ROOK]
        if behind:
            score += term(t, us, W_ROOK_BEHIND, behind & m.p.by_colour[us] != 0)
            score += term(t, us, W_ROOK_BEHIND + 1, behind & m.p.by_colour[them] != 0)
        if stop & m.attacked[us]:
            score += term(t, us, W_PASSED_ESCORT + rank, 1)
    return score


cdef inline int evaluate_space(Maps* m, int us, Tracing* t) noexcept nogil:
    """Bonus for central squares on our side that no enemy pawn attacks."""
    cdef uint64_t area = CENTRE_FILES & (RANK_2 | RANK_3 | RANK_4 if us == WHITE else RANK_7 | RANK_6 | RANK_5)
    return term(t, us, W_SPACE, popcount(area & ~pieces(m.p, us, PAWN) & ~m.by_type[us ^ 1][PAWN]))


# ---- the whole ----

cdef inline int evaluate_pieces(const Position* p, const PawnEntry* pawns, Tracing* t) noexcept nogil:
    """Everything that depends on attacks; packed, White's view."""
    cdef Maps m
    cdef int type, score
    m.p = p
    m.pawns = pawns
    m.occupied = occupied_of(p)
    for type in range(KNIGHT, KING):
        m.by_type[WHITE][type] = m.by_type[BLACK][type] = 0
    open_maps(&m, WHITE)
    open_maps(&m, BLACK)
    score = evaluate_minors(&m, WHITE, t) - evaluate_minors(&m, BLACK, t)
    score += evaluate_majors(&m, WHITE, t) - evaluate_majors(&m, BLACK, t)
    score += evaluate_king(&m, WHITE, t) - evaluate_king(&m, BLACK, t)
    score += evaluate_threats(&m, WHITE, t) - evaluate_threats(&m, BLACK, t)
    score += evaluate_space(&m, WHITE, t) - evaluate_space(&m, BLACK, t)
    if pawns.passed:
        score += evaluate_passed(&m, WHITE, t) - evaluate_passed(&m, BLACK, t)
    if p.castling:
        score += term(t, WHITE, W_CASTLING, popcount(p.castling & RANK_1))
        score -= term(t, BLACK, W_CASTLING, popcount(p.castling & RANK_8))
    if p.stm == WHITE:
        score += term(t, WHITE, W_TEMPO, 1)
    else:
        score -= term(t, BLACK, W_TEMPO, 1)
    return score


cdef int score_pieces(const Position* p, const PawnEntry* pawns) noexcept nogil:
    return evaluate_pieces[Untraced](p, pawns, NULL)


cdef int trace_pieces(const Position* p, const PawnEntry* pawns, Trace* trace) noexcept nogil:
    return evaluate_pieces[Trace](p, pawns, trace)
