"""The orthodox board: positions on a stack, and the Python methods that only orthodox chess has."""

from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from . cimport movegen, see
from ..base.attacks cimport KING_ATTACKS, PAWN_ATTACKS
from ..base.bits cimport DARK_SQUARES, bit, lsb, pop_lsb, popcount, rank_of, more_than_one, simd_level
from ..base.board cimport Board, Change, Head
from .movegen cimport KEPT_CODE, KEPT_EXACT, KEPT_SHIFT, count_below, keep_goal, scan_position, slot_of
from .position cimport (Position, attackers, ep_is_legal, make_move, make_null_move, occupied_of, pieces,
                        refresh_keys)
from .legal_count cimport Scan
from .see cimport SEE_CP
from ..endings.king_pawn cimport pawn_wins
from ..base.system cimport aligned_free, aligned_new
from ..base.types cimport *
from ..base.zobrist cimport PIECE_KEYS, STM_KEY

cimport cython

cdef extern from *:
    # Pawns, rooks and queens of both colours in the material key.
    const uint64_t HEAVY_MATERIAL "0x0f0ff0f00f0ff0f0ULL"

SIMD_LEVEL = simd_level().decode()    # the level of simd.h that this build uses

cdef enum:
    FEW_MOVES = 4

START = bytes([4, 2, 3, 5, 6, 3, 2, 4] + [1] * 8 + [0] * 32 + [9] * 8 + [12, 10, 11, 13, 14, 11, 10, 12])


cdef inline bint could_mate(uint64_t own, const Position* p) noexcept nogil:
    """Return whether the minor pieces of one side can mate a bare king by force."""
    cdef uint64_t bishops = own & p.by_type[BISHOP], knights = own & p.by_type[KNIGHT]
    if bishops and (knights or (bishops & DARK_SQUARES and bishops & ~DARK_SQUARES)):
        return True
    return popcount(knights) > 2


cdef bint is_drawn_pawn(const Position* p) noexcept nogil:
    """Return whether the position is king and pawn against king, with a pawn that cannot win."""
    cdef int owner = WHITE if p.by_type[PAWN] & p.by_colour[WHITE] else BLACK
    cdef int turned = 0 if owner == WHITE else 56
    return not pawn_wins(lsb(pieces(p, owner, KING)) ^ turned, lsb(p.by_type[PAWN]) ^ turned,
                         lsb(pieces(p, owner ^ 1, KING)) ^ turned, p.stm == owner)


cdef inline bint is_dead(const Position* p, int n_pieces) noexcept nogil:
    if p.by_type[PAWN] | p.by_type[ROOK] | p.by_type[QUEEN]:
        return p.by_type[PAWN] != 0 and n_pieces == 3 and is_drawn_pawn(p)
    return not could_mate(p.by_colour[WHITE], p) and not could_mate(p.by_colour[BLACK], p)


cdef inline bint is_insufficient(const Position* p) noexcept nogil:
    """Return whether no legal moves can mate: a lone minor piece, or bishops on squares of one colour."""
    cdef uint64_t minors = p.by_type[KNIGHT] | p.by_type[BISHOP]
    if p.by_type[PAWN] | p.by_type[ROOK] | p.by_type[QUEEN]:
        return False
    if not more_than_one(minors):
        return True
    return not p.by_type[KNIGHT] and not (minors & DARK_SQUARES and minors & ~DARK_SQUARES)


cdef inline bint has_many_moves(const Position* p, const Scan* s) noexcept nogil:
    """Return whether the king and single steps of pawns that are not pinned already make FEW_MOVES legal moves."""
    cdef uint64_t own = p.by_colour[p.stm], pawns = own & p.by_type[PAWN] & ~s.pinned
    cdef uint64_t steps = (pawns << 8 if p.stm == WHITE else pawns >> 8) & ~occupied_of(p)
    cdef int found = popcount(steps)
    if s.checkers:
        return False
    if found >= FEW_MOVES:
        return True
    return found + popcount(KING_ATTACKS[lsb(own & p.by_type[KING])] & ~own & ~s.danger) >= FEW_MOVES


