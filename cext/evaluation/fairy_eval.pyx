"""Evaluation of any game: material, mobility, pawns, royals, and who can still mate.

The numbers hold for many games at once (fairy_weights.pyx, docs/evaluation.md). White's view throughout.
"""

from libc.string cimport memset

from ..base.board cimport Board, Head
from ..fairy.board cimport FairyBoard
from ..fairy.position cimport FairyPosition
from ..fairy.rules cimport (BLACK_PAWN, DIRECT, PLAN_WORDS, STEP_MOVES, STEP_TAKES, TYPES, WHITE_PAWN, WORDS,
                            FairyRules, Plan, Step, checks_cp, fairy_count, fairy_lsb, has, link_of, planned, put,
                            side_of, type_of)
from ..fairy.scan cimport is_clear
from .fairy_pawns cimport (P_PASSED, P_SHELTER, P_STRUCTURE, FairyPawnEntry, FairyPawns, distance_of, lone_royal,
                           own_rank_of)
from .fairy_weights cimport *
from ..endings.material cimport divisor
from ..base.types cimport *

cimport cython

from .fairy_weights import PLACES

cdef enum:                            # guesses, not tuned
    GOAL_RANK_CP = 60                 # each rank nearer to a goal that wins

cdef enum:                            # centipawns unless said otherwise
    FULL_SQUARE = 120                 # pieces of both sides for each square of the board that make a full middlegame
    CENTRE_LIMIT = 45
    LIGHT_CP = 300                    # mobility and placement of a lighter piece count in proportion to its value
    MOBILITY_BASE = 300               # a move is worth less for a valuable piece: divided by its value plus this
    WEAK_PROMOTION_CP = 250           # if no promotion is worth more, advancing counts little
    STRONG_CP = 825                   # an attack without a piece of this value lacks something, without one of
    WEAK_CP = 500                     # this value everything that F_NO_STRONG stands for
    LEAST_GAIN_CP = 60                # a threat wins something if the victim is worth so much more
    GUARD_CP = 450                    # a piece worth less guards its royal
    DANGER_LIMIT = 2400               # units
    LAZY_CP = 1200                    # material, placement and pawns so far ahead that the rest cannot matter
    MOP_UP_EDGE = 12
    MOP_UP_NEAR = 6
    MOP_UP_WIN = 200
    CONFINED_SQUARE = 8
    CONFINED_EDGE = 5
    CONFINED_LIMIT = 200

NAMES = ("material", "piece-square", "pairs", "mobility", "pawns", "passed pawns", "threats", "royal safety",
         "hill", "mate drive", "tempo")


cdef inline int from_middle(int at, int length) noexcept nogil:
    """Twice the distance of a file or rank from the middle of the board."""
    cdef int distance = 2 * at - (length - 1)
    return distance if distance >= 0 else -distance


# ---- steps of fill_tables ----

