"""Checks and pins of compiled games.

If a side has one royal, checks and pins are computed once for each position, from the links to the royal's square. Then
a move is made and tested only if it leaves or enters a square that matters. With several royals every move is tested.
"""

from libc.string cimport memset

from .position cimport FairyPosition, make_move, royals_face
from .rules cimport FairyRules
from .squares cimport WORDS, drop, fairy_count, fairy_lsb, has, put, side_of, type_of
from .steps cimport BLACK_PAWN, DIRECT, NO_LINK, STEP_GATE, STEP_TAKES, TYPES, WHITE_PAWN, Line, Step
from .steps cimport beyond, link_of, way_of
from ..base.types cimport *

cdef enum:
    UNSURE = 2                        # decided only by making the move


# Called through a pointer, so that the compiler does not inline it, which would slow all other games down.
ctypedef bint (*Checks)(FairyRules, const FairyPosition*, FairyScan*, Move) noexcept nogil
cdef Checks blast_checks = checks_by_blast


# ---- attacks ----

cdef bint reaches(FairyRules rules, const FairyPosition* p, int type, int sq, int target) noexcept nogil:
    cdef const Step* list
    cdef const Step* step
    cdef int which, i, us = side_of(p.mailbox[sq]), way = way_of(rules, p.mailbox[sq]), piece
    for which in range(2):
        if which == 0:
            list = &rules.steps[rules.start[way][sq]]
        elif rules.has_first[type] and has(p.virgin, sq):
            list = &rules.steps[rules.first[way][sq]]
        else:
            break
        i = list.empty != 0
        while i:
            step = &list[i]
            piece = p.mailbox[step.to]
            if step.flags & STEP_GATE:
                i = beyond(rules, step, piece)
                continue
            if step.to == target:
                if step.flags & STEP_TAKES:
                    return True
                i = step.enemy
            elif piece == 0:
                i = step.empty
            elif side_of(piece) == us:
                i = step.friendly
            else:
                i = step.enemy
    return False


cdef inline int attacked_over(FairyRules rules, const FairyPosition* p, int sq, int by, const uint64_t* occupied,
                              int gone) noexcept nogil:
    """Return whether `by`, without its piece on ``gone``, attacks ``sq``; UNSURE if only hidden links remain."""
    cdef int word, from_sq, link, sure = 0
    cdef uint64_t rest
    for word in range(rules.words):
        rest = p.occupied[by][word] & rules.reach[sq][word]
        while rest:
            from_sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            link = link_of(rules, sq, way_of(rules, p.mailbox[from_sq]), from_sq)
            if link == NO_LINK or from_sq == gone:
                continue
            if link == DIRECT:
                return True
            if rules.lines[link].hidden or rules.lines[link].chooses and has_one(&rules.lines[link], occupied):
                sure = UNSURE
            elif is_clear(rules, p, &rules.lines[link], occupied):
                return True
    return sure


cdef inline void all_occupied(const FairyPosition* p, uint64_t* out) noexcept nogil:
    cdef int word
    for word in range(WORDS):
        out[word] = p.occupied[0][word] | p.occupied[1][word]


cdef bint is_attacked(FairyRules rules, const FairyPosition* p, int sq, int by) noexcept nogil:
    cdef uint64_t occupied[WORDS]
    cdef int word, from_sq, link
    cdef uint64_t rest
    all_occupied(p, occupied)
    for word in range(rules.words):
        rest = p.occupied[by][word] & rules.reach[sq][word]
        while rest:
            from_sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            link = link_of(rules, sq, way_of(rules, p.mailbox[from_sq]), from_sq)
            if link == NO_LINK:
                continue
            if link == DIRECT:
                return True
            if rules.lines[link].hidden:
                if reaches(rules, p, type_of(p.mailbox[from_sq]), from_sq, sq):
                    return True
            elif is_clear(rules, p, &rules.lines[link], occupied):
                return True
    return False


cdef bint is_exposed(FairyRules rules, const FairyPosition* p, int us) noexcept nogil:
    """Return whether an absolute royal, the last royal of a type, or two royals of a type above 7 are attacked."""
    cdef int word, sq, type
    cdef uint64_t rest
    cdef uint8_t attacked[TYPES]
    if rules.explodes:
        return is_exposed_to_blasts(rules, p, us)
    memset(attacked, 0, TYPES)
    for word in range(rules.words):
        rest = p.royals[us][word]
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            type = type_of(p.mailbox[sq])
            if not rules.absolute[type] and p.count[us][type] > 1 and type < 8:
                continue
            if not is_attacked(rules, p, sq, us ^ 1):
                continue
            if rules.absolute[type] or p.count[us][type] == 1:
                return True
            attacked[type] += 1
            if attacked[type] == 2:
                return True
    return False


