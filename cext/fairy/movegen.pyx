"""Moves of compiled games: the targets of a piece, and the moves among them that the scan allows."""

from .position cimport FairyPosition, make_move, passing_move
from .plans cimport MAY_CHANGE, PLAN_WORDS, Plan, planned
from .rules cimport MOST_TARGETS, MUST_PROMOTE, FairyRules
from .squares cimport WORDS, fairy_count, fairy_lsb, has, side_of, type_of
from .steps cimport BLACK_PAWN, STEP_MOVES, STEP_TAKES, TYPES, WAYS, Step, way_of
from .checks cimport (LOOKED, NOT_LOOKED, FairyScan, are_free, are_free_in_blasts, gives_check, is_allowed, is_attacked,
                      is_threatened, is_unhindered, look_for_discoveries, scan_position)
from ..base.types cimport *

cdef enum:
    UNSURE = 2                        # `candidates`: only walking the steps decides


# ---- plain pieces ----

cdef inline bint is_simple(FairyRules rules, int type) noexcept nogil:
    """Return whether the steps of a piece give each of its moves exactly once, castling excluded."""
    return not rules.promotable[type] and not rules.overlaps[type] and not rules.has_first[type]


cdef inline int put_plain(const FairyPosition* p, const Step* list, int sq, int wanted, Move* out) noexcept nogil:
    """The moves of an unhindered piece, in the order of its steps. wanted: STEP_TAKES, STEP_MOVES or both."""
    cdef int i = list.empty != 0, n = 0, to
    while i:
        to = list[i].to
        if follow(p, list, p.stm, &i) & wanted:
            out[n] = pack_move(sq, to, 0, 0, NORMAL)
            n += 1
    return n


# ---- castling ----

cdef bint castle_is_free(FairyRules rules, const FairyPosition* p, int sq, int side, int to_sq,
                         int corner) noexcept nogil:
    """Return whether the squares that must be empty are empty, and the castler's way is not attacked.

    The squares are the castler's next two and its target, the partner's target, and the two beside the corner. If the
    castler starts near the middle, these are all squares between castler and partner; otherwise the remaining squares
    between them may be occupied.
    """
    cdef int at = sq, i
    cdef int[6] needed
    needed[0], needed[1], needed[2] = sq + side, sq + 2 * side, to_sq
    needed[3], needed[4], needed[5] = to_sq - side, corner - side, corner - 2 * side
    for i in range(6):
        if needed[i] != sq and p.mailbox[needed[i]]:
            return False
    while at != to_sq and not (rules.free_castling and not rules.royal[type_of(p.mailbox[sq])]):
        if is_threatened(rules, p, at, p.stm ^ 1) if rules.explodes else is_attacked(rules, p, at, p.stm ^ 1):
            return False
        at += side
    return True


cdef int castlings(FairyRules rules, const FairyPosition* p, int sq, Move* out) noexcept nogil:
    """Castlings of the piece on a square; the caller must still test that the royals survive."""
    cdef int type = type_of(p.mailbox[sq]), i, side, corner, to_sq, n = 0
    for i in range(rules.n_castles[type]):
        side = rules.castles[type][i].side
        corner = rules.partner[side > 0][sq]
        to_sq = sq + rules.castles[type][i].stride
        if (to_sq - sq) * side <= 0 or (corner - to_sq) * side <= 0 or not has(p.virgin, corner):
            continue
        if side_of(p.mailbox[corner]) != p.stm or p.mailbox[corner] == 0:
            continue
        if castle_is_free(rules, p, sq, side, to_sq, corner):
            out[n] = pack_move(sq, to_sq, corner, 0, CASTLING)
            n += 1
    return n


# ---- lists ----

