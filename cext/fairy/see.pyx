"""Static exchange evaluation by the swap algorithm (CPW: SEE - The Swap Algorithm), over links."""

from .position cimport FairyPosition
from .rules cimport ROYAL_CP, FairyRules
from .squares cimport WORDS, drop, fairy_lsb, has, put, side_of, type_of
from .steps cimport DIRECT, NO_LINK, Line, link_of, way_of
from .checks cimport blast_around, blast_of, captures, is_clear, is_shielded
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
            link = link_of(rules, target, way_of(rules, p.mailbox[sq]), sq)
            if link == NO_LINK:
                continue
            if link != DIRECT:
                line = &rules.lines[link]
                if line.no_exchange or not is_clear(rules, p, line, occupied, words):
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
    if kind == CASTLING or kind == CASTLE_GATING or passes_turn(move):
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
    balance -= value                  # assume that the opponent takes the moved piece
    if balance >= 0:
        return True
    for word in range(words):
        occupied[word] = p.occupied[0][word] | p.occupied[1][word]
    drop(occupied, from_sq)
    if kind == EN_PASSANT:
        drop(occupied, move_via(move))
    drop(occupied, to_sq)             # the piece on the target does not attack its own square
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


# ---- explosions ----

cdef inline int removed_cp(FairyRules rules, const FairyPosition* p, const uint64_t* gone, int us) noexcept nogil:
    """Centipawns of the pieces on these squares: those of the other side minus those of `us`."""
    cdef int word, piece, value, cp = 0
    cdef uint64_t rest
    for word in range(rules.words):
        rest = gone[word] & (p.occupied[0][word] | p.occupied[1][word])
        while rest:
            piece = p.mailbox[word * 64 + fairy_lsb(rest)]
            rest &= rest - 1
            value = ROYAL_CP if rules.royal[type_of(piece)] else rules.value[type_of(piece)]
            cp += value if side_of(piece) != us else -value
    return cp


cdef int blast_cp(FairyRules rules, const FairyPosition* p, Move move) noexcept nogil:
    cdef uint64_t[WORDS] gone
    blast_of(rules, p, move, gone)
    return removed_cp(rules, p, gone, p.stm)


cdef int risk_of(FairyRules rules, const FairyPosition* p, Move move, int value, int enough) noexcept nogil:
    """The most that the other side can win by taking the piece that this move puts on its target. A result of at most
    `enough` may be too low. value: centipawns of the piece.
    """
    cdef int from_sq = move_from(move), to_sq = move_to(move), us = p.stm, them = us ^ 1, word, sq, link, cp, most = 0
    cdef uint64_t[WORDS] gone
    cdef uint64_t[WORDS] occupied
    cdef uint64_t rest
    blast_around(rules, p, to_sq, gone)
    drop(gone, from_sq)
    cp = value - removed_cp(rules, p, gone, us)
    if cp <= enough or is_shielded(rules, p, to_sq, them):
        return 0
    for word in range(rules.words):
        occupied[word] = p.occupied[0][word] | p.occupied[1][word]
    drop(occupied, from_sq)
    put(occupied, to_sq)
    for word in range(rules.words):
        rest = p.occupied[them][word] & rules.reach[to_sq][word] & ~p.royals[them][word]
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            link = link_of(rules, to_sq, way_of(rules, p.mailbox[sq]), sq)
            if link == NO_LINK or (link != DIRECT and (rules.lines[link].no_exchange or not is_clear(
                    rules, p, &rules.lines[link], occupied, rules.words))):
                continue
            # A piece beside the target is lost with the others.
            most = max(most, cp if has(gone, sq) else cp - rules.value[type_of(p.mailbox[sq])])
    return most


cdef bint blast_ge(FairyRules rules, const FairyPosition* p, Move move, int cp) noexcept nogil:
    cdef int kind = move_kind(move), type = type_of(p.mailbox[move_from(move)]), gain = 0
    cdef int value = ROYAL_CP if rules.royal[type] else rules.value[type]
    if kind == CASTLING:
        return cp <= 0
    if captures(p, move):
        return blast_cp(rules, p, move) >= cp
    if kind == PROMOTION:
        gain = rules.value[move_promotion(move)] - value
        value += gain
    return gain >= cp and gain - risk_of(rules, p, move, value, gain - cp) >= cp
