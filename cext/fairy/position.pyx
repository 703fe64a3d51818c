"""Positions of compiled games: making moves, and keys."""

from libc.stddef cimport size_t
from libc.string cimport memcpy, memset

from .rules cimport ASEAN_COUNTING, CAMBODIAN_COUNTING, COUNTED_KHON, COUNTED_KNIGHT, COUNTED_ROOK, FairyRules
from .rules cimport BARED_DRAWS, BARED_LOSES, NO_BARING
from .squares cimport drop, fairy_lsb, has, put, side_of, type_of
from .rules cimport FEWER_WINS, MOST_HELD, STALEMATE_DRAWS, STALEMATE_WINS
from .steps cimport BLACK_PAWN, TYPES, WHITE_PAWN
from ..base.types cimport *
from ..base.zobrist cimport STM_KEY, splitmix64

cdef enum:
    EXPLODES = 2                      # `move_piece`: bit of a capture that explodes

cdef extern from *:
    const uint64_t SEED "0x4661697279506f73ULL"

cdef uint64_t PIECE_KEYS[32][256]     # [piece][square]
cdef uint64_t VIRGIN_KEYS[256]
cdef uint64_t EP_KEYS[256]
cdef uint64_t HAND_KEYS[2][4]
cdef uint64_t COUNT_KEYS[32]          # their sum is the material key
cdef uint64_t CHECK_KEYS[2][16]       # [side][number of checks that it still needs]
cdef uint64_t HELD_KEYS[32][MOST_HELD + 1]  # [piece][number in hand]; 0 for none
cdef uint64_t HELD_COUNT_KEYS[32]     # what each piece in hand adds to the material key
cdef uint64_t PASS_KEYS[3]            # [number of passes that led here]; 0 for none


cdef void fill_keys() noexcept nogil:
    cdef uint64_t state = SEED
    cdef int piece, sq
    for sq in range(256):
        for piece in range(32):
            PIECE_KEYS[piece][sq] = splitmix64(&state)
        VIRGIN_KEYS[sq] = splitmix64(&state)
        EP_KEYS[sq] = splitmix64(&state)
    for piece in range(32):
        COUNT_KEYS[piece] = splitmix64(&state)
    for piece in range(8):
        HAND_KEYS[piece >> 2][piece & 3] = splitmix64(&state)
    for piece in range(32):
        CHECK_KEYS[piece >> 4][piece & 15] = splitmix64(&state)
    for piece in range(32):
        HELD_COUNT_KEYS[piece] = splitmix64(&state)
        for sq in range(1, MOST_HELD + 1):
            HELD_KEYS[piece][sq] = splitmix64(&state)
    for sq in range(1, 3):
        PASS_KEYS[sq] = splitmix64(&state)


fill_keys()


cdef uint64_t piece_key(int piece, int sq) noexcept nogil:
    return PIECE_KEYS[piece][sq]


cdef inline size_t used_bytes(FairyRules rules) noexcept nogil:
    return sizeof(FairyPosition) - 256 - 2 * TYPES + ((rules.squares + 7) & ~7)


cdef void copy_position(FairyRules rules, const FairyPosition* source, FairyPosition* target) noexcept nogil:
    memcpy(target, source, used_bytes(rules))
    if rules.has_hands:
        memcpy(target.held, source.held, sizeof(source.held))


cdef inline void take_off(FairyRules rules, FairyPosition* p, int sq) noexcept nogil:
    cdef int piece = p.mailbox[sq], colour = side_of(piece), type = type_of(piece)
    p.mailbox[sq] = 0
    drop(p.occupied[colour], sq)
    p.key ^= PIECE_KEYS[piece][sq]
    if type <= BLACK_PAWN:
        p.pawn_key ^= PIECE_KEYS[piece][sq]
    elif rules.royal[type]:
        p.pawn_key ^= PIECE_KEYS[piece][sq]
        drop(p.royals[colour], sq)
        p.n_royals[colour] -= 1
    p.material_key -= COUNT_KEYS[piece]
    p.count[colour][type] -= 1
    p.pieces[colour] -= 1