cdef inline int put_gatings(FairyRules rules, const FairyPosition* p, Move move, Move* out) noexcept nogil:
    """The same move, once for each piece in hand that may be gated on the vacated square."""
    cdef int i, n = 0, kind = move_kind(move)
    for i in range(2):
        if not p.hand[p.stm] >> i & 1:
            continue
        if kind == CASTLING:
            out[n] = pack_move(move_from(move), move_to(move), move_via(move), rules.gate_type[p.stm][i],
                               CASTLE_GATING)
            out[n + 1] = out[n] | <Move> GATE_AT_PARTNER << PROMOTION_SHIFT
            n += 2
        else:
            out[n] = pack_move(move_from(move), move_to(move), 0, rules.gate_type[p.stm][i], GATING)
            n += 1
    return n


cdef inline bint may_change(FairyRules rules, const FairyPosition* p, int sq, int to) noexcept nogil:
    """Return whether a piece with a promoted form may promote by this move."""
    return ((has(rules.form_zone[p.stm], sq) or has(rules.form_zone[p.stm], to))
            and not (rules.takes_to_change and p.mailbox[to] == 0))


cdef int put_forms(FairyRules rules, const FairyPosition* p, int sq, int to, Move* out) noexcept nogil:
    """The moves to one target of a piece with a promoted form.

    The piece must promote if it could not move on from its target, unless only captures promote.
    """
    cdef int piece = p.mailbox[sq], n = 0
    if may_change(rules, p, sq, to):
        out[0] = pack_move(sq, to, 0, rules.form_of[piece], PROMOTION)
        n = 1
        if rules.must_change:
            return n
    if rules.takes_to_change or rules.steps[rules.start[way_of(rules, piece)][to]].empty:
        out[n] = pack_move(sq, to, 0, 0, NORMAL)
        n += 1
    return n


cdef inline int put_target(FairyRules rules, const FairyPosition* p, int sq, int target, Move* out) noexcept nogil:
    """The moves to one target: several if a pawn promotes or a piece in hand may enter."""
    cdef int to = target & 255, flags = target >> 8, type = type_of(p.mailbox[sq]), n, i, kind
    if not rules.promotable[type]:
        out[0] = pack_move(sq, to, 0, 0, NORMAL)
        if rules.has_gating and p.hand[p.stm] and has(p.virgin, sq) and has(rules.gates, sq):
            return 1 + put_gatings(rules, p, out[0], &out[1])
        return 1
    if rules.form_of[p.mailbox[sq]]:
        return put_forms(rules, p, sq, to, out)
    if flags & PASSANT:
        out[0] = pack_move(sq, to, p.ep_pawn, 0, EN_PASSANT)
        return 1
    if flags & DOUBLE:
        out[0] = pack_move(sq, to, skipped_by(rules, p, sq, to), flags & BOTH != 0, DOUBLE_STEP)
        return 1
    if rules.promotes[p.stm][to] and not has(p.virgin, sq):
        n = 0
        for i in range(rules.n_promotions[p.stm][rules.file_of[to]]):
            kind = rules.promotions[p.stm][rules.file_of[to]][i]
            if not rules.has_limits or p.count[p.stm][kind] < rules.limit[p.stm][kind]:
                out[n] = pack_move(sq, to, 0, kind, PROMOTION)
                n += 1
        if rules.promotes[p.stm][to] == MUST_PROMOTE and (n or rules.has_limits):
            return n
        if n:
            out[n] = pack_move(sq, to, 0, 0, NORMAL)
            return n + 1
    out[0] = pack_move(sq, to, 0, 0, NORMAL)
    return 1


cdef inline int skipped_by(FairyRules rules, const FairyPosition* p, int sq, int to) noexcept nogil:
    """The last square that a pawn passes on its initial move, which has two or three steps."""
    cdef int files = rules.file_of[to] - rules.file_of[sq], ranks = rules.rank_of[to] - rules.rank_of[sq]
    cdef int steps = abs(ranks) if abs(ranks) > abs(files) else abs(files)
    if steps < 2 or files % steps or ranks % steps:
        return (sq + to) >> 1
    return to - ranks / steps * rules.width - files / steps


