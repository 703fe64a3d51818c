"""Evaluation of any game: material, mobility, pawns, royals, and who can still mate.

The weights were fitted to many games together (fairy_weights.pyx, docs/evaluation.md). White's view throughout.
"""

from libc.string cimport memset

from ..base.board cimport Board, Head
from ..fairy.fairy_board cimport FairyBoard
from ..fairy.position cimport FairyPosition, points_lead
from ..fairy.rules cimport FairyRules, checks_cp
from ..fairy.checks cimport can_mate_bare
from ..fairy.squares cimport fairy_count, fairy_lsb, has, side_of, type_of
from ..fairy.steps cimport BLACK_PAWN, TYPES, WHITE_PAWN
from .fairy_pawns cimport P_PASSED, P_SHELTER, P_STRUCTURE, FairyPawnEntry, FairyPawns, distance_of, lone_royal
from .fairy_pieces cimport *
from .fairy_weights cimport *
from ..endings.material cimport divisor, one_coloured_divisor
from ..base.types cimport *

cimport cython

from .fairy_weights import PLACES

cdef enum:                            # guesses that were not tuned
    GOAL_RANK_CP = 60                 # for each rank by which a royal is nearer to its goal rank
    POINTS_CP = 250                   # most that a lead on points is worth where points decide the game
    POINTS_HALF = 8                   # lead in half points that is worth half of that
    POINTS_EARLY = 64                 # share of this worth in the array, in 256ths
    POINTS_PIECES = 128               # what the share gains until no piece is left
    POINTS_CLOCK = 160                # what it gains until the 50-move rule ends the game

cdef enum:                            # centipawns unless said otherwise
    LAZY_CP = 1200                    # a lead in material, placement and pawns that the other terms cannot undo
    MOP_UP_EDGE = 12
    MOP_UP_NEAR = 6
    MOP_UP_WIN = 200
    CONFINED_SQUARE = 8
    CONFINED_EDGE = 5
    CONFINED_LIMIT = 200

NAMES = ("material", "piece-square", "pairs", "mobility", "pawns", "passed pawns", "threats", "royal safety",
         "hill", "mate drive", "tempo")


# ---- steps of the evaluation ----

cdef inline void change_worth(FairyTables t, const FairyPosition* before, const FairyPosition* after, int sq,
                              Worth* sum) noexcept nogil:
    """Update the sum by what a move changed on one square."""
    cdef const Worth* old = &t.worth[before.mailbox[sq]][sq]
    cdef const Worth* new = &t.worth[after.mailbox[sq]][sq]
    sum.mg += new.mg - old.mg
    sum.eg += new.eg - old.eg
    sum.phase += new.phase - old.phase


cdef inline void follow_move(FairyTables t, const FairyPosition* before, const FairyPosition* after, Move move,
                             Worth* sum) noexcept nogil:
    """Update the sum for the squares that a move changed; a null move changes no square."""
    cdef int from_sq = move_from(move), to_sq = move_to(move), via = move_via(move), kind = move_kind(move), partner
    if move == 0:
        return
    change_worth(t, before, after, from_sq, sum)
    if kind == DROP:                  # both squares are the same
        return
    change_worth(t, before, after, to_sq, sum)
    if t.rules.explodes and (before.mailbox[to_sq] or kind == EN_PASSANT):
        follow_blast(t, before, after, move, sum)
    if kind == EN_PASSANT:
        change_worth(t, before, after, via, sum)
    elif kind == CASTLING or kind == CASTLE_GATING:
        change_worth(t, before, after, via, sum)
        partner = to_sq - 1 if via > from_sq else to_sq + 1
        if partner != from_sq:
            change_worth(t, before, after, partner, sum)


cdef void follow_blast(FairyTables t, const FairyPosition* before, const FairyPosition* after, Move move,
                       Worth* sum) noexcept nogil:
    """Update the sum for the pieces that an explosion has removed beside a square."""
    cdef int word, sq, from_sq = move_from(move), taken_sq = from_sq
    cdef uint64_t rest
    if move_kind(move) == EN_PASSANT:
        taken_sq = move_via(move)
    for word in range(t.rules.words):
        rest = t.rules.around[move_to(move)][word]
        rest &= ((before.occupied[0][word] & ~after.occupied[0][word])
                 | (before.occupied[1][word] & ~after.occupied[1][word]))
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            if sq != from_sq and sq != taken_sq:  # those are done already
                change_worth(t, before, after, sq, sum)