cdef inline void note_hidden(FairyRules rules, const FairyPosition* p, FairyScan* s, const Line* line,
                             int from_sq) noexcept nogil:
    """Note the squares that matter to a hidden attack on the royal, and count it as a check if it is one."""
    cdef int word
    for word in range(WORDS):
        s.leave[word] |= line.mask[word]
        s.enter[word] |= line.mask[word]
    if reaches(rules, p, type_of(p.mailbox[from_sq]), from_sq, s.royal_sq):
        s.checkers += 1
        # Whether a move parries this check is known only after making it.
        for word in range(WORDS):
            s.parry[word] = s.enter[word] = s.leave[word] = ~(<uint64_t> 0)


cdef void find_blasters(FairyRules rules, const FairyPosition* p, FairyScan* s, uint64_t* attackers) noexcept nogil:
    """Set the pieces that may give check where captures explode: royals attack nothing, and nothing attacks a royal
    beside the other one.
    """
    cdef int them = p.stm ^ 1, word
    s.shielded = is_shielded(rules, p, s.royal_sq, them)
    for word in range(rules.words):
        attackers[word] = 0 if s.shielded else p.occupied[them][word] & ~p.royals[them][word]


cdef inline void begin_scan(FairyRules rules, const FairyPosition* p, FairyScan* s) noexcept nogil:
    s.checkers = s.in_check = s.forced = 0
    s.single = p.n_royals[p.stm] == 1
    s.ending = ONGOING
    s.none = p.n_royals[p.stm] == 0
    s.faces = rules.bikjang and royals_face(rules, p)
    if s.faces:
        s.single = False              # every move is tried
    s.discovers = NOT_LOOKED


cdef void scan_position(FairyRules rules, FairyPosition* p, FairyScan* s) noexcept nogil:
    cdef int us = p.stm, them = us ^ 1, word, other, from_sq, link, blockers, first = 0
    cdef uint64_t rest, hit
    cdef uint64_t occupied[WORDS]
    cdef uint64_t attackers[WORDS]
    cdef const uint64_t* enemies = p.occupied[them]
    cdef const Line* line
    begin_scan(rules, p, s)
    if not s.single:
        s.in_check = (not s.none or rules.explodes) and is_exposed(rules, p, us)
        return
    all_occupied(p, occupied)
    memset(s.leave, 0, sizeof(s.leave))
    memset(s.enter, 0, sizeof(s.enter))
    memset(s.parry, 0, sizeof(s.parry))
    for word in range(rules.words):
        if p.royals[us][word]:
            s.royal_sq = word * 64 + fairy_lsb(p.royals[us][word])
    if rules.explodes:
        find_blasters(rules, p, s, attackers)
        enemies = attackers
    for word in range(rules.words):
        rest = enemies[word] & rules.reach[s.royal_sq][word]
        while rest:
            from_sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            link = link_of(rules, s.royal_sq, way_of(rules, p.mailbox[from_sq]), from_sq)
            if link == NO_LINK:
                continue
            if link == DIRECT:
                s.checkers += 1
                put(s.parry, from_sq)
                continue
            line = &rules.lines[link]
            if line.hidden:
                note_hidden(rules, p, s, line, from_sq)
                continue
            blockers = 0
            for other in range(WORDS):
                hit = line.mask[other] & occupied[other]
                blockers += fairy_count(hit)
                if hit:
                    first = other
            if line.over_one:
                if blockers == 1 and line.chooses and is_barred(rules, p, line, occupied):
                    blockers = 0      # another piece on the line or in place of this one may become the platform
                note_platforms(s, line, occupied, blockers)
            elif blockers == 0:
                s.checkers += 1
                put(s.parry, from_sq)
                for other in range(WORDS):
                    s.parry[other] |= line.mask[other]
            elif blockers == 1:
                s.leave[first] |= line.mask[first] & occupied[first]
    s.in_check = s.checkers != 0
    for word in range(rules.words if rules.explodes and s.checkers else 0):
        s.parry[word] |= p.occupied[them][word]  # a capture anywhere may remove the piece that gives check


# ---- what a move does to the royals ----