cdef inline bint may_promote(FairyRules rules, const FairyPosition* p, int sq, int to) noexcept nogil:
    if not rules.promotable[type_of(p.mailbox[sq])]:
        return False
    if rules.has_forms:
        return rules.form_of[p.mailbox[sq]] and may_change(rules, p, sq, to)
    return rules.promotes[p.stm][to] and not has(p.virgin, sq)


cdef bint is_near_form_zone(FairyRules rules, const Plan* plan, int us, int sq, const uint64_t* occupied,
                            int words) noexcept nogil:
    """Return whether a piece with a promoted form and a plain plan may promote by a move from this square."""
    cdef uint64_t[PLAN_WORDS] takes
    cdef uint64_t[PLAN_WORDS] goes
    planned(rules, plan, occupied, takes, goes, words)
    return (has(rules.form_zone[us], sq) or meets(takes, rules.form_zone[us], words)
            or meets(goes, rules.form_zone[us], words))


cdef inline int candidates(FairyRules rules, const FairyPosition* p, const FairyScan* s, int stage, int sq,
                           const uint64_t* occupied, int words, uint64_t* squares) noexcept nogil:
    """Return whether a piece may have moves in this stage, castling excluded, and set their targets. UNSURE: only
    walking its steps decides.
    """
    cdef int type = type_of(p.mailbox[sq]), way = way_of(rules, p.mailbox[sq]), us = p.stm, word
    cdef bint pawn = type <= BLACK_PAWN
    cdef const Plan* plan = &rules.plans[way * rules.squares + sq]
    cdef const uint64_t* wanted
    cdef uint64_t[PLAN_WORDS] goes
    cdef uint64_t some = 0
    if plan.plain != 1 and (plan.plain != MAY_CHANGE or is_near_form_zone(rules, plan, us, sq, occupied, words)):
        return UNSURE
    if rules.has_gating or pawn and (stage == ALL_MOVES or stage == NOISY and p.n_ep):
        return UNSURE
    if rules.has_first[type] and has(p.virgin, sq) and not (pawn and stage == NOISY and not rules.first_takes[type]):
        return UNSURE
    planned(rules, plan, occupied, squares, goes, words)
    for word in range(words):
        squares[word] &= p.occupied[us ^ 1][word]
        goes[word] &= ~occupied[word]
        if stage == NOISY:
            goes[word] &= rules.promoting[us][word] if pawn else 0
        elif stage != ALL_MOVES:
            squares[word] = 0
        elif s.forced:
            goes[word] = 0
    if stage == QUIET_CHECKS and s.discovers == LOOKED and not has(s.discover, sq):
        wanted = &rules.reach_by[(s.their_royal * WAYS + way) * PLAN_WORDS]
        for word in range(words):
            goes[word] &= wanted[word] | (s.platforms[word] if s.has_platforms else 0)
    for word in range(words):
        squares[word] |= goes[word]
        if s.single and s.checkers and sq != s.royal_sq and not pawn:  # a pawn may promote to another royal
            squares[word] &= s.parry[word]
        some |= squares[word]
    return some != 0


cdef inline bint meets(const uint64_t* squares, const uint64_t* others, int words) noexcept nogil:
    cdef int word
    for word in range(words):
        if squares[word] & others[word]:
            return True
    return False


cdef inline int put_candidates(FairyRules rules, const FairyPosition* p, FairyScan* s, int stage, int sq,
                               bint unhindered, int words, const uint64_t* squares, Move* out) noexcept nogil:
    """The legal moves of a piece among those to the candidate squares, on none of which it can promote."""
    cdef int word, n = 0
    cdef uint64_t rest
    for word in range(words):
        rest = squares[word]
        while rest:
            out[n] = pack_move(sq, word * 64 + fairy_lsb(rest), 0, 0, NORMAL)
            rest &= rest - 1
            n += unhindered or ((stage != QUIET_CHECKS or gives_check(rules, p, s, out[n]))
                                and is_allowed(rules, p, s, out[n]))
    return n


