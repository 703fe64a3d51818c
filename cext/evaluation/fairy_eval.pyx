"""Evaluation of any game: material, mobility, pawns, royals, and who can still mate.

The numbers hold for many games at once (fairy_weights.pyx, docs/evaluation.md). White's view throughout.
"""

from libc.string cimport memset

from ..base.board cimport Board
from ..fairy.board cimport FairyBoard
from ..fairy.position cimport FairyPosition
from ..fairy.rules cimport (BLACK_PAWN, STEP_MOVES, STEP_TAKES, TYPES, WHITE_PAWN, FairyRules, Step, fairy_count,
                            fairy_lsb, has, put, side_of, type_of)
from .fairy_weights cimport *
from ..endings.material cimport divisor
from ..base.types cimport *

cimport cython

from .fairy_weights import PLACES

cdef enum:                            # guesses, not tuned
    CHECK_CP = 360                    # the check before the last one; of those before it the share by the square
    GOAL_RANK_CP = 60                 # each rank nearer to a goal that wins

cdef enum:                            # centipawns unless said otherwise
    FULL_SQUARE = 120                 # pieces of both sides for each square of the board that make a full middlegame
    CENTRE_LIMIT = 45
    LIGHT_CP = 300                    # mobility and placement of a lighter piece count in proportion to its value
    MOBILITY_BASE = 300               # a move is worth less for a valuable piece: divided by its value plus this
    WEAK_PROMOTION_CP = 250           # if no promotion is worth more, advancing counts little
    DANGER_LIMIT = 500
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

cdef inline int own_rank_of(FairyRules rules, int us, int sq) noexcept nogil:
    """Ranks from the own side of the board, 0 for the first."""
    cdef int rank = sq // rules.width
    return rank if us == WHITE else rules.height - 1 - rank


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


cdef void fill_zone(FairyEvaluator e, int type, int sq) noexcept:
    cdef const Step* list = &e.rules.steps[e.rules.start[type][sq]]
    cdef int i
    put(e.zones[type][sq], sq)
    for i in range(1, list.empty + 1):
        put(e.zones[type][sq], list[i].to)


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


# ---- steps of evaluate_pieces ----

cdef inline int walk_steps(FairyEvaluator e, const FairyPosition* p, Sheet* sheet, int us, int type, int sq,
                           int* hits) noexcept nogil:
    """Moves of one man; what it attacks is noted on the sheet, attacks on the zone of the other royal in ``hits``."""
    cdef const Step* list = &e.rules.steps[e.rules.start[type][sq]]
    cdef const Step* step
    cdef int i = list.empty != 0, man, moves = 0
    hits[0] = 0
    while i:
        step = &list[i]
        man = p.mailbox[step.to]
        if step.flags & STEP_TAKES:
            put(sheet.attacks[us], step.to)
            hits[0] += has(sheet.zone[us ^ 1], step.to)
            if type <= BLACK_PAWN:
                put(sheet.by_pawns[us], step.to)
        if man == 0:
            if step.flags & STEP_MOVES:
                moves += not has(sheet.by_pawns[us ^ 1], step.to)
            i = step.empty
        elif side_of(man) != us:
            moves += step.flags & STEP_TAKES
            i = step.enemy
        else:
            i = step.friendly
    return moves


