"""The board of compiled games: positions on a stack, and the Python methods that only these games have."""

from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from . cimport checks, movegen, see
from ..base.board cimport Board, Head
from .movegen cimport count_below
from .position cimport (FairyPosition, by_points, clear_ep, copy_position, count_check, ending_of_force,
                        ending_without_moves, force_beside, key_without_passes, make_move, make_null_move, passing_move,
                        piece_key, refresh, rule_ending, settle_virgins)
from ..endings.recurrence cimport RECENT, checked_since, occurrences, perpetual_ending, recurs_from
from .rules cimport BARED_REPLIES, MOST_HELD, MOVER_LOSES, MOVER_WINS, NO_SIDE, FairyRules
from .squares cimport WORDS, drop, has, put, side_of, type_of
from .steps cimport BLACK_PAWN, TYPES, WHITE_PAWN
from .checks cimport FairyScan, climbs, gain_by_rule, is_exposed, is_spent, scan_position
from ..endings.material cimport is_harmless
from ..base.types cimport *
from ..base.zobrist cimport STM_KEY

cimport cython


cdef enum:
    DEAD_PIECES = 6                   # dead material: at most a king and two pieces a side
    SEARCH_ROOM = MAX_PLY + 10        # places of a search path
    USUAL_RECURRENCES = 3             # occurrences of a position that end a game without a rule of its own


cdef object as_bits(const uint64_t* squares):
    """A set of squares as a Python integer."""
    bits = 0
    for word in range(WORDS):
        bits |= int(squares[word]) << (64 * word)
    return bits