cdef inline int put_targets(FairyRules rules, const FairyPosition* p, FairyScan* s, int stage, int sq,
                            Move* out) noexcept nogil:
    """The legal moves of a piece by its steps, without castling."""
    cdef int targets[MOST_TARGETS]
    cdef Move found[3 * 16]
    cdef int i, j, k, n = 0, n_targets = targets_of(rules, p, sq, targets)
    cdef bint takes
    for i in range(n_targets):
        takes = targets[i] >> 8 & CAPTURE
        if takes and stage >= QUIET:
            continue
        if not takes and (s.forced or stage == NOISY and (rules.turns_back
                                                          or not may_promote(rules, p, sq, targets[i] & 255))):
            continue
        k = put_target(rules, p, sq, targets[i], found)
        for j in range(k):
            if stage != ALL_MOVES and not takes and (stage == NOISY) != (move_kind(found[j]) == PROMOTION
                                                                         and not rules.turns_back):
                continue
            if ((stage != QUIET_CHECKS or gives_check(rules, p, s, found[j]))
                    and is_allowed(rules, p, s, found[j])):
                out[n] = found[j]
                n += 1
    return n


cdef inline int generate_in(FairyRules rules, const FairyPosition* p, FairyScan* s, int stage, int words,
                            Move* out) noexcept nogil:
    cdef int word, sq, n = 0, type, found, wanted = STEP_TAKES | STEP_MOVES, plan_words = min(words, <int> PLAN_WORDS)
    cdef uint64_t rest
    cdef uint64_t squares[PLAN_WORDS]
    cdef uint64_t occupied[WORDS]
    cdef bint unhindered, free = stage != QUIET_CHECKS and (are_free(rules, s)
                                                            or stage == QUIET and are_free_in_blasts(rules, s))
    if s.ending != ONGOING or (s.forced and stage >= QUIET):
        return 0
    if stage == QUIET_CHECKS and s.discovers == NOT_LOOKED:
        look_for_discoveries(rules, p, s)
    for word in range(words):
        occupied[word] = p.occupied[0][word] | p.occupied[1][word]
    if stage == NOISY or s.forced:
        wanted = STEP_TAKES
    elif stage == QUIET:
        wanted = STEP_MOVES
    for word in range(words):
        rest = p.occupied[p.stm][word]
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            type = type_of(p.mailbox[sq])
            unhindered = free and is_unhindered(s, sq)
            found = candidates(rules, p, s, stage, sq, occupied, plan_words, squares)
            if found == UNSURE and unhindered and is_simple(rules, type):
                n += put_plain(p, &rules.steps[rules.start[way_of(rules, p.mailbox[sq])][sq]], sq, wanted, &out[n])
            elif found == UNSURE or found and type <= BLACK_PAWN and meets(squares, rules.promoting[p.stm], plan_words):
                n += put_targets(rules, p, s, stage, sq, &out[n])
            elif found:
                n += put_candidates(rules, p, s, stage, sq, unhindered, plan_words, squares, &out[n])
            if (rules.n_castles[type] and stage != NOISY and stage != QUIET_CHECKS and not s.forced
                    and has(p.virgin, sq)):
                n += put_castlings(rules, p, s, sq, &out[n])
    if rules.adds_moves and stage != NOISY and not s.forced:
        if rules.has_hands:
            n += put_drops(rules, p, s, stage, occupied, &out[n])
        if stage != QUIET_CHECKS and may_pass(rules, p, s):
            out[n] = passing_move(rules, p)
            n += 1
    return n


cdef int generate(FairyRules rules, const FairyPosition* p, FairyScan* s, int stage, Move* out) noexcept nogil:
    # A constant number of words lets the compiler unroll the loops over them.
    if rules.words == 1:
        return generate_in(rules, p, s, stage, 1, out)
    if rules.words == 2:
        return generate_in(rules, p, s, stage, 2, out)
    return generate_in(rules, p, s, stage, rules.words, out)


