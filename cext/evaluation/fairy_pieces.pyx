"""Values of pieces: material and placement, computed once, and attacks.

White's view throughout.
"""

from libc.string cimport memset

from ..fairy.position cimport FairyPosition
from ..fairy.plans cimport PLAN_WORDS, Plan, planned
from ..fairy.rules cimport FairyRules
from ..fairy.squares cimport WORDS, fairy_count, fairy_lsb, has, put, side_of, type_of
from ..fairy.steps cimport BLACK_PAWN, DIRECT, NO_LINK, STEP_GATE, STEP_TAKES, WAYS, Step, beyond, link_of, way_of
from ..fairy.checks cimport is_clear
from ..fairy.movegen cimport follow
from .fairy_pawns cimport FairyPawnEntry, FairyPawns, distance_of, own_rank_of
from .fairy_weights cimport *
from ..base.types cimport *

cimport cython

from .fairy_weights import EXPLOSIONS, FORMS, HANDS, PLACES

cdef enum:                            # centipawns unless said otherwise
    FULL_SQUARE = 120                 # value of all pieces, per square of the board, that makes a full middlegame
    CENTRE_LIMIT = 45
    LIGHT_CP = 300                    # mobility and placement of a lighter piece count in proportion to its value
    MOBILITY_BASE = 300               # the worth of a move is divided by this plus the value of the piece
    WEAK_PROMOTION_CP = 250           # centipawns; if no promotion is worth more than this, advancing counts little
    STRONG_CP = 825                   # a side whose best piece is worth less than this gets part of F_NO_STRONG
    WEAK_CP = 500                     # a side whose best piece is worth at most this gets all of F_NO_STRONG
    LEAST_GAIN_CP = 60                # a threat counts if the victim is worth this much more than the attacker
    GUARD_CP = 450                    # pieces worth less than this count as guards of their royal
    DANGER_LIMIT = 2400               # limit of the units of attack
    MOST_GAIN_CP = 1200               # limit of what one explosion counts

# Called through a pointer, so that the compiler does not inline it, which would slow all other games down.
ctypedef void (*Blasts)(FairyTables, const FairyPosition*, const FairyPawnEntry*, Sheet*, int, int) noexcept nogil
cdef Blasts blasts = blasts_in_words


# ---- tables ----

cdef inline int from_centre(FairyRules rules, int sq) noexcept nogil:
    return from_middle(rules.file_of[sq], rules.width) + from_middle(rules.rank_of[sq], rules.height)


cdef inline double lightness(FairyRules rules, int type) noexcept nogil:
    """Factor of a piece's placement: below 1 for a light piece, so that its placement does not outweigh its value."""
    return min(1.0, rules.value[type] / <double> LIGHT_CP)


cdef void fill_worth(FairyTables t, int type, double mean_mobility) noexcept:
    """Value of a piece of this type, and of each of its moves."""
    cdef FairyRules rules = t.rules
    cdef bint pawn = type <= BLACK_PAWN
    cdef int divided_by = MOBILITY_BASE + min(rules.value[type], 2000)
    cdef double light = lightness(rules, type)
    t.usual[type] = <int> (16 * mean_mobility)
    t.move_mg[type] = <int> (t.w[F_MOBILITY_MG] * 1600 * light / divided_by)
    t.move_eg[type] = <int> (t.w[F_MOBILITY_EG] * 1600 * light / divided_by)
    t.worth_mg[type] = rules.value[type] * t.w[F_PAWN_MG if pawn else F_PIECE_MG] // 100
    t.worth_eg[type] = rules.value[type] * t.w[F_PAWN_EG if pawn else F_PIECE_EG] // 100
    t.held_mg[type] = t.worth_mg[type] * t.w[F_HELD_PAWN if pawn else F_HELD_MG] // 100
    t.held_eg[type] = t.worth_eg[type] * t.w[F_HELD_PAWN if pawn else F_HELD_EG] // 100
    t.attacker[type] = <int> (t.w[F_ATTACKER] * light)
    t.weight[type] = <int> (16 * light)
    t.missing[type] = 16 * max(0, min(STRONG_CP - rules.value[type], STRONG_CP - WEAK_CP)) // (STRONG_CP - WEAK_CP)