cdef inline void put_on(FairyRules rules, FairyPosition* p, int piece, int sq) noexcept nogil:
    cdef int colour = side_of(piece), type = type_of(piece)
    p.mailbox[sq] = <uint8_t> piece
    put(p.occupied[colour], sq)
    p.key ^= PIECE_KEYS[piece][sq]
    if type <= BLACK_PAWN:
        p.pawn_key ^= PIECE_KEYS[piece][sq]
    elif rules.royal[type]:
        p.pawn_key ^= PIECE_KEYS[piece][sq]
        put(p.royals[colour], sq)
        p.n_royals[colour] += 1
    p.material_key += COUNT_KEYS[piece]
    p.count[colour][type] += 1
    p.pieces[colour] += 1


cdef void change_hand(FairyPosition* p, int us, int type, int change) noexcept nogil:
    cdef int piece = us * 16 + type, n = p.held[us][type]
    p.key ^= HELD_KEYS[piece][n] ^ HELD_KEYS[piece][n + change]
    p.material_key += <uint64_t> change * HELD_COUNT_KEYS[piece]
    p.held[us][type] = <uint8_t> (n + change)


cdef inline void keep_captured(FairyRules rules, FairyPosition* p, int us, int sq) noexcept nogil:
    """Put the piece that `us` takes on a square into its hand."""
    cdef int type = rules.held_as[us][type_of(p.mailbox[sq])]
    if type:
        change_hand(p, us, type, 1)


cdef inline int note_capture(FairyRules rules, FairyPosition* p, int us, int sq) noexcept nogil:
    """In a game with hands, put what `us` takes on a square into its hand. Returns EXPLODES if captures explode."""
    if rules.has_hands:
        keep_captured(rules, p, us, sq)
    return EXPLODES if rules.explodes else 0


cdef void explode(FairyRules rules, FairyPosition* p, int centre) noexcept nogil:
    """Remove the piece that has captured on this square, and those around it that are not spared."""
    cdef int word, sq
    cdef uint64_t rest
    lose_virginity(p, centre)
    take_off(rules, p, centre)
    for word in range(rules.words):
        rest = rules.around[centre][word] & (p.occupied[0][word] | p.occupied[1][word])
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            if not rules.spared >> type_of(p.mailbox[sq]) & 1:
                lose_virginity(p, sq)
                take_off(rules, p, sq)


cdef inline void shift_piece(FairyRules rules, FairyPosition* p, int from_sq, int to_sq) noexcept nogil:
    cdef int piece = p.mailbox[from_sq], colour = side_of(piece), type = type_of(piece)
    cdef uint64_t change = PIECE_KEYS[piece][from_sq] ^ PIECE_KEYS[piece][to_sq]
    p.mailbox[from_sq] = 0
    p.mailbox[to_sq] = <uint8_t> piece
    drop(p.occupied[colour], from_sq)
    put(p.occupied[colour], to_sq)
    p.key ^= change
    if type <= BLACK_PAWN:
        p.pawn_key ^= change
    elif rules.royal[type]:
        p.pawn_key ^= change
        drop(p.royals[colour], from_sq)
        put(p.royals[colour], to_sq)


cdef void clear_ep(FairyPosition* p) noexcept nogil:
    cdef int i
    for i in range(p.n_ep):
        p.key ^= EP_KEYS[p.ep[i]]
    p.n_ep = 0


cdef inline void add_ep(FairyPosition* p, int sq, int pawn_sq) noexcept nogil:
    p.ep[p.n_ep] = <uint8_t> sq
    p.n_ep += 1
    p.ep_pawn = <uint8_t> pawn_sq
    p.key ^= EP_KEYS[sq]


cdef inline bint lose_virginity(FairyPosition* p, int sq) noexcept nogil:
    if not has(p.virgin, sq):
        return False
    drop(p.virgin, sq)
    p.key ^= VIRGIN_KEYS[sq]
    return True


cdef void count_check(FairyPosition* p, int us) noexcept nogil:
    if p.checks_left[us]:
        p.key ^= CHECK_KEYS[us][p.checks_left[us]]
        p.checks_left[us] -= 1
        p.key ^= CHECK_KEYS[us][p.checks_left[us]]


