"""Evaluates pawn structure set-wise; pawn by pawn only where the rank matters."""

from ..base.bits cimport *
from ..chess.position cimport Position, pieces
from ..chess.legal_count cimport pawn_attack_set
from .chess_weights cimport *
from ..base.types cimport *


cdef inline int connected(uint64_t pawns, uint64_t attacks, int us, Tracing* t) noexcept nogil:
    """Score of phalanxes and of defended pawns, both by rank."""
    cdef uint64_t phalanx = pawns & ((pawns & NOT_H) << 1 | (pawns & NOT_A) >> 1)
    cdef uint64_t supported = pawns & attacks
    cdef int score = 0
    while phalanx:
        score += term(t, us, W_PHALANX + relative_rank(pop_lsb(&phalanx), us) - 1, 1)
    while supported:
        score += term(t, us, W_SUPPORTED + relative_rank(pop_lsb(&supported), us) - 2, 1)
    return score


cdef inline int structure(PawnEntry* e, uint64_t pawns, uint64_t theirs, int us, Tracing* t) noexcept nogil:
    """Score of the pawns of `us`; the attacks and spans of both colours must be set."""
    cdef int them = us ^ 1
    cdef uint64_t in_front = fill_forward(shift_forward(pawns, us), us)
    cdef uint64_t their_front = fill_forward(shift_forward(theirs, them), them)
    cdef uint64_t files = in_front | fill_forward(pawns, them)
    cdef uint64_t opposed = pawns & their_front
    cdef uint64_t isolated = pawns & ~((files & NOT_H) << 1 | (files & NOT_A) >> 1)
    cdef uint64_t held = shift_forward(pawns, us) & e.attacks[them] & ~e.spans[us]
    cdef uint64_t backward = shift_forward(held, them) & ~isolated
    # Only the front pawn of two on a file is passed.
    cdef uint64_t passed = pawns & ~their_front & ~e.spans[them] & ~fill_forward(shift_forward(pawns, them), them)
    cdef uint64_t candidates = pawns & ~their_front & ~passed & ~fill_forward(shift_forward(pawns, them), them)
    cdef int score = connected(pawns, e.attacks[us], us, t)
    candidates &= e.attacks[us] | (pawns & NOT_H) << 1 | (pawns & NOT_A) >> 1
    e.passed |= passed
    score += term(t, us, W_DOUBLED, popcount(pawns & in_front))
    score += term(t, us, W_ISOLATED, popcount(isolated & opposed))
    score += term(t, us, W_ISOLATED + 1, popcount(isolated & ~opposed))
    score += term(t, us, W_BACKWARD, popcount(backward & opposed))
    score += term(t, us, W_BACKWARD + 1, popcount(backward & ~opposed))
    while candidates:
        score += term(t, us, W_CANDIDATE + relative_rank(pop_lsb(&candidates), us) - 1, 1)
    while passed:
        score += term(t, us, W_PASSED + relative_rank(pop_lsb(&passed), us) - 1, 1)
    return score


cdef inline int nearest_rank(uint64_t pawns, int us) noexcept nogil:
    """Rank, from our side, of the pawn nearest to our first rank; 0 if absent."""
    if pawns == 0:
        return 0
    return relative_rank(lsb(pawns) if us == WHITE else msb(pawns), us)


cdef inline int shelter(uint64_t pawns, uint64_t theirs, int king_sq, int us, Tracing* t) noexcept nogil:
    """Score of the pawns on the king's file and its neighbours, except those behind the king."""
    cdef int middle = min(max(file_of(king_sq), 1), 6), file, ours, storm, score = 0
    cdef uint64_t ahead = ALL << (king_sq & 56) if us == WHITE else ALL >> (56 - (king_sq & 56))
    for file in range(middle - 1, middle + 2):
        ours = nearest_rank(pawns & ahead & FILE_A << file, us)
        storm = nearest_rank(theirs & ahead & FILE_A << file, us)
        score += term(t, us, W_SHELTER + 7 * min(file, 7 - file) + ours, 1)
        if ours and storm == ours + 1:
            score += term(t, us, W_STORM_BLOCKED + storm, 1)
        else:
            score += term(t, us, W_STORM + storm, 1)
    return score


cdef inline void fill(PawnEntry* e, const Position* p, Tracing* t) noexcept nogil:
    cdef uint64_t white = pieces(p, WHITE, PAWN), black = pieces(p, BLACK, PAWN)
    e.key = p.pawn_key
    e.passed = 0
    e.attacks[WHITE] = pawn_attack_set(white, WHITE)
    e.attacks[BLACK] = pawn_attack_set(black, BLACK)
    e.spans[WHITE] = pawn_attack_set(fill_forward(white, WHITE), WHITE)
    e.spans[BLACK] = pawn_attack_set(fill_forward(black, BLACK), BLACK)
    e.score = structure(e, white, black, WHITE, t) - structure(e, black, white, BLACK, t)
    e.score += shelter(white, black, lsb(pieces(p, WHITE, KING)), WHITE, t)
    e.score -= shelter(black, white, lsb(pieces(p, BLACK, KING)), BLACK, t)


cdef void fill_pawns(PawnEntry* entry, const Position* p) noexcept nogil:
    fill[Untraced](entry, p, NULL)


cdef void trace_pawns(PawnEntry* entry, const Position* p, Trace* trace) noexcept nogil:
    fill[Trace](entry, p, trace)