cdef void pawn_place(FairyTables t, int us, int sq, int* mg, int* eg) noexcept:
    """Centipawns for a pawn on this square: for its rank and a central file."""
    cdef FairyRules rules = t.rules
    cdef int own_rank = own_rank_of(rules, us, sq)
    mg[0] = t.w[F_PAWN_STEP_MG] * own_rank
    eg[0] = t.w[F_PAWN_STEP_EG] * own_rank
    if own_rank > 1 and from_middle(rules.file_of[sq], rules.width) <= 2:
        mg[0] += t.w[F_PAWN_CENTRE]
    if rules.types < 7 or rules.value[7] < WEAK_PROMOTION_CP:
        mg[0] //= 2
        eg[0] //= 2


cdef void royal_place(FairyTables t, int type, int us, int sq, int* mg, int* eg) noexcept:
    """Centipawns for a royal on this square: at the side and at home in the middlegame, central in the endgame. In a
    palace the side gives no bonus.
    """
    cdef FairyRules rules = t.rules
    mg[0] = 0 if t.confined[type] else t.w[F_ROYAL_SIDE] * from_middle(rules.file_of[sq], rules.width)
    mg[0] -= t.w[F_ROYAL_ADVANCED] * min(own_rank_of(rules, us, sq), 4)
    eg[0] = -t.w[F_ROYAL_CENTRE] * from_centre(rules, sq)


cdef void piece_place(FairyTables t, int us, int type, int sq, double mean_mobility, int* mg, int* eg) noexcept:
    """Centipawns for a piece on this square: its moves there compared with its average."""
    cdef FairyRules rules = t.rules
    cdef double here = rules.mobility(way_of(rules, 16 * us + type), sq)
    cdef double share = 1.0 if rules.centralises[type] else 1.0 / 3
    cdef double light = lightness(rules, type)
    mg[0] = <int> (t.w[F_CENTRE_MOVE_MG] * (here - mean_mobility) * share)
    eg[0] = <int> (t.w[F_CENTRE_MOVE_EG] * (here - mean_mobility) * share)
    if rules.centralises[type]:
        # Reward pieces for leaving the back ranks and the corners.
        mg[0] += (2 * t.w[F_COMES_OUT_MG] * (12 - from_centre(rules, sq))) // 12
        eg[0] += (2 * t.w[F_COMES_OUT_EG] * (12 - from_centre(rules, sq))) // 12
    mg[0] = <int> (light * max(-CENTRE_LIMIT, min(CENTRE_LIMIT, mg[0])))
    eg[0] = <int> (light * max(-CENTRE_LIMIT, min(CENTRE_LIMIT, eg[0])))


@cython.final
cdef class FairyTables:
    """The tables of one evaluator."""

    def __cinit__(self, FairyRules rules not None, dict weights=None):
        """weights: numbers by name that replace those of fairy_weights.pyx, for fitting."""
        cdef int at
        self.rules = rules
        for at in range(FAIRY_WEIGHTS):
            self.w[at] = FAIRY_WEIGHT[at]
        usual = HANDS | FORMS if rules.has_forms else HANDS if rules.has_hands else {}
        if rules.explodes:
            usual = usual | EXPLOSIONS
        for name, number in (usual | (weights or {})).items():
            self.w[PLACES[name]] = number
        self.fill()

    cdef int fill(self) except -1:
        cdef FairyRules rules = self.rules
        cdef int type, sq, us, mg, eg, sign
        cdef double mean, share
        for type in range(1, rules.types + 1):
            for sq in range(rules.squares):
                self.confined[type] |= not has(rules.zones[type], sq)
            mean = rules.mean_mobility(type)
            fill_worth(self, type, mean)
            shares = rules.prospects(type) if type > BLACK_PAWN and rules.gains_by_areas(type) else None
            if type > BLACK_PAWN and rules.traits[type].bonus:
                self.pair_types[self.n_pair_types] = type
                self.n_pair_types += 1
            for sq in range(rules.squares):
                for us in range(2):
                    sign = 1 if us == WHITE else -1
                    if type <= BLACK_PAWN:
                        pawn_place(self, us, sq, &mg, &eg)
                    elif rules.royal[type]:
                        royal_place(self, type, us, sq, &mg, &eg)
                    else:
                        piece_place(self, us, type, sq, mean, &mg, &eg)
                        self.worth[16 * us + type][sq].phase = rules.value[type]
                    if not rules.royal[type]:
                        share = shares[sq] if shares else 1.0
                        mg += <int> (self.worth_mg[type] * share)
                        eg += <int> (self.worth_eg[type] * share)
                    self.worth[16 * us + type][sq].mg = sign * mg
                    self.worth[16 * us + type][sq].eg = sign * eg
        self.full_phase = 0
        for sq in range(rules.squares):
            type = type_of(rules.start_piece[sq])
            if type > BLACK_PAWN and not rules.royal[type]:
                self.full_phase += rules.value[type]
        self.full_phase = max(self.full_phase, FULL_SQUARE * rules.squares)
        for us in range(2):
            for type in range(rules.width):
                for sq in range(rules.squares):
                    if abs(rules.file_of[sq] - type) <= 1 and 2 * own_rank_of(rules, us, sq) < rules.height:
                        put(self.flanks[us][type], sq)
        return 0


