"""The hand-crafted evaluation, which is tapered. Each part has a module of its own (docs/evaluation.md)."""

from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from ..base.attacks cimport DISTANCE, KING_ATTACKS, KNIGHT_ATTACKS, bishop_attacks, rook_attacks
from ..endings.bare_kings cimport BARE_KINGS, BareKings
from ..base.bits cimport *
from ..base.board cimport Board, Head
from ..chess.chess_board cimport ChessBoard
from .chess_pawns cimport PAWN_ENTRIES, PawnEntry, probe_pawns, relative_rank, trace_pawns
from .chess_pieces cimport king_cost, score_pieces, trace_pieces
from ..chess.position cimport Position, occupied_of, pieces
from ..chess.legal_count cimport pawn_attack_set
from ..endings.material cimport CHESS_TRAITS, MOST_TYPES, divisor, one_coloured_divisor
from .chess_weights cimport *
from ..value.evaluator cimport Solution
from ..base.system cimport aligned_free, aligned_new
from ..base.types cimport *

cimport cython

cdef int64_t[16][64] PSQT           # [piece][square]: the value that a piece adds to an accumulator


cdef inline int psqt_index(int type, int sq, int us) noexcept nogil:
    return W_PSQT + 32 * type + 4 * relative_rank(sq, us) + min(file_of(sq), 7 - file_of(sq))


cdef void fill_psqt() noexcept nogil:
    cdef int* phases = [0, PHASE_MINOR, PHASE_MINOR, PHASE_ROOK, PHASE_QUEEN, 0]
    cdef int us, type, sq, score
    for us in range(2):
        for type in range(6):
            for sq in range(64):
                score = WEIGHT[psqt_index(type, sq, us)] + (WEIGHT[W_MATERIAL + type] if type < KING else 0)
                PSQT[piece_of(us, type)][sq] = (<int64_t> phases[type] << 32) + (score if us == WHITE else -score)


fill_psqt()


# ---- endings ----

cdef inline int count_of(const Position* p, int us, int type) noexcept nogil:
    return <int> (p.material_key >> 4 * piece_of(us, type) & 15)


cdef inline int pieces_of(const Position* p, int us) noexcept nogil:
    """Sum of the traditional piece values, in pawns (CPW: Point Value)."""
    return (3 * (count_of(p, us, KNIGHT) + count_of(p, us, BISHOP)) + 5 * count_of(p, us, ROOK)
            + 9 * count_of(p, us, QUEEN))


cdef inline bint is_wrong_bishop(const Position* p, int us) noexcept nogil:
    """Return whether `us` has rook pawns on one file and a bishop that does not control their promotion square, and the
    enemy king is near that square.
    """
    cdef uint64_t pawns = pieces(p, us, PAWN), bishops = pieces(p, us, BISHOP)
    cdef int corner
    if pawns & ~FILE_A and pawns & ~FILE_H:
        return False
    corner = (0 if pawns & FILE_A else 7) + (56 if us == WHITE else 0)
    if bishops & (DARK_SQUARES if bit(corner) & DARK_SQUARES else ~DARK_SQUARES):
        return False
    return DISTANCE[lsb(pieces(p, us ^ 1, KING))][corner] <= 1


cdef inline bint has_opposite_bishops(const Position* p) noexcept nogil:
    """Return whether each side has one bishop, on squares of different colours."""
    cdef uint64_t bishops = p.by_type[BISHOP]
    return (count_of(p, WHITE, BISHOP) == 1 and count_of(p, BLACK, BISHOP) == 1
            and bishops & DARK_SQUARES != 0 and bishops & ~DARK_SQUARES != 0)