cdef int count_kinds(const FairyPosition* p, int us, uint32_t kinds) noexcept nogil:
    cdef int type, n = 0
    if kinds == 1:
        return p.pieces[us]
    for type in range(1, TYPES):
        if kinds >> type & 1:
            n += p.count[us][type]
    return n


cdef inline bint may_castle(FairyRules rules, const FairyPosition* p, int sq, int corner) noexcept nogil:
    """Return whether the virgin on ``sq`` can castle towards the virgin on ``corner``."""
    cdef int type = type_of(p.mailbox[sq]), i
    if sq == corner or not has(p.virgin, corner) or (p.mailbox[corner] ^ p.mailbox[sq]) >= 16:
        return False
    for i in range(rules.n_castles[type]):
        if (rules.castles[type][i].side > 0) == (corner > sq):
            return True
    return False


cdef bint keeps_rights(FairyRules rules, const FairyPosition* p, int sq) noexcept nogil:
    cdef int type = type_of(p.mailbox[sq]), left = sq - rules.file_of[sq], right = left + rules.width - 1, other, side
    if rules.has_first[type]:
        return True
    if rules.has_gating and p.hand[side_of(p.mailbox[sq])] and has(rules.gates, sq):
        return True
    for side in range(2):
        if may_castle(rules, p, sq, rules.partner[side][sq]):
            return True
    for other in range(left, right + 1):      # look for a castler that has this piece as its partner
        if other == sq or not has(p.virgin, other) or not p.mailbox[other]:
            continue
        if rules.partner[other < sq][other] == sq and may_castle(rules, p, other, sq):
            return True
    return False


cdef void settle_virgins(FairyRules rules, FairyPosition* p) noexcept nogil:
    cdef int word, sq
    cdef uint64_t rest
    for word in range(rules.words):
        rest = p.virgin[word]
        while rest:
            sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            if type_of(p.mailbox[sq]) > BLACK_PAWN and not keeps_rights(rules, p, sq):
                lose_virginity(p, sq)


cdef void face_royals(FairyRules rules, FairyPosition* p, int them, int sq) noexcept nogil:
    """When a facing piece has come to this square, remove the rights of ``them``'s royals on its file and rank."""
    cdef int word, royal_sq
    cdef uint64_t rest
    for word in range(rules.words):
        rest = p.royals[them][word] & p.virgin[word]
        while rest:
            royal_sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            if rules.file_of[royal_sq] == rules.file_of[sq] or rules.rank_of[royal_sq] == rules.rank_of[sq]:
                lose_virginity(p, royal_sq)


cdef inline void start_anew(FairyRules rules, FairyPosition* p, int us, int sq) noexcept nogil:
    """Give a pawn its initial moves if it stands where pawns have them whether they have moved or not."""
    if rules.has_homes and rules.home[us][sq]:
        put(p.virgin, sq)
        p.key ^= VIRGIN_KEYS[sq]


cdef void make_drop(FairyRules rules, FairyPosition* p, int us, int type, int sq) noexcept nogil:
    put_on(rules, p, us * 16 + type, sq)
    change_hand(p, us, rules.held_type[us][type], -1)
    p.clock = 0
    if type <= BLACK_PAWN:
        start_anew(rules, p, us, sq)
    if rules.facing >> type & 1:
        face_royals(rules, p, us ^ 1, sq)


cdef inline void count_passes(FairyPosition* p, int passes) noexcept nogil:
    p.key ^= PASS_KEYS[p.passes] ^ PASS_KEYS[passes]
    p.passes = <uint8_t> passes


cdef void make_move(FairyRules rules, const FairyPosition* before, FairyPosition* p, Move move) noexcept nogil:
    copy_position(rules, before, p)
    p.clock += p.clock < CLOCK_MAX
    clear_ep(p)
    if p.passes:
        count_passes(p, 0)
    if passes_turn(move):
        count_passes(p, min(before.passes + 1, 2))
    elif move_kind(move) == DROP:
        make_drop(rules, p, before.stm, move_promotion(move), move_to(move))
    else:
        move_piece(rules, p, move)
    p.stm ^= 1
    p.key ^= STM_KEY[0]
    if rules.counting:
        count_move(rules, before, p, move)


