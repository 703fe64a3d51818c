# Checks and pins in any compiled game, and what a move does to the royals.

from .position cimport FairyPosition
from .rules cimport ROYAL_CP, FairyRules, checks_cp
from .squares cimport WORDS, fairy_count, fairy_lsb, has, type_of
from .steps cimport Line
from ..base.types cimport *

cdef enum:                            # what is known about the checks that a move may discover
    NOT_LOOKED
    LOOKED
    NOT_SURE                          # decided only by making the move: several royals, hoppers

cdef struct FairyScan:                # checks and pins of the side to move
    uint64_t leave[WORDS]             # a piece that leaves one of these squares may expose the royal
    uint64_t enter[WORDS]             # a piece that enters one of these squares may expose the royal (to a hopper)
    uint64_t parry[WORDS]             # in check: squares to which pieces other than the royal must go
    int royal_sq                      # square of the royal, if there is only one
    int checkers
    uint8_t in_check                  # the royals would fall if the other side could move now
    uint8_t single                    # whether the masks above hold (one royal); else every move is tried
    uint8_t none                      # without royals every move is safe
    uint8_t ending                    # types.Ending by a rule of the game; no moves unless ONGOING
    uint8_t forced                    # only captures are legal
    uint8_t faces                     # bikjang: the royals face each other
    uint8_t shielded                  # explosions: the other side cannot take our royal without losing its own
    uint8_t discovers                 # what `discover` holds: NOT_LOOKED, every square that matters, or NOT_SURE
    uint64_t discover[WORDS]          # our pieces that stand alone between one of ours and the only enemy royal
    int their_royal                   # square of the enemy royal, once looked up
    uint8_t plain_checks              # once looked up: one enemy royal, and no explosions
    uint8_t has_platforms             # once looked up: whether `platforms` holds squares
    uint64_t platforms[WORDS]         # squares on which a piece of ours becomes the platform of a check