cdef inline int from_centre(FairyRules rules, int sq) noexcept nogil:
    return from_middle(sq % rules.width, rules.width) + from_middle(sq // rules.width, rules.height)


cdef inline double lightness(FairyRules rules, int type) noexcept nogil:
    """Below 1 for a light piece, so that its place does not count more than the piece itself."""
    return min(1.0, rules.value[type] / <double> LIGHT_CP)


cdef void fill_worth(FairyEvaluator e, int type, double mean_mobility) noexcept:
    """What a man of this type is worth in itself, and what each of its moves is worth."""
    cdef FairyRules rules = e.rules
    cdef bint pawn = type <= BLACK_PAWN
    cdef int divided_by = MOBILITY_BASE + min(rules.value[type], 2000)
    cdef double light = lightness(rules, type)
    e.usual[type] = <int> (16 * mean_mobility)
    e.move_mg[type] = <int> (e.w[F_MOBILITY_MG] * 1600 * light / divided_by)
    e.move_eg[type] = <int> (e.w[F_MOBILITY_EG] * 1600 * light / divided_by)
    e.worth_mg[type] = rules.value[type] * e.w[F_PAWN_MG if pawn else F_PIECE_MG] // 100
    e.worth_eg[type] = rules.value[type] * e.w[F_PAWN_EG if pawn else F_PIECE_EG] // 100
    e.attacker[type] = <int> (e.w[F_ATTACKER] * light)
    e.weight[type] = <int> (16 * light)
    e.missing[type] = 16 * max(0, min(STRONG_CP - rules.value[type], STRONG_CP - WEAK_CP)) // (STRONG_CP - WEAK_CP)


cdef void pawn_place(FairyEvaluator e, int us, int sq, int* mg, int* eg) noexcept:
    """Centipawns for a pawn on this square: for advancing, and for standing in the middle."""
    cdef FairyRules rules = e.rules
    cdef int own_rank = own_rank_of(rules, us, sq)
    mg[0] = e.w[F_PAWN_STEP_MG] * own_rank
    eg[0] = e.w[F_PAWN_STEP_EG] * own_rank
    if own_rank > 1 and from_middle(sq % rules.width, rules.width) <= 2:
        mg[0] += e.w[F_PAWN_CENTRE]
    if rules.types < 7 or rules.value[7] < WEAK_PROMOTION_CP:
        mg[0] //= 2
        eg[0] //= 2


cdef void royal_place(FairyEvaluator e, int us, int sq, int* mg, int* eg) noexcept:
    """Centipawns for a royal on this square: at the side and at home in the middlegame, central in the endgame."""
    cdef FairyRules rules = e.rules
    mg[0] = e.w[F_ROYAL_SIDE] * from_middle(sq % rules.width, rules.width)
    mg[0] -= e.w[F_ROYAL_ADVANCED] * min(own_rank_of(rules, us, sq), 4)
    eg[0] = -e.w[F_ROYAL_CENTRE] * from_centre(rules, sq)


cdef void piece_place(FairyEvaluator e, int type, int sq, double mean_mobility, int* mg, int* eg) noexcept:
    """Centipawns for a piece on this square, by the moves that it has there more than on average."""
    cdef FairyRules rules = e.rules
    cdef double here = rules.mobility(type, sq)
    cdef double share = 1.0 if rules.centralises[type] else 1.0 / 3
    cdef double light = lightness(rules, type)
    mg[0] = <int> (e.w[F_CENTRE_MOVE_MG] * (here - mean_mobility) * share)
    eg[0] = <int> (e.w[F_CENTRE_MOVE_EG] * (here - mean_mobility) * share)
    if rules.centralises[type]:
        # Reward pieces for leaving the back ranks and the corners.
        mg[0] += (2 * e.w[F_COMES_OUT_MG] * (12 - from_centre(rules, sq))) // 12
        eg[0] += (2 * e.w[F_COMES_OUT_EG] * (12 - from_centre(rules, sq))) // 12
    mg[0] = <int> (light * max(-CENTRE_LIMIT, min(CENTRE_LIMIT, mg[0])))
    eg[0] = <int> (light * max(-CENTRE_LIMIT, min(CENTRE_LIMIT, eg[0])))


# ---- steps of the evaluation ----

cdef inline void change_worth(FairyEvaluator e, const FairyPosition* before, const FairyPosition* after, int sq,
                              Worth* sum) noexcept nogil:
    """What a move has changed on one square."""
    cdef const Worth* old = &e.worth[before.mailbox[sq]][sq]
    cdef const Worth* new = &e.worth[after.mailbox[sq]][sq]
    sum.mg += new.mg - old.mg
    sum.eg += new.eg - old.eg
    sum.phase += new.phase - old.phase


cdef inline void follow_move(FairyEvaluator e, const FairyPosition* before, const FairyPosition* after, Move move,
                             Worth* sum) noexcept nogil:
    """Take the squares into account that a move has touched; a null move touches none."""
    cdef int from_sq = move_from(move), to_sq = move_to(move), via = move_via(move), kind = move_kind(move), partner
    if move == 0:
        return
    change_worth(e, before, after, from_sq, sum)
    change_worth(e, before, after, to_sq, sum)
    if kind == EN_PASSANT:
        change_worth(e, before, after, via, sum)
    elif kind == CASTLING or kind == CASTLE_GATING:
        change_worth(e, before, after, via, sum)
        partner = to_sq - 1 if via > from_sq else to_sq + 1
        if partner != from_sq:
            change_worth(e, before, after, partner, sum)


cdef inline void note_attacks(const FairyPosition* p, Sheet* sheet, int us, int type, const uint64_t* reached,
                              int words) noexcept nogil:
    """Put the squares that a man attacks on the sheet, and the men of the other side on them."""
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
                           int type, int sq, int* hits) noexcept nogil:
    """Moves of one man; what it attacks is noted on the sheet, attacks on the zone of the other royal in ``hits``."""
    cdef const Step* list = &rules.steps[rules.start[type][sq]]
    cdef const Step* step
    cdef int i = list.empty != 0, man, moves = 0
    cdef uint64_t[WORDS] reached
    memset(reached, 0, sizeof(reached))
    hits[0] = 0
    while i:
        step = &list[i]
        man = p.mailbox[step.to]
        if step.flags & STEP_TAKES:
            put(reached, step.to)
            hits[0] += has(sheet.zone[us ^ 1], step.to)
        if man == 0:
            if step.flags & STEP_MOVES:
                moves += not has(entry.attacks[us ^ 1], step.to)
            i = step.empty
        elif side_of(man) != us:
            moves += step.flags & STEP_TAKES
            i = step.enemy
        else:
            i = step.friendly
    note_attacks(p, sheet, us, type, reached, rules.words)
    return moves