cdef int scale_factor(const Position* p, uint64_t passed, int us) noexcept nogil:
    """Scale factor of the endgame score, in 64ths; `us` is ahead (CPW: Draw Evaluation)."""
    cdef int pawns = count_of(p, us, PAWN), ours = pieces_of(p, us), theirs = pieces_of(p, us ^ 1)
    if pawns == 0:
        return SCALE_NO_PAWNS if ours - theirs <= 3 else SCALE_FULL
    if ours == 3 * count_of(p, us, BISHOP) and is_wrong_bishop(p, us):
        return SCALE_WRONG_BISHOP
    if has_opposite_bishops(p):
        if ours == 3 and theirs == 3:
            return SCALE_BISHOPS + SCALE_BISHOPS_PASSED * popcount(passed & p.by_colour[us])
        return SCALE_BISHOPS_AND_MORE
    return min(SCALE_FULL, SCALE_PAWN_BASE + SCALE_PAWN * pawns)


cdef inline bint is_one_coloured(const Position* p, int us) noexcept nogil:
    """Return whether the pieces of this side are bishops on squares of one colour."""
    cdef uint64_t bishops = pieces(p, us, BISHOP)
    if p.by_colour[us] & (p.by_type[KNIGHT] | p.by_type[ROOK] | p.by_type[QUEEN]) or bishops == 0:
        return False
    return not (bishops & DARK_SQUARES and bishops & ~DARK_SQUARES)


cdef int potential_of(const Position* p, int leader) noexcept nogil:
    """Divisor of a score in favour of this side (material.pxd)."""
    cdef uint8_t army[2][MOST_TYPES]
    cdef int us, type, share, pawns = count_of(p, leader, PAWN)
    memset(army, 0, sizeof(army))
    for us in range(2):
        for type in range(KNIGHT, KING):
            army[us][type] = <uint8_t> count_of(p, us, type)
    share = divisor(CHESS_TRAITS, army[leader], army[leader ^ 1], pawns)
    return max(share, one_coloured_divisor(army[leader ^ 1], pawns)) if is_one_coloured(p, leader) else share


cdef inline int centre_distance(int sq) noexcept nogil:
    """From 0 for the four central squares to 6 for a corner."""
    cdef int file = file_of(sq), rank = rank_of(sq)
    return (file - 4 if file > 3 else 3 - file) + (rank - 4 if rank > 3 else 3 - rank)


cdef inline bint is_bare(const Position* p, int us) noexcept nogil:
    """Return whether `us` has a bare king against pieces that can mate; dead material is handled earlier."""
    if p.by_colour[us] & ~p.by_type[KING]:
        return False
    return p.by_type[PAWN] == 0 or p.by_type[ROOK] | p.by_type[QUEEN] != 0


cdef inline bint has_lone_pawn(const Position* p) noexcept nogil:
    """Return whether this is king and pawn against king. The pawn wins, because a pawn that only draws is dead
    material."""
    return p.by_type[PAWN] != 0 and popcount(occupied_of(p)) == 3


cdef int mop_up(const Position* p, int us) noexcept nogil:
    """Bonus for `us`, whose material can mate, for the position of the bare king."""
    cdef int king_sq = lsb(pieces(p, us ^ 1, KING)), corner
    cdef int cp = MOP_UP_WIN + MOP_UP_EDGE * centre_distance(king_sq)
    cp += MOP_UP_NEAR * (7 - DISTANCE[king_sq][lsb(pieces(p, us, KING))])
    if p.by_type[PAWN] | p.by_type[ROOK] | p.by_type[QUEEN] == 0:
        if not (p.by_type[BISHOP] & DARK_SQUARES and p.by_type[BISHOP] & ~DARK_SQUARES) and p.by_type[BISHOP]:
            if p.by_type[BISHOP] & DARK_SQUARES:
                corner = 7 - file_of(king_sq) - rank_of(king_sq)
            else:
                corner = file_of(king_sq) - rank_of(king_sq)
            cp += MOP_UP_CORNER * (corner if corner > 0 else -corner)
    return cp


# ---- the total ----