cdef bint is_allowed_when_tried(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil:
    if rules.no_checks and checks_plainly(rules, p, move):
        return False
    if not rules.explodes:
        return is_harmless(rules, p, s, move)
    if s.none:
        return True
    if captures(p, move) and move_kind(move) != CASTLING:
        return survives_blast(rules, p, s, move)
    return survives_step(rules, p, s, move)


cdef bint survives_blast(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil:
    """Return whether a capture that explodes keeps the only royal, and removes the other one or leaves no check."""
    cdef uint64_t gone[WORDS]
    cdef uint64_t occupied[WORDS]
    cdef int word, answer
    blast_of(rules, p, move, gone)
    if has(gone, s.royal_sq):
        return False
    if s.shielded or share(gone, p.royals[p.stm ^ 1], rules.words):
        return True
    for word in range(rules.words):
        occupied[word] = (p.occupied[0][word] | p.occupied[1][word]) & ~gone[word]
    answer = is_aimed_at(rules, p, s.royal_sq, p.stm ^ 1, occupied, gone)
    return survives(rules, p, move) if answer == UNSURE else answer == 0


cdef bint survives_step(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil:
    """Return whether a move that does not capture keeps the only royal out of check, in a game of explosions."""
    cdef uint64_t occupied[WORDS]
    cdef uint64_t none[WORDS]
    cdef int from_sq = move_from(move), to_sq = move_to(move), royal_sq = s.royal_sq, answer, word
    if move_kind(move) == CASTLING:
        return survives(rules, p, move)
    if from_sq == royal_sq:
        royal_sq = to_sq
        if is_shielded(rules, p, to_sq, p.stm ^ 1):
            return True
    elif s.shielded:
        return True
    elif s.checkers:
        if not has(s.parry, to_sq):
            return False
    elif not has(s.leave, from_sq) and not has(s.enter, to_sq):
        return True
    for word in range(rules.words):
        occupied[word] = p.occupied[0][word] | p.occupied[1][word]
        none[word] = 0
    drop(occupied, from_sq)
    put(occupied, to_sq)
    answer = is_aimed_at(rules, p, royal_sq, p.stm ^ 1, occupied, none)
    return survives(rules, p, move) if answer == UNSURE else answer == 0


cdef bint survives(FairyRules rules, const FairyPosition* p, Move move) noexcept nogil:
    """Make the move and test the royals; works for every game."""
    cdef FairyPosition after
    make_move(rules, p, &after, move)
    if rules.bikjang and royals_face(rules, p) and royals_face(rules, &after):
        return False
    return not is_exposed(rules, &after, p.stm)


cdef bint is_safe(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil:
    """Return whether the only royal survives this move without gating."""
    cdef uint64_t occupied[WORDS]
    cdef int from_sq = move_from(move), to_sq = move_to(move), kind = move_kind(move), gone = to_sq, answer
    cdef int royal_sq = s.royal_sq
    if kind == CASTLING:
        return survives(rules, p, move)
    if kind == PROMOTION and rules.royal[move_promotion(move)]:
        return survives(rules, p, move)
    all_occupied(p, occupied)
    drop(occupied, from_sq)
    put(occupied, to_sq)
    if kind == EN_PASSANT:
        gone = move_via(move)
        drop(occupied, gone)
    if from_sq == royal_sq:
        royal_sq = to_sq
    answer = attacked_over(rules, p, royal_sq, p.stm ^ 1, occupied, gone)
    if answer == UNSURE:
        return survives(rules, p, move)
    return answer == 0


cdef void look_for_discoveries(FairyRules rules, const FairyPosition* p, FairyScan* s) noexcept nogil:
    cdef int us = p.stm, word, other, from_sq, link, blockers, where
    cdef uint64_t rest, hit, blocker
    cdef const Line* line
    s.discovers = NOT_SURE
    s.has_platforms = False
    s.plain_checks = p.n_royals[us ^ 1] == 1 and not rules.explodes
    if p.n_royals[us ^ 1] != 1:
        return
    for word in range(rules.words):
        s.discover[word] = 0
        if p.royals[us ^ 1][word]:
            s.their_royal = word * 64 + fairy_lsb(p.royals[us ^ 1][word])
    for word in range(rules.words):
        rest = p.occupied[us][word] & rules.reach[s.their_royal][word]
        while rest:
            from_sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            link = link_of(rules, s.their_royal, way_of(rules, p.mailbox[from_sq]), from_sq)
            if link == NO_LINK or link == DIRECT:
                continue
            line = &rules.lines[link]
            if line.hidden:
                return
            blockers = where = 0
            blocker = 0
            for other in range(WORDS):
                hit = line.mask[other] & (p.occupied[0][other] | p.occupied[1][other])
                blockers += fairy_count(hit)
                if hit:
                    where = other
                    blocker = hit
            if line.over_one:
                if blockers == 1 and line.chooses:
                    blockers = 0      # the only piece is a barrier
                note_our_platforms(p, s, line, blockers)
            elif blockers == 1:
                s.discover[where] |= blocker & p.occupied[us][where]
    if rules.explodes and is_shielded(rules, p, s.their_royal, us):
        for word in range(rules.words):   # our royal may uncover a check by stepping away from the enemy royal
            s.discover[word] |= p.royals[us][word]
    s.discovers = LOOKED


cdef bint gives_check(FairyRules rules, const FairyPosition* p, FairyScan* s, Move move) noexcept nogil:
    cdef FairyPosition after
    cdef uint64_t occupied[WORDS]
    cdef int us = p.stm, them = us ^ 1, from_sq = move_from(move), to_sq = move_to(move), kind = move_kind(move)
    cdef int answer, way, link
    if p.n_royals[them] == 0:
        return False
    if s.discovers == NOT_LOOKED:
        look_for_discoveries(rules, p, s)
    if s.plain_checks and (kind == NORMAL or kind == DOUBLE_STEP or kind == PROMOTION or kind == DROP):
        way = way_of(rules, us * 16 + move_promotion(move) if kind >= PROMOTION else p.mailbox[from_sq])
        link = link_of(rules, s.their_royal, way, to_sq)
        if link == DIRECT:
            return True
        if link == NO_LINK and s.discovers == LOOKED and uncovers_nothing(s, from_sq, to_sq):
            return False
        all_occupied(p, occupied)
        drop(occupied, from_sq)
        put(occupied, to_sq)
        if link != NO_LINK and not rules.lines[link].hidden and is_clear(rules, p, &rules.lines[link], occupied):
            return True
        if s.discovers == LOOKED and uncovers_nothing(s, from_sq, to_sq) and not rules.lines[link].hidden:
            return False
        if link == NO_LINK or not rules.lines[link].hidden:
            answer = attacked_over(rules, p, s.their_royal, us, occupied, from_sq)
            if answer != UNSURE:
                return answer
    elif rules.explodes and p.n_royals[them] == 1 and kind != CASTLING:
        return blast_checks(rules, p, s, move)
    make_move(rules, p, &after, move)
    return is_exposed(rules, &after, them)


cdef bint checks_by_blast(FairyRules rules, const FairyPosition* p, FairyScan* s, Move move) noexcept nogil:
    """Return whether a move other than castling removes the only enemy royal or gives check, in a game of explosions.
    """
    cdef FairyPosition after
    cdef const Line* line
    cdef uint64_t gone[WORDS]
    cdef uint64_t occupied[WORDS]
    cdef int us = p.stm, from_sq = move_from(move), to_sq = move_to(move), word, answer, type, link = NO_LINK
    cdef bint blows_up = captures(p, move)
    if not blows_up:                  # most moves end here
        type = move_promotion(move) if move_kind(move) >= PROMOTION else type_of(p.mailbox[from_sq])
        link = NO_LINK if rules.royal[type] else link_of(rules, s.their_royal, way_of(rules, us * 16 + type), to_sq)
        if s.discovers == LOOKED and link == NO_LINK and uncovers_nothing(s, from_sq, to_sq):
            return False
    for word in range(rules.words):
        occupied[word] = p.occupied[0][word] | p.occupied[1][word]
        gone[word] = 0
    if blows_up:
        blast_of(rules, p, move, gone)
        if has(gone, s.their_royal):
            return True
        for word in range(rules.words):
            occupied[word] &= ~gone[word]
    else:
        drop(occupied, from_sq)
        put(occupied, to_sq)
        put(gone, from_sq)
        if link != NO_LINK and not is_shielded(rules, p, s.their_royal, us):
            if link == DIRECT:
                return True
            line = &rules.lines[link]
            if not line.hidden and is_clear(rules, p, line, occupied, rules.words):
                return True
    # After the move, the royal of `us` protects an enemy royal that stands beside it.
    if not has(p.royals[us], from_sq):
        if is_shielded(rules, p, s.their_royal, us):
            return False
        answer = is_aimed_at(rules, p, s.their_royal, us, occupied, gone)
        if answer != UNSURE and (answer or blows_up or link == NO_LINK or not rules.lines[link].hidden):
            return answer
    make_move(rules, p, &after, move)
    return is_exposed(rules, &after, us ^ 1)


cdef bint is_near_hill(FairyRules rules, const FairyPosition* p) noexcept nogil:
    cdef int royal, sq, word, other
    cdef uint64_t royals, squares
    for word in range(rules.words):
        royals = p.royals[p.stm][word]
        while royals:
            royal = word * 64 + fairy_lsb(royals)
            royals &= royals - 1
            for other in range(rules.words):
                squares = rules.hill[other]
                while squares:
                    sq = other * 64 + fairy_lsb(squares)
                    squares &= squares - 1
                    if link_of(rules, sq, way_of(rules, p.mailbox[royal]), royal) != NO_LINK:
                        return True
    return False


cdef bint checks_plainly(FairyRules rules, const FairyPosition* p, Move move) noexcept nogil:
    cdef FairyPosition after
    make_move(rules, p, &after, move)
    return is_exposed(rules, &after, p.stm ^ 1)


# ---- explosions ----
#
# A royal never captures, because it would not survive, so it attacks nothing. Beside the enemy royal it is safe: its
# capture would remove the capturer's royal, too. A capture beside a royal removes it too, but that threat is not check.

cdef void blast_around(FairyRules rules, const FairyPosition* p, int centre, uint64_t* gone) noexcept nogil:
    cdef int word, sq
    cdef uint64_t rest
    for word in range(rules.words):
        gone[word] = rest = rules.around[centre][word] & (p.occupied[0][word] | p.occupied[1][word])
        if rules.spared:
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                if rules.spared >> type_of(p.mailbox[sq]) & 1:
                    drop(gone, sq)


cdef void blast_of(FairyRules rules, const FairyPosition* p, Move move, uint64_t* gone) noexcept nogil:
    blast_around(rules, p, move_to(move), gone)
    put(gone, move_from(move))
    put(gone, move_to(move))
    if move_kind(move) == EN_PASSANT:
        put(gone, move_via(move))


cdef bint is_shielded(FairyRules rules, const FairyPosition* p, int sq, int by) noexcept nogil:
    cdef int word, royal_sq
    cdef uint64_t rest
    if p.n_royals[by] == 0:
        return not rules.lacks_royal[by]
    for word in range(rules.words):
        rest = rules.around[sq][word] & p.royals[by][word]
        while rest:
            royal_sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            if not rules.spared >> type_of(p.mailbox[royal_sq]) & 1:
                return True
    return False


cdef int is_aimed_at(FairyRules rules, const FairyPosition* p, int sq, int by, const uint64_t* occupied,
                     const uint64_t* gone) noexcept nogil:
    cdef int word, from_sq, link, sure = 0
    cdef uint64_t rest
    for word in range(rules.words):
        rest = p.occupied[by][word] & rules.reach[sq][word] & ~p.royals[by][word] & ~gone[word]
        while rest:
            from_sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            link = link_of(rules, sq, way_of(rules, p.mailbox[from_sq]), from_sq)
            if link == NO_LINK:
                continue
            if link == DIRECT:
                return True
            if rules.lines[link].hidden or rules.lines[link].chooses and has_one(&rules.lines[link], occupied):
                sure = UNSURE
                continue
            if is_clear(rules, p, &rules.lines[link], occupied, rules.words):
                return True
    return sure


cdef bint is_threatened(FairyRules rules, const FairyPosition* p, int sq, int by) noexcept nogil:
    cdef uint64_t[WORDS] occupied
    cdef uint64_t[WORDS] none
    cdef int word, from_sq, answer
    cdef uint64_t rest
    if is_shielded(rules, p, sq, by):
        return False
    for word in range(WORDS):
        occupied[word] = p.occupied[0][word] | p.occupied[1][word]
        none[word] = 0
    answer = is_aimed_at(rules, p, sq, by, occupied, none)
    if answer != UNSURE:
        return answer
    for word in range(rules.words):
        rest = p.occupied[by][word] & rules.reach[sq][word] & ~p.royals[by][word]
        while rest:
            from_sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            if reaches(rules, p, type_of(p.mailbox[from_sq]), from_sq, sq):
                return True
    return False


cdef bint is_exposed_to_blasts(FairyRules rules, const FairyPosition* p, int us) noexcept nogil:
    cdef int word
    cdef uint64_t rest
    if p.n_royals[us] == 0:
        return not rules.lacks_royal[us]
    for word in range(rules.words):
        rest = p.royals[us][word]
        while rest:
            if is_threatened(rules, p, word * 64 + fairy_lsb(rest), us ^ 1):
                return True
            rest &= rest - 1
    return False


cdef bint can_mate_bare(FairyRules rules, const FairyPosition* p, int us) noexcept nogil:
    cdef int type, n = p.pieces[us] - 1
    if n > 2 or p.count[us][WHITE_PAWN] or p.count[us][BLACK_PAWN]:
        return True
    for type in range(BLACK_PAWN + 1, rules.types + 1):
        if p.count[us][type] and not rules.royal[type]:
            if n == 1:
                return rules.mates_alone[type]
            return p.count[us][type] == 1 or not rules.traits[type].no_pair
    return False
