"""Static exchange evaluation by the swap algorithm (CPW: SEE - The Swap Algorithm)."""

from ..base.attacks cimport bishop_attacks, rook_attacks
from ..base.bits cimport bit, uint64_t
from .position cimport Position, attackers, occupied_of
from ..base.types cimport *

SEE_CP[:] = [100, 320, 330, 500, 950, 20000]


cdef inline uint64_t least_attacker(const Position* p, uint64_t side, int* type) noexcept nogil:
    cdef uint64_t found
    for type[0] in range(PAWN, KING + 1):
        found = side & p.by_type[type[0]]
        if found:
            return found & (~found + 1)
    return 0


cdef bint see_ge(const Position* p, Move move, int cp) noexcept nogil:
    cdef int from_sq = move_from(move), to_sq = move_to(move), kind = move_kind(move)
    cdef int side = p.stm, type, next_type = 0, balance = -cp
    cdef uint64_t occupied, all_attackers, ours, straight, diagonal
    if kind == CASTLING:
        return cp <= 0
    type = piece_type_of(p.mailbox[from_sq])
    if p.mailbox[to_sq]:
        balance += SEE_CP[piece_type_of(p.mailbox[to_sq])]
    elif kind == EN_PASSANT:
        balance += SEE_CP[PAWN]
    if kind == PROMOTION:
        type = move_promotion(move)
        balance += SEE_CP[type] - SEE_CP[PAWN]
    if balance < 0:
        return False
    balance -= SEE_CP[type]           # assume that the opponent takes the moved piece
    if balance >= 0:
        return True

    straight = p.by_type[ROOK] | p.by_type[QUEEN]
    diagonal = p.by_type[BISHOP] | p.by_type[QUEEN]
    occupied = (occupied_of(p) & ~bit(from_sq)) | bit(to_sq)
    if kind == EN_PASSANT:
        occupied &= ~bit(move_via(move))
    all_attackers = attackers(p, to_sq, occupied) & occupied
    side ^= 1
    while True:
        ours = all_attackers & p.by_colour[side]
        if ours == 0:
            break
        ours = least_attacker(p, ours, &next_type)
        occupied &= ~ours
        if next_type == PAWN or next_type == BISHOP or next_type == QUEEN:
            all_attackers |= bishop_attacks(to_sq, occupied) & diagonal
        if next_type == ROOK or next_type == QUEEN:
            all_attackers |= rook_attacks(to_sq, occupied) & straight
        all_attackers &= occupied
        side ^= 1
        # A side that is still ahead after losing the piece just used has won the exchange.
        balance = -balance - 1 - SEE_CP[next_type]
        if balance >= 0:
            # A king may not capture a defended piece.
            if next_type == KING and all_attackers & p.by_colour[side]:
                side ^= 1
            break
    return side != p.stm