cdef void scan_position(FairyRules rules, FairyPosition* p, FairyScan* s) noexcept nogil
# True if `type` on `sq` can take on `target`, regardless of the piece there.
cdef bint reaches(FairyRules rules, const FairyPosition* p, int type, int sq, int target) noexcept nogil
cdef bint is_attacked(FairyRules rules, const FairyPosition* p, int sq, int by) noexcept nogil
# True if `us` would lose its royals if the other side could move.
cdef bint is_exposed(FairyRules rules, const FairyPosition* p, int us) noexcept nogil
# True if the royals survive this pseudo-legal move. `survives` makes it, in any game; `is_safe` is for one royal.
cdef bint survives(FairyRules rules, const FairyPosition* p, Move move) noexcept nogil
cdef bint is_safe(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil
# Finds pieces of the side to move that uncover a check by leaving: sets `discover`, `discovers` and `their_royal`.
cdef void look_for_discoveries(FairyRules rules, const FairyPosition* p, FairyScan* s) noexcept nogil
cdef bint gives_check(FairyRules rules, const FairyPosition* p, FairyScan* s, Move move) noexcept nogil
# The parts of `gives_check`, `scan_position` and `is_allowed_when_tried` for games of explosions.
cdef bint checks_by_blast(FairyRules rules, const FairyPosition* p, FairyScan* s, Move move) noexcept nogil
cdef void find_blasters(FairyRules rules, const FairyPosition* p, FairyScan* s, uint64_t* attackers) noexcept nogil
cdef bint survives_blast(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil
cdef bint survives_step(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil
# True if a royal of the side to move can reach a square of the hill, ignoring legality.
cdef bint is_near_hill(FairyRules rules, const FairyPosition* p) noexcept nogil
# True if the move gives check. Does not need a scan.
cdef bint checks_plainly(FairyRules rules, const FairyPosition* p, Move move) noexcept nogil


# True if a line that is not hidden is open: its squares are empty, or hold the one platform that it needs. The test
# covers all words of the largest board, which avoids branches.
cdef inline bint is_clear(FairyRules rules, const FairyPosition* p, const Line* line, const uint64_t* occupied,
                          int words=WORDS) noexcept nogil:
    cdef int word
    cdef uint64_t blockers = 0
    for word in range(words):
        blockers |= line.mask[word] & occupied[word]
    if blockers == 0:
        return not line.over_one
    return line.over_one and has_one(line, occupied) and not (line.chooses and is_barred(rules, p, line, occupied))


# True if exactly one square of a line is occupied.
cdef inline bint has_one(const Line* line, const uint64_t* occupied) noexcept nogil:
    cdef int word, blockers = 0
    for word in range(WORDS):
        blockers += fairy_count(line.mask[word] & occupied[word])
    return blockers == 1


# True if a line that needs one platform is occupied by a piece over which no piece hops.
cdef inline bint is_barred(FairyRules rules, const FairyPosition* p, const Line* line,
                           const uint64_t* occupied) noexcept nogil:
    cdef int word
    for word in range(WORDS):
        if line.mask[word] & occupied[word]:
            return rules.barriers >> type_of(p.mailbox[word * 64 + fairy_lsb(line.mask[word] & occupied[word])]) & 1
    return False


# True if no check is uncovered by leaving `from_sq`, nor given over the piece that arrives on `to_sq`. Needs LOOKED.
cdef inline bint uncovers_nothing(const FairyScan* s, int from_sq, int to_sq) noexcept nogil:
    return not has(s.discover, from_sq) and not (s.has_platforms and has(s.platforms, to_sq))


# ---- attacks over one platform ----

# Note the squares that matter to an attack on the royal over one platform, and count a check. blockers: number of
# pieces on the line.
cdef inline void note_platforms(FairyScan* s, const Line* line, const uint64_t* occupied, int blockers) noexcept nogil:
    cdef int word
    s.checkers += blockers == 1
    for word in range(WORDS):
        if blockers == 0:
            s.enter[word] |= line.mask[word]
        elif blockers == 2:
            s.leave[word] |= line.mask[word] & occupied[word]
        elif blockers == 1:               # if the platform is ours, it may parry by moving anywhere
            s.parry[word] = s.enter[word] = s.leave[word] = ~(<uint64_t> 0)


# Note how moves of ours uncover a check over one platform: by entering a line without pieces, or leaving one with
# two.
cdef inline void note_our_platforms(const FairyPosition* p, FairyScan* s, const Line* line,
                                    int blockers) noexcept nogil:
    cdef int word
    for word in range(WORDS):
        if blockers == 0:
            s.platforms[word] = line.mask[word] | (s.platforms[word] if s.has_platforms else 0)
        elif blockers == 2:
            s.discover[word] |= line.mask[word] & p.occupied[p.stm][word]
    s.has_platforms |= blockers == 0


# ---- which pseudo-legal moves are legal ----

# `is_allowed` for games in which a move may not give check, or captures explode.
cdef bint is_allowed_when_tried(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil

# Return whether this pseudo-legal move is legal, ignoring compulsory capture.
cdef inline bint is_allowed(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil:
    if rules.tries_moves:
        return is_allowed_when_tried(rules, p, s, move)
    return is_harmless(rules, p, s, move)


# The same move without gating a piece on the vacated square.
cdef inline Move without_gating(Move move) noexcept nogil:
    if move_kind(move) == GATING:
        return pack_move(move_from(move), move_to(move), 0, 0, NORMAL)
    if move_kind(move) == CASTLE_GATING:
        return pack_move(move_from(move), move_to(move), move_via(move), 0, CASTLING)
    return move


# Return whether the royals survive this move, which is tried on the board only if the masks cannot decide.
cdef inline bint is_harmless(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil:
    cdef Move bare = without_gating(move)
    # "One cannot use the placing of an elephant or hawk to block check" (S-Chess, musketeerchess.net). Without a
    # check, an added piece can open an attack only for a hopper.
    return keeps_royals(rules, p, s, bare) and (bare == move or not rules.has_hoppers or survives(rules, p, move))


# Return whether the royals survive a move without gating.
cdef inline bint keeps_royals(FairyRules rules, const FairyPosition* p, const FairyScan* s, Move move) noexcept nogil:
    cdef int from_sq = move_from(move), to_sq = move_to(move)
    if s.none:
        return True
    if not s.single:
        return survives(rules, p, move)
    if from_sq == s.royal_sq or move_kind(move) == EN_PASSANT:
        return is_safe(rules, p, s, move)
    if s.checkers:
        if not has(s.parry, to_sq):
            if move_kind(move) < PROMOTION:
                return False
            return is_safe(rules, p, s, move)         # promotion to a royal
        if s.checkers > 1:
            return is_safe(rules, p, s, move)
    if (has(s.leave, from_sq) or has(s.enter, to_sq)
            or (move_kind(move) == PROMOTION and rules.royal[move_promotion(move)])):
        return is_safe(rules, p, s, move)
    return True


cdef inline bint enters(FairyRules rules, const FairyScan* s) noexcept nogil:
    cdef int word
    for word in range(rules.words):
        if s.enter[word]:
            return True
    return False


# Return whether pieces off the royal's lines move freely, which they do not in check, with hoppers or with a hand.
cdef inline bint are_free(FairyRules rules, const FairyScan* s) noexcept nogil:
    if rules.hinders:
        return False
    return s.none or (s.single and s.checkers == 0 and not (rules.has_hoppers and enters(rules, s)))


# Return whether pieces off the royal's lines make quiet moves freely in a game of explosions.
cdef inline bint are_free_in_blasts(FairyRules rules, const FairyScan* s) noexcept nogil:
    if not rules.explodes or rules.no_checks:
        return False
    return s.none or (s.single and s.checkers == 0 and not (rules.has_hoppers and enters(rules, s)))


# Return whether this piece stands off the royal's lines, so that it may go wherever it reaches.
cdef inline bint is_unhindered(const FairyScan* s, int sq) noexcept nogil:
    return s.none or (sq != s.royal_sq and not has(s.leave, sq))


# ---- explosions ----

# Sets the squares that a capture empties: those of the capturing piece and the captured one, its target, and those of
# the pieces beside its target that are not spared.
cdef void blast_of(FairyRules rules, const FairyPosition* p, Move move, uint64_t* gone) noexcept nogil
# Sets the squares beside `centre` on which pieces would not survive an explosion.
cdef void blast_around(FairyRules rules, const FairyPosition* p, int centre, uint64_t* gone) noexcept nogil
# True if `by` has no royal left, or one that would not survive a capture on this square.
cdef bint is_shielded(FairyRules rules, const FairyPosition* p, int sq, int by) noexcept nogil
# Whether a piece of `by` attacks a square, given the occupied squares. Royals and pieces on `gone` do not
# count.
cdef int is_aimed_at(FairyRules rules, const FairyPosition* p, int sq, int by, const uint64_t* occupied,
                     const uint64_t* gone) noexcept nogil
# True if `by` can blow up a royal on this square that may not be lost, and keep its own.
cdef bint is_threatened(FairyRules rules, const FairyPosition* p, int sq, int by) noexcept nogil
# True if this side, with one royal, has enough to mate a bare royal.
cdef bint can_mate_bare(FairyRules rules, const FairyPosition* p, int us) noexcept nogil
# True if `us` has lost its royal, or would lose it by a capture on its square if the other side could move.
cdef bint is_exposed_to_blasts(FairyRules rules, const FairyPosition* p, int us) noexcept nogil


# True if a move other than castling captures.
cdef inline bint captures(const FairyPosition* p, Move move) noexcept nogil:
    return p.mailbox[move_to(move)] != 0 or move_kind(move) == EN_PASSANT


cdef inline bint share(const uint64_t* squares, const uint64_t* others, int words) noexcept nogil:
    cdef int word
    for word in range(words):
        if squares[word] & others[word]:
            return True
    return False


# ---- wins without mate ----

# True if this legal move wins by taking a royal piece to the hill.
cdef inline bint climbs(FairyRules rules, const FairyPosition* p, Move move) noexcept nogil:
    return rules.has_hill and rules.royal[type_of(p.mailbox[move_from(move)])] and has(rules.hill, move_to(move))


# Gain of a move in centipawns, captures excluded: for reaching the hill, or for a check that counts.
cdef inline int gain_by_rule(FairyRules rules, const FairyPosition* p, FairyScan* s, Move move) noexcept nogil:
    cdef int left = p.checks_left[p.stm]
    if climbs(rules, p, move):
        return ROYAL_CP
    if rules.checks and gives_check(rules, p, s, move):
        return ROYAL_CP if left <= 1 else checks_cp(left - 1) - checks_cp(left)
    return 0


# True if neither side can win in a game of explosions: `us` cannot mate, and the other royal is bare.
cdef inline bint is_spent(FairyRules rules, const FairyPosition* p, int us) noexcept nogil:
    return (p.n_royals[us] == 1 and p.n_royals[us ^ 1] == 1 and p.pieces[us ^ 1] == 1
            and not can_mate_bare(rules, p, us))