cdef inline void add_piece(FairyEvaluator e, Sheet* sheet, int us, int type, int sq, int moves,
                           int hits) noexcept nogil:
    """Mobility and attack of one piece, which is neither pawn nor royal."""
    cdef int sign = 1 if us == WHITE else -1, value = e.rules.value[type]
    if e.rules.traits[type].bound:
        sheet.shades[us] |= 1 + (sq // e.rules.width + sq % e.rules.width & 1)
    else:
        sheet.ranges[us] = True
    sheet.pieces[us] += value
    moves = 16 * moves - e.usual[type]
    sheet.mg[T_MOBILITY] += sign * (e.move_mg[type] * moves // 256)
    sheet.eg[T_MOBILITY] += sign * (e.move_eg[type] * moves // 256)
    if hits:
        sheet.attackers[us ^ 1] += 1
        sheet.danger[us ^ 1] += e.w[F_ATTACKER] + hits * e.w[F_ATTACK]
        sheet.danger[us ^ 1] += value * e.w[F_ATTACKER_VALUE] // 1000


cdef inline void add_pairs_and_hand(FairyEvaluator e, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
    cdef int sign = 1 if us == WHITE else -1, type, i
    for type in range(BLACK_PAWN + 1, e.rules.types + 1):
        if p.count[us][type] >= 2 and e.rules.traits[type].bonus:
            sheet.mg[T_PAIRS] += sign * e.rules.traits[type].bonus
            sheet.eg[T_PAIRS] += sign * e.rules.traits[type].bonus
    for i in range(2):
        if e.rules.has_gating and p.hand[us] >> i & 1:
            sheet.mg[T_MATERIAL] += sign * e.rules.value[e.rules.gate_type[i]] * 7 // 8
            sheet.eg[T_MATERIAL] += sign * e.rules.value[e.rules.gate_type[i]] * 7 // 8


# ---- steps of evaluate_pawns ----

cdef struct PawnFiles:                # index: file + 1, so both edge files have a neighbour that is empty
    int enemy_front[18]               # highest rank of an enemy pawn, counted from our side; -1 for none
    int own_front[18]                 # the same for our pawns
    int own_count[18]


cdef inline void survey_pawns(FairyEvaluator e, const FairyPosition* p, int us, PawnFiles* files) noexcept nogil:
    cdef int side, word, sq, file, own_rank
    cdef uint64_t rest
    for file in range(e.rules.width + 2):
        files.enemy_front[file] = -1
        files.own_front[file] = -1
        files.own_count[file] = 0
    for side in range(2):
        for word in range(e.rules.words):
            rest = p.occupied[side][word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                if type_of(p.mailbox[sq]) > BLACK_PAWN:
                    continue
                own_rank = own_rank_of(e.rules, us, sq)
                file = sq % e.rules.width + 1
                if side == us:
                    files.own_count[file] += 1
                    files.own_front[file] = max(files.own_front[file], own_rank)
                else:
                    files.enemy_front[file] = max(files.enemy_front[file], own_rank)


cdef inline void add_structure(FairyEvaluator e, Sheet* sheet, const PawnFiles* files, int us, int sq, int file,
                               int own_rank) noexcept nogil:
    """Doubled, isolated and defended pawns (CPW: Pawn Structure); file counts from 1."""
    cdef int sign = 1 if us == WHITE else -1
    if files.own_count[file] > 1 and files.own_front[file] != own_rank:
        sheet.mg[T_PAWNS] -= sign * e.w[F_DOUBLED_MG]
        sheet.eg[T_PAWNS] -= sign * e.w[F_DOUBLED_EG]
    if files.own_count[file - 1] == 0 and files.own_count[file + 1] == 0:
        sheet.mg[T_PAWNS] -= sign * e.w[F_ISOLATED_MG]
        sheet.eg[T_PAWNS] -= sign * e.w[F_ISOLATED_EG]
    if has(sheet.by_pawns[us], sq):
        sheet.mg[T_PAWNS] += sign * e.w[F_DEFENDED_MG]
        sheet.eg[T_PAWNS] += sign * e.w[F_DEFENDED_EG]


cdef inline bint is_passed(const PawnFiles* files, int file, int own_rank) noexcept nogil:
    """No enemy pawn on this file (counted from 1) or beside it, and none of ours on it, is farther advanced."""
    return not (files.enemy_front[file] > own_rank or files.enemy_front[file - 1] > own_rank
                or files.enemy_front[file + 1] > own_rank or files.own_front[file] > own_rank)


cdef inline void add_passed(FairyEvaluator e, const FairyPosition* p, Sheet* sheet, int us, int sq, int file,
                            int own_rank) noexcept nogil:
    """Bonus of a passed pawn, by the square of the ranks it has advanced; file counts from 1."""
    cdef int sign = 1 if us == WHITE else -1, way = max(e.rules.height - 2, 1)
    cdef int to_go = e.way_to_go(us, own_rank), gain, bonus, cp
    if to_go <= 0:
        return
    gain = e.promotion_gain(us, file - 1)
    bonus = (way - to_go + 1) * (way - to_go + 1)
    sheet.mg[T_PASSED] += sign * (e.w[F_PASSED_MG] * bonus * gain // (way * way * 8))
    sheet.eg[T_PASSED] += sign * (e.w[F_PASSED_EG] * bonus * gain // (way * way * 8))
    sq += e.rules.width if us == WHITE else -e.rules.width
    if p.mailbox[sq] == 0 and not has(sheet.attacks[us ^ 1], sq):
        sheet.eg[T_PASSED] += sign * (e.w[F_PASSED_FREE] * bonus * gain // (way * way * 8))
    if sheet.royal_sq[0] >= 0 and sheet.royal_sq[1] >= 0:
        cp = (e.distance(sheet.royal_sq[us ^ 1], sq) * e.w[F_PASSED_THEIR_ROYAL]
              - e.distance(sheet.royal_sq[us], sq) * e.w[F_PASSED_OUR_ROYAL])
        sheet.eg[T_PASSED] += sign * (cp * bonus * gain // (way * way * 8))


cdef int aimed(FairyEvaluator e, const FairyPosition* p, const Sheet* sheet, int cp) noexcept nogil:
    """The score in a game that is won otherwise than by mate: checks given, ranks to the goal, the smaller army."""
    cdef int us, sign, sq, rank
    if e.rules.extinct_wins:
        return -cp
    for us in range(2):
        sign = 1 if us == WHITE else -1
        if e.rules.checks:
            cp += sign * CHECK_CP // (max(<int> p.checks_left[us], 1) * max(<int> p.checks_left[us], 1))
        sq = sheet.royal_sq[us]
        if e.rules.has_goal and sq >= 0:
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

    cdef int fill_tables(self) except -1:
        cdef FairyRules rules = self.rules
        cdef int type, sq, us, mg, eg
        cdef double mean
        for type in range(1, rules.types + 1):
            mean = rules.mean_mobility(type)
            fill_worth(self, type, mean)
            for sq in range(rules.squares):
                if rules.royal[type]:
                    fill_zone(self, type, sq)
                for us in range(2):
                    if type <= BLACK_PAWN:
                        pawn_place(self, us, sq, &mg, &eg)
                    elif rules.royal[type]:
                        royal_place(self, us, sq, &mg, &eg)
                    else:
                        piece_place(self, type, sq, mean, &mg, &eg)
                    self.place_mg[us][type][sq] = <int16_t> mg
                    self.place_eg[us][type][sq] = <int16_t> eg
        self.full_phase = 0
        for sq in range(rules.squares):
            type = type_of(rules.start_man[sq])
            if type > BLACK_PAWN and not rules.royal[type]:
                self.full_phase += rules.value[type]
        self.full_phase = max(self.full_phase, FULL_SQUARE * rules.squares)
        return 0

    # ---- the passes over the board ----

    cdef void evaluate_pieces(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
        """Material, placement, mobility and attacks of one side, also those on the other's royal."""
        cdef int word, sq, type, moves, hits, sign = 1 if us == WHITE else -1, value
        cdef uint64_t rest
        for word in range(self.rules.words):
            rest = p.occupied[us][word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                type = type_of(p.mailbox[sq])
                sheet.mg[T_PLACEMENT] += sign * self.place_mg[us][type][sq]
                sheet.eg[T_PLACEMENT] += sign * self.place_eg[us][type][sq]
                moves = walk_steps(self, p, sheet, us, type, sq, &hits)
                if self.rules.royal[type]:
                    if p.n_royals[us] > 1 and not self.rules.absolute[type]:
                        value = self.rules.value[type]
                        sheet.mg[T_MATERIAL] += sign * value
                        sheet.eg[T_MATERIAL] += sign * value
                        sheet.pieces[us] += value
                    continue
                sheet.mg[T_MATERIAL] += sign * self.worth_mg[type]
                sheet.eg[T_MATERIAL] += sign * self.worth_eg[type]
                if type <= BLACK_PAWN:
                    sheet.ranges[us] = True
                else:
                    add_piece(self, sheet, us, type, sq, moves, hits)
        add_pairs_and_hand(self, p, sheet, us)

    cdef void evaluate_pawns(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
        """Doubled, isolated, defended and passed pawns. Forward is always towards the other side."""
        cdef int word, sq, file, own_rank
        cdef uint64_t rest
        cdef PawnFiles files
        survey_pawns(self, p, us, &files)
        for word in range(self.rules.words):
            rest = p.occupied[us][word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                if type_of(p.mailbox[sq]) > BLACK_PAWN:
                    continue
                own_rank = own_rank_of(self.rules, us, sq)
                file = sq % self.rules.width + 1
                add_structure(self, sheet, &files, us, sq, file, own_rank)
                if is_passed(&files, file, own_rank):
                    add_passed(self, p, sheet, us, sq, file, own_rank)

    cdef int way_to_go(self, int us, int own_rank) noexcept nogil:
        """Ranks to the promotion rank; 0 or less beyond it."""
        cdef int file = 0, rank
        for rank in range(self.rules.height):
            if self.rules.promotes[us][rank * self.rules.width + file]:
                return (rank if us == WHITE else self.rules.height - 1 - rank) - own_rank
        return 0

    cdef int promotion_gain(self, int us, int file) noexcept nogil:
        """Share of a passed pawn's bonus, in eighths, by the best promotion on this file."""
        cdef int i, best = 0
        for i in range(self.rules.n_promotions[us][file]):
            if not self.rules.royal[self.rules.promotions[us][file][i]]:
                best = max(best, self.rules.value[self.rules.promotions[us][file][i]])
        return 1 if best < WEAK_PROMOTION_CP else min(8, best // 80)

    cdef int distance(self, int a, int b) noexcept nogil:
        cdef int files = abs(a % self.rules.width - b % self.rules.width)
        cdef int ranks = abs(a // self.rules.width - b // self.rules.width)
        return max(files, ranks)

    cdef void evaluate_threats(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
        """Enemy men that are attacked by a pawn, or attacked and undefended."""
        cdef int word, them = us ^ 1, sign = 1 if us == WHITE else -1, n
        cdef uint64_t pawn_hits, hanging, pieces
        for word in range(self.rules.words):
            pieces = p.occupied[them][word] & ~p.royals[them][word]
            pawn_hits = pieces & sheet.by_pawns[us][word] & ~sheet.by_pawns[them][word]
            hanging = pieces & sheet.attacks[us][word] & ~sheet.attacks[them][word]
            n = fairy_count(pawn_hits & ~hanging)
            sheet.mg[T_THREATS] += sign * (self.w[F_PAWN_THREAT] * n + self.w[F_HANGING] * fairy_count(hanging))
            sheet.eg[T_THREATS] += sign * (self.w[F_PAWN_THREAT] * n + self.w[F_HANGING] * fairy_count(hanging))

    cdef void evaluate_royals(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
        """Attack on the only royal of `us`, its shelter, and its distance from the hill."""
        cdef int sign = 1 if us == WHITE else -1, units, word, sq, pawns, best, nearest
        cdef uint64_t rest, weak
        if self.rules.has_hill:
            nearest = 16
            for word in range(self.rules.words):
                rest = self.rules.hill[word]
                while rest:
                    sq = word * 64 + fairy_lsb(rest)
                    rest &= rest - 1
                    best = self.distance(sheet.royal_sq[us] if sheet.royal_sq[us] >= 0 else sq, sq)
                    nearest = min(nearest, best)
            sheet.mg[T_HILL] -= sign * self.w[F_HILL_STEP_MG] * nearest
            sheet.eg[T_HILL] -= sign * self.w[F_HILL_STEP_EG] * nearest
        if sheet.royal_sq[us] < 0:
            return
        if sheet.attackers[us] > 1:
            units = sheet.danger[us]
            for word in range(self.rules.words):
                weak = sheet.zone[us][word] & sheet.attacks[us ^ 1][word] & ~sheet.attacks[us][word]
                units += self.w[F_WEAK_SQUARE] * fairy_count(weak)
            sheet.mg[T_ROYALS] -= sign * min(units * units * self.w[F_DANGER_MG] >> 12, DANGER_LIMIT)
            sheet.eg[T_ROYALS] -= sign * min(units * units * self.w[F_DANGER_EG] >> 12, DANGER_LIMIT)
        sq = sheet.royal_sq[us]
        pawns = 0
        for word in range(self.rules.words):
            rest = p.occupied[us][word] & sheet.zone[us][word]
            while rest:
                best = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                pawns += type_of(p.mailbox[best]) <= BLACK_PAWN
        sheet.mg[T_ROYALS] += sign * self.w[F_SHELTER] * min(pawns, 3)
        if has(p.virgin, sq) and self.rules.n_castles[type_of(p.mailbox[sq])]:
            sheet.mg[T_ROYALS] += sign * self.w[F_VIRGIN_ROYAL]

    cdef void mop_up(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
        """If `us` can mate a bare royal: drive it to the edge, bring the royals together (CPW: Mop-up Evaluation)."""
        cdef int sign = 1 if us == WHITE else -1, sq = sheet.royal_sq[us ^ 1], cp
        if sq < 0:
            return
        cp = MOP_UP_WIN + MOP_UP_EDGE * (from_middle(sq % self.rules.width, self.rules.width)
                                         + from_middle(sq // self.rules.width, self.rules.height))
        if sheet.royal_sq[us] >= 0:
            cp -= MOP_UP_NEAR * 2 * self.distance(sheet.royal_sq[us], sq)
        sheet.mg[T_DRIVE] += sign * cp
        sheet.eg[T_DRIVE] += sign * cp

    cdef void fill(self, const FairyPosition* p, Sheet* sheet) noexcept nogil:
        cdef int us, word, sq
        cdef uint64_t rest
        memset(sheet, 0, sizeof(Sheet))
        for us in range(2):
            sheet.royal_sq[us] = -1
            if p.n_royals[us] != 1:
                continue
            for word in range(self.rules.words):
                if p.royals[us][word]:
                    sheet.royal_sq[us] = word * 64 + fairy_lsb(p.royals[us][word])
            sq = sheet.royal_sq[us]
            for word in range(self.rules.words):
                sheet.zone[us][word] = self.zones[type_of(p.mailbox[sq])][sq][word]
        for us in range(2):           # both sides need the pawn attacks first
            for word in range(self.rules.words):
                rest = p.occupied[us][word]
                while rest:
                    sq = word * 64 + fairy_lsb(rest)
                    rest &= rest - 1
                    if type_of(p.mailbox[sq]) <= BLACK_PAWN:
                        self.mark_pawn(p, sheet, us, sq)
        for us in range(2):
            self.evaluate_pieces(p, sheet, us)
        for us in range(2):
            self.evaluate_pawns(p, sheet, us)
            self.evaluate_threats(p, sheet, us)
            self.evaluate_royals(p, sheet, us)
            if p.men[us ^ 1] == p.n_royals[us ^ 1] and p.n_royals[us ^ 1] == 1 and sheet.pieces[us] > 0:
                if self.divisor_for(p, us) == 1 and not self.is_one_coloured(p, sheet, us):
                    self.mop_up(p, sheet, us)
        sheet.mg[T_TEMPO] = self.w[F_TEMPO] if p.stm == WHITE else -self.w[F_TEMPO]

    cdef void mark_pawn(self, const FairyPosition* p, Sheet* sheet, int us, int sq) noexcept nogil:
        cdef const Step* list = &self.rules.steps[self.rules.start[type_of(p.mailbox[sq])][sq]]
        cdef int i
        for i in range(1, list.empty + 1):
            if list[i].flags & STEP_TAKES:
                put(sheet.by_pawns[us], list[i].to)

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

    cdef bint is_one_coloured(self, const FairyPosition* p, const Sheet* sheet, int us) noexcept nogil:
        """Are all men but the royal bound to squares of one colour? Then they cannot mate, however many they are."""
        return not sheet.ranges[us] and sheet.shades[us] != 3 and p.n_royals[us] == 1 and p.hand[us] == 0

    cdef int total(self, const FairyPosition* p, const Sheet* sheet) noexcept nogil:
        """Centipawns, White's view, before the division by mating potential."""
        cdef int i, mg = 0, eg = 0, phase = sheet.pieces[0] + sheet.pieces[1], cp
        for i in range(TERMS):
            mg += sheet.mg[i]
            eg += sheet.eg[i]
        phase = min(phase, self.full_phase)
        cp = <int> ((<long long> mg * phase + <long long> eg * (self.full_phase - phase)) / self.full_phase)
        if self.rules.is_special:
            cp = aimed(self, p, sheet, cp)
        return max(-EVAL_LIMIT_CP, min(EVAL_LIMIT_CP, cp))

    # ---- the interface of Evaluator ----

    cdef int evaluate(self, Board board) noexcept nogil:
        cdef const FairyPosition* p = &(<FairyBoard> board).positions[board.top]
        cdef Sheet sheet
        cdef int cp, leader, share
        self.fill(p, &sheet)
        cp = self.total(p, &sheet)
        if self.discount:
            leader = WHITE if cp >= 0 else BLACK
            share = self.divisor_for(p, leader)
            if share < 8 and self.is_one_coloured(p, &sheet, leader):
                share = 8
            cp = cp / share
        return cp if p.stm == WHITE else -cp

    cdef int confined(self, const FairyPosition* p, int us) noexcept nogil:
        """Penalty in centipawns for how little room the royals of `us` have."""
        cdef Sheet sheet
        cdef int word, other, sq, cp = 0
        cdef uint64_t rest, free_squares
        memset(&sheet, 0, sizeof(Sheet))
        self.evaluate_pieces(p, &sheet, us ^ 1)
        for word in range(self.rules.words):
            rest = p.royals[us][word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                cp += CONFINED_EDGE * (from_middle(sq % self.rules.width, self.rules.width)
                                       + from_middle(sq // self.rules.width, self.rules.height)) // 2
                cp += 8 * CONFINED_SQUARE
                for other in range(self.rules.words):
                    free_squares = (self.zones[type_of(p.mailbox[sq])][sq][other] & ~p.occupied[us][other]
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
        return self.divisor_for(p, WHITE if self.total(p, &sheet) >= 0 else BLACK)

    def trace(self, FairyBoard board not None) -> list[tuple[str, int, int, int]]:
        """(term, White's minus Black's middlegame, endgame, tapered), centipawns, White's view.

        Last the total, in which mating potential counts.
        """
        cdef const FairyPosition* p = board.now()
        cdef Sheet sheet
        cdef int i, mg = 0, eg = 0, phase, total, leader
        self.fill(p, &sheet)
        phase = min(sheet.pieces[0] + sheet.pieces[1], self.full_phase)
        rows = []
        for i in range(TERMS):
            mg += sheet.mg[i]
            eg += sheet.eg[i]
            tapered = (sheet.mg[i] * phase + sheet.eg[i] * (self.full_phase - phase)) // self.full_phase
            rows.append((NAMES[i], sheet.mg[i], sheet.eg[i], tapered))
        total = self.total(p, &sheet)
        leader = WHITE if total >= 0 else BLACK
        if self.discount and self.is_one_coloured(p, &sheet, leader):
            # The divisor by mating potential is printed separately; both together divide by 8.
            rows.append(("men of one colour", 0, 0, total * self.divisor_for(p, leader) / 8 - total))
        total = self.evaluate(board) * (1 if p.stm == WHITE else -1)
        return [*rows, ("total", mg, eg, total)]