# ---- attacks ----

cdef inline void note_attacks(const FairyPosition* p, Sheet* sheet, int us, int type, const uint64_t* reached,
                              int words) noexcept nogil:
    """Note on the sheet the squares that a piece attacks, and the enemy pieces on them."""
    cdef int word
    cdef uint64_t rest
    for word in range(words):
        sheet.twice[us][word] |= sheet.attacks[us][word] & reached[word]
        sheet.attacks[us][word] |= reached[word]
        sheet.by_type[us][type][word] |= reached[word]
        rest = reached[word] & p.occupied[us ^ 1][word]
        while rest and sheet.n_hits[us] < MOST_HITS:
            sheet.hits[us][sheet.n_hits[us]].type = <uint8_t> type
            sheet.hits[us][sheet.n_hits[us]].sq = <uint8_t> (word * 64 + fairy_lsb(rest))
            sheet.n_hits[us] += 1
            rest &= rest - 1


cdef inline int walk_steps(FairyRules rules, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet, int us,
                           int type, int way, int sq, int words, int* hits) noexcept nogil:
    """Number of moves of one piece; notes its attacks on the sheet and counts those on the enemy royal's zone in
    ``hits``.
    """
    cdef const Step* list = &rules.steps[rules.start[way][sq]]
    cdef const Step* step
    cdef int i = list.empty != 0, done, moves = 0
    cdef uint64_t[WORDS] reached
    memset(reached, 0, sizeof(reached))
    hits[0] = 0
    while i:
        step = &list[i]
        if step.flags & STEP_GATE:
            i = beyond(rules, step, p.mailbox[step.to])
            continue
        if step.flags & STEP_TAKES:
            put(reached, step.to)
            hits[0] += has(sheet.zone[us ^ 1], step.to)
        done = follow(p, list, us, &i)
        if done == STEP_TAKES:
            moves += 1
        elif done:
            moves += not has(entry.attacks[us ^ 1], step.to)
    note_attacks(p, sheet, us, type, reached, words)
    return moves


cdef inline int follow_plan(FairyRules rules, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet,
                            int us, int type, const Plan* plan, int words, int* hits) noexcept nogil:
    """Like walk_steps, but by masks, for types with plain plans."""
    cdef uint64_t[PLAN_WORDS] takes
    cdef uint64_t[PLAN_WORDS] goes
    cdef int word, them = us ^ 1, moves = 0, found = 0
    planned(rules, plan, sheet.occupied, takes, goes, words)
    for word in range(words):
        found += fairy_count(takes[word] & sheet.zone[them][word])
        moves += fairy_count((takes[word] & p.occupied[them][word])
                             | (goes[word] & ~sheet.occupied[word] & ~entry.attacks[them][word]))
    hits[0] = found
    note_attacks(p, sheet, us, type, takes, words)
    return moves