cdef inline void add_pairs_and_hand(FairyTables t, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
    cdef int sign = 1 if us == WHITE else -1, i
    for i in range(t.n_pair_types):
        if p.count[us][t.pair_types[i]] >= 2:
            sheet.mg[T_PAIRS] += sign * t.rules.traits[t.pair_types[i]].bonus
            sheet.eg[T_PAIRS] += sign * t.rules.traits[t.pair_types[i]].bonus
    for i in range(2 if t.rules.has_gating else 0):
        if p.hand[us] >> i & 1:
            sheet.mg[T_MATERIAL] += sign * t.rules.value[t.rules.gate_type[us][i]] * 7 // 8
            sheet.eg[T_MATERIAL] += sign * t.rules.value[t.rules.gate_type[us][i]] * 7 // 8


cdef inline void add_held(FairyTables t, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
    """Add the pieces in hand; they also count as material on the board for the phase."""
    cdef int sign = 1 if us == WHITE else -1, i, type, n
    for i in range(t.rules.n_drop_types[us]):
        type = t.rules.drop_types[us][i]
        n = p.held[us][type]
        sheet.mg[T_MATERIAL] += sign * n * t.held_mg[type]
        sheet.eg[T_MATERIAL] += sign * n * t.held_eg[type]
        sheet.phase += n * t.rules.value[type]


cdef inline void add_royals(FairyTables t, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
    """Count the royals of a side that has several as pieces, because it may lose one of them."""
    cdef int sign = 1 if us == WHITE else -1, type, cp
    for type in range(BLACK_PAWN + 1, t.rules.types + 1):
        if t.rules.royal[type] and not t.rules.absolute[type]:
            cp = t.rules.value[type] * p.count[us][type]
            sheet.mg[T_MATERIAL] += sign * cp
            sheet.eg[T_MATERIAL] += sign * cp
            sheet.phase += cp


cdef int aimed(FairyRules rules, const FairyPosition* p, int cp) noexcept nogil:
    """Score for ways to win other than mate: checks given, ranks to the goal, the smaller army."""
    cdef int us, sign, word, sq, rank
    if rules.extinct_wins:
        return -cp
    for us in range(2):
        sign = 1 if us == WHITE else -1
        if rules.checks:
            cp += sign * checks_cp(p.checks_left[us])
        for word in range(rules.words):
            if not rules.has_goal or not p.royals[us][word]:
                continue
            sq = word * 64 + fairy_lsb(p.royals[us][word])
            for rank in range(rules.height):
                if has(rules.goal[us], rank * rules.width):
                    cp -= sign * GOAL_RANK_CP * abs(rank - rules.rank_of[sq])
    return cp


cdef int led(FairyRules rules, const FairyPosition* p, int start_men) noexcept nogil:
    """Score for a lead on points, which grows as the game nears an end without mate."""
    cdef int lead = points_lead(rules, p), gone = start_men - p.pieces[WHITE] - p.pieces[BLACK]
    cdef int clock = min(<int> p.clock, <int> CLOCK_LIMIT), share = POINTS_EARLY
    share += POINTS_PIECES * max(0, gone) // start_men
    share += POINTS_CLOCK * clock * clock // (CLOCK_LIMIT * CLOCK_LIMIT)
    return POINTS_CP * min(share, 256) * lead / (256 * (abs(lead) + POINTS_HALF))


@cython.final
cdef class FairyEvaluator(Evaluator):
    """One worker's evaluator of one game."""

    def __cinit__(self, FairyRules rules not None, bint discount=True, dict weights=None):
        """weights: numbers by name that replace those of fairy_weights.pyx, for fitting."""
        cdef int sq
        self.rules = rules
        # In games with another way to win, material that cannot mate keeps its full value.
        self.discount = discount and not rules.is_special and not rules.has_hands
        self.start_men = sum([rules.start_piece[sq] != 0 for sq in range(rules.squares)])
        self.tables = FairyTables(rules, weights)
        self.pawns = FairyPawns(rules)
        self.pawns.fill_tables(self.tables.w)

    # ---- accumulated from one position to the next ----

    cdef Worth piece_worth(self, const FairyPosition* p) noexcept nogil:
        """Material and placement of all pieces."""
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
                one = &self.tables.worth[p.mailbox[sq]][sq]
                sum.mg += one.mg
                sum.eg += one.eg
                sum.phase += one.phase
        return sum

    cdef const Worth* accumulated(self, FairyBoard board) noexcept nogil:
        """Material and placement of all pieces, updated from the nearest accumulated place lower on the stack."""
        cdef const Head* head = board.head
        cdef int top = board.top, i = top
        cdef FairyAccumulator* at = &self.accumulators[top & (FAIRY_ACCUMULATORS - 1)]
        cdef Worth sum
        while at.key != head[i].key:
            # From a nearest place that lies further back than this, an update costs as much as computing from scratch.
            if i == 0 or top - i == 8:
                at = &self.accumulators[top & (FAIRY_ACCUMULATORS - 1)]
                at.sum = self.piece_worth(&board.positions[top])
                at.key = head[top].key
                return &at.sum
            i -= 1
            at = &self.accumulators[i & (FAIRY_ACCUMULATORS - 1)]
        if i == top:
            return &at.sum
        sum = at.sum
        while i < top:
            i += 1
            follow_move(self.tables, &board.positions[i - 1], &board.positions[i], head[i].move, &sum)
            at = &self.accumulators[i & (FAIRY_ACCUMULATORS - 1)]
            at.sum = sum
            at.key = head[i].key
        return &at.sum

    # ---- the passes over the board ----

    cdef void begin(self, const FairyPosition* p, Sheet* sheet) noexcept nogil:
        """Clear the sheet, and set the squares of royals and the squares around them."""
        cdef int us, word, sq
        memset(sheet, 0, sizeof(Sheet) - sizeof(sheet.hits))
        for word in range(self.rules.words):
            sheet.occupied[word] = p.occupied[0][word] | p.occupied[1][word]
        for us in range(2):
            sq = sheet.royal_sq[us] = lone_royal(self.rules, p, us)
            if sq >= 0:
                for word in range(self.rules.words):
                    sheet.zone[us][word] = self.pawns.zones[type_of(p.mailbox[sq])][sq][word]

    cdef void add_worth(self, const FairyPosition* p, const Worth* worth, Sheet* sheet) noexcept nogil:
        """Add the terms for material, placement, pairs and the side to move."""
        cdef int us
        sheet.mg[T_MATERIAL] += worth.mg
        sheet.eg[T_MATERIAL] += worth.eg
        sheet.phase += worth.phase
        for us in range(2):
            if p.n_royals[us] > 1:
                add_royals(self.tables, p, sheet, us)
            add_pairs_and_hand(self.tables, p, sheet, us)
            if self.rules.has_hands:
                add_held(self.tables, p, sheet, us)
        sheet.mg[T_TEMPO] = self.tables.w[F_TEMPO] if p.stm == WHITE else -self.tables.w[F_TEMPO]

    cdef void add_pawns(self, const FairyPawnEntry* entry, Sheet* sheet) noexcept nogil:
        sheet.mg[T_PAWNS] += entry.mg[P_STRUCTURE]
        sheet.eg[T_PAWNS] += entry.eg[P_STRUCTURE]
        sheet.mg[T_PASSED] += entry.mg[P_PASSED]
        sheet.eg[T_PASSED] += entry.eg[P_PASSED]
        sheet.mg[T_ROYALS] += entry.mg[P_SHELTER]
        sheet.eg[T_ROYALS] += entry.eg[P_SHELTER]

    cdef void add_attacks(self, const FairyPosition* p, const FairyPawnEntry* entry, Sheet* sheet) noexcept nogil:
        """Add all terms that depend on attacks, and the bonus for driving a bare royal."""
        cdef int us
        score_attacks(self.tables, self.pawns, p, entry, sheet)
        for us in range(2):
            if not self.rules.has_hands and self.is_bare(p, us ^ 1) and self.has_officers(p, us):
                if self.divisor_for(p, us) == 1:
                    self.mop_up(p, sheet, us)

    cdef void fill(self, const FairyPosition* p, Sheet* sheet) noexcept nogil:
        """Compute the whole sheet from scratch."""
        cdef FairyPawnEntry entry
        cdef Worth worth = self.piece_worth(p)
        self.pawns.compute(p, &entry)
        self.begin(p, sheet)
        self.add_worth(p, &worth, sheet)
        self.add_pawns(&entry, sheet)
        self.add_attacks(p, &entry, sheet)

    cdef void mop_up(self, const FairyPosition* p, Sheet* sheet, int us) noexcept nogil:
        """Reward `us`, if it can mate a bare royal, for driving it to the edge (CPW: Mop-up Evaluation)."""
        cdef int sign = 1 if us == WHITE else -1, sq = sheet.royal_sq[us ^ 1], cp
        if sq < 0:
            return
        cp = MOP_UP_WIN + MOP_UP_EDGE * (from_middle(self.rules.file_of[sq], self.rules.width)
                                         + from_middle(self.rules.rank_of[sq], self.rules.height))
        if sheet.royal_sq[us] >= 0:
            # Where captures explode, a bare royal is safe beside our royal.
            cp += (1 if self.rules.explodes else -1) * MOP_UP_NEAR * 2 * distance_of(self.rules, sheet.royal_sq[us], sq)
        sheet.mg[T_DRIVE] += sign * cp
        sheet.eg[T_DRIVE] += sign * cp

    # ---- the total ----

    cdef bint is_bare(self, const FairyPosition* p, int us) noexcept nogil:
        """Return whether this side has only one royal."""
        return p.pieces[us] == 1 and p.n_royals[us] == 1

    cdef bint has_officers(self, const FairyPosition* p, int us) noexcept nogil:
        """Return whether this side has a piece other than pawns and its only royal."""
        cdef int type, royals = 0
        for type in range(1, self.rules.types + 1):
            royals += p.count[us][type] if self.rules.absolute[type] else 0
        if p.n_royals[us] == 1:
            royals = 1
        return p.pieces[us] - royals - p.count[us][WHITE_PAWN] - p.count[us][BLACK_PAWN] > 0

    cdef int divisor_for(self, const FairyPosition* p, int leader) noexcept nogil:
        """Divisor by mating potential, if `leader` is ahead: 1, 2, 4 or 8."""
        cdef uint8_t army[2][TYPES]
        cdef int side, type, spare, share, pawns = p.count[leader][WHITE_PAWN] + p.count[leader][BLACK_PAWN]
        if pawns > 1:
            return 1
        if self.rules.explodes:       # every royal beside pieces of its own side can be blown up
            return 8 if self.is_bare(p, leader ^ 1) and not can_mate_bare(self.rules, p, leader) else 1
        for side in range(2):
            spare = p.n_royals[side] - 1
            for type in range(TYPES):
                army[side][type] = p.count[side][type]
                if type <= BLACK_PAWN:
                    army[side][type] = 0
                elif self.rules.royal[type]:
                    # A side's last royal counts as its king, its other royals as pieces.
                    army[side][type] = <uint8_t> min(<int> p.count[side][type], spare)
                    spare -= army[side][type]
        share = divisor(self.rules.traits, army[leader], army[leader ^ 1], pawns)
        if share < 8 and self.is_one_coloured(p, leader):
            share = max(share, one_coloured_divisor(army[leader ^ 1], pawns))
        return share

    cdef bint is_one_coloured(self, const FairyPosition* p, int us) noexcept nogil:
        """Return whether all pieces, apart from the royal and pawns, are bound to squares of one colour."""
        cdef int type, word, sq, shades = 0
        cdef uint64_t rest
        if p.n_royals[us] != 1 or p.hand[us]:
            return False
        for type in range(BLACK_PAWN + 1, self.rules.types + 1):
            if p.count[us][type] and not self.rules.royal[type] and not self.rules.traits[type].bound:
                return False
        for word in range(self.rules.words):
            rest = p.occupied[us][word] & ~p.royals[us][word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                if type_of(p.mailbox[sq]) <= BLACK_PAWN:
                    continue
                shades |= 1 + (self.rules.rank_of[sq] + self.rules.file_of[sq] & 1)
        return shades == 1 or shades == 2

    cdef int total(self, const Sheet* sheet) noexcept nogil:
        """Centipawns, White's view, before the division by mating potential."""
        cdef int i, mg = 0, eg = 0, full = self.tables.full_phase, phase = min(sheet.phase, full), cp
        for i in range(TERMS):
            mg += sheet.mg[i]
            eg += sheet.eg[i]
        cp = <int> ((<long long> mg * phase + <long long> eg * (full - phase)) / full)
        return max(-EVAL_LIMIT_CP, min(EVAL_LIMIT_CP, cp))

    cdef int discounted(self, const FairyPosition* p, int cp) noexcept nogil:
        """A score from White's view, divided by the leader's mating potential."""
        cdef int leader = WHITE if cp >= 0 else BLACK
        if self.rules.is_special:
            if self.rules.only_explodes:
                return cp / self.divisor_for(p, leader)
            cp = aimed(self.rules, p, cp)
            return cp + led(self.rules, p, self.start_men) if self.rules.has_points else cp
        if not self.discount or p.count[leader][WHITE_PAWN] + p.count[leader][BLACK_PAWN] > 1:
            return cp
        return cp / self.divisor_for(p, leader)

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
        self.add_worth(p, self.accumulated(board), &sheet)
        self.add_pawns(entry, &sheet)
        cp = self.total(&sheet)
        # A hill, pieces in hand or a bare royal may outweigh even such a lead.
        if (-LAZY_CP < cp < LAZY_CP or self.rules.has_hill or self.rules.has_hands
                or self.is_bare(p, WHITE) or self.is_bare(p, BLACK)):
            self.add_attacks(p, entry, &sheet)
            cp = self.total(&sheet)
        return cp

    cdef int confined(self, const FairyPosition* p, int us) noexcept nogil:
        """Penalty in centipawns for the lack of space of the royals of `us`."""
        cdef Sheet sheet
        cdef int word, other, sq, cp = 0
        cdef uint64_t rest, free_squares
        self.begin(p, &sheet)
        note_pieces(self.tables, p, self.pawns.probe(p), &sheet, us ^ 1)
        for word in range(self.rules.words):
            rest = p.royals[us][word]
            while rest:
                sq = word * 64 + fairy_lsb(rest)
                rest &= rest - 1
                cp += CONFINED_EDGE * (from_middle(self.rules.file_of[sq], self.rules.width)
                                       + from_middle(self.rules.rank_of[sq], self.rules.height)) // 2
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
        return FairyEvaluator(self.rules, self.discount, {name: self.tables.w[at] for name, at in PLACES.items()})

    # ---- Python methods ----

    def evaluate_cp(self, FairyBoard board not None) -> int:
        """Centipawns, side to move's view."""
        return self.evaluate(board)

    def confinement_cp(self, FairyBoard board not None) -> int:
        """Chances to reach the lower goal in a drawn ending: centipawns, side to move's view."""
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
        """(term, middlegame, endgame, tapered) in centipawns, White's minus Black's.

        The total comes last and includes mating potential.
        """
        cdef const FairyPosition* p = board.now()
        cdef Sheet sheet
        cdef int i, mg = 0, eg = 0, phase, total, leader
        self.fill(p, &sheet)
        # The term material; the rest of the sum is the term placement.
        for i in range(self.rules.squares):
            leader = side_of(p.mailbox[i])
            if p.mailbox[i] and not self.rules.royal[type_of(p.mailbox[i])]:
                mg += (1 - 2 * leader) * self.tables.worth_mg[type_of(p.mailbox[i])]
                eg += (1 - 2 * leader) * self.tables.worth_eg[type_of(p.mailbox[i])]
        worth = self.piece_worth(p)
        sheet.mg[T_PLACEMENT] = worth.mg - mg
        sheet.eg[T_PLACEMENT] = worth.eg - eg
        sheet.mg[T_MATERIAL] -= sheet.mg[T_PLACEMENT]
        sheet.eg[T_MATERIAL] -= sheet.eg[T_PLACEMENT]
        mg = eg = 0
        phase = min(sheet.phase, self.tables.full_phase)
        rows = []
        for i in range(TERMS):
            mg += sheet.mg[i]
            eg += sheet.eg[i]
            tapered = (sheet.mg[i] * phase + sheet.eg[i] * (self.tables.full_phase - phase)) // self.tables.full_phase
            rows.append((NAMES[i], sheet.mg[i], sheet.eg[i], tapered))
        total = self.evaluate(board) * (1 if p.stm == WHITE else -1)
        return [*rows, ("total", mg, eg, total)]
