"""Static exchange evaluation by the swap algorithm (CPW: SEE - The Swap Algorithm), over links."""

from .position cimport FairyPosition
from .rules cimport ROYAL_CP, FairyRules
from .squares cimport WORDS, drop, fairy_lsb, type_of
from .steps cimport DIRECT, NO_LINK, Line, link_of
from .scan cimport is_clear
from ..base.types cimport *

cdef int worth_of(FairyRules rules, const FairyPosition* p, int colour, int type) noexcept nogil:
    if rules.royal[type] and p.count[colour][type] <= 1:
        return ROYAL_CP
    return rules.value[type]


cdef inline int least_attacker(FairyRules rules, const FairyPosition* p, int target, int side,
                               const uint64_t* occupied, int words, int* cp) noexcept nogil:
    """Square of the cheapest piece of a side that attacks the target, or -1."""
    cdef int word, sq, link, best = -1, value
    cdef uint64_t rest
    cdef const Line* line
    for word in range(words):
        rest = p.occupied[side][word] & occupied[word] & rules.reach[target][word]
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            link = link_of(rules, target, type_of(p.mailbox[sq]), sq)
            if link == NO_LINK:
                continue
            if link != DIRECT:
                line = &rules.lines[link]
                if line.hidden or not is_clear(line, occupied, words):
                    continue
            value = worth_of(rules, p, side, type_of(p.mailbox[sq]))
            if best < 0 or value < cp[0]:
                best = sq
                cp[0] = value
    return best


cdef inline bint gains(FairyRules rules, const FairyPosition* p, Move move, int cp, int words) noexcept nogil:
    cdef int from_sq = move_from(move), to_sq = move_to(move), kind = move_kind(move)
    cdef int side = p.stm, sq, balance = -cp, value, next_value = 0, word
    cdef uint64_t occupied[WORDS]
    if kind == CASTLING or kind == CASTLE_GATING:
        return cp <= 0
    value = worth_of(rules, p, side, type_of(p.mailbox[from_sq]))
    if kind == EN_PASSANT:
        balance += rules.value[type_of(p.mailbox[move_via(move)])]
    elif p.mailbox[to_sq]:
        balance += worth_of(rules, p, side ^ 1, type_of(p.mailbox[to_sq]))
    if kind == DROP:
        value = rules.value[move_promotion(move)]
    elif kind == PROMOTION:
        balance += rules.value[move_promotion(move)] - value
        value = rules.value[move_promotion(move)]
    if balance < 0:
        return False
    balance -= value                  # assume that the moved piece is lost
    if balance >= 0:
        return True
    for word in range(words):
        occupied[word] = p.occupied[0][word] | p.occupied[1][word]
    drop(occupied, from_sq)
    if kind == EN_PASSANT:
        drop(occupied, move_via(move))
    drop(occupied, to_sq)             # the piece on the target does not attack it
    side ^= 1
    while True:
        sq = least_attacker(rules, p, to_sq, side, occupied, words, &next_value)
        if sq < 0:
            break
        drop(occupied, sq)
        side ^= 1
        balance = -balance - 1 - next_value
        if balance >= 0:
            # The last royal may not capture a defended piece.
            if next_value == ROYAL_CP and least_attacker(rules, p, to_sq, side, occupied, words, &next_value) >= 0:
                side ^= 1
            break
    return side != p.stm


cdef bint see_ge(FairyRules rules, const FairyPosition* p, Move move, int cp) noexcept nogil:
    # A constant number of words lets the compiler unroll the loops over them.
    if rules.words == 1:
        return gains(rules, p, move, cp, 1)
    if rules.words == 2:
        return gains(rules, p, move, cp, 2)
    return gains(rules, p, move, cp, rules.words)