cdef inline int taper(int packed, int phase, int scale) noexcept nogil:
    """The tapered score (CPW: Tapered Eval). Division towards zero treats both colours alike."""
    # A nearly unwinnable ending scales down the middlegame score too.
    cdef int mg_scale = scale if scale < SCALE_BISHOPS else SCALE_FULL
    if phase > PHASE_FULL:
        phase = PHASE_FULL
    return ((mg_of(packed) * phase * mg_scale + eg_of(packed) * (PHASE_FULL - phase) * scale)
            / (PHASE_FULL * SCALE_FULL))


cdef inline int discounted(const Position* p, int cp, bint discount) noexcept nogil:
    """The whole score, divided by mating potential if the leader has at most one pawn."""
    cdef int leader = WHITE if cp >= 0 else BLACK
    if not discount or more_than_one(pieces(p, leader, PAWN)):
        return cp
    return cp / potential_of(p, leader)


cdef inline int weighed(const Position* p, uint64_t passed, int packed, int phase, bint discount) noexcept nogil:
    """Tapered score, divided by mating potential or, if the divisor is 1, scaled by the rules for drawish endings."""
    cdef int cp = taper(packed, phase, SCALE_FULL)
    cdef int divided = discounted(p, cp, discount)
    if divided != cp:
        return divided
    return taper(packed, phase, scale_factor(p, passed, WHITE if eg_of(packed) > 0 else BLACK))


cdef int weakened(const Position* p, int leader, int cp, bint discount) noexcept nogil:
    cdef int divided
    if not more_than_one(pieces(p, leader, PAWN)):
        divided = cp / potential_of(p, leader) if discount else cp
        if divided != cp:
            return divided
    if (pieces(p, leader, PAWN) and pieces_of(p, leader) == 3 * count_of(p, leader, BISHOP)
            and is_wrong_bishop(p, leader)):
        return cp * SCALE_WRONG_BISHOP / SCALE_FULL
    if pieces_of(p, leader) == 3 and pieces_of(p, leader ^ 1) == 3 and has_opposite_bishops(p):
        return cp * SCALE_NETWORK_BISHOPS / SCALE_FULL
    return cp


cdef inline int limited(int cp) noexcept nogil:
    return min(max(cp, -EVAL_LIMIT_CP), EVAL_LIMIT_CP)


cdef int64_t refresh(const Position* p, Trace* t) noexcept nogil:
    """Compute an accumulator from scratch."""
    cdef uint64_t bits = occupied_of(p)
    cdef int64_t value = 0
    cdef int sq, us, type
    while bits:
        sq = pop_lsb(&bits)
        value += PSQT[p.mailbox[sq]][sq]
        if t != NULL:
            us = colour_of(p.mailbox[sq])
            type = piece_type_of(p.mailbox[sq])
            term(t, us, psqt_index(type, sq, us), 1)
            if type < KING:
                term(t, us, W_MATERIAL + type, 1)
    return value


cdef inline int score_of(int64_t value) noexcept nogil:
    return <int32_t> value


cdef inline int phase_of(int64_t value) noexcept nogil:
    return <int> ((value - <int32_t> value) >> 32)


cdef inline int white_mop_up(const Position* p, int packed, int strong) noexcept nogil:
    return eg_of(packed) + (mop_up(p, WHITE) if strong == WHITE else -mop_up(p, BLACK))


# ---- confinement ----

cdef int confined(const Position* p, int us) noexcept nogil:
    """Penalty for the lack of space of `us`, above all of its king."""
    cdef uint64_t own = p.by_colour[us], theirs = p.by_colour[us ^ 1], king = pieces(p, us, KING)
    cdef int king_sq = lsb(king)
    cdef uint64_t free_squares = KING_ATTACKS[king_sq] & ~own & ~reach_of(p, us ^ 1, (own | theirs) ^ king)
    free_squares &= ~KING_ATTACKS[lsb(pieces(p, us ^ 1, KING))]
    return (CONFINED_SQUARE * (8 - popcount(free_squares)) + CONFINED_EDGE * centre_distance(king_sq)
            - CONFINED_PIECE * popcount(reach_of(p, us, own | theirs) & ~own))