cdef int put_castlings(FairyRules rules, const FairyPosition* p, const FairyScan* s, int sq, Move* out) noexcept nogil:
    cdef Move found[5 * 8]
    cdef int i, n = 0, k = castlings(rules, p, sq, found)
    if rules.has_gating and has(rules.gates, sq):
        for i in range(k):
            n += put_gatings(rules, p, found[i], &found[k + n])
        k += n
        n = 0
    for i in range(k):
        if is_allowed(rules, p, s, found[i]):
            out[n] = found[i]
            n += 1
    return n


# ---- drops ----

cdef inline void clear_file(FairyRules rules, int file, uint64_t* squares) noexcept nogil:
    cdef int rank, sq
    for rank in range(rules.height):
        sq = rank * rules.width + file
        squares[sq >> 6] &= ~(<uint64_t> 1 << (sq & 63))


cdef inline void drop_targets(FairyRules rules, const FairyPosition* p, const FairyScan* s, int type,
                              const uint64_t* occupied, uint64_t* squares) noexcept nogil:
    """The squares where the side to move may drop a piece of this type, as far as masks decide."""
    cdef int word, sq, file, once = 0
    cdef uint64_t rest
    for word in range(rules.words):
        squares[word] = rules.drops[p.stm][type][word] & ~occupied[word]
        if s.single and s.checkers:
            squares[word] &= s.parry[word]
    if not (rules.single_drops | rules.double_drops) >> type & 1 or p.count[p.stm][type] == 0:
        return
    for word in range(rules.words):
        rest = p.occupied[p.stm][word]
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            if type_of(p.mailbox[sq]) == type:
                file = rules.file_of[sq]
                if rules.single_drops >> type & 1 or once >> file & 1:
                    clear_file(rules, file, squares)
                once |= 1 << file


cdef bint mates(FairyRules rules, const FairyPosition* p, Move move) noexcept nogil:
    """Return whether the move gives mate."""
    cdef FairyPosition after
    cdef FairyScan scan
    make_move(rules, p, &after, move)
    scan_position(rules, &after, &scan)
    return scan.in_check and count_below(rules, &after, &scan, 1) == 0