cdef inline void add_piece(FairyTables t, Sheet* sheet, int us, int type, int moves, int hits) noexcept nogil:
    """Mobility and attack of one piece, which is neither pawn nor royal."""
    cdef int sign = 1 if us == WHITE else -1
    moves = 16 * moves - t.usual[type]
    sheet.mg[T_MOBILITY] += sign * (t.move_mg[type] * moves // 256)
    sheet.eg[T_MOBILITY] += sign * (t.move_eg[type] * moves // 256)
    if hits:
        sheet.attackers[us ^ 1] += 1
        sheet.danger[us ^ 1] += t.attacker[type] + hits * t.w[F_ATTACK]


cdef inline void note_in_words(FairyTables t, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet, int us,
                               int words) noexcept nogil:
    """Note mobility and attacks of one side, including attacks on the enemy royal."""
    cdef int word, sq, type, way, moves, hits
    cdef uint64_t rest
    cdef const Plan* plan
    for word in range(words):
        if t.rules.leaping_pawns:
            sheet.attacks[us][word] |= entry.attacks[us][word]
        rest = p.occupied[us][word]
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            type = type_of(p.mailbox[sq])
            if type <= BLACK_PAWN and t.rules.leaping_pawns:
                continue
            way = way_of(t.rules, p.mailbox[sq])
            plan = &t.rules.plans[way * t.rules.squares + sq]
            if plan.plain:
                moves = follow_plan(t.rules, p, entry, sheet, us, type, plan, min(words, <int> PLAN_WORDS), &hits)
            else:
                moves = walk_steps(t.rules, p, entry, sheet, us, type, way, sq, words, &hits)
            if type > BLACK_PAWN and not t.rules.royal[type]:
                add_piece(t, sheet, us, type, moves, hits)
    for word in range(words if sheet.royal_sq[us] >= 0 else 0):
        sheet.by_royal[us][word] = sheet.by_type[us][type_of(p.mailbox[sheet.royal_sq[us]])][word]


cdef void note_pieces(FairyTables t, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet,
                      int us) noexcept nogil:
    note_in_words(t, p, entry, sheet, us, t.rules.words)


# ---- terms ----

cdef inline void score_passed(FairyTables t, FairyPawns pawns, const FairyPosition* p, const FairyPawnEntry* entry,
                              Sheet* sheet, int us, int words) noexcept nogil:
    """Passed pawns with a free and safe way ahead."""
    cdef int word, sq, ahead = t.rules.width if us == WHITE else -t.rules.width
    cdef int sign = 1 if us == WHITE else -1
    cdef uint64_t rest
    for word in range(words):
        rest = entry.passed[us][word]
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            if p.mailbox[sq + ahead] == 0 and not has(sheet.attacks[us ^ 1], sq + ahead):
                sheet.eg[T_PASSED] += sign * pawns.passed_free[us][sq]


cdef inline void score_threats(FairyTables t, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet,
                               int us, int words) noexcept nogil:
    """Enemy pieces attacked by a pawn or by a cheaper piece, or attacked and not sufficiently defended."""
    cdef int word, them = us ^ 1, sign = 1 if us == WHITE else -1, i, type, mg = 0, eg = 0, sq
    cdef uint64_t[WORDS] held
    cdef uint64_t rest
    for word in range(words):
        held[word] = entry.attacks[them][word] | (sheet.twice[them][word] & ~sheet.twice[us][word])
        i = fairy_count(sheet.attacks[us][word] & sheet.attacks[them][word] & ~held[word]
                        & ~p.occupied[them][word])
        mg += 16 * t.w[F_RESTRICTED_MG] * i
        eg += 16 * t.w[F_RESTRICTED_EG] * i
        rest = p.occupied[them][word] & ~p.royals[them][word] & (
            entry.attacks[us][word] | (sheet.attacks[us][word] & ~sheet.attacks[them][word]))
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            type = type_of(p.mailbox[sq])
            if not has(sheet.attacks[them], sq):
                mg += t.weight[type] * t.w[F_HANGING_MG]
                eg += t.weight[type] * t.w[F_HANGING_EG]
            if type > BLACK_PAWN and has(entry.attacks[us], sq):
                mg += t.weight[type] * t.w[F_PAWN_THREAT_MG]
                eg += t.weight[type] * t.w[F_PAWN_THREAT_EG]
    for i in range(sheet.n_hits[us]):
        sq = sheet.hits[us][i].sq
        type = type_of(p.mailbox[sq])
        if t.rules.royal[type]:
            continue
        if type > BLACK_PAWN and t.rules.value[type] >= t.rules.value[sheet.hits[us][i].type] + LEAST_GAIN_CP:
            mg += t.weight[type] * t.w[F_GREATER_MG]
            eg += t.weight[type] * t.w[F_GREATER_EG]
        elif not has(held, sq):
            mg += t.weight[type] * t.w[F_WEAK_MG]
            eg += t.weight[type] * t.w[F_WEAK_EG]
    sheet.mg[T_THREATS] += sign * (mg // 16)
    sheet.eg[T_THREATS] += sign * (eg // 16)


cdef void score_hill(FairyTables t, Sheet* sheet, int us) noexcept nogil:
    """Steps of the only royal of `us` to the hill."""
    cdef int sign = 1 if us == WHITE else -1, word, sq, nearest = 16
    cdef uint64_t rest
    for word in range(t.rules.words):
        rest = t.rules.hill[word]
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            if sheet.royal_sq[us] >= 0:
                nearest = min(nearest, distance_of(t.rules, sheet.royal_sq[us], sq))
            else:
                nearest = 0
    sheet.mg[T_HILL] -= sign * t.w[F_HILL_STEP_MG] * nearest
    sheet.eg[T_HILL] -= sign * t.w[F_HILL_STEP_EG] * nearest


cdef inline void score_royals(FairyTables t, const FairyPosition* p, Sheet* sheet, int us, int words) noexcept nogil:
    """Attack on the only royal of `us`, and its right to castle."""
    cdef int sign = 1 if us == WHITE else -1, units, cp, sq = sheet.royal_sq[us]
    if sq < 0:
        return
    if sheet.attackers[us] or t.rules.has_hands:
        units = min(danger_of(t, p, sheet, us, words), DANGER_LIMIT)
        if units > 0:
            cp = units * units // 128 * t.w[F_DANGER_MG] // 128
            if t.confined[type_of(p.mailbox[sq])]:
                cp = cp * t.w[F_CONFINED] // 100
            sheet.mg[T_ROYALS] -= sign * cp
            sheet.eg[T_ROYALS] -= sign * (units * t.w[F_DANGER_EG] // 256)
    if has(p.virgin, sq) and t.rules.n_castles[type_of(p.mailbox[sq])]:
        sheet.mg[T_ROYALS] += sign * t.w[F_VIRGIN_ROYAL]


cdef inline int danger_of(FairyTables t, const FairyPosition* p, Sheet* sheet, int us, int words) noexcept nogil:
    """Units of attack on the only royal (CPW: King Safety, attack units)."""
    cdef int them = us ^ 1, units = sheet.danger[us], word, sq = sheet.royal_sq[us], type, missing = 16
    cdef uint64_t weak, rest
    cdef uint64_t[WORDS] safe
    for type in range(BLACK_PAWN + 1, t.rules.types + 1):
        if (p.count[them][type] or (t.rules.has_hands and p.held[them][type])) and not t.rules.royal[type]:
            missing = min(missing, t.missing[type])
    if not t.confined[type_of(p.mailbox[sq])]:
        units += t.w[F_NO_STRONG] * missing // 16
    for word in range(words):
        weak = (sheet.attacks[them][word] & ~sheet.twice[us][word]
                & (~sheet.attacks[us][word] | sheet.by_royal[us][word]))
        safe[word] = ~p.occupied[them][word] & (~sheet.attacks[us][word] | (weak & sheet.twice[them][word]))
        units += t.w[F_WEAK_SQUARE] * fairy_count(weak & sheet.zone[us][word])
        units += t.w[F_FLANK] * fairy_count(sheet.attacks[them][word]
                                            & t.flanks[us][t.rules.file_of[sq]][word])
        rest = sheet.zone[us][word] & p.occupied[us][word] & ~p.royals[us][word]
        while rest:
            type = type_of(p.mailbox[word * 64 + fairy_lsb(rest)])
            rest &= rest - 1
            if type <= BLACK_PAWN:
                units += t.w[F_PAWN_GUARD]
            elif t.rules.value[type] < GUARD_CP:
                units += t.w[F_PIECE_GUARD]
    if t.rules.has_hands:
        units += drops_of(t, p, sheet, us, safe, words)
    return units + checks_of(t, p, sheet, us, safe, words)


cdef int drops_of(FairyTables t, const FairyPosition* p, Sheet* sheet, int us, const uint64_t* safe,
                  int words) noexcept nogil:
    """Units for what the enemy's hand can do to the only royal of `us`: safe checks, and weak squares beside it."""
    cdef int them = us ^ 1, i, type, way, word, sq, link, units = 0, royal_sq = sheet.royal_sq[us], holes = 0
    cdef uint64_t rest
    for word in range(words):
        holes += fairy_count(sheet.zone[us][word] & ~sheet.occupied[word]
                             & (~sheet.attacks[us][word] | (sheet.by_royal[us][word] & ~sheet.twice[us][word])))
    for i in range(t.rules.n_drop_types[them]):
        type = t.rules.drop_types[them][i]
        if p.held[them][type] == 0:
            continue
        way = way_of(t.rules, 16 * them + type)
        units += (t.w[F_HELD_ATTACKER] * t.weight[type] + t.w[F_DROP_SQUARE] * holes * t.weight[type]) // 16
        for word in range(min(words, <int> PLAN_WORDS)):
            rest = (t.rules.drops[them][type][word] & ~sheet.occupied[word] & safe[word]
                    & t.rules.reach_by[(royal_sq * WAYS + way) * PLAN_WORDS + word])
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                link = link_of(t.rules, royal_sq, way, sq)
                if link == DIRECT or not (t.rules.lines[link].hidden
                                          or not is_clear(t.rules, p, &t.rules.lines[link], sheet.occupied, words)):
                    units += t.w[F_DROP_CHECK] * t.weight[type] // 16
                    break
    return units


cdef inline int checks_of(FairyTables t, const FairyPosition* p, Sheet* sheet, int us, const uint64_t* safe,
                          int words) noexcept nogil:
    """Units for the checks that each type of piece can give to the only royal of `us`."""
    cdef int them = us ^ 1, type, way, word, from_sq, link, units = 0, royal_sq = sheet.royal_sq[us], found
    cdef uint64_t rest
    for type in range(BLACK_PAWN + 1, t.rules.types + 1):
        if p.count[them][type] == 0 or t.rules.royal[type]:
            continue
        found = 0
        way = way_of(t.rules, 16 * them + type)
        for word in range(words):
            rest = sheet.by_type[them][type][word] & ~p.occupied[them][word]
            rest &= t.rules.reach_by[(royal_sq * WAYS + way) * PLAN_WORDS + word] if word < PLAN_WORDS else 0
            while rest and found < 2:
                from_sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                link = link_of(t.rules, royal_sq, way, from_sq)
                if link != DIRECT and (t.rules.lines[link].hidden
                                       or not is_clear(t.rules, p, &t.rules.lines[link], sheet.occupied, words)):
                    continue
                found = 2 if has(safe, from_sq) else 1
        units += t.w[F_CHECK] if found == 2 else t.w[F_UNSAFE_CHECK] if found else 0
    return units


# ---- explosions ----
#
# Defending a piece is useless where captures explode, because the capturing piece is lost anyway. A royal is removed if
# the other side captures a piece beside it, so the pieces of its own side around it endanger it.

cdef inline int removed_beside(FairyTables t, const FairyPosition* p, const Sheet* sheet, int us, int sq,
                               int words) noexcept nogil:
    """Centipawns of the pieces that an explosion removes beside its square: the other side's minus those of `us`."""
    cdef int word, piece, cp = 0
    cdef uint64_t rest
    for word in range(words):
        rest = t.rules.around[sq][word] & sheet.occupied[word]
        while rest:
            piece = p.mailbox[word * 64 + fairy_lsb(rest)]
            rest &= rest - 1
            if not t.rules.spared >> type_of(piece) & 1:
                cp += t.rules.value[type_of(piece)] if side_of(piece) != us else -t.rules.value[type_of(piece)]
    return cp


cdef inline int least_taker(FairyTables t, const FairyPosition* p, const FairyPawnEntry* entry, const Sheet* sheet,
                            int us, int sq) noexcept nogil:
    """Value of the cheapest piece of `us` that could capture on this square, -1 without one. Royals never capture."""
    cdef int type, least = -1
    for type in range(1, t.rules.types + 1):
        if p.count[us][type] == 0 or t.rules.royal[type]:
            continue
        if type <= BLACK_PAWN and t.rules.leaping_pawns:
            if not has(entry.attacks[us], sq):
                continue
        elif not has(sheet.by_type[us][type], sq):
            continue
        if least < 0 or t.rules.value[type] < least:
            least = t.rules.value[type]
    return least


cdef inline int fuses(FairyTables t, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet, int us,
                      const uint64_t* targets, const uint64_t* forbidden, int words) noexcept nogil:
    """Units of attack of `us` on the pieces beside the other side's only royal.

    targets: squares on which a piece of `us` other than a royal could capture. forbidden: squares on which a capture
    would blow up the royal of `us`.
    """
    cdef int them = us ^ 1, word, sq, type, units = 0, royal_sq = sheet.royal_sq[them]
    cdef uint64_t rest
    for word in range(words):
        rest = t.rules.around[royal_sq][word] & p.occupied[them][word]
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            if has(forbidden, sq):
                continue
            units += t.w[F_FUSE]
            if has(targets, sq):
                units += t.w[F_LIT_FUSE]
                sheet.attackers[them] += 1
                continue
            for type in range(BLACK_PAWN + 1, t.rules.types + 1):
                if p.count[us][type] and not t.rules.royal[type] and can_aim(t, p, sheet, us, type, sq, words):
                    units += t.w[F_FUSE_REACH]
                    sheet.attackers[them] += 1
    return units


cdef inline bint can_aim(FairyTables t, const FairyPosition* p, const Sheet* sheet, int us, int type,
                         int target, int words) noexcept nogil:
    """Return whether a piece of this type can go to a square where it is not attacked and attacks the target."""
    cdef int word, sq, link, way = way_of(t.rules, 16 * us + type)
    cdef uint64_t rest
    for word in range(min(words, <int> PLAN_WORDS)):
        rest = (sheet.by_type[us][type][word] & ~sheet.occupied[word] & ~sheet.attacks[us ^ 1][word]
                & t.rules.reach_by[(target * WAYS + way) * PLAN_WORDS + word])
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            link = link_of(t.rules, target, way, sq)
            if link == DIRECT or (link != NO_LINK and not t.rules.lines[link].hidden
                                  and is_clear(t.rules, p, &t.rules.lines[link], sheet.occupied, words)):
                return True
    return False


cdef void blasts_in_words(FairyTables t, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet, int us,
                          int words) noexcept nogil:
    """Threats of `us` to blow up pieces, and its units of attack on the pieces beside the other side's only royal."""
    cdef int them = us ^ 1, sign = 1 if us == WHITE else -1, word, sq, cp, taker, best = 0, second = 0
    cdef uint64_t[WORDS] targets
    cdef uint64_t[WORDS] forbidden
    cdef uint64_t rest
    for word in range(words):
        targets[word] = sheet.attacks[us][word] & (~sheet.by_royal[us][word] | sheet.twice[us][word])
        forbidden[word] = t.rules.around[sheet.royal_sq[us]][word] if sheet.royal_sq[us] >= 0 else 0
    for word in range(words):
        rest = p.occupied[them][word] & targets[word] & ~forbidden[word] & ~p.royals[them][word]
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            if sheet.royal_sq[them] >= 0 and has(t.rules.around[sheet.royal_sq[them]], sq):
                continue              # `fuses` counts it
            taker = least_taker(t, p, entry, sheet, us, sq)
            if taker < 0:
                continue
            cp = t.rules.value[type_of(p.mailbox[sq])] + removed_beside(t, p, sheet, us, sq, words) - taker
            if cp > best:
                second = best
                best = cp
            elif cp > second:
                second = cp
    best = min(best, <int> MOST_GAIN_CP)
    second = min(second, <int> MOST_GAIN_CP)
    cp = (best * t.w[F_BLAST_TURN if p.stm == us else F_BLAST] + second * t.w[F_BLAST_MORE]) // 100
    sheet.mg[T_THREATS] += sign * cp
    sheet.eg[T_THREATS] += sign * cp
    if sheet.royal_sq[them] >= 0:
        sheet.danger[them] += fuses(t, p, entry, sheet, us, targets, forbidden, words)


cdef inline void score_all(FairyTables t, FairyPawns pawns, const FairyPosition* p, const FairyPawnEntry* entry,
                           Sheet* sheet, int words) noexcept nogil:
    cdef int us
    for us in range(2):
        note_in_words(t, p, entry, sheet, us, words)
    for us in range(2):
        score_passed(t, pawns, p, entry, sheet, us, words)
        if t.rules.explodes:
            blasts(t, p, entry, sheet, us, words)
        else:
            score_threats(t, p, entry, sheet, us, words)
    for us in range(2):
        score_royals(t, p, sheet, us, words)
        if t.rules.has_hill:
            score_hill(t, sheet, us)


cdef void score_attacks(FairyTables t, FairyPawns pawns, const FairyPosition* p, const FairyPawnEntry* entry,
                        Sheet* sheet) noexcept nogil:
    # A constant number of words lets the compiler unroll the loops over them.
    if t.rules.words == 1:
        score_all(t, pawns, p, entry, sheet, 1)
    elif t.rules.words == 2:
        score_all(t, pawns, p, entry, sheet, 2)
    else:
        score_all(t, pawns, p, entry, sheet, t.rules.words)