cdef uint64_t reach_of(const Position* p, int us, uint64_t occupied) noexcept nogil:
    """Squares attacked by all pieces of `us` except the king."""
    cdef uint64_t reach = pawn_attack_set(pieces(p, us, PAWN), us), bits = pieces(p, us, KNIGHT)
    while bits:
        reach |= KNIGHT_ATTACKS[pop_lsb(&bits)]
    bits = pieces(p, us, BISHOP) | pieces(p, us, QUEEN)
    while bits:
        reach |= bishop_attacks(pop_lsb(&bits), occupied)
    bits = pieces(p, us, ROOK) | pieces(p, us, QUEEN)
    while bits:
        reach |= rook_attacks(pop_lsb(&bits), occupied)
    return reach


# ---- the evaluator ----

TERMS = (
    ("material", W_MATERIAL), ("piece-square", W_PSQT), ("knight mobility", W_KNIGHT_MOBILITY),
    ("bishop mobility", W_BISHOP_MOBILITY), ("rook mobility", W_ROOK_MOBILITY), ("queen mobility", W_QUEEN_MOBILITY),
    ("pawn structure", W_DOUBLED), ("passed pawns", W_PASSED), ("shelter and storm", W_SHELTER),
    ("threats", W_PAWN_THREAT), ("pieces", W_BISHOP_PAIR), ("castling", W_CASTLING), ("space", W_SPACE),
    ("tempo", W_TEMPO), ("", WEIGHTS),
)