cdef inline void move_piece(FairyRules rules, FairyPosition* p, Move move) noexcept nogil:
    cdef int from_sq = move_from(move), to_sq = move_to(move), kind = move_kind(move), via = move_via(move)
    cdef int us = p.stm, type = type_of(p.mailbox[from_sq]), gate, i
    cdef int unsettled = 0            # not 0: pieces may have lost rights; EXPLODES: an explosion follows
    if type <= BLACK_PAWN and not rules.turns_back:
        p.clock = 0
    if kind == CASTLING or kind == CASTLE_GATING:
        unsettled = lose_virginity(p, from_sq) | lose_virginity(p, via)
        shift_piece(rules, p, from_sq, to_sq)
        shift_piece(rules, p, via, to_sq - 1 if via > from_sq else to_sq + 1)
    else:
        if kind == EN_PASSANT:
            if rules.changes_captures:
                unsettled = note_capture(rules, p, us, via)
            take_off(rules, p, via)
            lose_virginity(p, via)
        elif p.mailbox[to_sq]:
            unsettled = lose_virginity(p, to_sq)
            if rules.changes_captures:
                unsettled |= note_capture(rules, p, us, to_sq)
            take_off(rules, p, to_sq)
            p.clock = 0
        # A pawn's first move takes no rights from other pieces.
        unsettled |= lose_virginity(p, from_sq) and type > BLACK_PAWN
        if kind == PROMOTION:
            take_off(rules, p, from_sq)
            put_on(rules, p, us * 16 + move_promotion(move), to_sq)
            if not rules.turns_back:
                p.clock = 0
        else:
            shift_piece(rules, p, from_sq, to_sq)
        if type <= BLACK_PAWN and kind != PROMOTION:
            start_anew(rules, p, us, to_sq)
    if kind == DOUBLE_STEP:
        add_ep(p, via, to_sq)
        if move_promotion(move):
            add_ep(p, 2 * via - to_sq, to_sq)
    elif kind == GATING or kind == CASTLE_GATING:
        gate = move_promotion(move) & 15
        put_on(rules, p, us * 16 + gate,
               via if kind == CASTLE_GATING and move_promotion(move) & GATE_AT_PARTNER else from_sq)
        p.key ^= HAND_KEYS[us][p.hand[us]]
        for i in range(2):
            if rules.gate_type[us][i] == gate:
                p.hand[us] &= <uint8_t> ~(1 << i)
        p.key ^= HAND_KEYS[us][p.hand[us]]
        unsettled = 1
    if rules.facing >> type & 1:
        face_royals(rules, p, us ^ 1, to_sq)
    if unsettled:
        if unsettled & EXPLODES:
            explode(rules, p, to_sq)
        settle_virgins(rules, p)


cdef int counted_moves(FairyRules rules, const FairyPosition* p, int us) noexcept nogil:
    """Moves in which `us`, the weaker side, must be mated; 0 for no limit."""
    cdef int them = us ^ 1, khons, knights, more
    cdef bint early
    cdef int pawns = (p.count[0][WHITE_PAWN] + p.count[0][BLACK_PAWN] + p.count[1][WHITE_PAWN]
                      + p.count[1][BLACK_PAWN])
    cdef int rooks = count_kinds(p, them, rules.counted[COUNTED_ROOK])
    khons = count_kinds(p, them, rules.counted[COUNTED_KHON])
    knights = count_kinds(p, them, rules.counted[COUNTED_KNIGHT])
    if rules.counting == ASEAN_COUNTING:
        if pawns or p.pieces[us] > 1:
            return 0
        return 16 if rooks else 44 if khons else 64 if knights else 0
    # In Cambodian chess each limit is one move less, and counting for the board's honour begins with three pieces.
    more = 1 if rules.counting == CAMBODIAN_COUNTING else 0
    early = p.pieces[us] > 3 if more else pawns > 0
    if p.pieces[them] == 1 or early:
        return 0
    if p.pieces[us] > 1:
        return 64 - more
    if pawns:
        return 0
    if rooks:
        return (8 if rooks > 1 else 16) - more
    if khons > 1:
        return 22 - more
    if knights > 1:
        return 32 - more
    return (44 if khons else 64) - more


