"""Evaluation of any game: what the pieces are worth, where they may go, pawns, royals and who can still mate.

The numbers hold for many games at once (fairy_weights.pyx, docs/evaluation.md). White's view throughout.
"""

from libc.string cimport memset

from .board cimport Board
from .fairy_board cimport FairyBoard
from .fairy_position cimport FairyPosition
from .fairy_rules cimport (BLACK_PAWN, STEP_MOVES, STEP_TAKES, TYPES, WHITE_PAWN, FairyRules, Step,
                           fairy_count, fairy_lsb, has, put)
from .fairy_weights cimport *
from .material cimport divisor
from .types cimport *

cimport cython

from .fairy_weights import PLACES

cdef enum:                            # centipawns unless said otherwise
    FULL_SQUARE = 120                 # pieces for each square of the board, both sides', that make a full middlegame
    CENTRE_LIMIT = 45
    LIGHT_CP = 300                    # moves and places of less than this count in proportion
    MOBILITY_BASE = 300               # a move counts by what this and the value of its piece are together
    WEAK_PROMOTION_CP = 250           # a pawn that becomes less than this is worth little for advancing
    DANGER_LIMIT = 500
    DRIVE_EDGE = 12
    DRIVE_NEAR = 6
    DRIVE_WIN = 200
    CONFINED_SQUARE = 8
    CONFINED_EDGE = 5
    CONFINED_LIMIT = 200

NAMES = ("material", "piece-square", "pairs", "mobility", "pawns", "passed pawns", "threats", "royal safety",
         "hill", "mate drive", "tempo")


cdef inline int from_middle(int at, int length) noexcept nogil:
    """Twice the distance of a file or rank from the middle of the board."""
    cdef int distance = 2 * at - (length - 1)
    return distance if distance >= 0 else -distance