@cython.final
cdef class ChessEvaluator(Evaluator):
    """One worker's evaluator: it shares the weights, and owns its pawn table and accumulators."""

    def __cinit__(self, bint discount=True):
        self.discount = discount
        self.accumulators = <Accumulator*> calloc(ACCUMULATORS, sizeof(Accumulator))
        self.pawns = <PawnEntry*> aligned_new(64, PAWN_ENTRIES * sizeof(PawnEntry))
        if self.accumulators == NULL or self.pawns == NULL:
            raise MemoryError
        memset(self.pawns, 0, PAWN_ENTRIES * sizeof(PawnEntry))

    def __dealloc__(self):
        free(self.accumulators)
        aligned_free(self.pawns)

    cdef int64_t accumulated(self, const Head* head, const Position* p, int top) noexcept nogil:
        """Material, placement and phase of head[top], updated from the nearest place below that has them."""
        cdef Accumulator* at = &self.accumulators[top & (ACCUMULATORS - 1)]
        cdef int64_t value
        cdef int i = top, change
        if at.key == head[top].key:
            return at.value
        # From a nearest place that lies further back than this, an update costs as much as computing from scratch.
        while True:
            if i == 0 or top - i == 8:
                at.key = head[top].key
                at.value = refresh(p, NULL)
                return at.value
            i -= 1
            at = &self.accumulators[i & (ACCUMULATORS - 1)]
            if at.key == head[i].key:
                break
            at = &self.accumulators[top & (ACCUMULATORS - 1)]
        value = at.value
        while i < top:
            i += 1
            for change in range(head[i].n_changes):
                if head[i].changes[change].from_sq != NO_SQUARE:
                    value -= PSQT[head[i].changes[change].piece][head[i].changes[change].from_sq]
                if head[i].changes[change].to_sq != NO_SQUARE:
                    value += PSQT[head[i].changes[change].piece][head[i].changes[change].to_sq]
            at = &self.accumulators[i & (ACCUMULATORS - 1)]
            at.key = head[i].key
            at.value = value
        return value

    cdef int evaluate(self, Board board) noexcept nogil:
        cdef int top = board.top, cp, packed, phase
        cdef const Head* head = &board.head[top]
        cdef const Position* p = &(<ChessBoard> board).positions[top]
        cdef const PawnEntry* pawns
        cdef int64_t value
        if head.dead:
            return 0
        value = self.accumulated(board.head, p, top)
        packed = score_of(value)
        phase = phase_of(value)
        if is_bare(p, BLACK):
            cp = white_mop_up(p, packed, WHITE)
        elif is_bare(p, WHITE):
            cp = white_mop_up(p, packed, BLACK)
        elif has_lone_pawn(p):
            cp = eg_of(packed + probe_pawns(self.pawns, p).score)
            cp += MOP_UP_WIN if p.by_type[PAWN] & p.by_colour[WHITE] else -MOP_UP_WIN
        else:
            pawns = probe_pawns(self.pawns, p)
            packed += pawns.score
            cp = taper(packed, phase, SCALE_FULL)
            if -LAZY_CP < cp < LAZY_CP:
                packed += score_pieces(p, pawns)
                cp = weighed(p, pawns.passed, packed, phase, self.discount)
            else:
                cp = discounted(p, cp, self.discount)
        cp = limited(cp)
        return cp if p.stm == WHITE else -cp

    cdef int confinement(self, Board board) noexcept nogil:
        cdef const Position* p = &(<ChessBoard> board).positions[board.top]
        cdef int near = CONFINED_NEAR * (7 - DISTANCE[lsb(pieces(p, WHITE, KING))][lsb(pieces(p, BLACK, KING))])
        cdef int cp = confined(p, p.stm ^ 1) - confined(p, p.stm)
        if cp:
            cp += near if cp > 0 else -near
        return min(max(cp, -CONFINED_LIMIT), CONFINED_LIMIT)

    cdef int forecast(self, Board board) noexcept nogil:
        """Against a bare king: the goal code that is most frequent for this material in complete tables."""
        cdef const Position* p = &(<ChessBoard> board).positions[board.top]
        cdef int sign
        if p.by_type[PAWN]:
            return FORECAST_PAWN if p.by_type[PAWN] & p.by_colour[WHITE] else -FORECAST_PAWN
        if is_bare(p, BLACK):
            if is_bare(p, WHITE):
                return 0
            sign = 1
        elif is_bare(p, WHITE):
            sign = -1
        else:
            return 0
        if p.by_type[BISHOP]:
            return sign * FORECAST_BISHOP
        return sign * (FORECAST_KNIGHTS if more_than_one(p.by_type[KNIGHT]) else FORECAST_KNIGHT)

    cdef int sure_winner(self, Board board) noexcept nogil:
        cdef const Position* p = &(<ChessBoard> board).positions[board.top]
        if board.head[board.top].dead:
            return 0
        if is_bare(p, BLACK) or (has_lone_pawn(p) and p.by_type[PAWN] & p.by_colour[WHITE]):
            return 1
        return -1 if is_bare(p, WHITE) or has_lone_pawn(p) else 0

    cdef bint solve(self, Board board, Solution* found) noexcept nogil:
        """Look up two bare kings; false for other material."""
        cdef const Position* p = &(<ChessBoard> board).positions[board.top]
        cdef BareKings known
        if not is_bare(p, WHITE) or not is_bare(p, BLACK):
            return False
        known = BARE_KINGS[lsb(pieces(p, p.stm, KING))][lsb(pieces(p, p.stm ^ 1, KING))]
        found.code = known.code if known.code > 0 else -known.code
        found.owner = <int> p.stm if known.code > 0 else p.stm ^ 1
        found.plies = known.plies
        return True

    cdef bint fits(self, Board board):
        return isinstance(board, ChessBoard)

    cdef Evaluator clone(self):
        return ChessEvaluator(self.discount)

    cdef int retrace(self, ChessBoard board, Trace* t) except? -1:
        """Fill a trace without table, accumulator or early exit; returns White's total in centipawns."""
        cdef const Position* p = board.now()
        cdef PawnEntry pawns
        cdef int64_t value
        cdef int packed
        memset(t, 0, sizeof(Trace))
        value = refresh(p, t)
        t.phase = min(phase_of(value), PHASE_FULL)
        trace_pawns(&pawns, p, t)
        packed = score_of(value) + pawns.score + trace_pieces(p, &pawns, t)
        t.scale = scale_factor(p, pawns.passed, WHITE if eg_of(packed) > 0 else BLACK)
        if self.discount and potential_of(p, WHITE if taper(packed, t.phase, SCALE_FULL) >= 0 else BLACK) > 1:
            t.scale = SCALE_FULL
        return limited(weighed(p, pawns.passed, packed, t.phase, self.discount))

    def evaluate_cp(self, ChessBoard board not None) -> int:
        """Centipawns, side to move's view."""
        return self.evaluate(board)

    def confinement_cp(self, ChessBoard board not None) -> int:
        """Chances to reach the lower goal in a drawn ending: centipawns, side to move's view."""
        return self.confinement(board)

    def forecast_code(self, ChessBoard board not None) -> int:
        """The goal code usually reached with dead material, negative if Black reaches it; 0 if unknown."""
        return self.forecast(board)

    def copy(self) -> ChessEvaluator:
        """An evaluator for another worker."""
        return self.clone()

    def trace(self, ChessBoard board not None) -> list[tuple[str, int, int, int]]:
        """(term, middlegame, endgame, tapered) in centipawns, White's minus Black's; the total comes last.

        The total adds all terms, although ``evaluate_cp`` may stop early, and includes mating potential. Against a bare
        king the only term is "mate drive".
        """
        cdef Trace t
        cdef int total = self.retrace(board, &t), mg, eg, i, us
        cdef const Position* p = board.now()
        if board.head[board.top].dead or is_bare(p, WHITE) or is_bare(p, BLACK) or has_lone_pawn(p):
            total = self.evaluate(board) * (1 if p.stm == WHITE else -1)
            return [("mate drive", total, total, total), ("total", total, total, total)]
        rows = []
        for (name, first), (_, end) in zip(TERMS, TERMS[1:]):
            mg = eg = 0
            for i in range(first, end):
                mg += t.count[i] * mg_of(WEIGHT[i])
                eg += t.count[i] * eg_of(WEIGHT[i])
            rows.append((name, mg, eg))
        for us, name in enumerate(("attack on White's king", "attack on Black's king")):
            i = king_cost(sum([t.danger[us][i] * DANGER[i] for i in range(DANGERS)]))
            rows.append((name, -mg_of(i) if us == WHITE else mg_of(i), -eg_of(i) if us == WHITE else eg_of(i)))
        rows = [(name, mg, eg, taper(pack(mg, eg), t.phase, t.scale)) for name, mg, eg in rows]
        mg = sum([row[1] for row in rows])
        eg = sum([row[2] for row in rows])
        return [*rows, ("total", mg, eg, total)]

    def potential(self, ChessBoard board not None) -> int:
        """The divisor that mating potential puts on the score: 1, 2, 4 or 8."""
        cdef const Position* p = board.now()
        cdef PawnEntry pawns
        cdef int64_t value = refresh(p, NULL)
        cdef Trace t
        memset(&t, 0, sizeof(Trace))
        trace_pawns(&pawns, p, &t)
        cdef int packed = score_of(value) + pawns.score + score_pieces(p, &pawns)
        cdef int cp = taper(packed, min(phase_of(value), PHASE_FULL), SCALE_FULL)
        return potential_of(p, WHITE if cp >= 0 else BLACK)

    def coefficients(self, ChessBoard board not None) -> tuple[bytes, bytes, int, int]:
        """How often the position uses each weight, for tools/measure/fit/tune_eval.py.

        Counts by weight, White's minus Black's, and units of attack on White's and on Black's king, 16 each (all
        int16); phase, 0 to 24; scale, 0 to 64.
        """
        cdef Trace t
        self.retrace(board, &t)
        return ((<char*> t.count)[:WEIGHTS * sizeof(int16_t)], (<char*> t.danger)[:sizeof(t.danger)], t.phase, t.scale)