@cython.final
cdef class FairyBoard(Board):
    """A game by a definition: a position and the moves that led to it. A new board holds the start array.

    Moves are integers (``cext/base/types.pxd``).
    """

    def __cinit__(self, FairyRules rules not None):
        self.rules = rules
        self.max_moves = rules.max_moves
        self.move_slots = 2 * rules.slot_classes * rules.squares
        self.clock_limit = NO_CLOCK_LIMIT if rules.endless else CLOCK_LIMIT
        self.material_ends = True
        self.ends_suddenly = rules.has_hill or rules.checks > 0 or rules.has_points
        self.reserve(64)

    def __init__(self, FairyRules rules not None):
        self.set_up(bytes([rules.start_piece[sq] for sq in range(rules.squares)]), WHITE,
                    self.start_virgins(), (), 0, 1, (rules.gate_mask, rules.gate_mask))

    def __dealloc__(self):
        free(self.positions)
        free(self.scans)

    cdef int reserve(self, int capacity) except -1:
        """Make room for this many positions."""
        if capacity <= self.capacity:
            return 0
        heads = <Head*> realloc(self.head, capacity * sizeof(Head))
        if heads == NULL:
            raise MemoryError
        self.head = heads
        positions = <FairyPosition*> realloc(self.positions, capacity * sizeof(FairyPosition))
        if positions == NULL:
            raise MemoryError
        self.positions = positions
        scans = <FairyScan*> realloc(self.scans, capacity * sizeof(FairyScan))
        if scans == NULL:
            raise MemoryError
        self.scans = scans
        self.capacity = capacity
        return 0

    cdef FairyPosition* now(self) noexcept nogil:
        return &self.positions[self.top]

    # ---- the interface of Board ----

    cdef int generate(self, int stage, Move* out) noexcept nogil:
        return movegen.generate(self.rules, &self.positions[self.top], &self.scans[self.top], stage, out)

    cdef Move winning_quiet(self, Move* room) noexcept nogil:
        cdef FairyPosition* p = &self.positions[self.top]
        cdef int i, n
        if self.rules.checks and p.checks_left[p.stm] == 1 and self.generate(QUIET_CHECKS, room):
            return room[0]
        if self.rules.has_hill and checks.is_near_hill(self.rules, p):
            n = self.generate(QUIET, room)
            for i in range(n):
                if climbs(self.rules, p, room[i]):
                    return room[i]
        if (self.rules.has_points and self.rules.has_passes and self.pass_ends()
                and movegen.may_pass(self.rules, p, &self.scans[self.top]) and by_points(self.rules, p, 0) == RULE_WIN):
            return passing_move(self.rules, p)
        return 0

    cdef bint pass_ends(self) noexcept nogil:  # if the side to move passes
        return self.positions[self.top].passes or self.scans[self.top].faces

    cdef bint is_legal(self, Move move) noexcept nogil:
        return movegen.is_legal(self.rules, &self.positions[self.top], &self.scans[self.top], move)

    cdef bint gives_check(self, Move move) noexcept nogil:
        return checks.gives_check(self.rules, &self.positions[self.top], &self.scans[self.top], move)

    cdef bint is_forcing(self, Move move) noexcept nogil:
        cdef FairyPosition* p = &self.positions[self.top]
        if self.rules.has_passes and passes_turn(move):
            return self.pass_ends()
        return climbs(self.rules, p, move) or checks.gives_check(self.rules, p, &self.scans[self.top], move)

    cdef void describe(self, const Move* moves, int count, int* marks) noexcept nogil:
        cdef int i
        for i in range(count):
            marks[i] = 2 * FairyBoard.slot(self, moves[i]) + FairyBoard.is_forcing(self, moves[i])

    cdef bint is_noisy(self, Move move) noexcept nogil:
        cdef int kind = move_kind(move)
        if kind == NORMAL or kind == GATING:
            return self.positions[self.top].mailbox[move_to(move)] != 0
        if kind == PROMOTION and self.rules.turns_back:
            return self.positions[self.top].mailbox[move_to(move)] != 0
        return kind == PROMOTION or kind == EN_PASSANT

    cdef bint see_ge(self, Move move, int cp) noexcept nogil:
        if self.rules.forbids_exchanges:
            if self.rules.must_capture:
                return True           # compulsory captures make exchanges meaningless
            return see.blast_ge(self.rules, &self.positions[self.top], move, cp)
        if self.ends_suddenly:
            cp -= gain_by_rule(self.rules, &self.positions[self.top], &self.scans[self.top], move)
        return see.see_ge(self.rules, &self.positions[self.top], move, cp)

    cdef int slot(self, Move move) noexcept nogil:
        cdef const FairyPosition* p = &self.positions[self.top]
        cdef int piece = p.mailbox[move_from(move)]
        if piece == 0:                # a drop
            piece = p.stm * 16 + move_promotion(move)
        return self.rules.first_slot[piece] + move_to(move)

    cdef int victim(self, Move move) noexcept nogil:
        cdef int kind = move_kind(move), sq
        if kind == CASTLING or kind == CASTLE_GATING or kind == DROP:
            return 0
        sq = move_via(move) if kind == EN_PASSANT else move_to(move)
        return self.rules.victim_class[type_of(self.positions[self.top].mailbox[sq])]

    cdef int victim_cp(self, Move move) noexcept nogil:
        cdef FairyPosition* p = &self.positions[self.top]
        cdef int kind = move_kind(move), cp = 0, piece
        if kind == CASTLING or kind == CASTLE_GATING or kind == DROP:
            return 0
        piece = p.mailbox[move_via(move) if kind == EN_PASSANT else move_to(move)]
        if piece:
            cp = self.rules.value[type_of(piece)]
        if kind == PROMOTION:
            cp += self.rules.value[move_promotion(move)] - self.rules.value[type_of(p.mailbox[move_from(move)])]
        if self.rules.changes_captures and piece:
            if self.rules.explodes:
                return see.blast_cp(self.rules, p, move)
            cp += self.rules.value[self.rules.held_as[p.stm][type_of(piece)]]
        return cp

    cdef bint has_pieces(self) noexcept nogil:
        cdef FairyPosition* p = &self.positions[self.top]
        cdef int us = p.stm, type
        if self.rules.must_capture:
            return False              # in such games a null move would be a great advantage
        for type in range(self.rules.n_drop_types[us]):
            if p.held[us][self.rules.drop_types[us][type]]:
                return True           # a side with a hand can nearly always drop a piece
        # The side needs a piece other than royals and pawns, and one more piece, which may be a pawn.
        return (p.pieces[us] - p.n_royals[us] - p.count[us][1] - p.count[us][2] > 0
                and p.pieces[us] - p.n_royals[us] > 1)

    cdef uint64_t key_after(self, Move move) noexcept nogil:
        cdef FairyPosition* p = &self.positions[self.top]
        cdef int piece = p.mailbox[move_from(move)], taken = p.mailbox[move_to(move)]
        cdef uint64_t key
        if piece == 0:                # a drop, without the change of the hand
            return p.key ^ piece_key(p.stm * 16 + move_promotion(move), move_to(move)) ^ STM_KEY[0]
        key = p.key ^ piece_key(piece, move_from(move)) ^ piece_key(piece, move_to(move))
        if taken and not passes_turn(move):
            key ^= piece_key(taken, move_to(move))
        return key ^ STM_KEY[0]

    cdef void make(self, Move move) noexcept nogil:
        make_move(self.rules, &self.positions[self.top], &self.positions[self.top + 1], move)
        self.top += 1
        self.enter_position(move)

    cdef void make_null(self) noexcept nogil:
        make_null_move(self.rules, &self.positions[self.top], &self.positions[self.top + 1])
        self.top += 1
        self.enter_position(0)
        self.mark_null()

    cdef void keep_real_ep(self) noexcept nogil:
        """Remove en passant squares that no pawn can legally use, so that positions with equal moves have equal keys.
        """
        cdef FairyPosition* p = &self.positions[self.top]
        cdef FairyScan* s = &self.scans[self.top]
        cdef int sq, i, kept = 0
        cdef Move move
        cdef uint8_t ep[2]
        for i in range(p.n_ep):
            for sq in range(self.rules.squares):
                if side_of(p.mailbox[sq]) != p.stm or p.mailbox[sq] == 0 or type_of(p.mailbox[sq]) > BLACK_PAWN:
                    continue
                move = pack_move(sq, p.ep[i], p.ep_pawn, 0, EN_PASSANT)
                if movegen.is_legal(self.rules, p, s, move):
                    ep[kept] = p.ep[i]
                    kept += 1
                    break
        if kept < p.n_ep:
            clear_ep(p)
            for i in range(kept):
                p.ep[i] = ep[i]
            p.n_ep = <uint8_t> kept
            if kept:
                refresh(self.rules, p)

    cdef void enter_position(self, Move move) noexcept nogil:
        """Scan the position just written and fill its head."""
        cdef FairyPosition* p = &self.positions[self.top]
        cdef Head* head = &self.head[self.top]
        scan_position(self.rules, p, &self.scans[self.top])
        if self.rules.checks and move and self.scans[self.top].in_check:
            count_check(p, p.stm ^ 1)
        if p.n_ep:
            self.keep_real_ep()
        if self.rules.ends_by_rule:
            self.scans[self.top].ending = <uint8_t> self.own_ending(p)
        if self.rules.must_capture and self.scans[self.top].ending == ONGOING:
            self.scans[self.top].forced = movegen.has_capture(self.rules, p, &self.scans[self.top])
        self.fill_head(p.key, p.pawn_key, p.material_key, p.clock, p.stm, move)
        head.in_check = self.scans[self.top].in_check
        head.dead = self.is_dead(p)
        head.pieces = <uint8_t> (p.pieces[WHITE] + p.pieces[BLACK])

    cdef int own_ending(self, const FairyPosition* p) noexcept nogil:
        """An ending by rule after which no move is legal. `ending` handles a bared side that can still reply."""
        cdef int found = (ending_of_force(self.rules, p) if self.rules.baring == BARED_REPLIES
                          else rule_ending(self.rules, p))
        if (found == RULE_LOSS and self.rules.goal_reply and p.stm == BLACK
                and movegen.has_royal_move(self.rules, p, &self.scans[self.top], self.rules.goal[BLACK])):
            return ONGOING
        return found

    cdef bint is_dead(self, const FairyPosition* p) noexcept nogil:
        """Return whether only mate wins and the material is dead: one royal each, no pawns, no force that can mate."""
        cdef uint8_t[TYPES] army
        cdef int us, type
        if p.pieces[0] + p.pieces[1] > DEAD_PIECES or p.n_royals[0] > 1 or p.n_royals[1] > 1:
            return False
        if self.rules.is_special or self.rules.has_hands or p.hand[0] | p.hand[1]:
            return self.rules.only_explodes and (is_spent(self.rules, p, WHITE) or is_spent(self.rules, p, BLACK))
        for us in range(2):
            if p.count[us][WHITE_PAWN] or p.count[us][BLACK_PAWN]:
                return False
            for type in range(TYPES):
                army[type] = 0 if self.rules.royal[type] else p.count[us][type]
            if not is_harmless(self.rules.traits, army):
                return False
        return True

    cdef int goal_code(self, int index, int limit) noexcept nogil:
        cdef int moves = count_below(self.rules, &self.positions[index], &self.scans[index], (limit + 1) >> 1)
        cdef Ending ending
        self.goal_calls += 1
        if moves or not self.rules.ends_by_rule:
            return 2 * moves + (not self.scans[index].in_check)
        ending = self.ending_at(index)
        return 0 if ending == CHECKMATE or ending == RULE_LOSS else 1 if ending == STALEMATE else NO_GOAL

    cdef Ending ending(self) noexcept nogil:
        cdef Head* head = &self.head[self.top]
        cdef FairyPosition* p = &self.positions[self.top]
        cdef Ending rule
        if self.scans[self.top].ending != ONGOING:
            return <Ending> self.scans[self.top].ending
        if self.rules.baring == BARED_REPLIES:
            rule = <Ending> rule_ending(self.rules, p)
            if rule == ONGOING and force_beside(p, p.stm) == 0:
                # A bared side may still bare the other side with its next move.
                rule = ONGOING if movegen.has_capture(self.rules, p, &self.scans[self.top]) else RULE_LOSS
            if rule != ONGOING:
                return rule
        if self.rules.counting:
            if p.count_limit and p.count_ply > p.count_limit and self.has_move():
                return RULE_DRAW
        elif head.clock >= self.clock_limit and not self.rules.endless and self.has_move():
            return <Ending> by_points(self.rules, p, FIFTY_MOVES)
        if self.rules.recurrences or self.rules.has_passes or self.rules.has_points:
            rule = self.recurrence()
            if rule != ONGOING:
                return rule
        elif head.phase >= 4 and self.repeated():
            return perpetual_ending(self.head, self.top, self.root) if self.rules.perpetual else REPETITION
        if (self.material_ends and p.pieces[0] == 1 and p.pieces[1] == 1
                and (not self.rules.is_special or self.rules.only_explodes) and not self.rules.has_hands
                and self.has_move()):
            return INSUFFICIENT_MATERIAL
        return ONGOING

    cdef Ending recurrence(self) noexcept nogil:
        """The ending if the position has recurred often enough: by perpetual check, or by the game's own rule."""
        cdef int first = (self.recurs_past_passes() if self.rules.has_passes or not self.rules.recurrences
                          else recurs_from(self.head, self.top, self.root, self.rules.recurrences))
        cdef Ending found = REPETITION
        if first < 0:
            return ONGOING
        if self.rules.perpetual:
            found = checked_since(self.head, self.top, first)
        if found != REPETITION or self.rules.recurrence_wins == NO_SIDE:
            return <Ending> by_points(self.rules, &self.positions[self.top], found) if found == REPETITION else found
        if self.rules.recurrence_wins == MOVER_LOSES or self.rules.recurrence_wins == MOVER_WINS:
            return RULE_WIN if self.rules.recurrence_wins == MOVER_LOSES else RULE_LOSS
        return RULE_WIN if self.rules.recurrence_wins == self.head[self.top].stm else RULE_LOSS

    cdef int recurs_past_passes(self) noexcept nogil:
        """``recurs_from``, or ``Board.repeated`` without a rule of repetition, for positions whose keys tell whether a
        pass led to them.
        """
        cdef int lowest = self.top - self.head[self.top].phase, wanted = USUAL_RECURRENCES, i = self.top - 2, seen = 1
        cdef uint64_t key = key_without_passes(&self.positions[self.top])
        if self.rules.recurrences:
            wanted = self.rules.recurrences
            lowest = 0 if self.top == self.root else max(0, self.root - RECENT)
        while i >= lowest and not self.head[i + 1].is_null and not self.head[i + 2].is_null:
            if key_without_passes(&self.positions[i]) == key:
                seen += 1
                if seen == wanted or i >= self.root and self.head[i].node_key == self.head[self.top].node_key:
                    return i
            i -= 2
        return -1

    cdef Ending no_moves(self) noexcept nogil:
        return self.ending_at(self.top)

    cdef Ending ending_at(self, int index) noexcept nogil:
        """The ending of a position on the stack in which no move is legal."""
        cdef FairyScan* s = &self.scans[index]
        return <Ending> (s.ending if s.ending != ONGOING
                         else ending_without_moves(self.rules, &self.positions[index], s.in_check))

    cdef bint has_move(self) noexcept nogil:
        return count_below(self.rules, &self.positions[self.top], &self.scans[self.top], 1) > 0

    cdef Board clone(self):
        cdef Board other
        if not self.rules.recurrences:
            return Board.clone(self)
        other = self.copied(0, self.top + SEARCH_ROOM)
        other.root = other.top
        return other

    cdef Board copied(self, int first, int capacity):
        cdef FairyBoard other = FairyBoard.__new__(FairyBoard, self.rules)
        cdef int n = self.top + 1 - first
        other.reserve(capacity)
        memcpy(other.positions, &self.positions[first], n * sizeof(FairyPosition))
        memcpy(other.scans, &self.scans[first], n * sizeof(FairyScan))
        self.copy_stack(other, first)
        return other

    cdef int check(self) except -1:
        cdef FairyPosition* p = self.now()
        cdef FairyPosition fresh
        cdef FairyScan fresh_scan
        cdef int sq, colour, word
        copy_position(self.rules, p, &fresh)
        refresh(self.rules, &fresh)
        if fresh.key != p.key or fresh.pawn_key != p.pawn_key or fresh.material_key != p.material_key:
            raise AssertionError("incremental and fresh keys disagree")
        for colour in range(2):
            if p.pieces[colour] != fresh.pieces[colour] or p.n_royals[colour] != fresh.n_royals[colour]:
                raise AssertionError("counts and mailbox disagree")
            for word in range(self.rules.words):
                if (p.occupied[colour][word] != fresh.occupied[colour][word]
                        or p.royals[colour][word] != fresh.royals[colour][word]):
                    raise AssertionError("squares and mailbox disagree")
        for sq in range(self.rules.squares):
            if has(p.virgin, sq) and p.mailbox[sq] == 0:
                raise AssertionError("an empty square has rights")
        settle_virgins(self.rules, &fresh)
        if fresh.key != p.key:
            raise AssertionError("rights that neither side can use")
        self.validate(p)
        scan_position(self.rules, p, &fresh_scan)
        if (fresh_scan.in_check != self.scans[self.top].in_check
                or fresh_scan.in_check != is_exposed(self.rules, p, p.stm)):
            raise AssertionError("check is wrong")
        head = &self.head[self.top]
        if head.key != p.key or head.clock != p.clock or head.stm != p.stm or head.in_check != fresh_scan.in_check:
            raise AssertionError("head and position disagree")
        return 0

    cdef int validate(self, const FairyPosition* p) except -1:
        """Raise ValueError, naming the fault, for a position that the core cannot play."""
        cdef int colour
        if self.rules.has_hands:
            self.validate_hands(p)
        for colour in range(2):
            name = "Black" if colour else "White"
            # In a game of explosions the side to move may have lost its royal, and the game.
            if (p.n_royals[colour] == 0 and not self.rules.n_extinct
                    and not (self.rules.explodes and colour == p.stm)):
                raise ValueError(f"expected a royal piece of each colour, found none for {name}")
            if p.pieces[colour] > self.rules.piece_limit:
                raise ValueError(f"expected at most {self.rules.piece_limit} pieces a side, "
                                 f"found {p.pieces[colour]} for {name}")
        # Under the rule of bikjang a side in check may have passed, which ends the game.
        if is_exposed(self.rules, p, p.stm ^ 1) and not p.passes:
            raise ValueError("the side not to move is in check")
        if self.rules.no_checks and is_exposed(self.rules, p, p.stm):
            raise ValueError("the side to move is in check, which this game forbids")
        return 0

    cdef int validate_hands(self, const FairyPosition* p) except -1:
        """Raise ValueError for pieces in hand that the game cannot have."""
        cdef int colour, type, total = p.pieces[0] + p.pieces[1]
        for colour in range(2):
            for type in range(TYPES):
                if p.held[colour][type] and type not in self.rules.drop_types[colour][:self.rules.n_drop_types[colour]]:
                    raise ValueError(f"expected pieces that can be in hand, found number {type}")
                total += p.held[colour][type]
        if total > self.rules.most_men:
            raise ValueError(
                f"expected at most {self.rules.most_men} pieces on the board and in hand, found {total}")
        return 0

    # ---- Python methods ----

    def start_virgins(self) -> int:
        """Squares of the start array, as bits, whose pieces lose rights by moving."""
        return as_bits(self.rules.virgin_start)

    def set_up(self, bytes squares, int stm, virgins, ep, int clock, int fullmove, hand=(0, 0), checks_left=None,
               int count_limit=0, held=b""):
        """Start a game from a position.

        squares: as many bytes as the board has, a1 first, 0 empty, else type, 16 more for Black. virgins: bits of the
        squares whose pieces have not moved; those without rights are dropped. ep: squares on which the pawn that has
        just made its initial move may be taken, then that pawn's square, or empty. hand: for White and Black, bit i for
        the i-th piece in hand. checks_left: the checks that White and Black still need, in a game that counts them.
        count_limit: plies after which a counted game is drawn, 0 while nothing is counted; ``clock`` is its counter.
        held: in a game with drops the pieces in hand, as a byte for each of 32 pieces; empty for none.
        Raises ValueError, naming the fault, and leaves the board as it was.
        """
        cdef FairyPosition p
        cdef int sq, piece
        if len(squares) != self.rules.squares:
            raise ValueError(f"expected {self.rules.squares} squares, found {len(squares)}")
        memset(&p, 0, sizeof(FairyPosition))
        for sq in range(self.rules.squares):
            piece = squares[sq]
            if piece >= 32 or (piece and not 1 <= type_of(piece) <= self.rules.types) or piece == 16:
                raise ValueError(f"expected a piece of 1 to {self.rules.types}, found {piece} on square {sq}")
            p.mailbox[sq] = <uint8_t> piece
            if virgins >> sq & 1 and piece == self.rules.start_piece[sq] and has(self.rules.virgin_start, sq):
                put(p.virgin, sq)
            if self.rules.has_homes and 0 < type_of(piece) <= BLACK_PAWN:
                drop(p.virgin, sq)
                if self.rules.home[side_of(piece)][sq]:
                    put(p.virgin, sq)
        p.stm = <uint8_t> (stm & 1)
        p.clock = <int16_t> max(0, min(clock, SET_UP_CLOCK_MAX))
        p.checks_left[0], p.checks_left[1] = self.counters(checks_left)
        if self.rules.counting and count_limit > 0:
            p.count_limit = <int16_t> min(count_limit, SET_UP_CLOCK_MAX)
            p.count_ply = p.clock
            p.clock = 0
        for piece in range(min(len(held), 32) if self.rules.has_hands else 0):
            p.held[side_of(piece)][type_of(piece)] = <uint8_t> min(<int> held[piece], MOST_HELD)
        p.hand[0], p.hand[1] = hand[0] & self.rules.gate_mask, hand[1] & self.rules.gate_mask
        if ep:
            *targets, p.ep_pawn = ep
            if len(targets) > 2 or any([p.mailbox[<int> sq] for sq in targets]) or not p.mailbox[p.ep_pawn]:
                raise ValueError("en passant square without a pawn that has just stepped past it")
            p.n_ep = <uint8_t> len(targets)
            for sq in range(p.n_ep):
                p.ep[sq] = targets[sq]
        refresh(self.rules, &p)
        settle_virgins(self.rules, &p)
        refresh(self.rules, &p)
        self.validate(&p)
        self.positions[0] = p
        self.top = self.root = 0
        self.first_ply = 2 * max(0, min(fullmove, SET_UP_FULLMOVE_MAX) - 1) + p.stm
        self.enter_position(0)

    def counters(self, checks_left) -> tuple[int, int]:
        """Checks that each side still needs to win; the full number if ``checks_left`` is None."""
        most = self.rules.checks
        if checks_left is None or not most:
            return most, most
        return min(max(checks_left[0], 0), most), min(max(checks_left[1], 0), most)

    def repetitions(self) -> int:
        """How often the position occurred before in this game."""
        cdef int i, n = 0
        cdef uint64_t key = key_without_passes(self.now())
        if not self.rules.has_passes:
            return occurrences(self.head, self.top) - 1 if self.rules.recurrences else Board.repetitions(self)
        for i in range(self.top - 2, -1 if self.rules.recurrences else self.top - self.head[self.top].phase - 1, -2):
            if self.head[i + 1].is_null or self.head[i + 2].is_null:
                break
            n += key_without_passes(&self.positions[i]) == key
        return n

    def points_ending(self) -> int:
        """The ``Ending`` for the side to move if the game ended now by points; 0 for a tie or a game without points."""
        return by_points(self.rules, self.now(), ONGOING)

    def count_legal(self, int limit = EVERY_MOVE) -> int:
        """Number of legal moves: exact below ``limit``, otherwise any number of at least ``limit``."""
        return count_below(self.rules, self.now(), &self.scans[self.top], limit)

    def rule_result(self) -> int:
        """The ``Ending`` by a rule of the game other than mate and draws by claim, else 0."""
        cdef int limit = self.clock_limit, ending
        self.clock_limit = NO_CLOCK_LIMIT
        ending = self.ending()
        self.clock_limit = limit
        return 0 if ending == REPETITION else ending

    def ending_without_moves(self) -> int:
        """The ``Ending`` if the side to move has no legal move."""
        return self.no_moves()

    @property
    def squares(self) -> bytes:
        """Pieces as for ``set_up``."""
        return bytes(self.now().mailbox[:self.rules.squares])

    @property
    def virgins(self) -> int:
        """Bits of the squares whose pieces have not moved and lose rights by moving."""
        return as_bits(self.now().virgin)

    @property
    def hand(self) -> tuple[int, int]:
        return self.now().hand[0], self.now().hand[1]

    @property
    def held(self) -> bytes:
        """Pieces in hand in a game with drops, as for ``set_up``."""
        cdef FairyPosition* p = self.now()
        return bytes([p.held[side_of(piece)][type_of(piece)] for piece in range(32)] if self.rules.has_hands else [])

    @property
    def checks_left(self) -> tuple[int, int]:
        """Checks that White and Black still need to win; zeros if the game does not count them."""
        return self.now().checks_left[0], self.now().checks_left[1]

    @property
    def counting(self) -> tuple[int, int]:
        """(limit, counter) in plies of the rule that draws a game of one strong side; zeros while no count is running.
        """
        return self.now().count_limit, self.now().count_ply

    @property
    def ep(self) -> tuple[int, ...]:
        """Squares on which a pawn can be captured en passant, then the pawn's own square; or empty."""
        cdef FairyPosition* p = self.now()
        return (*[p.ep[i] for i in range(p.n_ep)], p.ep_pawn) if p.n_ep else ()

    @property
    def checkers(self) -> int:
        """Bits of the pieces that attack a royal which may not be lost; 0 if the side to move is not in check."""
        cdef FairyPosition* p = self.now()
        cdef uint64_t[WORDS] found
        cdef int sq, target
        if not self.head[self.top].in_check:
            return 0
        memset(found, 0, sizeof(found))
        for target in range(self.rules.squares):
            if not has(p.royals[p.stm], target):
                continue
            for sq in range(self.rules.squares):
                if (has(p.occupied[p.stm ^ 1], sq)
                        and checks.reaches(self.rules, p, type_of(p.mailbox[sq]), sq, target)):
                    put(found, sq)
        return as_bits(found)

    @property
    def insufficient(self) -> bool:
        """Return whether no sequence of legal moves can lead to mate."""
        return self.rule_result() == INSUFFICIENT_MATERIAL