cdef inline int follow_plan(FairyRules rules, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet,
                            int us, int type, const Plan* plan, int* hits) noexcept nogil:
    """The same by masks, where the steps are plain."""
    cdef uint64_t[PLAN_WORDS] takes
    cdef uint64_t[PLAN_WORDS] goes
    cdef int word, them = us ^ 1, moves = 0, found = 0
    planned(rules, plan, sheet.occupied, takes, goes)
    for word in range(PLAN_WORDS):
        found += fairy_count(takes[word] & sheet.zone[them][word])
        moves += fairy_count((takes[word] & p.occupied[them][word])
                             | (goes[word] & ~sheet.occupied[word] & ~entry.attacks[them][word]))
    hits[0] = found
    note_attacks(p, sheet, us, type, takes, PLAN_WORDS)
    return moves


cdef inline void add_piece(FairyEvaluator e, Sheet* sheet, int us, int type, int moves, int hits) noexcept nogil:
    """Mobility and attack of one piece, which is neither pawn nor royal."""
    cdef int sign = 1 if us == WHITE else -1
    moves = 16 * moves - e.usual[type]
    sheet.mg[T_MOBILITY] += sign * (e.move_mg[type] * moves // 256)
    sheet.eg[T_MOBILITY] += sign * (e.move_eg[type] * moves // 256)
    if hits:
        sheet.attackers[us ^ 1] += 1
        sheet.danger[us ^ 1] += e.attacker[type] + hits * e.w[F_ATTACK]


cdef inline void add_pairs_and_hand(FairyEvaluator e, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
    cdef int sign = 1 if us == WHITE else -1, i
    for i in range(e.n_pair_types):
        if p.count[us][e.pair_types[i]] >= 2:
            sheet.mg[T_PAIRS] += sign * e.rules.traits[e.pair_types[i]].bonus
            sheet.eg[T_PAIRS] += sign * e.rules.traits[e.pair_types[i]].bonus
    for i in range(2 if e.rules.has_gating else 0):
        if p.hand[us] >> i & 1:
            sheet.mg[T_MATERIAL] += sign * e.rules.value[e.rules.gate_type[i]] * 7 // 8
            sheet.eg[T_MATERIAL] += sign * e.rules.value[e.rules.gate_type[i]] * 7 // 8


cdef inline void add_royals(FairyEvaluator e, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
    """Where a side has several royals, those that may be lost are pieces, too."""
    cdef int sign = 1 if us == WHITE else -1, type, cp
    for type in range(BLACK_PAWN + 1, e.rules.types + 1):
        if e.rules.royal[type] and not e.rules.absolute[type]:
            cp = e.rules.value[type] * p.count[us][type]
            sheet.mg[T_MATERIAL] += sign * cp
            sheet.eg[T_MATERIAL] += sign * cp
            sheet.phase += cp


cdef int aimed(FairyEvaluator e, const FairyPosition* p, int cp) noexcept nogil:
    """The score in a game that is won otherwise than by mate: checks given, ranks to the goal, the smaller army."""
    cdef int us, sign, word, sq, rank
    if e.rules.extinct_wins:
        return -cp
    for us in range(2):
        sign = 1 if us == WHITE else -1
        if e.rules.checks:
            cp += sign * checks_cp(p.checks_left[us])
        for word in range(e.rules.words):
            if not e.rules.has_goal or not p.royals[us][word]:
                continue
            sq = word * 64 + fairy_lsb(p.royals[us][word])
            for rank in range(e.rules.height):
                if has(e.rules.goal[us], rank * e.rules.width):
                    cp -= sign * GOAL_RANK_CP * abs(rank - sq // e.rules.width)
    return cp


@cython.final
cdef class FairyEvaluator(Evaluator):
    """One worker's evaluator of one game."""

    def __cinit__(self, FairyRules rules not None, bint discount=True, dict weights=None):
        """weights: numbers by name that replace those of fairy_weights.pyx, for fitting."""
        cdef int at
        self.rules = rules
        for at in range(FAIRY_WEIGHTS):
            self.w[at] = FAIRY_WEIGHT[at]
        for name, number in (weights or {}).items():
            self.w[PLACES[name]] = number
        # Where there is another way to win, material that cannot mate keeps its full value.
        self.discount = discount and not rules.is_special
        self.fill_tables()
        self.pawns = FairyPawns(rules)
        self.pawns.fill_tables(self.w)

    cdef int fill_tables(self) except -1:
        cdef FairyRules rules = self.rules
        cdef int type, sq, us, mg, eg, sign
        cdef double mean
        for type in range(1, rules.types + 1):
            mean = rules.mean_mobility(type)
            fill_worth(self, type, mean)
            if type > BLACK_PAWN and rules.traits[type].bonus:
                self.pair_types[self.n_pair_types] = type
                self.n_pair_types += 1
            for sq in range(rules.squares):
                for us in range(2):
                    sign = 1 if us == WHITE else -1
                    if type <= BLACK_PAWN:
                        pawn_place(self, us, sq, &mg, &eg)
                    elif rules.royal[type]:
                        royal_place(self, us, sq, &mg, &eg)
                    else:
                        piece_place(self, type, sq, mean, &mg, &eg)
                        self.worth[16 * us + type][sq].phase = rules.value[type]
                    if not rules.royal[type]:
                        mg += self.worth_mg[type]
                        eg += self.worth_eg[type]
                    self.worth[16 * us + type][sq].mg = sign * mg
                    self.worth[16 * us + type][sq].eg = sign * eg
        self.full_phase = 0
        for sq in range(rules.squares):
            type = type_of(rules.start_man[sq])
            if type > BLACK_PAWN and not rules.royal[type]:
                self.full_phase += rules.value[type]
        self.full_phase = max(self.full_phase, FULL_SQUARE * rules.squares)
        for us in range(2):
            for type in range(rules.width):
                for sq in range(rules.squares):
                    if abs(sq % rules.width - type) <= 1 and 2 * own_rank_of(rules, us, sq) < rules.height:
                        put(self.flanks[us][type], sq)
        return 0

    # ---- what is kept from one position to the next ----

    cdef Worth men_worth(self, const FairyPosition* p) noexcept nogil:
        """Material and placement of all men."""
        cdef Worth sum
        cdef const Worth* one
        cdef int word, sq
        cdef uint64_t rest
        memset(&sum, 0, sizeof(Worth))
        for word in range(self.rules.words):
            rest = p.occupied[0][word] | p.occupied[1][word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                one = &self.worth[p.mailbox[sq]][sq]
                sum.mg += one.mg
                sum.eg += one.eg
                sum.phase += one.phase
        return sum

    cdef const Worth* accumulated(self, FairyBoard board) noexcept nogil:
        """The same, from the nearest place below on the stack that has it."""
        cdef const Head* head = board.head
        cdef int top = board.top, i = top
        cdef FairyAccumulator* at = &self.accumulators[top & (FAIRY_ACCUMULATORS - 1)]
        cdef Worth sum
        while at.key != head[i].key:
            # From further back than this, computing from scratch is as cheap.
            if i == 0 or top - i == 8:
                at = &self.accumulators[top & (FAIRY_ACCUMULATORS - 1)]
                at.sum = self.men_worth(&board.positions[top])
                at.key = head[top].key
                return &at.sum
            i -= 1
            at = &self.accumulators[i & (FAIRY_ACCUMULATORS - 1)]
        if i == top:
            return &at.sum
        sum = at.sum
        while i < top:
            i += 1
            follow_move(self, &board.positions[i - 1], &board.positions[i], head[i].move, &sum)
            at = &self.accumulators[i & (FAIRY_ACCUMULATORS - 1)]
            at.sum = sum
            at.key = head[i].key
        return &at.sum

    # ---- the passes over the board ----

    cdef void begin(self, const FairyPosition* p, Sheet* sheet) noexcept nogil:
        """An empty sheet, with the squares of royals and the squares around them."""
        cdef int us, word, sq
        memset(sheet, 0, sizeof(Sheet) - sizeof(sheet.hits))
        for word in range(self.rules.words):
            sheet.occupied[word] = p.occupied[0][word] | p.occupied[1][word]
        for us in range(2):
            sq = sheet.royal_sq[us] = lone_royal(self.rules, p, us)
            if sq >= 0:
                for word in range(self.rules.words):
                    sheet.zone[us][word] = self.pawns.zones[type_of(p.mailbox[sq])][sq][word]

    cdef void add_men(self, const FairyPosition* p, const Worth* men, Sheet* sheet) noexcept nogil:
        """Material, placement, pairs and the side to move."""
        cdef int us
        sheet.mg[T_MATERIAL] += men.mg
        sheet.eg[T_MATERIAL] += men.eg
        sheet.phase += men.phase
        for us in range(2):
            if p.n_royals[us] > 1:
                add_royals(self, p, sheet, us)
            add_pairs_and_hand(self, p, sheet, us)
        sheet.mg[T_TEMPO] = self.w[F_TEMPO] if p.stm == WHITE else -self.w[F_TEMPO]

    cdef void add_pawns(self, const FairyPawnEntry* entry, Sheet* sheet) noexcept nogil:
        sheet.mg[T_PAWNS] += entry.mg[P_STRUCTURE]
        sheet.eg[T_PAWNS] += entry.eg[P_STRUCTURE]
        sheet.mg[T_PASSED] += entry.mg[P_PASSED]
        sheet.eg[T_PASSED] += entry.eg[P_PASSED]
        sheet.mg[T_ROYALS] += entry.mg[P_SHELTER]
        sheet.eg[T_ROYALS] += entry.eg[P_SHELTER]

    cdef void add_attacks(self, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet) noexcept nogil:
        """All that depends on who attacks what, and the drive of a bare royal."""
        cdef int us
        for us in range(2):
            self.evaluate_pieces(p, entry, sheet, us)
        for us in range(2):
            self.evaluate_passed(p, entry, sheet, us)
            self.evaluate_threats(p, entry, sheet, us)
            self.evaluate_royals(p, sheet, us)
            if self.rules.has_hill:
                self.evaluate_hill(sheet, us)
            if self.is_bare(p, us ^ 1) and self.has_officers(p, us):
                if self.divisor_for(p, us) == 1 and not self.is_one_coloured(p, us):
                    self.mop_up(p, sheet, us)

    cdef void fill(self, const FairyPosition* p, Sheet* sheet) noexcept nogil:
        """The whole sheet, without what is kept."""
        cdef FairyPawnEntry entry
        cdef Worth men = self.men_worth(p)
        self.pawns.compute(p, &entry)
        self.begin(p, sheet)
        self.add_men(p, &men, sheet)
        self.add_pawns(&entry, sheet)
        self.add_attacks(p, &entry, sheet)

    cdef void evaluate_pieces(self, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet,
                              int us) noexcept nogil:
        """Mobility and attacks of one side, also those on the other's royal."""
        cdef int word, sq, type, moves, hits
        cdef uint64_t rest
        cdef const Plan* plan
        for word in range(self.rules.words):
            if self.rules.leaping_pawns:
                sheet.attacks[us][word] |= entry.attacks[us][word]
            rest = p.occupied[us][word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                type = type_of(p.mailbox[sq])
                if type <= BLACK_PAWN and self.rules.leaping_pawns:
                    continue
                plan = &self.rules.plans[type * self.rules.squares + sq]
                if plan.plain:
                    moves = follow_plan(self.rules, p, entry, sheet, us, type, plan, &hits)
                else:
                    moves = walk_steps(self.rules, p, entry, sheet, us, type, sq, &hits)
                if type > BLACK_PAWN and not self.rules.royal[type]:
                    add_piece(self, sheet, us, type, moves, hits)
        for word in range(self.rules.words if sheet.royal_sq[us] >= 0 else 0):
            sheet.by_royal[us][word] = sheet.by_type[us][type_of(p.mailbox[sheet.royal_sq[us]])][word]

    cdef void evaluate_passed(self, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet,
                              int us) noexcept nogil:
        """Passed pawns before which the way is free and safe."""
        cdef int word, sq, ahead = self.rules.width if us == WHITE else -self.rules.width
        cdef int sign = 1 if us == WHITE else -1
        cdef uint64_t rest
        for word in range(self.rules.words):
            rest = entry.passed[us][word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                if p.mailbox[sq + ahead] == 0 and not has(sheet.attacks[us ^ 1], sq + ahead):
                    sheet.eg[T_PASSED] += sign * self.pawns.passed_free[us][sq]

    cdef void evaluate_threats(self, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet,
                               int us) noexcept nogil:
        """Enemy men that are attacked: by a pawn, by something cheaper, or without enough defenders."""
        cdef int word, them = us ^ 1, sign = 1 if us == WHITE else -1, i, type, mg = 0, eg = 0, sq
        cdef uint64_t[WORDS] held
        cdef uint64_t rest
        for word in range(self.rules.words):
            held[word] = entry.attacks[them][word] | (sheet.twice[them][word] & ~sheet.twice[us][word])
            i = fairy_count(sheet.attacks[us][word] & sheet.attacks[them][word] & ~held[word]
                            & ~p.occupied[them][word])
            mg += 16 * self.w[F_RESTRICTED_MG] * i
            eg += 16 * self.w[F_RESTRICTED_EG] * i
            rest = p.occupied[them][word] & ~p.royals[them][word] & (
                entry.attacks[us][word] | (sheet.attacks[us][word] & ~sheet.attacks[them][word]))
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                type = type_of(p.mailbox[sq])
                if not has(sheet.attacks[them], sq):
                    mg += self.weight[type] * self.w[F_HANGING_MG]
                    eg += self.weight[type] * self.w[F_HANGING_EG]
                if type > BLACK_PAWN and has(entry.attacks[us], sq):
                    mg += self.weight[type] * self.w[F_PAWN_THREAT_MG]
                    eg += self.weight[type] * self.w[F_PAWN_THREAT_EG]
        for i in range(sheet.n_hits[us]):
            sq = sheet.hits[us][i].sq
            type = type_of(p.mailbox[sq])
            if self.rules.royal[type]:
                continue
            if type > BLACK_PAWN and self.rules.value[type] >= self.rules.value[sheet.hits[us][i].type] + LEAST_GAIN_CP:
                mg += self.weight[type] * self.w[F_GREATER_MG]
                eg += self.weight[type] * self.w[F_GREATER_EG]
            elif not has(held, sq):
                mg += self.weight[type] * self.w[F_WEAK_MG]
                eg += self.weight[type] * self.w[F_WEAK_EG]
        sheet.mg[T_THREATS] += sign * (mg // 16)
        sheet.eg[T_THREATS] += sign * (eg // 16)

    cdef void evaluate_hill(self, Sheet* sheet, int us) noexcept nogil:
        """Steps of the only royal of `us` to the hill."""
        cdef int sign = 1 if us == WHITE else -1, word, sq, nearest = 16
        cdef uint64_t rest
        for word in range(self.rules.words):
            rest = self.rules.hill[word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                if sheet.royal_sq[us] >= 0:
                    nearest = min(nearest, distance_of(self.rules, sheet.royal_sq[us], sq))
                else:
                    nearest = 0
        sheet.mg[T_HILL] -= sign * self.w[F_HILL_STEP_MG] * nearest
        sheet.eg[T_HILL] -= sign * self.w[F_HILL_STEP_EG] * nearest

    cdef void evaluate_royals(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
        """Attack on the only royal of `us`, and its right to castle."""
        cdef int sign = 1 if us == WHITE else -1, units, sq = sheet.royal_sq[us]
        if sq < 0:
            return
        if sheet.attackers[us]:
            units = min(self.danger_of(p, sheet, us), DANGER_LIMIT)
            if units > 0:
                sheet.mg[T_ROYALS] -= sign * (units * units // 128 * self.w[F_DANGER_MG] // 128)
                sheet.eg[T_ROYALS] -= sign * (units * self.w[F_DANGER_EG] // 256)
        if has(p.virgin, sq) and self.rules.n_castles[type_of(p.mailbox[sq])]:
            sheet.mg[T_ROYALS] += sign * self.w[F_VIRGIN_ROYAL]

    cdef int danger_of(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
        """Units of attack on the only royal (CPW: King Safety, attack units)."""
        cdef int them = us ^ 1, units = sheet.danger[us], word, sq = sheet.royal_sq[us], type, missing = 16
        cdef uint64_t weak, rest
        cdef uint64_t[WORDS] safe
        for type in range(BLACK_PAWN + 1, self.rules.types + 1):
            if p.count[them][type] and not self.rules.royal[type]:
                missing = min(missing, self.missing[type])
        units += self.w[F_NO_STRONG] * missing // 16
        for word in range(self.rules.words):
            weak = (sheet.attacks[them][word] & ~sheet.twice[us][word]
                    & (~sheet.attacks[us][word] | sheet.by_royal[us][word]))
            safe[word] = ~p.occupied[them][word] & (~sheet.attacks[us][word] | (weak & sheet.twice[them][word]))
            units += self.w[F_WEAK_SQUARE] * fairy_count(weak & sheet.zone[us][word])
            units += self.w[F_FLANK] * fairy_count(sheet.attacks[them][word]
                                                   & self.flanks[us][sq % self.rules.width][word])
            rest = sheet.zone[us][word] & p.occupied[us][word] & ~p.royals[us][word]
            while rest:
                type = type_of(p.mailbox[word * 64 + fairy_lsb(rest)])
                rest &= rest - 1
                if type <= BLACK_PAWN:
                    units += self.w[F_PAWN_GUARD]
                elif self.rules.value[type] < GUARD_CP:
                    units += self.w[F_PIECE_GUARD]
        return units + self.checks_of(p, sheet, us, safe)

    cdef int checks_of(self, const FairyPosition* p, Sheet* sheet, int us, const uint64_t* safe) noexcept nogil:
        """Units for the checks that each type of piece can give to the only royal of `us`."""
        cdef int them = us ^ 1, type, word, from_sq, link, units = 0, royal_sq = sheet.royal_sq[us], found
        cdef uint64_t rest
        for type in range(BLACK_PAWN + 1, self.rules.types + 1):
            if p.count[them][type] == 0 or self.rules.royal[type]:
                continue
            found = 0
            for word in range(self.rules.words):
                rest = sheet.by_type[them][type][word] & ~p.occupied[them][word]
                rest &= self.rules.reach_by[(royal_sq * TYPES + type) * PLAN_WORDS + word] if word < PLAN_WORDS else 0
                while rest and found < 2:
                    from_sq = word * 64 + fairy_lsb(rest)
                    rest &= rest - 1
                    link = link_of(self.rules, royal_sq, type, from_sq)
                    if link != DIRECT and (self.rules.lines[link].hidden
                                           or not is_clear(&self.rules.lines[link], sheet.occupied)):
                        continue
                    found = 2 if has(safe, from_sq) else 1
            units += self.w[F_CHECK] if found == 2 else self.w[F_UNSAFE_CHECK] if found else 0
        return units

    cdef void mop_up(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
        """If `us` can mate a bare royal: drive it to the edge, bring the royals together (CPW: Mop-up Evaluation)."""
        cdef int sign = 1 if us == WHITE else -1, sq = sheet.royal_sq[us ^ 1], cp
        if sq < 0:
            return
        cp = MOP_UP_WIN + MOP_UP_EDGE * (from_middle(sq % self.rules.width, self.rules.width)
                                         + from_middle(sq // self.rules.width, self.rules.height))
        if sheet.royal_sq[us] >= 0:
            cp -= MOP_UP_NEAR * 2 * distance_of(self.rules, sheet.royal_sq[us], sq)
        sheet.mg[T_DRIVE] += sign * cp
        sheet.eg[T_DRIVE] += sign * cp

    # ---- the total ----

    cdef bint is_bare(self, const FairyPosition* p, int us) noexcept nogil:
        """Has this side one royal and nothing else?"""
        return p.men[us] == 1 and p.n_royals[us] == 1

    cdef bint has_officers(self, const FairyPosition* p, int us) noexcept nogil:
        """Has this side a man other than pawns and its only royal?"""
        cdef int type, royals = 0
        for type in range(1, self.rules.types + 1):
            royals += p.count[us][type] if self.rules.absolute[type] else 0
        if p.n_royals[us] == 1:
            royals = 1
        return p.men[us] - royals - p.count[us][WHITE_PAWN] - p.count[us][BLACK_PAWN] > 0

    cdef int divisor_for(self, const FairyPosition* p, int leader) noexcept nogil:
        """Mating potential, if this side is ahead: 1, 2, 4 or 8."""
        cdef uint8_t army[2][TYPES]
        cdef int side, type, spare
        if p.count[leader][WHITE_PAWN] + p.count[leader][BLACK_PAWN] > 1:
            return 1
        for side in range(2):
            spare = p.n_royals[side] - 1
            for type in range(TYPES):
                army[side][type] = p.count[side][type]
                if type <= BLACK_PAWN:
                    army[side][type] = 0
                elif self.rules.royal[type]:
                    # The last royal counts as the king, the others as pieces.
                    army[side][type] = <uint8_t> min(<int> p.count[side][type], spare)
                    spare -= army[side][type]
        return divisor(self.rules.traits, army[leader], army[leader ^ 1],
                       p.count[leader][WHITE_PAWN] + p.count[leader][BLACK_PAWN])

    cdef bint is_one_coloured(self, const FairyPosition* p, int us) noexcept nogil:
        """Are all men but the royal bound to squares of one colour? Then they cannot mate, however many they are."""
        cdef int type, word, sq, shades = 0
        cdef uint64_t rest
        if p.n_royals[us] != 1 or p.hand[us] or p.count[us][WHITE_PAWN] + p.count[us][BLACK_PAWN]:
            return False
        for type in range(BLACK_PAWN + 1, self.rules.types + 1):
            if p.count[us][type] and not self.rules.royal[type] and not self.rules.traits[type].bound:
                return False
        for word in range(self.rules.words):
            rest = p.occupied[us][word] & ~p.royals[us][word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                shades |= 1 + (sq // self.rules.width + sq % self.rules.width & 1)
        return shades != 3

    cdef int total(self, const Sheet* sheet) noexcept nogil:
        """Centipawns, White's view, before the division by mating potential."""
        cdef int i, mg = 0, eg = 0, phase = min(sheet.phase, self.full_phase), cp
        for i in range(TERMS):
            mg += sheet.mg[i]
            eg += sheet.eg[i]
        cp = <int> ((<long long> mg * phase + <long long> eg * (self.full_phase - phase)) / self.full_phase)
        return max(-EVAL_LIMIT_CP, min(EVAL_LIMIT_CP, cp))

    cdef int discounted(self, const FairyPosition* p, int cp) noexcept nogil:
        """A score of White's view, divided by the leader's mating potential."""
        cdef int leader = WHITE if cp >= 0 else BLACK, share
        if self.rules.is_special:
            return aimed(self, p, cp)
        if not self.discount or p.count[leader][WHITE_PAWN] + p.count[leader][BLACK_PAWN] > 1:
            return cp
        share = self.divisor_for(p, leader)
        if share < 8 and self.is_one_coloured(p, leader):
            share = 8
        return cp / share

    # ---- the interface of Evaluator ----

    cdef int evaluate(self, Board board) noexcept nogil:
        cdef const FairyPosition* p = &(<FairyBoard> board).positions[board.top]
        cdef int cp = self.discounted(p, self.undivided(<FairyBoard> board))
        return cp if p.stm == WHITE else -cp

    cdef int undivided(self, FairyBoard board) noexcept nogil:
        cdef const FairyPosition* p = &board.positions[board.top]
        cdef const FairyPawnEntry* entry = self.pawns.probe(p)
        cdef Sheet sheet
        cdef int cp
        self.begin(p, &sheet)
        self.add_men(p, self.accumulated(board), &sheet)
        self.add_pawns(entry, &sheet)
        cp = self.total(&sheet)
        # A hill or a bare royal may still matter more.
        if -LAZY_CP < cp < LAZY_CP or self.rules.has_hill or self.is_bare(p, WHITE) or self.is_bare(p, BLACK):
            self.add_attacks(p, entry, &sheet)
            cp = self.total(&sheet)
        return cp

    cdef int confined(self, const FairyPosition* p, int us) noexcept nogil:
        """Penalty in centipawns for how little room the royals of `us` have."""
        cdef Sheet sheet
        cdef int word, other, sq, cp = 0
        cdef uint64_t rest, free_squares
        self.begin(p, &sheet)
        self.evaluate_pieces(p, self.pawns.probe(p), &sheet, us ^ 1)
        for word in range(self.rules.words):
            rest = p.royals[us][word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                cp += CONFINED_EDGE * (from_middle(sq % self.rules.width, self.rules.width)
                                       + from_middle(sq // self.rules.width, self.rules.height)) // 2
                cp += 8 * CONFINED_SQUARE
                for other in range(self.rules.words):
                    free_squares = (self.pawns.zones[type_of(p.mailbox[sq])][sq][other] & ~p.occupied[us][other]
                                    & ~sheet.attacks[us ^ 1][other])
                    cp -= CONFINED_SQUARE * fairy_count(free_squares)
        return cp

    cdef int confinement(self, Board board) noexcept nogil:
        cdef const FairyPosition* p = &(<FairyBoard> board).positions[board.top]
        cdef int cp = self.confined(p, p.stm ^ 1) - self.confined(p, p.stm)
        return min(max(cp, -CONFINED_LIMIT), CONFINED_LIMIT)

    cdef bint fits(self, Board board):
        return isinstance(board, FairyBoard) and (<FairyBoard> board).rules is self.rules

    cdef Evaluator clone(self):
        return FairyEvaluator(self.rules, self.discount, {name: self.w[at] for name, at in PLACES.items()})

    # ---- the Python face ----

    def evaluate_cp(self, FairyBoard board not None) -> int:
        """Centipawns, side to move's view."""
        return self.evaluate(board)

    def confinement_cp(self, FairyBoard board not None) -> int:
        """Who is more likely to reach the lower goal in a drawn ending: centipawns, side to move's view."""
        return self.confinement(board)

    def copy(self) -> FairyEvaluator:
        """An evaluator for another worker."""
        return self.clone()

    def potential(self, FairyBoard board not None) -> int:
        """The divisor that mating potential puts on the score: 1, 2, 4 or 8."""
        cdef const FairyPosition* p = board.now()
        cdef Sheet sheet
        self.fill(p, &sheet)
        return self.divisor_for(p, WHITE if self.total(&sheet) >= 0 else BLACK)

    def trace(self, FairyBoard board not None) -> list[tuple[str, int, int, int]]:
        """(term, White's minus Black's middlegame, endgame, tapered), centipawns, White's view.

        Last the total, in which mating potential counts.
        """
        cdef const FairyPosition* p = board.now()
        cdef Sheet sheet
        cdef int i, mg = 0, eg = 0, phase, total, leader
        self.fill(p, &sheet)
        # The material alone, so that what is left is placement.
        for i in range(self.rules.squares):
            leader = side_of(p.mailbox[i])
            if p.mailbox[i] and not self.rules.royal[type_of(p.mailbox[i])]:
                mg += (1 - 2 * leader) * self.worth_mg[type_of(p.mailbox[i])]
                eg += (1 - 2 * leader) * self.worth_eg[type_of(p.mailbox[i])]
        men = self.men_worth(p)
        sheet.mg[T_PLACEMENT] = men.mg - mg
        sheet.eg[T_PLACEMENT] = men.eg - eg
        sheet.mg[T_MATERIAL] -= sheet.mg[T_PLACEMENT]
        sheet.eg[T_MATERIAL] -= sheet.eg[T_PLACEMENT]
        mg = eg = 0
        phase = min(sheet.phase, self.full_phase)
        rows = []
        for i in range(TERMS):
            mg += sheet.mg[i]
            eg += sheet.eg[i]
            tapered = (sheet.mg[i] * phase + sheet.eg[i] * (self.full_phase - phase)) // self.full_phase
            rows.append((NAMES[i], sheet.mg[i], sheet.eg[i], tapered))
        total = self.total(&sheet)
        leader = WHITE if total >= 0 else BLACK
        if self.discount and self.is_one_coloured(p, leader):
            # The divisor by mating potential is printed separately; both together divide by 8.
            rows.append(("men of one colour", 0, 0, total * self.divisor_for(p, leader) / 8 - total))
        total = self.evaluate(board) * (1 if p.stm == WHITE else -1)
        return [*rows, ("total", mg, eg, total)]