cdef void count_move(FairyRules rules, const FairyPosition* before, FairyPosition* p, Move move) noexcept nogil:
    """Continue the count, or begin it: from 0 for the board's honour, from the number of pieces for a bare king."""
    cdef int us = p.stm, them = us ^ 1, moves, pieces = p.pieces[0] + p.pieces[1]
    cdef int taken = 0
    if before.pieces[us] > p.pieces[us]:
        taken = type_of(before.mailbox[move_via(move) if move_kind(move) == EN_PASSANT else move_to(move)])
    if p.count_limit:
        p.count_ply += p.count_ply < CLOCK_MAX
    if rules.counting != ASEAN_COUNTING and 0 < taken <= BLACK_PAWN and p.pieces[them] == 1:
        moves = counted_moves(rules, p, them)
        if moves and not (p.count[0][1] + p.count[0][2] + p.count[1][1] + p.count[1][2]):
            p.count_limit = <int16_t> (2 * moves)
            p.count_ply = <int16_t> (2 * pieces - 1)
    if p.count_limit == 0 or ((taken or move_kind(move) == PROMOTION) and p.pieces[us] == 1):
        moves = counted_moves(rules, p, us)
        if moves:
            p.count_limit = <int16_t> (2 * moves)
            p.count_ply = <int16_t> (0 if rules.counting == ASEAN_COUNTING or p.pieces[us] > 1 else 2 * pieces)


cdef void make_null_move(FairyRules rules, const FairyPosition* before, FairyPosition* p) noexcept nogil:
    copy_position(rules, before, p)
    clear_ep(p)
    count_passes(p, 0)
    p.clock += p.clock < CLOCK_MAX
    p.stm ^= 1
    p.key ^= STM_KEY[0]


cdef void refresh(FairyRules rules, FairyPosition* p) noexcept nogil:
    cdef int sq, piece, i, n
    memset(p.occupied, 0, sizeof(p.occupied))
    memset(p.royals, 0, sizeof(p.royals))
    memset(p.count, 0, sizeof(p.count))
    p.key = p.pawn_key = p.material_key = 0
    p.pieces[0] = p.pieces[1] = 0
    p.n_royals[0] = p.n_royals[1] = 0
    for sq in range(rules.squares):
        piece = p.mailbox[sq]
        if piece:
            put_on(rules, p, piece, sq)
        if has(p.virgin, sq):
            p.key ^= VIRGIN_KEYS[sq]
    for piece in range(32 if rules.has_hands else 0):
        n = p.held[side_of(piece)][type_of(piece)]
        p.key ^= HELD_KEYS[piece][n]
        p.material_key += <uint64_t> n * HELD_COUNT_KEYS[piece]
    p.key ^= PASS_KEYS[p.passes]
    for i in range(p.n_ep):
        p.key ^= EP_KEYS[p.ep[i]]
    if rules.checks:
        p.key ^= CHECK_KEYS[0][p.checks_left[0]] ^ CHECK_KEYS[1][p.checks_left[1]]
    if rules.has_gating:
        p.key ^= HAND_KEYS[0][p.hand[0]] ^ HAND_KEYS[1][p.hand[1]]
    if p.stm == BLACK:
        p.key ^= STM_KEY[0]


# ---- how games end ----

cdef inline bint is_extinct(FairyRules rules, const FairyPosition* p, int us) noexcept nogil:
    cdef int i
    for i in range(rules.n_extinct):
        if count_kinds(p, us, rules.extinct[i]) <= rules.extinct_at:
            return True
    return False


cdef inline bint at_goal(FairyRules rules, const FairyPosition* p, int us) noexcept nogil:
    cdef int word
    for word in range(rules.words):
        if p.royals[us][word] & rules.goal[us][word]:
            return True
    return False


cdef int rule_ending(FairyRules rules, const FairyPosition* p) noexcept nogil:
    cdef int found = ONGOING if rules.baring == NO_BARING else bare_ending(rules, p)
    return found if found != ONGOING else ending_of_force(rules, p)