@cython.final
cdef class FairyEvaluator(Evaluator):
    """One worker's evaluator of one game."""

    def __cinit__(self, FairyRules rules not None, bint discount=True, dict weights=None):
        """weights: other numbers than those of fairy_weights.pyx, by name (for fitting them)."""
        cdef int at
        self.rules = rules
        for at in range(FAIRY_WEIGHTS):
            self.w[at] = FAIRY_WEIGHT[at]
        for name, number in (weights or {}).items():
            self.w[PLACES[name]] = number
        # Where there is another way to win, material that cannot mate is worth what it is worth.
        self.discount = discount and not rules.has_hill and not rules.stalemate_loses
        self.fill_tables()

    cdef int fill_tables(self) except -1:
        cdef FairyRules rules = self.rules
        cdef int type, sq, us, file, rank, own_rank, apart, mg, eg, divided_by, i
        cdef double mean, here, share, light
        cdef bint pawn
        cdef bint weak = rules.types < 7 or rules.value[7] < WEAK_PROMOTION_CP
        cdef const Step* list
        for type in range(1, rules.types + 1):
            mean = rules.mean_mobility(type)
            self.usual[type] = <int> (16 * mean)
            divided_by = MOBILITY_BASE + min(rules.value[type], 2000)
            # A light piece must not be worth more for where it stands than for what it is.
            light = min(1.0, rules.value[type] / <double> LIGHT_CP)
            self.move_mg[type] = <int> (self.w[F_MOBILITY_MG] * 1600 * light / divided_by)
            self.move_eg[type] = <int> (self.w[F_MOBILITY_EG] * 1600 * light / divided_by)
            pawn = type <= BLACK_PAWN
            self.worth_mg[type] = rules.value[type] * self.w[F_PAWN_MG if pawn else F_PIECE_MG] // 100
            self.worth_eg[type] = rules.value[type] * self.w[F_PAWN_EG if pawn else F_PIECE_EG] // 100
            for sq in range(rules.squares):
                file = sq % rules.width
                here = rules.mobility(type, sq)
                list = &rules.steps[rules.start[type][sq]]
                if rules.royal[type]:
                    put(self.zones[type][sq], sq)
                    for i in range(1, list.empty + 1):
                        put(self.zones[type][sq], list[i].to)
                for us in range(2):
                    rank = sq // rules.width
                    own_rank = rank if us == WHITE else rules.height - 1 - rank
                    apart = from_middle(file, rules.width) + from_middle(rank, rules.height)
                    if pawn:
                        mg = self.w[F_PAWN_STEP_MG] * own_rank
                        eg = self.w[F_PAWN_STEP_EG] * own_rank
                        if own_rank > 1 and from_middle(file, rules.width) <= 2:
                            mg += self.w[F_PAWN_CENTRE]
                        if weak:
                            mg //= 2
                            eg //= 2
                    elif rules.royal[type]:
                        mg = self.w[F_ROYAL_SIDE] * from_middle(file, rules.width)
                        mg -= self.w[F_ROYAL_ADVANCED] * min(own_rank, 4)
                        eg = -self.w[F_ROYAL_CENTRE] * apart
                    else:
                        share = 1.0 if rules.centralises[type] else 1.0 / 3
                        mg = <int> (self.w[F_CENTRE_MOVE_MG] * (here - mean) * share)
                        eg = <int> (self.w[F_CENTRE_MOVE_EG] * (here - mean) * share)
                        if rules.centralises[type]:
                            # A piece far behind has to come out, and reaches nothing from a corner.
                            mg += (2 * self.w[F_COMES_OUT_MG] * (12 - apart)) // 12
                            eg += (2 * self.w[F_COMES_OUT_EG] * (12 - apart)) // 12
                        mg = <int> (light * max(-CENTRE_LIMIT, min(CENTRE_LIMIT, mg)))
                        eg = <int> (light * max(-CENTRE_LIMIT, min(CENTRE_LIMIT, eg)))
                    self.place_mg[us][type][sq] = <int16_t> mg
                    self.place_eg[us][type][sq] = <int16_t> eg
        self.full_phase = 0
        for sq in range(rules.squares):
            type = rules.start_man[sq] & 15
            if type > BLACK_PAWN and not rules.royal[type]:
                self.full_phase += rules.value[type]
        self.full_phase = max(self.full_phase, FULL_SQUARE * rules.squares)
        return 0

    # ---- the passes over the board ----

    cdef void look_at_men(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
        """Material, placement, mobility, attacks of one side and on the other's royal."""
        cdef int word, sq, type, i, man, moves, hits, sign = 1 if us == WHITE else -1, value
        cdef uint64_t rest
        cdef const Step* list
        cdef const Step* step
        for word in range(self.rules.words):
            rest = p.occupied[us][word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                type = p.mailbox[sq] & 15
                sheet.mg[T_PLACEMENT] += sign * self.place_mg[us][type][sq]
                sheet.eg[T_PLACEMENT] += sign * self.place_eg[us][type][sq]
                list = &self.rules.steps[self.rules.start[type][sq]]
                i = list.empty != 0
                moves = hits = 0
                while i:
                    step = &list[i]
                    man = p.mailbox[step.to]
                    if step.flags & STEP_TAKES:
                        put(sheet.attacks[us], step.to)
                        hits += has(sheet.zone[us ^ 1], step.to)
                        if type <= BLACK_PAWN:
                            put(sheet.by_pawns[us], step.to)
                    if man == 0:
                        if step.flags & STEP_MOVES:
                            moves += not has(sheet.by_pawns[us ^ 1], step.to)
                        i = step.empty
                    elif man >> 4 != us:
                        moves += step.flags & STEP_TAKES
                        i = step.enemy
                    else:
                        i = step.friendly
                value = self.rules.value[type]
                if self.rules.royal[type]:
                    if p.n_royals[us] > 1 and not self.rules.absolute[type]:
                        sheet.mg[T_MATERIAL] += sign * value
                        sheet.eg[T_MATERIAL] += sign * value
                        sheet.pieces[us] += value
                    continue
                sheet.mg[T_MATERIAL] += sign * self.worth_mg[type]
                sheet.eg[T_MATERIAL] += sign * self.worth_eg[type]
                if type <= BLACK_PAWN:
                    sheet.ranges[us] = True
                    continue
                if self.rules.traits[type].bound:
                    sheet.shades[us] |= 1 + (sq // self.rules.width + sq % self.rules.width & 1)
                else:
                    sheet.ranges[us] = True
                sheet.pieces[us] += value
                moves = 16 * moves - self.usual[type]
                sheet.mg[T_MOBILITY] += sign * (self.move_mg[type] * moves // 256)
                sheet.eg[T_MOBILITY] += sign * (self.move_eg[type] * moves // 256)
                if hits:
                    sheet.attackers[us ^ 1] += 1
                    sheet.danger[us ^ 1] += self.w[F_ATTACKER] + hits * self.w[F_ATTACK]
                    sheet.danger[us ^ 1] += value * self.w[F_ATTACKER_VALUE] // 1000
        for type in range(BLACK_PAWN + 1, self.rules.types + 1):
            if p.count[us][type] >= 2 and self.rules.traits[type].bonus:
                sheet.mg[T_PAIRS] += sign * self.rules.traits[type].bonus
                sheet.eg[T_PAIRS] += sign * self.rules.traits[type].bonus
        for i in range(2):
            if self.rules.has_gating and p.hand[us] >> i & 1:
                sheet.mg[T_MATERIAL] += sign * self.rules.value[self.rules.gate_type[i]] * 7 // 8
                sheet.eg[T_MATERIAL] += sign * self.rules.value[self.rules.gate_type[i]] * 7 // 8

    cdef void look_at_pawns(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
        """Doubled, isolated, defended and passed pawns; forward is towards the other side, whatever their rays."""
        cdef int word, sq, file, rank, own_rank, last, sign = 1 if us == WHITE else -1, way, side
        cdef int front_most[18]       # own rank of their pawn that stands farthest back, by file + 1
        cdef int front_own[18]        # the same of ours, counted as ours
        cdef int own_count[18]
        cdef uint64_t rest
        cdef int to_go, bonus, gain, cp
        last = self.rules.height - 1
        for file in range(self.rules.width + 2):
            front_most[file] = -1
            front_own[file] = -1
            own_count[file] = 0
        for side in range(2):
            for word in range(self.rules.words):
                rest = p.occupied[side][word]
                while rest:
                    sq = word * 64 + fairy_lsb(rest)
                    rest &= rest - 1
                    if (p.mailbox[sq] & 15) > BLACK_PAWN:
                        continue
                    rank = sq // self.rules.width
                    own_rank = rank if us == WHITE else last - rank
                    file = sq % self.rules.width + 1
                    if side == us:
                        own_count[file] += 1
                        front_own[file] = max(front_own[file], own_rank)
                    else:
                        front_most[file] = max(front_most[file], own_rank)
        for word in range(self.rules.words):
            rest = p.occupied[us][word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                if (p.mailbox[sq] & 15) > BLACK_PAWN:
                    continue
                rank = sq // self.rules.width
                own_rank = rank if us == WHITE else last - rank
                file = sq % self.rules.width + 1
                if own_count[file] > 1 and front_own[file] != own_rank:
                    sheet.mg[T_PAWNS] -= sign * self.w[F_DOUBLED_MG]
                    sheet.eg[T_PAWNS] -= sign * self.w[F_DOUBLED_EG]
                if own_count[file - 1] == 0 and own_count[file + 1] == 0:
                    sheet.mg[T_PAWNS] -= sign * self.w[F_ISOLATED_MG]
                    sheet.eg[T_PAWNS] -= sign * self.w[F_ISOLATED_EG]
                if has(sheet.by_pawns[us], sq):
                    sheet.mg[T_PAWNS] += sign * self.w[F_DEFENDED_MG]
                    sheet.eg[T_PAWNS] += sign * self.w[F_DEFENDED_EG]
                if (front_most[file] > own_rank or front_most[file - 1] > own_rank or front_most[file + 1] > own_rank
                        or (front_own[file] > own_rank)):
                    continue
                # Passed. What it is worth grows as the square of the way behind it.
                to_go = self.way_to_go(us, own_rank)
                if to_go <= 0:
                    continue
                way = max(self.rules.height - 2, 1)
                gain = self.promotion_gain(us, file - 1)
                bonus = (way - to_go + 1) * (way - to_go + 1)
                sheet.mg[T_PASSED] += sign * (self.w[F_PASSED_MG] * bonus * gain // (way * way * 8))
                sheet.eg[T_PASSED] += sign * (self.w[F_PASSED_EG] * bonus * gain // (way * way * 8))
                sq += self.rules.width if us == WHITE else -self.rules.width
                if p.mailbox[sq] == 0 and not has(sheet.attacks[us ^ 1], sq):
                    sheet.eg[T_PASSED] += sign * (self.w[F_PASSED_FREE] * bonus * gain // (way * way * 8))
                if sheet.royal_sq[0] >= 0 and sheet.royal_sq[1] >= 0:
                    cp = (self.distance(sheet.royal_sq[us ^ 1], sq) * self.w[F_PASSED_THEIR_ROYAL]
                          - self.distance(sheet.royal_sq[us], sq) * self.w[F_PASSED_OUR_ROYAL])
                    sheet.eg[T_PASSED] += sign * (cp * bonus * gain // (way * way * 8))

    cdef int way_to_go(self, int us, int own_rank) noexcept nogil:
        """Ranks to the promotion rank; 0 or less beyond it."""
        cdef int file = 0, rank
        for rank in range(self.rules.height):
            if self.rules.promotes[us][rank * self.rules.width + file]:
                return (rank if us == WHITE else self.rules.height - 1 - rank) - own_rank
        return 0

    cdef int promotion_gain(self, int us, int file) noexcept nogil:
        """Eighths of a passed pawn's bonus that this game's promotion deserves."""
        cdef int i, best = 0
        for i in range(self.rules.n_promotions[us][file]):
            if not self.rules.royal[self.rules.promotions[us][file][i]]:
                best = max(best, self.rules.value[self.rules.promotions[us][file][i]])
        return 1 if best < WEAK_PROMOTION_CP else min(8, best // 80)

    cdef int distance(self, int a, int b) noexcept nogil:
        cdef int files = abs(a % self.rules.width - b % self.rules.width)
        cdef int ranks = abs(a // self.rules.width - b // self.rules.width)
        return max(files, ranks)

    cdef void look_at_threats(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
        """Men of theirs that we attack: with a pawn, or undefended."""
        cdef int word, them = us ^ 1, sign = 1 if us == WHITE else -1, n
        cdef uint64_t pawn_hits, hanging, pieces
        for word in range(self.rules.words):
            pieces = p.occupied[them][word] & ~p.royals[them][word]
            pawn_hits = pieces & sheet.by_pawns[us][word] & ~sheet.by_pawns[them][word]
            hanging = pieces & sheet.attacks[us][word] & ~sheet.attacks[them][word]
            n = fairy_count(pawn_hits & ~hanging)
            sheet.mg[T_THREATS] += sign * (self.w[F_PAWN_THREAT] * n + self.w[F_HANGING] * fairy_count(hanging))
            sheet.eg[T_THREATS] += sign * (self.w[F_PAWN_THREAT] * n + self.w[F_HANGING] * fairy_count(hanging))

    cdef void look_at_royals(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
        """What the attack on the one royal of `us` costs it, and what shelters it."""
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
                pawns += (p.mailbox[best] & 15) <= BLACK_PAWN
        sheet.mg[T_ROYALS] += sign * self.w[F_SHELTER] * min(pawns, 3)
        if has(p.virgin, sq) and self.rules.n_castles[p.mailbox[sq] & 15]:
            sheet.mg[T_ROYALS] += sign * self.w[F_VIRGIN_ROYAL]

    cdef void drive(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
        """`us` has what it takes against a royal alone: to the edge with it, and the royals together."""
        cdef int sign = 1 if us == WHITE else -1, sq = sheet.royal_sq[us ^ 1], cp
        if sq < 0:
            return
        cp = DRIVE_WIN + DRIVE_EDGE * (from_middle(sq % self.rules.width, self.rules.width)
                                       + from_middle(sq // self.rules.width, self.rules.height))
        if sheet.royal_sq[us] >= 0:
            cp -= DRIVE_NEAR * 2 * self.distance(sheet.royal_sq[us], sq)
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
                sheet.zone[us][word] = self.zones[p.mailbox[sq] & 15][sq][word]
        for us in range(2):           # what pawns attack has to be known to both sides first
            for word in range(self.rules.words):
                rest = p.occupied[us][word]
                while rest:
                    sq = word * 64 + fairy_lsb(rest)
                    rest &= rest - 1
                    if (p.mailbox[sq] & 15) <= BLACK_PAWN:
                        self.mark_pawn(p, sheet, us, sq)
        for us in range(2):
            self.look_at_men(p, sheet, us)
        for us in range(2):
            self.look_at_pawns(p, sheet, us)
            self.look_at_threats(p, sheet, us)
            self.look_at_royals(p, sheet, us)
            if p.men[us ^ 1] == p.n_royals[us ^ 1] and p.n_royals[us ^ 1] == 1 and sheet.pieces[us] > 0:
                if self.divisor_for(p, us) == 1 and not self.is_one_coloured(p, sheet, us):
                    self.drive(p, sheet, us)
        sheet.mg[T_TEMPO] = self.w[F_TEMPO] if p.stm == WHITE else -self.w[F_TEMPO]

    cdef void mark_pawn(self, const FairyPosition* p, Sheet* sheet, int us, int sq) noexcept nogil:
        cdef const Step* list = &self.rules.steps[self.rules.start[p.mailbox[sq] & 15][sq]]
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
                    # The last royal is the king, the others are pieces.
                    army[side][type] = <uint8_t> min(<int> p.count[side][type], spare)
                    spare -= army[side][type]
        return divisor(self.rules.traits, army[leader], army[leader ^ 1],
                       p.count[leader][WHITE_PAWN] + p.count[leader][BLACK_PAWN])

    cdef bint is_one_coloured(self, const FairyPosition* p, const Sheet* sheet, int us) noexcept nogil:
        """Are all men but the royal bound to squares of the same colour? However many, they do not mate."""
        return not sheet.ranges[us] and sheet.shades[us] != 3 and p.n_royals[us] == 1 and p.hand[us] == 0

    cdef int total(self, const FairyPosition* p, const Sheet* sheet) noexcept nogil:
        """Centipawns, White's view, mating potential not yet looked at."""
        cdef int i, mg = 0, eg = 0, phase = sheet.pieces[0] + sheet.pieces[1], cp
        for i in range(TERMS):
            mg += sheet.mg[i]
            eg += sheet.eg[i]
        phase = min(phase, self.full_phase)
        cp = <int> ((<long long> mg * phase + <long long> eg * (self.full_phase - phase)) / self.full_phase)
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
        """How little room the royals of `us` have."""
        cdef Sheet sheet
        cdef int word, other, sq, cp = 0
        cdef uint64_t rest, free_squares
        memset(&sheet, 0, sizeof(Sheet))
        self.look_at_men(p, &sheet, us ^ 1)
        for word in range(self.rules.words):
            rest = p.royals[us][word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                cp += CONFINED_EDGE * (from_middle(sq % self.rules.width, self.rules.width)
                                       + from_middle(sq // self.rules.width, self.rules.height)) // 2
                cp += 8 * CONFINED_SQUARE
                for other in range(self.rules.words):
                    free_squares = (self.zones[p.mailbox[sq] & 15][sq][other] & ~p.occupied[us][other]
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
        """Who will reach the lower goal in a drawn ending: centipawns, side to move's view."""
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
            # Mating potential is said apart; together they divide by 8.
            rows.append(("men of one colour", 0, 0, total * self.divisor_for(p, leader) / 8 - total))
        total = self.evaluate(board) * (1 if p.stm == WHITE else -1)
        return [*rows, ("total", mg, eg, total)]