@cython.final
cdef class ChessBoard(Board):
    """A game of chess: a position and the moves that led to it.

    A new board holds the start position. Moves are integers (``cext/base/types.pxd``): from, to, via, promotion, kind.
    """

    def __cinit__(self):
        self.max_moves = CHESS_MAX_MOVES
        self.move_slots = 768
        self.clock_limit = CLOCK_LIMIT
        self.material_ends = True
        self.reserve(64)

    def __init__(self):
        self.set_up(START, WHITE, 0x8100000000000081, None, 0, 1)

    def __dealloc__(self):
        aligned_free(self.positions)
        free(self.scans)

    cdef int reserve(self, int capacity) except -1:
        """Make room for this many positions."""
        cdef Position* positions
        if capacity <= self.capacity:
            return 0
        heads = <Head*> realloc(self.head, capacity * sizeof(Head))
        if heads == NULL:
            raise MemoryError
        self.head = heads
        # A position fills three cache lines exactly if it starts on one; otherwise loads would cross lines.
        positions = <Position*> aligned_new(64, capacity * sizeof(Position))
        if positions == NULL:
            raise MemoryError
        if self.positions != NULL:
            memcpy(positions, self.positions, self.capacity * sizeof(Position))
            aligned_free(self.positions)
        self.positions = positions
        scans = <Scan*> realloc(self.scans, capacity * sizeof(Scan))
        if scans == NULL:
            raise MemoryError
        self.scans = scans
        self.capacity = capacity
        return 0

    cdef Position* now(self) noexcept nogil:
        return &self.positions[self.top]

    # ---- the interface of Board ----

    cdef int generate(self, int stage, Move* out) noexcept nogil:
        return movegen.generate(&self.positions[self.top], &self.scans[self.top], stage, out)

    cdef bint is_legal(self, Move move) noexcept nogil:
        return movegen.is_legal(&self.positions[self.top], &self.scans[self.top], move)

    cdef bint gives_check(self, Move move) noexcept nogil:
        return movegen.gives_check(&self.positions[self.top], move)

    cdef bint is_forcing(self, Move move) noexcept nogil:
        return movegen.gives_check(&self.positions[self.top], move)

    cdef void describe(self, const Move* moves, int count, int* marks) noexcept nogil:
        movegen.describe_moves(&self.positions[self.top], moves, count, marks)

    cdef void weigh_threats(self, const Move* moves, int count, int* threats) noexcept nogil:
        movegen.weigh_threats(&self.positions[self.top], moves, count, threats)

    cdef bint is_noisy(self, Move move) noexcept nogil:
        cdef int kind = move_kind(move)
        if kind == NORMAL:
            return self.positions[self.top].mailbox[move_to(move)] != 0
        return kind == PROMOTION or kind == EN_PASSANT

    cdef bint see_ge(self, Move move, int cp) noexcept nogil:
        return see.see_ge(&self.positions[self.top], move, cp)

    cdef int slot(self, Move move) noexcept nogil:
        return slot_of(self.positions[self.top].mailbox[move_from(move)], move)

    cdef uint64_t danger(self) noexcept nogil:
        # In check a scan also marks squares behind the king, which may differ from build to build.
        cdef Scan* s = &self.scans[self.top]
        return s.danger if s.checkers == 0 else 0

    cdef uint64_t non_pawn_key(self, int colour) noexcept nogil:
        return self.positions[self.top].non_pawn_keys[colour]

    cdef int victim(self, Move move) noexcept nogil:
        if move_kind(move) == EN_PASSANT:
            return 1 + PAWN
        if move_kind(move) == CASTLING:
            return 0
        return self.positions[self.top].mailbox[move_to(move)] & 7

    cdef int victim_cp(self, Move move) noexcept nogil:
        cdef int victim = self.victim(move)
        cdef int cp = SEE_CP[victim - 1] if victim else 0
        if move_kind(move) == PROMOTION:
            cp += SEE_CP[move_promotion(move)] - SEE_CP[PAWN]
        return cp

    cdef bint has_pieces(self) noexcept nogil:
        cdef Position* p = &self.positions[self.top]
        cdef uint64_t own = p.by_colour[p.stm] & ~p.by_type[KING]
        return own & ~p.by_type[PAWN] != 0 and more_than_one(own)

    cdef uint64_t key_after(self, Move move) noexcept nogil:
        cdef Position* p = &self.positions[self.top]
        cdef int piece = p.mailbox[move_from(move)]
        # Row 0 of the keys, for an empty square, is zero. Castling, promotion and en passant give a wrong key, which
        # only wastes the prefetch.
        return (p.key ^ STM_KEY[0] ^ PIECE_KEYS[piece][move_from(move)] ^ PIECE_KEYS[piece][move_to(move)]
                ^ PIECE_KEYS[p.mailbox[move_to(move)]][move_to(move)])

    cdef void make(self, Move move) noexcept nogil:
        cdef Position* before = &self.positions[self.top]
        cdef Position* after = before + 1
        make_move(before, after, move)
        self.top += 1
        self.enter_position(move)
        self.note_changes(before, after, move)

    cdef void make_null(self) noexcept nogil:
        cdef Position* before = &self.positions[self.top]
        make_null_move(before, before + 1)
        self.top += 1
        self.enter_position(0)
        self.mark_null()

    cdef void enter_position(self, Move move) noexcept nogil:
        """Scan the position just written and fill its head."""
        cdef Position* p = &self.positions[self.top]
        cdef Head* head = &self.head[self.top]
        cdef int n_pieces
        scan_position(p, &self.scans[self.top])
        self.fill_head(p.key, p.pawn_key, p.material_key, p.clock, p.stm, move)
        head.in_check = self.scans[self.top].checkers != 0
        n_pieces = popcount(occupied_of(p))
        head.dead = is_dead(p, n_pieces)
        head.pieces = <uint8_t> n_pieces

    cdef void note_changes(self, const Position* before, const Position* after, Move move) noexcept nogil:
        cdef Change* change = &self.head[self.top].changes[0]
        cdef int from_sq = move_from(move), to_sq = move_to(move), kind = move_kind(move), n = 1
        cdef int piece = before.mailbox[from_sq], taken_sq = to_sq
        change[0].piece = <uint8_t> piece
        change[0].from_sq = <uint8_t> from_sq
        change[0].to_sq = <uint8_t> to_sq
        if kind == CASTLING:
            change[1].piece = <uint8_t> piece_of(before.stm, ROOK)
            change[1].from_sq = <uint8_t> move_via(move)
            change[1].to_sq = <uint8_t> (to_sq + (1 if move_via(move) < from_sq else -1))
            self.head[self.top].n_changes = 2
            return
        if kind == EN_PASSANT:
            taken_sq = move_via(move)
        if before.mailbox[taken_sq]:
            change[n].piece = before.mailbox[taken_sq]
            change[n].from_sq = <uint8_t> taken_sq
            change[n].to_sq = NO_SQUARE
            n += 1
        if kind == PROMOTION:
            change[0].to_sq = NO_SQUARE
            change[n].piece = after.mailbox[to_sq]
            change[n].from_sq = NO_SQUARE
            change[n].to_sq = <uint8_t> to_sq
            n += 1
        self.head[self.top].n_changes = <uint8_t> n

    cdef int goal_code(self, int index, int limit) noexcept nogil:
        cdef uint64_t key = self.head[index].key
        cdef uint64_t* kept = &self.goals[key & (KEPT_GOALS - 1)]
        cdef int code
        self.goal_calls += 1
        if limit <= 2 * FEW_MOVES and has_many_moves(&self.positions[index], &self.scans[index]):
            return limit
        if kept[0] ^ key < 1 << KEPT_SHIFT:
            code = <int> (kept[0] & KEPT_CODE)
            if kept[0] & KEPT_EXACT or code >= limit:
                return code
        return keep_goal(&self.positions[index], &self.scans[index], limit, kept)

    cdef Ending ending(self) noexcept nogil:
        cdef Head* head = &self.head[self.top]
        if head.clock >= self.clock_limit and self.has_move():
            return FIFTY_MOVES
        if head.phase >= 4 and self.repeated():
            return REPETITION
        if self.material_ends and head.dead and is_insufficient(&self.positions[self.top]) and self.has_move():
            return INSUFFICIENT_MATERIAL
        return ONGOING

    cdef bint has_move(self) noexcept nogil:
        return count_below(&self.positions[self.top], &self.scans[self.top], 1) > 0

    cdef Board copied(self, int first, int capacity):
        cdef ChessBoard other = ChessBoard.__new__(ChessBoard)
        cdef int n = self.top + 1 - first
        other.reserve(capacity)
        memcpy(other.positions, &self.positions[first], n * sizeof(Position))
        memcpy(other.scans, &self.scans[first], n * sizeof(Scan))
        self.copy_stack(other, first)
        return other

    cdef int check(self) except -1:
        cdef Position* p = self.now()
        cdef Position fresh
        cdef Scan scan
        cdef uint64_t union = 0
        cdef int sq, piece, type
        for type in range(6):
            if union & p.by_type[type]:
                raise AssertionError("two pieces on one square")
            union |= p.by_type[type]
        if union != occupied_of(p) or p.by_colour[0] & p.by_colour[1]:
            raise AssertionError("colours and pieces disagree")
        for sq in range(64):
            piece = p.mailbox[sq]
            if (piece != 0) != (union & bit(sq) != 0):
                raise AssertionError(f"mailbox and bitboards disagree on square {sq}")
            if piece and not pieces(p, colour_of(piece), piece_type_of(piece)) & bit(sq):
                raise AssertionError(f"mailbox and bitboards disagree on square {sq}")
        memcpy(&fresh, p, sizeof(Position))
        refresh_keys(&fresh)
        if fresh.key != p.key or fresh.pawn_key != p.pawn_key or fresh.material_key != p.material_key:
            raise AssertionError("incremental and fresh keys disagree")
        if fresh.non_pawn_keys[0] != p.non_pawn_keys[0] or fresh.non_pawn_keys[1] != p.non_pawn_keys[1]:
            raise AssertionError("incremental and fresh keys disagree")
        self.validate(p)
        scan_position(p, &scan)
        if scan.checkers != self.scans[self.top].checkers:
            raise AssertionError("stale checkers")
        if scan.checkers != attackers(p, lsb(pieces(p, p.stm, KING)), occupied_of(p)) & p.by_colour[p.stm ^ 1]:
            raise AssertionError("checkers and attackers disagree")
        head = &self.head[self.top]
        if head.key != p.key or head.clock != p.clock or head.stm != p.stm or head.in_check != (scan.checkers != 0):
            raise AssertionError("head and position disagree")
        return 0

    cdef int validate(self, const Position* p) except -1:
        """Raise ValueError, naming the fault, for a position that the core cannot play."""
        cdef int colour, king_sq, rook_sq, left, right
        cdef uint64_t rooks
        for colour in range(2):
            name = "Black" if colour else "White"
            if popcount(pieces(p, colour, KING)) != 1:
                raise ValueError(
                    f"expected one king of each colour, found {popcount(pieces(p, colour, KING))} for {name}")
            if popcount(p.by_colour[colour]) > 16:
                raise ValueError(f"expected at most 16 pieces a side, found {popcount(p.by_colour[colour])} for {name}")
        if p.by_type[PAWN] & <uint64_t> 0xff000000000000ff:
            raise ValueError("expected no pawn on the first or last rank")
        if attackers(p, lsb(pieces(p, p.stm ^ 1, KING)), occupied_of(p)) & p.by_colour[p.stm]:
            raise ValueError("the side not to move is in check")
        for colour in range(2):
            rooks = p.castling & <uint64_t> 0xff << 56 * colour
            king_sq = lsb(pieces(p, colour, KING))
            left = right = 0
            while rooks:
                rook_sq = pop_lsb(&rooks)
                if rank_of(king_sq) != 7 * colour or not pieces(p, colour, ROOK) & bit(rook_sq):
                    raise ValueError("castling right without king and rook on their first rank")
                left += rook_sq < king_sq
                right += rook_sq > king_sq
            if left > 1 or right > 1:
                raise ValueError("two castling rights on the same side of the king")
        if p.castling & <uint64_t> 0x00ffffffffffff00:
            raise ValueError("castling right outside the first ranks")
        return 0

    # ---- Python methods ----

    def set_up(self, bytes squares, int stm, uint64_t castling, ep, int clock, int fullmove):
        """Start a game from a position.

        squares: 64 bytes from a1 to h8, 0 empty, 1..6 White's pawn, knight, bishop, rook, queen, king, 9..14 Black's.
        stm: 0 White, 1 Black. castling: bitboard of the rooks that may castle. ep: square behind a pawn that has just
        stepped twice, or None (kept only if it can legally be taken). clock: plies since capture or pawn move.
        fullmove: number of the move, from 1.
        Raises ValueError, naming the fault, and leaves the board as it was.
        """
        cdef Position p
        cdef uint64_t takers
        cdef int sq, piece
        if len(squares) != 64:
            raise ValueError(f"expected 64 squares, found {len(squares)}")
        memset(&p, 0, sizeof(Position))
        for sq in range(64):
            piece = squares[sq]
            if piece == 0:
                continue
            if piece > 14 or piece & 7 == 0 or piece & 7 == 7:
                raise ValueError(f"expected a piece 1..6 or 9..14, found {piece} on square {sq}")
            p.mailbox[sq] = <uint8_t> piece
            p.by_type[piece_type_of(piece)] |= bit(sq)
            p.by_colour[colour_of(piece)] |= bit(sq)
        p.stm = <uint8_t> (stm & 1)
        p.castling = castling
        p.ep_sq = NO_SQUARE
        p.clock = <int16_t> max(0, min(clock, SET_UP_CLOCK_MAX))
        self.validate(&p)
        if ep is not None:
            self.check_ep(&p, ep)
            takers = PAWN_ATTACKS[p.stm ^ 1][<int> ep] & pieces(&p, p.stm, PAWN)
            while takers:
                if ep_is_legal(&p, pop_lsb(&takers), ep):
                    p.ep_sq = <uint8_t> ep
        refresh_keys(&p)
        self.positions[0] = p
        self.top = self.root = 0
        self.first_ply = 2 * max(0, min(fullmove, SET_UP_FULLMOVE_MAX) - 1) + p.stm
        self.enter_position(0)

    cdef int check_ep(self, const Position* p, int ep) except -1:
        cdef int pawn_sq = ep ^ 8
        if not 0 <= ep < 64 or rank_of(ep) != (5 if p.stm == WHITE else 2):
            raise ValueError("en passant square on the wrong rank")
        if not pieces(p, p.stm ^ 1, PAWN) & bit(pawn_sq) or p.mailbox[ep] or p.mailbox[2 * ep - pawn_sq]:
            raise ValueError("en passant square without a pawn that has just stepped past it")
        return 0

    def count_legal(self, int limit = EVERY_MOVE) -> int:
        """Number of legal moves: exact below ``limit``, otherwise any number of at least ``limit``."""
        return count_below(self.now(), &self.scans[self.top], limit)

    @property
    def squares(self) -> bytes:
        """64 pieces as for ``set_up``."""
        return bytes(self.now().mailbox[:64])

    @property
    def castling(self) -> int:
        return self.now().castling

    @property
    def ep(self) -> int | None:
        return None if self.now().ep_sq == NO_SQUARE else self.now().ep_sq

    @property
    def checkers(self) -> int:
        """Bitboard of the pieces that give check."""
        return self.scans[self.top].checkers

    @property
    def insufficient(self) -> bool:
        """Return whether no sequence of legal moves can lead to mate."""
        return is_insufficient(self.now())