cdef int bare_ending(FairyRules rules, const FairyPosition* p) noexcept nogil:
    cdef int ours = force_beside(p, p.stm), theirs = force_beside(p, p.stm ^ 1)
    if ours and theirs:
        return ONGOING
    if ours == 0 and theirs == 0:
        return INSUFFICIENT_MATERIAL
    if rules.baring == BARED_DRAWS:
        return RULE_DRAW
    if ours:
        return RULE_WIN                   # the bared side did not bare us with its reply
    return RULE_LOSS if theirs > 1 or rules.baring == BARED_LOSES else ONGOING


cdef int ending_of_force(FairyRules rules, const FairyPosition* p) noexcept nogil:
    """The ending by a rule other than baring."""
    cdef int us = p.stm, them = us ^ 1, word
    if p.passes and (p.passes > 1 or rules.bikjang and royals_face(rules, p)):
        return by_points(rules, p, RULE_DRAW)
    if rules.explodes and p.n_royals[us] == 0 and not rules.lacks_royal[us]:
        return RULE_LOSS
    if rules.n_extinct:
        if is_extinct(rules, p, them):
            return RULE_LOSS if rules.extinct_wins else RULE_WIN
        if is_extinct(rules, p, us):
            return RULE_WIN if rules.extinct_wins else RULE_LOSS
    if rules.has_goal:
        if at_goal(rules, p, us):         # Black has already replied
            return RULE_DRAW if at_goal(rules, p, them) else RULE_WIN
        if at_goal(rules, p, them):
            return RULE_LOSS
    if rules.checks and p.checks_left[them] == 0:
        return RULE_LOSS
    if rules.has_hill:
        for word in range(rules.words):
            if p.royals[them][word] & rules.hill[word]:
                return RULE_LOSS
    return ONGOING


cdef int points_lead(FairyRules rules, const FairyPosition* p) noexcept nogil:
    cdef int type, lead = -rules.second_points
    for type in range(1, TYPES):
        lead += rules.points[type] * (p.count[WHITE][type] - p.count[BLACK][type])
    return lead


cdef int by_points(FairyRules rules, const FairyPosition* p, int ending) noexcept nogil:
    cdef int lead
    if not rules.has_points:
        return ending
    lead = points_lead(rules, p)
    if lead == 0:
        return ending
    return RULE_WIN if (lead > 0) == (p.stm == WHITE) else RULE_LOSS


cdef int ending_without_moves(FairyRules rules, const FairyPosition* p, bint in_check) noexcept nogil:
    cdef int gain = p.pieces[p.stm ^ 1] - p.pieces[p.stm]
    if in_check:
        return RULE_WIN if rules.mate_wins else CHECKMATE
    if rules.stalemate == STALEMATE_DRAWS or (rules.stalemate == FEWER_WINS and gain == 0):
        return by_points(rules, p, STALEMATE)
    if rules.stalemate == FEWER_WINS:
        return RULE_WIN if gain > 0 else RULE_LOSS
    return RULE_WIN if rules.stalemate == STALEMATE_WINS else RULE_LOSS


# ---- passing ----

cdef bint royals_face(FairyRules rules, const FairyPosition* p) noexcept nogil:
    cdef int word, royal_sq, sq, way, up
    cdef uint64_t rest
    for word in range(rules.words):
        rest = p.royals[p.stm][word]
        while rest:
            royal_sq = word * 64 + fairy_lsb(rest)
            rest &= rest - 1
            for up in range(2):
                way = rules.width if up else -rules.width
                sq = royal_sq + way
                while 0 <= sq < rules.squares and p.mailbox[sq] == 0:
                    sq += way
                if 0 <= sq < rules.squares and has(p.royals[p.stm ^ 1], sq):
                    return True
    return False


cdef Move passing_move(FairyRules rules, const FairyPosition* p) noexcept nogil:
    cdef int word, sq
    cdef uint64_t pieces
    for word in range(rules.words):
        pieces = p.royals[p.stm][word] if p.n_royals[p.stm] else p.occupied[p.stm][word]
        if pieces:
            sq = word * 64 + fairy_lsb(pieces)
            return pack_move(sq, sq, 0, 0, DROP)
    return 0


cdef uint64_t key_without_passes(const FairyPosition* p) noexcept nogil:
    return p.key ^ PASS_KEYS[p.passes]