cdef inline bint may_drop(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil:
    """Return whether this drop on one of the squares of ``drop_targets`` is legal."""
    return is_allowed(rules, p, s, move) and not (rules.no_mate_drops >> move_promotion(move) & 1
                                                  and mates(rules, p, move))


cdef inline int put_drops_of(FairyRules rules, const FairyPosition* p, FairyScan* s, int stage, int type, bint free,
                             const uint64_t* occupied, Move* out) noexcept nogil:
    cdef int word, sq, n = 0
    cdef uint64_t squares[WORDS]
    cdef uint64_t rest
    cdef bint sure = free and not rules.no_mate_drops >> type & 1
    drop_targets(rules, p, s, type, occupied, squares)
    for word in range(rules.words):
        rest = squares[word]
        if stage == QUIET_CHECKS and s.discovers == LOOKED and word < PLAN_WORDS:
            rest &= (rules.reach_by[(s.their_royal * WAYS + way_of(rules, p.stm * 16 + type)) * PLAN_WORDS + word]
                     | (s.platforms[word] if s.has_platforms else 0))
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            out[n] = pack_move(sq, sq, 0, type, DROP)
            n += ((stage != QUIET_CHECKS or gives_check(rules, p, s, out[n]))
                  and (sure or may_drop(rules, p, s, out[n])))
    return n


cdef int put_drops(FairyRules rules, const FairyPosition* p, FairyScan* s, int stage, const uint64_t* occupied,
                   Move* out) noexcept nogil:
    cdef int i, type, n = 0
    cdef bint free = are_free(rules, s)
    for i in range(rules.n_drop_types[p.stm]):
        type = rules.drop_types[p.stm][i]
        if p.held[p.stm][type] == 0:
            continue
        n += put_drops_of(rules, p, s, stage, type, free, occupied, &out[n])
        if rules.held_form[p.stm][type]:
            n += put_drops_of(rules, p, s, stage, rules.held_form[p.stm][type], free, occupied, &out[n])
    return n


cdef inline int count_drops_of(FairyRules rules, const FairyPosition* p, const FairyScan* s, int type, bint free,
                               const uint64_t* occupied, int limit) noexcept nogil:
    cdef int word, sq, n = 0
    cdef uint64_t squares[WORDS]
    cdef uint64_t rest
    drop_targets(rules, p, s, type, occupied, squares)
    for word in range(rules.words):
        rest = squares[word]
        if free and not rules.no_mate_drops >> type & 1:
            n += fairy_count(rest)
            continue
        while rest and n < limit:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            n += may_drop(rules, p, s, pack_move(sq, sq, 0, type, DROP))
    return n


cdef int count_drops(FairyRules rules, const FairyPosition* p, const FairyScan* s, const uint64_t* occupied,
                     int limit) noexcept nogil:
    """Number of legal drops: exact below ``limit``, otherwise any number of at least ``limit``."""
    cdef int i, type, n = 0
    cdef bint free = are_free(rules, s)
    for i in range(rules.n_drop_types[p.stm]):
        type = rules.drop_types[p.stm][i]
        if p.held[p.stm][type] == 0:
            continue
        n += count_drops_of(rules, p, s, type, free, occupied, limit - n)
        if rules.held_form[p.stm][type]:
            n += count_drops_of(rules, p, s, rules.held_form[p.stm][type], free, occupied, limit - n)
    return n


cdef bint is_legal_drop(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil:
    cdef int type = move_promotion(move), sq = move_to(move), word
    cdef uint64_t squares[WORDS]
    cdef uint64_t occupied[WORDS]
    if (not rules.has_hands or s.forced or type == 0 or type >= TYPES
            or p.held[p.stm][rules.held_type[p.stm][type]] == 0 or move != pack_move(sq, sq, 0, type, DROP)):
        return False
    for word in range(WORDS):
        occupied[word] = p.occupied[0][word] | p.occupied[1][word]
    drop_targets(rules, p, s, type, occupied, squares)
    return has(squares, sq) and may_drop(rules, p, s, move)


cdef bint is_legal(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil:
    cdef int targets[MOST_TARGETS]
    cdef Move found[5 * 16]
    cdef int sq = move_from(move), to = move_to(move), piece, i, j, n, k
    if s.ending != ONGOING or sq >= rules.squares or to >= rules.squares:
        return False
    if passes_turn(move):
        return may_pass(rules, p, s) and move == passing_move(rules, p)
    if move_kind(move) == DROP:
        return is_legal_drop(rules, p, s, move)
    piece = p.mailbox[sq]
    if piece == 0 or side_of(piece) != p.stm:
        return False
    if move_kind(move) == CASTLING or move_kind(move) == CASTLE_GATING:
        if not rules.n_castles[type_of(piece)] or not has(p.virgin, sq) or s.forced:
            return False
        n = put_castlings(rules, p, s, sq, found)
        for i in range(n):
            if found[i] == move:
                return True
        return False
    n = targets_of(rules, p, sq, targets)
    for i in range(n):
        if targets[i] & 255 != to or (s.forced and not targets[i] >> 8 & CAPTURE):
            continue
        k = put_target(rules, p, sq, targets[i], found)
        for j in range(k):
            if found[j] == move:
                return is_allowed(rules, p, s, move)
    return False


# ---- counting ----

cdef int count_of(FairyRules rules, const FairyPosition* p, const FairyScan* s, int sq) noexcept nogil:
    """Number of legal moves of one piece, without castling."""
    cdef int targets[MOST_TARGETS]
    cdef Move found[3 * 16]
    cdef int n = targets_of(rules, p, sq, targets), i, j, k, total = 0
    for i in range(n):
        if s.forced and not targets[i] >> 8 & CAPTURE:
            continue
        k = put_target(rules, p, sq, targets[i], found)
        for j in range(k):
            total += is_allowed(rules, p, s, found[j])
    return total


cdef inline int count_walk(const FairyPosition* p, const Step* list, int us) noexcept nogil:
    cdef int i = list.empty != 0, n = 0
    while i:
        n += follow(p, list, us, &i) != 0
    return n


cdef inline int count_one(FairyRules rules, const FairyPosition* p, const FairyScan* s, int sq,
                          const uint64_t* occupied, bint free) noexcept nogil:
    """Number of legal moves of one piece, castling excluded. free: pieces off the royal's lines move unhindered."""
    cdef int type = type_of(p.mailbox[sq]), word, n = 0
    cdef uint64_t takes[PLAN_WORDS]
    cdef uint64_t goes[PLAN_WORDS]
    cdef const Plan* plan
    if not free or rules.promotable[type] or rules.has_first[type] or not is_unhindered(s, sq):
        return count_of(rules, p, s, sq)
    plan = &rules.plans[way_of(rules, p.mailbox[sq]) * rules.squares + sq]
    if plan.plain:
        planned(rules, plan, occupied, takes, goes, PLAN_WORDS)
        for word in range(PLAN_WORDS):
            n += fairy_count((takes[word] & p.occupied[p.stm ^ 1][word]) | (goes[word] & ~occupied[word]))
        return n
    if rules.overlaps[type]:
        return count_of(rules, p, s, sq)
    return count_walk(p, &rules.steps[rules.start[way_of(rules, p.mailbox[sq])][sq]], p.stm)


cdef int count_below(FairyRules rules, const FairyPosition* p, const FairyScan* s, int limit) noexcept nogil:
    cdef Move found[5 * 8]
    cdef int word, sq, type, total = 0
    cdef uint64_t rest
    cdef uint64_t occupied[WORDS]
    cdef bint free
    if s.ending != ONGOING:
        return 0
    free = are_free(rules, s) and not s.forced
    for word in range(WORDS):
        occupied[word] = p.occupied[0][word] | p.occupied[1][word]
    for word in range(rules.words):
        rest = p.occupied[p.stm][word]
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            type = type_of(p.mailbox[sq])
            total += count_one(rules, p, s, sq, occupied, free)
            if rules.n_castles[type] and has(p.virgin, sq) and not s.forced:
                total += put_castlings(rules, p, s, sq, found)
            if total >= limit:
                return total
    if rules.adds_moves and not s.forced:
        if rules.has_hands:
            total += count_drops(rules, p, s, occupied, limit - total)
        total += may_pass(rules, p, s)
    return total


cdef inline bint has_move_to(FairyRules rules, const FairyPosition* p, const FairyScan* s, const uint64_t* pieces,
                             const uint64_t* goal) noexcept nogil:
    """Return whether one of these pieces has a legal move to a square of ``goal``; NULL: a legal capture."""
    cdef int targets[MOST_TARGETS]
    cdef Move found[3 * 16]
    cdef int word, sq, n, i
    cdef uint64_t rest
    cdef bint wanted
    for word in range(rules.words):
        rest = pieces[word]
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            n = targets_of(rules, p, sq, targets)
            for i in range(n):
                wanted = targets[i] >> 8 & CAPTURE != 0 if goal == NULL else has(goal, targets[i] & 255)
                if not wanted:
                    continue
                if put_target(rules, p, sq, targets[i], found) and is_allowed(rules, p, s, found[0]):
                    return True
    return False


cdef bint has_capture(FairyRules rules, const FairyPosition* p, const FairyScan* s) noexcept nogil:
    return has_move_to(rules, p, s, p.occupied[p.stm], NULL)


cdef bint has_royal_move(FairyRules rules, const FairyPosition* p, const FairyScan* s,
                         const uint64_t* goal) noexcept nogil:
    return has_move_to(rules, p, s, p.royals[p.stm], goal)
